# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Exact values for commands that show them beside other things: at once, or in the background while a game is played.

Signs are those of files of positions: ``+`` ``=`` ``-``, the value of a move for the side that makes it, ``.`` a full
column, and ``?`` what is not known (yet).
"""

import threading

from tools import environment

# Variations of the rules that the solver knows, by its names for them. A lot is part of the record, and partners
# share a colour: neither changes what a position is worth.
RULES = {"five": "five", "classic": "classic", "small": "small", "random": "classic", "teams": "classic"}
SIGNS = {1: "+", 0: "=", -1: "-"}
FULL, UNKNOWN = ".", "?"
TABLE_MB = 256
SLICE_NODES = 200000  # of a question in the background: a sixth of a second, then the position is looked at again


class ExactError(Exception):
    """Exact values cannot be had; the text is one line."""


def refusal(variation):
    """Why the solver cannot take a variation, in one line; "" where it can."""
    if variation.name in RULES and not variation.pop:
        return ""
    return "%s has no exact values: the solver knows five, classic, small and teams, without pops" % variation.header()


def install():
    """Install what the solver is built with, on its first use. Raises ExactError."""
    try:
        environment.ready(("solver",))
    except environment.SetupError as error:
        raise ExactError(str(error)) from None


class Exact:
    """Solvers by variation, made when they are first needed. Raises ExactError where one cannot be built or its table
    not be had. ``node_limit``: for each question, 0 for none."""

    def __init__(self, table_mb=TABLE_MB, node_limit=0):
        self.table_mb = table_mb
        self.node_limit = node_limit
        self._solvers = {}

    def solver(self, variation):
        """The solver for a variation that :func:`refusal` lets through."""
        from tools.solver import BuildError, Solver, TableTooLarge

        key = RULES[variation.name], bool(variation.mirror)
        if key not in self._solvers:
            try:
                self._solvers[key] = Solver(key[0], self.table_mb, node_limit=self.node_limit, mirror=key[1])
            except (BuildError, TableTooLarge) as error:
                raise ExactError(str(error)) from None
        return self._solvers[key]

    def answer(self, position, distance=False):
        """What is exactly known of an engine Position: a dict with ``value`` (1, 0 or -1 for the side to move, None),
        ``by_move`` (a sign for each column, None if the game is over), with ``distance`` its plies to the end with best
        play (None: no end by force, or not known), ``exact_nodes``, and ``reason``: why a value is None, else None."""
        found = {"value": None, "by_move": None, "exact_nodes": 0, "reason": None}
        if distance:
            found["distance"] = None
        if position.result is not None:
            found["reason"] = "the game is over"
            return found
        solver = self.solver(position.variation)
        here = solver.position(list(position.moves[: position.ply]))
        signs = ""
        for column in range(solver.columns):
            sign, nodes = self.move(solver, here, column)
            signs += sign
            found["exact_nodes"] += nodes
        found["by_move"] = signs
        found["value"] = value_of(signs)
        if UNKNOWN in signs:
            found["reason"] = "not known after %d nodes a move" % self.node_limit
        if distance and found["value"]:
            from tools.solver import NodeLimit, TableTooLarge

            try:
                found["distance"] = solver.distance(here)
            except NodeLimit:
                found["reason"] = "not known after %d nodes a move" % self.node_limit
            except TableTooLarge as error:
                raise ExactError(str(error)) from None
            found["exact_nodes"] += solver.nodes
        return found

    @staticmethod
    def move(solver, here, column):
        """The sign of the move into ``column`` in a solver's position ``here``, and the nodes that it took."""
        from tools.solver import NodeLimit

        if not solver.disc(here.me | here.other, column):
            return FULL, 0
        after = solver.after(here, column)
        if solver.has_line(after.other):
            return SIGNS[1], 0
        try:
            sign = SIGNS[-solver.value(after)]
        except NodeLimit:
            sign = UNKNOWN
        return sign, solver.nodes


def value_of(signs):
    """The value for the side to move by the signs of its moves; None while it is open."""
    for sign in "+?=-":
        if sign in signs:
            return {"+": 1, "=": 0, "-": -1, "?": None}[sign]
    return 0  # no move is left: a full grid


class Watcher:
    """Works out the values of the position that is looked at, in a thread of its own; the newest position only.

    The solver lets go of the interpreter while it computes, and its questions are asked in slices: neither a key nor a
    frame waits for it, and a new position is taken up within a slice.
    """

    def __init__(self, exact=None):
        self.exact = exact or Exact(node_limit=SLICE_NODES)
        self._wanted = None  # (variation, moves)
        self._signs = ""
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="exact values", daemon=True)
        self._thread.start()

    def signs(self, variation, moves):
        """The signs of the position after ``moves`` (bytes) as far as they are known now, or a text that says why there
        are none. Never waits for the solver."""
        with self._changed:
            if self._wanted is None or self._wanted[1] != moves or self._wanted[0] is not variation:
                self._wanted = variation, moves
                self._signs = UNKNOWN * variation.free
                why = refusal(variation)
                if why:
                    self._signs = "no exact values here"
                else:
                    self._changed.notify()
            return self._signs

    def close(self):
        """End the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    def _run(self):
        seen = None
        while True:
            with self._changed:
                while not self._closed and (self._wanted is seen or refusal(self._wanted[0])):
                    seen = self._wanted
                    self._changed.wait()
                if self._closed:
                    return
                seen = wanted = self._wanted
            try:
                self._solve(wanted)
            except Exception as error:  # told where the values would be; the game goes on
                self._tell(wanted, str(error) or repr(error))

    def _tell(self, wanted, text):
        """Put the signs, or a text, for ``wanted``; False if it is no longer wanted."""
        with self._changed:
            if self._closed or wanted is not self._wanted:
                return False
            self._signs = text
            return True

    def _solve(self, wanted):
        variation, moves = wanted
        solver = self.exact.solver(variation)
        here = solver.position(list(moves))
        if solver.has_line(here.other):
            self._tell(wanted, FULL * solver.columns)
            return
        signs = [UNKNOWN] * solver.columns
        while UNKNOWN in signs:  # each column gets its slice in turn; the table keeps what one has found out
            for column in range(solver.columns):
                if signs[column] == UNKNOWN:
                    signs[column] = self.exact.move(solver, here, column)[0]
                if not self._tell(wanted, "".join(signs)):
                    return
