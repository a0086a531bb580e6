# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The serial line: lines in, the game's notation out, on the simulated board; programs that play and watch over it."""

import io
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import serial

from engine.catalogue import NAMES
from engine.notation import parse_record, replay
from firmware import settings
from firmware.app import App
from firmware.words import HELP, parse_new
from hal.simulated import Simulation
from tools import monitor

ROOT = Path(__file__).resolve().parent.parent
DEFAULTS = settings.load({}.get)


class Board:
    """A board on the virtual clock, and what its console says to a line."""

    def __init__(self, **env):
        self.sim = Simulation(env=env, record=False)
        chosen = settings.load(self.sim.getenv)
        board = self.sim.open_board(chosen)
        self.app = App(board, chosen)
        self.run(4000)  # the greeting is past

    def run(self, ms):
        self.sim.run(self.app.step, until_ms=self.sim.now_ms() + ms)

    def say(self, line, ms=400):
        """The lines that follow on `line`."""
        del self.sim.serial_out[:]
        self.sim.serial_in(line + "\n")
        self.run(ms)
        return [text for text in "".join(text + "\n" for text in self.sim.serial_out).split("\n") if text.strip()]


@pytest.fixture
def board():
    return Board()


def test_a_whole_game_is_played_by_lines_alone(board):
    assert board.say("new five two single") == ["[five]"]
    signs = "●○"
    for number, move in enumerate("dededede"):
        assert board.say(move) == ["%d. %s %s" % (number + 1, signs[number % 2], move)]
    assert board.say("d") == ["9. ● d", "Red wins", "score 1:0"]  # one game is no match
    assert board.say("record") == ["d e d e d e d e d"]
    assert board.say("e") == ["no game is open"]


def test_digits_and_capitals_are_moves_too(board):
    board.say("new classic two")
    assert board.say("4") == ["1. ● d"]
    assert board.say("G") == ["2. ○ g"]
    assert board.say("  a ") == ["3. ● a"]


def test_pops_by_line_and_why_a_move_is_refused(board):
    board.say("new five pop two")
    board.say("d")
    assert board.say("e-") == ["there is no disc of your own at the bottom of column e"]
    board.say("e")
    assert board.say("d-") == ["3. ● d-"]
    for move in "aaaaaa":
        board.say(move)
    assert board.say("a") == ["column a is full"]


def test_show_prints_the_board_as_text(board):
    board.say("new five two clock 5+3")
    board.say("d")
    lines = board.say("show")
    assert lines[0] == "6  ○ · · · · · · · ●"
    assert lines[5:7] == ["1  ● · · · ● · · · ○", "     a b c d e f g"]
    assert lines[7].startswith("[five], score 0:0, clock 5:0") and lines[7].endswith("○ to move")


def test_stones_and_the_third_colour_are_shown(board):
    board.say("new obstacles seed=17")
    assert sum(line.count("#") for line in board.say("show")) == 3
    board.say("new three")
    for move in "abc":
        board.say(move)
    assert "1  ● ○ ▲ · · · ·" in board.say("show")


def test_show_tells_what_is_collected(board):
    board.say("new pop10 seed=3 two")
    board.say("a-")
    kept = board.app.game.position.points[0]
    assert "[pop10 seed=3], score 0:0, collected %d:0, " % kept in board.say("show")[-1]


def test_take_back_hint_and_resignation_by_line(board):
    assert board.say("undo") == ["no game is open"]
    board.say("new five two")
    assert board.say("undo") == ["there is no move to take back"]
    board.say("d")
    for line in ("undo 5", "hint d", "show all", "record 2", "help me"):  # nothing is done that was not asked for
        assert board.say(line) == ["'%s' is not understood. %s" % (line, HELP)]
    assert board.say("undo") == ["taken back: 1"]
    (hint,) = board.say("hint", ms=6000)
    assert hint.startswith("hint: ") and hint[6] in "abcdefg"
    assert board.say("resign all") == ["write resign for this game, or resign match"]
    assert board.say("resign") == ["Red resigns", "Yellow wins", "score 0:1"]
    assert board.app.game.match.score_text() == "0:1" and not board.app.game.match.over
    board.say("new five two")
    assert board.say("resign match") == ["Red resigns", "Yellow wins", "match 0:2"]  # lost, whatever was played
    assert board.app.game.match.over and board.app.game.match.loser_by == "resign"


def test_who_gives_up_among_three_has_not_drawn(board):
    board.say("new three two")
    assert board.say("resign") == ["Red resigns", "the others share it", "score 0:½:½"]
    board.say("new three two")
    assert board.say("resign match") == ["Red resigns", "the others share it", "match 0:1½:1½"]
    board.say("new three two clock 1")
    assert board.say("show", 61000)[-3:] == ["Red's time is up", "the others share it", "match 0:1½:1½"]


def test_against_the_engine_it_answers_by_itself(board):
    lines = board.say("new five pop level 1 engine red", ms=3000)
    assert lines[0] == "[five pop]" and lines[1].startswith("1. ● ")
    lines = board.say("e", ms=3000)
    assert lines[0] == "2. ○ e" and lines[1].startswith("3. ● ")
    assert board.app.game.setup.level == 1 and board.app.game.setup.engine == 0


def test_new_alone_begins_the_last_setup_again(board):
    board.say("new classic pop level 2 engine yellow single clock 10+5")
    board.say("new")
    setup = board.app.game.setup
    assert setup.variation.header() == "[classic pop]"
    assert (setup.level, setup.engine, setup.match, setup.bank_ms, setup.increment_ms) == (2, 1, False, 600000, 5000)


@pytest.mark.parametrize("name", NAMES)
def test_every_variation_can_be_begun_by_line(board, name):
    lines = board.say("new " + name, ms=20000)  # a fair opening takes its time to draw
    assert lines and lines[0] == board.app.game.setup.variation.header()
    variation, _ = parse_record(board.say("record")[0])
    assert variation.header() == board.app.game.setup.variation.header()


def test_settings_hold_for_what_the_line_does_not_say():
    mirrored = settings.load({"FIVE_MIRROR": 1, "FIVE_POP_BOTH_LINES": "draw"}.get)
    assert parse_new("five pop", mirrored).variation.header() == "[five pop mirror=1 pop_both=draw]"
    assert parse_new("five pop mirror=0 pop_both=other", mirrored).variation.header() == "[five pop pop_both=other]"
    assert parse_new("classic", mirrored).variation.header() == "[classic]"
    assert parse_new("obstacles", DEFAULTS, 99).variation.seed == 99
    assert parse_new("five random", DEFAULTS, 99).variation.header() == "[five random seed=99]"
    assert parse_new("random pop", DEFAULTS, 99).variation.header() == "[random pop seed=99]"
    assert parse_new("three engine green", DEFAULTS).engine == 2
    assert parse_new("obstacles seed=5", DEFAULTS, 99).variation.seed == 5
    assert parse_new("[classic pop] level 2", DEFAULTS).variation.header() == "[classic pop]"


@pytest.mark.parametrize(
    "line, says",
    [
        ("foo", "'foo' is not understood. " + HELP),
        ("d d", "'d d' is not understood. " + HELP),
        ("x" * 10000, "'xxxxxxxxxxxxxxxxxxxx' is not understood. " + HELP),
        ("read_line", "'read_line' is not understood. " + HELP),
        ("new chess", "'chess' is not understood; help lists the words behind new"),
        ("new five level 7", "level '7' is none of 1 to 6"),
        ("new five two level 3", "two is two people: leave out level and engine"),
        ("new five engine blue", "engine 'blue' is none of red, yellow, green"),
        ("new five engine green", "five has no green side for the engine"),
        ("new three pop", "three has no pops: leave pop out, or play one of five, classic, "),
        ("new five pop_both=draw", "pop_both is for games with pops"),
        ("new small random", "the random opening goes with five and classic, not with small"),
        ("new teams seed=4", "teams draws no lots: leave the seed out"),
        ("new five clock 5", None),
        ("new five clock fast", "clock 'fast' is none such as 5+3: minutes for the match + seconds a move"),
        ("new obstacles pop", "obstacles has no pops"),
        ("new obstacles seed=99999999999", "seed: '99999999999' is not a whole number"),
    ],
)
def test_what_is_not_understood_gets_one_line_and_changes_nothing(board, line, says):
    board.say("new classic two")
    board.say("d")
    lines = board.say(line, 400 + len(line))
    if says is None:
        assert lines == ["[five]"]
    else:
        assert len(lines) == 1 and lines[0].startswith(says)
        assert board.say("record") == ["[classic] d"]


def test_noise_on_the_line_stops_nothing(board):
    lots = random.Random(8)
    words = (
        b"new five pop level 3 two match clock 5+3 seed= mirror=1 d d- e undo record show resign hint [ ] - 7".split()
    )
    for _ in range(120):
        if lots.random() < 0.5:
            line = lots.randbytes(lots.randrange(1, 300)).replace(b"\x03", b"?")
        else:
            line = b" ".join(lots.choice(words) for _ in range(lots.randrange(1, 7)))
        board.sim.serial_in(line + b"\n")
        board.run(60)
    board.run(3000)
    assert board.say("new five two") == ["[five]"]
    assert board.say("d") == ["1. ● d"]


def test_help_lists_the_commands(board):
    text = "\n".join(board.say("help"))
    for word in ("new", "show", "hint", "undo", "resign", "record", "level", "engine", "clock", "seed"):
        assert word in text


# Programs at the other end


class Playing:
    """A pySerial port for monitor.watch; plays the person's moves as a program would, by what it reads."""

    def __init__(self, port, moves):
        self._port = port
        self._moves = list(moves)
        self._text = b""
        self.heard = []

    @property
    def in_waiting(self):
        return self._port.in_waiting

    def write(self, data):
        return self._port.write(data)

    def read(self, n):
        data = self._port.read(n)
        self._text += data
        *lines, self._text = self._text.split(b"\n")
        for raw in lines:
            line = raw.decode().strip()
            self.heard.append(line)
            if self._moves and (line.startswith("[") or monitor.MOVE.match(line)):
                self._port.write(self._moves.pop(0).encode() + b"\n")
        return data


@pytest.fixture
def device():
    """`play --headless --serial 0` as a process; the name of its port."""
    command = [sys.executable, "-m", "tools", "play", "--headless", "--serial", "0"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    assert line.startswith("serial line: socket://127.0.0.1:"), (line, process.stderr.read() if not line else "")
    process.port = line.split()[2]
    yield process
    if process.poll() is None:
        process.kill()
    process.communicate()


def test_a_program_plays_a_whole_game_and_monitor_shows_and_saves_it(device, tmp_path):
    port = serial.serial_for_url(device.port, timeout=0.05)
    file = monitor.RecordFile(tmp_path / "games.txt")
    out = io.StringIO()
    try:
        port.write(b"new five two single\n")
        playing = Playing(port, "dedededed")
        assert monitor.watch(playing, file, 1, True, out) == 0
    finally:
        port.close()
    assert file.path.read_text() == "d e d e d e d e d\n"
    assert "9. ● d\n" in out.getvalue()
    assert "    5  ● · · · ● · · · ○" in out.getvalue()
    if os.name == "posix":
        device.send_signal(signal.SIGINT)
        output, errors = device.communicate(timeout=20)
        assert device.returncode == 0 and output.strip() == "d e d e d e d e d" and not errors


def test_a_program_plays_the_engine_to_the_end(device):
    """Any legal move, whenever it is its turn: what the board prints is enough to follow the game."""
    lots = random.Random(2)
    watcher = monitor.Watcher()
    port = serial.serial_for_url(device.port, timeout=0.05)
    end = time.monotonic() + 120
    try:
        port.write(b"new five level 1 single\n")
        text = b""
        while not watcher.finished:
            assert time.monotonic() < end, text
            text += port.read(max(1, port.in_waiting))
            *lines, text = text.split(b"\n")
            for raw in lines:
                line = raw.decode().strip()
                if watcher.take(line) and watcher.position.result is None and watcher.position.to_move == 0:
                    move = lots.choice(watcher.position.legal())
                    port.write(b"abcdefg"[move : move + 1] + b"\n")
    finally:
        port.close()
    assert replay(watcher.finished[0]).result is not None


def heard(port, text, seconds=30):
    """Read on until the board has said ``text``; all it said."""
    end = time.monotonic() + seconds
    said = b""
    while text.encode() not in said:
        assert time.monotonic() < end, said
        said += port.read(max(1, port.in_waiting))
    return said.decode()


def test_ctrl_c_on_the_serial_line_leads_to_the_prompt_and_ctrl_d_back_to_the_game(device):
    """As on the board: whoever stops its program so, by mistake or to look, loses nothing."""
    with serial.serial_for_url(device.port, timeout=0.05) as port:
        port.write(b"new classic two single\nd\n")
        heard(port, "1. ● d")
        port.write(b"\x03")
        assert heard(port, ">>> ").endswith("KeyboardInterrupt\r\n>>> ")
        port.write(b"\x03\r\n")
        heard(port, ">>> ")
        port.write(b"c\r\n")  # no move, since the program has ended
        heard(port, "no Python here: Ctrl-D starts the program\r\n>>> ")
        port.write(b"\x04")
        assert "type help" in heard(port, "type help")
        port.write(b"c\nrecord\n")
        assert "2. ○ c" in heard(port, "[classic] d c")
    assert device.poll() is None


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals are POSIX's")
def test_the_serial_line_as_a_pseudo_terminal():
    command = [sys.executable, "-m", "tools", "play", "--headless", "--serial", "pty", "--two"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        name = process.stdout.readline().split()[2]
        with serial.serial_for_url(name, timeout=0.1) as port:
            port.write(b"c\nshow\n")
            end = time.monotonic() + 30
            text = b""
            while "1. ● c".encode() not in text or b"to move" not in text:
                assert time.monotonic() < end, text
                text += port.read(4096)
    finally:
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=20)[0].strip() == "c"


def test_a_port_that_is_none_is_told_in_one_line():
    for words, status, says in (
        (["play", "--serial", "tty0"], 2, "neither pty nor a TCP port"),
        (["monitor", "/dev/no-such-port"], 1, "is the board plugged in"),
        (["monitor", "socket://127.0.0.1:1"], 1, "no connection to socket://127.0.0.1:1: Connection refused: is `play"),
        (["console", "socket://"], 2, "write it as socket://127.0.0.1:4711"),
        (["flash", "--check", "socket://127.0.0.1:99999"], 2, "write it as socket://127.0.0.1:4711"),
        (["monitor", "loop://", "--save", "/no/such/folder/games.txt"], 2, "cannot be used"),
    ):
        done = subprocess.run([sys.executable, "-m", "tools", *words], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == status and says in done.stderr and "Traceback" not in done.stderr, done.stderr


class Prompt:
    """A board that mpremote has left at Python's prompt, with a program that starts on Ctrl-D."""

    port = "prompt"

    def __init__(self):
        self.transport = self.serial = self
        self.out, self.runs = b"", False

    def write(self, data):
        if data == b"\x04":
            self.runs = True
            self.out += b"soft reboot\r\nfive-in-a-row: type help\r\n"
        elif not self.runs:
            self.out += b">>> "
        elif data.strip():
            self.out += b"answer to " + data

    def inWaiting(self):  # noqa: N802
        return len(self.out)

    def read(self, count):
        data, self.out = self.out[:count], self.out[count:]
        return data


def test_a_board_at_pythons_prompt_is_started(capsys, monkeypatch):
    from tools import console

    monkeypatch.setattr(console, "QUIET_S", 0.05)
    monkeypatch.setattr(console, "FIRST_S", 0.2)
    assert console._piped(Prompt(), ["show\n"]) == 0
    told = capsys.readouterr()
    assert told.out.strip() == "answer to show" and "its program starts" in told.err


# What monitor makes of lines


def lines_of(text):
    watcher = monitor.Watcher()
    for line in text.split("\n"):
        watcher.take(line.strip())
    return watcher


def test_monitor_follows_takebacks_second_games_and_chatter():
    watcher = lines_of(
        """five-in-a-row: type help
        [five pop]
        1. ● d
        memory: it is empty: starting with defaults
        2. ○ e
        hint: a
        3. ● d-
        taken back: 1
        3. ● c
        Red resigns
        Yellow wins
        score 0:1
        game 2
        1. ● a"""
    )
    assert watcher.finished == ["[five pop] d e c"]
    assert watcher.current() == "[five pop] a" and not watcher.lost


def test_monitor_knows_every_way_a_game_ends():
    for end in ("draw", "Red wins", "Green wins", "the others share it"):
        assert lines_of("[three]\n1. ● a\n" + end).finished == ["[three] a"]


def test_monitor_that_comes_late_or_misses_a_line_asks_for_the_record():
    watcher = lines_of("7. ● d\n8. ○ e")
    assert watcher.lost and watcher.current() == ""
    watcher.take("[classic] a b c")
    assert not watcher.lost and watcher.current() == "[classic] a b c"
    watcher.take("5. ○ d")
    assert watcher.lost and watcher.current() == "[classic] a b c"
    watcher.take("[classic] a b c d d")
    assert not watcher.lost and watcher.current() == "[classic] a b c d d"


def test_monitor_ignores_what_is_no_game():
    lots = random.Random(4)
    watcher = lines_of("[five]\n1. ● d")
    for _ in range(500):
        watcher.take("".join(chr(lots.randrange(32, 10000)) for _ in range(lots.randrange(1, 60))))
    watcher.take("[" + "five " * 5000)
    watcher.take("999. ● d")
    watcher.take("[five seed=3] d")
    assert watcher.current() == "d"


def test_records_are_appended_below_what_the_file_held(tmp_path):
    path = tmp_path / "games.txt"
    path.write_text("a b c")
    file = monitor.RecordFile(path)
    file.write([])
    assert path.read_text() == "a b c"
    file.write(["d d"])
    file.write(["d d", "e"])
    assert path.read_text() == "a b c\nd d\ne\n"
