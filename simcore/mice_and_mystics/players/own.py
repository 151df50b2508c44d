"""The functions of a person's own that play in this process (``face/own_players.py``)."""

from simcore.own_seats import OwnSeats

OWN_SEATS = OwnSeats()
