# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""A position: the discs, whose turn it is, and what may be played, for every variation."""

# Each colour's discs are three words of 21 bits, three LED columns a word, seven bits a column (six cells and a guard,
# so that a column's height can be coded in it); no int leaves the chip's 31-bit small ints::
#
#     word 0         word 1         word 2
#     col 0  1  2    col 3  4  5    col 6  7  8         bit in the word = 7 * (column % 3) + row
#         .  .  .        .  .  .        .  .  .         guards: bits 6, 13, 20
#         5 12 19        5 12 19        5 12 19
#         ...            ...            ...
#         0  7 14        0  7 14        0  7 14
#
# Moves are ints, see engine/moves.py.

from array import array

from engine.moves import COLUMN, POP, move_text
from engine.variation import DRAW, FIRST

_BOTTOM = 1 | 1 << 7 | 1 << 14


def _word(cell):
    return cell // 18


def _bit(cell):
    return 1 << (7 * (cell // 6 % 3) + cell % 6)


class Position:
    repeats = True  # the third repetition of a position is a draw, where there are pops

    def __init__(self, variation):
        """The start of ``variation`` (a Variation); :meth:`play` and :meth:`undo` move on and back.

        ``ply``: moves played. ``to_move``: colour, 0 .. colours - 1. ``seat``: 0 .. seats - 1 (in teams A1 B1 A2 B2).
        ``result``: None while the game is open, else the winner's colour or ``DRAW``. ``moves``: bytearray whose first
        ``ply`` bytes are the moves so far. ``words``: where discs are popped three words of each position so far (see
        _code), else None. All buffers are made here; play, undo and is_legal allocate nothing. Made by
        :func:`new_position`, which knows the variations that need more (engine/extras.py).
        """
        self.variation = variation
        plies = variation.max_plies or variation.capacity + 16  # 16: powers clear cells that are filled again
        self.moves = bytearray(plies)
        self._discs = array("i", [0] * (3 * variation.colours))  # words 3 * colour + 0 .. 2
        self._full = array("i", [0] * 3)  # every disc and stone
        self._stones = array("i", [0] * 3)
        for cell in variation.stones:
            self._stones[_word(cell)] |= _bit(cell)
        self._heights = bytearray(variation.free)
        self._turns = bytearray(plies + 1)  # number of the turn at each ply; a turn may be several moves
        self._before = array("H", [0] * plies)  # the column as it was before each move (see _column)
        # For the rule of the third repetition.
        self.words = array("i", [0] * (3 * (plies + 1))) if self.repeats and variation.pop else None
        self.reset()

    def reset(self):
        """Back to the start of the game."""
        v = self.variation
        for i in range(len(self._discs)):
            self._discs[i] = 0
        for i in range(3):
            self._full[i] = self._stones[i]
        for i in range(v.free):
            self._heights[i] = 0
        for cell in v.stones:
            self._heights[cell // 6 - FIRST] += 1
        if v.sides:
            for row in range(6):
                for cell in (row, 48 + row):
                    self._put(cell, v.side_colour(cell))
        self._go_to(0)
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

    def copy_cells(self, cells):
        """Fill ``cells`` (54 bytes) with what :meth:`colour` says of each, 255 for -1, in a sixth of the time."""
        cell = 0
        for word in range(3):
            full, stones = self._full[word], self._stones[word]
            red, yellow = self._discs[word], self._discs[3 + word]
            bit = 1
            for _ in range(3):
                for _ in range(6):
                    cells[cell] = (
                        255 if not full & bit else 0 if red & bit else 1 if yellow & bit else 3 if stones & bit else 2
                    )
                    cell += 1
                    bit += bit
                bit += bit  # the guard

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
        return self.result is None and move in self.variation.moves and self._allowed(move, self.to_move)

    def _allowed(self, move, colour):
        if move & POP:
            return self._at_bottom(move & COLUMN, colour)
        return self._heights[move & COLUMN] < self.variation.rows

    def _at_bottom(self, i, colour):
        """Whether a disc of ``colour`` is the lowest of free column ``i``."""
        cell = 6 * (FIRST + i)
        return self._discs[3 * colour + _word(cell)] & _bit(cell) != 0

    def legal(self):
        """List of the moves that may be played, drops a .. g first, then pops; empty when the game is over."""
        return [m for m in self.variation.moves if self.is_legal(m)]

    def why_not(self, move):
        """One line that says why ``move`` may not be played, or an empty text when it may."""
        from engine.refusals import why_not  # rare: the board forgets it again

        return why_not(self, move)

    # Playing

    def play(self, move):
        """Play ``move``. Raises ValueError naming the move and why, the position unchanged, when it is illegal."""
        if not self.is_legal(move):
            raise ValueError("%s: %s" % (move_text(move), self.why_not(move)))
        ply = self.ply
        self.moves[ply] = move
        self._before[ply] = self._column(move & COLUMN)
        winner = self._apply(move)
        self._turns[ply + 1] = self._turns[ply] + (1 if self._passes(move) else 0)
        self._go_to(ply + 1)
        self._remember()
        if winner is None:
            winner = self._end()
        elif self.variation.misere and winner != DRAW:
            winner = 1 - winner
        self.result = winner

    def _apply(self, move):
        """Change the discs as ``move`` does; whose line that makes: a colour, DRAW for both, or None."""
        mover = self.to_move
        i = move & COLUMN
        if move & POP:
            self._sink(i)
            return self._line_after_pop(i, mover)
        return mover if self._line_through(self._drop(i), mover) else None

    def _passes(self, move):
        """Whether the turn is over with ``move``, which has just been applied."""
        return True

    def _end(self):
        """DRAW if the game ends here without a line, else None."""
        return DRAW if self._drawn() else None

    def undo(self):
        """Take the last move back and return it. Raises ValueError at the start."""
        if not self.ply:
            raise ValueError("there is no move to take back")
        self._go_to(self.ply - 1)
        self.result = None
        move = self.moves[self.ply]
        self._restore(move & COLUMN, self._before[self.ply])
        return move

    def _go_to(self, ply):
        self.ply = ply
        turn = self._turns[ply]
        self.to_move = turn % self.variation.colours
        self.seat = turn % self.variation.seats

    def _drop(self, i):
        """A disc of the side to move falls into free column ``i``; its cell."""
        cell = 6 * (FIRST + i) + self._heights[i]
        self._put(cell, self.to_move)
        self._heights[i] += 1
        return cell

    def _put(self, cell, colour):
        word, bit = _word(cell), _bit(cell)
        self._discs[3 * colour + word] |= bit
        self._full[word] |= bit

    def _sink(self, i):
        """The lowest disc of free column ``i`` is gone, everything above it falls by one."""
        code = self._column(i)  # each field moves down by a bit, and what would leave its field is masked away
        self._restore(i, code >> 1 & 0x3EF8 | (code & 7) - 1)

    def _column(self, i):
        """Free column ``i`` as a number: its height (3 bits), Red's discs and Green's (6 bits each, lowest first)."""
        cell = 6 * (FIRST + i)
        word = _word(cell)
        shift = 7 * (cell // 6 % 3)
        code = self._heights[i] | (self._discs[word] >> shift & 63) << 3
        if self.variation.colours > 2:
            code |= (self._discs[6 + word] >> shift & 63) << 9
        return code

    def _restore(self, i, code):
        """Set free column ``i`` to what :meth:`_column` once told; stones stay where they are."""
        cell = 6 * (FIRST + i)
        word = _word(cell)
        bit = _bit(cell)
        keep = ~(127 * bit)
        height = code & 7
        full = (1 << height) - 1
        red = code >> 3 & 63
        green = code >> 9 & 63
        self._heights[i] = height
        self._full[word] = self._full[word] & keep | full * bit
        self._discs[word] = self._discs[word] & keep | red * bit
        self._discs[3 + word] = self._discs[3 + word] & keep | (full & ~(red | green)) * bit & ~self._stones[word]
        if self.variation.colours > 2:
            self._discs[6 + word] = self._discs[6 + word] & keep | green * bit

    # Lines and the end

    def _line_through(self, cell, colour):
        """Whether a line of ``colour`` goes through ``cell``, which holds a disc of it. (Counted from cell to cell:
        tables of the lines would be quicker, and take 1.4 KB of the board's heap.)"""
        v, discs = self.variation, self._discs
        for across, up in ((1, 0), (1, 1), (1, -1), (0, 1)):
            count = 1
            for step in (1, -1):
                column, row = cell // 6, cell % 6
                while count < v.need:
                    column += across * step
                    row += up * step
                    if v.wrap:
                        column = (column - v.left) % v.width + v.left
                    if row < 0 or not 0 <= column <= 8:
                        break
                    if not discs[3 * colour + column // 3] >> (7 * (column % 3) + row) & 1:  # a guard is never set
                        break
                    count += 1
            if count >= v.need:
                return True
        return False

    def _has_line(self, i, colour):
        """Whether a line of ``colour`` goes through free column ``i``."""
        bottom = 6 * (FIRST + i)
        for cell in range(bottom, bottom + self._heights[i]):
            if self.colour(cell) == colour and self._line_through(cell, colour):
                return True
        return False

    def _line_after_pop(self, i, mover):
        """Whose line counts after ``mover``'s pop in free column ``i``: a colour, DRAW, or None (RULES.md, "Pop in
        detail"). The game was open, so that no line lies elsewhere."""
        own, other = self._has_line(i, mover), self._has_line(i, 1 - mover)
        if own and other:
            both = self.variation.pop_both
            return mover if both == "mover" else 1 - mover if both == "other" else DRAW
        return mover if own else 1 - mover if other else None

    def _drawn(self):
        """Whether the game ends here without a line: nothing to play, the last ply, or the third repetition."""
        v = self.variation
        if v.max_plies and (self.ply >= v.max_plies or self.words is not None and self._repetitions() >= 3):
            return True
        for move in v.moves:
            if self._allowed(move, self.to_move):
                return False
        return True

    def _remember(self):
        if self.words is not None:
            for i in range(3):
                self.words[3 * self.ply + i] = self._code(i)

    def _repetitions(self):
        """How often this position has stood with the same side to move, this time included."""
        codes, at = self.words, 3 * self.ply
        w0, w1 = codes[at], codes[at + 1]
        w2 = codes[at + 2]
        count = 1
        for i in range(at - 6, -1, -6):  # the same side to move every second ply
            if codes[i] == w0 and codes[i + 1] == w1 and codes[i + 2] == w2:
                count += 1
        return count


def new_position(variation):
    """The Position at the start of ``variation``, of the class that knows its moves."""
    if variation.extra:
        from engine import extras  # on the board it takes room only while it is played

        return getattr(extras, variation.extra)(variation)
    return Position(variation)
