"""Players: who picks which of the options."""
