# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""hal.circuitpython, unchanged, over the simulated chip: pins, console, time."""

import random
from types import SimpleNamespace

import pytest

from hal.simulated import BoardReset, Simulation


def boot(settings=None, **options):
    sim = Simulation(**options)
    return sim, sim.open_board(settings or SimpleNamespace())


def all_lines(board, turns=500):
    lines = [board.read_line() for _ in range(turns)]
    return [line for line in lines if line is not None]


# -- pins -------------------------------------------------------------------------------------------------------------


def test_pins_by_name():
    sim, board = boot(
        SimpleNamespace(pixel_pin="GP15", button_pins=tuple("GP%d" % n for n in range(16, 23)) + ("GP1",))
    )
    assert board.complaints == []
    assert sim.pins["GP15"].taken and sim.pins["GP1"].taken and not sim.pins["GP2"].taken


def test_a_pin_that_is_not_there_falls_back_to_the_default():
    pins = ("GP99", "GP3", "GP4", "GP5", "GP6", "GP7", "GP8", "GP9")
    sim, board = boot(SimpleNamespace(pixel_pin="D5", button_pins=pins))
    assert board.complaints == [
        "settings.toml: FIVE_PIXEL_PIN: D5 is not on this board; using GP0",
        "settings.toml: FIVE_BUTTON_PINS, a: GP99 is not on this board; using GP2",
    ]
    assert sim.pins["GP0"].taken and sim.pins["GP2"].taken


def test_a_pin_that_is_taken_leaves_a_dead_button_and_a_board_that_works():
    pins = ("GP0", "GP3", "GP4", "GP5", "GP6", "GP7", "GP8", "GP9")
    sim = Simulation(pins=("GP0", "GP3", "GP4", "GP5", "GP6", "GP7", "GP8", "GP9"))
    board = sim.open_board(SimpleNamespace(button_pins=pins))
    assert board.complaints == [
        "settings.toml: FIVE_BUTTON_PINS, a: GP0 in use, GP2 is not on this board; going on without"
    ]
    sim.press(7, 20)
    sim.run(lambda: (board.buttons.poll(board.ticks_ms()), board.sleep_ms(4)), until_ms=200)
    assert (board.buttons.next(), board.buttons.next(), board.buttons.next()) == (7, 15, -1)


def test_no_pin_for_the_pixels_is_said_with_its_remedy():
    sim = Simulation(pins=("D0", "D1"))
    with pytest.raises(RuntimeError, match="FIVE_PIXEL_PIN"):
        sim.open_board(SimpleNamespace())


def test_a_board_with_a_pixel_pin_of_its_own():
    sim = Simulation(pins=("NEOPIXEL", "D1"))
    board = sim.open_board(SimpleNamespace())
    assert len(board.pixels) == 54
    assert len(board.complaints) == 9


# -- console ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ("\n", "\r", "\r\n"))
def test_lines(end):
    sim, board = boot()
    assert board.read_line() is None
    sim.serial_in("d" + end + "new five pop level 4" + end + end + "sho")
    assert all_lines(board) == ["d", "new five pop level 4"]
    sim.serial_in("w" + end)
    assert all_lines(board) == ["show"]


def test_backspace_takes_one_back():
    sim, board = boot()
    sim.serial_in("\x08dx\x7f-\n")
    assert all_lines(board) == ["d-"]


def test_a_line_of_ten_thousand_characters_is_cut_and_the_next_one_is_read():
    sim, board = boot()
    sim.serial_in("x" * 10000 + "\nd\n")
    worst_us = 0
    lines = []
    for _ in range(300):
        before_us = sim.now_us
        lines.append(board.read_line())
        worst_us = max(worst_us, sim.now_us - before_us)
    assert [line for line in lines if line] == ["x" * 200, "d"]
    assert worst_us <= 64 * 3


def test_random_bytes_never_block_or_raise():
    """Broken UTF-8 above all: a read of characters would wait for the rest of one."""
    lot = random.Random(3)
    sim, board = boot()
    for _ in range(300):
        count = lot.randrange(1, 400)
        sim.serial_in(bytes(lot.choice((lot.randrange(4, 256), 0, 10, 0xE2, 0xF0)) for _ in range(count)))
        for line in all_lines(board, 20):
            assert 0 < len(line) <= 200
            assert all(" " <= sign <= "~" for sign in line)
    sim.serial_in("\nd\n")
    assert all_lines(board, 9000)[-1] == "d"


def test_ctrl_c_reaches_the_repl():
    sim, board = boot()
    sim.serial_in("half a li\x03")
    with pytest.raises(KeyboardInterrupt):
        sim.run(lambda: (board.read_line(), board.sleep_ms(1)), until_ms=50)


def test_what_is_printed():
    sim, board = boot()
    board.write("7. ● d")
    board.write("")
    board.write("x" * 150)
    assert sim.lines() == ["7. ● d", "", "x" * 150]


def test_a_computer_that_does_not_read_stops_nothing():
    sim, board = boot()
    sim.host_reads = False
    before_us = sim.now_us
    for number in range(100):
        board.write("line %d " % number + "y" * 100)
    assert sim.now_us - before_us < 40000  # it waited once
    sim.host_reads, sim.unread = True, 0
    board.write("again")
    assert sim.lines()[-1] == "again"


def test_nobody_at_the_console():
    sim, board = boot()
    sim.host_open = False
    board.write("into the void")
    assert sim.lines() == []


# -- time and the rest ------------------------------------------------------------------------------------------------


def test_ticks_and_sleep():
    sim, board = boot()
    start = board.ticks_ms()
    for ms in (0, 1, 4, 10, 11, 1000):
        board.sleep_ms(ms)
    assert (board.ticks_ms() - start) & ((1 << 29) - 1) == 1026
    board.collect()
    with pytest.raises(BoardReset):
        board.reset()


def test_memory_on_the_board(wasm):
    """Everything of hal that the board loads, with a board open, on the 32-bit MicroPython: at most 12 KB beside the
    libraries and the stand-ins.
    """
    libraries = "import hal.simulated, adafruit_pixelbuf, adafruit_debouncer\n"
    stand_ins = "from hal.simulated import Simulation\nsim = Simulation(record=False)\n"
    code = "import hal, hal.wiring, hal.buttons\n"
    # The stand-ins import hal.circuitpython themselves, so it is measured once more under another name.
    again = stand_ins + "class S: pass\nimport sys\ndel sys.modules['hal.circuitpython'], sys.modules['hal.buttons']\n"
    again += "import hal.circuitpython as second\nimport hal.buttons\n"
    again += "for pin in sim.pins.values(): pin.taken = False\nboard = second.open_board(S())\n"
    base = wasm.held(libraries + code + stand_ins)
    assert wasm.held(libraries + code + again) - base <= 12 * 1024


def test_sending_a_frame_and_waiting_allocate_nothing(wasm):
    """Setting a pixel is left out: on the chip the library does that in C, here in Python with floats."""
    code = """
import probe
from hal.simulated import Simulation
class S: pass
sim = Simulation(record=False)
board = sim.open_board(S())
def frame():
    board.pixels.show()
    board.sleep_ms(4)
    board.read_line()
frame()
print(probe.allocated(frame), sim.frame_count)
"""
    assert "".join(wasm.run(code)) == "0 2\n"
