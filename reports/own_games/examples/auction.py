"""Auction: three collectors bid for six lots, all at once and sealed.

Each has 15 coins.  The highest bid pays and takes the lot; if two are level nobody does.  A lot
scores its worth, and the third of a colour scores 5 more.
"""

from fairdeal import Cards, Choice, Game, Kind, Number, Rules, Setting, Whole

COLOURS = ["red", "green", "blue"]


class Auction(Rules):
    sale = Cards(12, seen_by="nobody")
    block = Cards(1)
    owned = Cards(12, per_seat=True)
    unsold = Cards(12)
    coins = Number(per_seat=True, low=0)
    sealed = Number(per_seat=True)

    def start(self):
        self.sale.fill(self.setup.deck("lot"))
        self.sale.shuffle()
        for seat in range(self.seats):
            self.coins[seat] = self.setup.coins
        self.next_lot()

    def next_lot(self):
        self.acting = range(self.seats) if self.sale.deal(1, self.block) else None

    def options(self, seat):
        for coins in range(min(self.coins[seat], self.setup.most) + 1):
            yield "bid", coins

    def bid(self, seat, coins):
        self.sealed[seat] = coins

    def all_chosen(self):
        best = max(self.sealed)
        if best and self.sealed.count(best) == 1:
            winner = self.sealed.index(best)
            self.coins[winner] -= best
            lot = self.block.move_at(0, self.owned[winner])
            self.note("won", winner, lot)
            self.note("paid", winner, lot, best)
        else:
            self.block.move_all(self.unsold)
        self.next_lot()

    def scores(self):
        return [self.worth(self.owned[seat]) for seat in range(self.seats)]

    def worth(self, lots):
        total = sum(lot.worth for lot in lots)
        for colour in COLOURS:
            total += 5 * (sum(1 for lot in lots if lot.colour == colour) // 3)
        return total


def fair_price(game, seat, options, rng):
    """Bid about half of what the lot is worth."""
    wanted = game.block[0].worth // 2 + rng.below(3, "bluff", seat)
    return options[min(wanted, len(options) - 1)]


GAME = Game(
    name="auction",
    title="Auction",
    version=1,
    rules=Auction,
    seats=[3, 2, 4],
    outcome="rank",
    kinds=[Kind("lot", "lots", {"worth": Whole(1, 20), "colour": Choice(COLOURS)}, by_lot=6)],
    settings=[Setting("coins", Whole(1, 60), 15), Setting("most", Whole(1, 60), 9)],
    players={"fair_price": fair_price},
    entries="auction.toml",
)
