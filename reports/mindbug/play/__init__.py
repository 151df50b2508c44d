"""A person plays Mindbug."""
