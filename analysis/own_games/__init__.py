"""What is counted of runs of games that people bring, the same for each of them."""
