# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The search of two sides that drop and pop: alpha-beta over counts of each side's discs in every line.

A pop moves a whole column, so nothing that only grows (search_drop.py) can be kept; a disc is put into or taken out of
the counts of its lines instead, and a column is taken out and put back one lower. None of the static rules of
search_drop.py holds where discs come down again. Values inside are seen from the side that asked.
"""

from array import array

from engine.lots import Lots
from engine.search import (
    BLIND,
    BLUR,
    BUDGET,
    DEPTH,
    DONE,
    MAX_DEPTH,
    MOVE,
    NODES,
    PLY,
    REPLY,
    RESTART,
    SCORE,
    SEED,
    SURE,
    UNITS,
)
from engine.variation import FIRST

_WIN = 1000
_LIMIT = 700  # evaluations stay within +-_LIMIT; wins lie outside
_DEPTH = 32  # plies the stacks hold
_EXACT, _LOWER, _UPPER = 1, 2, 3
_THREAT = 100  # a drop that completes a line, if it is not stopped
_WEIGHTS = (0, 1, 4, 12, 30, 0)  # a line that one side alone holds, by its discs


def worker(v, ctl, board, locks, data):
    """The generator for one variation; a ``next()`` is a slice of about ``ctl[UNITS]`` nodes. The first one returns
    a function that takes the position to search."""
    need, free, rows, misere = v.need, v.free, v.rows, v.misere
    both = ("other", "mover", "draw").index(v.pop_both)
    through = [bytearray() for _ in range(54)]
    i = 0
    for line in v.lines:
        for cell in line:
            through[cell].append(i)
        i += 1
    lines = i
    counts = bytearray(lines)  # of each line, three bits a side
    table = array("h", [0] * 64)
    lots = Lots(20090)
    zobrist = array("i", [lots.below(1024) << 20 | lots.below(1024) << 10 | lots.below(1024) for _ in range(109)])
    turn = zobrist[108]
    order = bytearray(sorted(range(free), key=lambda i: abs(2 * i - free + 1)))
    order.extend(bytes([8 + i for i in order]))
    kinds = len(order)
    heights = bytearray(free)
    full = bytearray(2)  # whose lines a move has completed
    moves, first, choice, stop = bytearray(_DEPTH), bytearray(_DEPTH), bytearray(_DEPTH), bytearray(_DEPTH)
    killer = bytearray(2 * _DEPTH)
    at, best, alphas, betas = [array("h", [0] * _DEPTH) for _ in range(4)]
    evals, hashes = array("h", [0] * _DEPTH), array("i", [0] * (_DEPTH + 1))
    game = array("i", [0] * 201)  # the hashes of the game so far
    blur = bytearray(16)
    entries = len(locks)
    state = [0, 0]  # evaluation, hash
    played = [None]

    def put(cell, side, sign):
        """Add (sign 1) or take (sign -1) a disc in all its lines."""
        shift = 3 * side
        value = state[0]
        for i in through[cell]:
            old = counts[i]
            new = old + (sign << shift)
            counts[i] = new
            value += table[new] - table[old]
            if new >> shift & 7 == need:
                full[side] = 1
        state[0] = value
        state[1] ^= zobrist[2 * cell + side]

    def shift(i, side):
        """Drop (side 0, 1) a disc at the foot of column ``i`` and lift the rest, or (side -1) pop the one there."""
        bottom = 6 * (FIRST + i)
        h = heights[i]
        for cell in range(bottom, bottom + h):
            put(cell, board[cell], -1)
        if side < 0:
            for cell in range(bottom, bottom + h - 1):
                board[cell] = board[cell + 1]
            h -= 1
            board[bottom + h] = 255
        else:
            for cell in range(bottom + h, bottom, -1):
                board[cell] = board[cell - 1]
            board[bottom] = side
            h += 1
        heights[i] = h
        full[0] = full[1] = 0
        for cell in range(bottom, bottom + h):
            put(cell, board[cell], 1)

    def play(move, side):
        i = move & 7
        if move & 8:
            shift(i, -1)
        else:
            full[0] = full[1] = 0
            cell = 6 * (FIRST + i) + heights[i]
            board[cell] = side
            heights[i] += 1
            put(cell, side, 1)
        state[1] ^= turn

    def revert(move, side):
        i = move & 7
        if move & 8:
            shift(i, side)
        else:
            heights[i] -= 1
            cell = 6 * (FIRST + i) + heights[i]
            put(cell, side, -1)
            board[cell] = 255
        state[1] ^= turn

    def legal(move, side):
        if move & 8:
            return board[6 * (FIRST + (move & 7))] == side
        return heights[move] < rows

    def completes(side):
        """Where a drop of ``side`` completes a line: 255 nowhere, a column, or 16 where in several."""
        shift = 3 * side
        want = need - 1 << shift
        found = 255
        for i in range(free):
            if heights[i] < rows:
                for line in through[6 * (FIRST + i) + heights[i]]:
                    if counts[line] == want:
                        found = i if found == 255 else 16
                        break
        return found

    def take(position):
        played[0] = position.moves

    yield take
    while True:
        if not ctl[RESTART]:  # a search that was dropped is not done: the next one has begun
            ctl[DONE] = 1
        while not ctl[RESTART]:
            yield
        ctl[RESTART] = 0
        ply0 = ctl[PLY]
        me = ply0 & 1
        for n in range(64):  # what a line is worth to the asking side
            x, y = n & 7, n >> 3
            x = 0 if x and y else _WEIGHTS[min(x, 5)] - _WEIGHTS[min(y, 5)]
            table[n] = -x if me != (misere != 0) else x
        # The game so far once more, for its hashes.
        for i in range(lines):
            counts[i] = 0
        state[0] = state[1] = 0
        for i in range(free):
            heights[i] = 0
        for cell in range(54):
            board[cell] = 255
            if v.sides and (cell < 6 or cell >= 48):
                board[cell] = v.side_colour(cell)
                put(cell, board[cell], 1)
        game[0] = state[1]
        for i in range(ply0):
            play(played[0][i], i & 1)
            game[i + 1] = state[1]
            yield
            if ctl[RESTART]:
                break
        for i in range(entries):
            if ctl[RESTART]:
                break
            locks[i] = 0
            if not i & 511:
                yield
        if ctl[RESTART]:
            continue
        lots.__init__(ctl[SEED])
        for i in range(16):
            blur[i] = lots.below(ctl[BLUR] + 1)
        for i in range(2 * _DEPTH):
            killer[i] = 255
        blind = ctl[BLIND]
        left = ctl[UNITS] // 8 - 1  # a node here is about 3 ms, eight of those of a drop
        nodes = depth = 0
        while not ctl[RESTART]:
            depth += 1
            d = value = 0
            enter = True
            alphas[0] = -_WIN
            betas[0] = _WIN
            guess = out = False
            while True:
                closed = False
                side = me ^ d & 1
                if enter:
                    enter = False
                    nodes += 1
                    left -= 1
                    if left < 0:
                        ctl[NODES] = nodes
                        if nodes >= ctl[BUDGET] and depth > 2:
                            out = True
                            break
                        yield
                        left = ctl[UNITS] // 8 - 1  # a node here is about 3 ms, eight of those of a drop
                        if ctl[RESTART]:
                            out = True
                            break
                    key = hashes[d] = state[1]
                    threat = 255
                    if d:
                        mine, other = full[side ^ 1], full[side]
                        if mine and other:
                            if both == 2:
                                mine = other = value = 0
                                closed = True
                            elif both:
                                other = 0
                            else:
                                mine = 0
                        if mine or other:
                            closed = True
                            value = _WIN - d if ((side != me) == (mine != 0)) != (misere != 0) else d - _WIN
                        elif not closed:
                            value = 0
                            closed = ply0 + d >= v.max_plies
                            for i in range(d - 2, -1, -2):
                                if hashes[i] == key:
                                    closed = True
                            if d == 1 and not closed:
                                n = 0
                                for i in range(ply0 - 1, -1, -2):
                                    n += game[i] == key
                                closed = n > 1
                            if not closed and not misere and (d == 1 or not blind):
                                if completes(side) < 255:
                                    closed = True  # a win that is there is not searched for
                                    value = _WIN - d - 1 if side == me else d + 1 - _WIN
                                else:
                                    threat = completes(side ^ 1)
                            if not closed and (d >= depth or d >= _DEPTH - 1):
                                guess = closed = True
                                value = state[0]
                                if threat < 255:
                                    value += -_THREAT if side == me else _THREAT
                                value = max(-_LIMIT, min(_LIMIT, value))
                                for i in range(kinds):
                                    if legal(order[i], side):
                                        break
                                else:
                                    value = 0
                    first[d] = 255
                    stop[d] = threat
                    if not closed:
                        slot = key % entries
                        if locks[slot] == key:
                            e = data[slot]
                            if e & 15 != 15:
                                first[d] = e & 15
                            if d and e >> 6 & 63 == depth - d:
                                # wins count plies from the root of another line of play: only their moves are taken
                                value = (e >> 12) - 1024
                                if -_LIMIT <= value <= _LIMIT:
                                    n = e >> 4 & 3
                                    closed = n == _EXACT or (value >= betas[d] if n == _LOWER else value <= alphas[d])
                                    guess |= closed
                    if not closed:
                        at[d] = -3
                        best[d] = -_WIN if side == me else _WIN
                        choice[d] = 15
                        evals[d] = state[0]
                if not closed:
                    move = 255
                    k = at[d]
                    while k < kinds and move > 15 and alphas[d] < betas[d]:
                        move = first[d] if k == -3 else killer[2 * d + k + 2] if k < 0 else order[k]
                        k += 1
                        if move < 16 and (
                            k > -2
                            and move == first[d]
                            or k > 0
                            and (move == killer[2 * d] or move == killer[2 * d + 1])
                            or move < 8
                            and stop[d] < 255
                            and move != stop[d]
                            or not legal(move, side)
                        ):
                            move = 255
                    at[d] = k
                    if move < 16:
                        moves[d] = move
                        play(move, side)
                        alphas[d + 1] = alphas[d]
                        betas[d + 1] = betas[d]
                        d += 1
                        enter = True
                        continue
                    value = best[d]
                    if choice[d] == 15 and (value == _WIN or value == -_WIN):
                        value = 0  # nothing can be played
                        if stop[d] < 255:  # or nothing that would help
                            value = d + 2 - _WIN if side == me else _WIN - d - 2
                    slot = hashes[d] % entries
                    locks[slot] = hashes[d]
                    n = _EXACT
                    if alphas[d] >= betas[d]:
                        n = _LOWER if side == me else _UPPER
                        if choice[d] != killer[2 * d]:
                            killer[2 * d + 1] = killer[2 * d]
                            killer[2 * d] = choice[d]
                    elif d and (value <= alphas[d - 1] if side == me else value >= betas[d - 1]):
                        n = _UPPER if side == me else _LOWER
                    data[slot] = (value + 1024) << 12 | (depth - d & 63) << 6 | n << 4 | choice[d]
                # back to the parent with `value`
                if not d:
                    break
                d -= 1
                side ^= 1
                move = moves[d]
                revert(move, side)
                state[0] = evals[d]
                if not d and -_LIMIT < value < _LIMIT:
                    value = min(_LIMIT, value + blur[move])
                if side == me:
                    if value > best[d]:
                        best[d] = value
                        choice[d] = move
                        if not d:
                            ctl[MOVE] = move
                            ctl[SCORE] = value
                            ctl[REPLY] = choice[1] if choice[1] < 15 and depth > 1 else -1
                        if value > alphas[d]:
                            alphas[d] = value
                elif value < best[d]:
                    best[d] = value
                    choice[d] = move
                    if value < betas[d]:
                        betas[d] = value
            if out:
                break
            value = best[0]
            ctl[DEPTH] = depth
            ctl[SURE] = 0 if guess and -_LIMIT <= value <= _LIMIT else 1
            if ctl[SURE] or depth >= max(2, ctl[MAX_DEPTH]) or depth >= _DEPTH - 1:
                break
        ctl[NODES] = nodes
