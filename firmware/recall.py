# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Reading the journal of store.py at power-on; unloaded afterwards.

Nothing behind a byte that fails its check is believed, but for a later match (its SETUP starts the checksum anew) or
what follows a RESYNC, which was written in the knowledge of the damage.
"""

from engine.match import Match
from engine.position import new_position
from firmware import setups
from firmware.store import (
    CLOCK,
    CODES,
    EVENT,
    IMAGE,
    MAGIC,
    NEXT,
    RATED,
    RATING,
    RESYNC,
    SEAL,
    SETUP,
    SIZE,
    SMALLEST,
    SPECIAL,
    START,
    UNDO,
    VERSION,
    WORD,
    WORDS,
    mix,
    zeros,
)

LENGTH = {EVENT: 1, RATED: 3, WORD: 3, CLOCK: 3, RESYNC: 2, IMAGE: 2 * WORDS, SEAL: 0}  # of the data
DEFAULTS = ": starting with defaults"
NEARLY_FULL = 1024  # bytes: more than any game takes, but one with clocks of more than half an hour


class Saved:
    """A game that was saved: ``match`` (Match), ``position`` (Position, all moves legal), ``clock`` (Clock or None),
    ``seed`` as Store.begin got it, one up for each further game; ``given``: how many moves of the game are given."""


def load(store):
    """Bring ``store`` to where the journal ends; the Saved game, or None."""
    store.forget()
    data = b""
    try:
        store.size = min(len(store.nvm), SIZE)
        if store.size < SMALLEST:
            if store.size:
                store.fault("%d bytes are too few: games are not kept" % store.size)
            store.size = 0
            return None
        data = bytes(store.nvm[0 : store.size])
    except Exception as error:
        store.fault("it can't be read (%s)%s" % (error, DEFAULTS))
        return None
    end = len(data.rstrip(b"\xff"))
    store.blank = end == 0
    if not end:
        store.fault("it is empty" + DEFAULTS)
    elif data[0] != MAGIC:
        store.fault("it holds nothing of ours" + DEFAULTS)
    elif data[1] != VERSION:
        store.fault("it is of version %d, not %d%s" % (data[1], VERSION, DEFAULTS))
    else:
        try:
            _read(store, data, end)
            data = None  # 4 KB, should they be needed
            saved = _saved(store)
            _make_room(store)
            return saved
        except Exception as error:  # its checks hold, its sense does not: another firmware's, or one chance in 65536
            store.forget()
            store.fault("it is not understood (%s)%s" % (error, DEFAULTS))
    return None


def _make_room(store):
    """The erase that the next game would need: now the heap has a block for it. But not within a game."""
    if not store.open and store.size - store.at < NEARLY_FULL:
        last = setups.unpack(store)
        if last and store.at + setups.room(last[0]) > store.size:
            store.compact()


def _read(store, data, end):
    at = 2
    lost = 0
    while at < end:
        after = _move(store, data, at) or _record(store, data, at, -1)
        if not after:
            if not store.sealed:
                break
            start = at + 1
            while start < end and not after:
                after = _record(store, data, start, at)
                start += 1
            if not after:
                lost += end - at
                store.resync = at
                after = end
            elif data[start - 1] != RESYNC:
                lost += start - 1 - at
        at = after
    if not store.sealed:
        store.forget()
        store.fault("it was cut off while it was rewritten, or damaged" + DEFAULTS)
    elif lost:
        store.fault("%d bytes are damaged: what came before them is kept" % lost)
    store.at = end


def _move(store, data, at):
    """Take the move at ``at``; the place behind it, 0 if there is none to be believed."""
    h = store.h
    special = 0
    while store.open:
        place = CODES.find(data[at : at + 1])
        if place < 0 or at >= len(data):
            break
        code = place & 7
        clocked = code != UNDO and store.bank > 0
        if clocked:
            if at + 3 > len(data):
                break
            h = mix(mix(h, data[at + 1]), data[at + 2])
        row = (place >> 3) - h & 7  # 0 for a drop or take-back, 4 for a pop
        if row & 3:
            break
        h = mix(h, data[at])
        at += 1
        code |= row << 1
        if code == SPECIAL:
            special += 16
            continue
        if code == UNDO:
            if special or store.ply <= store.setup[2] & 63:
                break
            store.ply -= 1
            store.assisted = True
        else:
            if store.ply == len(store.moves) or special > 64:
                break
            if clocked:
                used = data[at] << 4 | data[at + 1] >> 4
                owner = store.owner()
                if used & 2048:
                    owner = store.colours - 1 - owner
                left = store.clocks[owner] + store.increment - (used & 2047)
                if data[at + 1] & 15 != zeros(used) or left < 0:
                    break
                store.clocks[owner] = left
                at += 2
            store.moves[store.ply] = code + special
            store.ply += 1
        store.h = h
        return at
    return 0


def _record(store, data, at, damage):
    """Take the record at ``at``; the place behind it, 0 if there is none to be believed. ``damage``: where the
    reading broke off, then only a record that may follow it is taken; -1: it did not."""
    kind = data[at]
    n = data[at + 1] if kind == SETUP and at + 1 < len(data) else LENGTH.get(kind, -1)
    if n < 0 or damage >= 0 and kind not in (SETUP, RESYNC) or at + n + 3 > len(data):
        return 0
    h = START if kind == SETUP else store.h
    for i in range(at, at + n + 1):
        h = mix(h, data[i])
    if h != data[at + n + 1] | data[at + n + 2] << 8:
        return 0
    body = data[at + 1 : at + n + 1]
    if kind == SETUP:
        store.take_setup(body)
    elif kind == EVENT or kind == RATED:
        store.take_event(body[0])
        if kind == RATED:
            store.set(RATING, body[1] | body[2] << 8)
    elif kind == WORD:
        store.set(body[0], body[1] | body[2] << 8)
    elif kind == CLOCK:
        store.clocks[body[0]] = body[1] | body[2] << 8
    elif kind == IMAGE:
        store.words[:] = body
    elif kind == SEAL:
        store.sealed = True
    elif damage != body[0] | body[1] << 8:
        return 0
    store.h = h
    return at + n + 3


def _saved(store):
    last = setups.unpack(store) if store.active else None
    if not last:
        return None
    setup, seed = last
    match = Match(setup)
    ends = (match.finish_game, match.resign_game, match.resign_match, match.flag)
    try:
        for code in store.events[: store.event_count]:
            if code < NEXT:
                ends[code >> 2](code & 3)
            elif code == NEXT:
                match.next_game()
    except ValueError:
        store.fault("the match is damaged and left out")
        return None
    if match.over:
        return None
    given = store.setup[2] & 63
    store.room = setups.room(setup)
    position = new_position(setup.variation)
    for i in range(store.ply):
        if not position.is_legal(store.moves[i]):
            if i < given:
                raise ValueError("given moves")
            store.fault("a move is damaged: the game goes on from before it")
            store.undo(store.ply - i)
            break
        position.play(store.moves[i])
    if store.assisted:
        match.helped()
    saved = Saved()
    saved.match = match
    saved.position = position
    saved.seed = seed + match.game
    saved.given = given
    saved.clock = None
    if setup.bank_ms:
        from firmware.clocks import Clocks

        saved.clock = Clocks(setup.bank_ms, setup.increment_ms, match.owners)
        for owner in range(match.owners):
            saved.clock.left_ms[owner] = 100 * store.clocks[owner]
    return saved
