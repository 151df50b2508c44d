"""Fit the network that judges positions anew to games of the weights that come with fairdeal.

``make positions`` writes `simcore/mice_and_mystics/players/learned.toml`; all but the weights of
positions stay as they are.
"""

from pathlib import Path

from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.settings import Settings
from reports.mice_and_mystics.training import _POSITIONS
from simcore.mice_and_mystics.play.training import fit_positions, worlds_of
from simcore.mice_and_mystics.players.weights import own_weights, write_weights
from simcore.mice_and_mystics.table.compile_facts import compile_facts

_FILE = Path("simcore/mice_and_mystics/players/learned.toml")
_HEADING = """Weights learned by
  fairdeal train ch1_flight_to_barksburg standin_four_rooms --start learned --spread 0.2
  --generations 45 --population 24 --games 500 --seed 2
from those of a first training of 200 generations of 32 candidates, each in 2,000 games; those of
positions by
  make positions"""


def main() -> None:
    """Fit them, and write the file."""
    facts = load_facts()
    chapters = [
        Settings(chapter=name) for name in ("ch1_flight_to_barksburg", "standin_four_rooms")
    ]
    tables = [compile_facts(facts, world) for world in worlds_of(facts, chapters)]
    weights = fit_positions(tables, own_weights(), n_games=_POSITIONS, seed=2)
    write_weights(weights, _FILE, heading=_HEADING)


if __name__ == "__main__":
    main()
