"""Where the bytes of a log come from."""
