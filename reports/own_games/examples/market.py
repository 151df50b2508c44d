"""Market: two traders build their decks from ten cards for sale, drawn from twenty for each game.

A turn: play all five cards, draw as many more as they say, buy with their coins, put everything
away.  After twelve turns each the deck with more points wins.
"""

from fairdeal import Cards, Game, Kind, Number, Rules, Setting, Whole


class Market(Rules):
    deck = Cards(60, per_seat=True, seen_by="nobody")
    hand = Cards(30, per_seat=True, seen_by="owner")
    away = Cards(60, per_seat=True)
    pile = Number(per="card")
    coins, buys = Number(), Number()
    turn = Number(per_seat=True)

    def start(self):
        for card in self.setup.entries("card"):
            self.pile[card] = self.setup.copies
        for seat in range(self.seats):
            self.deck[seat].fill(self.setup.deck("basic"))
            self.deck[seat].shuffle()
        self.begin_turn(0)

    def begin_turn(self, seat):
        self.turn[seat] += 1
        self.draw(seat, 5)
        seen = 0
        while seen < len(self.hand[seat]):
            self.draw(seat, self.hand[seat][seen].draws)
            seen += 1
        self.coins = sum(card.coins for card in self.hand[seat])
        self.buys = 2
        self.acting = seat

    def draw(self, seat, n):
        for _ in range(n):
            if not self.deck[seat]:
                self.away[seat].move_all(self.deck[seat])
                self.deck[seat].shuffle()
            self.deck[seat].deal(1, self.hand[seat])

    def options(self, seat):
        yield "end_turn"
        if self.buys:
            for card in self.setup.entries("card"):
                if card.cost <= self.coins and self.pile[card]:
                    yield "buy", card

    def buy(self, seat, card):
        self.coins -= card.cost
        self.buys -= 1
        self.pile[card] -= 1
        self.away[seat].add(card)

    def end_turn(self, seat):
        self.hand[seat].move_all(self.away[seat])
        if self.turn[1] == self.setup.turns:
            self.acting = None
        else:
            self.begin_turn(1 - seat)

    def scores(self):
        return [self.standing(seat) for seat in range(self.seats)]

    def standing(self, seat):
        zones = self.deck[seat], self.hand[seat], self.away[seat]
        return sum(card.points for zone in zones for card in zone)


def dearest(game, seat, options, rng):
    """Buy the dearest card, and points at the end."""
    cards = [option for option in options if option != "end_turn"]
    late = game.turn[seat] > game.setup.turns - 4

    def value(option):
        return option[1].points if late else option[1].cost

    return max(cards, key=value) if cards else "end_turn"


NUMBERS = {"coins": Whole(0, 9, default=0), "points": Whole(-9, 9, default=0)}

GAME = Game(
    name="market",
    title="Market",
    version=1,
    rules=Market,
    kinds=[
        Kind(
            "card",
            "cards",
            {"cost": Whole(0, 12), **NUMBERS, "draws": Whole(0, 3, default=0)},
            by_lot=10,
        ),
        Kind(
            "basic",
            "basics",
            {**NUMBERS, "draws": Whole(0, 3, default=0), "copies": Whole(1, 10)},
            copies="copies",
        ),
    ],
    settings=[Setting("turns", Whole(1, 40), 12), Setting("copies", Whole(1, 20), 6)],
    players={"dearest": dearest},
    entries="market.toml",
)
