"""What is wrong with a run."""
