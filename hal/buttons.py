# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Eight buttons: pins to debounced events, through adafruit_debouncer, in a ring that never allocates."""

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


class _Open:
    """A button that is not wired: never down."""

    def __init__(self):
        self.value = True


class Buttons:
    def __init__(self, pins, now_ms, report=None):
        """Debounced events of eight buttons to ground.

        `pins`: eight digitalio.DigitalInOut, inputs with pull-ups; None for one that is not there. `now_ms`: the time,
        as adafruit_ticks.ticks_ms tells it. `report(text)`: called once for a button that is stuck.

        poll(now_ms) reads the pins and queues events; next() takes one from the queue, -1 if there is none (see hal).
        The pins can be lent to what scans them otherwise (see Board.busy): lend() when at_rest(), seen(button, up,
        now_ms) for each change found, then take_back(pins) with new DigitalInOuts, and poll again.
        """
        pins = [_Open() if pin is None else pin for pin in pins]
        a, b, c, d, e, f, g, pop = pins

        at = 0

        def level():  # one for all debouncers: of the pin ``at``, through the list, since the pins change hands
            return pins[at].value

        interval_s = _INTERVAL_MS / 1000 + 0.0005  # it cuts to whole ms: 1.9999 would be 1
        bouncers = []
        for button in range(8):
            at = button
            bouncers.append(adafruit_debouncer.Debouncer(level, interval_s))
        steady = [bouncer.value for bouncer in bouncers]  # debounced level: True is up
        since = [now_ms] * 8  # of the last debounced change; only looked at while it is young, ticks wrap
        ring = bytearray(_RING)
        head = tail = 0
        ignored = 0  # masks: down, but gives no events until released
        for button in range(8):
            if not steady[button]:
                ignored |= 1 << button
        timed = ignored  # down, and its time is being watched
        fresh = 0  # down, HOLD still to come
        locked = 0  # just changed, may bounce
        unsettled = 0  # the debouncer has seen a level that it does not believe yet
        self.held_at_start = ignored
        self.stuck = 0

        def put(event):
            nonlocal head
            after = (head + 1) & (_RING - 1)
            if after != tail:  # full: only after dozens of presses that nobody took
                ring[head] = event
                head = after

        def changed(button, bit, now_ms):
            """The debouncer has settled on another level."""
            nonlocal locked
            locked |= bit
            set_level(button, bit, bouncers[button].value, now_ms)

        def set_level(button, bit, up, now_ms):
            nonlocal ignored, timed, fresh
            steady[button] = up
            since[button] = now_ms
            if not up:
                timed |= bit
                fresh |= bit
                put(button | DOWN)
                return
            timed &= ~bit
            fresh &= ~bit
            if ignored & bit:
                ignored &= ~bit
                self.stuck &= ~bit
            else:
                put(button | UP)

        def watch(button, bit, now_ms):
            """The button is steadily down."""
            nonlocal ignored, timed, fresh
            down_ms = ticks_diff(now_ms, since[button])
            if down_ms >= _STUCK_MS:
                timed &= ~bit
                ignored |= bit
                self.stuck |= bit
                if report:
                    report("button %s is stuck: it is ignored until it is released" % "abcdefg^"[button])
            elif fresh & bit and down_ms >= _HOLD_MS:
                fresh &= ~bit
                put(button | HOLD)

        def poll(now_ms):
            nonlocal locked, unsettled, at
            # The whole cost while nothing happens: eight raw reads in one expression, 50 us.
            if (
                not (unsettled | locked | timed | ignored)
                and (a.value and b.value and c.value and d.value)
                and (e.value and f.value and g.value and pop.value)
            ):
                return
            bit = 1
            for button in range(8):
                if locked & bit:
                    if ticks_diff(now_ms, since[button]) >= _LOCKOUT_MS:
                        locked &= ~bit
                elif unsettled & bit or pins[button].value != steady[button]:
                    at = button
                    bouncer = bouncers[button]
                    bouncer.update()
                    if (bouncer.state + 1) & 2:  # the two low bits differ: the level seen is not the level believed
                        unsettled |= bit
                    else:
                        unsettled &= ~bit
                        if bouncer.value != steady[button]:
                            changed(button, bit, now_ms)
                elif timed & bit:
                    watch(button, bit, now_ms)
                bit += bit

        def take():
            nonlocal tail
            if tail == head:
                return -1
            event = ring[tail]
            tail = (tail + 1) & (_RING - 1)
            return event

        def at_rest():
            if unsettled | locked:
                return False
            for button in range(8):
                if pins[button].value != steady[button]:
                    return False
            return True

        def lend():
            for pin in pins:
                if not isinstance(pin, _Open):
                    pin.deinit()

        def seen(button, up, now_ms):
            if steady[button] != up:
                set_level(button, 1 << button, up, now_ms)

        def take_back(new):
            nonlocal a, b, c, d, e, f, g, pop, locked, unsettled, at
            locked = unsettled = 0
            for button in range(8):
                pins[button] = new[button] or _Open()
                if bouncers[button].value != steady[button]:  # it has slept through a change
                    at = button
                    bouncers[button] = adafruit_debouncer.Debouncer(level, interval_s)
            a, b, c, d, e, f, g, pop = pins

        self.at_rest = at_rest
        self.lend = lend
        self.seen = seen
        self.take_back = take_back
        self.poll = poll
        self.next = take
