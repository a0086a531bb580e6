# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The real board, by CircuitPython 9.2 or newer."""

# The contract is in hal/__init__.py. On a desktop this very file runs over the stand-ins of hal.simulated.

import time
from sys import modules, stdin

import digitalio
import keypad
from adafruit_ticks import ticks_ms
from micropython import const
from supervisor import runtime

try:
    from usb_cdc import console as _usb
except ImportError:
    _usb = None

_LINE = const(200)
_BYTES = const(64)  # taken from the console at a time: about 1 ms of work
_WAIT_MS = const(20)


def forget(names):
    """Drop these modules (names with blanks between) from memory, if they are loaded: an import loads them anew."""
    for name in names.split():
        if modules.pop(name, None):
            package, _, leaf = name.rpartition(".")
            delattr(modules[package], leaf)


def input_pin(pin):
    """An input with its pull-up on ``pin`` (of the module board), None for None."""
    if pin is None:
        return None
    line = digitalio.DigitalInOut(pin)
    line.switch_to_input(digitalio.Pull.UP)
    return line


def open_board(settings):
    """Return the Board, opened by hal/opening.py, which takes room only meanwhile."""
    from hal import opening

    board = Board()
    opening.open_parts(board, settings)
    forget("hal.opening hal.wiring")
    return board


class Board:
    # The parts of one board, as hal/__init__.py lists them. hal/opening.py brings them; here is what the console needs.

    def __init__(self):
        self.ticks_ms = ticks_ms
        self.forget = forget
        self._deaf = False  # the computer holds the console open and does not read
        self._chunk = bytearray(_BYTES)
        self._at = self._end = 0
        self._line = bytearray(_LINE)
        self._length = 0

    def busy(self, work, *args):
        """Return work(*args), which may take long: meanwhile the buttons are scanned in the background, and what was
        pressed comes out of buttons.next() afterwards."""
        self.lend()
        try:
            return work(*args)
        finally:
            self.take_back()

    def lend(self):
        """Let the buttons be scanned in the background until take_back(): scan() takes the place of buttons.poll().

        At 10 ms a scan no bounce of up to 8 ms looks like two presses, and no press of 30 ms is missed. The debouncers
        are quicker, and are what serves at all other times.
        """
        buttons = self.buttons
        for _ in range(20):  # an edge that is still bouncing comes to rest first: 12 ms at most
            if buttons.at_rest():
                break
            buttons.poll(ticks_ms())
            time.sleep(0.001)
        buttons.lend()
        pins = [self.pins[button] for button in self.wired]
        self._keys = keypad.Keys(pins, value_when_pressed=False, pull=True, interval=0.01)

    def scan(self, now_ms):
        """Hand on what the background has seen."""
        event = self.event
        while self._keys.events.get_into(event):
            self.buttons.seen(self.wired[event.key_number], event.released, now_ms)

    def take_back(self):
        """The end of lend()."""
        self.scan(ticks_ms())
        self._keys.deinit()
        self.buttons.take_back([input_pin(pin) for pin in self.pins])

    def sleep_ms(self, ms):
        for _ in range(ms):
            time.sleep(0.001)  # ms / 1000 would be garbage

    def read_line(self):
        """Return the next non-empty line of the console, at most 200 characters of it, or None. Takes at most 64
        bytes a call and never waits. Bytes that are no printable ASCII come as "?"; a backspace takes one back.
        """
        if self._at == self._end:
            count = runtime.serial_bytes_available
            if not count:
                return None
            # readinto and not read: read(n) wants n whole UTF-8 characters and would wait for the rest of a torn one.
            self._at = 0
            self._end = stdin.readinto(self._chunk, min(count, _BYTES))
        chunk, line = self._chunk, self._line
        length = self._length
        for at in range(self._at, self._end):
            byte = chunk[at]
            if byte == 10 or byte == 13:
                if length:
                    self._at = at + 1
                    self._length = 0
                    return str(bytes(line[:length]), "ascii")
            elif byte == 8 or byte == 127:
                length = max(0, length - 1)
            elif length < _LINE:
                line[length] = byte if 32 <= byte < 127 else 63
                length += 1
        self._at = self._end
        self._length = length
        return None

    def write(self, text):
        """Print a line. A computer that holds the port open without reading would stop print for ever, so the line is
        given in pieces that fit the USB queue, and dropped after 20 ms of waiting, at once the next times.
        """
        for start in range(0, len(text) or 1, _BYTES):
            if _usb is not None and _usb.connected:
                wait_ms = 0 if self._deaf else _WAIT_MS
                while _usb.out_waiting and wait_ms:
                    time.sleep(0.001)
                    wait_ms -= 1
                self._deaf = _usb.out_waiting > 0
                if self._deaf:
                    return
            print(text[start : start + _BYTES], end="" if start + _BYTES < len(text) else "\n")
