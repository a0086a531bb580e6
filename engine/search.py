# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The search: iterative deepening alpha-beta that can be stepped, dropped and asked at any time.

It runs as one generator over explicit stacks, so that a slice is a ``next()`` (8.8 us on the chip), nothing is
allocated and nothing recurses. Values inside are seen from the side that asked; sides take turns in any number.
"""

from array import array

from engine.levels import LEVELS
from engine.lots import Lots
from engine.variation import DRAW, FIRST

WIN = 1000  # a win now; one in n plies is WIN - n
SLICE_NODES = 8  # nodes in a slice of at most 5 ms on the RP2040
_LIMIT = 700  # evaluations stay within +-_LIMIT, wins lie outside
_DEPTH = 64  # plies the stacks hold
_EXACT, _LOWER, _UPPER = 1, 2, 3
_WEIGHTS = (0, 1, 3, 9, 27, 0)  # a live line by its discs, short of a full one
(_UNITS, _RESTART, _BUDGET, _MAX, _BLUR, _SEED, _PLY, _DONE, _MOVE, _SCORE, _REACHED, _NODES, _SURE) = range(13)


class Search:
    """A search with all its buffers; ``table_bytes`` is the size of its transposition table.

    :meth:`start` a position, then :meth:`step` until it returns True. ``move`` is the best move so far, ``score``
    its value for the side to move (a win is 1000 - plies to it), ``exact`` whether that is proved, ``depth`` the
    plies looked ahead and ``nodes`` the positions searched.
    """

    def __init__(self, table_bytes=32768):
        entries = table_bytes // 8
        if entries < 1:
            raise ValueError("a table of %d bytes is too small: 8 at least" % table_bytes)
        self._locks = array("i", [0] * entries)
        self._data = array("i", [0] * entries)
        self._ctl = array("i", [0] * 13)
        self._board = bytearray(54)
        self._heights = bytearray(7)
        self._hashes = array("i", [0] * (200 + _DEPTH + 1))
        self._variation = self._worker = None
        self.move = self.score = self.depth = self.nodes = 0
        self.exact = False

    def start(self, position, level=6, seed=0, nodes=0):
        """Begin on ``position``; ``nodes`` > 0 overrides the budget of ``level`` (1 .. 6).

        Raises ValueError for a finished game, an unknown level or a negative budget.
        """
        if position.result is not None:
            raise ValueError("no search: the game is over")
        if nodes < 0:
            raise ValueError("a budget of %d nodes is none: 1 at least, or 0 for the level's own" % nodes)
        if not 0 < level < len(LEVELS):
            raise ValueError("unknown level %d: choose from 1 to %d" % (level, len(LEVELS) - 1))
        v = position.variation
        if v is not self._variation:
            self._variation = v
            self._worker = _worker(v, self._ctl, self._board, self._heights, self._hashes, self._locks, self._data)
            next(self._worker)
        for cell in range(54):
            colour = position.colour(cell)
            self._board[cell] = 255 if colour < 0 else colour
        for i in range(v.free):
            self._heights[i] = position.height(i)
        ctl = self._ctl
        budget, ctl[_MAX], ctl[_BLUR] = LEVELS[level]
        ctl[_BUDGET] = nodes or budget
        if nodes:
            ctl[_MAX] = 42
        ctl[_SEED] = seed
        ctl[_PLY] = position.ply
        ctl[_RESTART] = 1
        ctl[_DONE] = 0
        for move in range(15):
            if position.is_legal(move):
                ctl[_MOVE] = move
                break
        ctl[_SCORE] = ctl[_REACHED] = ctl[_NODES] = ctl[_SURE] = 0
        self._moves = position.moves
        self._show()

    def step(self, units):
        """Search about ``units`` positions more; True when the search is done."""
        ctl = self._ctl
        if not ctl[_DONE]:
            ctl[_UNITS] = units
            next(self._worker)
            self._show()
        return ctl[_DONE] != 0

    def _show(self):
        ctl = self._ctl
        self.move = ctl[_MOVE]
        self.score = ctl[_SCORE]
        self.depth = ctl[_REACHED]
        self.nodes = ctl[_NODES]
        self.exact = ctl[_SURE] != 0

    def pv(self):
        """The expected play so far, a list of moves that begins with ``move``."""
        return [self.move]


def _worker(v, ctl, board, heights, hashes, locks, data):
    """The generator behind a Search, for one variation; a ``next()`` is a slice."""
    need, colours, free, misere, pops = v.need, v.colours, v.free, v.misere, v.pop
    both = -1 if v.pop_both == "draw" else 1 if v.pop_both == "mover" else 0
    through = [bytearray() for _ in range(54)]
    for i, line in enumerate(v.lines):
        for cell in line:
            through[cell].append(i)
    counts = array("H", [0] * v.line_count)  # of each line, three bits a colour
    table = array("h", [0] * (1 << 3 * colours))
    lots = Lots(20090)
    zobrist = array("i", [0] * (55 * colours))
    for i in range(len(zobrist)):
        zobrist[i] = lots.below(1024) << 20 | lots.below(1024) << 10 | lots.below(1024)
    full = bytearray(4)
    order = bytearray(sorted(range(free), key=lambda i: abs(2 * i - free + 1)))
    for i in range(7 * pops):
        if i < free:
            order.append(8 + i)
    kinds = len(order)
    moves = bytearray(_DEPTH)
    at = array("b", [0] * _DEPTH)
    first = array("b", [0] * _DEPTH)
    best = array("h", [0] * _DEPTH)
    choice = array("b", [0] * _DEPTH)
    alphas = array("h", [0] * _DEPTH)
    betas = array("h", [0] * _DEPTH)
    evals = array("i", [0] * _DEPTH)
    blur = bytearray(16)
    entries = len(locks)
    state = [0, 0]  # evaluation for the asking side, hash

    def put(cell, colour, sign):
        """Add (sign 1) or take (sign -1) a disc in all its lines."""
        unit = sign << 3 * colour
        value = state[0]
        for i in through[cell]:
            old = counts[i]
            new = old + unit
            counts[i] = new
            value += table[new] - table[old]
            if (new >> 3 * colour) & 7 == need:
                full[colour] = 1
        state[0] = value
        state[1] ^= zobrist[cell * colours + colour]

    def apply(move, mover):
        i = move & 7
        bottom = 6 * (FIRST + i)
        h = heights[i]
        if move & 8:
            for cell in range(bottom, bottom + h):
                put(cell, board[cell], -1)
            for cell in range(bottom, bottom + h - 1):
                board[cell] = board[cell + 1]
            board[bottom + h - 1] = 255
            heights[i] = h - 1
            for c in range(colours):
                full[c] = 0
            for cell in range(bottom, bottom + h - 1):
                put(cell, board[cell], 1)
        else:
            for c in range(colours):
                full[c] = 0
            board[bottom + h] = mover
            heights[i] = h + 1
            put(bottom + h, mover, 1)
        state[1] ^= zobrist[54 * colours + mover] ^ zobrist[54 * colours + (mover + 1) % colours]

    def revert(move, mover):
        i = move & 7
        bottom = 6 * (FIRST + i)
        h = heights[i]
        if move & 8:
            for cell in range(bottom, bottom + h):
                put(cell, board[cell], -1)
            for cell in range(bottom + h, bottom, -1):
                board[cell] = board[cell - 1]
            board[bottom] = mover
            heights[i] = h + 1
            for cell in range(bottom, bottom + h + 1):
                put(cell, board[cell], 1)
        else:
            put(bottom + h - 1, mover, -1)
            board[bottom + h - 1] = 255
            heights[i] = h - 1

    def legal(move, mover):
        i = move & 7
        if move & 8:
            return board[6 * (FIRST + i)] == mover
        return heights[i] < v.rows

    while True:
        ctl[_DONE] = 1
        while not ctl[_RESTART]:
            yield
        ctl[_RESTART] = 0
        ply0 = ctl[_PLY]
        me = ply0 % colours
        for n in range(len(table)):  # what a line is worth to the asking side
            mine = n >> 3 * me & 7
            rest = 0
            owners = 0
            for c in range(colours):
                k = n >> 3 * c & 7
                owners += 1 if k else 0
                rest += k
            value = _WEIGHTS[min(rest, 5)] if owners == 1 else 0
            table[n] = value if mine else -value
            if misere:
                table[n] = -table[n]
        for i in range(v.line_count):
            counts[i] = 0
        state[0] = state[1] = 0
        for cell in range(54):
            if board[cell] < 3:
                put(cell, board[cell], 1)
        for i in range(entries):
            locks[i] = 0
        lots = Lots(ctl[_SEED])
        for i in range(16):
            blur[i] = lots.below(ctl[_BLUR] + 1)
        left = ctl[_UNITS]
        nodes = 0
        depth = 0
        while not ctl[_RESTART]:
            depth += 1
            # One iteration: d is the ply below the root; the state is that of the node entered or left.
            d = 0
            enter = True
            hashes[0] = state[1]
            value = 0
            alphas[0] = -WIN
            betas[0] = WIN
            heuristic = False
            out = False
            while True:
                if enter:
                    nodes += 1
                    left -= 1
                    if left < 0 or nodes >= ctl[_BUDGET] and depth > 2:
                        ctl[_NODES] = nodes
                        if nodes >= ctl[_BUDGET] and depth > 2:
                            out = True
                            break
                        yield
                        left = ctl[_UNITS]
                        if ctl[_RESTART]:
                            out = True
                            break
                    mover = (me + d) % colours
                    maximise = mover == me
                    key = state[1]
                    hashes[d] = key
                    first[d] = -1
                    closed = False
                    if d:
                        last = moves[d - 1]
                        prev = (mover - 1) % colours
                        mine = full[prev]
                        other = 0
                        if last & 8:
                            other = full[mover]
                        if mine and other:
                            if both < 0:
                                mine = other = value = 0
                                closed = True
                            elif both:
                                other = 0
                            else:
                                mine = 0
                        if mine or other:
                            winner = prev if mine else mover
                            good = (winner == me) != (misere != 0)
                            value = WIN - d if good else d - WIN
                            closed = True
                        elif not closed:
                            if pops:
                                for i in range(d - 2, -1, -2):
                                    if hashes[i] == key:
                                        value = 0
                                        closed = True
                                        break
                                if ply0 + d >= v.max_plies:
                                    value = 0
                                    closed = True
                            if not closed and (d >= depth or d >= _DEPTH - 1):
                                value = max(-_LIMIT, min(_LIMIT, state[0]))
                                heuristic = True
                                for i in range(kinds):
                                    if legal(order[i], mover):
                                        break
                                else:
                                    value = 0
                                closed = True
                    if not closed:
                        slot = key % entries
                        if locks[slot] == key:
                            e = data[slot]
                            first[d] = (e & 15) if e & 15 != 15 else -1
                            if d and e >> 6 & 63 == depth - d:
                                value = (e >> 12) - 1024
                                kind = e >> 4 & 3
                                # only values of this iteration's remaining depth; wins count plies from the root
                                if -_LIMIT <= value <= _LIMIT:
                                    if kind == _EXACT:
                                        closed = True
                                    elif kind == _LOWER:
                                        closed = value >= betas[d]
                                    else:
                                        closed = value <= alphas[d]
                                    heuristic |= closed
                    if not closed:
                        at[d] = -1 if first[d] >= 0 else 0
                        best[d] = -WIN if maximise else WIN
                        choice[d] = -1
                        evals[d] = state[0]
                    enter = False
                else:
                    closed = False
                if closed:
                    pass
                else:
                    mover = (me + d) % colours
                    maximise = mover == me
                    k = at[d]
                    move = -1
                    if alphas[d] < betas[d]:
                        if k < 0:
                            move = first[d]
                            at[d] = 0
                            if not legal(move, mover):
                                move = -1
                                continue
                        else:
                            while k < kinds:
                                move = order[k]
                                k += 1
                                if move != first[d] and legal(move, mover):
                                    break
                                move = -1
                            at[d] = k
                    if move >= 0:
                        moves[d] = move
                        apply(move, mover)
                        alphas[d + 1] = alphas[d]
                        betas[d + 1] = betas[d]
                        d += 1
                        enter = True
                        continue
                    value = best[d]
                    if choice[d] < 0 and abs(value) == WIN:
                        value = 0  # nothing can be played
                    slot = hashes[d] % entries
                    locks[slot] = hashes[d]
                    kind = _EXACT
                    if alphas[d] >= betas[d]:
                        kind = _LOWER if maximise else _UPPER
                    elif d and (value <= alphas[d - 1] if maximise else value >= betas[d - 1]):
                        kind = _UPPER if maximise else _LOWER
                    data[slot] = (value + 1024) << 12 | (depth - d & 63) << 6 | kind << 4 | choice[d] & 15
                # back to the parent with `value`
                if d == 0:
                    break
                d -= 1
                mover = (me + d) % colours
                move = moves[d]
                revert(move, mover)
                state[0] = evals[d]
                state[1] = hashes[d]
                if d == 0 and -_LIMIT < value < _LIMIT:
                    value = min(_LIMIT, value + blur[move])
                if mover == me:
                    if value > best[d]:
                        best[d] = value
                        choice[d] = move
                        if d == 0:
                            ctl[_MOVE] = move
                            ctl[_SCORE] = value
                        if value > alphas[d]:
                            alphas[d] = value
                elif value < best[d]:
                    best[d] = value
                    choice[d] = move
                    if value < betas[d]:
                        betas[d] = value
            if out:
                while d > 0:
                    d -= 1
                    if not ctl[_RESTART]:
                        revert(moves[d], (me + d) % colours)
                break
            ctl[_MOVE] = choice[0]
            ctl[_SCORE] = best[0]
            ctl[_REACHED] = depth
            ctl[_SURE] = 0 if heuristic and abs(best[0]) <= _LIMIT else 1
            if not heuristic or abs(best[0]) > _LIMIT or depth >= max(2, ctl[_MAX]):
                break
        ctl[_NODES] = nodes


assert DRAW == 3
