# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The search of two sides that only drop: alpha-beta with static rules, over words in local variables."""

# One generator and explicit stacks: a local costs 0.4 us on the chip, a call 7 us, an attribute 1.6 us, and a local
# lives on over a slice's `yield` at no cost. The side to move is (a, b) discs, (wa, wb) cells that complete a line of
# its, (la, lb) its live lines; the other side is (c, e), (xa, xb), (ka, kb); (pa, pb) are the next cells. What a
# position is worth (engine/search_worths.py) comes from `points`, the sum over the runs of what stands at their places
# `at` for Red, and from `kind`, the state of the threats; `sc` is both, for the side to move.
#
# Rules that settle a position without a search, each switched by data where its argument fails:
#
# - A cell that completes the other side's line and can be played is taken by force; two of them, or one below another,
#   lose. A drop right below such a cell loses and is not tried.
# - A line with discs of both sides is dead; a side without a live line cannot win.
# - Follow-up, by parity. Every column is made of pairs, a cell of A with the cell of B above it, but that a column with
#   an odd number of cells left begins with a single cell of B, its bottom.
#   1. Cells left even: the side not to move answers each drop in the same column, a bottom by another bottom (there is
#      one, by parity). So the side to move, the chased one, gets cells of A and bottoms only, and none above a cell
#      that completes the other side's line. Without a line in those it cannot win; and if the other side has a line in
#      the cells of B that are surely its own, the chased side loses.
#   2. Cells left odd, and the side not to move (it will be the chased one) has a cell of A, not a next one, that
#      completes its line: it answers in the same column, that cell's column being paired as B with the A above, its
#      first cell with a bottom where it begins with a cell of A. So the side to move gets, in that column, the first
#      cell and cells of B below, elsewhere what 1 says, and in the end must fill the cell below. Without a line in
#      those it loses.
#   3. Cells left odd: the side not to move picks a column with a bottom, answers there with the A above each B, and
#      elsewhere as in 1, until that column is full; then it picks another. So the side to move gets no cell of A in
#      the first one, and none above a cell of B that completes the other side's line. Without a line in the rest it
#      cannot win.

from array import array

from engine.lots import Lots
from engine.search import (
    BLIND,
    BLUR,
    BUDGET,
    DEPTH,
    DONE,
    HELD,
    MAX_DEPTH,
    MOVE,
    NODES,
    PLY,
    PROVE,
    REPLY,
    RESTART,
    SCORE,
    SEED,
    SURE,
    UNITS,
)
from engine.variation import FIRST

WIN = 1000
LIMIT = 700  # evaluations stay within +-LIMIT; wins lie outside
EXACT_DEPTH = 99
_EXACT_FROM = 40  # a search this deep is one of the two exact questions
_DEEPEST = 30  # plies that the stacks have room for: to the end of the game from ply 12 on, where those are asked
# So many plies before the end of the look-ahead, a position that is worth enough already is taken as such: that it is
# the side's turn is counted in. (The tree to 8 plies shrinks to a tenth, the moves are no worse.)
_CALM = 4
_EXACT, _LOWER, _UPPER = 1, 2, 3


def has_five(x, y):
    """Whether the words A, B hold five in a row; bit-parallel, not over joined edges."""
    t = x & x >> 1
    if t & t >> 2 & x >> 4 & 8142367:
        return True
    t = y & y >> 1
    if t & t >> 2 & y >> 4 & 8142367:
        return True
    # upright, rising, falling: from a row of A, then from a row of B
    t = x & y & x >> 9 & y >> 9 & x >> 18
    u = x & y >> 1 & x >> 11 & y >> 12 & x >> 22 & 8142367
    w = x & y << 1 & x >> 7 & y >> 6 & x >> 14 & 130277872
    if t or u or w:
        return True
    t = y & x >> 9 & y >> 9 & x >> 18 & y >> 18
    u = y & x >> 10 & y >> 11 & x >> 21 & y >> 22 & 8142367
    w = y & x >> 8 & y >> 7 & x >> 15 & y >> 14 & 130277872
    return (t or u or w) != 0


def has_four(x, y):
    """The same for four in a row."""
    t = x & x >> 1
    if t & t >> 2 & 16547391:
        return True
    t = y & y >> 1
    if t & t >> 2 & 16547391:
        return True
    t = x & y & x >> 9 & y >> 9
    u = x & y >> 1 & x >> 11 & y >> 12 & 16547391
    w = x & y << 1 & x >> 7 & y >> 6 & 132379128
    if t or u or w:
        return True
    t = y & x >> 9 & y >> 9 & x >> 18
    u = y & x >> 10 & y >> 11 & x >> 21 & 16547391
    w = y & x >> 8 & y >> 7 & x >> 15 & 132379128
    return (t or u or w) != 0


def state(a, b, c, e):
    """The state of threats (see engine/search_worths.py): of the cells of A, B that complete a line for one side, and
    for the other."""
    x = c | e
    x = (x & 262143) << 9 | (x & 511) << 18
    y = a | b
    y = (y & 262143) << 9 | (y & 511) << 18
    i = 0
    if a & ~x:
        i = 8
    if b & ~(c | x):
        i += 4
    if c & ~y:
        i += 2
    if e & ~(a | y):
        i += 1
    return i


def worker(v, ctl, board, locks, data, open_file):
    """The generator for one variation; a ``next()`` is a slice of about ``ctl[UNITS]`` nodes. The first ones make its
    tables, a piece each, and give False, or a line on a file that could not be used."""
    deep = min(v.capacity + 2, _DEEPEST + 2)
    # Made before the tables, whose making leaves garbage: so the heap stays in one piece.
    # Stacks by ply: words in lists, which are quicker to write than arrays, small numbers in arrays of half the size.
    MV, SA, SB, KA, KB, BM, K1, GA, GB = [[0] * deep for _ in range(9)]
    SC, K, AL, BE, BV, K2, NN, CI = [array("h", bytes(2 * deep)) for _ in range(8)]
    IX = array("i", bytes(4 * deep))
    DE, killer, CF = bytearray(deep), bytearray(deep), bytearray(7 * deep)
    CQ, CA, CB = [[0] * (7 * deep) for _ in range(3)]
    CS, CV, CT = [array("h", bytes(14 * deep)) for _ in range(3)]
    history = bytearray(128)
    root = [0] * 14
    blur = array("h", bytes(16))
    order_ = [0] * 8
    from engine.search_tables import Tables  # forgotten once its tables are made: 4 KB

    tables = Tables(v, open_file)
    yield False
    for _ in tables.make():
        yield False
    if tables.fault:
        yield tables.fault
    ends, drops, cell_bits = tables.ends, tables.drops, tables.cell_bits
    worths, base, values = tables.worths, tables.base, tables.values
    begun = list(base)  # the places of the runs at the root
    at = list(base)  # and now
    start_discs, start_lines = tables.start, tables.lines
    free_a, free_b = tables.free_words
    live_rule = tables.live and not v.misere
    line_key = tables.line_key and live_rule
    Tables = tables = None
    # For the follow-up rules: the side to move when the cells left are even, that is chased; its lines without a cell
    # in a row of B; the cells of a column, and, by a cell of B, the other side's lines without a cell of A above it.
    chased = v.capacity & 1
    row_a, row_b = start_lines[chased]
    beside_a = [0] * 61
    beside_b = [0] * 61
    yield False
    for q in drops:
        t = drops[q]
        if q < 0:
            row_a &= t[13 + 2 * chased]
            row_b &= t[14 + 2 * chased]
            x, y = start_lines[1 - chased]
            for i in range(2):
                z = drops.get(-q << 9 * i + 9)
                if z:
                    x &= z[15 - 2 * chased]
                    y &= z[16 - 2 * chased]
            beside_a[-q % 61] = x
            beside_b[-q % 61] = y
    yield False
    has_line = has_five if v.need == 5 else has_four
    misere = v.misere
    follow_up = not (v.wrap or v.misere or v.rows & 1)
    spread = 1 | 1 << 9 | 1 << 18
    lots = Lots(0)
    rows = v.rows
    spare = (1 | 1 << 8) * (1 | 1 << 9 | 1 << 18) | 1 << 27
    size = len(locks)
    column_masks = [(1 | 1 << 9 | 1 << 18) << i for i in range(1, 8)] + [0]
    column_of = [0] * 61
    for q in drops:
        column_of[q % 61] = column_masks[drops[q][0]]
    middle = column_masks[2] | column_masks[3] | column_masks[4]
    calm = _CALM
    while True:
        if not ctl[RESTART]:  # a search that was dropped is not done: the next one has begun
            ctl[DONE] = 1
        while not ctl[RESTART]:
            yield
        ctl[RESTART] = 0
        for i in range(size):
            locks[i] = 0
            if not i & 127:
                yield
        if ctl[RESTART]:
            continue
        for i in range(128):
            history[i] = 0
        for i in range(deep):
            killer[i] = 3
        # The words of the root, and the places of its runs.
        ply0 = ctl[PLY]
        s = ply0 & 1
        (a, b), (c, e) = start_discs
        (la, lb), (ka, kb) = start_lines
        pa = pb = 0
        wa = xa = 0
        wb = xb = spare
        for i in range(v.free):
            cell = 6 * (FIRST + i)
            q = 0
            for row in range(rows):
                if board[cell + row] == 255:
                    q = cell_bits[cell + row]
                    if q > 0:
                        pa |= q
                    else:
                        pb -= q
                    break
                q = cell_bits[cell + row]
                if q:
                    if board[cell + row]:
                        if q > 0:
                            c |= q
                        else:
                            e -= q
                        t = drops[q]
                        la &= t[13]
                        lb &= t[14]
                    else:
                        if q > 0:
                            a |= q
                        else:
                            b -= q
                        t = drops[q]
                        ka &= t[15]
                        kb &= t[16]
            else:
                t = drops[q]
                pa |= t[3] & ~t[1]
        j = 0
        for q in drops:
            if not j & 7:  # all of them at once would take 7 ms
                yield
            j += 1
            t = drops[q]
            for i in (7, 9, 11):
                ma = t[i]
                mb = t[i + 1]
                x = ends[(a & ma | b & mb) % 511] * spread
                wa |= x & ma
                wb |= x & mb
                x = ends[(c & ma | e & mb) % 511] * spread
                xa |= x & ma
                xb |= x & mb
            va = t[5]
            vb = t[6]
            if a & va == va and b & vb == vb:
                wa |= t[3] & ~t[1]
                wb |= t[4] & ~t[2]
            if c & va == va and e & vb == vb:
                xa |= t[3] & ~t[1]
                xb |= t[4] & ~t[2]
        if s:
            a, c = c, a
            b, e = e, b
            la, ka = ka, la
            lb, kb = kb, lb
            wa, xa = xa, wa
            wb, xb = xb, wb
        for i in range(len(base)):
            begun[i] = base[i]
        for cell in range(54):
            i = board[cell]
            if i < 2 and cell_bits[cell]:
                t = drops[cell_bits[cell]]
                for j in (17, 18, 19):
                    begun[t[j]] += -t[j + 3] if i else t[j + 3]
        yield
        if ctl[RESTART]:
            continue
        left_cells = v.capacity - ply0
        follow_rule = follow_up and ply0 >= 10
        root[0] = a
        root[1] = b
        root[2] = c
        root[3] = e
        root[4] = pa
        root[5] = pb
        root[6] = wa
        root[7] = wb
        root[8] = xa
        root[9] = xb
        root[10] = la
        root[11] = lb
        root[12] = ka
        root[13] = kb
        limit = ctl[BUDGET]
        left = ctl[UNITS]
        used = left  # nodes granted so far; a node is a drop whose threats were worked out, or a position entered
        # Root moves: a win or a forced reply alone, else what does not lose at once, else all: below the root the side
        # to move never finds a win that is already there.
        ga, gb = pa & ~spare, pb
        settled = 0
        if misere:
            if ga & ~wa or gb & ~wb:
                ga &= ~wa
                gb &= ~wb
            else:
                settled = 1 - WIN
        elif ga & wa or gb & wb:
            ga &= wa
            gb &= wb
            settled = WIN - 1
        elif ga & xa or gb & xb:
            ga &= xa
            gb &= xb
            if ga and gb or ga & (ga - 1) or gb & (gb - 1) or ga & xb or gb & xa >> 9:
                settled = 2 - WIN
        elif ga & ~xb or gb & ~(xa >> 9):
            ga &= ~xb
            gb &= ~(xa >> 9)
        else:
            settled = 2 - WIN
        root_a, root_b = ga, gb
        lots.__init__(ctl[SEED])
        roots = 0
        while ga or gb:
            if ga:
                q = ga & -ga
                ga ^= q
            else:
                q = -(gb & -gb)
                gb += q
            blur[roots] = lots.below(ctl[BLUR] + 1)
            order_[roots] = blur[roots]
            if not roots:
                ctl[MOVE] = drops[q][0]
            roots += 1
        if settled:
            ctl[SCORE] = settled
            ctl[SURE] = 1
            ctl[NODES] = roots
            continue
        # A short-sighted level finds no disc in a slanted run, or in any run.
        D = 1 if ctl[BLIND] else 511
        H = 1 if ctl[BLIND] > 1 else 511
        depth = 0
        phase = 0
        asked = 0  # exact questions so far
        known = -9  # the value as far as it is proved: 1, 0 (or better), -1
        upper = 1
        held = ctl[HELD]
        share = 3 if held else max(1, 24 - ply0)  # sixteenths of the budget to look ahead, before proofs
        while True:
            # The next question: deeper and deeper, and, where it pays, the two exact ones.
            alpha = -WIN
            beta = WIN
            stop = limit
            if phase == 0 and (
                depth >= left_cells or ply0 >= ctl[PROVE] - 4 * held and (used - left) * 16 > limit * share
            ):
                phase = 1 if held or ctl[SCORE] > 0 else 2  # the question whose answer is likelier to matter
            if phase == 1 or phase == 2:  # can the side to move win? can it hold?
                dep = EXACT_DEPTH
                alpha = 1 - phase
                beta = 2 - phase
                if not asked and not held:
                    stop = limit * (16 + share) // 32
                asked += 1
            else:
                if depth >= ctl[MAX_DEPTH] or depth + 2 >= deep:
                    break
                depth += 1
                dep = depth
            t = used - stop  # granted beyond this question's end
            if t > 0:
                used -= t
                left -= t
            a, b, c, e, pa, pb, wa, wb, xa, xb, la, lb, ka, kb = root
            s = ply0 & 1
            d = sc = guess = narrow = again = lead = reply = points = 0
            for i in range(len(begun)):
                x = begun[i]
                at[i] = x
                points += worths[x]
            x = free_a & ~(a | c)
            t = free_b & ~(b | e)
            kind = state(wa & x, wb & t, xa & x, xb & t)
            best = -WIN
            out = 0
            mode = 1
            ga, gb = root_a, root_b
            IX[0] = -1
            BV[0] = -WIN
            BM[0] = GA[0] = GB[0] = 0
            while True:
                if mode == 0:  # enter a node: what the rules and the table cost is charged as one drop
                    left -= 1
                    if left < 0:
                        ctl[NODES] = used - left
                        if used - left > stop:
                            out = 1
                            break
                        yield
                        if ctl[RESTART]:
                            out = 2
                            break
                        used -= left
                        left = min(ctl[UNITS], stop - used)  # so a search ends alike in slices of any size
                        used += left
                    IX[d] = -1
                    best = -WIN
                    ga = xa & pa
                    gb = xb & pb
                    if misere:
                        ga = pa & ~wa & ~spare
                        gb = pb & ~wb
                        if not (ga or gb):
                            v1 = d + 1 - WIN if pa & ~spare or pb else 0
                            mode = 2
                    elif ga or gb:
                        if ga and gb or ga & (ga - 1) or gb & (gb - 1) or ga & xb or gb & xa >> 9:
                            v1 = d + 2 - WIN
                            mode = 2
                        else:
                            mode = 3
                            if d + dep + 2 < deep:
                                dep += 1
                    else:
                        ga = pa & ~xb
                        gb = pb & ~(xa >> 9)
                        if not (ga or gb):
                            v1 = d + 2 - WIN if pa & ~spare or pb else 0
                            mode = 2
                    BM[d] = 0
                    if not mode:
                        mode = 1
                        mv = killer[d]
                        if dep <= calm and sc >= beta and d:
                            v1 = beta
                            guess = 1
                            mode = 2
                        elif dep > 1:  # the table
                            # The key: live lines and next cells, that is all that the value depends on. Late in a
                            # game few lines live, and words of few bits collide under small factors: so the lines of
                            # each side go through a remainder, and the check is another sum.
                            if not line_key:
                                k2 = (e if s else b) ^ pb
                                k1 = (c if s else a) ^ pa ^ k2 * 7
                            elif s:
                                k1 = (ka ^ kb << 3) % 32749 * 32719 ^ kb * 7
                                k1 ^= (lb ^ la << 3) % 32717 * 32713 ^ la * 5 ^ pa ^ pb * 3
                                k2 = ka + kb * 2 + la * 4 + lb ^ pb
                            else:
                                k1 = (la ^ lb << 3) % 32749 * 32719 ^ lb * 7
                                k1 ^= (kb ^ ka << 3) % 32717 * 32713 ^ ka * 5 ^ pa ^ pb * 3
                                k2 = la + lb * 2 + ka * 4 + kb ^ pb
                            i = k1 % size
                            k2 %= 509
                            if locks[i] == k1:
                                t = data[i]
                                if t >> 21 == k2:
                                    if t & 7 < 7:
                                        mv = t & 7
                                    x = t >> 3 & 31
                                    if x >= dep or x == 31:
                                        v1 = (t >> 10 & 2047) - 1024
                                        t = t >> 8 & 3
                                        if t == _EXACT or (v1 >= beta if t == _LOWER else v1 <= alpha):
                                            if x < 31:
                                                guess = 1
                                            mode = 2
                            IX[d] = i
                            K1[d] = k1
                            K2[d] = k2
                        x = column_masks[mv]
                        if dep > _EXACT_FROM:
                            GA[d] = GB[d] = 0
                            if line_key and not mode & 2:
                                # What the dead lines or the table tell of the moves, before any is looked at closer.
                                if s:
                                    x = (lb ^ la << 3) % 32717 * 32713 ^ la * 5
                                else:
                                    x = (la ^ lb << 3) % 32749 * 32719 ^ lb * 7
                                ma = ga
                                mb = gb
                                while ma or mb:
                                    if ma:
                                        q = ma & -ma
                                        ma ^= q
                                    else:
                                        q = -(mb & -mb)
                                        mb += q
                                    t = drops[q]
                                    if s:
                                        ya = ka & t[13]
                                        yb = kb & t[14]
                                        k1 = (ya ^ yb << 3) % 32749 * 32719 ^ yb * 7 ^ x ^ t[3] ^ pa ^ (t[4] ^ pb) * 3
                                    else:
                                        ya = ka & t[15]
                                        yb = kb & t[16]
                                        k1 = (yb ^ ya << 3) % 32717 * 32713 ^ ya * 5 ^ x ^ t[3] ^ pa ^ (t[4] ^ pb) * 3
                                    if beta <= 0 and not (ya or yb):
                                        v1 = 0
                                        mode = 2
                                        break
                                    i = k1 % size
                                    if locks[i] == k1:
                                        if s:
                                            k2 = ya + yb * 2 + la * 4 + lb ^ pb ^ t[4]
                                        else:
                                            k2 = la + lb * 2 + ya * 4 + yb ^ pb ^ t[4]
                                        t = data[i]
                                        if t >> 21 == k2 % 509 and t >> 3 & 31 == 31:
                                            v1 = 1024 - (t >> 10 & 2047)
                                            t = t >> 8 & 3
                                            if t != _LOWER and v1 >= beta:
                                                mode = 2
                                                break
                                            if t != _UPPER and v1 <= alpha:
                                                if v1 > best:
                                                    best = v1
                                                if q > 0:
                                                    ga ^= q
                                                else:
                                                    gb += q
                        # the move that did best before alone at first: mostly it settles the node
                        elif ga & x or gb & x:
                            GA[d] = ga & ~x
                            GB[d] = gb & ~x
                            ga &= x
                            gb &= x
                        else:
                            GA[d] = GB[d] = 0
                    else:
                        GA[d] = GB[d] = 0
                    BV[d] = best
                if mode & 1:  # list the moves with the threats that they make
                    i = 7 * d
                    top = -9999
                    best = BV[d]
                    leaf = d and dep <= 1 and d + 1 < left_cells
                    ruled = dep > 1 and live_rule
                    while ga or gb:
                        left -= 1
                        if left < 0:
                            ctl[NODES] = used - left
                            yield
                            if ctl[RESTART]:
                                out = 2
                                break
                            used -= left
                            left = max(0, min(ctl[UNITS], stop - used))
                            used += left
                        if ga:
                            q = ga & middle or ga
                            q &= -q
                            ga ^= q
                        else:
                            q = gb & middle or gb
                            q = -(q & -q)
                            gb += q
                        t = drops[q]
                        col, za, zb, qa, qb, va, vb, ra, rb, ua, ub, fa, fb, m1, m2, m3, m4, w0, w1, w2, n, m, r = t
                        w0 = at[w0]
                        w1 = at[w1]
                        w2 = at[w2]
                        value = points - worths[w0] - worths[w1] - worths[w2]
                        if s:
                            value += worths[w0 - n] + worths[w1 - m] + worths[w2 - r]
                        else:
                            value += worths[w0 + n] + worths[w1 + m] + worths[w2 + r]
                        x = xa & za or xb & zb  # what the other side's threats were is then no more
                        za |= a
                        zb |= b
                        ya = wa
                        yb = wb
                        t = ends[(za & ra | zb & rb) % H]
                        if t:
                            t *= spread
                            ya |= t & ra
                            yb |= t & rb
                        t = ends[(za & ua | zb & ub) % D]
                        if t:
                            t *= spread
                            ya |= t & ua
                            yb |= t & ub
                        t = ends[(za & fa | zb & fb) % D]
                        if t:
                            t *= spread
                            ya |= t & fa
                            yb |= t & fb
                        if za & va == va and zb & vb == vb:
                            if q > 0:
                                yb |= q
                            else:
                                ya |= -q << 9
                        w0 = value
                        seen = kind
                        if x or ya != wa or yb != wb:
                            x = free_a & ~(c | za)
                            t = free_b & ~(e | zb)
                            seen = state(ya & x, yb & t, xa & x, xb & t)
                        value = (-value if s else value) + values[s << 4 | seen]
                        order = value
                        if ya != wa or yb != wb:
                            x = (pa ^ qa) & ya
                            t = (pb ^ qb) & yb
                            order = value + 40
                            if (x or t) and not misere:
                                if x and t or x & (x - 1) or t & (t - 1) or x & yb or t & ya >> 9:
                                    # two at once, or one above the other: won in three plies
                                    order += 400
                                    v1 = WIN - 3 - d
                                    if v1 >= beta and d:
                                        best = v1
                                        mode = 2
                                        break
                                x = 1
                        else:
                            x = 0
                        fate = 0
                        if ruled:
                            # What the rules say of the side to move after this drop: 1 it cannot win, 2 it loses.
                            if s:
                                va = ka & m1
                                vb = kb & m2
                            else:
                                va = ka & m3
                                vb = kb & m4
                            if not (va or vb):
                                fate = 1
                            elif follow_rule:
                                fa = pa ^ qa
                                fb = pb ^ qb
                                ra = free_a & ~(c | za)
                                rb = free_b & ~(e | zb)
                                t = yb & rb & ~fb & 262143
                                ua = ra & ~(t << 9 | (t & 511) << 18)  # not above a cell that completes a line here
                                if s != chased:
                                    if not (va & row_a or vb & row_b or has_line(c | ua, e | fb)):
                                        fate = 2 if has_line(za, zb | rb & ~fb) else 1
                                else:
                                    t = ya & ra & ~fa
                                    while t:
                                        v1 = t & -t
                                        ub = column_of[v1 % 61]
                                        t &= ~ub
                                        if not has_line(c | ua & ~ub | fa & ub, e | fb & ~ub | rb & ub & (v1 - 1)):
                                            fate = 2
                                            break
                                    if not fate and (beta <= 0 or dep < _EXACT_FROM):
                                        t = fb
                                        while t:
                                            v1 = (t & -t) % 61
                                            t &= t - 1
                                            if (
                                                not (va & beside_a[v1] or vb & beside_b[v1])
                                                or ra != ua
                                                and not has_line(c | ua & ~column_of[v1], e | rb)
                                            ):
                                                fate = 1
                                                break
                            if fate and d:
                                if fate > 1:
                                    best = v1 = WIN - left_cells
                                    mode = 2
                                    break
                                if beta <= 0:
                                    best = v1 = 0
                                    mode = 2
                                    break
                        if leaf and (x != 1 or d + 3 >= deep):
                            guess = 1
                            v1 = value
                            if v1 > best:
                                best = v1
                                if v1 > alpha:
                                    alpha = v1
                                    BM[d] = q
                                    if v1 >= beta and d:
                                        killer[d] = col
                                        mode = 2
                                        break
                            continue
                        if dep <= calm and value <= alpha and not (x or fate) and d:
                            guess = 1
                            if value > best:
                                best = value
                            continue
                        order += history[q % 61 + (s << 6)]
                        if order > top:
                            top = order
                            j = i
                        CQ[i] = q
                        CV[i] = value
                        CT[i] = w0
                        CS[i] = order
                        CF[i] = seen << 2 | fate
                        CA[i] = ya
                        CB[i] = yb
                        i += 1
                    if out:
                        break
                    BV[d] = best
                    if mode == 2:
                        if v1 < LIMIT:
                            v1 = beta
                        i = IX[d]
                        if i >= 0:
                            locks[i] = K1[d]
                            data[i] = (
                                K2[d] << 21
                                | (v1 + 1024) << 10
                                | _LOWER << 8
                                | (dep if dep < 31 else 31) << 3
                                | drops[q][0]
                            )
                        continue
                    if top == -9999:
                        j = -1
                    else:
                        NN[d] = i
                        CI[d] = 7 * d
                        SA[d] = wa
                        SB[d] = wb
                        KA[d] = ka
                        KB[d] = kb
                        SC[d] = sc * 16 + kind
                        K[d] = points
                        BE[d] = beta
                        DE[d] = dep
                    if not d:
                        for i in range(roots):
                            CS[i] = order_[i]
                            if order_[i] > order_[j]:
                                j = i
                elif mode == 2:  # a value comes back to the parent
                    if not d:
                        break
                    d -= 1
                    a, c = c, a
                    b, e = e, b
                    xa = wa
                    xb = wb
                    wa = SA[d]
                    wb = SB[d]
                    la = ka
                    lb = kb
                    ka = KA[d]
                    kb = KB[d]
                    s ^= 1
                    q = MV[d]
                    t = drops[q]
                    za = t[1]
                    zb = t[2]
                    qa = t[3]
                    qb = t[4]
                    a ^= za
                    b ^= zb
                    pa ^= qa
                    pb ^= qb
                    if s:
                        at[t[17]] += t[20]
                        at[t[18]] += t[21]
                        at[t[19]] += t[22]
                    else:
                        at[t[17]] -= t[20]
                        at[t[18]] -= t[21]
                        at[t[19]] -= t[22]
                    kind = SC[d]
                    sc = kind >> 4
                    kind &= 15
                    points = K[d]
                    alpha = AL[d]
                    beta = BE[d]
                    dep = DE[d]
                    v1 = -v1
                    j = -1
                    if not d:
                        if -LIMIT <= v1 <= LIMIT:
                            v1 += blur[again]
                        if narrow == 2 and alpha < v1 < beta:
                            j = again  # better than thought: ask again, with the whole window
                            narrow = 0
                            v1 = -WIN
                        else:
                            if dep > _EXACT_FROM:
                                if v1 < 0:
                                    order_[again] = -5000  # lost
                            elif order_[again] < -4000:
                                v1 = -LIMIT
                            else:
                                order_[again] = 2 * v1
                            narrow = 1
                            if v1 > BV[0]:
                                lead = again
                                reply = BM[1]
                    if v1 > BV[d]:
                        BV[d] = v1
                        if v1 > alpha:
                            alpha = v1
                            BM[d] = q
                            if alpha >= beta:
                                if v1 <= LIMIT:
                                    v1 = beta
                                killer[d] = drops[q][0]
                                i = (s << 6) + q % 61
                                history[i] += 2
                                if history[i] > 60:
                                    for i in range(128):
                                        history[i] >>= 1
                                i = IX[d]
                                if i >= 0:
                                    locks[i] = K1[d]
                                    data[i] = (
                                        K2[d] << 21
                                        | (v1 + 1024) << 10
                                        | _LOWER << 8
                                        | (dep if dep < 31 else 31) << 3
                                        | drops[q][0]
                                    )
                                BV[d] = v1
                                continue
                    # the next move: the best of all first, then the rest as they lie
                    if j < 0:
                        i = CI[d]
                        t = NN[d]
                        if d and dep <= _EXACT_FROM:
                            while i < t and CS[i] < -9000:
                                i += 1
                            if i < t:
                                j = i
                                CI[d] = i + 1
                        else:
                            x = -9000
                            while i < t:
                                if CS[i] > x:
                                    x = CS[i]
                                    j = i
                                i += 1
                if j < 0:
                    if GA[d] or GB[d]:
                        ga = GA[d]
                        gb = GB[d]
                        GA[d] = GB[d] = 0
                        mode = 1
                        continue
                    v1 = BV[d]
                    i = IX[d]
                    if i >= 0:
                        locks[i] = K1[d]
                        q = BM[d]
                        data[i] = (
                            K2[d] << 21
                            | (v1 + 1024) << 10
                            | (_EXACT if q else _UPPER) << 8
                            | (dep if dep < 31 else 31) << 3
                            | (drops[q][0] if q else 7)
                        )
                    mode = 2
                    continue
                CS[j] = -9999
                q = CQ[j]
                MV[d] = q
                t = drops[q]
                za = t[1]
                zb = t[2]
                qa = t[3]
                qb = t[4]
                if s:
                    ma = t[13]
                    mb = t[14]
                    at[t[17]] -= t[20]
                    at[t[18]] -= t[21]
                    at[t[19]] -= t[22]
                else:
                    ma = t[15]
                    mb = t[16]
                    at[t[17]] += t[20]
                    at[t[18]] += t[21]
                    at[t[19]] += t[22]
                AL[d] = alpha
                t = a | za
                a = c
                c = t
                t = b | zb
                b = e
                e = t
                pa ^= qa
                pb ^= qb
                wa = xa
                wb = xb
                xa = CA[j]
                xb = CB[j]
                t = la
                la = ka & ma
                ka = t
                t = lb
                lb = kb & mb
                kb = t
                sc = -CV[j]
                points = CT[j]
                t = CF[j]
                kind = t >> 4 | t & 12
                if d:
                    t = alpha
                    alpha = -beta
                    beta = -t
                else:
                    again = j
                    t = alpha - blur[j]
                    if narrow == 1 and BM[0] and t + 1 < beta:
                        alpha = -t - 1
                        narrow = 2
                    else:
                        alpha = -beta
                    beta = -t
                s ^= 1
                d += 1
                dep -= 1
                mode = 0
                t = CF[j] & 3
                if t:
                    if t > 1:
                        v1 = left_cells - WIN
                        mode = 2
                    elif t and beta > 0:
                        beta = 0
                        if alpha >= 0:
                            v1 = 0
                            mode = 2
            if out > 1:
                break
            q = BM[0]
            v1 = BV[0]
            if phase == 1:
                phase = 3
                if not out:
                    if q:
                        known = 1
                        ctl[MOVE] = drops[q][0]
                        ctl[SCORE] = v1
                        ctl[SURE] = 1
                    else:
                        upper = 0
                        if known == 0:
                            ctl[SURE] = 1
                            break
                        phase = 2
                elif asked == 1:
                    phase = 2
            elif phase == 2:
                phase = 3
                if q:
                    known = 0
                    ctl[MOVE] = drops[q][0]
                    ctl[SCORE] = 0
                    if not upper:
                        ctl[SURE] = 1
                        break
                    phase = 1
                elif not out:
                    known = -1
                    ctl[SCORE] = v1
                    ctl[SURE] = 1
                    for i in range(roots):
                        order_[i] = 0
                else:
                    ctl[MOVE] = drops[MV[0]][0]  # those before it are lost
                    if asked == 1:
                        phase = 1
            elif q and (known < 0 or v1 > LIMIT):
                ctl[MOVE] = drops[q][0]
                if known == -9 or v1 < -LIMIT or v1 > LIMIT:
                    ctl[SCORE] = v1
                ctl[REPLY] = drops[reply][0] if reply else -1
                if not out:
                    ctl[DEPTH] = depth
                    if not guess or v1 > LIMIT or v1 < -LIMIT:
                        ctl[SURE] = 1
                        break
            if q:
                order_[lead] += 1
            if out and used - left >= limit:
                break
        ctl[NODES] = used - left
