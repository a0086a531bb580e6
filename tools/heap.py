# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What the firmware holds on the heap of a 32-bit MicroPython: module by module, and with a game in play.

Sizes are those of the chip's words, so this is what the board's ``code.py`` takes of its 170 KB, but for what the
chip's firmware has in C (adafruit_pixelbuf) or makes itself (its own modules).
"""

import ast
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.environment import ROOT
from tools.flasher.files import board_files
from tools.guest import LIBRARIES, Wasm, copy_libraries

FIRST = ("adafruit_ticks", "adafruit_debouncer", "adafruit_pixelbuf", "neopixel")
FORGOTTEN = ("hal.opening", "hal.wiring")  # once the board is open
IN_C = ("adafruit_pixelbuf",)  # on the chip

# The chip's own modules as names alone: enough to import what uses them, and next to no heap.
STAND_INS = """
import sys
class Names:
    def __init__(self, **names):
        for name in names:
            setattr(self, name, names[name])
modules = sys.modules
modules["board"] = Names()
modules["digitalio"] = Names(DigitalInOut=object, Pull=Names(UP=1, DOWN=2), Direction=Names(OUTPUT=1, INPUT=0))
modules["microcontroller"] = Names(nvm=None, reset=None)
modules["neopixel_write"] = Names(neopixel_write=None)
modules["supervisor"] = Names(ticks_ms=lambda: 0, runtime=Names(), reload=None)
modules["keypad"] = Names(Keys=object, Event=object)
modules["usb_cdc"] = Names(console=None, data=None)
modules["storage"] = modules["alarm"] = Names()
modules["circuitpython_typing"] = Names()
modules["circuitpython_typing.io"] = Names(ROValueIO=object)
"""

# The interpreter keeps its names in pools, each twice the last. These bring it into a large one before anything is
# measured, so that no module is charged with 9 or 18 KB because it holds the name that was one too many. The chip
# has 7 KB of pools when all is loaded: POOLS counts them.
NAMES = """
for number in range(2600):
    hasattr(None, "q%d" % number)
"""
POOLS = 7000

# A whole board, simulated, with a game at the highest level three moves on.
PLAYING = """
from hal.simulated import Simulation
sim = Simulation(record=False)
"""
GAME = """
from firmware import settings
from firmware.app import App
from engine.match import Setup
chosen = settings.load(sim.getenv)
board = sim.open_board(chosen)
app = App(board, chosen)
app.begin(Setup(app.variation("five", 0, 0), 6, 1, False), board.ticks_ms(), 0)
del settings
sim.run(app.step, until_ms=60)
"""
MOVES = "sim.play_keys(app.step, '4 4 3', lambda: app.ready_for_input)"
COLLECT, READ = "import gc\ngc.collect()", "import gc\nprint(gc.mem_alloc())"


def modules():
    """The names of all modules that go to the board, each behind those that it imports, so that each counts its own."""
    rooms = ("hal", "engine", "firmware")
    sources = {}
    for source, path in board_files(ROOT):
        name = path[:-3].replace("/", ".")
        if path.split("/")[0] in rooms and path.endswith(".py") and not name.endswith(("__init__", ".incomplete")):
            sources[name] = source
    order = list(FIRST)

    def add(name):
        if name in order or name not in sources:
            return
        # Only what the top of the file imports: imports within functions run later, if at all, and may go in circles.
        for node in ast.parse(sources[name].read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom):
                add(node.module)
                for part in node.names:
                    add("%s.%s" % (node.module, part.name))
        order.append(name)

    for name in sorted(sources):
        add(name)
    return order


def measure():
    """{"modules": [[name, bytes], …], "imported": bytes, "in_play": bytes}. Raises GuestError if one does not run.

    A module's bytes are what its import adds, with what it is the first to import. ``imported`` is their sum without
    what the chip has in C; ``in_play`` the same and all that a game at the highest level makes.
    """
    with TemporaryDirectory() as folder:
        copy_libraries(Path(folder))
        wasm = Wasm(folder)
        names = modules()
        parts = [STAND_INS, NAMES, COLLECT, READ]
        for name in names:
            parts += ["import " + name, COLLECT, READ]
        sizes = [int(text) for text in wasm.run(*parts) if text.strip()]
        table = [[name, after - before] for name, before, after in zip(names, sizes, sizes[1:])]
        imported = sum(size for name, size in table if name not in IN_C)
        # The simulation is no part of the board: what it holds before and beside the firmware is taken off again.
        outputs = wasm.run(PLAYING, NAMES, COLLECT, READ, GAME, MOVES, COLLECT, READ)
        simulated, playing = [int(text) for text in outputs if text.strip()]
        kept = [(name, size) for name, size in table if name not in FORGOTTEN]
        libraries = sum(size for name, size in kept if name in LIBRARIES or name.startswith("hal."))
        c_modules = sum(size for name, size in table if name in IN_C)
        in_play = playing - simulated + libraries - c_modules + POOLS
    return {"modules": table, "imported": imported, "in_play": in_play}


def table(found):
    """The measurement as text."""
    lines = [
        "%7d  %s%s" % (size, name, "  (in C on the chip)" if name in IN_C else "") for name, size in found["modules"]
    ]
    lines.append("%7d  all modules" % found["imported"])
    lines.append("%7d  with a game at the highest level in play" % found["in_play"])
    return "\n".join(lines)
