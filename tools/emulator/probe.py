# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""A board that can be measured from inside: the product's code.py with a loop that also serves two spare pins.

GP20 changes its level after every round of the loop; GP21 pulled low makes the board report its heap on the console;
GP22 pulled low makes it note its free heap, 400 times at most, which the report then tells. Nothing of it is allocated
while a game runs, and a round takes 40 us longer.
"""

import re

from tools.emulator.board import EmulatedBoard, product_files
from tools.emulator.errors import EmulatorError

ROUND_PIN, REPORT_PIN, NOTE_PIN = 20, 21, 22
LOOP, ROUND = "\nwhile True:\n", "app.step()\n"  # of code.py
NOTES = 400

PROBE = (
    """
import gc
from array import array
import board as pins
import digitalio

def input_pin(pin):
    pin = digitalio.DigitalInOut(pin)
    pin.switch_to_input(digitalio.Pull.UP)
    return pin

round_pin = digitalio.DigitalInOut(pins.GP20)
round_pin.switch_to_output()
report_pin = input_pin(pins.GP21)
note_pin = input_pin(pins.GP22)
notes = array("i", [0] * %d)
noted = 0

def largest():
    low, high = 0, gc.mem_free()
    while high - low > 64:
        middle = (low + high) // 2
        try:
            bytearray(middle)
            low = middle
        except MemoryError:
            high = middle
        gc.collect()
    return low

def report():
    free = gc.mem_free()
    gc.collect()
    print("probe: free", free, "collected", gc.mem_free(), "largest", largest(), "notes", *notes[:noted])

level = ready = False

def probe():
    global level, noted, ready
    level = not level
    round_pin.value = level
    if note_pin.value:
        ready = True
    elif ready:
        ready = False
        if noted < len(notes):
            notes[noted] = gc.mem_free()
            noted += 1
    if not report_pin.value:
        report()
        noted = 0
        while not report_pin.value:
            pass
"""
    % NOTES
)


class Probe(EmulatedBoard):
    """An EmulatedBoard whose code.py is the product's with the probe's loop. Takes what EmulatedBoard takes."""

    def __init__(self, *given, **options):
        files = dict(options.pop("files", None) or product_files())
        program = files["code.py"].decode()
        head, loop, rounds = program.rpartition(LOOP)
        if not loop or ROUND not in rounds:
            raise EmulatorError("code.py has no loop of app.step(): the probe does not know where to go")
        files["code.py"] = (head + PROBE + loop + rounds.replace(ROUND, "app.step(); probe()\n", 1)).encode()
        super().__init__(*given, files=files, watch=(ROUND_PIN,), **options)

    def _pull(self, pin, level):
        self._ask({"do": "pins", "changes": [[pin, level, int(self.now_ms() * 1e6)]]})

    def note_heap(self):
        """Let the board note its free heap at the end of this round of its loop."""
        self._pull(NOTE_PIN, 0)
        self.run_for(25)
        self._pull(NOTE_PIN, None)
        self.run_for(25)

    def heap(self):
        """{"free", "collected", "largest": bytes, "notes": [bytes, …]}: free as it is, free after a collection, the
        largest block then, and what was noted.
        """
        self._pull(REPORT_PIN, 0)
        line = self.wait_for_line("probe:", 20000).text
        self._pull(REPORT_PIN, None)
        free, collected, largest = [int(n) for n in re.findall(r"(?:free|collected|largest) (\d+)", line)]
        return {"free": free, "collected": collected, "largest": largest, "notes": _numbers(line.split("notes")[1])}

    def rounds(self, since_ms=0):
        """[(end_ms, length_ms)] of the rounds of the loop that began after `since_ms`."""
        ends = [ms for pin, _, ms in self.edges if pin == ROUND_PIN and ms >= since_ms]
        return [(end, end - start) for start, end in zip(ends, ends[1:])]


def _numbers(text):
    return [int(word) for word in text.split()]
