"""Factions: a duel of hidden hands, in which each player brings a faction with a deck of its own.

The second player has two cards more.  A turn begins with a card and as much energy as turns one has
had, five at most.  Creatures stay and strike when the turn ends; a foe's guards take a point each.
Who is at 0 has lost.
"""

from fairdeal import Cards, Entries, Game, Kind, Number, Rules, Setting, Whole, Words


class Factions(Rules):
    deck = Cards(40, per_seat=True, seen_by="nobody", of="card")
    hand = Cards(40, per_seat=True, seen_by="owner", of="card")
    field = Cards(40, per_seat=True, marks=("tired",), of="card")
    grave = Cards(40, per_seat=True, of="card")
    life, turn = Number(per_seat=True), Number(per_seat=True)
    energy = Number()

    def start(self):
        for seat in range(self.seats):
            self.life[seat] = self.setup.life
            self.deck[seat].fill(self.setup.of(seat, "faction").cards)
            self.deck[seat].shuffle()
            self.deck[seat].deal(4 + 2 * seat, self.hand[seat])
        self.begin_turn(0)

    def begin_turn(self, seat):
        self.turn[seat] += 1
        self.energy = min(self.turn[seat], 5)
        self.deck[seat].deal(1, self.hand[seat])
        for place in range(len(self.field[seat])):
            self.field[seat].tired[place] = 0
        self.acting = seat

    def options(self, seat):
        yield "end_turn"
        for card in self.hand[seat]:
            if card.cost <= self.energy:
                yield "play", card

    def play(self, seat, card):
        self.energy -= card.cost
        if "burn" in card.words:
            self.hand[seat].move(card, self.grave[seat])
            self.hit(seat, card.strength, card)
        else:
            self.hand[seat].move(card, self.field[seat])
            self.field[seat].tired[-1] = 0 if "quick" in card.words else 1
        if "draw" in card.words:
            self.deck[seat].deal(1, self.hand[seat])

    def hit(self, seat, damage, card):
        if damage > 0:
            self.life[1 - seat] -= damage
            self.note("damage", seat, card, damage)
        if self.life[1 - seat] <= 0:
            self.acting = None

    def end_turn(self, seat):
        guards = sum(1 for card in self.field[1 - seat] if "guard" in card.words)
        for place in range(len(self.field[seat])):
            card = self.field[seat][place]
            if not self.field[seat].tired[place] and self.acting is not None:
                stopped = min(guards, card.strength)
                guards -= stopped
                self.hit(seat, card.strength - stopped, card)
        if self.acting is not None:
            if self.turn[1] == self.setup.turns:
                self.acting = None
            else:
                self.begin_turn(1 - seat)

    def scores(self):
        return list(self.life)

    def standing(self, seat):
        return self.life[seat] + sum(card.strength for card in self.field[seat])


def spend(game, seat, options, rng):
    """Play the dearest card that one can."""
    cards = [option for option in options if option != "end_turn"]
    return max(cards, key=lambda option: option[1].cost) if cards else "end_turn"


GAME = Game(
    name="factions",
    title="Factions",
    version=1,
    rules=Factions,
    kinds=[
        Kind(
            "card",
            "cards",
            {
                "cost": Whole(0, 8),
                "strength": Whole(0, 9, default=0),
                "words": Words(["burn", "draw", "guard", "quick"], default=[]),
            },
            within="faction",
        ),
        Kind("faction", "factions", {"cards": Entries("card")}, each_seat=True),
    ],
    settings=[Setting("life", Whole(1, 99), 15), Setting("turns", Whole(1, 50), 15)],
    players={"spend": spend},
    entries="factions.toml",
)
