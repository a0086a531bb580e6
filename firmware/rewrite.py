# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The image that the journal of store.py begins with; needed once in some thousand moves, then unloaded again."""

from firmware.store import EVENT, HELPED, IMAGE, MAGIC, NEXT, RESTATED, SEAL, SETUP, SMALLEST, START, VERSION


def rewrite(store):
    """Write all that ``store`` knows over what is in the flash, in one stroke. May raise what the flash does."""
    size = SMALLEST if store.blank else store.size  # for a blank flash it grows, should it have to
    image = store.image = bytearray(size)
    for i in range(size):
        image[i] = 0xFF
    image[0] = MAGIC
    image[1] = VERSION
    store.h = START
    store.at = 2
    store.resync = -1
    store.record(IMAGE, store.words)
    if store.setup:
        _restate(store)
    store.record(SEAL, b"")
    n = store.at if store.blank else store.size  # into blank flash no more than there is: it costs no erase
    store.nvm[0:n] = memoryview(image)[:n]


def _restate(store):
    """The match so far: what ended the games before, the game that is on or that ended last, what ended it."""
    store.record(SETUP, store.setup)
    events = bytes(store.events[: store.event_count])
    begun = 0
    for i in range(len(events)):
        if events[i] == NEXT:
            begun = i + 1
    _tell(store, events[:begun])
    if store.assisted:
        store.record(EVENT, bytes((HELPED,)))
    if store.bank:
        for owner in range(store.colours):
            store.put_clock(owner, store.clocks[owner])
    plies = store.ply
    store.start_game()
    while store.ply < plies:
        store.put_move(store.moves[store.ply], -1, -1)  # the clocks stay as they were just told
        store.ply += 1
    _tell(store, events[begun:])


def _tell(store, events):
    for code in events:
        store.record(EVENT, bytes((code | RESTATED,)))
