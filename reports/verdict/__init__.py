"""What every verdict says and shows, whatever it is about."""
