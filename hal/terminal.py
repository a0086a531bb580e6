# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""A window on a board: its 9x6 matrix in a terminal, the keyboard as its eight buttons. Desktop only.

Screen draws frames, Keyboard reads keys, run() puts both on a Simulation in real time. Every key becomes a press of a
simulated pin and goes the way of a finger, through contact bounce and debouncer.

Only the standard library: a frame is sixty characters in known places, and every package that was looked at for it
costs more at the start than it saves here.
"""

import os
import signal
import sys
import time

from hal.simulated import HOLD_KEY_MS, KEYS

COLUMNS, ROWS = 9, 6
MARGIN = 2  # characters left of the matrix
CELL = 3  # characters of a cell: a disc in two, and a gap
NEEDS_COLUMNS, NEEDS_LINES = MARGIN + CELL * COLUMNS + 1, ROWS + 6
LOG_LINES = 6  # of what the board prints, at most
FRAME_S = 0.02
ESCAPE_S = 0.05  # the rest of an escape sequence comes within this, also over a network

# The keys, for terminals of any width: the first line that fits is shown.
HELP = "1-7 column  p pop  P pop held  arrows+Enter  q quit"
SHORTER = ("1-7 column  p pop  P held  q quit", "1-7  p pop  P held  q quit")

# What the board says to somebody who can type lines to it, and what is shown here, where there are only keys.
INSTEAD = {"five-in-a-row: type help": "five-in-a-row: the keys stand below"}

# Signs above the columns and how they are coloured (SGR): what a move is worth, a full column, not known yet.
SIGNS = {"+": "1;32", "=": "33", "-": "31", ".": "2", "?": "2"}
TURNS = "|/|\\"  # a sign that sways while something is not known yet; no - in it, which would be a value
TURN_S = 0.25

GAMMA = 2.2  # of terminals; pixels are linear
FULL_LEVEL = 40  # this level of a pixel is shown as full already: a board in a room is run far below 255
_EMPTY = (58, 58, 66)
_HUES = ((12, "R"), (38, "O"), (75, "Y"), (155, "G"), (200, "C"), (265, "B"), (340, "M"), (361, "R"))  # below, letter
_CUBE = (0, 95, 135, 175, 215, 255)  # the levels of the 256-colour palette's cube

ROUND = {"disc": "●", "empty": "·", "pointer": "▼"}
PLAIN = {"disc": "O", "empty": ".", "pointer": "v"}

ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
WINDOWS_ARROWS = {"H": "up", "P": "down", "M": "right", "K": "left"}


class TerminalError(Exception):
    """The terminal cannot be used; the text says why and what to do."""


def colour_mode(environ, windows=False):
    """Return "true", "256" or "none": what the terminal shows, by the usual variables (NO_COLOR, COLORTERM, TERM)."""
    term = environ.get("TERM", "")
    if environ.get("NO_COLOR") or term == "dumb":
        return "none"
    if environ.get("COLORTERM", "").lower() in ("truecolor", "24bit") or term.endswith("-direct"):
        return "true"
    if windows:  # every console that takes escapes at all takes these
        return "true"
    if "256" in term or term.startswith(("xterm", "screen", "tmux", "rxvt", "alacritty", "kitty", "foot")):
        return "256"
    return "none"


def as_shown(red, green, blue):
    """The terminal's colour for a pixel that is lit (levels 0..255, linear): the light lifted, the hue kept."""
    high = max(red, green, blue)
    light = 255 * min(1.0, high / FULL_LEVEL) ** (1 / GAMMA)
    return tuple(round(light * (level / high) ** (1 / GAMMA)) for level in (red, green, blue))


def nearest_256(red, green, blue):
    """The index in the 256-colour palette, cube and greys, that is nearest to a colour (0..255 each)."""
    cube = [min(range(6), key=lambda step, level=level: abs(_CUBE[step] - level)) for level in (red, green, blue)]
    grey = min(23, max(0, round(((red + green + blue) / 3 - 8) / 10)))
    grey_level = 8 + 10 * grey

    def distance(a, b, c):
        return (a - red) ** 2 + (b - green) ** 2 + (c - blue) ** 2

    if distance(grey_level, grey_level, grey_level) < distance(*[_CUBE[step] for step in cube]):
        return 232 + grey
    return 16 + 36 * cube[0] + 6 * cube[1] + cube[2]


def letter(red, green, blue, full=255):
    """A colour as a letter, for a terminal without colours: R O Y G C B M by hue, W without one; small when its light
    is below half of `full`, the brightest channel of the frame.
    """
    high, low = max(red, green, blue), min(red, green, blue)
    span = high - low
    if span < high / 5:
        name = "W"
    else:
        if high == red:
            hue = (60 * (green - blue) / span) % 360
        elif high == green:
            hue = 120 + 60 * (blue - red) / span
        else:
            hue = 240 + 60 * (red - green) / span
        name = next(name for limit, name in _HUES if hue < limit)
    return name if 2 * high >= full else name.lower()


class Screen:
    """Draws frames on a terminal.

    out: a text stream; colour: "true", "256" or "none". size() -> (columns, lines) of the terminal now.
    """

    def __init__(self, out, colour="true", size=None):
        self.out = out
        self.colour = colour
        self.size = size or (lambda: os.get_terminal_size(out.fileno()))
        self.signs = ROUND
        try:
            "●·▼".encode(out.encoding or "utf-8")
        except UnicodeError:
            self.signs = PLAIN
        self._drawn = None
        self._codes = {}
        self._open = False

    def check_size(self):
        """Raise TerminalError if the terminal is too small."""
        columns, lines = self.size()
        if columns < NEEDS_COLUMNS or lines < NEEDS_LINES:
            raise TerminalError(
                "the terminal is %d columns by %d lines, and %d by %d are needed: make it larger, or use --headless"
                % (columns, lines, NEEDS_COLUMNS, NEEDS_LINES)
            )

    def enter(self):
        """Take the alternate screen and hide the cursor."""
        self._open = True
        self._drawn = None
        self._put("\x1b[?1049h\x1b[?25l\x1b[2J")

    def leave(self):
        """Give the terminal back as it was."""
        if self._open:
            self._open = False
            self._put("\x1b[0m\x1b[?25h\x1b[?1049l")

    def _put(self, text):
        self.out.write(text)
        self.out.flush()

    def cell(self, red, green, blue, full):
        """The text of one pixel, with its escapes."""
        if self.colour == "none":
            return letter(red, green, blue, full) if red or green or blue else self.signs["empty"]
        key = (red, green, blue)
        text = self._codes.get(key)
        if text is None:
            lit = red or green or blue
            shown = as_shown(*key) if lit else _EMPTY
            sign = self.signs["disc" if lit else "empty"]
            if self.colour == "true":
                text = "\x1b[38;2;%d;%d;%dm%s" % (shown + (sign,))
            else:
                text = "\x1b[38;5;%dm%s" % (nearest_256(*shown), sign)
            if len(self._codes) > 4096:
                self._codes.clear()
            self._codes[key] = text
        return text

    def picture(self, frame):
        """The matrix as ROWS lines of text, top row first. Each cell is put at its own place, since terminals do not
        agree on how wide a disc is.
        """
        full = max(max(frame), 1)
        lines = []
        for row in range(ROWS - 1, -1, -1):
            line = []
            for column in range(COLUMNS):
                at = 3 * (ROWS * column + row)
                line.append("\x1b[%dG" % (MARGIN + CELL * column + 1))
                line.append(self.cell(frame[at], frame[at + 1], frame[at + 2], full))
            line.append("\x1b[0m")
            lines.append("".join(line))
        return lines

    def above(self, signs, now_s=0.0, width=CELL * COLUMNS):
        """The line above the matrix: a sign of SIGNS over each column from a on, at its left one that turns while any
        is not known; any other text as it is, cut to `width`.
        """
        if signs.strip("".join(SIGNS)):
            return " " * MARGIN + _safe(signs, self.out.encoding)[:width]
        line = [" " * MARGIN + (TURNS[int(now_s / TURN_S) % len(TURNS)] if "?" in signs else "")]
        for column, sign in enumerate(signs):
            coloured = sign if self.colour == "none" else "\x1b[%sm%s\x1b[0m" % (SIGNS[sign], sign)
            line.append("\x1b[%dG%s" % (MARGIN + CELL * (1 + column) + 1, coloured))
        return "".join(line)

    def draw(self, frame, pointer=3, log=(), signs=None, now_s=0.0):
        """Draw a frame (162 bytes, R G B by cell), the pointer over column a + `pointer`, the last lines of `log`, and
        if `signs` is not None the line `above` of them. What is already on the screen is not sent again. A terminal
        that is too small now shows that it is.
        """
        columns, lines = self.size()
        width = columns - MARGIN - 1
        above = None if signs is None else self.above(signs, now_s, width)
        state = (bytes(frame), pointer, tuple(log[-LOG_LINES:]), columns, lines, above)
        if state == self._drawn:
            return
        if self._drawn is None or self._drawn[3:5] != state[3:5]:
            self._put("\x1b[2J")
        self._drawn = state
        if columns < NEEDS_COLUMNS or lines < NEEDS_LINES:
            text = "too small: %dx%d needed" % (NEEDS_COLUMNS, NEEDS_LINES)
            self._put("\x1b[H\x1b[0m" + text[: max(0, columns - 1)] + "\x1b[K")
            return
        rows = [" " * (MARGIN + CELL * (1 + pointer)) + self.signs["pointer"]]
        if above is not None:
            rows.append(above)
        rows += self.picture(frame)
        names = "".join("\x1b[%dG%s" % (MARGIN + CELL * (1 + column) + 1, "abcdefg"[column]) for column in range(7))
        rows.append("\x1b[2m" + names + "\x1b[0m")
        if above is None:  # with a line above there is none to spare below in a small terminal
            rows.append("")
        shown = [text[at : at + width] for text in log[-LOG_LINES:] for at in range(0, max(1, len(text)), width)]
        room = lines - len(rows) - 2
        shown = shown[-room:] if room > 0 else []
        rows += [" " * MARGIN + _safe(text, self.out.encoding) for text in shown]
        output = ["\x1b[?2026h\x1b[H"]  # synchronised update, where the terminal knows it
        output += ["\x1b[%d;1H\x1b[2K%s" % (number + 1, row) for number, row in enumerate(rows)]
        note = next(text for text in (HELP, *SHORTER) if len(text) <= width)
        output.append("\x1b[J\x1b[%d;1H\x1b[2m%s%s\x1b[0m" % (lines, " " * MARGIN, note))
        output.append("\x1b[?2026l")
        self._put("".join(output))


def _safe(text, encoding):
    """`text` without control characters and in what the stream can encode."""
    text = "".join(sign if sign >= " " and sign != "\x7f" else "?" for sign in text)
    return text.encode(encoding or "utf-8", "replace").decode(encoding or "utf-8")


def split_keys(data):
    """Split terminal input (str) into names of keys; return (keys, what is left of an unfinished escape)."""
    keys = []
    at = 0
    while at < len(data):
        sign = data[at]
        at += 1
        if sign != "\x1b":
            keys.append("enter" if sign in "\r\n" else sign)
            continue
        if at == len(data):
            return keys, "\x1b"
        if data[at] not in "[O":
            continue  # Alt and a key, or a lone Escape: the escape means nothing here
        start = at - 1
        at += 1
        while at < len(data) and not "@" <= data[at] <= "~":
            at += 1
        if at == len(data):
            return keys, data[start:] if at - start < 16 else ""
        if data[at] in ARROWS:
            keys.append(ARROWS[data[at]])
        at += 1
    return keys, ""


class PosixKeyboard:
    """Keys of a POSIX terminal, one by one and without echo; Ctrl-C stays a signal. read() never waits and raises
    EOFError at the end of the input.
    """

    def __init__(self, stream):
        import select
        import termios
        import tty

        self._select, self._termios, self._tty = select, termios, tty
        self._fd = stream.fileno()
        self._saved = None
        self._left = ""
        self._left_s = 0.0

    def enter(self):
        self._saved = self._termios.tcgetattr(self._fd)
        self._tty.setcbreak(self._fd)

    def leave(self):
        if self._saved is not None:
            try:
                self._termios.tcsetattr(self._fd, self._termios.TCSADRAIN, self._saved)
            except self._termios.error:
                pass  # the terminal has gone
            self._saved = None

    def read(self):
        if not self._select.select([self._fd], [], [], 0)[0]:
            if self._left and time.monotonic() - self._left_s > ESCAPE_S:
                self._left = ""
            return []
        try:
            data = os.read(self._fd, 256)
        except OSError:  # the terminal has gone
            data = b""
        if not data or data == b"\x04":
            raise EOFError
        keys, self._left = split_keys(self._left + data.decode("utf-8", "replace"))
        self._left_s = time.monotonic()
        return keys


class WindowsKeyboard:
    """Keys of a Windows console; while it is used, its escapes for colours are switched on, and sleeps are as short as
    they are asked to be.
    """

    OUTPUT_HANDLE, ESCAPES = -11, 0x0004  # STD_OUTPUT_HANDLE, ENABLE_VIRTUAL_TERMINAL_PROCESSING

    def __init__(self, stream):
        import ctypes
        import msvcrt

        self._msvcrt = msvcrt
        self._ctypes = ctypes
        self._kernel = ctypes.windll.kernel32
        self._clock = ctypes.windll.winmm
        self._saved = None
        self._fine = False

    def enter(self):
        handle = self._kernel.GetStdHandle(self.OUTPUT_HANDLE)
        mode = self._ctypes.c_uint32()
        if self._kernel.GetConsoleMode(handle, self._ctypes.byref(mode)):
            self._saved = mode.value
            if not self._kernel.SetConsoleMode(handle, mode.value | self.ESCAPES):
                raise TerminalError("this console takes no escapes: use Windows Terminal, or --headless")
        self._clock.timeBeginPeriod(1)  # without it a sleep of 4 ms takes 16
        self._fine = True

    def leave(self):
        if self._saved is not None:
            self._kernel.SetConsoleMode(self._kernel.GetStdHandle(self.OUTPUT_HANDLE), self._saved)
            self._saved = None
        if self._fine:
            self._clock.timeEndPeriod(1)
            self._fine = False

    def read(self):
        keys = []
        while self._msvcrt.kbhit():
            sign = self._msvcrt.getwch()
            if sign in "\x00\xe0":
                arrow = WINDOWS_ARROWS.get(self._msvcrt.getwch())
                if arrow:
                    keys.append(arrow)
            elif sign == "\x03":
                raise KeyboardInterrupt
            elif sign == "\x1a":
                raise EOFError
            else:
                keys.append("enter" if sign == "\r" else sign)
        return keys


def open_keyboard(stream):
    """The keyboard of this system. Raises TerminalError if `stream` is no terminal."""
    if not stream.isatty():
        raise TerminalError("the input is no terminal: use --headless with --keys")
    return (WindowsKeyboard if os.name == "nt" else PosixKeyboard)(stream)


class Player:
    """Turns keys into presses of a Simulation's buttons. `pointer`: the column (0..6) that the arrows choose."""

    GAP_MS = 40  # between two presses of one button, and between any two starts, so that their order is kept

    def __init__(self, sim):
        self.sim = sim
        self.pointer = 3
        self._free_ms = [0] * 8
        self._next_ms = 0

    def press(self, button, hold_ms):
        """Press a button now, or as soon as the press of it before is over."""
        start_ms = max(self.sim.now_ms(), self._next_ms, self._free_ms[button])
        self._next_ms = start_ms + self.GAP_MS
        self.sim.press(button, start_ms, hold_ms)
        self._free_ms[button] = start_ms + hold_ms + self.GAP_MS

    def key(self, key):
        """Do what a key says; return False when it is the one that quits. Other keys mean nothing and do nothing."""
        if key in ("q", "Q"):
            return False
        if key == "left":
            self.pointer = max(0, self.pointer - 1)
        elif key == "right":
            self.pointer = min(6, self.pointer + 1)
        elif key in ("enter", "down", " "):
            self.press(self.pointer, HOLD_KEY_MS["tap"])
        elif key in KEYS:
            button, kind = KEYS[key]
            if button < 7:
                self.pointer = button
            self.press(button, HOLD_KEY_MS[kind])
        return True


def run(sim, step, out=None, keyboard=None, colour=None, screen=None, signs=None):
    """Play on a terminal, in real time, until `q`, Ctrl-C or the end of the input. The terminal is always given back.

    sim: a Simulation(realtime=True) with its board open; step(): one turn of the firmware's loop; signs(): the text for
    the line above the matrix (Screen.above) at each frame, or None for no such line.
    Return the exit status: 0 quit, 130 interrupted, 1 the input ended. Raises TerminalError before anything is changed
    if there is no terminal or it is too small.
    """
    out = out or sys.stdout
    if screen is None:
        if not out.isatty():
            raise TerminalError("the output is no terminal: use --headless")
        screen = Screen(out, colour or colour_mode(os.environ, os.name == "nt"))
    screen.check_size()
    keyboard = keyboard or open_keyboard(sys.stdin)
    player = Player(sim)
    undo = []

    def stopped(number, frame):
        raise SystemExit(128 + number)

    def suspended(number, frame):
        screen.leave()
        keyboard.leave()
        os.kill(os.getpid(), signal.SIGSTOP)  # and here it goes on when it is continued
        keyboard.enter()
        screen.enter()

    try:
        for name, handler in (
            ("SIGTERM", stopped), ("SIGHUP", stopped), ("SIGQUIT", stopped), ("SIGTSTP", suspended),
        ):  # fmt: skip
            if hasattr(signal, name):
                number = getattr(signal, name)
                undo.append((number, signal.signal(number, handler)))
        keyboard.enter()
        screen.enter()
        due_s = 0.0
        while True:
            step()
            for key in keyboard.read():
                if not player.key(key):
                    return 0
            now_s = time.monotonic()
            if now_s >= due_s:
                due_s = now_s + FRAME_S
                log = [line.rstrip("\n") for line in sim.serial_out[-LOG_LINES:]]
                log = [INSTEAD.get(line, line) for line in log]
                screen.draw(sim.frame, player.pointer, log, signs=signs and signs(), now_s=now_s)
    except KeyboardInterrupt:
        return 130
    except EOFError:
        return 1
    finally:
        try:
            screen.leave()
        except OSError:
            pass  # the terminal has gone
        keyboard.leave()
        for number, handler in undo:
            signal.signal(number, handler)
