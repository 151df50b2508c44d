"""Work that can be interrupted and resumed: whatever is played in pieces.

``folder.py`` knows what was asked and what a piece must say of itself, ``lock.py`` lets one command
at a time use a folder, ``tasks.py`` describes what to play so that any process can play it,
``pieces.py`` plays the pieces that are missing, ``progress.py`` counts, and ``runs.py`` with
``parts.py`` plays the most common work, a run.  None of them knows a game.
"""
