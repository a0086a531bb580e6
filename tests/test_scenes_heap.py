# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The loop takes nothing from the heap while a game is shown, whatever it shows (32-bit MicroPython)."""

import pytest
from test_micropython_scenes import DEVICE

# name: variation, pops, what leads there, what is then on show
SHOWN = {
    "a falling disc": ("five", False, 'keys("4 4")\npress(2)\nuntil(lambda: play.moving >= 0)', "play.moving == 3"),
    "a sinking column": ("five", True, 'keys("4 3 2 3 p")\npress(3)\nuntil(lambda: play.moving >= 0)', "play.sinking"),
    "armed pop": ("five", True, 'keys("4 3 p 4")\npress(7)\nuntil(lambda: play.armed)', "play.armed"),
    "a refused press": ("small", False, 'keys("4 3")\npress(6)\nuntil(lambda: app._flash)', "app._flash == 1 << 6"),
    "a hint": ("five", False, 'keys("4 3")\npress(7)\nuntil(lambda: play.hint == 3)', "play.hint == 3"),
    "the cue": ("five", False, 'app.store.put(CUE, 1)\napp.go("play", ticks())\nkeys("4 3 4 5")', "play.cue"),
    "a hovering disc": (
        "five",
        False,
        'app.store.put(CONFIRM, 1)\napp.go("play", ticks())\nkeys("4")',
        "play.hover == 3",
    ),
    "three players": ("three", False, 'keys("4 3 4 5")', "app.ready_for_input"),
    "the pause page": ("five", False, 'keys("4 3 P")', 'app.scene == "pause"'),
    "the lights page": ("five", False, 'keys("4 3 P 7")', 'app.scene == "lights"'),
    "a winning line": (
        "classic",
        False,
        'keys("4 3 4 3 4 3 4")\nuntil(lambda: app.scene == "result")',
        "app.game.result == 0",
    ),
    "the score": ("classic", False, 'keys("4 3 4 3 4 3 4 1")', 'app.scene == "score"'),
}

CODE = """
import adafruit_pixelbuf
import probe
from firmware.store import CONFIRM, CUE
device = Device(%r, %r, 0, -1)
sim, step, app = device.sim, device.app.step, device.app
adafruit_pixelbuf.PixelBuf.__setitem__ = lambda self, index, colour: None  # in C on the board
play = app.scenes["play"]
keys, ticks = device.keys, app.board.ticks_ms
def press(button):
    sim.press(button, hold_ms=400)
def until(condition):
    sim.run(step, until=condition)
sim.run(step, until_ms=3500)  # the greeting is over
%s
def rounds():
    for _ in range(40):
        sim.charge_us(1000)
        step()
frames = sim.frame_count
print(probe.allocated(rounds), bool(%s))
"""


@pytest.mark.parametrize("name", SHOWN)
def test_the_loop_allocates_nothing_while_it_shows(name, wasm):
    variation, pop, way, shown = SHOWN[name]
    assert wasm.run(DEVICE, CODE % (variation, pop, way, shown))[1] == "0 True\n"
