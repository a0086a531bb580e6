# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The real board, by CircuitPython 9.2 or newer. The contract is in hal/__init__.py.

On a desktop this very file runs over the stand-ins of hal.simulated.
"""

import gc
import time
from sys import stdin

import board
import digitalio
import keypad
import microcontroller
import neopixel
from adafruit_ticks import ticks_ms
from micropython import const
from supervisor import runtime

from hal.buttons import Buttons
from hal.wiring import wire_map

try:
    from usb_cdc import console as _usb
except ImportError:
    _usb = None

_PIXELS = const(54)
_LINE = const(200)
_BYTES = const(64)  # taken from the console at a time: about 1 ms of work
_WAIT_MS = const(20)
_SECONDS = (0.0, 0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.007, 0.008, 0.009, 0.01)  # made once: a float is garbage

# setting -> default
_DEFAULTS = {
    "pixel_pin": "GP0",
    "button_pins": ("GP2", "GP3", "GP4", "GP5", "GP6", "GP7", "GP8", "GP9"),
    "pixel_order": "GRB",
    "first_corner": "bottom left",
    "wiring_order": "column",
    "serpentine": 0,
    "rotation": 0,
}


def setting(settings, name):
    """The value of a setting that this module reads, or its default."""
    return getattr(settings, name, _DEFAULTS[name])


def _claim(names, make, what, complaints):
    """Return make(pin) of the first name that works, or None. Any name before it is told, in one line."""
    wrong = ""
    tried = []
    for name in names:
        if name in tried:
            continue
        tried.append(name)
        pin = getattr(board, name, None)
        try:
            if pin is not None:
                made = make(pin)
                if wrong:
                    complaints.append("settings.toml: %s: %s; using %s" % (what, wrong, name))
                return made
            why = name + " is not on this board"
        except (ValueError, RuntimeError) as error:
            why = str(error)
        wrong += ", " + why if wrong else why
    complaints.append("settings.toml: %s: %s; going on without" % (what, wrong))
    return None


def _input(pin):
    if pin is None:
        return None
    line = digitalio.DigitalInOut(pin)
    line.switch_to_input(digitalio.Pull.UP)
    return line


def _wired(pin):
    return pin, _input(pin)


def open_board(settings):
    """Return the Board. `settings`: any object with the attributes that hal/__init__.py lists.

    A pin that this board has not, or that is taken, is told in `complaints`; the default pin is tried instead, and
    failing that the button stays dead. Raises RuntimeError only when there is no pin for the pixels at all.
    """
    complaints = []
    order = setting(settings, "pixel_order")

    def strip(pin):
        return neopixel.NeoPixel(pin, _PIXELS, bpp=len(order), brightness=1.0, auto_write=False, pixel_order=order)

    names = (setting(settings, "pixel_pin"), _DEFAULTS["pixel_pin"], "NEOPIXEL")
    pixels = _claim(names, strip, "FIVE_PIXEL_PIN", complaints)
    if pixels is None:
        raise RuntimeError("no pin for the pixels: set FIVE_PIXEL_PIN to a name in dir(board)")
    pins = []
    for button in range(8):
        names = (setting(settings, "button_pins")[button], _DEFAULTS["button_pins"][button])
        what = "FIVE_BUTTON_PINS, %s" % "abcdefg^"[button]
        pins.append(_claim(names, _wired, what, complaints) or (None, None))
    wire = wire_map(
        setting(settings, "first_corner"),
        setting(settings, "wiring_order"),
        setting(settings, "serpentine"),
        setting(settings, "rotation"),
    )
    return Board(pixels, wire, pins, complaints)


class Board:
    """The parts of one board, as hal/__init__.py lists them."""

    def __init__(self, pixels, wire, pins, complaints):
        self.pixels = pixels
        self.wire = wire
        self.complaints = complaints
        self.nvm = microcontroller.nvm
        if self.nvm is None:
            self.nvm = b""
            complaints.append("no non-volatile memory on this board: games are not kept")
        self.ticks_ms = ticks_ms
        self.collect = gc.collect
        self.reset = microcontroller.reset
        self._deaf = False  # the computer holds the console open and does not read
        self._chunk = bytearray(_BYTES)
        self._at = self._end = 0
        self._line = bytearray(_LINE)
        self._length = 0
        self._pins = [pin for pin, _ in pins]
        self._event = keypad.Event()
        self.buttons = Buttons([line for _, line in pins], ticks_ms(), self.write)

    def busy(self, work, *args):
        """Return work(*args), which may take long: meanwhile the buttons are scanned in the background, and what was
        pressed comes out of buttons.next() afterwards. (At 10 ms a scan no bounce of up to 8 ms looks like two presses,
        and no press of 30 ms is missed. The debouncers are quicker, and are what serves at all other times.)
        """
        buttons = self.buttons
        pins = [pin for pin in self._pins if pin is not None]
        for _ in range(20):  # an edge that is still bouncing comes to rest first: 12 ms at most
            if buttons.at_rest():
                break
            buttons.poll(ticks_ms())
            time.sleep(0.001)
        buttons.lend()
        keys = keypad.Keys(pins, value_when_pressed=False, pull=True, interval=0.01)
        try:
            return work(*args)
        finally:
            event = self._event
            now_ms = ticks_ms()
            while keys.events.get_into(event):
                buttons.seen(self._pins.index(pins[event.key_number]), event.released, now_ms)
            keys.deinit()
            buttons.take_back([_input(pin) for pin in self._pins])

    def sleep_ms(self, ms):
        time.sleep(_SECONDS[ms] if ms <= 10 else ms / 1000)

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
        chunk, line, length = self._chunk, self._line, self._length
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
