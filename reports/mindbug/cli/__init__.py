"""The commands of Mindbug."""
