"""What the cards are: a room for each game, and what all of them need.

Faults with their places, files that are kept, workbooks.
"""
