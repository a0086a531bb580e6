# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""A board with the real firmware, from power-on on, in virtual time.

    with EmulatedBoard(uf2="circuitpython.uf2", bootrom="b2.bin") as board:
        board.wait_for_line("type help")
        board.serial_in("new five level 3\\n")
        board.press(3)
        print(board.wait_for_line("1. "))       # "1. ● d"
        board.frames[-1].rgb                    # 162 bytes R G B in the order of the cells

What hal.simulated.Simulation has in common with it has the same names (press, contact, serial_in, now_ms, frame,
serial_out, lines), so that hal.terminal and hal.simulated_port serve both.
"""

import codecs
import json
import random
import subprocess
import tempfile
import time
from collections import namedtuple
from pathlib import Path

from firmware import settings as settings_module
from hal import wiring
from tools import node
from tools.emulator import drive, firmware
from tools.emulator.errors import EmulatorError, NotHere
from tools.environment import ROOT
from tools.flasher import settings_file
from tools.flasher.errors import FlashError
from tools.flasher.files import FilesError, board_files

RUNNER = Path(__file__).resolve().parent / "runner.mjs"
XIP_MISS_CYCLES = 112  # of a miss of the flash cache; with it the emulated chip agrees with a real one's timing
NS_PER_MS = 1000000
PIXELS = 54
BUTTONS = "abcdefg^"
PROMPT_MS = 30000  # virtual: within this, code.py is at work
LAST_CHARACTERS = 300  # of the console that an error tells
REAL_SLICE_MS = 30  # of the computer's time for one turn of a terminal

#: A frame that has gone over the wire: times of its first and last bit since power-on, R G B of each cell.
Frame = namedtuple("Frame", "start_ms end_ms rgb")
#: A line that the board has printed, and when its end came out.
Line = namedtuple("Line", "ms text")


def why_not(uf2=None, bootrom=None):
    """None where a board can be had, else one line that says what is missing. Raises EmulatorError for wrong files."""
    try:
        firmware.supplied(uf2, firmware.UF2_VARIABLE, "CircuitPython firmware", "--uf2", firmware.UF2_DOWNLOAD)
        firmware.find_bootrom(bootrom)
    except NotHere as error:
        return str(error)
    return node.install()


def product_files(pairs=(), extra=None):
    """{path: bytes} of the drive after an installation: this repository's files, settings changed by `pairs`
    (("FIVE_BRIGHTNESS", "30"), …), then `extra` ({path: bytes}, None for a file that is not to be there) on top.

    Raises EmulatorError.
    """
    try:
        files = {path: source.read_bytes() for source, path in board_files(ROOT)}
        if pairs:
            files["settings.toml"], _ = settings_file.edit(files["settings.toml"], pairs, b"")
    except (FilesError, FlashError) as error:
        raise EmulatorError(str(error), 2) from None
    for path, content in (extra or {}).items():
        if content is None:
            files.pop(path, None)
        else:
            files[path] = content
    return files


class EmulatedBoard:
    """One board; power-on is at construction, and time moves only in run…, wait… and advance.

    uf2, bootrom: paths; None: FIVE_UF2, FIVE_BOOTROM. files: what is on the drive, {path: bytes}; None: the product.
    nvm: 4,096 bytes of non-volatile memory, None: never written. hold: buttons (0..7) that are down at power-on.
    bounce_ms: for how long a contact bounces after each change; the edges are drawn from `seed`.
    ran_before: this is not the first power-on with this firmware, which takes 1.2 s longer (CircuitPython then writes
    what it is into boot_out.txt). mass_storage: the computer mounts the drive.
    watch: numbers of GPIO pins whose edges are kept in `edges`.

    frames: list of Frame; lines: list of Line; edges: list of (pin, level, ms); notes: list of (ms, text).
    serial: bytearray, all that has come out of the console. frame: the 162 bytes that the matrix shows.
    Raises EmulatorError; NotHere where something that the person supplies is missing.
    """

    def __init__(
        self,
        uf2=None,
        bootrom=None,
        files=None,
        nvm=None,
        hold=(),
        bounce_ms=2,
        seed=1,
        mass_storage=False,
        watch=(),
        xip_miss_cycles=XIP_MISS_CYCLES,
        ran_before=True,
    ):
        image = firmware.read_uf2(uf2)
        rom = firmware.find_bootrom(bootrom)
        problem = node.install()
        if problem:
            raise NotHere(problem)
        files = product_files() if files is None else files
        if ran_before:
            files = {"boot_out.txt": firmware.boot_report(image), **files}
        self._set_up_wiring(files.get("settings.toml", b""))
        try:
            flash = firmware.flash_image(image, drive.write_drive(files), nvm)
        except drive.DriveError as error:
            raise EmulatorError(str(error)) from None
        self.frames, self.lines, self.edges, self.notes = [], [], [], []
        self.serial_pending = b""  # for hal.simulated_port: what is sent here waits in the chip's own USB, not here
        self.serial = bytearray()
        self.frame = bytes(3 * PIXELS)
        self.serial_out = []  # lines of text, for a terminal
        self.on_frame = self.on_line = self.on_print = None
        self.usb_ms = None
        self.bounce_ms = bounce_ms
        self.short_ns, self.long_ns = 0, float("inf")  # extremes of the wire's high levels
        self.odd_frames = 0  # what came over the wire and was no whole pixels
        self._lots = random.Random(seed)
        self._now_ms = 0.0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._open_line = ""
        self._real_start = None
        self._folder = tempfile.TemporaryDirectory(prefix="emulated")
        path = Path(self._folder.name) / "flash.bin"
        path.write_bytes(flash)
        options = {
            "bootrom": str(rom.resolve()),
            "flash": str(path),
            "xipMissCycles": xip_miss_cycles,
            "massStorage": mass_storage,
            "pixels": [self._pixel_pin],
            "watch": list(watch),
        }
        self._process = subprocess.Popen(
            ["node", str(RUNNER), json.dumps(options)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        for button in hold:
            self.contact(button, True, 0, bounce_ms=0)

    def _set_up_wiring(self, toml):
        found = settings_file.values(toml.decode("utf-8", "replace"))
        chosen = settings_module.load(found.get)
        self.settings = chosen
        self._order = chosen.pixel_order
        self._strip = bytearray(PIXELS * len(self._order))  # what the pixels hold
        self._wire = wiring.wire_map(chosen.first_corner, chosen.wiring_order, chosen.serpentine, chosen.rotation)
        try:
            self._pixel_pin = _gpio(chosen.pixel_pin)
            self._pins = [_gpio(name) for name in chosen.button_pins]
        except ValueError as error:
            raise EmulatorError(str(error), 2) from None

    # -- the runner ---------------------------------------------------------------------------------------------

    def _ask(self, request):
        process = self._process
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            for text in process.stdout:
                event = json.loads(text)
                if "done" in event:
                    return event["done"]
                self._event(event)
        except (OSError, ValueError):
            pass
        fault = (process.stderr.read() or "").strip().splitlines()
        told = next((line for line in fault if "Error" in line), fault[-1] if fault else "no message")
        raise EmulatorError("the emulated chip has stopped: %s" % told)

    def _event(self, event):
        if "frame" in event:
            _, start_ns, end_ns, data, loose, short_ns, long_ns = event["frame"]
            rgb = self._by_cell(bytes.fromhex(data))
            if rgb is None or loose:
                self.odd_frames += 1
                return
            if short_ns is not None:
                self.short_ns = max(self.short_ns, short_ns)
            if long_ns is not None:
                self.long_ns = min(self.long_ns, long_ns)
            self.frame = rgb
            frame = Frame(start_ns / NS_PER_MS, end_ns / NS_PER_MS, rgb)
            self.frames.append(frame)
            if self.on_frame:
                self.on_frame(frame)
        elif "serial" in event:
            port, ns, data = event["serial"]
            if port == 0:
                self._printed(bytes.fromhex(data), ns / NS_PER_MS)
        elif "edges" in event:
            self.edges += [(pin, level, ns / NS_PER_MS) for pin, level, ns in event["edges"]]
        elif "usb" in event:
            self.usb_ms = event["usb"] / NS_PER_MS
        elif "note" in event:
            self.notes.append((event["note"][0] / NS_PER_MS, event["note"][1]))

    def _by_cell(self, data):
        """R G B of the cells once these bytes have gone over the wire: pixels that they do not reach keep their colour.
        None if they are no whole pixels of the matrix.
        """
        width = len(self._order)
        if len(data) % width or len(data) > PIXELS * width:
            return None
        self._strip[: len(data)] = data
        data = self._strip
        places = [self._order.index(colour) for colour in "RGB"]
        white = self._order.find("W")
        rgb = bytearray(3 * PIXELS)
        for cell in range(PIXELS):
            at = width * self._wire[cell]
            extra = data[at + white] if white >= 0 else 0
            for channel in range(3):
                rgb[3 * cell + channel] = min(255, data[at + places[channel]] + extra)
        return bytes(rgb)

    def _printed(self, data, ms):
        self.serial += data
        if self.on_print:
            self.on_print(data)
        *whole, self._open_line = (self._open_line + self._decoder.decode(data)).replace("\r", "").split("\n")
        for text in whole:
            line = Line(ms, clean(text))
            self.lines.append(line)
            self.serial_out.append(line.text)
            if self.on_line:
                self.on_line(line)

    # -- time ---------------------------------------------------------------------------------------------------

    def now_ms(self):
        """Virtual milliseconds since power-on."""
        return self._now_ms

    def _run(self, until_ms, real_ms=0, stop_on=()):
        ns = self._ask({"do": "run", "ns": int(until_ms * NS_PER_MS), "real_ms": real_ms, "stop_on": list(stop_on)})
        self._now_ms = ns / NS_PER_MS

    def run(self, until_ms):
        """Let time pass until `until_ms` since power-on."""
        self._run(until_ms)

    def run_for(self, ms):
        """Let `ms` pass."""
        self._run(self._now_ms + ms)

    def run_until(self, condition, limit_ms=60000):
        """Let time pass until condition() is true, which is asked after each frame and each piece of console output;
        at most `limit_ms`. Whether it came true.
        """
        end_ms = self._now_ms + limit_ms
        while not condition():
            if self._now_ms > end_ms - 0.001:  # the runner's time is in whole ns
                return False
            self._run(end_ms, stop_on=("frame", "serial"))
        return True

    def wait_for_line(self, text, limit_ms=60000, after=None):
        """The first Line that holds `text`, of those that are printed from now on (or from line number `after` on).

        Raises EmulatorError if none comes in `limit_ms`.
        """
        at = len(self.lines) if after is None else after

        def come():
            nonlocal at
            while at < len(self.lines):
                if text in self.lines[at].text:
                    return True
                at += 1
            return False

        if not self.run_until(come, limit_ms):
            last = " | ".join(line.text for line in self.lines if line.text)[-LAST_CHARACTERS:]
            raise EmulatorError("'%s' was not printed in %d ms; printed was: %s" % (text, limit_ms, last))
        return self.lines[at]

    def advance(self):
        """One turn in real time: as far as the computer's own clock has gone, or as this computer manages."""
        real = time.monotonic()
        if self._real_start is None:
            self._real_start = real - self._now_ms / 1000
        behind_ms = 1000 * (real - self._real_start) - self._now_ms
        if behind_ms < 2:
            time.sleep(0.005)
            return
        self._run(self._now_ms + min(behind_ms, 100), real_ms=REAL_SLICE_MS)
        if behind_ms > 200:  # slower than real time: from here on
            self._real_start = time.monotonic() - self._now_ms / 1000

    # -- buttons ------------------------------------------------------------------------------------------------

    def contact(self, button, down, at_ms=None, bounce_ms=None):
        """The contact of a button (0..7) closes or opens at `at_ms` since power-on (None: now), and bounces."""
        at_ms = self._now_ms if at_ms is None else at_ms
        bounce_ms = self.bounce_ms if bounce_ms is None else bounce_ms
        level = 0 if down else None  # open: the pin's own pull-up holds it
        pin = self._pins[button]
        times = [at_ms]
        if bounce_ms > 0.1:
            count = 2 * self._lots.randint(1, 4) - 1
            times += sorted(at_ms + self._lots.uniform(0, bounce_ms) for _ in range(count)) + [at_ms + bounce_ms]
        other = None if down else 0
        changes = [
            [pin, other if number & 1 else level, int(moment * NS_PER_MS)] for number, moment in enumerate(times)
        ]
        self._ask({"do": "pins", "changes": changes})

    def press(self, button, at_ms=None, hold_ms=60, bounce_ms=None):
        """Press a button (0..7, 7 the pop button) at `at_ms` since power-on for `hold_ms`; it bounces at both ends."""
        at_ms = self._now_ms if at_ms is None else at_ms
        self.contact(button, True, at_ms, bounce_ms)
        self.contact(button, False, at_ms + hold_ms, bounce_ms)

    # -- the cable ----------------------------------------------------------------------------------------------

    def serial_in(self, data, at_ms=None):
        """The computer sends text or bytes to the console, now or at `at_ms` since power-on."""
        data = data.encode() if isinstance(data, str) else bytes(data)
        request = {"do": "serial", "port": 0, "bytes": data.hex()}
        if at_ms is not None:
            request["ns"] = int(at_ms * NS_PER_MS)
        self._ask(request)

    def text(self):
        """All that the console has printed, without terminal escapes."""
        return "\n".join(line.text for line in self.lines) + "\n" + clean(self._open_line)

    # -- memory -------------------------------------------------------------------------------------------------

    def _flash(self, start, size):
        return bytes.fromhex(self._ask({"do": "flash", "start": start, "end": start + size}))

    def nvm(self):
        """The 4,096 bytes of non-volatile memory as they are now."""
        return self._flash(firmware.NVM_START, firmware.NVM_BYTES)

    def drive_files(self):
        """{path: bytes} of what is on the drive now."""
        return drive.read_drive(self._flash(firmware.DRIVE_START, drive.DRIVE_BYTES))

    def counts(self):
        """{"erases", "programs", "resets", "instructions", "cacheAccesses", "cacheMisses"} since power-on."""
        return self._ask({"do": "counts"})

    def reset(self):
        """The chip starts again, as from its reset pin; memory and drive stay."""
        self._ask({"do": "reset"})

    def close(self):
        """End the runner."""
        if self._process.poll() is None:
            self._process.stdin.close()
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process.stdout.close()
        self._process.stderr.close()
        self._folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *fault):
        self.close()


def clean(text):
    """`text` without terminal escapes: CircuitPython sets the window's title and clears lines."""
    out = []
    at = 0
    while at < len(text):
        if text[at] != "\x1b":
            out.append(text[at])
            at += 1
        elif text[at + 1 : at + 2] == "]":
            end = text.find("\x1b\\", at + 2)
            at = len(text) if end < 0 else end + 2
        else:
            at += 2
            while at < len(text) and not "@" <= text[at] <= "~":
                at += 1
            at += 1
    return "".join(out)


def _gpio(name):
    if name.startswith("GP") and name[2:].isdigit() and int(name[2:]) < 29:
        return int(name[2:])
    raise ValueError("pin %s is none of the emulated board's GP0 to GP28" % name)
