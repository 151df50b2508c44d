"""Games of people beside games of the program: what `fairdeal playtests` says and shows."""
