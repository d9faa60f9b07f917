"""Who is told when nobody looks: the terminal, tmux, and a command of the user's."""
