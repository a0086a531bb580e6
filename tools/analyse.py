# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``analyse``: game records in, one a line; what the rules and the engine say of their last positions out, as JSON."""

import json
import sys

from engine.lines import winning_lines
from engine.notation import RecordError, cell_name, move_text, parse_moves, parse_record, play_all
from engine.position import new_position
from engine.search import Search
from hal.drive import open_file
from tools import exact, options

HELP = "what the rules and the engine say of game records, one JSON object a line"
EXTRAS = ()

COLOURS = ("red", "yellow", "green")
RESULTS = COLOURS + ("draw",)
NODE_LIMIT = 3000000  # some seconds a move; a position of 12 discs takes less
ECHO = 1000  # characters of a bad record that its answer repeats


def add_arguments(parser):
    parser.add_argument(
        "records", nargs="+", metavar="RECORD", help="'d d e c-', '[classic] 4433', or - for lines of standard input"
    )
    options.add_effort(parser)
    options.add_variation(parser)
    parser.add_argument("--exact", action="store_true", help="with the exact values (five, classic, small, teams)")
    parser.add_argument("--distance", action="store_true", help="with --exact: plies to the end with best play")
    parser.add_argument(
        "--node-limit",
        type=options.whole(0, 1 << 50),
        metavar="N",
        help="with --exact: give a move up after N nodes (default %d, 0 never)" % NODE_LIMIT,
    )
    parser.add_argument(
        "--table-mb", type=options.whole(16, 1 << 20), metavar="N", help="with --exact: memory (%d)" % exact.TABLE_MB
    )
    parser.epilog = (
        "An empty line or record is the start of the game, behind the opening where one is drawn by lot; --nodes 0 "
        "asks the rules alone."
    )


class Analyst:
    """Answers records one after another; variations, positions and the search's buffers are made once.

    ``solver``: an Exact whose values are added, or None; ``distance``: its distances too.
    """

    def __init__(self, variation, level, nodes, solver=None, distance=False):
        self.default = variation
        self.solver, self.distance = solver, distance
        self.level, self.nodes = level, nodes
        self.search = None if nodes == 0 else Search(open_file=open_file)
        self._positions = {}
        self._openings = {}

    def opening(self, variation):
        """The plies that the variation draws by lot."""
        header = variation.header()
        if header not in self._openings:
            self._openings[header] = options.opening(variation, self.search or Search())
        return self._openings[header]

    def position(self, header):
        """The reused Position for a header's text ("" for the options' variation)."""
        if header not in self._positions:
            if len(self._positions) > 100:  # a file of ten thousand seeds must not keep ten thousand positions
                self._positions.clear()
            self._positions[header] = new_position(parse_record(header, self.default)[0])
        return self._positions[header]

    def answer(self, text):
        """The object for one record; raises RecordError."""
        header, bracket, _ = text.partition("]") if text.startswith("[") else ("", "", text)
        position = self.position(header + bracket)
        position.reset()
        v = position.variation
        why = exact.refusal(v) if self.solver else ""
        if why:
            raise RecordError(why, -1)
        play_all(position, parse_moves(text[len(header + bracket) :]) or self.opening(v))
        answer = {
            "variation": v.name,
            "pop": v.pop,
            "moves": " ".join(move_text(move) for move in position.moves[: position.ply]),
            "to_move": COLOURS[position.to_move],
            "legal": [move_text(move) for move in position.legal()],
            "result": None if position.result is None else RESULTS[position.result],
            "lines": [[cell_name(cell) for cell in line] for line in winning_lines(position)],
            "move": None,
            "score": None,
            "depth": None,
            "nodes": 0,
            "pv": None,
        }
        if position.result is None and self.search:
            found = options.think(self.search, position, self.level, self.nodes)
            answer["move"] = move_text(found.move)
            answer["score"], answer["depth"], answer["nodes"] = found.score, found.depth, found.nodes
            answer["pv"] = [move_text(move) for move in found.pv()]
        # What else it takes to replay the game, where it differs from the table's row.
        for name, usual in (("random", False), ("seed", None), ("mirror", 0), ("pop_both", "mover")):
            value = getattr(v, name)
            if value != usual:
                answer[name] = value
        if v.opening:
            answer["opening"] = " ".join(move_text(move) for move in position.moves[: min(v.opening, position.ply)])
        if v.collect:
            answer["points"] = list(position.points)
        if self.solver:
            answer.update(self.solver.answer(position, self.distance))
        return answer


def lines(records):
    """Each record of the arguments; for ``-`` each line of standard input, whatever its bytes and its ending."""
    for item in records:
        if item != "-":
            yield item
            continue
        for number, raw in enumerate(sys.stdin.buffer):
            text = raw.decode("utf-8", "replace")
            yield text.lstrip("\ufeff") if number == 0 else text


def chosen_solver(args, variation):
    """The Exact that the options ask for, or None. Raises OptionError or ExactError."""
    if not args.exact:
        for name in ("distance", "node_limit", "table_mb"):
            if getattr(args, name):
                raise options.OptionError("--%s is for --exact: add it" % name.replace("_", "-"))
        return None
    why = exact.refusal(variation)
    if why:
        raise options.OptionError(why)
    exact.install()
    limit = NODE_LIMIT if args.node_limit is None else args.node_limit
    return exact.Exact(args.table_mb or exact.TABLE_MB, limit)


def run(args):
    try:
        variation = options.variation(args)
        solver = chosen_solver(args, variation)
    except (options.OptionError, exact.ExactError) as error:
        print(error, file=sys.stderr)
        return 2
    analyst = Analyst(variation, args.level, args.nodes, solver, args.distance)
    status = 0
    for text in lines(args.records):
        text = text.strip()
        try:
            answer = analyst.answer(text)
        except RecordError as error:
            shown = text if len(text) <= ECHO else text[:ECHO] + "…"
            answer = {"moves": shown, "error": str(error), "index": error.index}
            status = 1
        except exact.ExactError as error:  # no solver can be had: the next record would say the same
            print(error, file=sys.stderr)
            return 2
        print(json.dumps(answer), flush=True)
    return status
