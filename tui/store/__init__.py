"""What a run is: its series, segments and milestones."""
