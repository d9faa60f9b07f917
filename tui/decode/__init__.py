"""How bytes become entries."""
