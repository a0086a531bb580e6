# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Eight buttons: pins to debounced events."""

# Through adafruit_debouncer, into a ring that never allocates.
#
# How a press gets through
#     Two updates that find the pin low, INTERVAL_MS or more apart, make it an event: quick, and deaf to a single spike.
#     Then the button is left alone for LOCKOUT_MS, in which its contact may bounce as it likes. Both together give, for
#     polls at most 10 ms apart and bounce of at most 8 ms: no press of 30 ms is lost, none is doubled, and the event is
#     at most two polls behind the first steady contact. (One long debounce interval instead would need
#     steady readings 9 ms apart, which polls 8.9 ms apart give only at every second poll: too late for 35 ms.)
# What a poll costs (RP2040, measured)
#     A pin's raw level is read in 4.4 us, Debouncer.update() takes 104 to 124 us. So the levels are read raw, and only
#     a debouncer whose pin has moved or that is still unsettled is updated.

import adafruit_debouncer
from adafruit_ticks import ticks_diff
from micropython import const

# What of the library is not used here would take 1.1 KB of the heap.
adafruit_debouncer.Button = None
for _name in ("interval", "rose", "fell", "last_duration", "current_duration"):
    setattr(adafruit_debouncer.Debouncer, _name, None)

DOWN = 0  # kinds of event: button | kind
UP = 8
HOLD = 16

_INTERVAL_MS = const(2)  # of ticks that are cut to whole milliseconds: more than 1 ms for certain
_LOCKOUT_MS = const(9)  # so more than 8 ms for certain
_HOLD_MS = const(1000)
_STUCK_MS = const(20000)
_RING = const(32)  # a power of two


class Buttons:
    def __init__(self, pins, now_ms, report=None):
        """Debounced events of eight buttons to ground.

        `pins`: eight digitalio.DigitalInOut, inputs with pull-ups; None for one that is not there. `now_ms`: the time,
        as adafruit_ticks.ticks_ms tells it. `report(text)`: called once for a button that is stuck.

        The pins can be lent to what scans them otherwise (see Board.busy): lend() when at_rest(), seen(button, up,
        now_ms) for each change found, then take_back(pins) with new DigitalInOuts, and poll again.
        """
        self._pins = pins
        self._report = report
        self._button = 0  # whose pin the debouncers look at: one function serves them all, since the pins change hands
        self._bouncers = [None] * 8
        self._steady = [True] * 8  # debounced level: True is up
        self._since = [now_ms] * 8  # of the last debounced change; only looked at while it is young, ticks wrap
        self._ring = bytearray(_RING)
        self._head = self._tail = 0
        self._ignored = 0  # masks: down, but gives no events until released
        for button in range(8):
            self._debounce(button)
            if not self._bouncers[button].value:
                self._steady[button] = False
                self._ignored |= 1 << button
        self._timed = self._ignored  # down, and its time is being watched
        self._fresh = 0  # down, HOLD still to come
        self._locked = 0  # just changed, may bounce
        self._unsettled = 0  # the debouncer has seen a level that it does not believe yet
        self._quiet = False  # all masks are 0
        self.held_at_start = self._ignored
        self.stuck = 0

    def _debounce(self, button):
        self._button = button
        # The library cuts to whole ms: 1.9999 would be 1.
        self._bouncers[button] = adafruit_debouncer.Debouncer(self._level, _INTERVAL_MS / 1000 + 0.0005)

    def _level(self):
        pin = self._pins[self._button]
        return not pin or pin.value

    def poll(self, now_ms):
        """Read the pins and queue what has happened. Call it at most 10 ms apart."""
        pins = self._pins
        if self._quiet:  # the whole cost while nothing happens: eight raw reads, less than 0.1 ms
            for pin in pins:
                if pin and not pin.value:
                    break
            else:
                return
        bit = 1
        for button in range(8):
            pin = pins[button]
            if self._locked & bit:
                if ticks_diff(now_ms, self._since[button]) >= _LOCKOUT_MS:
                    self._locked &= ~bit
            elif pin and (self._unsettled & bit or pin.value != self._steady[button]):
                self._button = button
                bouncer = self._bouncers[button]
                bouncer.update()
                if (bouncer.state + 1) & 2:  # the two low bits differ: the level seen is not the level believed
                    self._unsettled |= bit
                else:
                    self._unsettled &= ~bit
                    self.seen(button, bouncer.value, now_ms)
            elif self._timed & bit:
                self._watch(button, bit, now_ms)
            bit += bit
        self._quiet = not (self._unsettled | self._locked | self._timed | self._ignored)

    def seen(self, button, up, now_ms):
        """The button has settled on this level."""
        if self._steady[button] == up:
            return
        bit = 1 << button
        self._steady[button] = up
        self._since[button] = now_ms
        self._locked |= bit
        if not up:
            self._timed |= bit
            self._fresh |= bit
            self._put(button | DOWN)
            return
        self._timed &= ~bit
        self._fresh &= ~bit
        if self._ignored & bit:
            self._ignored &= ~bit
            self.stuck &= ~bit
        else:
            self._put(button | UP)

    def _watch(self, button, bit, now_ms):
        """The button is steadily down."""
        down_ms = ticks_diff(now_ms, self._since[button])
        if down_ms >= _STUCK_MS:
            self._timed &= ~bit
            self._ignored |= bit
            self.stuck |= bit
            if self._report:
                self._report("button %s is stuck: it is ignored until it is released" % "abcdefg^"[button])
        elif self._fresh & bit and down_ms >= _HOLD_MS:
            self._fresh &= ~bit
            self._put(button | HOLD)

    def _put(self, event):
        after = (self._head + 1) & (_RING - 1)
        if after != self._tail:  # full: only after dozens of presses that nobody took
            self._ring[self._head] = event
            self._head = after

    def next(self):
        """Take the next event from the queue, -1 if there is none."""
        tail = self._tail
        if tail == self._head:
            return -1
        self._tail = (tail + 1) & (_RING - 1)
        return self._ring[tail]

    def at_rest(self):
        """Whether no contact is bouncing."""
        if self._unsettled | self._locked:
            return False
        for button in range(8):
            pin = self._pins[button]
            if pin and pin.value != self._steady[button]:
                return False
        return True

    def lend(self):
        for pin in self._pins:
            if pin:
                pin.deinit()

    def take_back(self, pins):
        self._pins = pins
        self._unsettled = 0
        self._quiet = False
        for button in range(8):
            if self._bouncers[button].value != self._steady[button]:  # it has slept through a change
                self._debounce(button)
