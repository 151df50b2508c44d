"""ladder."""
