# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""play: the whole firmware from a command, headless and in a terminal, and its pictures."""

import argparse
import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PIL import Image

from engine.catalogue import NAMES
from engine.notation import replay
from firmware import recall
from firmware.store import Store
from tools import picture
from tools import play as command

ROOT = Path(__file__).resolve().parent.parent


def play(*arguments, timeout_s=120):
    """(exit status, lines printed, standard error) of a run of the command."""
    done = subprocess.run(
        [sys.executable, "-m", "tools", "play", *map(str, arguments)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=timeout_s,
        env=dict(os.environ, PYTHONUTF8="1"),
    )
    return done.returncode, done.stdout.splitlines(), done.stderr


def headless(keys, *arguments):
    return play("--headless", "--keys", keys, *arguments)


def light(image, cell, pitch=56):
    """The colour in the middle of a cell's light."""
    margin = pitch // 2
    return image.getpixel((margin + pitch * (cell // 6) + pitch // 2, margin + pitch * (5 - cell % 6) + pitch // 2))


def is_red(colour):
    return colour[0] > 150 and colour[0] > 2 * colour[1]


def is_yellow(colour):
    return colour[0] > 150 and colour[1] > 0.6 * colour[0] and colour[2] < 120


def is_dark(colour):
    return max(colour) < 90


def test_a_script_of_keys_is_played_and_its_last_frame_drawn(tmp_path):
    path = tmp_path / "board.png"
    status, out, err = headless("4 4 3 q", "--variation", "five", "--two", "--png", path)
    assert (status, out, err) == (0, ["d d c"], "")
    image = Image.open(path)
    assert image.format == "PNG"
    cells = {"d1": 24, "d2": 25, "c1": 18, "e1": 30}
    assert is_red(light(image, cells["d1"])) and is_red(light(image, cells["c1"]))
    assert is_yellow(light(image, cells["d2"]))
    assert is_dark(light(image, cells["e1"]))
    for row in range(6):  # the side columns stand lit, colours alternating upwards
        assert (is_red if row % 2 == 0 else is_yellow)(light(image, row))
        assert (is_yellow if row % 2 == 0 else is_red)(light(image, 48 + row))


def test_keys_that_are_refused_change_nothing():
    assert headless("1 1 1 1 1 1 1 2 q", "--two")[1] == ["a a a a a a b"]


def test_a_pop_is_armed_and_played():
    assert headless("4 3 p 4 q", "--pop", "--two")[1] == ["[five pop] d c d-"]


@pytest.mark.parametrize("name", NAMES)
def test_every_variation_is_played_from_a_script(name):
    """By two, and where drops begin a game against the engine; the record replays to the same game."""
    keys = "p 1 p 2 p 3 p 4 p 5" if name == "pop10" else "4 4 3"
    status, (record,), err = headless(keys, "--variation", name, "--two")
    position = replay(record)
    assert (status, err) == (0, "") and position.variation.name == name
    assert position.ply >= (1 if name == "pop10" else 3 + position.variation.opening)
    status, (record,), err = headless("4 4", "--variation", name, "--level", 2)
    assert (status, err) == (0, "") and replay(record).variation.name == name
    # With three players two are people; a turn of Power Up may be two moves.
    v = replay(record).variation
    if name not in ("pop10", "powerup"):
        assert replay(record).ply == v.opening + (3 if name == "three" else 4)


def test_the_engine_can_have_any_of_three_sides():
    for side, colour in (("red", 0), ("yellow", 1), ("green", 2)):
        _, (record,), _ = headless("4 4", "--variation", "three", "--level", 1, "--engine", side)
        moves = record.split()[1:]
        people = [move for ply, move in enumerate(moves) if ply % 3 != colour]
        assert people == ["d", "d"]


def test_a_game_that_ends_is_recorded_whole():
    assert headless("4 4 3 3 2 2 1", "--two")[1] == ["d d c c b b a"]


def test_a_finished_game_is_kept_when_keys_go_on_after_it():
    assert headless("4 4 3 3 2 2 1 1 1 1 1 1 1 1 1", "--two")[1][0] == "d d c c b b a"
    # Result and score are passed, the next setup is made: single games of two people. The second game is open.
    assert headless("4 4 3 3 2 2 1 1 1 1 1 2 4 5 q", "--two")[1] == ["d d c c b b a", "d e"]
    # In a match each game has its line: any press for the score, a and e for ready.
    won = "4 4 3 3 2 2 1"
    status, out, _ = headless("%s 1 1 1 5 %s" % (won, won.replace("1", "1 q")), "--two", "--match")
    assert (status, out) == (0, ["d d c c b b a", "d d c c b b a"])


def test_a_game_by_the_clock(tmp_path):
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    setup = command.chosen_setup(parser.parse_args(["--clock", "5+3"]))
    assert (setup.bank_ms, setup.increment_ms, setup.match, setup.level) == (300000, 3000, False, 3)
    setup = command.chosen_setup(parser.parse_args(["--two", "--match", "--clock", "10"]))
    assert (setup.bank_ms, setup.increment_ms, setup.match, setup.level) == (600000, 0, True, 0)
    assert command.chosen_setup(parser.parse_args([])) is None
    state = tmp_path / "board.nvm"
    assert headless("4 3 q", "--two", "--clock", "5+3", "--state", state)[:2] == (0, ["d c"])
    store = Store(bytearray(state.read_bytes()), print)
    saved = recall.load(store)
    assert saved.clock is not None and 300000 < saved.clock.left_ms[0] <= 306000


def test_the_engine_answers_and_always_the_same():
    first = headless("4 4 q", "--level", 2, "--engine", "yellow")
    assert first[0] == 0 and len(first[1][0].split()) == 4
    assert headless("4 4 q", "--level", 2)[1] == first[1]
    red = headless("4 q", "--level", 1, "--engine", "red")
    assert len(red[1][0].split()) == 3


def test_without_an_option_of_the_game_the_board_asks_for_its_setup():
    # any key wakes it; five, two people, single game; then two moves
    status, out, _ = headless("1 1 1 2 4 5 q")
    assert (status, out) == (0, ["d e"])


def test_a_saved_game_comes_back(tmp_path):
    state = tmp_path / "board.nvm"
    assert headless("4 3 q", "--two", "--state", state)[1] == ["d c"]
    assert state.stat().st_size == 4096
    status, out, _ = headless("1 5 q", "--state", state)  # any press goes on with it
    assert (status, out) == (0, ["d c e"])


def test_a_file_that_is_no_saved_board_is_told_and_left_alone(tmp_path):
    state = tmp_path / "letter.txt"
    state.write_text("dear you", encoding="utf-8")
    status, out, err = headless("4 q", "--two", "--state", state)
    assert (status, out) == (2, []) and "no board's memory" in err and "Traceback" not in err
    assert state.read_text(encoding="utf-8") == "dear you"


def test_faults_that_the_console_tells_are_told_headless_too(tmp_path):
    state = tmp_path / "board.nvm"
    state.write_bytes(bytes(4096))
    status, out, err = headless("4 3 q", "--two", "--state", state)
    assert (status, out) == (0, ["d c"]) and err == "memory: it holds nothing of ours: starting with defaults\n"
    status, out, err = headless("5 1 q", "--state", state)
    assert (status, out, err) == (0, ["d c a"], "")


def test_g_held_at_power_on_opens_the_diagnostics(tmp_path):
    status, out, err = headless("q", "--hold", "g", "--png", tmp_path / "g.png")
    assert status == 0 and "Traceback" not in err


def test_settings_that_are_nonsense_never_stop_the_board(tmp_path):
    settings = tmp_path / "settings.toml"
    settings.write_text(
        'FIVE_BRIGHTNESS = 4000\nFIVE_PALETTE = "mud"\nFIVE_CONFIRM = \nnight_brightnes = 3\nmud\nWIFI = 1\n',
        encoding="utf-8",
    )
    status, out, err = headless("4 3 q", "--two", "--settings", settings)
    assert (status, out) == (0, ["d c"])
    told = err.splitlines()
    for part in ("FIVE_BRIGHTNESS = 4000", "FIVE_PALETTE", "line 3: FIVE_CONFIRM", "FIVE_NIGHT_BRIGHTNESS?", "line 5"):
        assert sum(part in line for line in told) == 1
    assert len(told) == 5


WRONG = {
    ("--headless", "--keys", "4 x"): "key 'x'",
    ("--keys", "4"): "--keys is for --headless",
    ("--two", "--level", "3"): "leave out --level",
    ("--variation", "seven"): "invalid choice",
    ("--variation", "three", "--pop"): "no pops",
    ("--variation", "powerup", "--pop"): "no pops",
    ("--variation", "cylinder", "--mirror"): "no side discs",
    ("--variation", "small", "--random"): "not with small",
    ("--variation", "teams", "--seed", "4"): "draws no lots",
    ("--variation", "random", "--seed", "x"): "argument --seed: 'x' is not a whole number",
    ("--pop-both", "draw"): "pop_both is for games with pops",
    ("--engine", "green"): "five has no green side",
    ("--clock", "fast"): "argument --clock: clock 'fast' is none such as 5+3: minutes for the match + seconds a move",
    ("--clock", "0+3"): "out of bounds: 1 to 100 minutes",
    ("--level", "9"): "not a whole number from 1",
    ("--hold", "c"): "invalid choice",
    ("--show-values", "--headless"): "--show-values is for the terminal",
    ("--show-values", "--variation", "classic", "--pop"): "[classic pop] has no exact values",
    ("--show-values", "--variation", "three"): "[three] has no exact values",
    ("--headless", "--keys", "q", "--settings", "nowhere.toml"): "cannot be read",
    ("--headless", "--keys", "q", "--png", "nowhere/x.png"): "cannot be written",
}


@pytest.mark.parametrize("arguments", WRONG)
def test_what_is_wrong_is_told_in_a_line(arguments):
    status, _, err = play(*arguments)
    assert status == 2 and WRONG[arguments] in err and "Traceback" not in err


def test_without_a_terminal_it_says_what_to_use_instead(tmp_path):
    status, out, err = play("--two", "--state", tmp_path / "s.nvm")
    assert status == 1 and out == [] and "--headless" in err and "Traceback" not in err


# In a terminal


def in_terminal(tmp_path, keys, size=(24, 80), arguments=("--two",), after_s=3.0):
    """(exit status, screen as lines while playing, raw output) of the command in a pseudo-terminal.

    keys: to press; "wait": let ``after_s`` pass; a function of the screen's lines: wait until it holds.
    """
    pty = pytest.importorskip("pty")
    import fcntl
    import select
    import struct
    import termios

    import pyte

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[0], size[1], 0, 0))
    before = termios.tcgetattr(slave)
    child = subprocess.Popen(
        [sys.executable, "-m", "tools", "play", "--state", str(tmp_path / "s.nvm"), *arguments],
        cwd=ROOT,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # Ctrl-C is the controlling terminal's
        env=dict(os.environ, TERM="xterm-256color", COLORTERM="truecolor", PYTHONUTF8="1"),
    )
    screen = pyte.Screen(size[1], size[0])
    stream = pyte.ByteStream(screen)
    raw, shown = b"", []

    def read(until_s, enough=lambda: False):
        nonlocal raw
        while time.monotonic() < until_s and child.poll() is None and not enough():
            if select.select([master], [], [], 0.1)[0]:
                try:
                    data = os.read(master, 65536)
                except OSError:
                    break
                raw += data
                stream.feed(data)

    read(time.monotonic() + 20, lambda: b"q quit" in raw)
    for key in keys:
        if callable(key):
            read(time.monotonic() + 20, lambda key=key: key(list(screen.display)))
            shown = list(screen.display)
        elif key == "wait":
            read(time.monotonic() + after_s)
            shown = list(screen.display)
        else:
            os.write(master, key.encode())
    read(time.monotonic() + 20)
    try:
        child.wait(timeout=20)
    finally:
        if child.poll() is None:
            child.kill()
    while select.select([master], [], [], 0.2)[0]:
        try:
            data = os.read(master, 65536)
        except OSError:
            break
        if not data:
            break
        raw += data
    after = termios.tcgetattr(slave)
    os.close(master)
    os.close(slave)
    assert after == before, "the terminal was not given back as it was"
    return child.returncode, shown, raw


needs_terminal = pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals of POSIX")


@needs_terminal
def test_keys_in_a_terminal_are_presses_and_q_leaves(tmp_path):
    status, shown, raw = in_terminal(tmp_path, ["wait", "4", "wait", "3", "wait", "q"])
    assert status == 0
    text = "\n".join(shown)
    assert "1. ● d" in text and "2. ○ c" in text
    assert raw.rstrip().endswith(b"\x1b[?1049l")
    assert (tmp_path / "s.nvm").stat().st_size == 4096


@needs_terminal
def test_a_terminal_of_keys_does_not_ask_for_typing(tmp_path):
    _, shown, raw = in_terminal(tmp_path, [lambda lines: any("five-in-a-row: " in line for line in lines), "q"])
    assert any("five-in-a-row: the keys stand below" in line for line in shown)
    assert "1-7 column" in shown[-1] and b"type help" not in raw


@needs_terminal
def test_ctrl_c_leaves_with_the_shells_status_and_keeps_the_game(tmp_path):
    status, _, raw = in_terminal(tmp_path, ["4", "wait", "\x03"])
    assert status == 130 and b"Traceback" not in raw and b"\x1b[?1049l" in raw
    assert (tmp_path / "s.nvm").stat().st_size == 4096


@needs_terminal
def test_a_terminal_that_is_too_small_is_told(tmp_path):
    status, _, raw = in_terminal(tmp_path, [], size=(8, 20))
    assert status == 1 and b"make it larger" in raw and b"Traceback" not in raw


@needs_terminal
def test_input_that_ends_ends_the_game_sanely(tmp_path):
    status, _, raw = in_terminal(tmp_path, ["4", "wait", "\x04"])
    assert status == 1 and b"Traceback" not in raw and b"\x1b[?1049l" in raw


needs_solver = pytest.mark.skipif(
    importlib.util.find_spec("cffi") is None, reason="cffi is not installed: python3 -m tools solve installs it"
)


def begun(lines):
    """The board has told which game it plays."""
    return any(line.strip().startswith("[") for line in lines)


def moved(lines, number):
    """The move of that number has been told."""
    return any(line.strip().startswith("%d. " % number) for line in lines)


@needs_terminal
@needs_solver
def test_show_values_puts_the_exact_values_above_the_columns(tmp_path):
    arguments = ("--two", "--variation", "small", "--show-values")  # the smallest grid: known in a moment
    keys = [begun]
    for number, key in enumerate("1212343456", 1):  # each when the disc before it has come to rest
        keys += [key, lambda lines, number=number: moved(lines, number), "wait"]
    keys += [lambda lines: moved(lines, 10) and "?" not in lines[1], "q"]
    status, shown, raw = in_terminal(tmp_path, keys, arguments=arguments, after_s=1.0)
    assert status == 0 and b"Traceback" not in raw
    signs = [shown[1][5 + 3 * i] for i in range(6)]
    from tools.solver import Solver

    values = Solver("small", 16).values("1212343456")
    assert signs == [{1: "+", 0: "=", -1: "-"}[value] for value in values]
    assert b"?" in raw  # and until then it showed that it was thinking


@needs_terminal
@needs_solver
def test_show_values_never_makes_a_key_wait(tmp_path):
    """From the first move on, whose values take minutes, the keys are answered and q leaves at once."""
    asked, left = [], []

    def now(lines):
        asked.append(time.monotonic())
        return True

    status, shown, _ = in_terminal(
        tmp_path,
        [begun, "4", lambda lines: moved(lines, 1), "4", lambda lines: moved(lines, 2), now, "q"],
        arguments=("--two", "--show-values"),
    )
    left.append(time.monotonic())
    assert status == 0 and moved(shown, 2)
    assert [shown[1][5 + 3 * i] for i in range(7)].count("?") >= 5
    assert left[0] - asked[-1] < 10  # a slice of the solver's, on a machine with much to do


# Pictures


def test_a_picture_shows_every_light_at_its_place():
    for cell in (0, 5, 24, 48, 53):
        frame = bytearray(picture.FRAME_BYTES)
        frame[3 * cell : 3 * cell + 3] = (40, 0, 0)
        image = picture.draw(frame, glow=False)
        assert [other for other in range(54) if not is_dark(light(image, other))] == [cell]
        assert is_red(light(image, cell))


def test_a_dim_frame_is_exposed_longer_and_a_fixed_exposure_is_kept():
    dim, bright = bytearray(picture.FRAME_BYTES), bytearray(picture.FRAME_BYTES)
    dim[:3], bright[:3] = (0, 10, 0), (0, 200, 0)
    assert light(picture.draw(dim, glow=False), 0) == light(picture.draw(bright, glow=False), 0)
    full = picture.exposure([dim, bright])
    assert full == 200
    assert (
        light(picture.draw(dim, full=full, glow=False), 0)[1] < light(picture.draw(bright, full=full, glow=False), 0)[1]
    )


def test_a_picture_of_nothing_or_of_an_absurd_size_is_refused():
    with pytest.raises(ValueError, match="162 bytes, not 3"):
        picture.draw(b"abc")
    for pitch in (0, 7, 100000):
        with pytest.raises(ValueError, match="pitch"):
            picture.draw(bytes(162), pitch=pitch)
    assert picture.draw(bytes(162), pitch=8).size[0] > 72
