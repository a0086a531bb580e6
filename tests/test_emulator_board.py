# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The product on the real CircuitPython firmware, in the emulated chip.

Needs what the person supplies, named in FIVE_UF2 and FIVE_BOOTROM; without it these tests are skipped, with the reason.
"""

import signal
import subprocess
import sys

import pytest

from tools.emulator import board as emulated
from tools.emulator import tour
from tools.emulator.bench import Presses
from tools.emulator.board import EmulatedBoard
from tools.emulator.probe import Probe
from tools.emulator.session import Session, column
from tools.environment import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("emulator"),  # one chip at a time
    pytest.mark.skipif(emulated.why_not() is not None, reason=str(emulated.why_not())),
]


def test_it_starts_from_power_on_and_keeps_its_game():
    with EmulatedBoard() as board:
        session = Session(board)
        session.switch_on()
        assert board.frames[0].start_ms < 3000  # light, while it still compiles its files
        longest_ms = max(frame.end_ms - frame.start_ms for frame in board.frames)
        assert longest_ms == pytest.approx(1.62, abs=0.05)  # 54 pixels; the first light is fewer
        assert 200 < board.short_ns < 500 < board.long_ns < 1000 and not board.odd_frames  # the pixels' data sheet
        session.begin("five two single")
        for column_of_press in (3, 3, 2):
            board.run_for(700)
            board.press(column_of_press)
            assert session.wait_for_ply(session.position.ply + 1, 500)
        assert [board.counts()[name] for name in ("erases", "resets")] == [0, 0]
        assert session.faults() == []
        kept = board.nvm()
    with EmulatedBoard(nvm=kept) as board:
        session = Session(board)
        session.switch_on()
        assert session.faults() == []
        heights = [sum(any(pixel) for pixel in column(board.frame, button)) for button in range(7)]
        assert heights == [0, 0, 1, 2, 0, 0, 0]  # the position is back
        board.press(0)
        board.run_for(800)
        board.serial_in("record\n")
        assert board.wait_for_line("d d c", 2000).text == "d d c"


@pytest.mark.parametrize("bounce_ms, limit_ms", [(2, 35), (8, 45)])
def test_presses_are_answered_in_time_in_play_and_in_thought(bounce_ms, limit_ms):
    for place in ("in_play", "in_thought"):
        with EmulatedBoard() as board:
            presses = Presses(board, bounce_ms, seed=20 + bounce_ms)
            presses.session.switch_on()
            getattr(presses, place)(12)
            assert (presses.lost, presses.doubled) == (0, 0)
            assert max(presses.latencies_ms) <= limit_ms, place


def test_a_press_is_answered_in_every_scene():
    with Probe() as board:
        found = tour.Tour(board, seed=3)
        found.attract()
        began_ms = board.now_ms()
        found.match(level=0)
        assert found.session.faults() == []
        rounds = [length for _, length in board.rounds(began_ms)]
    assert (found.lost, found.doubled) == ([], 0)
    assert set(found.latencies) >= {"attract", "loading", "setup", "play", "pause", "result", "score", "ready"}
    for scene, ms in found.latencies.items():
        assert max(ms) <= (150 if scene == "loading" else 50 if "pause" in scene else 35), scene
    assert max(rounds) < 250  # before modules were loaded by pieces: 640


def test_a_whole_game_leaves_room_on_the_heap():
    with Probe() as board:
        session = Session(board)
        session.switch_on()
        position = session.play_game("five level 3 single")
        assert position.result is not None and position.ply >= 9
        assert board.heap()["collected"] >= 47 * 1024  # 50 KB without the probe's own code
        assert session.faults() == []


def test_nothing_is_allocated_while_the_board_waits_thinks_or_lets_a_disc_fall():
    with Probe() as board:
        session = Session(board)
        session.switch_on()

        def taken(ms):
            """Bytes that are gone from the heap in so many ms, in which no move is printed."""
            board.note_heap()
            lines = len(board.lines)
            board.run_for(ms)
            board.note_heap()
            assert len(board.lines) == lines
            before, after = board.heap()["notes"]
            return before - after

        session.begin("five level 6 single")
        board.run_for(3000)  # the search is loaded
        assert taken(2000) == 0  # the side to move breathes: 30 frames
        board.press(1)
        assert session.wait_for_ply(1, 500)
        board.run_for(600)
        assert taken(400) == 0  # the engine thinks
        session.begin("five two single")
        board.run_for(500)
        board.press(3)
        assert session.wait_for_ply(1, 500)
        assert taken(250) == 0  # the disc falls
        assert session.faults() == []


def test_mpremote_and_flash_work_on_its_serial_line():
    command = [sys.executable, "-m", "tools", "emulate", "--serial", "0", "--no-view", "--hold", "a"]

    def call(*arguments):
        for _ in range(5):  # by its own clock mpremote waits 10 s for a board that may be slower here
            done = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, encoding="utf-8", cwd=ROOT)
            told = done.stdout + done.stderr
            if "could not enter raw repl" not in told:
                break
        return told

    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8", cwd=ROOT) as emulate:
        try:
            port = emulate.stdout.readline().split("serial line: ")[1].strip()
            program = "import sys; print(sys.platform, 6 * 7)"
            assert call("mpremote", "connect", port, "exec", program).strip() == "RP2040 42"
            assert "files are the same" in call("tools", "flash", "--check", port)
            assert "FIVE_BRIGHTNESS: default -> 35" in call(
                "tools", "flash", "--board-settings", "brightness=35", "--", port
            )
            assert "FIVE_BRIGHTNESS = 35" in call("mpremote", "connect", port, "fs", "cat", ":settings.toml")
        finally:
            emulate.send_signal(signal.SIGINT)
