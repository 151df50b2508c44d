"""Games that people bring in the studio."""
