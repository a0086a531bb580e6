# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The window on the board: what it draws (read back by a terminal emulator), which keys it takes, and that the
terminal is given back whatever happens (in a real pseudo-terminal).
"""

import io
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pyte
import pytest

from hal import terminal
from hal.simulated import Simulation

ROOT = Path(__file__).resolve().parent.parent
posix = pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals are of POSIX")


class Stream(io.StringIO):
    """An output stream that says its encoding."""

    encoding = "utf-8"


def frame_of(cells):
    frame = bytearray(162)
    for cell, colour in cells.items():
        frame[3 * cell : 3 * cell + 3] = bytes(colour)
    return frame


def shown(frame, colour="true", columns=60, lines=18, **options):
    """A pyte screen on which the frame was drawn."""
    out = Stream()
    screen = terminal.Screen(out, colour, size=lambda: (columns, lines))
    screen.enter()
    screen.draw(frame, **options)
    view = pyte.Screen(columns, lines)
    pyte.Stream(view).feed(out.getvalue())
    return view


# -- what is drawn ----------------------------------------------------------------------------------------------------


def test_every_cell_has_its_place():
    for cell in range(54):
        view = shown(frame_of({cell: (40, 0, 0)}))
        discs = [(x, y) for y in range(18) for x in range(60) if view.buffer[y][x].data == "●"]
        column, row = divmod(cell, 6)
        assert discs == [(2 + 3 * column, 6 - row)]


def test_the_columns_have_their_letters_and_the_pointer_stands_over_one():
    view = shown(frame_of({}), pointer=5, log=["7. ● d", "x" * 90])
    assert view.display[7].rstrip() == "     a  b  c  d  e  f  g"
    assert view.display[0].rstrip() == " " * 20 + "▼"
    assert view.display[7][20] == "f"
    assert view.display[1].rstrip() == "  " + "  ".join("·" * 9)
    assert view.display[9].rstrip() == "  7. ● d"
    assert view.display[17].strip() == terminal.HELP


@pytest.mark.parametrize("columns", [30, 40, 80])
def test_no_line_is_cut_in_a_narrow_terminal(columns):
    view = shown(frame_of({}), log=["7. ● d", "help: " + "0123456789" * 6], columns=columns)
    text = "".join(line[2 : columns - 1].rstrip() for line in view.display[9:17])
    assert text == "7. ● d" + "help: " + "0123456789" * 6
    keys = view.display[17].strip()
    assert keys in (terminal.HELP, *terminal.SHORTER) and keys.endswith("q quit") and "p pop" in keys
    assert (keys == terminal.HELP) == (columns == 80)


def test_true_colour_shows_the_light():
    """A disc at a board's usual brightness is bright on the terminal, a breathing one darker, never dark."""
    view = shown(frame_of({0: (30, 0, 0), 1: (11, 0, 0), 2: (1, 0, 0), 6: (0, 255, 55), 7: (0, 4, 4)}))
    bright, breathing, least = (int(view.buffer[6 - row][2].fg[:2], 16) for row in range(3))
    assert bright > 200 > breathing > 120 > least > 30
    assert view.buffer[6][5].fg == "00ff7f"  # twice 2.2 stops of light less, half the number
    assert view.buffer[5][5].fg[2:4] == view.buffer[5][5].fg[4:6]


def test_256_colours():
    view = shown(frame_of({0: (128, 0, 0)}), "256")
    assert view.buffer[6][2].fg == "ff0000"
    assert terminal.nearest_256(255, 255, 0) == 226
    assert terminal.nearest_256(58, 58, 66) in range(232, 256)
    for index in range(16, 232):
        levels = [terminal._CUBE[step] for step in ((index - 16) // 36, (index - 16) // 6 % 6, (index - 16) % 6)]
        assert terminal.nearest_256(*levels) in (index, 232 + round((levels[0] - 8) / 10))


def test_without_colours_there_are_letters():
    colours = {0: (90, 0, 0), 1: (80, 60, 0), 2: (0, 80, 10), 3: (0, 70, 90), 4: (10, 10, 90), 5: (80, 80, 80)}
    view = shown(frame_of({**colours, 6: (20, 0, 0), 7: (90, 0, 80), 8: (90, 40, 0)}), "none")
    assert [view.buffer[6 - row][2].data for row in range(6)] == ["R", "Y", "G", "C", "B", "W"]
    assert [view.buffer[6 - row][5].data for row in range(3)] == ["r", "M", "O"]
    assert view.buffer[6][8].data == "·"
    assert all(cell.fg == "default" for line in view.buffer.values() for cell in line.values())


def test_a_stream_without_round_discs_gets_plain_ones():
    out = Stream()
    out.encoding = "ascii"
    screen = terminal.Screen(out, "true", size=lambda: (60, 18))
    screen.draw(frame_of({0: (40, 0, 0)}), log=["7. ● d"])
    out.getvalue().encode("ascii")
    assert "O" in out.getvalue() and "7. ? d" in out.getvalue()


def test_what_is_on_the_screen_is_not_sent_again():
    out = Stream()
    screen = terminal.Screen(out, "true", size=lambda: (60, 18))
    screen.draw(frame_of({0: (40, 0, 0)}))
    sent = len(out.getvalue())
    screen.draw(frame_of({0: (40, 0, 0)}))
    assert len(out.getvalue()) == sent
    screen.draw(frame_of({0: (41, 0, 0)}))
    assert len(out.getvalue()) > sent


def test_no_line_from_the_board_moves_the_cursor():
    view = shown(frame_of({}), log=["a\x1b[2Jb\tc\x07"])
    assert view.display[9].rstrip() == "  a?[2Jb?c?"
    assert view.display[7].rstrip() == "     a  b  c  d  e  f  g"


def test_signs_stand_above_their_columns_and_can_be_told_without_colours():
    for colour in ("true", "256", "none"):
        view = shown(frame_of({6: (40, 0, 0)}), colour, signs="+=-.?+=", pointer=2)
        assert view.display[0].rstrip() == " " * 11 + "▼"
        assert [view.display[1][5 + 3 * i] for i in range(7)] == list("+=-.?+=")
        colours = [view.buffer[1][5 + 3 * i].fg for i in range(3)]
        assert len(set(colours)) == (1 if colour == "none" else 3)
        assert view.display[8].rstrip() == "     a  b  c  d  e  f  g"  # all else is a line lower


def test_a_sign_turns_while_a_value_is_not_known():
    seen = {shown(frame_of({}), signs="?" * 7, now_s=s / 4).display[1][2] for s in range(8)}
    assert seen == set("|/\\")  # and no -, which would be a value
    assert shown(frame_of({}), signs="=" * 7).display[1][2] == " "


def test_another_text_stands_above_as_it_is():
    view = shown(frame_of({}), signs="no exact values\x1b here, and more than fits in", columns=30)
    assert view.display[1].rstrip() == "  no exact values? here, and "[:29].rstrip()
    assert shown(frame_of({}), signs="").display[1].strip() == ""


def test_the_smallest_terminal_shows_signs_and_the_last_line():
    view = shown(frame_of({48: (40, 0, 0)}), columns=30, lines=12, log=["1. ● d", "2. ○ e"], signs="=======")
    assert view.display[1].count("=") == 7 and view.display[9].strip() == "2. ○ e" and view.display[11].strip()


@pytest.mark.parametrize("columns, lines", ((29, 18), (60, 11), (5, 2), (1, 1)))
def test_a_terminal_that_is_too_small_is_told(columns, lines):
    screen = terminal.Screen(Stream(), "true", size=lambda: (columns, lines))
    with pytest.raises(terminal.TerminalError, match="%d columns by %d lines" % (columns, lines)):
        screen.check_size()
    view = shown(frame_of({0: (40, 0, 0)}), columns=columns, lines=lines)
    assert view.display[0].strip() == "too small: 30x12 needed"[: columns - 1].strip()


def test_the_smallest_terminal_shows_all():
    view = shown(frame_of({48: (40, 0, 0)}), columns=30, lines=12, log=["1. ● d", "2. ○ e"])
    assert view.buffer[6][26].data == "●"
    assert view.display[7].rstrip().endswith("g")
    assert view.display[9].strip() == "2. ○ e" or "1. ● d" in view.display[9]
    assert view.display[11].strip()


@pytest.mark.parametrize(
    "environ, windows, mode",
    (
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, False, "true"),
        ({"TERM": "xterm-direct"}, False, "true"),
        ({"TERM": "xterm-256color"}, False, "256"),
        ({"TERM": "screen"}, False, "256"),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, False, "none"),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, False, "none"),
        ({"TERM": "vt100"}, False, "none"),
        ({}, False, "none"),
        ({}, True, "true"),
        ({"NO_COLOR": "1"}, True, "none"),
    ),
)
def test_colour_mode(environ, windows, mode):
    assert terminal.colour_mode(environ, windows) == mode


# -- keys -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data, keys, left",
    (
        ("47p", ["4", "7", "p"], ""),
        ("\x1b[C\x1b[D\x1bOC\r\n", ["right", "left", "right", "enter", "enter"], ""),
        ("\x1b[1;5C4", ["right", "4"], ""),
        ("\x1b[200~P\x1b[201~", ["P"], ""),
        ("\x1bOP3", ["3"], ""),  # F1 is no held pop
        ("4\x1b", ["4"], "\x1b"),
        ("4\x1b[", ["4"], "\x1b["),
        ("\x1b[1;", [], "\x1b[1;"),
        ("\x1b[" + "1" * 40, [], ""),
        ("\x1bq", ["q"], ""),
    ),
)
def test_split_keys(data, keys, left):
    assert terminal.split_keys(data) == (keys, left)
    got, kept = [], ""
    for sign in data:  # however the bytes come
        more, kept = terminal.split_keys(kept + sign)
        got += more
    if len(data) < 20:
        assert (got, kept) == (keys, left)


class Collector:
    """A program that notes the events of its buttons."""

    def __init__(self, **options):
        self.sim = Simulation(**options)
        self.board = self.sim.open_board(SimpleNamespace())
        self.events = []

    def step(self):
        board = self.board
        board.buttons.poll(board.ticks_ms())
        while (event := board.buttons.next()) >= 0:
            self.events.append(event)
        board.sleep_ms(4)


def test_keys_become_presses_in_their_order():
    program = Collector()
    player = terminal.Player(program.sim)
    for key in ("4", "4", "3", "g", "left", "left", "enter", "right", "enter", "?", "ä", "p"):
        assert player.key(key)
    program.sim.run(program.step, until_ms=2000)
    downs = [event for event in program.events if event < 8]
    assert downs == [3, 3, 2, 6, 4, 5, 7]
    assert len(program.events) == 14
    assert not player.key("q")


def test_capital_p_is_a_held_pop():
    program = Collector()
    terminal.Player(program.sim).key("P")
    program.sim.run(program.step, until_ms=2000)
    assert program.events == [7, 7 | 16, 7 | 8]


def test_the_pointer_stops_at_the_edges():
    player = terminal.Player(Collector().sim)
    for key, at in (("left", 0), ("right", 6)):
        for _ in range(9):
            player.key(key)
        assert player.pointer == at


# -- a real terminal --------------------------------------------------------------------------------------------------

PROGRAM = """
import sys
from types import SimpleNamespace
from hal import terminal
from hal.simulated import Simulation
sim = Simulation(realtime=True)
board = sim.open_board(SimpleNamespace())
def step():
    board.buttons.poll(board.ticks_ms())
    event = board.buttons.next()
    if event >= 0:
        board.write("event %d" % event)
        board.pixels[board.wire[6 * (1 + (event & 7) % 7)]] = (90, 0, 0)
        board.pixels.show()
    board.sleep_ms(4)
try:
    status = terminal.run(sim, step)
except terminal.TerminalError as error:
    print("play:", error)
    status = 2
sys.exit(status)
"""


class Terminal:
    """PROGRAM in a pseudo-terminal; what it writes is fed to a pyte screen."""

    def __init__(self, columns=60, lines=18):
        import fcntl
        import pty
        import struct
        import termios

        self.termios = termios
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.before = termios.tcgetattr(self.slave)

        def session():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        env = dict(os.environ, TERM="xterm-256color", PYTHONPATH=str(ROOT), PYTHONIOENCODING="utf-8")
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            env=env,
            preexec_fn=session,
        )
        self.output = b""
        self.view = pyte.Screen(columns, lines)
        self.stream = pyte.ByteStream(self.view)

    def until(self, what, seconds=20):
        """Read on until what() is true."""
        end = time.monotonic() + seconds
        while not what():
            assert time.monotonic() < end, self.output[-2000:]
            if select.select([self.master], [], [], 0.05)[0]:
                try:
                    data = os.read(self.master, 65536)
                except OSError:
                    return
                self.output += data
                self.stream.feed(data)

    def until_shown(self, text):
        self.until(lambda: any(text in line for line in self.view.display))

    def type(self, text):
        os.write(self.master, text.encode())

    def end(self):
        """The exit status; checks that the terminal is as it was."""
        self.until(lambda: self.process.poll() is not None)
        # what was written last
        while select.select([self.master], [], [], 0)[0]:
            self.output += os.read(self.master, 65536)
        assert self.termios.tcgetattr(self.slave) == self.before
        assert self.output.count(b"\x1b[?1049h") == self.output.count(b"\x1b[?1049l")
        assert self.output.count(b"\x1b[?25l") == self.output.count(b"\x1b[?25h")
        os.close(self.slave)
        os.close(self.master)
        return self.process.returncode


@posix
def test_keys_light_the_board_and_q_leaves():
    term = Terminal()
    term.until_shown("q quit")
    term.type("4")
    term.until_shown("event 11")
    assert term.view.buffer[6][14].data == "●"
    term.type("\x1b[C\r")
    term.until_shown("event 12")
    term.type("q")
    assert term.end() == 0


@posix
@pytest.mark.parametrize("how, status", (("\x03", 130), ("\x04", 1)))
def test_ctrl_c_and_the_end_of_the_input(how, status):
    term = Terminal()
    term.until_shown("q quit")
    term.type(how)
    assert term.end() == status


@posix
@pytest.mark.parametrize("number, status", ((signal.SIGTERM, 143), (signal.SIGHUP, 129)))
def test_a_signal_gives_the_terminal_back(number, status):
    term = Terminal()
    term.until_shown("q quit")
    term.process.send_signal(number)
    assert term.end() == status


@posix
def test_suspended_and_continued():
    term = Terminal()
    term.until_shown("q quit")
    term.type("\x1a")
    term.until(lambda: term.output.endswith(b"\x1b[?1049l"))
    # An orphaned session is not stopped by the system's own rules, so it is checked that it goes on either way.
    time.sleep(0.1)
    term.process.send_signal(signal.SIGCONT)
    term.until(lambda: term.output.count(b"\x1b[?1049h") == 2)
    term.type("2")
    term.until_shown("event 9")
    term.type("q")
    assert term.end() == 0


@posix
def test_too_small_at_the_start():
    term = Terminal(columns=25, lines=9)
    term.until(lambda: term.process.poll() is not None)
    assert term.end() == 2
    assert b"30 by 12 are needed" in term.output.replace(b"\r\n", b"")


@posix
def test_made_too_small_in_play():
    import fcntl
    import struct

    term = Terminal()
    term.until_shown("q quit")
    fcntl.ioctl(term.slave, term.termios.TIOCSWINSZ, struct.pack("HHHH", 8, 28, 0, 0))
    term.until(lambda: b"too small: 30x12 needed" in term.output)
    fcntl.ioctl(term.slave, term.termios.TIOCSWINSZ, struct.pack("HHHH", 18, 60, 0, 0))
    term.type("1")
    term.until_shown("event 8")
    term.type("q")
    assert term.end() == 0


class Windows:
    """What WindowsKeyboard calls of a Windows system, with keys that wait; modes and periods as they were left."""

    def __init__(self, keys, takes_escapes=True):
        self.keys = list(keys)
        self.mode, self.period, self.takes_escapes = 3, 0, takes_escapes
        self.kernel32 = self.winmm = self

    def kbhit(self):
        return bool(self.keys)

    def getwch(self):
        return self.keys.pop(0)

    def GetStdHandle(self, which):
        return which

    def GetConsoleMode(self, handle, mode):
        mode.value = self.mode
        return 1

    def SetConsoleMode(self, handle, mode):
        self.mode = mode if self.takes_escapes else self.mode
        return self.takes_escapes

    def timeBeginPeriod(self, ms):
        self.period += 1

    def timeEndPeriod(self, ms):
        self.period -= 1


def windows_keyboard(monkeypatch, *arguments):
    system = Windows(*arguments)
    monkeypatch.setitem(sys.modules, "msvcrt", system)
    monkeypatch.setitem(
        sys.modules,
        "ctypes",
        SimpleNamespace(windll=system, c_uint32=lambda: SimpleNamespace(value=0), byref=lambda thing: thing),
    )
    return system, terminal.WindowsKeyboard(None)


def test_keys_of_a_windows_console(monkeypatch):
    system, keyboard = windows_keyboard(monkeypatch, "4\xe0M\x00K\xe0;\rP")
    keyboard.enter()
    assert (system.mode, system.period) == (7, 1)
    assert keyboard.read() == ["4", "right", "left", "enter", "P"]
    assert keyboard.read() == []
    system.keys = ["\x03"]
    with pytest.raises(KeyboardInterrupt):
        keyboard.read()
    system.keys = ["\x1a"]
    with pytest.raises(EOFError):
        keyboard.read()
    keyboard.leave()
    keyboard.leave()
    assert (system.mode, system.period) == (3, 0)


def test_a_windows_console_without_escapes_is_told(monkeypatch):
    system, keyboard = windows_keyboard(monkeypatch, "", False)
    with pytest.raises(terminal.TerminalError, match="Windows Terminal"):
        keyboard.enter()
    keyboard.leave()
    assert (system.mode, system.period) == (3, 0)


@pytest.mark.parametrize("stdin", ("", "4"))
def test_no_terminal_is_said(stdin):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        env=dict(os.environ, PYTHONPATH=str(ROOT), PYTHONIOENCODING="utf-8"),
        timeout=60,
    )
    assert done.returncode == 2
    assert done.stdout.startswith("play: ") and "--headless" in done.stdout and "\x1b" not in done.stdout


def test_it_starts_quickly():
    """Simulation, libraries and terminal together, processor time of their import and of power-on."""
    code = "import time\nstart = time.process_time()\n" + PROGRAM.split("def step")[0]
    code += "print(time.process_time() - start)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        encoding="utf-8",
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
        timeout=60,
    )
    assert float(done.stdout) < 0.5, done
