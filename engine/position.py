# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""A position: the discs, whose turn it is, and what may be played, for every variation.

Each colour's discs are three words of 21 bits, three LED columns a word, seven bits a column (six cells and a guard,
so that a column's height can be coded in it); no int leaves the chip's 31-bit small ints::

    word 0         word 1         word 2
    col 0  1  2    col 3  4  5    col 6  7  8         bit in the word = 7 * (column % 3) + row
        .  .  .        .  .  .        .  .  .         guards: bits 6, 13, 20
        5 12 19        5 12 19        5 12 19
        ...            ...            ...
        0  7 14        0  7 14        0  7 14

Moves are ints, see engine/moves.py.
"""

from array import array

from engine.moves import COLUMN, LETTERS, POP, move_text
from engine.variation import DIRECTIONS, DRAW, FIRST

_BOTTOM = 1 | 1 << 7 | 1 << 14


def _word(cell):
    return cell // 18


def _bit(cell):
    return 1 << (7 * (cell // 6 % 3) + cell % 6)


class Position:
    """The start of ``variation`` (a Variation); :meth:`play` and :meth:`undo` move on and back.

    ``ply``: moves played. ``to_move``: colour, 0 .. colours - 1. ``seat``: 0 .. seats - 1 (in teams A1 B1 A2 B2).
    ``result``: None while the game is open, else the winner's colour or ``DRAW``. ``moves``: bytearray whose first
    ``ply`` bytes are the moves so far. All buffers are made here; play, undo and is_legal allocate nothing.
    """

    def __init__(self, variation):
        self.variation = variation
        plies = variation.max_plies or variation.capacity
        self.moves = bytearray(plies)
        self._discs = array("i", [0] * (3 * variation.colours))  # words 3 * colour + 0 .. 2
        self._full = array("i", [0] * 3)  # every disc and stone
        self._heights = bytearray(variation.free)
        # One exact code of the position a ply (see _code), for the rule of the third repetition.
        self._codes = array("i", [0] * (3 * (plies + 1))) if variation.max_plies else None
        self._masks = array("i", [0] * (3 * variation.line_count))
        through = [[] for _ in range(54)]
        for i, line in enumerate(variation.lines):
            for cell in line:
                self._masks[3 * i + _word(cell)] |= _bit(cell)
                through[cell].append(i)
        self._through = tuple([bytes(numbers) for numbers in through])  # numbers of the lines through each cell
        self.reset()

    def reset(self):
        """Back to the start of the game."""
        v = self.variation
        for i in range(len(self._discs)):
            self._discs[i] = 0
        for i in range(3):
            self._full[i] = 0
        for i in range(v.free):
            self._heights[i] = 0
        for cell in v.stones:
            self._full[_word(cell)] |= _bit(cell)
            self._heights[cell // 6 - FIRST] += 1
        if v.sides:
            for row in range(6):
                for cell in (row, 48 + row):
                    self._put(cell, v.side_colour(cell))
        self.ply = self.to_move = self.seat = 0
        self.result = None
        self._remember()

    def copy_from(self, other):
        """Take over ``other``'s moves; both must be of the same variation."""
        self.reset()
        for i in range(other.ply):
            self.play(other.moves[i])

    # What is there

    def colour(self, cell):
        """-1 for an empty cell, the disc's colour 0 .. 2, 3 for a stone. ``cell`` 0 .. 53."""
        word, bit = _word(cell), _bit(cell)
        if not self._full[word] & bit:
            return -1
        for colour in range(self.variation.colours):
            if self._discs[3 * colour + word] & bit:
                return colour
        return 3

    def height(self, i):
        """Discs and stones in free column ``i`` (0 .. free - 1)."""
        return self._heights[i]

    def key(self):
        """A tuple of small ints, equal exactly for equal positions with the same side to move."""
        words = [self._code(i) for i in range(3)]
        for colour in range(2, self.variation.colours):
            words.extend(self._discs[3 * colour : 3 * colour + 3])
        words.append(self.to_move)
        return tuple(words)

    def _code(self, word):
        """Red's discs plus the lowest empty bit of each column: one number for all of a word's two-colour fillings."""
        return self._discs[word] + self._full[word] + _BOTTOM

    # What may be played

    def is_legal(self, move):
        """Whether ``move`` may be played now."""
        return self.result is None and self._allowed(move, self.to_move)

    def _allowed(self, move, colour):
        i = move & COLUMN
        v = self.variation
        if move < 0 or move > POP + COLUMN or i >= v.free:
            return False
        if move & POP:
            cell = 6 * (FIRST + i)
            return v.pop and self._discs[3 * colour + _word(cell)] & _bit(cell) != 0
        return self._heights[i] < v.rows

    def legal(self):
        """List of the moves that may be played, drops a .. g first, then pops; empty when the game is over."""
        return [m for m in range(POP + COLUMN) if self.is_legal(m)]

    def why_not(self, move):
        """One line that says why ``move`` may not be played, or an empty text when it may."""
        if self.is_legal(move):
            return ""
        if self.result is not None:
            return "the game is over"
        i = move & COLUMN
        v = self.variation
        if move < 0 or move > POP + COLUMN or i >= v.free:
            return "there is no such column"
        name = LETTERS[i]
        if not move & POP:
            return "column %s is full" % name
        if not v.pop:
            return "%s has no pops" % v.name
        return "there is no disc of your own at the bottom of column %s" % name

    # Playing

    def play(self, move):
        """Play ``move``. Raises ValueError naming the move and why, the position unchanged, when it is illegal."""
        if not self.is_legal(move):
            raise ValueError("%s: %s" % (move_text(move), self.why_not(move)))
        mover = self.to_move
        i = move & COLUMN
        bottom = 6 * (FIRST + i)
        if move & POP:
            self._shift(bottom, False)
            self._heights[i] -= 1
            winner = self._line_after_pop(mover)
        else:
            cell = bottom + self._heights[i]
            self._put(cell, mover)
            self._heights[i] += 1
            winner = mover if self._line_through(cell, mover) else None
        self.moves[self.ply] = move
        self._turn(self.ply + 1)
        self._remember()
        if winner is None:
            winner = DRAW if self._drawn() else None
        elif self.variation.misere and winner != DRAW:
            winner = 1 - winner
        self.result = winner

    def undo(self):
        """Take the last move back and return it. Raises ValueError at the start."""
        if not self.ply:
            raise ValueError("there is no move to take back")
        self._turn(self.ply - 1)
        self.result = None
        move = self.moves[self.ply]
        i = move & COLUMN
        bottom = 6 * (FIRST + i)
        if move & POP:
            self._shift(bottom, True)
            self._put(bottom, self.to_move)
            self._heights[i] += 1
        else:
            self._heights[i] -= 1
            cell = bottom + self._heights[i]
            word, bit = _word(cell), _bit(cell)
            self._discs[3 * self.to_move + word] ^= bit
            self._full[word] ^= bit
        return move

    def _turn(self, ply):
        self.ply = ply
        self.to_move = ply % self.variation.colours
        self.seat = ply % self.variation.seats

    def _put(self, cell, colour):
        word, bit = _word(cell), _bit(cell)
        self._discs[3 * colour + word] |= bit
        self._full[word] |= bit

    def _shift(self, bottom, up):
        """The column above the cell ``bottom`` rises by one, or falls by one and its lowest disc is gone."""
        word, bit = _word(bottom), _bit(bottom)
        column = 127 * bit
        for at in range(-1, self.variation.colours):  # -1: the discs and stones of all
            words = self._full if at < 0 else self._discs
            at = word if at < 0 else 3 * at + word
            w = words[at]
            moved = (w & column) << 1 if up else (w & column & ~bit) >> 1
            words[at] = w & ~column | moved

    # Lines and the end

    def _line_through(self, cell, colour):
        d, masks = self._discs, self._masks
        d0, d1, d2 = d[3 * colour], d[3 * colour + 1], d[3 * colour + 2]
        for i in self._through[cell]:
            i *= 3
            m0, m1, m2 = masks[i], masks[i + 1], masks[i + 2]
            if d0 & m0 == m0 and d1 & m1 == m1 and d2 & m2 == m2:
                return True
        return False

    def _has_line(self, colour):
        d, masks = self._discs, self._masks
        d0, d1, d2 = d[3 * colour], d[3 * colour + 1], d[3 * colour + 2]
        for i in range(0, len(masks), 3):
            m0 = masks[i]
            if d0 & m0 == m0:
                m1, m2 = masks[i + 1], masks[i + 2]
                if d1 & m1 == m1 and d2 & m2 == m2:
                    return True
        return False

    def _line_after_pop(self, mover):
        """Whose line counts after ``mover``'s pop: a colour, DRAW, or None (RULES.md, "Pop in detail")."""
        own, other = self._has_line(mover), self._has_line(1 - mover)
        if own and other:
            both = self.variation.pop_both
            return mover if both == "mover" else 1 - mover if both == "other" else DRAW
        return mover if own else 1 - mover if other else None

    def _drawn(self):
        """Whether the game ends here without a line: nothing to play, the last ply, or the third repetition."""
        v = self.variation
        if v.max_plies and (self.ply >= v.max_plies or self._repetitions() >= 3):
            return True
        for move in range(POP + COLUMN):
            if self._allowed(move, self.to_move):
                return False
        return True

    def _remember(self):
        if self._codes is not None:
            for i in range(3):
                self._codes[3 * self.ply + i] = self._code(i)

    def _repetitions(self):
        """How often this position has stood with the same side to move, this time included."""
        codes = self._codes
        at = 3 * self.ply
        w0, w1, w2 = codes[at], codes[at + 1], codes[at + 2]
        count = 1
        for i in range(at - 6, -1, -6):  # the same side to move every second ply
            if codes[i] == w0 and codes[i + 1] == w1 and codes[i + 2] == w2:
                count += 1
        return count

    def winning_lines(self):
        """List of the winner's lines (in misere: of the line that lost), each a tuple of all its cells in a row,
        at least ``need``, from left to right and upwards; empty when no line ended the game."""
        v = self.variation
        if self.result is None or self.result == DRAW:
            return []
        colour = 1 - self.result if v.misere else self.result
        found = []
        for step in DIRECTIONS:
            back = (-step[0], -step[1])
            for column in range(v.left, v.left + v.width):
                for row in range(v.rows):
                    start = 6 * column + row
                    if self.colour(start) != colour:
                        continue
                    before = v.neighbour(column, row, back)
                    # A run begins where nothing of its colour stands before it; a full ring, at the left edge.
                    if before >= 0 and self.colour(before) == colour and not (column == v.left and self._ring(start)):
                        continue
                    run = [start]
                    cell = v.neighbour(column, row, step)
                    while cell >= 0 and cell != start and self.colour(cell) == colour:
                        run.append(cell)
                        cell = v.neighbour(cell // 6, cell % 6, step)
                    if len(run) >= v.need:
                        found.append(tuple(run))
        return found

    def _ring(self, start):
        """Whether the whole row of ``start`` is one colour on joined edges."""
        v = self.variation
        if not v.wrap:
            return False
        row = start % 6
        colour = self.colour(start)
        for column in range(v.left, v.left + v.width):
            if self.colour(6 * column + row) != colour:
                return False
        return True
