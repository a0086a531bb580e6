# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The whole firmware on MicroPython over the simulated board: the same games, frames and journal as on CPython."""

import ast
from pathlib import Path

import pytest

from engine.notation import record

ROOT = Path(__file__).resolve().parent.parent


def parts():
    """The modules that code.py loads one by one, in its order."""
    for node in ast.parse((ROOT / "firmware" / "code.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "PARTS":
            return ast.literal_eval(node.value)
    raise AssertionError("firmware/code.py has no PARTS")


# What code.py does at power-on and the loop after it, as one text for all three interpreters.
DEVICE = "PARTS = %r\n" % (parts(),)
DEVICE += """
import gc
from hal.simulated import Simulation
from firmware import settings

class Device:
    def __init__(self, name, pop, level, engine, nvm=None):
        self.sim = Simulation(record=False, nvm=nvm)
        chosen = settings.load(self.sim.getenv)
        board = self.sim.open_board(chosen)
        search = None
        for part in PARTS:
            module = __import__(part, None, None, ("",))
            if search is None:  # its large blocks while the heap is still whole
                search = module.Search(1024 * chosen.table_kb)
            gc.collect()
        from firmware.app import App
        self.app = App(board, chosen, search)
        if name:
            from engine.match import Setup
            from firmware.variations import variation
            setup = Setup(variation(self.app, name, pop, 7), level, engine, False)
            self.app.begin(setup, board.ticks_ms(), 7)
        self.sim.run(self.app.step, until_ms=60)

    def keys(self, text):
        self.sim.play_keys(self.app.step, text, lambda: self.app.ready_for_input)

    def tell(self):
        from engine.notation import record
        position = self.app.game.position
        print(record(position) if position else "no game", self.app.scene)
        print("".join(["%02x" % level for level in self.sim.frame]))
        print(sum(self.sim.nvm.data), self.sim.nvm.erases, self.sim.frame_count, self.sim.now_us)
"""

SCRIPTS = {
    "two people": ("five", False, 0, -1, "4 4 3 3"),
    "a game to its end and on": ("five", False, 0, -1, "4 4 3 3 2 2 1 4 1 5"),
    "a pop": ("five", True, 0, -1, "4 3 p 4 5"),
    "refused presses": ("classic", False, 0, -1, "1 1 1 1 1 1 1 p 2"),
    "the engine": ("five", False, 2, 1, "4 4"),
    "the pause page": ("five", False, 0, -1, "4 4 P 2 3"),
    "setup from power-on": (None, False, 0, -1, "1 1 1 2 4 5"),
    "puzzles": (None, False, 0, -1, "1 5 2 1 2 p 3 4"),
    "stones": ("obstacles", False, 0, -1, "1 2 3 4"),
}


def code(name):
    *game, keys = SCRIPTS[name]
    return "device = Device(%r, %r, %r, %r)\ndevice.keys(%r)\ndevice.tell()\n" % (*game, keys)


def cpython(name):
    """What the script prints on CPython."""
    printed = []
    exec(DEVICE + code(name), {"print": lambda *words: printed.append(" ".join(map(str, words)))})
    return printed


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_of_presses_ends_the_same_on_the_desktops_micropython(name, unix):
    assert unix.run(DEVICE + code(name)).splitlines() == cpython(name)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_of_presses_ends_the_same_in_32_bit(name, wasm):
    assert wasm.run(DEVICE, code(name))[1].splitlines() == cpython(name)


def test_a_saved_game_is_taken_up_on_another_interpreter(wasm):
    saved = wasm.run(DEVICE, code("two people") + "print(''.join(['%02x' % byte for byte in device.sim.nvm.data]))")[1]
    world = {"print": lambda *words: None}
    exec(DEVICE, world)
    device = world["Device"](None, False, 0, -1, bytes.fromhex(saved.splitlines()[-1]))
    device.keys("1 6")
    assert record(device.app.game.position) == "d d c c f"


# Rounds of the loop while a game is shown, lights breathing. Setting a pixel is in C on the chip; the desktop's own
# adafruit_pixelbuf builds a tuple each time, which is no doing of the firmware's.
QUIET = """
import adafruit_pixelbuf
import probe
device = Device("five", False, %d, %d)
sim, step = device.sim, device.app.step
adafruit_pixelbuf.PixelBuf.__setitem__ = lambda self, index, colour: None
%s
def rounds():
    for _ in range(%d):
        sim.charge_us(1000)
        step()
rounds()
frames = sim.frame_count
taken = probe.allocated(rounds)
print(taken, sim.frame_count > frames)
"""


def test_the_loop_allocates_nothing_while_a_game_is_shown(wasm):
    assert wasm.run(DEVICE, QUIET % (0, -1, 'device.keys("4 4")\nsim.run(step, until_ms=4000)', 400))[1] == "0 True\n"


def test_the_loop_allocates_nothing_while_the_engine_thinks(wasm):
    thought = "sim.press(3)\nsim.run(step, until=lambda: device.app.thinking)"
    out = wasm.run(DEVICE, QUIET % (6, 1, thought, 100), "print(device.app.thinking)")
    assert out[1:] == ["0 True\n", "True\n"]
