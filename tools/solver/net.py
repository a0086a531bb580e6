# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Red's net: the positions in which "first d, then the same column" must not be followed, each with another move.

    python3 -m tools.solver.net tools/solver/red.bin     # builds the file anew: minutes, see build()

The file is read in place, two short reads a look-up:

    offset  bytes
    0       4     "FNET"
    4       1     version, 1
    5       1     discs up to which the net reaches (18): at more, exact play
    6       2     number of entries n           all numbers little-endian
    8       2     multiplier of the first hash
    10      2     multiplier of the second hash
    12      4     CRC-32 of everything from offset 16 on
    16      514   for each bucket 0-256, the number of the first entry that is not before it
    530     3 n   entries, by bucket: the check's 21 bits above the 3 bits of the column to play (0-6)

A position's code is seven numbers, one a free column: Yellow's discs, bit r for row r + 1, and a guard bit above the
top disc (an empty column is 1). Two hashes h = (h * multiplier + code) mod p over the seven, modulo 16381 and 32749,
never leave 30 bits; the first one's top 8 bits are the bucket, its other 6 and the second's 15 are the check. The
multipliers are chosen so that none of the positions in which Red follows the rule, all of which are known, is taken
for an entry.
"""

import json
import pathlib
import struct
import sys
import zlib

from . import NodeLimit, Position

MAGIC = b"FNET"
VERSION = 1
HEADER = struct.Struct("<4sBBHHHI")
BUCKETS = 256
INDEX = struct.Struct("<257H")
ENTRY_BYTES = 3
WIN_NODES = 1000000  # for one question of a win: the net is for safety, and a longer search would add hours
FIRST_PRIME, SECOND_PRIME = 16381, 32749


def place(codes, first, second):
    """(bucket, check) of a position's seven column codes."""
    a = b = 0
    for code in codes:
        a = (a * first + code) % FIRST_PRIME
        b = (b * second + code) % SECOND_PRIME
    return a >> 6, (a & 63) << 15 | b


class Net:
    """A net in memory. Raises ValueError, in one line, for bytes that are none or are damaged."""

    def __init__(self, data):
        if len(data) < HEADER.size or data[:4] != MAGIC:
            raise ValueError("not a net: it does not begin with FNET")
        _, version, self.max_ply, self.count, self.first, self.second, crc = HEADER.unpack_from(data)
        if version != VERSION:
            raise ValueError(f"a net of version {version}; this reads version {VERSION}")
        if len(data) != HEADER.size + INDEX.size + ENTRY_BYTES * self.count or zlib.crc32(data[HEADER.size :]) != crc:
            raise ValueError("the net is damaged or cut short: build it anew")
        self.index = INDEX.unpack_from(data, HEADER.size)
        self.entries = data[HEADER.size + INDEX.size :]

    def column(self, codes, ply):
        """The column to play (0-6), or -1 where the position is no entry."""
        if ply > self.max_ply:
            return -1
        bucket, check = place(codes, self.first, self.second)
        for i in range(self.index[bucket], self.index[bucket + 1]):
            entry = int.from_bytes(self.entries[ENTRY_BYTES * i : ENTRY_BYTES * (i + 1)], "little")
            if entry >> 3 == check:
                return entry & 7
        return -1


def pack(exceptions, followed, max_ply):
    """The bytes of a net. exceptions: {codes: column}; followed: codes of all positions in which the rule is followed.

    Raises ValueError where no pair of multipliers tells the positions apart."""
    for attempt in range(1000):
        first, second = 257 + 31 * attempt, 509 + 97 * attempt
        table = {}
        for codes, column in exceptions.items():
            table[place(codes, first, second)] = column
        if len(table) == len(exceptions) and not any(place(codes, first, second) in table for codes in followed):
            break
    else:
        raise ValueError("no pair of multipliers tells the positions apart")
    keys = sorted(table)
    index = [0] * (BUCKETS + 1)
    for bucket, _ in keys:
        index[bucket + 1] += 1
    for bucket in range(BUCKETS):
        index[bucket + 1] += index[bucket]
    entries = [(check << 3 | table[bucket, check]).to_bytes(ENTRY_BYTES, "little") for bucket, check in keys]
    body = INDEX.pack(*index) + b"".join(entries)
    return HEADER.pack(MAGIC, VERSION, max_ply, len(keys), first, second, zlib.crc32(body)) + body


def keeping_move(solver, position):
    """The column to play where the rule will not do: the shortest win where one is found within WIN_NODES, else, of the
    moves that hold the draw, the one nearest to the centre. Raises ValueError for a lost position."""
    side = position.mover
    filled = position.me | position.other
    columns = sorted((c for c in range(solver.columns) if solver.disc(filled, c)), key=lambda column: abs(column - 3))
    winning = []
    solver.node_limit = WIN_NODES
    try:
        if solver.can_force(position, side):
            plies = {}
            for column in columns:
                after = solver.after(position, column)
                if solver.has_line(after.other):
                    return column
                if solver.can_force(after, side):
                    winning.append(column)
                    plies[column] = solver.distance(after)
            return min(winning, key=plies.get)
    except NodeLimit:
        if winning:
            return winning[0]
    finally:
        solver.node_limit = 0
    for column in columns:
        if not solver.can_force(solver.after(position, column), side ^ 1):
            return column
    raise ValueError("the strategy has led into a lost position")


def build(strategy, progress=None):
    """(exceptions, followed) for a strategy's rows: codes of the positions in which they do not hold at least the draw
    with the column to play instead, and codes of those in which they do, over every reply of the other side up to the
    ply from which the strategy is exact."""
    from .strategy import walk

    solver, side = strategy.solver, strategy.side
    exceptions, followed = {}, set()

    def choose(discs, ply, last):
        codes = tuple(solver.column_codes(*discs))
        if codes not in exceptions:
            column = strategy.by_rows(ply, last, discs[0] | discs[1])
            position = Position(discs[side], discs[side ^ 1], side)
            if column >= 0 and not solver.can_force(solver.after(position, column), side ^ 1):
                followed.add(codes)
                return column
            exceptions[codes] = keeping_move(solver, position)
        return exceptions[codes]

    walk(strategy, choose=choose, progress=progress)
    return exceptions, followed - set(exceptions)


def main(argv):
    from .strategy import Strategy

    if len(argv) != 1:
        print("python3 -m tools.solver.net FILE: builds Red's net anew and writes it to FILE", file=sys.stderr)
        return 2
    data = json.loads((pathlib.Path(__file__).parent / "red.json").read_text("utf-8"))
    data.pop("exceptions", None)
    strategy = Strategy(data, table_mb=1024)

    def progress(ply, positions):
        print(f"{ply} discs: {positions} positions", file=sys.stderr, flush=True)

    exceptions, followed = build(strategy, progress)
    packed = pack(exceptions, followed, strategy.exact_from - 1)
    pathlib.Path(argv[0]).write_bytes(packed)
    print(f"{len(exceptions)} exceptions among {len(exceptions) + len(followed)} positions, {len(packed)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
