# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""A plain search for the games whose turns are no simple alternation: three players, Pop 10, Power Up."""

# It plays on a Position of its own, so it knows every rule and no shortcut: 10 to 13 ms a node in the loop of the chip,
# two or three plies in five seconds, and at the end of them a drop, or the two of an x2, that wins. With three players
# it is paranoid (Sturtevant and Korf 2000): the two others play against the one who asks. It serves behind
# engine/search.py's Search, with the same steps and the same answers.

from array import array

from engine.lots import Lots
from engine.moves import DOUBLE, WALL
from engine.position import new_position
from engine.variation import DRAW

_WIN = 1000
_LIMIT = 700
_DEPTH = 24
_LEVELS = ((40, 2, 30), (60, 2, 12), (90, 3, 6), (130, 4, 3), (180, 6, 1), (250, _DEPTH, 0))  # nodes, plies, blur
_WORTH = (0, 1, 3, 9, 0)  # a line that one side alone holds, by its discs ...
_COLLECT, _DISC = (0, 0, 1, 3, 10), 50  # ... and where discs are collected; a disc that is
_BOTTOM = 1 | 1 << 7 | 1 << 14  # of a word of engine/position.py
_BITS = bytes([bin(i).count("1") for i in range(128)])


class Plain:
    """The search of one ``variation``; see engine/search.py for what its attributes mean."""

    def __init__(self, variation):
        self.position = new_position(variation)
        self.move = self.score = self.depth = self.nodes = self.value = self.ahead = 0
        self.exact = False
        middle = variation.free - 1
        self._order = sorted(variation.moves, key=lambda move: (abs(2 * (move & 7) - middle), move))
        self._masks = self._line_masks(variation)
        self._at = bytearray(_DEPTH + 1)
        self._alpha = [0] * (_DEPTH + 1)
        self._beta = [0] * (_DEPTH + 1)
        self._best = [0] * (_DEPTH + 1)
        # What is tried first: at the root the best move of the last round, elsewhere what refuted the last move there.
        self._lead = [0] * (_DEPTH + 1)
        self._work = None

    def _line_masks(self, variation):
        """The cells of each line as the three words of engine/position.py, one line after the other."""
        masks = array("i", [0] * (3 * variation.line_count))
        for k in range(len(variation.line_cells)):
            cell = variation.line_cells[k]
            masks[3 * (k // variation.need) + cell // 18] |= 1 << (7 * (cell // 6 % 3) + cell % 6)
        return masks

    def start(self, position, level, seed, nodes):
        """Begin on an open ``position`` (checked by Search.start)."""
        budget, depth, blur = _LEVELS[level - 1]
        if nodes:
            budget, depth, blur = nodes, _DEPTH, 0
        self.move = -1
        for move in self._order:
            if self.move < 0 and position.is_legal(move):
                self.move = move
        self.score = self.depth = self.nodes = 0
        self.exact = False
        self._work = self._think(position, budget, depth, blur, Lots(seed))

    def step(self):
        """A part of a node more, 5 ms of the chip's time; True when the search is done."""
        if self._work is None:
            return True
        for _ in self._work:
            return False
        self._work = None
        return True

    def _think(self, source, budget, deepest, blur, lots):
        position, order = self.position, self._order
        at, alpha, beta, best, lead = self._at, self._alpha, self._beta, self._best, self._lead
        position.reset()
        yield
        for i in range(source.ply):
            position.play(source.moves[i])
            yield
        me = position.to_move
        luck = bytearray(128)
        if blur:
            for move in order:
                luck[move] = lots.below(blur + 1)
        estimate = self._estimates(me)
        for d in range(_DEPTH + 1):
            lead[d] = -1
        first = self.move
        for depth in range(1, deepest + 1):
            lead[0] = first
            d = at[0] = 0
            alpha[0] = best[0] = -_WIN
            beta[0] = _WIN
            guessed = False
            while True:
                move = -1
                if alpha[d] < beta[d]:
                    while at[d] <= len(order):
                        move = order[at[d] - 1] if at[d] else lead[d]
                        at[d] += 1
                        if move >= 0 and (at[d] == 1 or move != lead[d]) and position.is_legal(move):
                            break
                        move = -1
                if move < 0:
                    value = best[d]
                    if d == 0:
                        break
                    d -= 1
                    move = position.undo()
                    yield
                else:
                    position.play(move)
                    self.nodes += 1
                    result = position.result
                    if result is None:
                        while next(estimate):
                            yield
                        value = self.value
                        if self.ahead:
                            value = _WIN - d - 1 - self.ahead
                            if position.to_move != me:
                                value = -value
                        elif d + 1 < depth:
                            d += 1
                            at[d] = 0
                            alpha[d], beta[d] = alpha[d - 1], beta[d - 1]
                            if d == 1:  # a bound plus luck must not pass for better than a value plus luck
                                alpha[1] = max(-_WIN, alpha[0] - blur - 1)
                            best[d] = -_WIN if position.to_move == me else _WIN
                            yield
                            continue
                        else:
                            guessed = True
                    else:
                        value = 0 if result == DRAW else _WIN - d - 1 if result == me else d + 1 - _WIN
                    position.undo()
                    yield
                if d == 0 and -_LIMIT <= value <= _LIMIT:
                    value += luck[move]
                if position.to_move == me:
                    if value > best[d]:
                        best[d] = value
                        alpha[d] = max(alpha[d], value)
                        if d == 0:
                            first = move
                elif value < best[d]:
                    best[d] = value
                    beta[d] = min(beta[d], value)
                if d and alpha[d] >= beta[d]:
                    lead[d] = move
                # The budget is over. Of the second ply it takes as much as finds a move that does not lose at once: one
                # node for each that does, mostly, since what refuted the last one is tried first.
                if self.nodes >= budget and (depth > 2 or depth == 2 and best[0] > -_LIMIT):
                    while d:
                        position.undo()
                        d -= 1
                    if best[0] > -_LIMIT:
                        self.move, self.score = first, best[0]
                        self.exact = best[0] > _LIMIT
                    return
            self.move, self.score = first, best[0]
            self.depth = depth
            self.exact = not guessed or abs(best[0]) > _LIMIT
            if self.exact:
                return

    def _estimates(self, me):
        """Yields True as long as it works on an estimate, which takes longer than a slice of the board's time, and then
        False: ``ahead`` is how many drops the side to move needs to win in this turn, 1 or 2, or 0 if it does not,
        and ``value`` what the position promises ``me``, within _LIMIT: lines held alone, and discs collected."""
        # Nothing is allocated, or every node would be slower by the search for free memory; the chip's compiler makes a
        # tuple of `a, b, c = d, e, f`.
        position, masks = self.position, self._masks
        v = position.variation
        worth = _COLLECT if v.collect else _WORTH
        discs, full, points = position._discs, position._full, position.points if v.collect else b""
        while True:
            side = position.to_move
            drops = 0 if v.collect else 1  # that the side to move has in this turn, and may win with
            if v.extra and not v.collect:
                second = position._second()
                drops = 0 if second == WALL else 1 if second or position.used[side] >> (DOUBLE >> 4) & 1 else 2
            full0 = full[0]
            full1 = full[1]
            full2 = full[2]
            value = self.ahead = i = 0
            while i < len(masks):
                if i % 45 == 0:
                    yield True
                m0 = masks[i]
                m1 = masks[i + 1]
                m2 = masks[i + 2]
                i += 3
                f0 = full0 & m0
                f1 = full1 & m1
                f2 = full2 & m2
                if f0 or f1 or f2:  # most lines are empty, or held by two
                    for colour in range(v.colours):
                        k = 3 * colour
                        if discs[k] & f0 == f0 and discs[k + 1] & f1 == f1 and discs[k + 2] & f2 == f2:
                            n = 0
                            if f0:
                                n += _BITS[f0 & 127] + _BITS[f0 >> 7 & 127] + _BITS[f0 >> 14]
                            if f1:
                                n += _BITS[f1 & 127] + _BITS[f1 >> 7 & 127] + _BITS[f1 >> 14]
                            if f2:
                                n += _BITS[f2 & 127] + _BITS[f2 >> 7 & 127] + _BITS[f2 >> 14]
                            value += worth[n] if colour == me else -worth[n]
                            if colour == side and n + drops > 3:
                                missing = _ready(m0 ^ f0, full0) + _ready(m1 ^ f1, full1) + _ready(m2 ^ f2, full2)
                                if missing == 4 - n:
                                    self.ahead = missing
                                    i = len(masks)
                                elif n + drops > 4 and (
                                    _above(m0 ^ f0, full0) or _above(m1 ^ f1, full1) or _above(m2 ^ f2, full2)
                                ):
                                    self.ahead = 2
            for colour in range(len(points)):
                value += _DISC * points[colour] if colour == me else -_DISC * points[colour]
            self.value = max(-_LIMIT, min(_LIMIT, value))
            yield False


def _ready(cells, full):
    """How many empty ``cells`` of a word a drop reaches, or two drops in one column."""
    reached = cells & (_BOTTOM | full << 1)
    reached |= reached << 1 & cells
    return _BITS[reached & 127] + _BITS[reached >> 7 & 127] + _BITS[reached >> 14]


def _above(cells, full):
    """Not 0 if a second drop into a column reaches an empty one of ``cells``."""
    return cells & ((_BOTTOM | full << 1) & ~full) << 1
