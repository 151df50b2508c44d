"""sensitivity."""
