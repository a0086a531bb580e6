# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""A simulated board: stand-ins for the chip's own modules, over which the unchanged hal.circuitpython runs with the
real neopixel, adafruit_pixelbuf, adafruit_debouncer and adafruit_ticks. On CPython and on desktop MicroPython.

What is played by this module: board, digitalio, keypad, microcontroller (nvm), neopixel_write, supervisor, usb_cdc,
storage, alarm, standard input, print, sleep, and on CPython micropython.const and circuitpython_typing. They go into
sys.modules once; all of them serve the Simulation that is active, the one made last or activated last.

Time is virtual and exact: it moves only by what is charged, the costs measured on the chip (CHARGES_US), and by sleep.
With realtime=True it is the wall clock instead and nothing is charged.

    sim = Simulation()
    board = sim.open_board(settings)
    app = App(board, settings)
    sim.press(3, at_ms=500)             # contact bounce included
    sim.run(app.step, until_ms=2000)
    sim.frames[-1]                      # (microseconds, 162 bytes R G B in the order of the cells)
"""

import sys

from hal import wiring

TICKS_PERIOD = 1 << 29
TICKS_AT_START = TICKS_PERIOD - 65536  # as the chip's own: ticks wrap 65 s after power-on

PIXELS = 54
NVM_BYTES = 4096
BUTTON_NAMES = "abcdefg^"

# microseconds, measured on the RP2040 (CircuitPython 10.2.1); rounded up
CHARGES_US = {
    "pin_read": 5,
    "ticks": 3,
    "debouncer_update": 104,  # beside the pin and the ticks that it reads
    "pixel_set": 25,
    "pixel_fill": 80,
    "pixels_show": 1680,
    "nvm_program": 500,  # a page
    "nvm_rewrite": 51000,
    "print": 100,
    "stdin_byte": 3,
}

# What a key is: (button, kind). The terminal and scripts speak the same keys.
KEYS = {"p": (7, "tap"), "P": (7, "hold")}
for _button in range(7):
    KEYS["1234567"[_button]] = KEYS["abcdefg"[_button]] = (_button, "tap")
HOLD_KEY_MS = {"tap": 60, "hold": 1200}

IDLE_MA = 1  # a pixel that is dark
CHANNEL_MA = 20  # one colour of a pixel at 255


class PowerCut(BaseException):
    """The power went. Not an Exception, so that no handler of the firmware catches what no firmware could."""


class BoardReset(BaseException):
    """The program asked for a restart of the board."""


class ConsoleInterrupt(KeyboardInterrupt):
    """Ctrl-C has come at the board's console, not from the person at this computer."""


class _Namespace:
    """A stand-in for a module: its attributes are its members."""

    def __init__(self, **members):
        for name in members:
            setattr(self, name, members[name])


class Flash:
    """4,096 bytes of the chip's flash as microcontroller.nvm gives them.

    A write over bytes that are all 0xFF programs them; a write over anything else erases and rewrites the whole
    sector. `erases`, `programs`, `bytes_written` count. `cut_after` = n cuts the power after n more bytes have reached
    the flash (an erase counts as one byte); of the byte that is being written, the bits of `torn_mask` are not yet
    cleared. `fail_reads`, `fail_writes`: raise, as some boards do.
    """

    def __init__(self, sim, content=None, size=NVM_BYTES):
        self._sim = sim
        self.data = bytearray(b"\xff" * size)
        if content is not None:
            self.data[: len(content)] = content[:size]
        self._index = range(size)
        self.erases = self.programs = self.bytes_written = 0
        self.cut_after = -1
        self.torn_mask = 0xFF
        self.fail_reads = self.fail_writes = False

    def __len__(self):
        return len(self.data)

    def _range(self, key):
        if isinstance(key, int):
            if key < 0:
                key += len(self.data)
            if not 0 <= key < len(self.data):
                raise IndexError("nvm index out of range")
            return key, key + 1
        part = self._index[key]
        if not len(part):
            return 0, 0
        if part[-1] - part[0] != len(part) - 1:
            raise NotImplementedError("only slices with step=1 (aka None) are supported")
        return part[0], part[-1] + 1

    def __getitem__(self, key):
        if self.fail_reads:
            raise OSError(5)
        start, stop = self._range(key)
        return self.data[start] if isinstance(key, int) else self.data[start:stop]

    def __setitem__(self, key, value):
        start, stop = self._range(key)
        if isinstance(key, int):
            if not 0 <= value <= 255:
                raise ValueError("bytes must be 0-255")
            value = bytes((value,))
        elif not isinstance(value, (bytes, bytearray, memoryview)):
            raise NotImplementedError("array/bytes required on right side")
        if len(value) != stop - start:
            raise ValueError("Slice and value different lengths.")
        if self.fail_writes:
            raise RuntimeError("Unable to write to nvm.")
        if start == stop:
            return
        for at in range(start, stop):
            if self.data[at] != 0xFF:
                self._rewrite(start, value)
                return
        pages = (stop - 1) // 256 - start // 256 + 1
        self._sim.charge_us(pages * CHARGES_US["nvm_program"])
        self.programs += 1
        self._program(start, value)

    def _rewrite(self, start, value):
        content = bytearray(self.data)
        content[start : start + len(value)] = value
        self._sim.charge_us(CHARGES_US["nvm_rewrite"])
        self.erases += 1
        if self.cut_after == 0:  # half erased: some bits are already back at 1
            for at in range(0, len(self.data), 2):
                self.data[at] |= 0x5A
            self._cut()
        self.cut_after -= 1
        for at in range(len(self.data)):
            self.data[at] = 0xFF
        self._program(0, content)

    def _program(self, start, value):
        for offset, byte in enumerate(value):
            if self.cut_after == 0:
                self.data[start + offset] &= byte | self.torn_mask
                self._cut()
            self.cut_after -= 1
            self.data[start + offset] &= byte
            self.bytes_written += 1

    def _cut(self):
        self.cut_after = -1
        self._sim.off = True
        raise PowerCut


class Pin:
    """A pin of the chip. `levels`: the times (us) at which its outside level changes, and the level from then on."""

    def __init__(self, sim, name):
        self.sim = sim
        self.name = name
        self.taken = False
        self.times_us = []
        self.levels = []
        self.at = 0  # of the next change
        self.level = True  # pulled up, nothing pressed

    def __repr__(self):
        return "board." + self.name

    def read(self, now_us=None):
        """The level now, or at another time not before the last one asked for."""
        if now_us is None:
            now_us = self.sim.now_us
        at = self.at
        if at < len(self.times_us) and self.times_us[at] <= now_us:
            while at < len(self.times_us) and self.times_us[at] <= now_us:
                self.level = self.levels[at]
                at += 1
            self.at = at
        return self.level

    def schedule(self, changes):
        """Add (time_us, level) pairs; what is already scheduled after the first of them stays in order of time."""
        if not self.times_us or changes[0][0] >= self.times_us[-1]:
            for time_us, level in changes:
                self.times_us.append(time_us)
                self.levels.append(level)
            return
        waiting = list(zip(self.times_us[self.at :], self.levels[self.at :])) + list(changes)
        # With its number, since sorted() by a key alone is not stable on MicroPython.
        waiting = sorted([(time_us, number, level) for number, (time_us, level) in enumerate(waiting)])
        self.times_us = [change[0] for change in waiting]
        self.levels = [change[2] for change in waiting]
        self.at = 0


class Direction:
    INPUT = "input"
    OUTPUT = "output"


class Pull:
    UP = "up"
    DOWN = "down"


class DriveMode:
    PUSH_PULL = "push_pull"
    OPEN_DRAIN = "open_drain"


class DigitalInOut:
    """digitalio.DigitalInOut over a simulated pin."""

    def __init__(self, pin):
        if not isinstance(pin, Pin):
            raise TypeError("Expected type Pin")
        if pin.taken:
            raise ValueError("%s in use" % pin.name)
        pin.taken = True
        self.pin = pin
        self.direction = Direction.INPUT
        self.pull = None
        self._output = False
        self._charge_us = CHARGES_US["pin_read"]

    def switch_to_input(self, pull=None):
        self.direction = Direction.INPUT
        self.pull = pull

    def switch_to_output(self, value=False, drive_mode=DriveMode.PUSH_PULL):
        self.direction = Direction.OUTPUT
        self._output = value

    @property
    def value(self):
        pin = self.pin
        pin.sim.charge_us(self._charge_us)
        if self.direction == Direction.OUTPUT:
            return self._output
        return pin.read()

    @value.setter
    def value(self, level):
        if self.direction != Direction.OUTPUT:
            raise AttributeError("Cannot set value when direction is input.")
        self._output = level

    def deinit(self):
        self.pin.taken = False


class KeyEvent:
    """keypad.Event."""

    def __init__(self, key_number=0, pressed=True):
        self.key_number = key_number
        self.pressed = pressed

    @property
    def released(self):
        return not self.pressed


class Keys:
    """keypad.Keys over simulated pins: it scans every `interval` seconds in the background. What it would have found
    is worked out when it is asked, since the edges of the simulated contacts are known.
    """

    def __init__(self, pins, *, value_when_pressed, pull=True, interval=0.02, max_events=64):
        for pin in pins:
            if pin.taken:
                raise ValueError("%s in use" % pin.name)
            pin.taken = True
        self.events = self
        self._pins = pins
        self._pressed = value_when_pressed
        self._interval_us = int(interval * 1000000)
        self._state = [False] * len(pins)
        self._queue = []
        self._max_events = max_events
        self._next_us = pins[0].sim.now_us if pins else 0

    def _scan(self):
        while self._pins and self._next_us <= self._pins[0].sim.now_us:
            for number, pin in enumerate(self._pins):
                pressed = pin.read(self._next_us) == self._pressed
                if pressed != self._state[number] and len(self._queue) < self._max_events:
                    self._queue.append((number, pressed))
                self._state[number] = pressed
            self._next_us += self._interval_us

    def get_into(self, event):
        self._scan()
        if not self._queue:
            return False
        event.key_number, event.pressed = self._queue.pop(0)
        return True

    def deinit(self):
        for pin in self._pins:
            pin.taken = False


class _Console:
    """usb_cdc.console of a computer that reads at once, or not at all (sim.host_reads = False)."""

    connected = True

    def __init__(self, sim):
        self._sim = sim

    @property
    def out_waiting(self):
        return self._sim.unread


class _Stdin:
    def readinto(self, buffer, count=None):
        return _active.read_serial(buffer, len(buffer) if count is None else count)


class _Runtime:
    autoreload = False
    usb_connected = True

    @property
    def serial_bytes_available(self):
        _active.check()
        return len(_active.serial_pending)

    @property
    def serial_connected(self):
        return _active.host_open


_active = None  # the Simulation that the stand-ins serve
_installed = None  # what is called of hal.circuitpython, once it has been imported over the stand-ins


class Simulation:
    """One simulated board, from power-on on.

    bounce_ms: for how long a contact bounces after each change; the edges are drawn from `seed`.
    late_bounce: the worst kind: the contact touches for 50 us, then stays away until the bounce is over.
    nvm: what the non-volatile memory holds at power-on (bytes); None: all 0xFF. nvm_bytes=0: a board without.
    env: what os.getenv answers on the board (settings.toml), see getenv().
    record: keep every frame in `frames`, else only the last in `frame`; None: on a virtual clock.
    pins: the names in `board`; wire, pixel_order: how the matrix is really built; None: as the settings say.
    """

    def __init__(
        self,
        realtime=False,
        bounce_ms=2,
        nvm=None,
        env=None,
        seed=1,
        late_bounce=False,
        ticks_at_start=TICKS_AT_START,
        record=None,
        pins=None,
        nvm_bytes=NVM_BYTES,
        wire=None,
        pixel_order=None,
    ):
        self.realtime = realtime
        self.bounce_ms = bounce_ms
        self.late_bounce = late_bounce
        self.env = dict(env or {})
        self.record = not realtime if record is None else record
        self.wire = wire
        self.pixel_order = pixel_order
        self.now_us = 0
        self.off = False
        self.cut_power_at_us = -1
        self.frames = []
        self.frame = bytearray(3 * PIXELS)  # what the matrix shows, R G B by cell
        self.frame_us = 0
        self.frame_count = 0
        self.peak_ma = 0
        self.on_frame = None  # called as on_frame(frame) after each
        self.serial_pending = bytearray()
        self.serial_out = []  # lines that the board has printed, the last one still open
        self.on_print = None  # called as on_print(text) with what is printed
        self.host_open = True
        self.host_reads = True
        self.unread = 0
        self._interrupt = False
        self._lot = seed & 0x7FFF or 1
        self._ticks_offset = ticks_at_start
        self._wall_us = None
        names = pins or ["GP%d" % number for number in range(29) if number not in (23, 24)] + ["LED"]
        self.pins = {name: Pin(self, name) for name in names}
        self.buttons = None  # pins of the eight buttons, known from open_board on
        self._button_events = []  # scheduled before that
        self.nvm = Flash(self, nvm, nvm_bytes) if nvm_bytes else None
        self.running = False  # boot.py is over
        self.drive_writable = False  # by the board itself
        self.activate()

    # -- the world around ---------------------------------------------------------------------------------------

    def activate(self):
        """Make the stand-ins serve this simulation."""
        global _active
        _active = self
        _install()
        board = sys.modules["board"]
        for name in list(_board_names):
            delattr(board, name)
        del _board_names[:]
        for name in self.pins:
            setattr(board, name, self.pins[name])
            _board_names.append(name)
        sys.modules["microcontroller"].nvm = self.nvm
        sys.modules["usb_cdc"].console.__init__(self)

    def open_board(self, settings):
        """hal.circuitpython.open_board(settings) over this simulation. The matrix is built as the settings say,
        unless the constructor was told otherwise.
        """
        self.activate()
        module = _installed
        self.running = True
        self._adopt(settings)
        if self.buttons is None:
            self._wire_buttons(module.setting(settings, "button_pins"))
        return module.open_board(settings)

    def end_program(self):
        """The board's program has ended: its pins are free for the next open_board."""
        for name in self.pins:
            self.pins[name].taken = False

    def _wire_buttons(self, names):
        self.buttons = [self.pins.get(name) for name in names]
        for button, changes in self._button_events:
            if self.buttons[button]:
                self.buttons[button].schedule(changes)
        self._button_events = []

    def _adopt(self, settings):
        setting = _installed.setting
        if self.pixel_order is None:
            self.pixel_order = setting(settings, "pixel_order")
        if self.wire is None:
            self.wire = wiring.wire_map(
                setting(settings, "first_corner"),
                setting(settings, "wiring_order"),
                setting(settings, "serpentine"),
                setting(settings, "rotation"),
            )

    def getenv(self, key, default=None):
        """os.getenv of the board."""
        return self.env.get(key, default)

    def charge_us(self, us):
        """Let `us` microseconds of work pass (nothing on a real clock)."""
        if not self.realtime:
            self.now_us += us
        if self._interrupt or self.cut_power_at_us >= 0:
            self.check()

    def charge_calls(self, thing, name, us, us_each=0):
        """From now on charge thing.name(n, ...) with us + n * us_each microseconds: search.step(units), say."""
        method = getattr(thing, name)

        def call(*args):
            self.charge_us(us + us_each * args[0] if us_each else us)
            return method(*args)

        setattr(thing, name, call)

    def check(self):
        """Raise what has happened from outside: Ctrl-C or the end of the power."""
        if self.realtime:
            self._read_clock()
        if self.off or 0 <= self.cut_power_at_us <= self.now_us:
            self.off = True
            raise PowerCut
        if self._interrupt:
            self._interrupt = False
            raise ConsoleInterrupt

    def _read_clock(self):
        now_us = _clock_us()
        if self._wall_us is None:
            self._wall_us = now_us - self.now_us
        self.now_us = now_us - self._wall_us

    def now_ms(self):
        """Milliseconds since power-on."""
        if self.realtime:
            self._read_clock()
        return self.now_us // 1000

    def ticks_ms(self):
        self.charge_us(CHARGES_US["ticks"])
        if self.realtime:
            self._read_clock()
        return (self.now_us // 1000 + self._ticks_offset) & (TICKS_PERIOD - 1)

    def jump_ms(self, ms):
        """The clock jumps: time that nobody lived through."""
        self._ticks_offset += ms

    def sleep(self, seconds):
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        if self.realtime:
            _sleep(seconds)
            self.check()
        else:
            us = _sleeps_us.get(seconds)  # kept, since on MicroPython the sum makes floats
            if us is None:
                us = _sleeps_us[seconds] = int(seconds * 1000000 + 0.5)
            self.charge_us(us)

    def run(self, step, until_ms=None, until=None):
        """Call step() until the time (ms since power-on) is reached or until() is true. On the virtual clock a step
        that takes no time is charged 100 us, so that this always ends.
        """
        while (until_ms is None or self.now_us < until_ms * 1000) and not (until and until()):
            before_us = self.now_us
            step()
            if self.now_us == before_us:
                self.charge_us(100)

    def run_file(self, source, until_ms=None):
        """Run a program of the board (boot.py, code.py), given as text, unchanged, with os.getenv answering for
        settings.toml and time.sleep on the simulation's clock; until it ends, or the power is cut at `until_ms`.
        Return its globals. On CPython only.
        """
        import os
        import time

        self.activate()
        if self.buttons is None:  # boot.py may look at a button before any board is open
            names = self.env.get("FIVE_BUTTON_PINS") or _installed.setting(None, "button_pins")
            self._wire_buttons(names.split() if isinstance(names, str) else names)
        program = {"__name__": "__main__"}
        desktop_getenv, os.getenv = os.getenv, self.getenv
        desktop_sleep = time.sleep
        if not self.realtime:
            time.sleep = self.sleep
        if until_ms is not None:
            self.cut_power_at_us = until_ms * 1000
        try:
            exec(source, program)
        except PowerCut:
            if until_ms is None:
                raise
        finally:
            os.getenv = desktop_getenv
            time.sleep = desktop_sleep
        return program

    # -- buttons ------------------------------------------------------------------------------------------------

    def _draw(self, below):
        """A number in 0 .. below-1 from the simulation's own lots (a 15-bit generator, the same everywhere)."""
        self._lot = (self._lot * 1103 + 12345) & 0x7FFF
        return (self._lot >> 2) % below

    def contact(self, button, down, at_ms=None, bounce_ms=None, edges_ms=None):
        """The contact of a button closes or opens at `at_ms` (since power-on; None: now), and bounces: for the
        simulation's bounce_ms or this one, or as `edges_ms` says, an even number of times after it, each a change.
        """
        at_us = self.now_us if at_ms is None else int(at_ms * 1000)
        bounce_us = int((self.bounce_ms if bounce_ms is None else bounce_ms) * 1000)
        level = not down
        changes = [(at_us, level)]
        if edges_ms is not None or bounce_us > 100:
            if edges_ms is not None:
                edges = [int(ms * 1000) for ms in edges_ms]
            elif self.late_bounce:
                edges = [50, bounce_us]
            else:
                edges = sorted([self._draw(bounce_us) for _ in range(2 * (1 + self._draw(4)) - 1)] + [bounce_us])
            for number, edge_us in enumerate(edges):
                changes.append((at_us + edge_us, level == bool(number & 1)))
        if self.buttons is None:
            self._button_events.append((button, changes))
        elif self.buttons[button] is not None:
            self.buttons[button].schedule(changes)

    def press(self, button, at_ms=None, hold_ms=60, bounce_ms=None):
        """A press that starts at `at_ms` and lasts `hold_ms`; bounce at both ends."""
        if at_ms is None:
            at_ms = self.now_us / 1000
        self.contact(button, True, at_ms, bounce_ms)
        self.contact(button, False, at_ms + hold_ms, bounce_ms)

    def hold_at_start(self, button):
        """The button is down before the power comes on."""
        self.contact(button, True, -1, 0)

    def play_keys(self, step, keys, ready, patience_ms=600000):
        """Play a script of keys on the virtual clock: "4 4 3 p P q". Each key waits until ready() is true and is then
        pressed and released; after the last one ready() is awaited once more; `q` ends the script there.

        step(): one turn of the firmware's loop. Return True if the script came to a `q`.
        Raises ValueError for an unknown key, before anything is pressed, and RuntimeError naming the key if the board
        takes no input for `patience_ms`.
        """
        keys = keys.split() if isinstance(keys, str) else list(keys)
        for key in keys:
            if key != "q" and key not in KEYS:
                raise ValueError("key %r is none of 1-7, a-g, p, P, q" % key)
        for number, key in enumerate(keys + [None]):
            limit_us = self.now_us + patience_ms * 1000
            self.run(step, until=lambda limit_us=limit_us: ready() or self.now_us > limit_us)
            if not ready():
                what = "the end of the keys" if key is None else "key %d, %r" % (number + 1, key)
                raise RuntimeError("the board took no input for %d s at %s" % (patience_ms // 1000, what))
            if key is None or key == "q":
                return key == "q"
            button, kind = KEYS[key]
            hold_ms = HOLD_KEY_MS[kind]
            self.press(button, self.now_us // 1000 + 1, hold_ms)
            self.run(step, until_ms=self.now_us // 1000 + hold_ms + 40)
        return False

    # -- pixels -------------------------------------------------------------------------------------------------

    def receive(self, data):
        """A buffer has gone out on the wire to the pixels."""
        order = self.pixel_order or "GRB"
        width = len(order)
        red, green, blue = order.index("R"), order.index("G"), order.index("B")
        white = order.find("W")
        frame = self.frame
        wire = self.wire or range(PIXELS)
        total = 0
        for cell in range(PIXELS):
            at = width * wire[cell]
            if at + width > len(data):
                continue
            w = data[at + white] if white >= 0 else 0
            r, g, b = data[at + red], data[at + green], data[at + blue]
            total += r + g + b + w
            at = 3 * cell
            frame[at] = min(255, r + w)
            frame[at + 1] = min(255, g + w)
            frame[at + 2] = min(255, b + w)
        self.peak_ma = max(self.peak_ma, _current_ma(total))
        self.charge_us(CHARGES_US["pixels_show"])
        self.frame_us = self.now_us
        self.frame_count += 1
        if self.record:
            self.frames.append((self.now_us, bytes(frame)))
        if self.on_frame:
            self.on_frame(frame)

    def current_ma(self, frame=None):
        """Current (mA, rounded up) of a frame of R G B bytes; None: of what the matrix shows."""
        return _current_ma(sum(self.frame if frame is None else frame))

    # -- console ------------------------------------------------------------------------------------------------

    def serial_in(self, text):
        """The computer sends text or bytes. A Ctrl-C among them clears what waits and interrupts, as on the chip."""
        data = text.encode() if isinstance(text, str) else bytes(text)
        cut = data.rfind(b"\x03")
        if cut >= 0:
            self.serial_pending = bytearray()
            self._interrupt = True
            data = data[cut + 1 :]
        self.serial_pending.extend(data)

    def read_serial(self, buffer, count):
        """sys.stdin.readinto: exactly `count` bytes; a real board would stand still if they were not there."""
        if count > len(self.serial_pending):
            raise AssertionError("reading %d bytes of %d would block" % (count, len(self.serial_pending)))
        self.charge_us(count * CHARGES_US["stdin_byte"])
        for at in range(count):
            byte = self.serial_pending[at]
            buffer[at] = 10 if byte == 13 else byte
        self.serial_pending = self.serial_pending[count:]
        return count

    def print(self, *values, sep=" ", end="\n"):
        text = sep.join([str(value) for value in values]) + end
        self.charge_us(CHARGES_US["print"])
        if self.host_open and not self.host_reads:
            self.unread += len(text.encode())
            if self.unread > 256:
                raise AssertionError("print would block: the computer does not read")
            return
        if not self.host_open:
            return
        self.unread = 0
        if self.on_print:
            self.on_print(text)
        if self.serial_out and not self.serial_out[-1].endswith("\n"):
            text = self.serial_out.pop() + text
        for line in text.split("\n")[:-1]:
            self.serial_out.append(line + "\n")
        if not text.endswith("\n"):
            self.serial_out.append(text.split("\n")[-1])

    def lines(self):
        """All that the board has printed, as lines without their ends."""
        return [line.rstrip("\n") for line in self.serial_out]


def _current_ma(total):
    return PIXELS * IDLE_MA + (total * CHANNEL_MA + 254) // 255


def _clock_us():
    import time

    if hasattr(time, "perf_counter_ns"):
        return time.perf_counter_ns() // 1000
    return time.ticks_us()


def _sleep(seconds):
    import time

    time.sleep(seconds)


# -- the stand-ins ------------------------------------------------------------------------------------------------

_board_names = []
_sleeps_us = {}  # seconds -> microseconds


def _ticks_ms():
    return _active.ticks_ms()


def _neopixel_write(gpio, data):
    _active.receive(data)


def _reset():
    raise BoardReset


def _remount(path, readonly=False, **options):
    if _active.running:
        raise RuntimeError("Cannot remount path when visible via USB.")
    _active.drive_writable = not readonly


def _open_board(settings):
    return _active.open_board(settings)


def _charged(cost, function):
    """`function`, with its measured cost charged to the clock."""
    cost_us = CHARGES_US[cost]

    def call(*args):
        _active.charge_us(cost_us)
        return function(*args)

    return call


def _install():
    """Put the stand-ins into sys.modules and import hal.circuitpython over them; once."""
    global _installed
    if _installed:
        return
    modules = sys.modules
    modules["board"] = _Namespace(board_id="simulated")
    modules["digitalio"] = _Namespace(
        DigitalInOut=DigitalInOut, Direction=Direction, Pull=Pull, DriveMode=DriveMode, Pin=Pin
    )
    modules["keypad"] = _Namespace(Keys=Keys, Event=KeyEvent)
    modules["microcontroller"] = _Namespace(
        Pin=Pin, nvm=None, reset=_reset, pin=_Namespace(), on_next_reset=lambda mode: None, cpu=_Namespace(uid=b"sim")
    )
    modules["neopixel_write"] = _Namespace(neopixel_write=_neopixel_write)
    modules["supervisor"] = _Namespace(ticks_ms=_ticks_ms, runtime=_Runtime(), reload=_reset)
    modules["usb_cdc"] = _Namespace(console=_Console(None), data=None)
    modules["storage"] = _Namespace(remount=_remount, disable_usb_drive=lambda: None, getmount=lambda path: None)
    modules["alarm"] = _Namespace()
    if sys.implementation.name == "cpython":
        try:
            import micropython  # noqa: F401  (Blinka's)
        except ImportError:
            modules["micropython"] = _Namespace(const=lambda value: value)
        modules.setdefault("circuitpython_typing", _Namespace())  # the real one wants a real board
        modules.setdefault("circuitpython_typing.io", _Namespace(ROValueIO=object))
    import adafruit_debouncer
    import adafruit_pixelbuf
    import adafruit_ticks

    # Whoever imported these before found no supervisor and took the desktop's own clock.
    adafruit_ticks.ticks_ms = adafruit_debouncer.ticks_ms = _ticks_ms

    from hal import circuitpython

    adafruit_debouncer.ticks_ms = _charged("debouncer_update", adafruit_debouncer.ticks_ms)  # read once an update
    pixels = adafruit_pixelbuf.PixelBuf
    pixels.__setitem__ = _charged("pixel_set", pixels.__setitem__)
    pixels.fill = _charged("pixel_fill", pixels.fill)
    circuitpython.time = _Namespace(sleep=lambda seconds: _active.sleep(seconds))
    circuitpython.stdin = _Stdin()
    circuitpython.print = lambda *values, **how: _active.print(*values, **how)
    from hal.opening import setting

    _installed = _Namespace(open_board=circuitpython.open_board, setting=setting)
    circuitpython.open_board = _open_board  # so that a program which opens its board itself gets the simulation's
