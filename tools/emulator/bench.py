# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``bench --emulated``: what the product costs on the real firmware, in virtual time.

Each part is a row of PARTS: it takes (args, scale, tell) and returns {figure: value}; `scale` is 1 for the whole
measurement and less for a quick one. tell(text) says how far it is.
"""

import bisect
import json
import platform
import random
import statistics
import sys
import time

from tools import heap
from tools.emulator import firmware, tour
from tools.emulator.board import EmulatedBoard, product_files
from tools.emulator.errors import EmulatorError
from tools.emulator.probe import Probe
from tools.emulator.session import Session, column, is_flash

QUICK = 0.1
PRESSES = 1000  # TOUR of them in every scene, half of the others in play, half during thought
TOUR = 100
BOUNCES_MS = (2, 8)
HOLD_MS = (30, 60)
ANSWER_MS = 120  # a press whose answer comes later, or never, is lost
GAP_MS = (270, 330)  # between two presses during thought: a flash takes 240
PREPARED_MS = 1000  # from the first line of a game until its tables are made
SEARCH_LEVEL = 6

# Records of five-in-a-row that are open, plies 10 to 32, spread over the positions of five.csv
POSITIONS = (
    "4511464523 434341441343 62124742322643 41435213774174 4444425435375773 5525327352145663 432774344365744756 "
    "672662226633267524 413633255227655234 47621744332715323163 43416131767115455415 5445455515414412227223 "
    "4473551271663636537663 534434735534774712275113 44434343433322557775222755 33736371541113357742471126 "
    "5515557474175343477731641224 566443365443154135432222637775 645565114646344646551322321177 "
    "35755734136113374656756752676213"
).split()

WAIT_FOR_COMPUTER = """
import gc, time, supervisor
while not supervisor.runtime.serial_connected:
    pass
time.sleep(0.3)
"""
IMPORTS = """
gc.collect()
print("bench: free", gc.mem_free())
for name in %r:
    gc.collect()
    held = gc.mem_alloc()
    start = time.monotonic_ns()
    __import__(name)
    us = (time.monotonic_ns() - start) // 1000
    gc.collect()
    print("bench: module", name, us, gc.mem_alloc() - held)
print("bench: end", gc.mem_free())
"""
# The variation's tables are made before the time begins, as in a game; nothing is taken from the heap while it runs.
SEARCHES = """
import os
from supervisor import ticks_ms
from engine.search import SLICE_NODES, Search
from firmware import settings
search = Search(1024 * settings.load(os.getenv).table_kb)
from engine.notation import replay
for record in %r:
    position = replay(record)
    search.start(position, %d)
    while search.making:
        search.step(1)
    gc.collect()
    longest = 0
    start = now = ticks_ms()
    done = False
    while not done:
        done = search.step(SLICE_NODES)
        then = now
        now = ticks_ms()
        longest = max(longest, now - then)
    print("bench: search", record, now - start, search.nodes, longest, search.move)
print("bench: end", gc.mem_free())
"""


def board_program(args, program, words, limit_ms):
    """Run a program as code.py among the product's files; its "bench:" lines, split into words, behind that word."""
    extra = {"code.py": (WAIT_FOR_COMPUTER + program % words).encode(), "boot.py": None}
    with EmulatedBoard(args.uf2, args.bootrom, files=product_files(extra=extra)) as board:
        over = ("bench: end", "Traceback")
        if not board.run_until(lambda: any(line.text.startswith(over) for line in board.lines), limit_ms):
            raise EmulatorError("the board's program did not end in %d s" % (limit_ms // 1000))
        board.run_for(100)
        if "Traceback" in board.text():
            raise EmulatorError("on the board: %s" % board.lines[-1].text)
        return [line.text.split()[1:] for line in board.lines if line.text.startswith("bench: ")]


# The parts


def power_on(args, scale, tell):
    """From power-on to light, and until a press is taken."""
    with EmulatedBoard(args.uf2, args.bootrom) as board:
        session = Session(board)
        session.switch_on()
        whole = next(frame for frame in board.frames if all(any(column(frame.rgb, i)[5]) for i in range(7)))
        found = {
            "first_light_ms": round(board.frames[0].start_ms),
            "light_test_ms": round(whole.start_ms),
            "faults": session.faults(),
        }
    with EmulatedBoard(args.uf2, args.bootrom, ran_before=False) as board:
        board.run_until(lambda: bool(board.frames))
        found["first_light_of_a_new_board_ms"] = round(board.frames[0].start_ms)
    return found


def modules(args, scale, tell):
    """Import time and heap of each module, in the order in which each counts its own."""
    names = heap.modules()
    lines = board_program(args, IMPORTS, (names,), 60000)
    table = [[words[1], round(int(words[2]) / 1000, 1), int(words[3])] for words in lines if words[0] == "module"]
    return {
        "modules": table,
        "import_ms": round(sum(row[1] for row in table)),
        "modules_bytes": sum(row[2] for row in table),
        "free_at_start_bytes": int(lines[0][1]),
        "free_with_all_modules_bytes": int(lines[-1][1]),
    }


def search(args, scale, tell):
    """The strongest level over 20 positions, without the loop around it."""
    records = POSITIONS[:: round(1 / max(scale, 0.25))]
    lines = board_program(args, SEARCHES, (records, SEARCH_LEVEL), 20000 * len(records) + 20000)
    rows = [[words[1]] + [int(word) for word in words[2:5]] for words in lines if words[0] == "search"]
    times_s = [row[1] / 1e3 for row in rows]
    return {
        "positions": len(rows),
        "us_per_node": round(1e3 * sum(row[1] for row in rows) / sum(row[2] for row in rows), 1),
        "move_s": {"median": round(statistics.median(times_s), 2), "worst": round(max(times_s), 2)},
        "slice_ms": {
            "median_of_longest": statistics.median(row[3] for row in rows),
            "worst": max(row[3] for row in rows),
        },
        "searches": rows,
    }


def game(args, scale, tell):
    """Whole games by presses; heap and collections in them."""
    found = {"games": {}}
    with Probe(args.uf2, args.bootrom) as board:
        session = Session(board)
        session.switch_on()
        plans = (("five level 3 single", 3), ("five level 6 single", 6), ("five two single", 0))
        for words, _ in plans if scale == 1 else plans[:1]:
            began_ms = board.now_ms()
            session.begin(words)
            board.heap()  # the notes begin anew
            board.run_for(50)  # the round that told of the heap is over
            started = len(board.edges)

            position = session.play_game(words, board.note_heap)
            heap_now = board.heap()
            notes = heap_now.pop("notes")
            lengths = [length for end, length in board.rounds(board.edges[started][2])]
            del board.edges[:]
            found["games"][words] = {
                "plies": position.ply,
                "virtual_s": round((board.now_ms() - began_ms) / 1000),
                "collections": sum(1 for a, b in zip(notes, notes[1:]) if b > a),
                "free_bytes": heap_now["collected"],
                "least_free_bytes": min(notes, default=heap_now["free"]),
                "largest_block_bytes": heap_now["largest"],
                "round_ms": {"median": round(statistics.median(lengths), 1), "worst": round(max(lengths[:-1]), 1)},
            }
            tell("%s: %d plies" % (words, position.ply))
        found["faults"] = session.faults()
    return found


class Presses:
    """Scripted presses at random phases: what was answered, when, and how evenly a disc falls."""

    def __init__(self, board, bounce_ms, seed):
        self.board = board
        self.lots = random.Random(seed)
        self.session = Session(board, seed)
        self.bounce_ms = bounce_ms
        self.pressed = self.lost = self.doubled = 0
        self.latencies_ms = []
        self.gaps_ms = []

    def press(self, button):
        """Press at a random phase of the next 15 ms, for a random time; (time of the first contact, frame before)."""
        board = self.board
        at_ms = board.now_ms() + self.lots.uniform(0, 15)
        board.press(button, at_ms, self.lots.uniform(*HOLD_MS), self.bounce_ms)
        self.pressed += 1
        board.run(at_ms)
        return at_ms, board.frame

    def first_frame(self, at_ms, is_answer):
        """The first Frame after `at_ms` that is_answer(rgb) of, and whose number it is; it must come in ANSWER_MS."""
        frames = self.board.frames
        first = bisect.bisect(frames, at_ms, key=lambda frame: frame.start_ms)
        for number in range(first, len(frames)):
            if frames[number].start_ms > at_ms + ANSWER_MS:
                break
            if is_answer(frames[number].rgb):
                return number
        return None

    def answered(self, at_ms, is_answer):
        number = self.first_frame(at_ms, is_answer)
        if number is None:
            self.lost += 1
        else:
            self.latencies_ms.append(self.board.frames[number].start_ms - at_ms)
        return number

    def in_play(self, count):
        """`count` drops in games of two people, each when the disc before it has come to rest."""
        session, board = self.session, self.board
        session.begin("five two single")
        while self.pressed < count:
            position = session.position
            if position.result is not None or position.ply >= 40:
                board.run_for(300)
                session.begin("five two single")
                board.run_for(300)
                continue
            last = position.moves[position.ply - 1] if position.ply else -1
            quiet = session.quiet_moves()
            button = self.lots.choice([move for move in quiet if move != last] or quiet)
            board.run_for(self.lots.uniform(0, 100))
            ply = position.ply
            height = position.height(button)
            at_ms, before = self.press(button)
            session.wait_for_ply(ply + 1, 400)
            board.run_for(600)  # the longest fall takes 0.5 s
            session.follow()
            self.doubled += max(0, session.position.ply - ply - 1)
            top = column(before, button)[5]
            number = self.answered(at_ms, lambda rgb: column(rgb, button)[5] != top)  # noqa: B023
            if number is not None:
                self.fall(number, button, height)

    def fall(self, number, button, height):
        """Gaps between the frames of a falling disc, until it has reached its cell."""
        frames = self.board.frames
        while number + 1 < len(frames):
            now, after = frames[number], frames[number + 1]
            cells = column(now.rgb, button)
            if any(cells[height]) and not any(any(cell) for cell in cells[height + 1 :]):
                return
            self.gaps_ms.append(after.start_ms - now.start_ms)
            number += 1

    def in_thought(self, count):
        """`count` presses while the engine thinks at the strongest level; each is refused, with a flash. The first
        second of a game, in which its tables are made, is no thought and is left out.
        """
        session, board = self.session, self.board
        words = "five level %d engine red single" % SEARCH_LEVEL
        session.begin(words)
        board.run_for(PREPARED_MS)
        while self.pressed < count:
            session.follow()
            position = session.position
            if position.result is not None or position.ply >= 40:
                session.begin(words)
                board.run_for(PREPARED_MS)
            elif position.to_move:  # the engine is Red: it is our turn
                board.run_for(900)
                session.press_move(self.lots.choice(session.quiet_moves()))
                if not session.wait_for_ply(position.ply + 1, 1000):
                    raise EmulatorError("a move was not taken at ply %d" % position.ply)
                board.run_for(900)
            else:
                button = self.lots.randrange(7)
                before_lines = len(board.lines)
                at_ms, _ = self.press(button)
                board.run_for(self.lots.uniform(*GAP_MS))
                if len(board.lines) > before_lines:  # the engine has moved meanwhile: this one was no such press
                    self.pressed -= 1
                    continue
                self.answered(at_ms, lambda rgb: is_flash(rgb, button))  # noqa: B023


def presses(args, scale, tell):
    """Presses that are lost or doubled, and how long until the first changed frame."""
    found = {"pressed": 0, "lost": 0, "doubled": 0}
    count = round((PRESSES - TOUR) * scale / 4)
    gaps = []
    for place in ("in_play", "in_thought"):
        for bounce_ms in BOUNCES_MS:
            with EmulatedBoard(args.uf2, args.bootrom) as board:
                run = Presses(board, bounce_ms, seed=bounce_ms)
                run.session.switch_on()
                getattr(run, place)(count)
            latencies = run.latencies_ms
            found["%s_bounce_%d_ms" % (place, bounce_ms)] = {
                "presses": run.pressed,
                "lost": run.lost,
                "first_frame_ms": {"median": round(statistics.median(latencies), 1), "worst": round(max(latencies), 1)},
            }
            found["pressed"] += run.pressed
            found["lost"] += run.lost
            found["doubled"] += run.doubled
            gaps += run.gaps_ms
            tell("%s, bounce %d ms: %d presses, %d lost" % (place, bounce_ms, run.pressed, run.lost))
    with EmulatedBoard(args.uf2, args.bootrom) as board:
        walked = tour.walk(board, round(TOUR * scale), seed=1)
    found["scenes"] = {
        scene: {"presses": len(ms), "median": round(statistics.median(ms), 1), "worst": round(max(ms), 1)}
        for scene, ms in walked.latencies.items()
    }
    found["pressed"] += walked.pressed
    found["lost"] += len(walked.lost)
    found["doubled"] += walked.doubled
    tell("in every scene: %d presses, lost: %s" % (walked.pressed, walked.lost or "none"))
    found["animation_gap_ms"] = {"median": round(statistics.median(gaps), 1), "worst": round(max(gaps), 1)}
    return found


PARTS = (
    ("power_on", power_on),
    ("modules", modules),
    ("search", search),
    ("game", game),
    ("presses", presses),
)


def measure(args, tell):
    """All figures: {"firmware": version, part: {…}, …}."""
    found = {
        "firmware": "CircuitPython " + firmware.version(firmware.read_uf2(args.uf2)),
        "python": platform.python_version(),
    }
    firmware.find_bootrom(args.bootrom)
    for name, part in PARTS:
        if args.parts and name not in args.parts:
            continue
        tell(name)
        began = time.monotonic()
        found[name] = part(args, QUICK if args.quick else 1, tell)
        tell("%s: done in %d s" % (name, time.monotonic() - began))
    return found


def text(found):
    """The figures as lines."""
    lines = ["%s in the emulated Raspberry Pi Pico; virtual time" % found["firmware"]]

    def put(label, value):
        lines.append("%-52s %s" % (label, value))

    def both(pair, unit):
        return "%s %s median, %s %s worst" % (pair["median"], unit, pair["worst"], unit)

    if "power_on" in found:
        part = found["power_on"]
        put("power-on to first light", "%d ms (a new board's first time: %d ms)" % (
            part["first_light_ms"], part["first_light_of_a_new_board_ms"]))  # fmt: skip
        put("power-on to the light test", "%d ms" % part["light_test_ms"])
    if "modules" in found:
        part = found["modules"]
        for name, ms, size in part["modules"]:
            put("  import " + name, "%7.1f ms %7d bytes" % (ms, size))
        put("all modules", "%d ms, %d bytes" % (part["import_ms"], part["modules_bytes"]))
        put("free heap, before and with all modules", "%d, %d bytes" % (
            part["free_at_start_bytes"], part["free_with_all_modules_bytes"]))  # fmt: skip
    if "search" in found:
        part = found["search"]
        put("a search node", "%.1f us" % part["us_per_node"])
        put("a level-%d move, %d positions" % (SEARCH_LEVEL, part["positions"]), both(part["move_s"], "s"))
        put("its longest slice", "%s ms, worst %s ms" % (
            part["slice_ms"]["median_of_longest"], part["slice_ms"]["worst"]))  # fmt: skip
    for words, row in found.get("game", {}).get("games", {}).items():
        put("a game, %s" % words, "%d plies in %d s" % (row["plies"], row["virtual_s"]))
        put("  free heap, least and after a collection", "%d, %d bytes" % (row["least_free_bytes"], row["free_bytes"]))
        put("  largest free block", "%d bytes" % row["largest_block_bytes"])
        put("  collections", row["collections"])
        put("  a round of the loop", both(row["round_ms"], "ms"))
    if "presses" in found:
        part = found["presses"]
        for key, row in part.items():
            if isinstance(row, dict) and "first_frame_ms" in row:
                label = "press to first changed frame, %s" % key.replace("_", " ")
                put(label, both(row["first_frame_ms"], "ms"))
        for scene, row in part["scenes"].items():
            put("  %s, %d presses" % (scene, row["presses"]), both(row, "ms"))
        put("presses lost, doubled, of how many", "%d, %d, of %d" % (part["lost"], part["doubled"], part["pressed"]))
        put("gap between frames of a falling disc", both(part["animation_gap_ms"], "ms"))
    faults = found.get("power_on", {}).get("faults", []) + found.get("game", {}).get("faults", [])
    put("faults on the console", "; ".join(faults) or "none")
    return "\n".join(lines)


def run(args):
    """The exit status of ``bench --emulated``."""
    began = time.monotonic()

    def tell(what):
        print("[%4d s] %s" % (time.monotonic() - began, what), file=sys.stderr, flush=True)

    try:
        found = measure(args, tell)
    except EmulatorError as error:
        print(error, file=sys.stderr)
        return error.status
    print(json.dumps(found) if args.json else text(found))
    return 0
