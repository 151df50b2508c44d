"""A race by coins on the contract, whose chances `support.planted_stories` has by formula."""

from fairdeal import Game, Number, Rules


class Race(Rules):
    """Whoever gets to a number of steps first; one seat throws all coins, whatever it says."""

    at = Number(per_seat=True)

    def start(self):
        self.acting = 0

    def options(self, seat):
        yield "heads"
        yield "tails"

    def heads(self, seat):
        self.throw()

    def tails(self, seat):
        self.throw()

    def throw(self):
        who = self.rng.roll(2, "coin") - 1
        self.at[who] += 1
        if self.at[who] == GOAL:
            self.acting = None

    def scores(self):
        return [self.at[0], self.at[1]]


GOAL = 6
GAME = Game(name="coin_race", title="Coin race", version=1, rules=Race, seats=(2,))
