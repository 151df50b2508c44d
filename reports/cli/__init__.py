"""The command line: what all games share, one module a command, options, how it speaks."""
