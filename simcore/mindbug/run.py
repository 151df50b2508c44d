"""A run of Mindbug for the runner: what goes into its manifest, its records and its counts."""

from collections.abc import Mapping, Sequence

import numpy as np

from card_data.fingerprint import cards_hash
from card_data.schema import CardSet
from simcore.mindbug import RULES_VERSION, compile_cards, play_games
from simcore.mindbug.records import GAME_RECORD, Ending
from simcore.runner import RunSpec


def new_run(
    sets: Sequence[CardSet],
    *,
    n_games: int,
    seed: int = 0,
    policies: tuple[str, str] = ("random", "random"),
    files: Mapping[str, bytes] | None = None,
) -> RunSpec:
    """A run of games 0 … ``n_games`` - 1 of ``seed``, to be played by `simcore.runner.run_games`.

    ``policies[p]`` plays as player p.  ``files`` (path in the run folder -> contents), such as
    copies of the card files, are written beside the parts.  Raises ValueError for fewer than one
    game and a pool too small; `run_games` raises it for a policy or seed that `play_games` refuses.
    """
    card_table = compile_cards(sets)

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
            "sets": [card_set.set_id for card_set in sets],
            "cards_hash": cards_hash(sets),
            "cards": [card.card_id for card in card_table.cards],
            "seed": seed,
            "policies": list(policies),
        },
        n_games=n_games,
        record=GAME_RECORD,
        play=play,
        count=count_games,
        files=files or {},
    )


def count_games(games: np.ndarray) -> dict[str, int]:
    """Games, draws, capped and looped games among ``games``, shape (n_games,)."""
    return {
        "games": len(games),
        "draws": int((games["winner"] < 0).sum()),
        "capped": int((games["ending"] == Ending.CAPPED).sum()),
        "looped": int((games["ending"] == Ending.LOOPED).sum()),
    }
