"""Harvest, a game of three farmers who bid for lots, as somebody would bring it.

Each farmer has the tokens 1 … R and puts one of them, hidden, on each of R lots in turn.  The
highest token that nobody else put takes the lot; if there is none, nobody does.  Who has lots worth
most is first; who are level share their places.
"""

from fairdeal import Cards, Game, Kind, Number, Rules, Setting, Whole

MOST = 6


class Harvest(Rules):
    """The rules."""

    stack = Cards(24, seen_by="nobody")
    lots = Cards(MOST)
    sold = Cards(MOST)
    token = Number(per_seat=True, shape=MOST + 1)
    put = Number(per_seat=True)
    worth = Number(per_seat=True)

    def start(self):
        self.stack.fill(self.setup.deck("lot"))
        self.stack.shuffle()
        self.stack.deal(self.setup.rounds, self.lots)
        for seat in range(self.seats):
            for token in range(1, self.setup.rounds + 1):
                self.token[seat][token] = 1
        self.acting = range(self.seats)

    def options(self, seat):
        for token in range(1, self.setup.rounds + 1):
            if self.token[seat][token]:
                yield "bid", token

    def bid(self, seat, token):
        self.token[seat][token] = 0
        self.put[seat] = token

    def all_chosen(self):
        lot = self.lots.move_at(0, self.sold)
        alone = [token for token in self.put if self.put.count(token) == 1]
        if alone:
            winner = self.put.index(max(alone))
            self.worth[winner] += lot.worth
            self.note("won", winner, lot)
        self.acting = range(self.seats) if self.lots else None

    def scores(self):
        return list(self.worth)


def careful(game, seat, options, rng):
    """Bid high for a lot that is worth much among all lots."""
    lots = sorted(game.setup.entries("lot"), key=lambda lot: lot.worth)
    return options[lots.index(game.lots[0]) * len(options) // len(lots)]


def bold(game, seat, options, rng):
    """Bid the highest token."""
    return options[-1]


GAME = Game(
    name="harvest",
    title="Harvest",
    version=1,
    rules=Harvest,
    seats=[3],
    outcome="rank",
    kinds=[Kind("lot", "lots", {"worth": Whole(-9, 9)})],
    settings=[Setting("rounds", Whole(3, MOST), 5)],
    players={"careful": careful, "bold": bold},
    entries="village.toml",
)
