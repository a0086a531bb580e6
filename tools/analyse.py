# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``analyse``: game records in, one a line; what the rules and the engine say of their last positions out, as JSON."""

import json
import sys

from engine.lines import winning_lines
from engine.notation import RecordError, cell_name, move_text, parse_record, play_all
from engine.position import new_position
from engine.search import Search
from tools import options

HELP = "what the rules and the engine say of game records, one JSON object a line"
EXTRAS = ()

COLOURS = ("red", "yellow", "green")
RESULTS = COLOURS + ("draw",)
ECHO = 1000  # characters of a bad record that its answer repeats


def add_arguments(parser):
    parser.add_argument(
        "records", nargs="+", metavar="RECORD", help="'d d e c-', '[classic] 4433', or - for lines of standard input"
    )
    options.add_effort(parser)
    options.add_variation(parser)
    parser.epilog = (
        "An empty line or record is the start of the game, behind the opening where one is drawn by lot; --nodes 0 "
        "asks the rules alone."
    )


class Analyst:
    """Answers records one after another; variations, positions and the search's buffers are made once."""

    def __init__(self, variation, level, nodes):
        self.default = variation
        self.level, self.nodes = level, nodes
        self.search = None if nodes == 0 else Search()
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
        play_all(position, parse_record(text[len(header + bracket) :], v)[1] or self.opening(v))
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


def run(args):
    try:
        variation = options.variation(args)
    except options.OptionError as error:
        print(error, file=sys.stderr)
        return 2
    analyst = Analyst(variation, args.level, args.nodes)
    status = 0
    for text in lines(args.records):
        text = text.strip()
        try:
            answer = analyst.answer(text)
        except RecordError as error:
            shown = text if len(text) <= ECHO else text[:ECHO] + "…"
            answer = {"moves": shown, "error": str(error), "index": error.index}
            status = 1
        print(json.dumps(answer), flush=True)
    return status
