# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""A plain search for the games whose turns are no simple alternation: three players, Pop 10, Power Up.

It plays on a Position of its own, so it knows every rule and no shortcut: about 20 ms a node on the chip, two or three
plies in five seconds. With three players it is paranoid (Sturtevant and Korf 2000): the two others play against the one
who asks. It serves behind engine/search.py's Search, with the same steps and the same answers.
"""

from array import array

from engine.lots import Lots
from engine.position import new_position
from engine.variation import DRAW

_WIN = 1000
_LIMIT = 700
_DEPTH = 24
_LEVELS = ((40, 2, 30), (50, 2, 12), (60, 3, 6), (80, 4, 3), (100, 6, 1), (120, _DEPTH, 0))  # nodes, plies, blur
_WORTH = (0, 1, 3, 9, 0)  # a line that one side alone holds, by its discs
_BITS = bytes([bin(i).count("1") for i in range(128)])


class Plain:
    """The search of one ``variation``; see engine/search.py for what its attributes mean."""

    def __init__(self, variation):
        self.position = new_position(variation)
        self.move = self.score = self.depth = self.nodes = 0
        self.exact = False
        middle = variation.free - 1
        self._order = sorted(variation.moves, key=lambda move: (abs(2 * (move & 7) - middle), move))
        self._masks = self._line_masks(variation)
        self._at = bytearray(_DEPTH + 1)
        self._alpha = [0] * (_DEPTH + 1)
        self._beta = [0] * (_DEPTH + 1)
        self._best = [0] * (_DEPTH + 1)
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
        at, alpha, beta, best = self._at, self._alpha, self._beta, self._best
        position.reset()
        for i in range(source.ply):
            position.play(source.moves[i])
            yield
        me = position.to_move
        luck = bytes([lots.below(blur + 1) for _ in range(128)])
        first = self.move
        for depth in range(1, deepest + 1):
            d = at[0] = 0
            alpha[0] = best[0] = -_WIN
            beta[0] = _WIN
            favourite = first
            guessed = False
            while True:
                move = -1
                if alpha[d] < beta[d]:
                    while at[d] <= len(order):
                        # at the root the last round's best comes first, then all in order
                        move = order[at[d] - 1] if at[d] else favourite if d == 0 else -1
                        at[d] += 1
                        if move >= 0 and position.is_legal(move) and (d or at[d] == 1 or move != favourite):
                            break
                        move = -1
                if move < 0:
                    value = best[d]
                    if d == 0:
                        break
                    d -= 1
                    move = position.undo()
                else:
                    position.play(move)
                    self.nodes += 1
                    result = position.result
                    if result is None and d + 1 < depth:
                        d += 1
                        at[d] = 0
                        alpha[d], beta[d] = alpha[d - 1], beta[d - 1]
                        if d == 1:  # a bound plus luck must not pass for better than a value plus luck
                            alpha[1] = max(-_WIN, alpha[0] - blur - 1)
                        best[d] = -_WIN if position.to_move == me else _WIN
                        yield
                        continue
                    if result is None:
                        for _ in self._estimate(me):
                            yield
                        value = self.value
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
                if self.nodes >= budget and depth > 2:
                    while d:
                        position.undo()
                        d -= 1
                    return
            self.move, self.score, self.depth = first, best[0], depth
            self.exact = not guessed or abs(best[0]) > _LIMIT
            if self.exact:
                return

    def _estimate(self, me):
        """Sets ``value`` to what the position promises ``me``, within _LIMIT: lines held alone, and discs collected. A
        generator, since it takes longer than a slice of the board's time."""
        position, masks = self.position, self._masks
        v = position.variation
        discs = position._discs
        full0, full1, full2 = position._full
        value = 0
        for i in range(0, len(masks), 3):
            if i % 45 == 0:
                yield
            m0, m1, m2 = masks[i], masks[i + 1], masks[i + 2]
            f0, f1, f2 = full0 & m0, full1 & m1, full2 & m2
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
                        value += _WORTH[n] if colour == me else -_WORTH[n]
        if v.collect:
            for colour in range(v.colours):
                value += 50 * position.points[colour] if colour == me else -50 * position.points[colour]
        self.value = max(-_LIMIT, min(_LIMIT, value))
