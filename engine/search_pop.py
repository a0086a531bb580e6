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
# A run is a row or a slant of cells, ``A & ma | B & mb`` with two masks. It has one cell in a column, so that what is
# left after a division by 511 tells the columns in which a side has its discs there, and one table of 511 tells for any
# run in which columns one disc more completes a line.
#
# No drop can stop a pop that wins, and only a drop into the cell itself stops a drop that wins.
#
# A column is a number: its discs from below, Red's as ones, and a one above them. Four columns and whose turn it is in
# one word, three columns in another name a position; tables tell of a column by its number what it is worth and whether
# a drop completes an upright line there.
#
# A move is one (FIRST) more than in moves.py: ``move & 7`` is then the LED column, and no move 0. Columns in one word
# are bits, each at its LED column.
#
# Methods and not one function, because the chip compiles each of them in little more than 0.1 s, between two frames; a
# call costs 8 to 15 us of the millisecond that a position takes. The words of a ply are one list, unpacked in 5 us.

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
_OPEN, _NONE = 1024, 2000  # instead of a value: the moves have to be tried; there is none left
_DEPTH = 20  # plies the stacks hold
_EXACT, _LOWER, _UPPER = 1, 2, 3
_BEYOND = 4  # plies that a threat is followed below the depth
_THREAT = 100  # a win in one of the other side that has to be stopped
_FUTILE = 80  # more than a quiet last move brings beside the worth of its disc
_TEMPO = 14  # the move
_NEAR, _FAR = 32, 8  # an empty cell that completes a line: right above the next cell of its column, and elsewhere
# What a disc is worth from below, by its column from the outermost to the middle one: a logistic fit to the results of
# games of the search with itself, at six tenths of what it gives for the other worths: that wins more games.
_CELLS = (11, 8, 5, 9, 4, 0, 16, 15, 14, 12, 7, 7, 16, 18, 13, 16, 11, 2, 30, 25, 17, 16, 14, 5)
_COLUMN = 1 | 1 << 9 | 1 << 18  # the cells of a column in a word; times a row of bits: that row three times


def lowest(x):
    """The number of the lowest bit of ``x``."""
    n = 0
    while not x >> n & 1:
        n += 1
    return n


class Work:
    """The search of one variation: its stacks, and what tables() of engine/search_pop_tables.py adds."""

    def __init__(self, v, ctl, board, locks, data):
        self.ctl = ctl
        self.board = board
        self.locks = locks
        self.data = data
        # a, b, c, e, wa, wb, xa, xb; four columns and 1 where Yellow is to move; three columns; what the columns are
        # worth to Red; those where a drop completes an upright line of Red's, and from bit 9 on of Yellow's
        self.plies = [[0] * 12 for _ in range(_DEPTH)]
        self.alpha, self.beta, self.best = [array("h", bytes(2 * _DEPTH + 2)) for _ in range(3)]
        self.left = array("b", bytes(_DEPTH + 1))  # plies to the depth
        self.best_move, self.count = bytearray(_DEPTH), bytearray(_DEPTH)
        self.moves = bytearray(14 * _DEPTH)  # those still to be tried: as many as ``count`` says, the best one last
        self.killers = bytearray(2 * _DEPTH)
        self.keys = array("h", bytes(28))
        self.history = array("h", bytes(64))
        self.blur = bytearray(16)
        self.root = array("h", bytes(32))
        self.twice = array("i", bytes(256))
        self.twos = self.ply = self.depth = self.blind = self.guess = self.first = 0  # first: the best move so far
        self.lots = Lots(0)
        self.futile = _FUTILE
        self.weights = (-_NEAR, -_FAR, _THREAT, _TEMPO) if v.misere else (_NEAR, _FAR, _THREAT, _TEMPO)

    def take(self, position):
        """Search ``position`` next; what has stood in its game counts."""
        self.words = position.words

    def begin(self):
        """What a search begins with; how often prepare() has to be called, with 0, 1, 2 and so on."""
        ctl, blur = self.ctl, self.blur
        lots = self.lots
        lots.__init__(ctl[SEED])
        for i in range(16):
            blur[i + FIRST & 15] = lots.below(ctl[BLUR] + 1)
            self.root[i] = 0
        for i in range(32):
            self.history[i] = 0
        for i in range(2 * _DEPTH):
            self.killers[i] = 0
        self.ply = ctl[PLY]
        self.blind = ctl[BLIND]
        self.first = self.twos = 0
        return 2 * (len(self.locks) + 255 >> 8) + (self.ply >> 3) + 2

    def prepare(self, n):
        """A piece of what comes before a search: the game so far goes through the empty table, and then the root."""
        clears = len(self.locks) + 255 >> 8
        plies = (self.ply >> 3) + 1
        if n < clears:
            self.clear(256 * n)
        elif n < clears + plies:
            self.remember(8 * (n - clears))
        elif n < clears + plies + clears:
            self.clear(256 * (n - clears - plies))
        else:
            self.place()

    def clear(self, start):
        """Empty 256 places of the table."""
        locks = self.locks
        for i in range(start, min(start + 256, len(locks))):
            locks[i] = 0

    def remember(self, ply):
        """Put eight positions of the game from ``ply`` on into the table, and write down those that it has already:
        what has stood twice is a draw the next time."""
        codes, row = self.words, self.plies[0]
        locks, data = self.locks, self.data
        twice = self.twice
        size = len(locks)
        for n in range(ply, min(ply + 8, self.ply + 1)):
            y = codes[3 * n + 1]
            x = (codes[3 * n] >> 7 | (y & 16383) << 14) << 1 | n & 1
            y = y >> 14 | (codes[3 * n + 2] & 16383) << 7
            row[8] = x  # at last the root's
            row[9] = y
            if n + 1 < size:
                i = (x >> 1 ^ y * 509) % size
                while locks[i] and (locks[i] != x or data[i] != y):
                    i = i + 1 if i + 1 < size else 0
                if locks[i] and self.twos < 64:
                    twice[self.twos] = x
                    twice[self.twos + 1] = y
                    self.twos += 2
                locks[i] = x
                data[i] = y

    def enter_root(self, depth):
        """Begin to look ``depth`` plies ahead: a value or _OPEN, as of enter()."""
        self.alpha[0] = -_WIN
        self.beta[0] = _WIN
        self.left[0] = self.depth = depth
        self.guess = 0
        a, b, c, e, _, _, _, _, lock, name, worth, up = self.plies[0]
        return self.pop(0, 0, c, e, a, b, lock, name, worth, up)  # none of the cells: nothing falls

    def place(self):
        """The root, but for what remember() has written down."""
        row = self.plies[0]
        lock = row[8]
        name = row[9]
        for i in range(4):
            row[i] = 0
        for cell in range(54):
            x = self.board[cell]
            if x < 2:
                row[2 * (x ^ lock & 1) + (cell & 1)] |= 1 << 9 * (cell % 6 >> 1) + cell // 6
        x = y = 0
        for i in range(FIRST, len(self.worth)):
            t = (lock >> 7 * i - 6 if i < 5 else name >> 7 * i - 35) & 127
            x += self.worth[i][t]
            y |= self.shapes[t] >> 4 << i
        row[10] = x
        row[11] = y

    def step(self, d):
        """Make the next move at ply ``d`` and enter() the position behind it; _NONE where no move is left."""
        alpha = self.alpha[d]
        beta = self.beta[d]
        n = self.count[d]
        if alpha >= beta or not n:
            return _NONE
        a, b, c, e, wa, wb, xa, xb, lock, name, worth, up = self.plies[d]
        shapes = self.shapes
        futile = self.left[d] == 1 and d and alpha > -_LIMIT
        while True:
            n -= 1
            move = self.moves[14 * d + n]
            i = move & 7
            t = (lock >> 7 * i - 6 if i < 5 else name >> 7 * i - 35) & 127
            h = shapes[t] & 7
            y = t >> 1 if move & 8 else t + (2 - (lock & 1) << h)
            table = self.worth[i]
            x = worth + table[y] - table[t]
            if not futile:
                break
            # the last move can't better a quiet position by much more than the disc is worth
            v = self.futile - x if lock & 1 else self.futile + x
            if v > alpha:
                break
            self.guess = 1
            if v > self.best[d]:
                self.best[d] = max(-_LIMIT, v)
            if not n:
                return _NONE
        self.count[d] = n
        if i < 5:
            lock += y - t << 7 * i - 6
        else:
            name += y - t << 7 * i - 35
        lock ^= 1
        d += 1
        for n in range(d - 4, -1, -2):
            row = self.plies[n]
            if row[8] == lock and row[9] == name:
                self.guess = 1
                return 0
        for n in range(0, self.twos, 2):
            if self.twice[n] == lock and self.twice[n + 1] == name:
                return 0
        self.alpha[d] = -beta
        self.beta[d] = -alpha if d > 1 else self.blur[move] - alpha
        self.left[d] = self.left[d - 1] - 1
        up = up & ~(513 << i) | shapes[y] >> 4 << i
        if move & 8:
            return self.pop(d, _COLUMN << i, a, b, c, e, lock, name, x, up)
        return self.drop(d, i, h, a, b, c, e, wa, wb, xa, xb, lock, name, x, up)

    def drop(self, d, i, h, a, b, c, e, wa, wb, xa, xb, lock, name, worth, up):
        """Drop a disc into LED column ``i`` of height ``h``, after which it is ply ``d``, and enter()."""
        ends, run = self.ends, self.run
        x = 1 << 9 * (h >> 1) + i
        if h & 1:
            b |= x
        else:
            a |= x
        ma, mb = run[h]
        x = ends[(a & ma | b & mb) % 511]
        if x:
            x *= _COLUMN
            wa |= x & ma
            wb |= x & mb
        if not self.blind or d == 1:
            ma, mb = run[i + h + 6]
            x = ends[(a & ma | b & mb) % 511]
            if x:
                x *= _COLUMN
                wa |= x & ma
                wb |= x & mb
            ma, mb = run[i - h + 25]
            x = ends[(a & ma | b & mb) % 511]
            if x:
                x *= _COLUMN
                wa |= x & ma
                wb |= x & mb
        return self.enter(d, c, e, a, b, xa, xb, wa, wb, lock, name, worth, up)

    def pop(self, d, m, a, b, c, e, lock, name, worth, up):
        """Pop the disc at the bottom of the column with the cells ``m``, after which it is ply ``d``, and enter()."""
        ends = self.ends
        x = a & m
        a = a & ~m | b & m
        b = b & ~m | x >> 9
        x = c & m
        c = c & ~m | e & m
        e = e & ~m | x >> 9
        wa = wb = xa = xb = 0
        for ma, mb in self.level if self.blind and d > 1 else self.runs:
            x = ends[(a & ma | b & mb) % 511]
            if x:
                x *= _COLUMN
                wa |= x & ma
                wb |= x & mb
            x = ends[(c & ma | e & mb) % 511]
            if x:
                x *= _COLUMN
                xa |= x & ma
                xb |= x & mb
        return self.enter(d, c, e, a, b, xa, xb, wa, wb, lock, name, worth, up)

    def enter(self, d, a, b, c, e, wa, wb, xa, xb, lock, name, worth, up):
        """What the position at ply ``d`` is worth to the side to move; _OPEN where its moves have to be tried."""
        misere, columns, free_a, free_b, last_ply = self.rules
        ply = self.ply + d
        if ply >= last_ply:
            return 0
        x = a | c
        y = b | e
        pa = ((y & 262143) << 9 | columns) & ~x & free_a
        pb = x & ~y & free_b
        if lock & 1:
            up = up >> 9 | up << 9
        # The drops that complete a line; the discs that, one lower, complete one of this side and of the other one.
        wins = (pa & wa | pb & wb) % 511 | up & 511
        mine = b & wa | a >> 9 & wb
        theirs = e & xa | c >> 9 & xb
        drops = (pa | pb) % 511
        pops = a & columns
        x = self.fallen(mine, theirs, pops) if mine or theirs else 0
        if x & 511 or wins and not misere:
            if not d:
                self.first = 8 + lowest(x) if misere or not wins else lowest(wins)
            return _WIN - 1 - d
        if not (drops or pops):
            return 0
        even = x >> 18
        if x:
            pops &= ~(x >> 9 | even)
        if misere:
            drops &= ~wins
        if not (drops or pops or even):
            return d + 1 - _WIN
        threat = 0
        if d and ply + 2 <= last_ply:
            # What the other side would do at once if it could.
            if (mine or theirs) and self.fallen(theirs, mine, c & columns) & 511:
                threat = 1
                if self.prunes:
                    drops = 0
            if not misere:
                x = (pa & xa | pb & xb) % 511 | up >> 9 & 511
                if x:
                    threat = 1
                    drops &= x if not x & (x - 1) else 0
                x = pa & xb | pb & xa >> 9  # right below a cell that completes a line
                if x:
                    drops &= ~(x % 511)
            if not (drops or pops or even):
                return d + 2 - _WIN
        x = self.left[d]
        if x <= 0 and (not threat or x <= -_BEYOND or d >= _DEPTH):
            self.guess = 1
            x = self.threats(threat, a, b, c, e, wa, wb, xa, xb, pa, pb)
            return max(-_LIMIT, min(_LIMIT, x - worth if lock & 1 else x + worth))
        if lock & 1:
            up >>= 9
        return self.expand(d, drops | pops << 8, even, a, b, c, e, wa, wb, xa, xb, lock, name, worth, up)

    def fallen(self, mine, theirs, bottoms):
        """Of the pops of a side's discs ``bottoms`` those that win, from bit 9 on those that lose, from bit 18 on those
        that end the game in a draw. ``mine``, ``theirs``: the discs that complete a line one lower."""
        rule, misere = self.pop_both, self.rules[0]
        good = (mine | mine >> 9 | mine >> 18) & bottoms
        bad = (theirs | theirs >> 9 | theirs >> 18) & bottoms
        even = good & bad
        if even:
            if rule != 1:
                good ^= even
            if rule:
                bad ^= even
            if rule < 2:
                even = 0
        if misere:
            good, bad = bad, good
        return good | bad << 9 | even << 18

    def threats(self, threat, a, b, c, e, wa, wb, xa, xb, pa, pb):
        """What it is worth to the side (a, b) to move, and what the empty cells that complete a line are; ``threat``:
        1 where the other side would win now."""
        near, far, cost, t = self.weights
        if threat:
            t -= cost
        x = pa & wb | pb & wa >> 9
        while x:
            x &= x - 1
            t += near
        x = pa & xb | pb & xa >> 9
        while x:
            x &= x - 1
            t -= near
        x = wa & ~c
        while x:
            x &= x - 1
            t += far
        x = wb & ~e
        while x:
            x &= x - 1
            t += far
        x = xa & ~a
        while x:
            x &= x - 1
            t -= far
        x = xb & ~b
        while x:
            x &= x - 1
            t -= far
        return t

    def expand(self, d, legal, even, a, b, c, e, wa, wb, xa, xb, lock, name, worth, up):
        """What the table says of the position at ply ``d``, or else _OPEN: all is ready for its moves, which ``legal``
        has a bit each for; ``even``: pops that end the game in a draw."""
        i = (lock >> 1 ^ name * 509) % len(self.locks)
        move = 0
        if self.locks[i] == lock:
            t = self.data[i]
            if t >> 22 == name % 251:
                move = t & 15
                left = t >> 6 & 31
                v = (t >> 11 & 2047) - 1024
                # wins are kept as plies from the position
                if v > _LIMIT:
                    v -= d
                    left = 31 if self.ply + _WIN - v <= self.rules[4] else -1
                elif v < -_LIMIT:
                    v += d
                    left = 31 if self.ply + _WIN + v <= self.rules[4] else -1
                if d and left >= self.left[d]:
                    t = t >> 4 & 3
                    if t == _EXACT or (v >= self.beta[d] if t == _LOWER else v <= self.alpha[d]):
                        if -_LIMIT <= v <= _LIMIT:
                            self.guess = 1
                        return v
        row = self.plies[d]
        row[0] = a
        row[1] = b
        row[2] = c
        row[3] = e
        row[4] = wa
        row[5] = wb
        row[6] = xa
        row[7] = xb
        row[8] = lock
        row[9] = name
        row[10] = worth
        row[11] = up
        self.best[d] = -_WIN
        self.best_move[d] = 0
        if even:
            self.best[d] = 0
            if self.alpha[d] < 0:
                self.alpha[d] = 0
                self.best_move[d] = 8 + lowest(even)
                if not d:
                    self.first = self.best_move[0]
        self.line_up(d, (lock & 1) << 4, legal, move)
        return _OPEN

    def line_up(self, d, side, legal, lead):
        """Write down the moves at ply ``d``, the most promising last, ``lead`` before all; ``side``: 16 for Yellow."""
        keys, moves = self.keys, self.moves  # three at once would take from the heap
        history = self.history
        one = self.killers[2 * d]
        two = self.killers[2 * d + 1]
        start = 14 * d
        n = 0
        for move in self.order:
            if legal >> move & 1:
                if not d:
                    x = self.root[move] if move != self.first else 20000
                else:
                    x = history[side + move]
                    if move == one or move == two:
                        x += 5000
                    if move == lead:
                        x += 20000
                i = n
                while i and keys[i - 1] > x:
                    keys[i] = keys[i - 1]
                    moves[start + i] = moves[start + i - 1]
                    i -= 1
                keys[i] = x
                moves[start + i] = move
                n += 1
        self.count[d] = n

    def back(self, d, v):
        """The move at ply ``d`` is worth ``v``, more than those before it; at the root it may be less."""
        move = self.moves[14 * d + self.count[d]]
        if not d:
            if -_LIMIT <= v <= _LIMIT:
                v = min(_LIMIT, v + self.blur[move])
            self.root[move] = v
            if v <= self.best[0]:
                return
        self.best[d] = v
        if v <= self.alpha[d]:
            return
        self.alpha[d] = v
        self.best_move[d] = move
        if not d:
            ctl = self.ctl
            self.first = move
            ctl[MOVE] = move - FIRST
            ctl[SCORE] = v
            move = self.best_move[1] if self.depth > 1 else 0
            ctl[REPLY] = move - FIRST if move else -1
        elif v >= self.beta[d]:
            killers, history = self.killers, self.history
            if move != killers[2 * d]:
                killers[2 * d + 1] = killers[2 * d]
                killers[2 * d] = move
            i = ((self.plies[d][8] & 1) << 4) + move
            v = self.left[d]
            history[i] += v * v if v > 0 else 1
            if history[i] > 4000:
                for i in range(32):
                    history[i] >>= 1

    def close(self, d):
        """All moves at ply ``d`` are tried: its value, which the table keeps."""
        _, _, _, _, _, _, _, _, lock, name, _, _ = self.plies[d]
        i = (lock >> 1 ^ name * 509) % len(self.locks)
        self.locks[i] = lock
        v = x = self.best[d]
        if x > _LIMIT:
            x += d
        elif x < -_LIMIT:
            x -= d
        move = self.best_move[d]
        left = self.left[d]
        kind = _LOWER if self.alpha[d] >= self.beta[d] else _EXACT if move else _UPPER
        self.data[i] = name % 251 << 22 | x + 1024 << 11 | (left if left > 0 else 0) << 6 | kind << 4 | move
        return v

    def report(self, depth, value):
        """The root is worth ``value``, ``depth`` plies ahead; whether that is all that can be found."""
        ctl = self.ctl
        if self.first:  # else every move loses at once
            ctl[MOVE] = self.first - FIRST
        ctl[SCORE] = value
        ctl[DEPTH] = depth
        ctl[SURE] = 0 if self.guess and -_LIMIT <= value <= _LIMIT else 1
        return ctl[SURE] or depth >= max(2, ctl[MAX_DEPTH]) or depth >= _DEPTH - 1


def worker(v, ctl, board, locks, data):
    """The generator for one variation; a ``next()`` is a slice of about ``ctl[UNITS]`` units, four of them a node. The
    first ones make its tables, a piece each, and give False; then comes the function that takes what to search."""
    work = Work(v, ctl, board, locks, data)
    from engine.search_pop_tables import tables  # forgotten once they are made

    for _ in tables(work, v, _CELLS):
        yield False
    tables = None
    step, back = work.step, work.back
    close, best = work.close, work.best
    yield work.take
    while True:
        if not ctl[RESTART]:  # a search that was dropped is not done: the next one has begun
            ctl[DONE] = 1
        while not ctl[RESTART]:
            yield
        ctl[RESTART] = 0
        for n in range(work.begin()):
            if not ctl[RESTART]:
                work.prepare(n)
                yield
        if ctl[RESTART]:
            continue
        limit = ctl[BUDGET]
        left = (ctl[UNITS] >> 2) - 1
        nodes = depth = 0
        out = False
        while not ctl[RESTART]:
            depth += 1
            d = -1
            while True:
                value = step(d) if d >= 0 else work.enter_root(depth)
                if value == _NONE:
                    value = close(d)
                else:
                    d += 1
                    nodes += 1
                    if nodes >= limit and depth > 2:
                        out = True
                        break
                    left -= 1
                    if left < 0:
                        ctl[NODES] = nodes
                        yield
                        left = (ctl[UNITS] >> 2) - 1
                        if ctl[RESTART]:
                            out = True
                            break
                if value < _OPEN:
                    if not d:
                        break
                    d -= 1
                    if not d or -value > best[d]:
                        back(d, -value)
            if out or work.report(depth, value):
                break
        ctl[NODES] = nodes
