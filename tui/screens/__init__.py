"""The screens, and the pure step from the store to their cells."""
