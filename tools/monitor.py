# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``monitor``: watches a board's serial line, shows its game as it goes and saves the record of every game."""

import os
import re
import socket
import sys
import time
from pathlib import Path

from engine.notation import RecordError, parse_move, parse_record, record
from engine.position import new_position
from firmware.words import board_lines
from tools.options import whole

HELP = "show a board's game live over its serial line (port, socket://host:port or pseudo-terminal), save the record"
EXTRAS = ()

BAUD = 115200  # USB takes any; a name for what pySerial wants
WAIT_S = 0.2
SETTLE_S = 0.5  # after opening: what a board still had to say
REMEDIES = (
    (ConnectionRefusedError, "is `play --serial N` or `emulate --serial N` running, with that number?"),
    (TimeoutError, "is the other computer on, and does its firewall let the port through?"),
    (socket.gaierror, "check the host's name"),
    (FileNotFoundError, "is the board plugged in, with a cable for data?"),
    (PermissionError, "on Linux: sudo usermod -aG dialout $USER, then log in again"),
)
MAX_LINE = 2000  # a longer line is no line of a game
MOVE = re.compile(r"^(\d{1,3})\. [●○▲] (\S{1,2})$")
BACK = re.compile(r"^taken back: (\d{1,3})$")
ENDS = re.compile(r"^(draw|the others share it|(Red|Yellow|Green) wins)$")
NEXT = re.compile(r"^game (\d+)$")
COLOURS = {"●": "\x1b[91m●\x1b[0m", "○": "\x1b[93m○\x1b[0m", "▲": "\x1b[92m▲\x1b[0m"}


class Watcher:
    """Follows a game by the lines that a board prints.

    ``position``: the game as far as it is known, None before the first line of one. ``finished``: records of the games
    that have ended. ``lost``: the game is out of step with the board, which has to be asked for the record.
    """

    def __init__(self):
        self.position = None
        self.finished = []
        self.over = False
        self.lost = True

    def take(self, line):
        """Take one line; whether it changed the game."""
        if not line or len(line) > MAX_LINE:
            return False
        for pattern, act in ((MOVE, self._move), (BACK, self._back), (ENDS, self._end), (NEXT, self._next)):
            found = pattern.match(line)
            if found:
                return act(*found.groups())
        return self._record(line)

    def current(self):
        """The record of the game that is on; empty if there is none or nothing was played."""
        if self.position is None or self.over or not self.position.ply:
            return ""
        return record(self.position)

    def _move(self, number, text):
        position = self.position
        try:
            move = parse_move(text)
            if self.over or position is None or position.ply + 1 != int(number) or not position.is_legal(move):
                raise ValueError
        except ValueError:
            self.lost = True
            return False
        position.play(move)
        return True

    def _back(self, plies):
        if self.position is None or self.position.ply < int(plies) or self.over:
            self.lost = True
            return False
        for _ in range(int(plies)):
            self.position.undo()
        return True

    def _end(self, _text, _colour):
        if self.position is None or self.over:
            return False
        self.over = True
        if self.position.ply:
            self.finished.append(record(self.position))
        return True

    def _next(self, _number):
        if self.position is None:
            return False
        self._begin(self.position.variation)
        # What is given at the start of a game, by lot, is not printed move by move.
        self.lost = bool(self.position.variation.opening)
        return True

    def _record(self, line):
        """A line that is a record: the start of a game, or the answer to ``record``."""
        if not (line.startswith("[") or re.fullmatch(r"[a-g][-=*|+]?( [a-g][-=*|+]?)*", line)):
            return False
        try:
            variation, moves = parse_record(line)
            position = new_position(variation)
            for move in moves:
                position.play(move)
        except (RecordError, ValueError):
            return False
        if position.result is not None and self.finished and record(position) == self.finished[-1]:
            return False
        before = self.position
        self.position = position
        self.over = position.result is not None
        self.lost = bool(variation.opening) and not moves
        if self.over:
            self.finished.append(record(position))
        return before is None or record(before) != record(position) or not moves

    def _begin(self, variation):
        self.position = new_position(variation)
        self.over = False


class RecordFile:
    """Records, one a line; what the file held before stays above them. Raises OSError where it can't be written."""

    def __init__(self, path):
        self.path = Path(path)
        text = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
        self.before = text if not text or text.endswith("\n") else text + "\n"
        self.written = None

    def write(self, lines):
        text = self.before + "".join(line + "\n" for line in lines)
        if lines and text != self.written:
            draft = self.path.with_name(self.path.name + ".new")
            draft.write_text(text, encoding="utf-8")
            os.replace(draft, self.path)
            self.written = text


def add_arguments(parser):
    parser.add_argument("port", metavar="PORT", help="serial port, socket://host:port or pseudo-terminal")
    parser.add_argument("--save", metavar="FILE", help="append the records to FILE, one game a line, kept up to date")
    parser.add_argument("--games", type=whole(1, 10000), metavar="N", help="end after N finished games")
    parser.add_argument(
        "--listen", action="store_true", help="send nothing; otherwise the board is asked for its record"
    )
    parser.epilog = "Ctrl-C ends it. The file's lines are what `analyse` reads."


def wrong(args):
    """One line on an address that no port can have, else None."""
    from tools.flasher.ports import wrong_address

    return wrong_address(args.port)


def reason(error):
    """What an error of pySerial says, in one line, with the remedy where one is known."""
    while error.__context__ is not None and isinstance(error.__context__, OSError):
        error = error.__context__  # pySerial wraps the system's own
    text = " ".join(str(getattr(error, "strerror", None) or error).split())
    if "configure port" in text:
        return "it is no serial port: `python3 -m tools flash --list` tells which there are"
    for kind, remedy in REMEDIES:
        if isinstance(error, kind):
            return "%s: %s" % (text, remedy)
    return text


def run(args):
    import serial

    try:
        file = RecordFile(args.save) if args.save else None
        if file:
            file.path.open("a", encoding="utf-8").close()  # say so now if it can't be written
    except (OSError, UnicodeDecodeError) as error:
        print(
            "monitor: %s cannot be used: %s" % (args.save, getattr(error, "strerror", None) or error), file=sys.stderr
        )
        return 2
    try:
        port = serial.serial_for_url(args.port, baudrate=BAUD, timeout=WAIT_S, write_timeout=WAIT_S)
    except (serial.SerialException, ValueError, OSError) as error:
        print("monitor: no connection to %s: %s" % (args.port, reason(error)), file=sys.stderr)
        return 1
    try:
        return watch(port, file, args.games, not args.listen, sys.stdout)
    except KeyboardInterrupt:
        return 0
    except (serial.SerialException, OSError) as error:
        print("monitor: the board on %s is gone: %s" % (args.port, error), file=sys.stderr)
        return 1
    finally:
        port.close()


def watch(port, file, games, asks, out):
    """Follow the lines from ``port`` until ``games`` have ended (None: for ever); the exit status."""
    watcher = Watcher()
    waiting = b""
    told = False
    asked_at = time.monotonic() - 10 + SETTLE_S
    while True:
        data = port.read(max(1, port.in_waiting))
        waiting += data
        *lines, waiting = waiting.split(b"\n")
        if len(waiting) > 10 * MAX_LINE:
            waiting = b""
        for raw in lines:
            line = raw.decode("utf-8", "replace").strip()
            changed = watcher.take(line)
            if line:
                print(line, file=out)
            if line.startswith(">>>") and not told:
                told = True
                print("(the board is at Python's prompt: Ctrl-D in `python3 -m tools console` starts it)", file=out)
            if changed:
                _show(watcher.position, out)
                if file:
                    file.write(watcher.finished + [text for text in [watcher.current()] if text])
            if games and len(watcher.finished) >= games:
                return 0
        if asks and watcher.lost and time.monotonic() - asked_at >= 10:
            asked_at = time.monotonic()
            port.write(b"record\r\n")
        elif watcher.lost is False:
            asked_at = time.monotonic() - 10  # the next time it is out of step, it is asked at once


def _show(position, out):
    """The board as text, in colour on a terminal."""
    for line in board_lines(position):
        if out.isatty():
            line = "".join(COLOURS.get(c, c) for c in line)
        print("    " + line, file=out)
    out.flush()
