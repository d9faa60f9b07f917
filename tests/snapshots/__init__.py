"""The screen of a replayed run at a frozen moment, kept as text in six sizes."""
