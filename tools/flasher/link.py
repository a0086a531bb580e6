# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The serial line to a board: mpremote's transport, with first contact retried and every failure in plain words."""

import ast
import base64
import contextlib
import errno
import io
import os
import re
import struct
import sys
import time
from pathlib import Path

import serial
from mpremote.transport import TransportError, TransportExecError
from mpremote.transport_serial import SerialTransport

from tools.flasher.errors import BoardFault, FlashError, LinkLost

BOARD_SIDE = Path(__file__).with_name("board_side.py")

CONTACT_TRIES = 6  # a looping program answers 8 of 10 first contacts; six in a row fail about once in 15,000
CONTACT_READ_TIMEOUT_S = 0.1  # so that the first tries can be short: they last 1, 2, 3 ... seconds at most
READ_TIMEOUT_S = 2.0
ANSWER_TIMEOUT_S = 30.0  # without a single byte: the hash of a large table and a slow drive take seconds
CTRL_B, CTRL_C, CTRL_D = b"\x02", b"\x03", b"\x04"
NUDGE = b"show"  # a line that the firmware's console answers

# What CircuitPython prints around a program; none of it is the program's own first line.
BANNERS = (
    "Auto-reload is",
    "Press any key to enter the REPL",
    "code.py output:",
    "main.py output:",
    "boot.py output:",
    "Adafruit CircuitPython",
    "MicroPython",
    'Type "help()"',
    "Code done running",
    "Board ID:",
    "UID:",
    "soft reboot",
    "raw REPL;",
    ">>>",
    "OK",
)


class Link:
    """An open line to one board.

    port: what pyserial opens: a device (`/dev/ttyACM0`, `COM3`) or a URL (`socket://127.0.0.1:5000`).
    usb_serial: the USB serial number by which the same board is found again when its port changes its name, or None.
    Raises FlashError, with the remedy, when the port cannot be opened.
    """

    def __init__(self, port, usb_serial=None):
        self.port = port
        self.usb_serial = usb_serial
        self.transport = None
        self.open()

    def open(self):
        """Opens the port; raises FlashError."""
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                self.transport = SerialTransport(self.port, baudrate=115200, timeout=READ_TIMEOUT_S)
            # mpremote sleeps 10 ms between looks at a port, but reads a pseudo-terminal blocking. A file takes hundreds
            # of questions of some milliseconds each: blocking reads make the installation twice as fast
            self.transport.is_pty = True
        except (TransportError, OSError, ValueError):
            raise FlashError(why_not_opened(self.port)) from None

    def close(self):
        """Closes the port; never raises."""
        if self.transport:
            with contextlib.suppress(Exception):
                self.transport.close()
            self.transport = None

    @contextlib.contextmanager
    def _plain_faults(self):
        # mpremote prints what it did not understand and lets errors of the serial driver through as they are
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                yield
        except TransportExecError as error:
            raise board_fault(error.error_output) from None
        except (serial.SerialException, OSError, AttributeError, TypeError) as error:
            # pyserial raises the last two from a port that vanished in the middle of a call
            raise LinkLost("The connection to the board on %s was lost (%s)." % (self.port, error)) from None
        except (TransportError, struct.error, IndexError) as error:
            raise FlashError(
                "The board on %s does not answer as CircuitPython's REPL does (%s): press its reset button and try "
                "again; is this the right port?" % (self.port, error)
            ) from None

    def contact(self):
        """Interrupts whatever runs, enters the raw REPL and loads the board's half; raises FlashError.

        A program in its loop misses the first Ctrl-C now and then, so this tries `CONTACT_TRIES` times.
        """
        for attempt in range(CONTACT_TRIES):
            try:
                with self._plain_faults():
                    self._interrupt(attempt)
                    self.transport.serial.timeout = CONTACT_READ_TIMEOUT_S
                    self.transport.enter_raw_repl(soft_reset=False, timeout_overall=1 + attempt)
                    self.transport.serial.timeout = READ_TIMEOUT_S
                self.run(BOARD_SIDE.read_text(encoding="utf-8"))
                return
            except LinkLost:
                raise
            except BoardFault as fault:
                if "KeyboardInterrupt" not in fault.last_line:
                    raise
                last = fault
            except FlashError as error:
                last = error
        raise FlashError("%s (%d tries)" % (last, CONTACT_TRIES))

    def _interrupt(self, attempt):
        if not attempt:
            return
        # a second Ctrl-C for a program that caught the first; Ctrl-B leaves a raw REPL that an earlier try half entered
        port = self.transport.serial
        port.write(b"\r" + CTRL_C)
        time.sleep(0.1 * attempt)
        port.write(CTRL_C + b"\r" + CTRL_B)
        time.sleep(0.2 * attempt)
        waiting = port.inWaiting()
        while waiting:
            port.read(waiting)
            waiting = port.inWaiting()

    def run(self, code):
        """Runs code on the board and returns what it printed (str); raises BoardFault, LinkLost or FlashError."""
        with self._plain_faults():
            out, err = self.transport.exec_raw(code, timeout=ANSWER_TIMEOUT_S)
            if err:
                raise TransportExecError(out, err.decode("utf-8", "replace"))
        return out.decode("utf-8", "replace")

    def ask(self, code):
        """Runs code and returns the Python literals that it printed, one a line, as a list."""
        text = self.run(code)
        try:
            return [ast.literal_eval(line.strip()) for line in text.splitlines() if line.strip()]
        except (ValueError, SyntaxError):
            raise FlashError(
                "The board on %s answered nonsense (%r): press its reset button and try again." % (self.port, text[:60])
            ) from None

    def restart_board(self):
        """Restarts the whole board (boot.py and USB included) without waiting for an answer, and closes the port."""
        with contextlib.suppress(FlashError), self._plain_faults():
            self.transport.exec_raw_no_follow("restart()")
            time.sleep(0.1)  # the call must have left the computer before the port closes
        self.close()

    def leave(self):
        """Gives the board back to its program (which starts anew), as far as the line still works; never raises."""
        with contextlib.suppress(Exception):
            port = self.transport.serial
            port.write(CTRL_C + b"\r" + CTRL_B + CTRL_D)
            time.sleep(0.1)
        self.close()

    def reopen(self, deadline, find_port=None):
        """Opens the port again once it is back, by time.monotonic() `deadline` at the latest; raises FlashError.

        find_port: given the USB serial number, returns the board's present port or None.
        """
        self.close()
        while True:
            if find_port and self.usb_serial:
                self.port = find_port(self.usb_serial) or self.port
            try:
                self.open()
                return
            except FlashError:
                if time.monotonic() >= deadline:
                    raise
            time.sleep(0.3)

    def lines(self, deadline, find_port=None, nudge_after_s=None):
        """Yields the lines that the board prints until time.monotonic() `deadline`, reopening a port that vanishes.

        nudge_after_s: when nothing was heard for so long, types `show` once, which the firmware answers: what it
        printed before USB was ready is lost. Where a REPL answers instead, the program has stopped: it is started once
        more (Ctrl-D), so that its last words are heard this time.
        """
        pending, nudged = b"", False
        heard = time.monotonic()
        while time.monotonic() < deadline:
            try:
                if self.transport is None:
                    self.reopen(deadline, find_port)
                count = self.transport.serial.inWaiting()
                data = self.transport.serial.read(count) if count else b""
                if not data and nudge_after_s and time.monotonic() - heard > nudge_after_s:
                    nudge_after_s, nudged = None, True
                    self.transport.serial.write(NUDGE + b"\r\n")
            except FlashError:
                return
            except (OSError, AttributeError, TypeError):
                self.close()
                time.sleep(0.3)
                continue
            if not data:
                time.sleep(0.02)
                continue
            heard = time.monotonic()
            pending += data
            while b"\n" in pending:
                line, pending = pending.split(b"\n", 1)
                if nudged and is_repl(plain(line)):
                    nudged = False
                    self.transport.serial.write(CTRL_C + CTRL_D)
                yield plain(line)

    def put(self, path, data, progress, chunk_bytes=2048):
        """Writes data (bytes) to path on the board, calling progress(bytes written) after each chunk."""
        self.run("begin(%r)" % path)
        for start in range(0, len(data), chunk_bytes):
            part = data[start : start + chunk_bytes]
            self.run("w(%r)" % base64.b64encode(part).decode())
            progress(len(part))
        self.run("end()")


def plain(line):
    """A line from the board without line ends, title sequences and colours."""
    text = line.decode("utf-8", "replace").strip("\r\n")
    text = re.sub("\x1b\\][^\x07\x1b]*(\x07|\x1b\\\\)", "", text)
    text = re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", text)
    return "".join(c for c in text if c.isprintable()).strip()


def is_banner(line):
    """True for what CircuitPython prints around a program, for an empty line, and for the echo of what was typed."""
    return not line or line.startswith(BANNERS) or line == NUDGE.decode()


def is_repl(line):
    """True for a line that only a REPL prints: its greeting, its prompt, or the echo of what was typed."""
    return line.startswith((">>>", "Adafruit CircuitPython", "MicroPython")) or line == NUDGE.decode()


def board_fault(traceback):
    """The BoardFault of a traceback that the board printed: by the number in the text, since the words differ.

    CircuitPython says `[Errno 2] No such file/directory`, MicroPython `[Errno 2] ENOENT` or only a number.
    """
    lines = [line for line in traceback.strip().splitlines() if line.strip()]
    last = lines[-1].strip() if lines else "an error without a text"
    number = None
    found = re.match(r"OSError: (?:\[Errno (\d+)\]|\(?(\d+)\b)", last)
    if found:
        number = int(found.group(1) or found.group(2))
    if number == errno.ENOSPC:
        text = "The board's drive is full."
    elif number == errno.EROFS:
        text = "The board's drive is read-only for the board: the computer holds it."
    elif last.startswith("MemoryError"):
        text = "The board has not enough free memory for the installer: press its reset button and try again."
    else:
        text = "The board reported: %s" % last
    return BoardFault(text, last, number)


def why_not_opened(port):
    """One line: why this port cannot be opened, and the remedy."""
    try:
        serial.serial_for_url(port, baudrate=115200, timeout=1, exclusive=True).close()
        return "Port %s could not be opened at first: try again." % port
    except ValueError as error:
        return "%s is not a port (%s). Without a port the command finds the board by itself." % (port, error)
    except OSError as error:
        number, words = error.errno, str(error)
    if number == errno.EACCES and os.name == "posix":
        return "No permission to open %s: %s" % (port, permission_remedy(port))
    if number in (errno.EAGAIN, errno.EBUSY) or "lock" in words or "Access is denied" in words or "denied" in words:
        return "Port %s is in use by another program: close it (serial monitor, editor, another flash)." % port
    if number in (errno.ENOENT, errno.ENXIO) or "FileNotFoundError" in words or "No such file" in words:
        return "There is no port %s: look at the list that `python3 -m tools flash --list` prints." % port
    if number == errno.ENOTTY:
        return "%s is not a serial port." % port
    return "Port %s cannot be opened: %s" % (port, words.splitlines()[0] if words else "no reason given")


def permission_remedy(port):
    """What gives this user access to a port: on Linux the group that the port belongs to."""
    group = "dialout"
    if sys.platform.startswith("linux"):
        try:
            import grp

            group = grp.getgrgid(os.stat(port).st_gid).gr_name
        except (OSError, KeyError, ImportError):
            pass
        if group != "root":
            return "run `sudo usermod -aG %s $USER`, then log out and in again." % group
        return "it belongs to root alone: add a udev rule for the board, or run the command with sudo."
    return "run the command as a user who may use it."
