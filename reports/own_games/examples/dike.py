"""Dike: two to four people hold three dikes against a deck of storms; all win or lose together.

On a turn one uses a tool on a dike and takes another, then a storm raises the water somewhere.  The
game is lost as soon as water stands higher than its dike, and won when all storms are over.
"""

from fairdeal import Cards, Choice, Flag, Game, Kind, Number, Rules, Score, Setting, Whole, Words

DIKES = ["north", "south", "west"]


class Dike(Rules):
    storms = Cards(60, seen_by="nobody", of="storm")
    past = Cards(60, of="storm")
    tools = Cards(60, seen_by="nobody", of="tool")
    hand = Cards(10, per_seat=True, seen_by="owner", of="tool")
    used = Cards(60, of="tool")
    height, water = Number(per=DIKES), Number(per=DIKES)
    lost = Flag()

    def start(self):
        for dike in DIKES:
            self.height[dike] = self.setup.height
        self.storms.fill(self.setup.deck("storm"))
        self.storms.shuffle()
        self.tools.fill(self.setup.deck("tool"))
        self.tools.shuffle()
        for seat in range(self.seats):
            self.tools.deal(self.setup.hand, self.hand[seat])
        self.acting = 0

    def options(self, seat):
        if not self.hand[seat]:
            yield "wait"
        for tool in self.hand[seat]:
            for dike in DIKES:
                yield "use", tool, dike

    def wait(self, seat):
        self.storm(seat)

    def use(self, seat, tool, dike):
        self.hand[seat].move(tool, self.used)
        if "pump" in tool.words:
            self.water[dike] = max(0, self.water[dike] - tool.strength)
        else:
            self.height[dike] += tool.strength
        if "wide" in tool.words:
            for other in DIKES:
                self.height[other] += 1
        self.tools.deal(1, self.hand[seat])
        self.storm(seat)

    def storm(self, seat):
        storm = self.storms.move_at(-1, self.past)
        self.water[storm.dike] += storm.rise
        self.lost = self.water[storm.dike] > self.height[storm.dike]
        self.acting = None if self.lost or not self.storms else (seat + 1) % self.seats

    def scores(self):
        return [0 if self.lost else 1 for seat in range(self.seats)]

    def standing(self, seat):
        safe = min(self.height[dike] - self.water[dike] for dike in DIKES)
        return min(1, max(0, safe) / 10)


GAME = Game(
    name="dike",
    title="Dike",
    version=1,
    rules=Dike,
    seats=[3, 2, 4],
    teams="together",
    outcome=Score(0, 1),
    kinds=[
        Kind(
            "tool",
            "tools",
            {"strength": Whole(0, 9), "words": Words(["pump", "wide"], default=[])},
            copies=3,
        ),
        Kind("storm", "storms", {"dike": Choice(DIKES), "rise": Whole(0, 9)}, copies=2),
    ],
    settings=[Setting("height", Whole(0, 20), 5), Setting("hand", Whole(1, 5), 3)],
    entries="dike.toml",
)
