"""Textual widgets that know plain data only."""
