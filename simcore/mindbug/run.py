"""A run of Mindbug for the runner: what goes into its manifest, its records and its counts."""

from typing import Any

import numpy as np
from attrs import asdict

from card_data import cards_hash, pool_files, pool_hash
from card_data.schema import Modes, Pool
from simcore.mindbug import RULES_VERSION, compile_cards, play_games
from simcore.mindbug.records import GAME_RECORD, Ending
from simcore.runner import RunSpec


def new_run(
    pool: Pool,
    *,
    n_games: int,
    seed: int = 0,
    policies: tuple[str, str] = ("random", "random"),
) -> RunSpec:
    """A run of games 0 … ``n_games`` - 1 of ``seed``, to be played by `simcore.runner.run_games`.

    ``policies[p]`` plays as player p.  The files of the pool are written beside the parts, so that
    `card_data.read_pool` gives the same pool again.  Raises ValueError for fewer than one game and
    a pool that cannot be played; `run_games` raises it for a policy or seed that `play_games`
    refuses.
    """
    card_table = compile_cards(pool.sets, pool.modes)

    def play(first_game: int, out: np.ndarray) -> None:
        play_games(
            card_table,
            n_games=len(out),
            seed=seed,
            first_game=first_game,
            policies=policies,
            out=out,
        )

    return RunSpec(
        game="mindbug",
        rules_version=RULES_VERSION,
        settings={
            "sets": [card_set.set_id for card_set in pool.sets],
            "modes": plain_modes(pool.modes),
            "cards_hash": cards_hash(pool.sets),
            "pool_hash": pool_hash(pool),
            "cards": [card.card_id for card in card_table.cards],
            "power_cards": [card.card_id for card in card_table.power_cards],
            "seed": seed,
            "policies": list(policies),
        },
        n_games=n_games,
        record=GAME_RECORD,
        play=play,
        count=count_games,
        files=pool_files(pool),
    )


def plain_modes(modes: Modes) -> dict[str, Any]:
    """Modes as JSON values; rulings by name."""
    return asdict(modes) | {"rulings": [ruling.name.lower() for ruling in sorted(modes.rulings)]}


def count_games(games: np.ndarray) -> dict[str, int]:
    """Games, draws, capped and looped games among ``games``, shape (n_games,)."""
    return {
        "games": len(games),
        "draws": int((games["winner"] < 0).sum()),
        "capped": int((games["ending"] == Ending.CAPPED).sum()),
        "looped": int((games["ending"] == Ending.LOOPED).sum()),
    }
