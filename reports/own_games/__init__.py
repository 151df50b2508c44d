"""Games that people bring, on the command line and in pages: the same for each of them."""
