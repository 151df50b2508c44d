"""Cards as the command line prints them."""
