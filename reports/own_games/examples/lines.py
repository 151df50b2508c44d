"""Lines: two players take the squares of a board in turn; three in a row win.

Nothing is hidden and nothing is luck, so search can be perfect.
"""

from fairdeal import Game, Kind, Number, Rules, Setting, Whole

WAYS = [(0, 1), (1, 0), (1, 1), (1, -1)]


class Lines(Rules):
    owner = Number(per="square")  # 0 for nobody, else the seat and 1
    taken = Number()
    winner = Number(default=-1)

    def start(self):
        self.acting = 0

    def options(self, seat):
        for square in self.setup.entries("square"):
            if self.owner[square] == 0:
                yield "take", square

    def take(self, seat, square):
        self.owner[square] = seat + 1
        self.taken += 1
        for rows, columns in WAYS:
            length = 1 + self.reach(square, rows, columns) + self.reach(square, -rows, -columns)
            if length >= self.setup.length:
                self.winner = seat
        over = self.winner >= 0 or self.taken == len(self.setup.entries("square"))
        self.acting = None if over else 1 - seat

    def reach(self, square, rows, columns):
        """How many squares of the same owner lie beside this one, in a direction."""
        length, row, column = 0, square.row + rows, square.column + columns
        while self.owned(row, column) == self.owner[square]:
            length += 1
            row += rows
            column += columns
        return length

    def owned(self, row, column):
        for square in self.setup.entries("square"):
            if square.row == row and square.column == column:
                return self.owner[square]
        return 0

    def scores(self):
        return [1 if self.winner == seat else 0 for seat in range(self.seats)]


GAME = Game(
    name="lines",
    title="Lines",
    version=1,
    rules=Lines,
    kinds=[
        Kind(
            "square",
            "squares",
            {"row": Whole(0, 9), "column": Whole(0, 9)},
            fixed=("row", "column"),  # its place is not a number to change
        )
    ],
    settings=[Setting("length", Whole(2, 5), 3)],
    entries="lines.toml",
)
