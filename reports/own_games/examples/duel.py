"""Duel: two players, a hand of cards each; whoever is the first without life has lost.

This is a whole game. Change a rule or a card, and ask again what is fair.
"""

from fairdeal import Cards, Game, Kind, Number, Rules, Setting, Whole, Words


class Duel(Rules):
    # The state: each player has a hand that only its owner sees, and life. All share a deck.
    deck = Cards(60, seen_by="nobody")
    hand = Cards(20, per_seat=True, seen_by="owner")
    played = Cards(60)
    life, shield = Number(per_seat=True), Number(per_seat=True)

    def start(self):
        self.deck.fill(self.setup.deck("card"))
        self.deck.shuffle()
        for seat in range(self.seats):
            self.life[seat] = self.setup.life
            self.deck.deal(self.setup.hand, self.hand[seat])
        self.acting = 0  # seats are counted from 0; this one chooses first

    def options(self, seat):
        if self.deck or not self.hand[seat]:  # there is always something to choose
            yield "draw"
        for card in self.hand[seat]:
            yield "play", card

    # Each option is carried out by the method of its first word.
    def draw(self, seat):
        self.deck.deal(2, self.hand[seat])
        self.next_turn(seat)

    def play(self, seat, card):
        foe = 1 - seat
        self.hand[seat].move(card, self.played)
        if "shield" in card.words:
            self.shield[seat] += card.strength
        else:
            blocked = 0 if "pierce" in card.words else min(self.shield[foe], card.strength)
            self.shield[foe] -= blocked
            self.life[foe] -= card.strength - blocked
        if "quick" in card.words:
            self.deck.deal(1, self.hand[seat])
        self.next_turn(seat)

    def next_turn(self, seat):
        foe = 1 - seat
        over = self.life[foe] <= 0 or not (self.deck or self.hand[0] or self.hand[1])
        self.acting = None if over else foe

    # When acting is None the game is over, and whoever has most has won.
    def scores(self):
        return list(self.life)

    # How well a seat stands before the end: players that look ahead use it.
    def standing(self, seat):
        return self.life[seat] + self.shield[seat] + len(self.hand[seat])


GAME = Game(
    name="duel",
    title="Duel",
    version=1,
    rules=Duel,
    kinds=[
        Kind(
            "card",
            "cards",
            {
                "strength": Whole(0, 9),
                "words": Words(["pierce", "quick", "shield"], default=[]),
            },
            copies=2,
        )
    ],
    settings=[Setting("life", Whole(1, 99), 12), Setting("hand", Whole(1, 10), 5)],
    entries="duel.toml",
)
