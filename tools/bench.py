# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``bench``: how fast the search is, here and (estimated by counted instructions) on the board's chip."""

import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from engine.catalogue import NAMES
from engine.notation import move_text, parse_header, replay
from engine.search import Search
from hal.drive import open_file
from tools import options
from tools.environment import ROOT

HELP = "nodes, time and nodes per second of the search; --mcu estimates the board's milliseconds"
EXTRAS = ()

# name, record, plies: the start at the two depths that the board's goal is stated for, and five fixed positions from
# opening to ending (quiet, sharp with one move that holds, sharp with one that wins, crowded, with pops).
POSITIONS = (
    ("start", "", 8),
    ("start", "", 10),
    ("quiet", "4 4 3 3 5", 8),
    ("one draws", "5254252425", 8),
    ("one wins", "442336634144", 8),
    ("crowded", "3664531636421215343342", 10),
    ("pops", "[five pop] d d d e d- c e", 6),
)
INSTRUCTIONS_PER_MS = 80_000  # desktop MicroPython instructions per RP2040 millisecond, calibrated on search code
STEP_NODES = 8  # nodes a step, as the board's slices: the depth is looked at this often
BUDGET = options.MAX_NODES


def add_arguments(parser):
    parser.add_argument("--depth", type=options.whole(1, 42), metavar="PLIES", help="the same depth for every position")
    parser.add_argument("--mcu", action="store_true", help="also estimate RP2040 milliseconds (valgrind, MicroPython)")
    parser.add_argument(
        "--heap", action="store_true", help="what the firmware holds on a 32-bit heap (Node.js) instead"
    )
    parser.add_argument(
        "--variations", action="store_true", help="what choosing a variation takes on the board (valgrind) instead"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--emulated", action="store_true", help="measure the real firmware in the emulated chip")
    parser.add_argument("--uf2", metavar="FILE", help="with --emulated: the CircuitPython firmware (or FIVE_UF2)")
    parser.add_argument("--bootrom", metavar="FILE", help="with --emulated: the chip's boot ROM (or FIVE_BOOTROM)")
    parser.add_argument("--quick", action="store_true", help="with --emulated: a tenth of the presses, fewer searches")
    parser.add_argument(
        "--parts",
        nargs="+",
        choices=("power_on", "modules", "search", "game", "presses"),
        help="with --emulated: only these",
    )


def wrong(args):
    """One line on options that do not go together, else None."""
    if not args.emulated:
        for name in ("uf2", "bootrom", "quick", "parts"):
            if getattr(args, name):
                return "--%s is for the emulated chip: add --emulated" % name
    kinds = [name for name in ("emulated", "heap", "variations") if getattr(args, name)]
    if len(kinds) > 1:
        return "--%s and --%s are two measurements: one at a time" % tuple(kinds[:2])
    if kinds and (args.mcu or args.depth):
        return "--%s is for the search's table: leave out --%s" % ("mcu" if args.mcu else "depth", kinds[0])
    return None


def to_depth(search, position, depth):
    """Search until ``depth`` plies are complete, or the value is proved before that."""
    search.start(position, options.LEVEL_MAX, nodes=BUDGET)
    while search.depth < depth and not search.step(STEP_NODES):
        pass


def measure(name, text, depth):
    """One row of the table, timed on this computer."""
    search = Search(open_file=open_file)
    position = replay(text)
    search.start(position, options.LEVEL_MAX, nodes=1)
    while not search.step(STEP_NODES):  # what belongs to a variation is made once, outside the time
        pass
    began = time.perf_counter()
    to_depth(search, position, depth)
    seconds = time.perf_counter() - began
    return {
        "position": name,
        "record": text,
        "depth": depth,
        "move": move_text(search.move),
        "score": search.score,
        "nodes": search.nodes,
        "seconds": round(seconds, 4),
        "nodes_per_second": round(search.nodes / seconds) if seconds else None,
    }


# The same loop as to_depth, and the same without it: their difference is the search alone.
GUEST = """
from engine.notation import replay
from engine.search import Search
from hal.drive import open_file
search = Search(open_file=open_file)
position = replay(%r)
search.start(position, %d, nodes=1)
while not search.step(8):
    pass
search.start(position, %d, nodes=%d)
depth = %d
while search.depth < depth and not search.step(%d):
    pass
print(search.nodes)
"""


# CPython with nothing of its own (-I -S) around MicroPython's module: what it executes itself is the same twice.
STARTER = "import sys; sys.path.append(%r); from micropython_run import run_main; sys.exit(run_main(sys.argv[1:]))"


def mcu_missing():
    """None where the estimate can be made, else one line that says what is missing."""
    if not shutil.which("valgrind"):
        return "no estimate of the board's time: valgrind is not installed (Debian: apt install valgrind)"
    if importlib.util.find_spec("micropython_run") is None:
        return "no estimate of the board's time: there is no MicroPython package for this system"
    return None


def micropython():
    """The command that starts MicroPython for the desktop under callgrind."""
    folder = Path(importlib.util.find_spec("micropython_run").origin).parent
    return [sys.executable, "-I", "-S", "-c", STARTER % str(folder), "micropython"]


def instructions(script, folder):
    """(instructions executed, text printed) of a MicroPython script, counted by callgrind."""
    path = Path(folder) / "bench.py"
    path.write_text(script, encoding="utf-8")
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=" + os.devnull]
    command += [*micropython(), "-X", "heapsize=320k", str(path)]
    # A fixed hash seed: the interpreter around MicroPython must do the same work in both runs.
    environment = dict(os.environ, MICROPYPATH=str(ROOT) + ":.frozen", PYTHONHASHSEED="0")
    done = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=folder, env=environment)
    found = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
    if done.returncode or not found:
        raise RuntimeError("callgrind: " + (done.stderr.strip().splitlines() or ["no message"])[-1])
    return int(found.group(1)), done.stdout


def estimate(row, baselines):
    """Add the board's milliseconds to a row, by the difference of two counted runs.

    ``baselines`` keeps the first of them, by record.
    """

    def count(depth):
        script = GUEST % (row["record"], options.LEVEL_MAX, options.LEVEL_MAX, BUDGET, depth, STEP_NODES)
        with tempfile.TemporaryDirectory() as folder:
            return instructions(script, folder)

    if row["record"] not in baselines:
        baselines[row["record"]] = count(0)[0]
    counted, printed = count(row["depth"])
    nodes = int(printed)
    row["mcu_ms"] = round((counted - baselines[row["record"]]) / INSTRUCTIONS_PER_MS, 1)
    row["mcu_us_per_node"] = round(1000 * row["mcu_ms"] / nodes, 1) if nodes else None
    if nodes != row["nodes"]:
        raise RuntimeError("MicroPython searched %d nodes of '%s', CPython %d" % (nodes, row["position"], row["nodes"]))


# All that is made when a variation is chosen; the modules that do it are read before.
CHOOSING = """
import engine.book, engine.catalogue, engine.extras, engine.plain, engine.search_drop, engine.search_pop
import engine.search_ends, engine.search_pop_tables, engine.search_tables, engine.search_worths
from engine.notation import parse_header
from engine.position import new_position
from engine.search import Search
from hal.drive import open_file
search = Search(open_file=open_file)
if %r:
    search.start(new_position(parse_header(%r)), 6, nodes=1)
    while search.making:
        search.step(8)
"""


def variation_headers():
    """Every variation as a header's words, with pops as well where they are an option."""
    headers = []
    for name in NAMES:
        headers.append(name)
        try:
            with_pops = parse_header(name + " pop").header()
        except ValueError:
            continue
        if with_pops != parse_header(name).header():
            headers.append(name + " pop")
    return headers


def choosing(headers):
    """Rows {"variation", "lines", "mcu_ms"}: milliseconds of the board to make lines, position and the search's tables.
    Raises RuntimeError where instructions can't be counted."""
    with tempfile.TemporaryDirectory() as folder:
        nothing = instructions(CHOOSING % ("", ""), folder)[0]
        rows = []
        for header in headers:
            counted = instructions(CHOOSING % (header, header), folder)[0] - nothing
            lines = parse_header(header).line_count
            rows.append({"variation": header, "lines": lines, "mcu_ms": round(counted / INSTRUCTIONS_PER_MS, 1)})
    return rows


def run_variations(args):
    """The cost of choosing a variation instead of the search's; the exit status."""
    problem = mcu_missing()
    if problem:
        print(problem, file=sys.stderr)
        return 1
    try:
        rows = choosing(variation_headers())
    except (OSError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 1
    if args.json:
        print(json.dumps({"instructions_per_ms": INSTRUCTIONS_PER_MS, "rows": rows}))
        return 0
    print("%-14s %5s %11s" % ("variation", "lines", "RP2040 ms"))
    for row in rows:
        print("%-14s %5d %11.0f" % (row["variation"], row["lines"], row["mcu_ms"]))
    print("lines, position and search tables; estimated, %d counted instructions a millisecond" % INSTRUCTIONS_PER_MS)
    return 0


def table(rows):
    """The rows as text."""
    head = "%-10s %5s %5s %6s %9s %9s %9s" % ("position", "plies", "move", "score", "nodes", "s", "nodes/s")
    mcu = any("mcu_ms" in row for row in rows)
    text = [head + ("   RP2040 ms   µs/node" if mcu else "")]
    for row in rows:
        line = "%-10s %5d %5s %6d %9d %9.3f %9d" % (
            row["position"],
            row["depth"],
            row["move"],
            row["score"],
            row["nodes"],
            row["seconds"],
            row["nodes_per_second"] or 0,
        )
        if "mcu_ms" in row:
            line += "   %9.0f %9.0f" % (row["mcu_ms"], row["mcu_us_per_node"] or 0)
        text.append(line)
    if mcu:
        text.append("RP2040: estimated, %d counted instructions a millisecond" % INSTRUCTIONS_PER_MS)
    return "\n".join(text)


def run_heap(args):
    """The heap instead of the time; the exit status."""
    from tools import heap, node
    from tools.guest import GuestError

    problem = node.install()
    if problem:
        print(problem, file=sys.stderr)
        return 1
    try:
        found = heap.measure()
    except GuestError as error:
        print(error, file=sys.stderr)
        return 1
    print(json.dumps(found) if args.json else heap.table(found))
    return 0


def run(args):
    if args.emulated:
        from tools.emulator import bench as emulated

        return emulated.run(args)
    if args.heap:
        return run_heap(args)
    if args.variations:
        return run_variations(args)
    problem = mcu_missing() if args.mcu else None
    if problem:
        print(problem, file=sys.stderr)
    rows, baselines = [], {}
    for name, text, depth in POSITIONS:
        row = measure(name, text, args.depth or depth)
        if args.mcu and not problem:
            try:
                estimate(row, baselines)
            except (OSError, RuntimeError) as error:
                print(error, file=sys.stderr)
                return 1
        rows.append(row)
    if args.json:
        python = "%s %s" % (platform.python_implementation(), platform.python_version())
        print(json.dumps({"python": python, "instructions_per_ms": INSTRUCTIONS_PER_MS, "rows": rows}))
    else:
        print(table(rows))
    return 0
