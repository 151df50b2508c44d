"""A second game, for tests of the doors that all games share: three farmers bid for lots.

Each farmer has the tokens 1 … R and puts one of them, hidden, on each of R lots in turn.  The
highest token that nobody else put takes the lot; if there is none, nobody does.  Who has lots worth
most is first.  A first place scores 4, a second 2 and a third 0; who are level share.

It differs from Mindbug wherever shared code could have taken Mindbug for granted: seats, outcomes,
records, files, players, random numbers, options.
"""
