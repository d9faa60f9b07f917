"""A run to try Milepost on, with no other machine: a simulated trainer behind a real SSH server."""
