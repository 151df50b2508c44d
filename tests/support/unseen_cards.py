"""How well a network plays cards that it has never seen: `make unseen`.

A network is trained with two thirds of the cards of every set, every third one left out, and with
the same numbers as that of ``expert``.  Then both play the whole sets: at once, and after the
lesson that commands give a network before it plays with cards that are new to it.
"""

import sys
from pathlib import Path
from time import process_time

from attrs import evolve

from analysis.estimates import estimate_share
from card_data.mindbug import load_pool
from card_data.mindbug.schema import CardSet, Pool
from simcore.mindbug import compile_cards
from simcore.mindbug.play.network_training import NetworkTraining, score_network, train_network
from simcore.mindbug.players.network_files import Network, write_network

SETS = (
    *("first_contact", "new_servants", "beyond_evolution", "beyond_eternity"),
    *("king_of_tokyo", "promos"),
)
_ONE_IN, _GAMES = 3, 20_000


def thinned(whole: CardSet) -> CardSet:
    """A set without every third card; later stages go with the card that they belong to.

    What is left has more copies of each card, so that the pool is large enough to deal from.
    """
    dealt = [card for card in whole.cards if card.copies]
    left_out = {card.card_id for card in dealt[::_ONE_IN]}
    stages = {card.card_id: card for card in whole.cards}
    for first in [*left_out]:
        following = stages[first].evolves_to
        while following is not None:
            left_out.add(following)
            following = stages[following].evolves_to
    kept = (card for card in whole.cards if card.card_id not in left_out)
    return evolve(whole, cards=tuple(evolve(card, copies=2 * card.copies) for card in kept))


def main() -> None:
    """Train, play, and print a row of a table for each pool."""
    folder, generations = Path(sys.argv[1]), int(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    pools = [*(load_pool([name]) for name in SETS), load_pool(SETS)]
    fewer = [Pool(tuple(map(thinned, pool.sets)), pool.modes) for pool in pools]
    training = NetworkTraining(None, generations=generations, seed=1)
    network = train_network(fewer, training, folder=folder, curve=folder / "curve.csv")
    write_network(network, folder / "network.npz")
    print("| whole pool | games won against `expert` at once, in % | after a lesson | seconds |")
    print("|---|---|---|---|")
    names = (*SETS, "all sets")
    for name, pool in zip(names, pools, strict=True):
        began, lesson = process_time(), folder / name
        lesson.mkdir(exist_ok=True)
        teaching = NetworkTraining.teaching(network, [pool])
        taught = train_network([pool], teaching, folder=lesson, curve=lesson / "curve.csv")
        seconds = process_time() - began
        told = " | ".join(_share(pool, one) for one in (network, taught))
        print(f"| {name} | {told} | {seconds:.0f} |", flush=True)


def _share(pool: Pool, network: Network) -> str:
    """Share of games that a network wins against the player it should equal, and its interval."""
    tables = [compile_cards(pool)]
    share = score_network(tables, network, "expert", n_games=_GAMES, seed=2)
    wins = estimate_share(share * _GAMES, _GAMES)
    return f"{share:.1%} ({wins.ci_low:.1%} to {wins.ci_high:.1%})"


if __name__ == "__main__":
    main()
