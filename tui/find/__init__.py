"""What there is to watch on a machine: its containers, and the files in them that are training logs."""
