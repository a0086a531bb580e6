# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The two games whose turns are more than a drop or a pop: Pop 10 and Power Up.

Both stand on the maker's 2009 rule sheet; what it leaves open is decided here and marked (ours).
"""

from engine.lots import Lots
from engine.moves import ANVIL, BOMB, COLUMN, DOUBLE, LETTERS, POP, WALL
from engine.position import Position
from engine.variation import DRAW


class PopTen(Position):
    """Pop 10: the grid is full; pop your own discs out of the bottom row and collect those that were part of a line.

    A turn is a pop. A disc that was part of a line of four when it was popped is kept, and the turn goes on with
    another pop. Any other goes back in at the top, not into the column it came from unless no other has room, and
    the turn is over. First to ten. (ours:) the grid is filled by lot, 21 discs of each; who has nothing to pop is
    passed over; when neither can pop, or after 200 moves, the larger collection wins.
    """

    repeats = False

    def __init__(self, variation):
        self.points = bytearray(variation.colours)
        Position.__init__(self, variation)

    def reset(self):
        Position.reset(self)
        v = self.variation
        lots = Lots(v.seed)
        left = [v.capacity // 2, v.capacity // 2]
        for i in range(v.free):
            for _ in range(v.rows):
                self.to_move = 0 if lots.below(left[0] + left[1]) < left[0] else 1
                left[self.to_move] -= 1
                self._drop(i)
        self._go_to(0)
        for colour in range(v.colours):
            self.points[colour] = 0

    def _in_hand(self):
        """The free column whose disc the side to move has in hand, or -1."""
        if not self.ply or self._turns[self.ply] != self._turns[self.ply - 1]:
            return -1
        move = self.moves[self.ply - 1]
        return move & COLUMN if move & POP and not self._before[self.ply - 1] >> 15 else -1

    def _allowed(self, move, colour):
        hand = self._in_hand()
        i = move & COLUMN
        if move & POP:
            return hand < 0 and self._at_bottom(i, colour)
        if hand < 0 or self._heights[i] >= self.variation.rows:
            return False
        if i != hand:
            return True
        for other in range(self.variation.free):
            if other != hand and self._heights[other] < self.variation.rows:
                return False
        return True

    def own_reason(self, move):
        """Why ``move`` is not legal by a rule of this game alone, or an empty text (engine/refusals.py)."""
        name = LETTERS[move & COLUMN]
        if self._in_hand() >= 0:
            if move & POP:
                return "the disc in hand has to go back in first"
            if move == self._in_hand():
                return "the disc came out of column %s: choose another" % name
        elif not move & POP:
            return "there is no disc in hand: pop one of your own, such as %s-" % name
        return ""

    def _apply(self, move):
        i = move & COLUMN
        mover = self.to_move
        if not move & POP:
            self._drop(i)
            return None
        if self._line_through(6 * (i + 1), mover):
            self.points[mover] += 1
            self._before[self.ply] |= 1 << 15  # kept: the mark that undo and _in_hand read
        self._sink(i)
        return mover if self.points[mover] >= self.variation.collect else None

    def _passes(self, move):
        other = 1 - self.to_move
        if not move & POP:  # a side without a disc to pop is passed over
            return self._can_pop(other)
        return bool(self._before[self.ply] >> 15) and not self._can_pop(self.to_move)

    def _can_pop(self, colour):
        for i in range(self.variation.free):
            if self._at_bottom(i, colour):
                return True
        return False

    def _end(self):
        stuck = self._in_hand() < 0 and not self._can_pop(0) and not self._can_pop(1)
        if not stuck and self.ply < self.variation.max_plies:
            return None
        red, yellow = self.points
        return DRAW if red == yellow else 0 if red > yellow else 1

    def undo(self):
        if self.ply and self._before[self.ply - 1] >> 15:
            move = self.moves[self.ply - 1]
            self._before[self.ply - 1] &= 0x7FFF
            Position.undo(self)
            self.points[self.to_move] -= 1
            return move
        return Position.undo(self)

    def key(self):
        return Position.key(self) + (self.points[0], self.points[1], self._in_hand())


class PowerUp(Position):
    """Power Up: each side has four powers, one of each, to use instead of a drop.

    The anvil (``d=``) falls and takes away every disc below it; it stays as a disc of its side. The bomb (``d*``)
    pops one of the other side's discs out of the bottom row. The wall (``d|``) is a drop and gives a second turn that
    must not win. The x2 (``d+``) is a drop and gives a second turn that may. (ours:) a second turn is a plain drop;
    where the wall leaves no drop that does not win, there is no second turn; lines for both after a bomb: as with a
    pop; a full grid is not the end while a power can be used.
    """

    repeats = False

    def __init__(self, variation):
        self.used = bytearray(variation.colours)  # bits: the powers of each colour that are gone
        Position.__init__(self, variation)

    def reset(self):
        Position.reset(self)
        for colour in range(self.variation.colours):
            self.used[colour] = 0

    def _second(self):
        """The power (WALL or DOUBLE) that gave the present second turn, or 0."""
        if not self.ply or self._turns[self.ply] != self._turns[self.ply - 1]:
            return 0
        return self.moves[self.ply - 1] & ~COLUMN

    def _allowed(self, move, colour):
        i = move & COLUMN
        kind = move & ~COLUMN
        room = self._heights[i] < self.variation.rows
        second = self._second()
        if second:
            return room and not kind and (second == DOUBLE or not self._wins(i))
        if kind and self.used[colour] >> (kind >> 4) & 1:
            return False
        if kind == ANVIL:  # it needs room to be put in, and something to take away
            return room and self._heights[i] > 0
        if kind == BOMB:
            return self._at_bottom(i, 1 - colour)
        return room

    def _wins(self, i):
        """Whether a drop into free column ``i`` completes a line of the side to move."""
        before = self._column(i)
        wins = self._line_through(self._drop(i), self.to_move)
        self._restore(i, before)
        return wins

    def own_reason(self, move):
        """Why ``move`` is not legal by a rule of this game alone, or an empty text (engine/refusals.py)."""
        kind = move & ~COLUMN
        name = LETTERS[move & COLUMN]
        if self._second() and (kind or self._second() == WALL):
            return "the second turn is a plain drop" + (" that must not win" if self._second() == WALL else "")
        if kind and self.used[self.to_move] >> (kind >> 4) & 1:
            return "that power has been used"
        if kind == ANVIL and not self._heights[move & COLUMN]:
            return "there is nothing in column %s for the anvil to take away" % name
        if kind == BOMB:
            return "there is no disc of the other side at the bottom of column %s" % name
        return ""

    def _apply(self, move):
        i = move & COLUMN
        kind = move & ~COLUMN
        mover = self.to_move
        if kind:
            self.used[mover] |= 1 << (kind >> 4)
        if kind == BOMB:
            self._sink(i)
            return self._line_after_pop(i, mover)
        if kind == ANVIL:
            self._restore(i, 0)
        return mover if self._line_through(self._drop(i), mover) else None

    def _passes(self, move):
        kind = move & ~COLUMN
        if kind != WALL and kind != DOUBLE:
            return True
        for i in range(self.variation.free):
            if self._heights[i] < self.variation.rows and (kind == DOUBLE or not self._wins(i)):
                return False
        return True

    def undo(self):
        move = Position.undo(self)
        kind = move & ~COLUMN
        if kind:
            self.used[self.to_move] &= ~(1 << (kind >> 4))
        return move

    def key(self):
        return Position.key(self) + (self.used[0], self.used[1], self._second())
