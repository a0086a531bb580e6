# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The simulated board: flash that behaves as the chip's, pixels, current, time, scripts of keys."""

from itertools import permutations
from pathlib import Path
from types import SimpleNamespace

import pytest

from hal.simulated import CHARGES_US, PowerCut, Simulation


def boot(settings=None, **options):
    sim = Simulation(**options)
    return sim, sim.open_board(settings or SimpleNamespace())


# -- non-volatile memory ----------------------------------------------------------------------------------------------


def test_a_write_over_ff_programs_and_anything_else_erases():
    sim, board = boot()
    assert len(board.nvm) == 4096 and board.nvm[0] == 0xFF
    before_us = sim.now_us
    board.nvm[10] = 0x3C
    assert sim.now_us - before_us == 500
    board.nvm[11:14] = b"abc"
    assert (sim.nvm.programs, sim.nvm.erases) == (2, 0)
    before_us = sim.now_us
    board.nvm[13:15] = b"xy"  # 13 is written already
    assert 45000 <= sim.now_us - before_us <= 51000
    assert (sim.nvm.programs, sim.nvm.erases) == (2, 1)
    assert board.nvm[10:16] == bytearray(b"\x3cabxy\xff")
    board.nvm[13] = ord("x")  # the same value again is no 0xFF either
    assert sim.nvm.erases == 2


def test_a_program_over_a_page_boundary_takes_two():
    sim, board = boot()
    before_us = sim.now_us
    board.nvm[250:262] = b"twelve bytes"
    assert sim.now_us - before_us == 2 * CHARGES_US["nvm_program"]
    assert board.nvm[250:262] == b"twelve bytes"


@pytest.mark.parametrize(
    "key, value, error",
    (
        (4096, 1, IndexError),
        (0, 256, ValueError),
        (slice(0, 2), b"abc", ValueError),
        (slice(0, 4, 2), b"ab", NotImplementedError),
        (slice(0, 2), [1, 2], NotImplementedError),
    ),
)
def test_what_the_chip_refuses_is_refused(key, value, error):
    _, board = boot()
    with pytest.raises(error):
        board.nvm[key] = value


def test_power_cut_at_every_byte_of_an_append():
    for cut in range(6):
        for torn_mask in (0xFF, 0xF0, 0x0F, 0x00):
            sim, board = boot(nvm=b"kept")
            sim.nvm.cut_after = cut
            sim.nvm.torn_mask = torn_mask
            if cut == 5:
                board.nvm[4:9] = b"moves"
                assert sim.nvm.data[:10] == b"keptmoves\xff"
                continue
            with pytest.raises(PowerCut):
                board.nvm[4:9] = b"moves"
            torn = b"moves"[cut] | torn_mask
            assert sim.nvm.data[:10] == b"kept" + b"moves"[:cut] + bytes((torn,)) + b"\xff" * (5 - cut)
            with pytest.raises(PowerCut):
                board.read_line()  # it stays dark
            again, board = boot(nvm=bytes(sim.nvm.data))
            assert board.nvm[0:4] == b"kept"


def test_power_cut_in_the_erase_loses_what_was_there():
    sim, board = boot(nvm=b"old")
    sim.nvm.cut_after = 0
    with pytest.raises(PowerCut):
        board.nvm[0:3] = b"new"
    assert sim.nvm.data[:3] not in (b"old", b"new")
    sim, board = boot(nvm=b"old")
    sim.nvm.cut_after = 2  # the erase, and one byte
    with pytest.raises(PowerCut):
        board.nvm[0:3] = b"new"
    assert sim.nvm.data[:3] == b"n\xff\xff"


def test_no_handler_catches_a_power_cut():
    assert not issubclass(PowerCut, Exception)


def test_power_cut_at_an_instant():
    sim, board = boot()
    sim.cut_power_at_us = 50000
    with pytest.raises(PowerCut):
        sim.run(lambda: board.sleep_ms(4), until_ms=100)
    assert 50000 <= sim.now_us <= 54000


def test_memory_that_raises():
    sim, board = boot()
    sim.nvm.fail_writes = True
    with pytest.raises(RuntimeError):
        board.nvm[0] = 1
    sim.nvm.fail_reads = True
    with pytest.raises(OSError):
        board.nvm[0:2]


def test_a_board_without_memory():
    _, board = boot(nvm_bytes=0)
    assert len(board.nvm) == 0
    assert board.complaints == ["no non-volatile memory on this board: games are not kept"]


# -- pixels and current -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["".join(order) for order in permutations("RGB")] + ["GRBW", "RGBW", "WBGR"])
def test_every_order_of_colours(order):
    sim, board = boot(SimpleNamespace(pixel_order=order))
    board.pixels[board.wire[7]] = (10, 20, 30)
    board.pixels.show()
    assert sim.frames[-1][1][21:24] == bytes((10, 20, 30))


def test_a_wrong_order_shows_as_wrong_colours():
    sim, board = boot(SimpleNamespace(pixel_order="GRB"), pixel_order="RGB")
    board.pixels[0] = (10, 20, 30)
    board.pixels.show()
    assert sim.frames[-1][1][:3] == bytes((20, 10, 30))


def test_current():
    """1 mA idle a pixel and 20 mA a channel at 255: full white is 3.3 A."""
    sim, board = boot()
    board.pixels.show()
    assert sim.current_ma() == 54
    board.pixels.fill((255, 255, 255))
    board.pixels.show()
    assert sim.current_ma() == sim.peak_ma == 54 + 54 * 60
    sim, board = boot(SimpleNamespace(pixel_order="GRBW"))
    board.pixels.fill((255, 255, 255))  # the library lights the white one alone
    board.pixels.show()
    assert sim.peak_ma == 54 + 54 * 20


def test_charges():
    sim, board = boot()
    before_us = sim.now_us
    board.pixels[3] = (1, 2, 3)
    assert sim.now_us - before_us == 25
    board.pixels.show()
    assert sim.now_us - before_us == 25 + 1680
    assert sim.frames == [(sim.now_us, sim.frames[0][1])]
    search = SimpleNamespace(step=lambda units: units > 3)
    sim.charge_calls(search, "step", 10, us_each=300)
    before_us = sim.now_us
    assert search.step(4) is True
    assert sim.now_us - before_us == 1210


def test_frames_are_kept_only_on_demand():
    sim, board = boot(record=False)
    board.pixels.show()
    assert sim.frames == [] and sim.frame_count == 1


# -- scripts of keys --------------------------------------------------------------------------------------------------


class Busy:
    """A program that takes no input for half a second after each press, and notes what it took when it should."""

    def __init__(self, **options):
        self.sim, self.board = boot(**options)
        self.free_us = 200000
        self.taken = []
        self.early = 0

    def ready(self):
        return self.sim.now_us >= self.free_us

    def step(self):
        board = self.board
        board.buttons.poll(board.ticks_ms())
        while (event := board.buttons.next()) >= 0:
            if event < 8:
                self.early += not self.ready()
                self.taken.append(event)
                self.free_us = self.sim.now_us + 500000
            elif event & 16:
                self.taken.append(event)
        board.sleep_ms(4)


def test_each_key_waits_until_the_board_takes_input():
    busy = Busy()
    assert busy.sim.play_keys(busy.step, "4 4 c p P q 5", busy.ready) is True
    assert busy.taken == [3, 3, 2, 7, 7, 23]
    assert busy.early == 0


def test_without_q_the_end_is_awaited():
    busy = Busy()
    assert busy.sim.play_keys(busy.step, "1", busy.ready) is False
    assert busy.taken == [0] and busy.ready()


def test_a_wrong_key_is_named_before_anything_is_pressed():
    busy = Busy()
    with pytest.raises(ValueError, match="'8'"):
        busy.sim.play_keys(busy.step, "4 8", busy.ready)
    busy.sim.run(busy.step, until_ms=1000)
    assert busy.taken == []


def test_a_board_that_takes_no_input_ends_the_script():
    busy = Busy()
    with pytest.raises(RuntimeError, match="key 2, '3'"):
        busy.sim.play_keys(busy.step, "4 3", lambda: not busy.taken, patience_ms=2000)


def test_two_simulations_do_not_mix():
    one, board_one = boot()
    two, board_two = boot(nvm=b"two")
    board_two.pixels.show()
    assert one.frames == [] and len(two.frames) == 1
    one.activate()
    board_one.pixels.show()
    assert len(one.frames) == 1 and len(two.frames) == 1
    assert board_two.nvm[0:3] == b"two" and board_one.nvm[0] == 0xFF


def test_settings_as_the_board_reads_them():
    sim = Simulation(env={"FIVE_ROTATION": 180})
    assert sim.getenv("FIVE_ROTATION") == 180
    assert sim.getenv("FIVE_PALETTE") is None


# -- whole programs ---------------------------------------------------------------------------------------------------

FIRMWARE = Path(__file__).resolve().parent.parent / "firmware"


def read(name):
    return (FIRMWARE / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("held, writable", (((), False), ((0,), True), ((6,), False)))
def test_boot_gives_the_drive_to_the_board_only_with_a_held(held, writable):
    sim = Simulation()
    for button in held:
        sim.hold_at_start(button)
    sim.run_file(read("boot.py"))
    assert sim.drive_writable is writable
    assert not any(pin.taken for pin in sim.pins.values())


def test_a_program_that_only_waits_ends_with_the_power():
    sim = Simulation()
    sim.run_file("import time\nwhile True:\n    time.sleep(0.5)", until_ms=60000)
    assert 60000000 <= sim.now_us <= 60500000


def test_the_unchanged_code_py_from_power_on():
    """Boots, lights up and takes a press, with settings from settings.toml; no line on the console but its own."""
    sim = Simulation(env={"FIVE_BUTTON_PINS": "GP16 GP17 GP18 GP19 GP20 GP21 GP22 GP26", "FIVE_ROTATION": 180})
    sim.run_file(read("boot.py"))
    sim.press(3, at_ms=5000)
    program = sim.run_file(read("code.py"), until_ms=6000)
    assert program["app"].scene == "setup"
    assert len(sim.frames) > 50
    assert sim.pins["GP19"].taken
    assert not [line for line in sim.lines() if "rror" in line or "Trace" in line]
