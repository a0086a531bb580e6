# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Presses as scripts of (button, down or up, milliseconds), and the events that must come of them, on a virtual clock,
through the real adafruit_debouncer over pins that bounce.
"""

import random
from types import SimpleNamespace

import pytest

from hal.buttons import DOWN, HOLD, UP
from hal.simulated import TICKS_PERIOD, Simulation

A, B, C, D, E, F, G, POP = range(8)
KINDS = {DOWN: "down", UP: "up", HOLD: "hold"}


class Bench:
    """A board whose loop polls its buttons every `gap_ms` and notes (time_ms, button, kind) of every event."""

    def __init__(self, gap_ms=10, held=(), **options):
        self.sim = Simulation(**options)
        for button in held:
            self.sim.hold_at_start(button)
        self.board = self.sim.open_board(SimpleNamespace())
        self.gap_ms = gap_ms
        self.events = []

    def step(self):
        sim, buttons = self.sim, self.board.buttons
        before_us = sim.now_us
        buttons.poll(self.board.ticks_ms())
        while (event := buttons.next()) >= 0:
            self.events.append((sim.now_us / 1000, event & 7, KINDS[event & 24]))
        gap_ms = self.gap_ms() if callable(self.gap_ms) else self.gap_ms
        sim.charge_us(max(0, before_us + int(gap_ms * 1000) - sim.now_us))

    def play(self, script, until_ms, **options):
        for button, change, ms in script:
            self.sim.contact(button, change == "down", ms, **options)
        self.sim.run(self.step, until_ms=until_ms)
        return [event[1:] for event in self.events]


SCRIPTS = {
    "a tap": ([(D, "down", 100), (D, "up", 160)], [(D, "down"), (D, "up")]),
    "30 ms, the shortest press": ([(A, "down", 103), (A, "up", 133)], [(A, "down"), (A, "up")]),
    "two in the same instant": (
        [(B, "down", 100), (F, "down", 100), (B, "up", 150), (F, "up", 190)],
        [(B, "down"), (F, "down"), (B, "up"), (F, "up")],
    ),
    "all eight at once": (
        [(button, "down", 100) for button in range(8)] + [(button, "up", 150) for button in range(8)],
        [(button, "down") for button in range(8)] + [(button, "up") for button in range(8)],
    ),
    "pop held for a second, then column a": (
        [(POP, "down", 100), (POP, "up", 1300), (A, "down", 1500), (A, "up", 1560)],
        [(POP, "down"), (POP, "hold"), (POP, "up"), (A, "down"), (A, "up")],
    ),
    "a hold is told once, however long": (
        [(C, "down", 100), (C, "up", 9100)],
        [(C, "down"), (C, "hold"), (C, "up")],
    ),
    "not quite a hold": ([(POP, "down", 100), (POP, "up", 1060)], [(POP, "down"), (POP, "up")]),
    "one button pressed while another is held": (
        [(POP, "down", 100), (G, "down", 400), (G, "up", 460), (POP, "up", 700)],
        [(POP, "down"), (G, "down"), (G, "up"), (POP, "up")],
    ),
    "the same button twice, quickly": (
        [(E, "down", 100), (E, "up", 140), (E, "down", 180), (E, "up", 220)],
        [(E, "down"), (E, "up")] * 2,
    ),
}


@pytest.mark.parametrize("gap_ms", (2, 4.3, 7.7, 8.9, 10))
@pytest.mark.parametrize("bounce", ({"bounce_ms": 0}, {"bounce_ms": 2}, {"bounce_ms": 8}, {"bounce_ms": 8, "late": 1}))
@pytest.mark.parametrize("name", SCRIPTS)
def test_script(name, bounce, gap_ms):
    script, expected = SCRIPTS[name]
    bench = Bench(gap_ms, bounce_ms=bounce["bounce_ms"], late_bounce="late" in bounce)
    got = bench.play(script, max(change[2] for change in script) + 1300)
    if name.startswith(("two", "all")):  # bounce may settle their order
        assert sorted(got) == sorted(expected)
    else:
        assert got == expected


@pytest.mark.parametrize("gap_ms", (0.5, 1, 2, 3, 4.3))
@pytest.mark.parametrize("edges_ms", ((2.4, 5.1), (3.5, 8), (4, 7.9), (5.9, 8), (2.5, 5, 5.2, 7.9), (1, 4, 5, 8)))
def test_slow_bounce_within_8_ms_is_one_press(edges_ms, gap_ms):
    """Long enough on each side for two polls to believe it, were the button not left alone after a change."""
    bench = Bench(gap_ms)
    for number in range(20):
        start_ms = 100 + 101.3 * number
        bench.sim.contact(D, True, start_ms, edges_ms=edges_ms)
        bench.sim.contact(D, False, start_ms + 45, edges_ms=edges_ms)
    assert bench.play([], 2400) == [(D, "down"), (D, "up")] * 20


@pytest.mark.parametrize("gap_ms", (1, 2, 4.3, 10))
def test_a_spike_of_a_millisecond_is_no_press(gap_ms):
    bench = Bench(gap_ms, bounce_ms=0)
    assert bench.play([(D, "down", 99.5), (D, "up", 100.4)], 300) == []


def test_hold_comes_one_second_after_down():
    bench = Bench(5)
    bench.play([(POP, "down", 100), (POP, "up", 1500)], 2000)
    (down_ms, _, _), (hold_ms, _, _), _ = bench.events
    assert 999 <= hold_ms - down_ms <= 1006  # ticks are whole milliseconds


@pytest.mark.parametrize("bounce_ms, late", ((2, False), (8, False), (8, True)))
def test_no_press_is_lost_or_doubled(bounce_ms, late):
    """Thousands of presses of 30 ms and more, on all buttons at once, at polls that come as they like up to 10 ms."""
    lot = random.Random(bounce_ms)
    bench = Bench(lambda: lot.choice((0.3, 1.9, 9.9, 10, lot.uniform(0.3, 10))), bounce_ms=bounce_ms, late_bounce=late)
    presses = 400
    for button in range(8):
        at_ms = 50.0
        for _ in range(presses):
            down_ms = lot.choice((30, 30, lot.uniform(30, 120)))
            bench.sim.press(button, at_ms, down_ms)
            at_ms += down_ms + lot.uniform(40, 150)
    end_ms = max(pin.times_us[-1] for pin in bench.sim.buttons) / 1000 + 100
    bench.sim.run(bench.step, until_ms=end_ms)
    for button in range(8):
        kinds = [kind for _, which, kind in bench.events if which == button]
        assert kinds == ["down", "up"] * presses


@pytest.mark.parametrize("gap_ms", (3.1, 5.2, 8.9, 9.4, 10))
@pytest.mark.parametrize("bounce_ms, limit_ms", ((2, 22.5), (8, 28.5)))
def test_an_event_is_two_polls_behind_the_first_steady_contact(bounce_ms, limit_ms, gap_ms):
    """With 5 ms of frame and 1.7 ms on the wire this is within 35 ms, and 45 ms with 8 ms of bounce."""
    bench = Bench(gap_ms, bounce_ms=bounce_ms, late_bounce=True)
    starts_ms = [100 + number * 137.3 for number in range(200)]
    for start_ms in starts_ms:
        bench.sim.press(D, start_ms, 60)
    bench.sim.run(bench.step, until_ms=starts_ms[-1] + 200)
    downs_ms = [ms for ms, _, kind in bench.events if kind == "down"]
    assert len(downs_ms) == len(starts_ms)
    assert max(down - start for down, start in zip(downs_ms, starts_ms)) <= limit_ms


@pytest.mark.parametrize("bounce_ms, limit_ms", ((2, 35), (8, 45)))
def test_press_to_changed_frame_during_thought(bounce_ms, limit_ms):
    """The loop of the firmware at its slowest: a slice of search of 5 ms, and 5 ms of work for a frame."""
    bench = Bench(bounce_ms=bounce_ms, late_bounce=True)
    board, sim = bench.board, bench.sim
    lit = [0]

    def turn():
        board.buttons.poll(board.ticks_ms())
        event = board.buttons.next()
        if event == D:
            lit[0] += 1
            for cell in range(54):
                board.pixels[board.wire[cell]] = (lit[0] & 255, 0, 0)
            sim.charge_us(3000)
            board.pixels.show()
        else:
            sim.charge_us(5000)
        board.buttons.poll(board.ticks_ms())
        sim.charge_us(5000)

    starts_ms = [100 + number * 171.7 for number in range(150)]
    for start_ms in starts_ms:
        sim.press(D, start_ms, 60)
    sim.run(turn, until_ms=starts_ms[-1] + 300)
    assert len(sim.frames) == len(starts_ms)
    assert max(frame[0] / 1000 - start for frame, start in zip(sim.frames, starts_ms)) <= limit_ms


def test_held_at_power_on_is_ignored_until_released():
    bench = Bench(held=(A, G))
    assert bench.board.buttons.held_at_start == 1 << A | 1 << G
    got = bench.play([(B, "down", 300), (B, "up", 360), (A, "up", 3000), (A, "down", 3500), (A, "up", 3560)], 5000)
    assert got == [(B, "down"), (B, "up"), (A, "down"), (A, "up")]
    assert bench.board.buttons.held_at_start == 1 << A | 1 << G  # what was, stays told
    assert not bench.board.buttons.stuck


def test_a_stuck_button_is_told_once_and_the_others_work():
    bench = Bench()
    got = bench.play([(C, "down", 100), (E, "down", 25000), (E, "up", 25060)], 70000)
    assert got == [(C, "down"), (C, "hold"), (E, "down"), (E, "up")]
    assert bench.board.buttons.stuck == 1 << C
    assert bench.sim.lines() == ["button c is stuck: it is ignored until it is released"]
    got = bench.play([(C, "up", 71000), (C, "down", 72000), (C, "up", 72060)], 73000)
    assert got[4:] == [(C, "down"), (C, "up")]
    assert bench.board.buttons.stuck == 0
    assert len(bench.sim.lines()) == 1


def test_stuck_since_power_on():
    bench = Bench(held=(POP,))
    assert bench.play([(D, "down", 21000), (D, "up", 21060)], 22000) == [(D, "down"), (D, "up")]
    assert bench.board.buttons.stuck == 1 << POP
    got = bench.play([(POP, "up", 23000), (POP, "down", 24000), (POP, "up", 24060)], 25000)
    assert got[2:] == [(POP, "down"), (POP, "up")]
    assert bench.sim.lines() == ["button ^ is stuck: it is ignored until it is released"]


def test_ticks_wrap_under_a_press():
    """The counter wraps at 2**29 ms, 65 s after power-on; held across it, HOLD and UP still come in time."""
    bench = Bench(5, ticks_at_start=TICKS_PERIOD - 600)
    got = bench.play([(A, "down", 590), (A, "up", 650), (POP, "down", 100), (POP, "up", 1300)], 2000)
    assert got == [(POP, "down"), (A, "down"), (A, "up"), (POP, "hold"), (POP, "up")]


@pytest.mark.parametrize("days", (3.2, 4, 6.3))
def test_days_without_a_press(days):
    """ticks_diff is negative beyond 3.1 days: nothing may hang on the time of the last press."""
    bench = Bench()
    bench.play([(A, "down", 100), (A, "up", 160)], 1000)
    bench.sim.jump_ms(int(days * 86400000))
    got = bench.play([(A, "down", 1100), (A, "up", 1160), (D, "down", 1300), (D, "up", 1360)], 2000)
    assert got == [(A, "down"), (A, "up")] * 2 + [(D, "down"), (D, "up")]


def test_time_that_jumps_under_a_press_loses_nothing():
    for jump_ms in (-5000, 500, 3000, 60000, 1 << 28):
        bench = Bench()
        bench.play([(A, "down", 100)], 150)
        bench.sim.jump_ms(jump_ms)
        got = bench.play([(A, "up", 400), (B, "down", 600), (B, "up", 660)], 1000)
        assert got[0] == (A, "down")
        assert got[-2:] == [(B, "down"), (B, "up")], jump_ms


def test_a_ring_that_nobody_empties_keeps_its_oldest_events():
    bench = Bench()
    for number in range(40):
        bench.sim.press(number % 8, 100 + 100 * number, 60)
    poll = bench.board.buttons.poll
    bench.sim.run(lambda: (poll(bench.board.ticks_ms()), bench.sim.charge_us(5000)), until_ms=5000)
    taken = []
    while (event := bench.board.buttons.next()) >= 0:
        taken.append(event)
    assert len(taken) == 31
    assert taken[:4] == [0 | DOWN, 0 | UP, 1 | DOWN, 1 | UP]
    assert bench.play([(D, "down", 6000), (D, "up", 6060)], 6200) == [(D, "down"), (D, "up")]


def test_a_quiet_poll_costs_eight_raw_reads():
    bench = Bench()
    bench.sim.run(bench.step, until_ms=200)
    before_us = bench.sim.now_us
    bench.board.buttons.poll(0)
    assert bench.sim.now_us - before_us <= 8 * 5


ON_MICROPYTHON = """
from hal.simulated import Simulation
class Settings: pass
for late in (False, True):
    sim = Simulation(bounce_ms=8, late_bounce=late, seed=5)
    sim.hold_at_start(6)
    board = sim.open_board(Settings())
    events = []
    def step():
        board.buttons.poll(board.ticks_ms())
        event = board.buttons.next()
        while event >= 0:
            events.append((event, sim.now_us))
            event = board.buttons.next()
        board.sleep_ms(7)
    for number in range(60):
        sim.press(number * 5 & 7, 50 + 61 * number, 30 + number % 3 * 15)
    sim.run(step, until_ms=5000)
    print(len(events), board.buttons.held_at_start, sum([e * (n + 1) for n, (e, us) in enumerate(events)]), events[-1])
"""


def _on_cpython(code, capsys):
    exec(code, {"__name__": "__main__"})
    return capsys.readouterr().out


def test_the_same_on_micropython(unix, capsys):
    assert unix.run(ON_MICROPYTHON, heap_kb=1024) == _on_cpython(ON_MICROPYTHON, capsys)


def test_the_same_on_32_bit_micropython(wasm, capsys):
    assert "".join(wasm.run(ON_MICROPYTHON)) == _on_cpython(ON_MICROPYTHON, capsys)


def test_polling_allocates_nothing(wasm):
    """Neither in peace nor in the middle of presses, nor does taking the events."""
    code = """
import probe
from hal.simulated import Simulation
class Settings: pass
sim = Simulation(record=False)
board = sim.open_board(Settings())
sim.press(3, 20, 1500)
sim.press(4, 40, 60)
ticks, poll, take, sleep = board.ticks_ms, board.buttons.poll, board.buttons.next, board.sleep_ms
count = 0
def turns():
    global count
    for turn in range(400):
        poll(ticks())
        while take() >= 0:
            count += 1
        sim.charge_us(5000)
sim.charge_us(1)
print(probe.allocated(turns), count)
"""
    assert "".join(wasm.run(code)) == "0 5\n"


@pytest.mark.parametrize("bounce_ms", [0, 2, 8])
@pytest.mark.parametrize("late_bounce", [False, True])
def test_no_press_is_lost_or_doubled_while_the_board_is_busy(bounce_ms, late_bounce):
    rng = random.Random(bounce_ms)
    sim = Simulation(bounce_ms=bounce_ms, late_bounce=late_bounce, seed=7)
    board = sim.open_board(None)
    expected, seen, at_ms = [], [], 50

    def turn():
        board.buttons.poll(board.ticks_ms())
        event = board.buttons.next()
        while event >= 0:
            if event < 16:
                seen.append((event & 7, "up" if event & 8 else "down"))
            event = board.buttons.next()
        sim.charge_us(rng.randrange(1000, 9500))

    for _ in range(300):
        button, hold_ms = rng.randrange(8), rng.randrange(30, 90)
        sim.press(button, at_ms=at_ms, hold_ms=hold_ms)
        expected += [(button, "down"), (button, "up")]
        at_ms += hold_ms + rng.randrange(35, 200)
    while sim.now_ms() < at_ms + 200:
        if rng.random() < 0.3:
            assert board.busy(lambda us: sim.charge_us(us) or "done", rng.randrange(5000, 400000)) == "done"
        turn()
    assert seen == expected


@pytest.mark.parametrize("late_bounce", [False, True])
def test_a_contact_that_still_bounces_when_the_board_has_been_busy_is_one_press(late_bounce):
    for more_ms in range(1, 12):  # the board is busy until so long after the press began
        for seed in range(1, 9):
            bench = Bench(gap_ms=2, bounce_ms=8, late_bounce=late_bounce, seed=seed)
            bench.sim.press(D, at_ms=100, hold_ms=60)
            bench.sim.run(bench.step, until_ms=50)
            bench.board.busy(bench.sim.charge_us, (100 + more_ms) * 1000 - bench.sim.now_us)
            bench.sim.run(bench.step, until_ms=300)
            assert [event[1:] for event in bench.events] == [(D, "down"), (D, "up")], (more_ms, seed)


def test_a_button_that_stays_down_while_the_board_is_busy_is_one_press_and_still_becomes_a_hold():
    sim = Simulation()
    board = sim.open_board(None)
    sim.press(7, at_ms=40, hold_ms=1500)
    seen = []

    def turn():
        board.buttons.poll(board.ticks_ms())
        event = board.buttons.next()
        if event >= 0:
            seen.append(event)
        sim.charge_us(5000)

    board.busy(sim.charge_us, 100000)
    sim.run(turn, until_ms=1000)
    board.busy(sim.charge_us, 20000)
    sim.run(turn, until_ms=2000)
    assert seen == [7 | DOWN, 7 | HOLD, 7 | UP]


def test_work_that_raises_gives_the_buttons_back():
    sim = Simulation()
    board = sim.open_board(None)
    with pytest.raises(ZeroDivisionError):
        board.busy(lambda: 1 // 0)
    sim.press(2, at_ms=50)
    events = []
    sim.run(lambda: (board.buttons.poll(board.ticks_ms()), events.append(board.buttons.next())), until_ms=200)
    assert [event for event in events if event >= 0] == [2 | DOWN, 2 | UP]
