"""Palettes and the style sheet of the application."""
