"""Race: two to four runners roll one of several dice, as often as they dare.

What a die shows is added to the steps of this turn.  A low number loses them, and the turn ends.
Who stops keeps the steps; whoever is the first at the goal wins.
"""

from fairdeal import Game, Kind, Number, Rules, Setting, Whole


class Race(Rules):
    steps = Number(per_seat=True)
    risked = Number()

    def start(self):
        self.acting = 0

    def options(self, seat):
        if self.risked:
            yield "stop"
        for die in self.setup.entries("die"):
            yield "roll", die

    def roll(self, seat, die):
        number = self.rng.roll(die.sides, "die", seat)
        if number <= die.low:
            self.risked = 0
            self.note("lost", seat, die)
            self.acting = (seat + 1) % self.seats
        else:
            self.risked += number + die.more
            if self.steps[seat] + self.risked >= self.setup.goal:
                self.stop(seat)

    def stop(self, seat):
        self.steps[seat] += self.risked
        self.risked = 0
        over = self.steps[seat] >= self.setup.goal
        self.acting = None if over else (seat + 1) % self.seats

    def scores(self):
        return list(self.steps)

    def standing(self, seat):
        return self.steps[seat] + (self.risked if self.acting == seat else 0)


def careful(game, seat, options, rng):
    """Roll the first die until ten steps are at risk."""
    return "stop" if game.risked >= 10 else options[-len(game.setup.entries("die"))]


GAME = Game(
    name="race",
    title="Race",
    version=1,
    rules=Race,
    seats=[3, 2, 4],
    kinds=[
        Kind(
            "die",
            "dice",
            {
                "sides": Whole(2, 20, default=6),
                "low": Whole(1, 3, default=1, meaning="numbers up to this one lose the turn"),
                "more": Whole(0, 9, default=0, meaning="steps beside the number"),
            },
        )
    ],
    settings=[Setting("goal", Whole(10, 200), 50)],
    players={"careful": careful},
    entries="race.toml",
)
