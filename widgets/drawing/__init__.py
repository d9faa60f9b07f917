"""What each widget shows, as plain data, and how it looks, as a pure function of that data and a size."""
