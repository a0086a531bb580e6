# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The search: iterative deepening alpha-beta and proof, that can be stepped, dropped and asked at any time."""

# What thinks is a generator made for the variation (search_drop.py; search_pop.py where discs are popped), so that a
# slice is a ``next()`` (8.8 us on the chip) and nothing is allocated while it works. Games whose turns are no simple
# alternation of two sides are left to plain.py.

from array import array

from engine.levels import LEVELS

SLICE_NODES = 4  # nodes in a slice: 1.5 ms on the RP2040, 4 at most
# What Search and its generator tell each other, by index.
(UNITS, RESTART, BUDGET, MAX_DEPTH, BLUR, BLIND, PLY, DONE) = range(8)
(MOVE, SCORE, DEPTH, NODES, SURE, PROVE, SEED, REPLY, HELD) = range(8, 17)  # HELD: 1 where a draw is sure
_POP_TENTHS = 36  # a node with pops (0.9 to 1 ms on the chip) takes the time of 3.6 without
_PROVE_FROM = 16  # ply from which the exact questions are asked


class Search:
    def __init__(self, table_bytes=4096, open_file=None, book=True):
        """A search with all its buffers; ``table_bytes`` is the size of its transposition table. (For as many
        positions as the chip can look at, 4 KB keep all but as many values as 8 KB do: `audit --table-kb` shows it.)

        :meth:`start` a position, then :meth:`step` until it returns True. ``move`` is the best move so far, ``score``
        its value for the side to move (a win is 1000 - plies to it), ``exact`` whether that is proved, ``depth`` the
        plies looked ahead and ``nodes`` the positions worked out. Raises ValueError for a table below 64 bytes.
        ``making``: the next steps make what belongs to the variation, 0.2 s of the chip's time in all; they may be
        taken before the thought is wanted. They raise MemoryError where the heap has no room for it.

        ``open_file``: a function of a file's path on the drive that returns ``read_into(offset, buffer)``, or None.
        With it the search takes what positions are worth from the variation's file (engine/search_worths.py), and,
        unless ``book`` is False, the highest level plays a variation that has a book (engine/book.py) in this order:
        the book's move; what the search proves; the net's move, which holds at least the draw; what the search found.
        ``fault``: a line on a file that could not be used, "" if there is none.
        """
        entries = table_bytes // 8
        if entries < 8:
            raise ValueError("a table of %d bytes is too small: 64 at least" % table_bytes)
        # A size without small factors: the key's remainder then depends on all of its bits.
        while entries % 2 == 0 or entries % 3 == 0 or entries % 5 == 0 or entries % 7 == 0 or entries % 11 == 0:
            entries -= 1
        self._locks = array("i", bytes(4 * entries))
        self._data = array("i", bytes(4 * entries))
        self._ctl = array("i", [0] * 17)
        self._board = bytearray(54)
        self.open_file = open_file
        self.book = book
        self.fault = ""
        self._book = None
        self._looks = False  # in the book, before the search
        self._rule = -1  # the net's move
        self._variation = self._worker = self._plain = self._position = self._follow = None
        self.making = False
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
            self._prepare(v)
        if self._plain:
            self._plain.start(position, level, seed, nodes)
            self._show_plain()
            return
        board, ctl = self._board, self._ctl
        position.copy_cells(board)
        if self.making:
            self._position = position
        elif self._follow is not None:
            self._follow(position)
        ctl[BUDGET], ctl[MAX_DEPTH], ctl[BLUR], ctl[BLIND] = LEVELS[level]
        if v.pop:
            ctl[BUDGET] = ctl[BUDGET] * 10 // _POP_TENTHS
        if nodes:
            ctl[BUDGET] = nodes
        ctl[SEED] = seed
        ctl[PLY] = position.ply
        ctl[PROVE] = _PROVE_FROM
        ctl[RESTART] = 1
        ctl[DONE] = ctl[SCORE] = ctl[DEPTH] = ctl[NODES] = ctl[SURE] = ctl[HELD] = 0
        ctl[REPLY] = self._rule = -1
        self._looks = self._book is not None and level == len(LEVELS) - 1 and not nodes
        if self._looks:
            self._book.start(position)
        for move in v.moves:
            if position.is_legal(move):
                ctl[MOVE] = move
                break
        self._show()

    def forget(self):
        """Give back what belongs to the variation of the last start; nothing can be stepped until the next one."""
        self._variation = self._worker = self._plain = self._position = self._follow = self._book = None
        self._looks = self.making = False

    def _prepare(self, v):
        """Make what belongs to a variation; what belonged to the last one is given back first."""
        self.forget()
        if v.colours > 2 or v.extra:
            from engine.plain import Plain

            self._plain = Plain(v)
        else:
            if v.pop:
                from engine.search_pop import worker

                self._worker = worker(v, self._ctl, self._board, self._locks, self._data)
            else:
                from engine.search_drop import worker

                self._worker = worker(v, self._ctl, self._board, self._locks, self._data, self.open_file)
            self.making = True
        self._variation = v
        self.fault = ""
        if v.book and self.open_file and self.book:
            try:
                from engine.book import Book

                self._book = Book(self.open_file("engine/" + v.book), v)
            except (OSError, ValueError) as error:
                self.fault = "%s: %s; playing without it" % (v.book, error)

    def step(self, units):
        """Work out about ``units`` positions more; True when the search is done."""
        if self._plain:
            done = self._plain.step()
            self._show_plain()
            return done
        ctl = self._ctl
        if self.making:
            self._make()
        elif self._looks:
            self._look()
        elif not ctl[DONE]:
            ctl[UNITS] = units
            next(self._worker)
            self._show()
        return ctl[DONE] != 0

    def _make(self):
        """The next piece of what belongs to the variation."""
        try:
            made = next(self._worker)
        except MemoryError:
            self.forget()
            raise
        if isinstance(made, str):
            self.fault = made
        elif made is not False:
            self.making = False
            if made:  # where discs are popped, the moves that led here count
                self._follow = made
                made(self._position)
            self._position = None

    def _look(self):
        """The next look into the book; a move that it has ends the search before it begins."""
        ctl, book = self._ctl, self._book
        try:
            done = book.step()
        except OSError as error:  # the drive is gone, or being written
            self.fault = "%s: %s; playing without it" % (self._variation.book, error)
            self._book = None
            self._looks = False
            return
        if done:
            self._looks = False
            self._rule = book.rule
            self.hold(book.rule >= 0)
            if book.move >= 0:
                ctl[MOVE] = book.move
                ctl[DONE] = 1
            self._show()

    def _show(self):
        ctl = self._ctl
        self.move = ctl[MOVE]
        self.score = ctl[SCORE]
        self.depth = ctl[DEPTH]
        self.nodes = ctl[NODES]
        self.exact = ctl[SURE] != 0
        if self._rule >= 0 and self.move != self._rule:
            self.move = self.choice(self._rule, self._book.leave)

    def hold(self, held):
        """Tell the search, after its start and before its first step, whether the side to move has a draw for sure."""
        self._ctl[HELD] = 1 if held else 0

    def choice(self, rule, leave):
        """The search's move or the net's, ``rule`` (-1: none). The net is left for a proved win and, from ``leave``
        discs on, for a proved draw, which the search can hold to the end."""
        if rule < 0 or self.exact and (self.score > 0 or not self.score and self._ctl[PLY] >= leave):
            return self._ctl[MOVE]
        return rule

    def _show_plain(self):
        plain = self._plain
        self.move = plain.move
        self.score = plain.score
        self.depth = plain.depth
        self.nodes = plain.nodes
        self.exact = plain.exact

    def pv(self):
        """The expected play so far, a list of moves that begins with ``move``."""
        if self._plain or self._ctl[REPLY] < 0 or self.move != self._ctl[MOVE]:
            return [self.move]
        return [self.move, self._ctl[REPLY]]
