# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The rules once more, written to be plainly right and nothing else: columns as lists, lines found by walking.

It shares no code and no numbering with ``engine``; tests hold the two against each other. A cell is (column, row)
with column 0 the leftmost column of the variation's own grid.
"""

VARIATIONS = {
    # name: (free columns, rows, line, side columns, wrap, misere, colours, seats)
    "five": (7, 6, 5, True, False, False, 2, 2),
    "classic": (7, 6, 4, False, False, False, 2, 2),
    "popout": (7, 6, 4, False, False, False, 2, 2),
    "small": (6, 5, 4, False, False, False, 2, 2),
    "misere": (7, 6, 4, False, False, True, 2, 2),
    "cylinder": (7, 6, 4, False, True, False, 2, 2),
    "obstacles": (7, 6, 4, False, False, False, 2, 2),
    "random": (7, 6, 4, False, False, False, 2, 2),
    "three": (7, 6, 4, False, False, False, 3, 3),
    "teams": (7, 6, 4, False, False, False, 2, 4),
    "pop10": (7, 6, 4, False, False, False, 2, 2),
    "powerup": (7, 6, 4, False, False, False, 2, 2),
}


WINDOWS = {}  # by shape: every window of a line's length, found once by walking, as numbers of places in a picture


def windows_of(columns, rows, need, wrap):
    """Every window of ``need`` cells on such a grid, each a list of (column, row), found by walking from each cell."""
    found = []
    for column in range(columns):
        for row in range(rows):
            for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(column + k * dc, row + k * dr) for k in range(need)]
                if wrap:
                    cells = [(c % columns, r) for c, r in cells]
                if all(0 <= c < columns and 0 <= r < rows for c, r in cells):
                    found.append(cells)
    return found


class Naive:
    def __init__(self, name, pop=False, stones=(), pop_both="mover", mirror=False):
        self.free, self.rows, self.need, sides, self.wrap, self.misere, self.colours, self.seats = VARIATIONS[name]
        self.pop = pop or name == "popout"
        self.pop_both = pop_both
        self.offset = 1 if sides else 0
        self.columns = [[] for _ in range(self.free)]
        if sides:
            left = ["Y" if (r + mirror) % 2 else "R" for r in range(6)]
            right = ["R" if (r + mirror) % 2 else "Y" for r in range(6)]
            self.columns = [left] + self.columns + [right]
        for column, _row in stones:
            self.columns[column].append("#")
        shape = (len(self.columns), self.rows, self.need, self.wrap)
        if shape not in WINDOWS:
            cells = windows_of(*shape)
            WINDOWS[shape] = (cells, [[c * self.rows + r for c, r in window] for window in cells])
        self.windows, self.places = WINDOWS[shape]
        self.turn = 0
        self.result = None  # "R", "Y", "G", "draw"
        self.seen = [self.picture()]

    def colour(self):
        return "RYG"[self.turn % self.colours]

    def picture(self):
        """The grid as text, column after column from below, and who is to move."""
        return "".join(["".join(stack).ljust(self.rows, ".") for stack in self.columns]) + self.colour()

    def moves(self):
        if self.result:
            return []
        found = [(i, False) for i in range(self.free) if len(self.columns[i + self.offset]) < self.rows]
        if self.pop:
            found += [(i, True) for i in range(self.free) if self.columns[i + self.offset][:1] == [self.colour()]]
        return found

    def lines(self, colour):
        """Every window that is all ``colour``."""
        picture = self.picture()
        found = []
        for number, window in enumerate(self.places):
            for place in window:
                if picture[place] != colour:
                    break
            else:
                found.append(tuple(self.windows[number]))
        return found

    def play(self, move):
        column, is_pop = move
        assert move in self.moves()
        mover, stack = self.colour(), self.columns[column + self.offset]
        if is_pop:
            stack.pop(0)
        else:
            stack.append(mover)
        self.turn += 1
        self.seen.append(self.picture())
        with_line = [c for c in "RYG"[: self.colours] if self.lines(c)]
        if len(with_line) == 2:
            other = [c for c in with_line if c != mover][0]
            self.result = {"mover": mover, "other": other, "draw": "draw"}[self.pop_both]
        elif with_line:
            self.result = with_line[0]
        elif self.pop and (self.turn == 200 or self.seen.count(self.picture()) >= 3) or not self.moves():
            self.result = "draw"
        if self.misere and self.result in ("R", "Y"):
            self.result = "Y" if self.result == "R" else "R"


class NaivePopTen(Naive):
    """Pop 10. ``filling``: the seven columns from below, as letters R and Y."""

    def __init__(self, filling):
        super().__init__("pop10")
        self.columns = [list(column) for column in filling]
        self.kept = {"R": 0, "Y": 0}
        self.hand = None  # the column that a disc came out of, while it is in hand
        self.count = 0

    def own_bottoms(self, colour):
        return [(i, True) for i in range(7) if self.columns[i][:1] == [colour]]

    def moves(self):
        if self.result:
            return []
        if self.hand is None:
            return self.own_bottoms(self.colour())
        room = [i for i in range(7) if len(self.columns[i]) < 6]
        others = [i for i in room if i != self.hand]
        return [(i, False) for i in others or room]

    def play(self, move):
        assert move in self.moves()
        column, is_pop = move
        mover = self.colour()
        other = "Y" if mover == "R" else "R"
        self.count += 1
        if is_pop:
            in_line = any((column, 0) in window for window in self.lines(mover))
            self.columns[column].pop(0)
            if in_line:
                self.kept[mover] += 1
                if self.kept[mover] == 10:
                    self.result = mover
                elif not self.own_bottoms(mover):
                    self.turn += 1
            else:
                self.hand = column
        else:
            self.columns[column].append(mover)
            self.hand = None
            if self.own_bottoms(other):
                self.turn += 1
        nobody = self.hand is None and not self.own_bottoms("R") and not self.own_bottoms("Y")
        if not self.result and (nobody or self.count == 200):
            more = self.kept["R"] - self.kept["Y"]
            self.result = "draw" if not more else "R" if more > 0 else "Y"


class NaivePowerUp(Naive):
    """Power Up. A move is (column, kind) with kind "drop", "anvil", "bomb", "wall" or "x2"."""

    KINDS = ("drop", "anvil", "bomb", "wall", "x2")

    def __init__(self):
        super().__init__("powerup")
        self.left = {c: set(self.KINDS[1:]) for c in "RY"}
        self.second = None

    def would_win(self, column):
        self.columns[column].append(self.colour())
        wins = bool(self.lines(self.colour()))
        self.columns[column].pop()
        return wins

    def moves(self):
        if self.result:
            return []
        room = [i for i in range(7) if len(self.columns[i]) < 6]
        if self.second == "wall":
            return [(i, "drop") for i in room if not self.would_win(i)]
        found = [(i, "drop") for i in room]
        if self.second:
            return found
        own, other = self.colour(), "Y" if self.colour() == "R" else "R"
        places = {
            "anvil": [i for i in room if self.columns[i]],
            "bomb": [i for i in range(7) if self.columns[i][:1] == [other]],
            "wall": room,
            "x2": room,
        }
        for kind in self.KINDS[1:]:
            if kind in self.left[own]:
                found += [(i, kind) for i in places[kind]]
        return found

    def play(self, move):
        assert move in self.moves()
        column, kind = move
        mover = self.colour()
        other = "Y" if mover == "R" else "R"
        self.left[mover].discard(kind)
        if kind == "bomb":
            self.columns[column].pop(0)
        elif kind == "anvil":
            self.columns[column] = [mover]
        else:
            self.columns[column].append(mover)
        if self.lines(mover):
            self.result = mover
        elif self.lines(other):
            self.result = other
        self.second = None
        if kind in ("wall", "x2"):
            self.second = kind
            result, self.result = self.result, None
            if not self.moves():
                self.second = None
            self.result = result
        if self.second is None:
            self.turn += 1
        if not self.result and not self.moves():
            self.result = "draw"
