# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The search of two sides that drop and pop: alpha-beta over words, with every win in one known without a search."""

# The grid lies in words as in search_tables.py. The side to move is (a, b) discs, (wa, wb) the cells where one disc
# more would complete a row or a slanting line of its; the other side is (c, e), (xa, xb); (pa, pb) are the next cells.
#
# A line that is not upright has one cell in a column, so (wa, wb) in a column do not depend on that column: a pop
# completes a line exactly where the column, one lower, meets them. So the words tell at once which drops and which
# pops win, for either side. After a drop three runs have to be looked at again, after a pop all of them.
#
# No drop can stop a pop that wins, and only a drop into the cell itself stops a drop that wins.
#
# A column is a number: its discs from below, Red's as ones, and a one above them. Four columns in one word and three in
# another name a position; a table tells what a column is worth by its number.

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
_DEPTH = 40  # plies the stacks hold
_EXACT, _LOWER, _UPPER = 1, 2, 3
_BEYOND = 4  # plies that a threat is followed below the depth
_THREAT = 100  # a win in one of the other side that has to be stopped
_FUTILE = 80  # more than a quiet last move brings beside the worth of its disc
_TEMPO = 14  # the move
_NEAR, _FAR = 32, 8  # an empty cell that completes a line: right above the next cell of its column, and elsewhere
# What a disc is worth from below, by its column from the outermost to the middle one: a logistic fit to the results of
# games of the search with itself, at six tenths of what it gives for the other worths: that wins more games.
_CELLS = (11, 8, 5, 9, 4, 0, 16, 15, 14, 12, 7, 7, 16, 18, 13, 16, 11, 2, 30, 25, 17, 16, 14, 5)


def worker(v, ctl, board, locks, data):
    """The generator for one variation; a ``next()`` is a slice of about ``ctl[UNITS]`` units, two of them a node. The
    first one returns a function that takes the position to search."""
    from engine.search_tables import Tables, bits  # forgotten once its tables are made

    need, free, rows, misere, last_ply = v.need, v.free, v.rows, v.misere, v.max_plies
    rule = ("other", "mover", "draw").index(v.pop_both)
    prunes = misere or rule == 1  # whether no drop can stop a pop that wins
    five = need == 5
    beyond, threat_worth, tempo, near, far, futile = _BEYOND, _THREAT, _TEMPO, _NEAR, _FAR, _FUTILE
    MV, OC, BM = [bytearray(_DEPTH + 1) for _ in range(3)]
    SA, SB, SC, SE, SP, SQ, WA, WB, XA, XB, H1, H2, IX = [[0] * (_DEPTH + 1) for _ in range(13)]
    EV, AL, BE, BV, DE, NN = [array("h", [0] * (_DEPTH + 1)) for _ in range(6)]
    CM = bytearray(14 * (_DEPTH + 1))
    CS = array("h", bytes(28 * (_DEPTH + 1)))
    killer = bytearray(2 * (_DEPTH + 1))
    history = array("h", [0] * 32)
    blur = bytearray(16)
    root = array("h", [0] * 16)
    twice = array("i", [0] * 64)
    codes = bytearray(7)
    heights = bytearray(128)
    for n in range(2, 128):
        heights[n] = heights[n >> 1] + 1
    tables = Tables(v)
    for _ in tables.make():
        yield False
    runs, start_discs = tables.runs, tables.start
    masks, level_masks = [], []
    cell_masks = [None] * 54
    CA, CB = [0] * 54, [0] * 54
    for cell in range(54):
        q = tables.cell_bits[cell]
        if q:
            CA[cell], CB[cell] = bits(cell)
            t = tables.drops[q]
            for i in (7, 9, 11):
                m = (t[i], t[i + 1])
                if m != (0, 0) and m not in masks:
                    masks.append(m)
                    if i == 7:
                        level_masks.append(m)
            cell_masks[cell] = tuple(t[7:13])
            if cell % 6 == 0:
                yield False
    Tables = tables = None
    # What a column is worth to Red by its number; then how many ones a number has.
    cells = _CELLS
    worth = []
    for n in range(4):
        table = array("h", [0] * 128)
        for code in range(2, 128):
            h = heights[code] - 1
            x = 1 << h
            y = cells[6 * n + h]
            if misere != (code & x == 0):
                y = -y
            table[code] = table[x | code & x - 1] + y  # what lies below, and the disc on top
        worth.append(table)
        yield False
    worth = [worth[min(i, free - 1 - i)] for i in range(free)]
    ones = bytes([bin(n).count("1") for n in range(128)])
    columns = ((1 << free) - 1) << FIRST
    column = [~((1 | 1 << 9 | 1 << 18) << FIRST + i) for i in range(free)]
    shifts = (0, 7, 14, 21, 0, 7, 14)
    order = sorted(range(free), key=lambda i: abs(2 * i - free + 1))
    order = bytes(order + [8 + i for i in order])
    entries = len(locks)
    lots = Lots(0)
    played = [None]

    def take(position):
        played[0] = position.moves

    yield take
    while True:
        if not ctl[RESTART]:  # a search that was dropped is not done: the next one has begun
            ctl[DONE] = 1
        while not ctl[RESTART]:
            yield
        ctl[RESTART] = 0
        # The game so far once more. What has stood twice is a draw the next time: the table finds it.
        ply0 = ctl[PLY]
        for i in range(entries):
            locks[i] = 0
            if not i & 511:
                yield
        if ctl[RESTART]:
            continue
        sc = twos = k1 = k2 = 0
        for i in range(free):
            codes[i] = 1
            if i < 4:
                k1 |= 1 << shifts[i]
            else:
                k2 |= 1 << shifts[i]
        for n in range(ply0 + 1):
            s = n & 1
            if n + 1 < entries:
                x = k1 << 1 | s
                i = (k1 ^ k2 * 509) % entries
                while locks[i] and (locks[i] != x or data[i] != k2):
                    i = i + 1 if i + 1 < entries else 0
                if locks[i] and twos < 64:
                    twice[twos] = x
                    twice[twos + 1] = k2
                    twos += 2
                locks[i] = x
                data[i] = k2
            if n < ply0:
                move = played[0][n]
                i = move & 7
                t = codes[i]
                x = heights[t]
                y = t >> 1 if move & 8 else t + (1 << x if s else 2 << x)
                codes[i] = y
                sc += worth[i][y] - worth[i][t]
                if i < 4:
                    k1 += y - t << shifts[i]
                else:
                    k2 += y - t << shifts[i]
            if not n & 3:
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
        (a, b), (c, e) = start_discs
        pa = pb = 0
        for i in range(free):
            y = codes[i]
            cell = 6 * (FIRST + i)
            while y > 1:
                if y & 1:
                    a |= CA[cell]
                    b |= CB[cell]
                else:
                    c |= CA[cell]
                    e |= CB[cell]
                y >>= 1
                cell += 1
            if cell < 6 * (FIRST + i) + rows:
                pa |= CA[cell]
                pb |= CB[cell]
        s = ply0 & 1
        if s:
            t = a
            a = c
            c = t
            t = b
            b = e
            e = t
        lots.__init__(ctl[SEED])
        for i in range(16):
            blur[i] = lots.below(ctl[BLUR] + 1)
            root[i] = 0
        for i in range(2 * _DEPTH):
            killer[i] = 255
        for i in range(32):
            history[i] = 0
        blind = ctl[BLIND]
        left = (ctl[UNITS] >> 1) - 1
        nodes = depth = d = 0
        first = reply = 15  # the best move so far, and its answer
        fresh = 1
        while not ctl[RESTART]:
            depth += 1
            dep = depth
            alpha = -_WIN
            beta = _WIN
            guess = out = mode = v1 = 0
            while True:
                if mode == 0:  # a position is entered
                    nodes += 1
                    left -= 1
                    if left < 0:
                        ctl[NODES] = nodes
                        if nodes >= ctl[BUDGET] and depth > 2:
                            out = 1
                            break
                        yield
                        left = (ctl[UNITS] >> 1) - 1
                        if ctl[RESTART]:
                            out = 1
                            break
                    if fresh:
                        wa = wb = xa = xb = 0
                        for ma, mb in level_masks if blind and d > 1 else masks:
                            x = a & ma | b & mb
                            if x in runs:
                                x = runs[x]
                                wa |= x & ma
                                wb |= x & mb
                            x = c & ma | e & mb
                            if x in runs:
                                x = runs[x]
                                xa |= x & ma
                                xb |= x & mb
                    mode = 1  # 2 where it is worth v1 and no search
                    v1 = 0
                    if d:
                        if ply0 + d >= last_ply:
                            mode = 2
                        for i in range(d - 4, -1, -2):
                            if H1[i] == k1 and H2[i] == k2:
                                guess = 1
                                mode = 2
                        for i in range(0, twos, 2):
                            if twice[i + 1] == k2 and twice[i] == k1 << 1 | s:
                                mode = 2
                    if mode == 1:
                        H1[d] = k1
                        H2[d] = k2
                        # By column: the drops that complete a line, the pops that complete one's own or the other's.
                        x = (pa >> 9 & b & a) >> 9 & b
                        y = (pb & a) >> 9 & b & a
                        if five:
                            x &= a
                            y = y >> 9 & b
                        x |= y | pa & wa | pb & wb
                        # an upright line's bits lie lower than the drop, in the same column
                        wins = (x | x >> 9 | x >> 18) & columns
                        x = b & wa | a >> 9 & wb
                        mine = (x | x >> 9 | x >> 18) & columns
                        x = e & xa | c >> 9 & xb
                        theirs = (x | x >> 9 | x >> 18) & columns
                        pops = a & columns
                        good = mine & pops
                        bad = theirs & pops
                        even = good & bad
                        if even:
                            if rule != 1:
                                good ^= even
                            if rule:
                                bad ^= even
                            if rule < 2:
                                even = 0
                        lost = 0
                        if misere:
                            lost = wins
                            wins = 0
                            x = good
                            good = bad
                            bad = x
                        x = pa | pb
                        drops = (x | x >> 9 | x >> 18) & columns
                        if wins or good:
                            mode = 2
                            v1 = _WIN - 1 - d
                            if not d:
                                x = wins or good
                                first = 0 if wins else 8
                                while not x >> FIRST & 1:
                                    x >>= 1
                                    first += 1
                        elif not (drops or pops):
                            mode = 2
                        else:
                            drops &= ~lost
                            pops &= ~(bad | even)
                            threat = 0
                            if not (drops or pops or even):
                                mode = 2
                                v1 = d + 1 - _WIN
                            elif d and ply0 + d + 2 <= last_ply:
                                # What the other side would do at once if it could.
                                x = mine & c
                                y = theirs & c
                                if misere:
                                    y = x if rule == 0 else x & ~y
                                elif rule != 1:
                                    y &= ~x
                                if y:
                                    threat = 1
                                    if prunes:
                                        drops = 0
                                if not misere:
                                    x = (pa >> 9 & e & c) >> 9 & e
                                    y = (pb & c) >> 9 & e & c
                                    if five:
                                        x &= c
                                        y = y >> 9 & e
                                    x |= y | pa & xa | pb & xb
                                    x = (x | x >> 9 | x >> 18) & columns
                                    if x:
                                        threat = 1
                                        drops &= x
                                        if x & (x - 1):
                                            drops = 0
                                    x = pa & xb | pb & xa >> 9  # right below a cell that completes a line
                                    if x:
                                        drops &= ~(x | x >> 9 | x >> 18)
                                if not (drops or pops or even):
                                    mode = 2
                                    v1 = d + 2 - _WIN
                            if mode == 1 and dep <= 0 and (not threat or dep <= -beyond or d >= _DEPTH):
                                guess = 1
                                mode = 2
                                v1 = -sc if s else sc
                                v1 += tempo
                                x = pa & wb | pb & wa >> 9
                                y = pa & xb | pb & xa >> 9
                                t = ones[((x | x >> 9 | x >> 18) & columns) >> FIRST]
                                t -= ones[((y | y >> 9 | y >> 18) & columns) >> FIRST]
                                if t:
                                    v1 += -near * t if misere else near * t
                                t = 0
                                x = wa & ~c
                                while x:
                                    x &= x - 1
                                    t += 1
                                x = wb & ~e
                                while x:
                                    x &= x - 1
                                    t += 1
                                x = xa & ~a
                                while x:
                                    x &= x - 1
                                    t -= 1
                                x = xb & ~b
                                while x:
                                    x &= x - 1
                                    t -= 1
                                v1 += -far * t if misere else far * t
                                if threat:
                                    v1 -= threat_worth
                                v1 = max(-_LIMIT, min(_LIMIT, v1))
                    if mode == 1:
                        lead = 15
                        i = (k1 ^ k2 * 509) % entries
                        IX[d] = i
                        if locks[i] == k1 << 1 | s:
                            t = data[i]
                            if t >> 22 == k2 % 251:
                                lead = t & 15
                                y = t >> 6 & 31
                                v1 = (t >> 11 & 2047) - 1024
                                # wins are kept as plies from the position
                                if v1 > _LIMIT:
                                    v1 -= d
                                    y = 31 if ply0 + _WIN - v1 <= last_ply else -1
                                elif v1 < -_LIMIT:
                                    v1 += d
                                    y = 31 if ply0 + _WIN + v1 <= last_ply else -1
                                if d and y >= dep:
                                    t = t >> 4 & 3
                                    if t == _EXACT or (v1 >= beta if t == _LOWER else v1 <= alpha):
                                        mode = 2
                                        if -_LIMIT <= v1 <= _LIMIT:
                                            guess = 1
                    if mode == 1:
                        SA[d] = a
                        SB[d] = b
                        SC[d] = c
                        SE[d] = e
                        SP[d] = pa
                        SQ[d] = pb
                        WA[d] = wa
                        WB[d] = wb
                        XA[d] = xa
                        XB[d] = xb
                        EV[d] = sc
                        BE[d] = beta
                        DE[d] = dep
                        BV[d] = -_WIN
                        BM[d] = 15
                        if even:  # a pop that ends the game in a draw
                            BV[d] = 0
                            if alpha < 0:
                                alpha = 0
                                move = 8
                                while not even >> FIRST & 1:
                                    even >>= 1
                                    move += 1
                                BM[d] = move
                                if not d:
                                    first = move
                        n = 14 * d
                        x = killer[2 * d]
                        y = killer[2 * d + 1]
                        t = s << 4
                        for move in order:
                            if (pops if move & 8 else drops) >> FIRST + (move & 7) & 1:
                                CM[n] = move
                                if d:
                                    CS[n] = (
                                        history[t + move]
                                        + (20000 if move == lead else 0)
                                        + (5000 if move == x or move == y else 0)
                                    )
                                else:
                                    CS[n] = root[move] if move != first else 20000
                                n += 1
                        NN[d] = n
                if mode == 2:  # back to the parent with v1
                    if not d:
                        break
                    d -= 1
                    s ^= 1
                    a = SA[d]
                    b = SB[d]
                    c = SC[d]
                    e = SE[d]
                    pa = SP[d]
                    pb = SQ[d]
                    wa = WA[d]
                    wb = WB[d]
                    xa = XA[d]
                    xb = XB[d]
                    sc = EV[d]
                    alpha = AL[d]
                    beta = BE[d]
                    dep = DE[d]
                    k1 = H1[d]
                    k2 = H2[d]
                    move = MV[d]
                    i = move & 7
                    t = OC[d]
                    codes[i] = t
                    v1 = -v1
                    if not d:
                        if -_LIMIT <= v1 <= _LIMIT:
                            v1 = min(_LIMIT, v1 + blur[move])
                        root[move] = v1
                    if v1 > BV[d]:
                        BV[d] = v1
                        if v1 > alpha:
                            alpha = v1
                            BM[d] = move
                            if not d:
                                first = move
                                reply = BM[1] if depth > 1 else 15
                                ctl[MOVE] = move
                                ctl[SCORE] = v1
                                ctl[REPLY] = reply if reply < 15 else -1
                            elif alpha >= beta:
                                if move != killer[2 * d]:
                                    killer[2 * d + 1] = killer[2 * d]
                                    killer[2 * d] = move
                                i = (s << 4) + move
                                history[i] += dep * dep if dep > 0 else 1
                                if history[i] > 4000:
                                    for i in range(32):
                                        history[i] >>= 1
                    mode = 1
                # the next move, the most promising first
                n = NN[d]
                j = -1
                if alpha < beta:
                    x = -30000
                    for i in range(14 * d, n):
                        if CS[i] > x:
                            x = CS[i]
                            j = i
                if j < 0:
                    v1 = BV[d]
                    x = v1
                    if x > _LIMIT:
                        x += d
                    elif x < -_LIMIT:
                        x -= d
                    i = IX[d]
                    locks[i] = k1 << 1 | s
                    data[i] = (
                        k2 % 251 << 22
                        | x + 1024 << 11
                        | (dep if dep > 0 else 0) << 6
                        | (_LOWER if alpha >= beta else _UPPER if BM[d] == 15 else _EXACT) << 4
                        | BM[d]
                    )
                    mode = 2
                    continue
                CS[j] = -30001
                move = CM[j]
                i = move & 7
                t = codes[i]
                y = heights[t]
                cell = 6 * (FIRST + i) + y
                y = t >> 1 if move & 8 else t + (1 << y if s else 2 << y)
                table = worth[i]
                x = sc + table[y] - table[t]
                if dep == 1 and d and alpha > -_LIMIT:
                    # the last move can't better a quiet position by much more than the disc is worth
                    v1 = futile - x if s else futile + x
                    if v1 <= alpha:
                        guess = 1
                        if v1 > BV[d]:
                            BV[d] = max(-_LIMIT, v1)
                        continue
                sc = x
                MV[d] = move
                AL[d] = alpha
                OC[d] = t
                codes[i] = y
                if i < 4:
                    k1 += y - t << shifts[i]
                else:
                    k2 += y - t << shifts[i]
                m = column[i]
                pa &= m
                pb &= m
                if move & 8:
                    cell -= 1
                    pa |= CA[cell]
                    pb |= CB[cell]
                    x = a & ~m
                    a = a & m | b & ~m
                    b = b & m | x >> 9
                    x = c & ~m
                    c = c & m | e & ~m
                    e = e & m | x >> 9
                    fresh = 1
                else:
                    a |= CA[cell]
                    b |= CB[cell]
                    ma, mb, ra, rb, fa, fb = cell_masks[cell]
                    x = a & ma | b & mb
                    if x in runs:
                        x = runs[x]
                        wa |= x & ma
                        wb |= x & mb
                    if not (blind and d):
                        x = a & ra | b & rb
                        if x in runs:
                            x = runs[x]
                            wa |= x & ra
                            wb |= x & rb
                        x = a & fa | b & fb
                        if x in runs:
                            x = runs[x]
                            wa |= x & fa
                            wb |= x & fb
                    cell += 1
                    if heights[y] < rows:
                        pa |= CA[cell]
                        pb |= CB[cell]
                    fresh = 0
                x = a
                a = c
                c = x
                x = b
                b = e
                e = x
                x = wa
                wa = xa
                xa = x
                x = wb
                wb = xb
                xb = x
                x = alpha
                if not d:
                    x -= blur[move]
                alpha = -beta
                beta = -x
                s ^= 1
                d += 1
                dep -= 1
                mode = 0
            if out:
                break
            if first < 15:  # else every move loses at once
                ctl[MOVE] = first
            ctl[SCORE] = v1
            ctl[DEPTH] = depth
            ctl[SURE] = 0 if guess and -_LIMIT <= v1 <= _LIMIT else 1
            if ctl[SURE] or depth >= max(2, ctl[MAX_DEPTH]) or depth >= _DEPTH - 1:
                break
            # the root again, whose words stand as they were
            fresh = 0
        ctl[NODES] = nodes
