# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Exact values of positions without pops: `five`, `classic` and `small` (RULES.md), by a compiled search.

    from tools.solver import Solver
    solver = Solver("five", table_mb=1024)
    solver.value("5254252425")      # 0: a draw; 1 the side to move wins, -1 it loses
    solver.values("5254252425")     # the value of each of the seven moves for the side that makes it, None: full column

A position is given by the moves that lead to it: a string of digits 1-7 or letters a-g (blanks may stand between
them), any sequence of column numbers 0-6, or a Position.
"""

import mmap
import threading
import weakref
from typing import NamedTuple

from .build import BuildError, load_kernel

__all__ = [
    "RULES",
    "RULES_ALL",
    "VARIATIONS",
    "BuildError",
    "NodeLimit",
    "Position",
    "Solver",
    "TableTooLarge",
    "free_memory_mb",
]

# name: (line length, rows, free columns, side columns)
VARIATIONS = {"five": (5, 6, 7, True), "classic": (4, 6, 7, False), "small": (4, 5, 6, False)}

# What the search may use; Solver(rules=RULES_ALL & ~RULES["follow-up"]) does without one of them.
RULES = {
    "forced": 1,
    "dead-line": 2,
    "follow-up": 4,
    "neutral": 8,
    "tempo": 16,
    "mirror": 32,
    "table": 64,
    "order": 128,
}
RULES_ALL = 255

COLUMN_BITS = 7
LEAST_TABLE_MB = 16
DISTANCE_TABLE_MB = 64
UNKNOWN, FULL = 2, 3


# Move ordering, by line length: weights (kernel.h) for the attacker's moves and for the other side's. Found by random
# search for fewest nodes over random positions of 14 discs; they cannot change an answer.
WEIGHTS = {
    4: ((1, 2, 6, 20, 0, 1, -4, 9, 1, 10), (-1, -5, -6, -20, 0, 3, -5, 15, 1, 80)),
    5: ((1, 2, 5, 12, 30, 1, -4, 9, 1, 10), (-1, -5, -5, -12, -39, 3, -5, 15, 1, 80)),
}


class Position(NamedTuple):
    """Discs as bits 7 * LED column + row, of the side to move and of the other; who is to move (0 Red, 1 Yellow)."""

    me: int
    other: int
    mover: int


class NodeLimit(RuntimeError):
    """The node limit was reached before the answer."""


class TableTooLarge(MemoryError):
    """More memory was asked for than there is; the text says how much there is."""


def free_memory_mb():
    """Memory that can be had without swapping, in MiB; honours a control group's limit. None where nobody can tell."""
    free = None
    try:
        import psutil

        free = psutil.virtual_memory().available >> 20
    except ImportError:
        try:
            with open("/proc/meminfo", encoding="ascii") as lines:
                free = next(int(line.split()[1]) >> 10 for line in lines if line.startswith("MemAvailable"))
        except (OSError, ValueError, StopIteration):  # no Linux
            pass
    try:
        with (
            open("/sys/fs/cgroup/memory.max", encoding="ascii") as limit,
            open("/sys/fs/cgroup/memory.current", encoding="ascii") as used,
        ):
            left = (int(limit.read()) - int(used.read())) >> 20
            free = left if free is None else min(free, left)
    except (OSError, ValueError):  # no such file, or "max"
        pass
    return free


class _Table:
    """The words of a table, all 0 at first; freed with the last solver that uses it.

    table_mb: its size in MiB, rounded down to a power of two. bucket_bytes: of one bucket, a power of two.
    """

    def __init__(self, ffi, table_mb, bucket_bytes, across_processes):
        size = 1 << (table_mb << 20).bit_length() - 1
        self.bucket_bits = (size // bucket_bytes).bit_length() - 1
        free = free_memory_mb()
        if free is not None and size >> 20 > free:
            fits = 1 << (max(free, 1).bit_length() - 1)
            raise TableTooLarge(
                f"a table of {size >> 20} MiB takes {size >> 20} MiB of memory and {free} MiB are free: "
                f"--table-mb {fits} fits, gives the same answers and takes longer"
            )
        self.size_mb = size >> 20
        try:
            self.memory = self._reserve(size, across_processes)
        except OSError as error:
            raise TableTooLarge(
                f"a table of {size >> 20} MiB cannot be had ({error}): a smaller --table-mb gives the same answers"
            ) from None
        self.words = ffi.from_buffer("uint64_t[]", self.memory)

    @staticmethod
    def _reserve(size, across_processes):
        if not hasattr(mmap, "MAP_PRIVATE") or across_processes:
            return mmap.mmap(-1, size)
        memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        if hasattr(mmap, "MADV_HUGEPAGE"):
            try:
                memory.madvise(mmap.MADV_HUGEPAGE)  # a look-up is a random access: fewer misses in the TLB
            except OSError:
                pass
        return memory


_kernel = None
_tables = weakref.WeakValueDictionary()
_calls = threading.local()  # .problems: what was raised while this thread's call was in the kernel


def _load():
    global _kernel
    if _kernel is None:
        _kernel = load_kernel()

        def stop_on_error(exception, value, traceback):
            _calls.problems.append(value)
            return 0

        @_kernel.ffi.def_extern(name="five_keep_going", error=0, onerror=stop_on_error)
        def keep_going(nodes):
            return 1  # entering the interpreter is what lets a pending Ctrl-C arrive

    return _kernel


class Solver:
    """Exact values for one variation.

    variation: a name in VARIATIONS. mirror: in `five`, the side columns exchanged (the setting of RULES.md).
    table_mb: size of the transposition table in MiB, rounded down to a power of two, at least 16. Solvers of one
    process with the same variation, size and rules share one table, in threads too; a solver itself is for one thread.
    rules: sum of RULES. node_limit: interior nodes a question may take before it is given up, 0: no limit.
    across_processes: the table is inherited by forked processes and written by all of them.
    Raises ValueError for an unknown variation or a wrong size, TableTooLarge, BuildError.
    """

    def __init__(
        self, variation="five", table_mb=1024, rules=RULES_ALL, node_limit=0, mirror=False, across_processes=False
    ):
        if variation not in VARIATIONS:
            raise ValueError(f"the solver knows {', '.join(VARIATIONS)}, not {variation!r}")
        if table_mb < LEAST_TABLE_MB:
            raise ValueError(f"a table of {table_mb} MiB is too small: at least {LEAST_TABLE_MB}")
        self.variation = variation
        self.mirror = bool(mirror)
        self.line, self.rows, self.columns, sides = VARIATIONS[variation]
        self._ffi, self._lib = _load().ffi, _load().lib
        self._key = (variation, self.mirror, int(table_mb), rules, across_processes)
        self._table = table = self._shared_table("values", int(table_mb), 32)
        self._distances = None

        column = (1 << self.rows) - 1
        self._column = [column << COLUMN_BITS * (1 + i) for i in range(self.columns)]
        self._start = [0, 0]  # discs that stand from the start, Red's and Yellow's
        if sides:
            for led_column, first in ((0, self.mirror), (8, not self.mirror)):
                for row in range(self.rows):
                    self._start[(row + first) & 1] |= 1 << COLUMN_BITS * led_column + row
        self._k = k = self._ffi.new("struct kernel *")
        k.line, k.rows, k.rules = self.line, self.rows, rules
        k.bucket_bits, k.table = table.bucket_bits, table.words
        k.free = sum(self._column)
        k.grid = k.free | self._start[0] | self._start[1]
        k.floor = self._floor = sum(1 << COLUMN_BITS * (1 + i) for i in range(self.columns))
        k.symmetrical = not sides and self.columns == 7
        k.weight = WEIGHTS[self.line]
        self.node_limit = node_limit

    def _shared_table(self, kind, table_mb, bucket_bytes):
        table = _tables.get((kind, *self._key))
        if table is None:
            table = _Table(self._ffi, table_mb, bucket_bytes, self._key[-1])
            _tables[(kind, *self._key)] = table
        return table

    # ---------------------------------------------------------------- positions

    def columns_of(self, moves):
        """The column numbers 0.. of a record. Raises ValueError with the place of the first sign that is no column."""
        if not isinstance(moves, str):
            return list(moves)
        columns = []
        for index, sign in enumerate(moves):
            if sign.isspace():
                continue
            column = "1234567".find(sign)
            if column < 0:
                column = "abcdefg".find(sign.lower())
            if column < 0:
                raise ValueError(f"{moves!r}: sign {index + 1} is {sign!r}; a column is 1-7 or a-g")
            columns.append(column)
        return columns

    def position(self, moves):
        """The Position that moves lead to. Raises ValueError, in one line, for a move that cannot be made."""
        if isinstance(moves, Position):
            return moves
        sides = list(self._start)
        filled = sides[0] | sides[1]
        mover = 0
        over = False
        for ply, column in enumerate(self.columns_of(moves)):
            if over:
                raise ValueError(f"{_text(moves)}: the game is over after {ply} moves")
            if not 0 <= column < self.columns:
                raise ValueError(f"{_text(moves)}: move {ply + 1} names column {column}; there are {self.columns}")
            disc = self.disc(filled, column)
            if not disc:
                raise ValueError(f"{_text(moves)}: move {ply + 1}: column {'abcdefg'[column]} is full")
            sides[mover] |= disc
            filled |= disc
            over = ply >= 2 * self.line - 4 and self.has_line(sides[mover])
            mover ^= 1
        return Position(sides[mover], sides[mover ^ 1], mover)

    def after(self, position, column):
        """The Position after a move into a column that is not full."""
        me, other, mover = position
        return Position(other, me | self.disc(me | other, column), mover ^ 1)

    @property
    def start(self):
        """(Red's, Yellow's) discs before the first move: bit 7 * LED column + row each."""
        return tuple(self._start)

    def disc(self, filled, column):
        """The bit of the cell into which a disc falls, 0 where the column is full."""
        return (filled + self._floor) & self._column[column]

    def height(self, filled, column):
        """How many discs stand in the column."""
        return (filled & self._column[column]).bit_count()

    def column_codes(self, red, yellow):
        """A code 1-127 for each column, as engine positions have it: Yellow's discs and a guard bit above the top."""
        codes = []
        for column in range(self.columns):
            shift = COLUMN_BITS * (1 + column)
            codes.append((yellow >> shift & 63) | 1 << self.height(red | yellow, column))
        return codes

    def has_line(self, discs):
        """Whether these discs hold a line."""
        for step in (1, 6, 7, 8):
            run = discs
            for i in range(1, self.line):
                run &= discs >> step * i
            if run:
                return True
        return False

    # ---------------------------------------------------------------- questions

    @property
    def nodes(self):
        """Interior nodes of the last call."""
        return self._k.nodes

    def _call(self, function, *arguments):
        self._k.nodes = 0
        self._k.limit = self.node_limit
        problems = _calls.problems = []
        result = function(self._k, *arguments)
        if problems:
            raise problems[0]
        return result

    def value(self, moves):
        """1, 0 or -1 for the side to move: a win, a draw, a loss. Raises ValueError, NodeLimit."""
        result = self._call(self._lib.kernel_value, *self.position(moves))
        if result == UNKNOWN:
            raise NodeLimit(f"{_text(moves)}: not known after {self.node_limit} nodes")
        return result

    def values(self, moves):
        """The value of each move for the side that makes it; None for a full column. Raises ValueError, NodeLimit."""
        seven = self._ffi.new("int8_t[7]")
        self._call(self._lib.kernel_values, *self.position(moves), seven)
        if UNKNOWN in list(seven):
            raise NodeLimit(f"{_text(moves)}: not known after {self.node_limit} nodes")
        return [None if v == FULL else v for v in seven][: self.columns]

    def values_many(self, positions, moves=True):
        """Values of many positions in one call, without the interpreter in between.

        positions: a sequence of records. Returns a list of (value, values), or of values alone for moves=False, as
        from value() and values(); where the node limit was reached a value is None and the seven are None as a whole.
        """
        parsed = [self.position(p) for p in positions]
        count = len(parsed)
        me = self._ffi.new("uint64_t[]", [p[0] for p in parsed])
        other = self._ffi.new("uint64_t[]", [p[1] for p in parsed])
        mover = self._ffi.new("uint8_t[]", [p[2] for p in parsed])
        value = self._ffi.new("int8_t[]", max(count, 1))
        sevens = self._ffi.new("int8_t[]", max(7 * count, 1)) if moves else self._ffi.NULL
        self._call(self._lib.kernel_values_many, count, me, other, mover, value, sevens)
        results = []
        for i in range(count):
            one = None if value[i] == UNKNOWN else value[i]
            if not moves:
                results.append(one)
                continue
            seven = list(sevens[7 * i : 7 * i + self.columns])
            results.append((one, None if UNKNOWN in seven else [None if v == FULL else v for v in seven]))
        return results

    def distance(self, moves):
        """Plies to the end with best play, the winner's shortest against the longest defence; 0 if the game is over
        by a line, None for a draw. Takes an additional table of 64 MiB from the first call on.

        Raises ValueError, NodeLimit, TableTooLarge."""
        if self._distances is None:
            self._distances = self._shared_table("distances", DISTANCE_TABLE_MB, 16)
            self._k.distance_bits, self._k.distance_table = self._distances.bucket_bits, self._distances.words
        plies = self._call(self._lib.kernel_distance, *self.position(moves))
        if plies == -2:
            raise NodeLimit(f"{_text(moves)}: not known after {self.node_limit} nodes")
        return None if plies < 0 else plies

    def can_force(self, moves, attacker):
        """Whether `attacker` (0 Red, 1 Yellow) can force a line from here. Raises ValueError, NodeLimit."""
        result = self._call(self._lib.kernel_question, *self.position(moves), attacker)
        if result == UNKNOWN:
            raise NodeLimit(f"{_text(moves)}: not known after {self.node_limit} nodes")
        return bool(result)


def _text(moves):
    if isinstance(moves, Position):
        return "a position of %d discs" % (moves.me | moves.other).bit_count()
    return repr(moves) if isinstance(moves, str) else repr("".join("abcdefg"[c] if 0 <= c < 7 else "?" for c in moves))
