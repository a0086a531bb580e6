# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What the firmware holds on the heap of a 32-bit MicroPython: module by module, and with a game in play.

Sizes are those of the chip's words, and the game is begun and played by the board's own ``code.py``, so this is what
it takes of its 170 KB. What the chip's firmware has in C or makes itself (its own modules, adafruit_pixelbuf, pins) is
stood in for, and not counted.

The files are measured as they are, libraries and docstrings included: this interpreter keeps those of modules and
classes, which CircuitPython drops, so the chip holds some KB less.
"""

import ast
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.environment import ROOT
from tools.flasher.files import board_files
from tools.guest import Wasm, copy_libraries

FIRST = ("adafruit_ticks", "adafruit_debouncer", "neopixel")

# What the chip's firmware has: pins that nobody presses, pixels that nobody sees, and a clock of which every eighth
# look is a millisecond later.
STAND_INS = """
import sys
class Names:
    def __init__(self, **names):
        for name in names:
            setattr(self, name, names[name])
class Pin:
    def __init__(self, pin):
        self.value = True
    def switch_to_input(self, pull):
        pass
    def deinit(self):
        pass
class Keys:
    def __init__(self, pins, value_when_pressed, pull, interval):
        self.events = self
    def get_into(self, event):
        return False
    def deinit(self):
        pass
class PixelBuf:
    def __init__(self, n, byteorder, brightness, auto_write):
        pass
    def __setitem__(self, index, colour):
        pass
    def show(self):
        pass
looks = 0
def ticks_ms():
    global looks
    looks += 1
    return looks >> 3
modules = sys.modules
modules["adafruit_pixelbuf"] = Names(PixelBuf=PixelBuf)
modules["board"] = Names(**{"GP%d" % number: number for number in range(10)})
modules["digitalio"] = Names(DigitalInOut=Pin, Pull=Names(UP=1), Direction=Names(OUTPUT=1))
modules["keypad"] = Names(Keys=Keys, Event=object)
modules["microcontroller"] = Names(nvm=bytearray(4096), reset=None)
modules["neopixel_write"] = Names(neopixel_write=lambda pin, levels: None)
modules["os"] = Names(getenv=lambda key: None)
modules["supervisor"] = Names(ticks_ms=ticks_ms, runtime=Names(serial_bytes_available=0))
modules["time"] = Names(sleep=lambda seconds: None)
modules["circuitpython_typing"] = Names()
modules["circuitpython_typing.io"] = Names(ROValueIO=object)
modules["alarm"] = modules["storage"] = modules["types"] = modules["typing"] = modules["usb_cdc"] = Names()
"""

# The interpreter keeps its names in pools, each twice the last. These bring it into a large one before the modules
# are measured one by one, so that none is charged with 9 KB because it holds the name that was one too many.
NAMES = """
for number in range(2600):
    hasattr(None, "q%d" % number)
"""

# A game at the highest level, begun and played over the serial line.
ROUNDS = """
def rounds(number):
    global theirs
    for _ in range(number):
        app.step()
    theirs = app.game.engine_turn()
"""
GAME = "from firmware import console\nconsole.obey(app, 'new five level 6 engine yellow single', app.board.ticks_ms())"
MOVE = "console.obey(app, 'd', app.board.ticks_ms())"
REPLY = Wasm.loop("rounds(100)", "theirs")
SHIFTS = (16, 528, 1040, 3088, 5136)
COLLECT, READ = "import gc\ngc.collect()", "import gc\nprint(gc.mem_alloc())"
NAMED = "import micropython\nmicropython.qstr_info()"
FIRST_POOL = 20  # names in the interpreter's first pool on the heap


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


def power_on():
    """What the board's code.py does before its loop; a fault is raised here instead of being shown on the pixels."""
    body = []
    for node in ast.parse((ROOT / "firmware" / "code.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.While):
            break
        body += node.body if isinstance(node, ast.Try) else [node]
    return ast.unparse(ast.Module(body, []))


def in_play(wasm):
    """(bytes that are held while the person thinks in a game at the highest level, beyond the stand-ins; names that the
    interpreter keeps then; names that its pools have room for).

    The collector takes every number that could be an address for one: garbage that is kept so, by chance, is no
    property of the firmware. Hence the least of some runs in which all addresses are others.
    """
    least = None
    for shift in SHIFTS:
        parts = [STAND_INS + "\nshift = bytearray(%d)" % shift, COLLECT, READ, power_on(), ROUNDS, "rounds(20)", GAME]
        parts.append("rounds(20)")
        for _ in range(3):
            parts += [MOVE, "rounds(20)", REPLY]
        outputs = [text for text in wasm.run(*parts, COLLECT, READ, NAMED) if text.strip()]
        held = int(outputs[-2]) - int(outputs[0])
        least = held if least is None else min(least, held)
    pools, names = re.search(r"n_pool=(\d+), n_qstr=(\d+)", outputs[-1]).groups()
    return least, int(names), FIRST_POOL * (2 ** int(pools) - 1)


def measure():
    """{"modules": [[name, bytes], …], "imported": bytes, "in_play": bytes, "names": number, "room": number}. Raises
    GuestError if one does not run.

    A module's bytes are what its import adds, with what it is the first to import; ``imported`` is their sum.
    ``in_play``: all that is held in a game at the highest level, names included. ``names``: how many different ones
    the interpreter keeps then; one more than ``room``, and it takes a pool of twice the size of its last (9 KB).
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
        imported = sum(size for _, size in table)
        held, count, room = in_play(wasm)
        return {"modules": table, "imported": imported, "in_play": held, "names": count, "room": room}


def table(found):
    """The measurement as text."""
    lines = ["%7d  %s" % (size, name) for name, size in found["modules"]]
    lines.append("%7d  all modules" % found["imported"])
    lines.append("%7d  with a game at the highest level in play" % found["in_play"])
    lines.append("%7d  names then; beyond %d they take 9 KB more" % (found["names"], found["room"]))
    return "\n".join(lines)
