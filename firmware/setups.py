# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""A Setup as the data of a SETUP record of store.py, and back."""

# Its length, level + 16 * (engine + 1) + 64 * match, given plies + 64 * colours, increment in s, bank in s (2 bytes),
# seed (4 bytes), the given moves, the variation's header as text.

from engine.match import Setup
from firmware.store import LEVELS, SLACK


def pack(setup, seed, given):
    """The data that Store.take_setup takes; see Store.begin."""
    v = setup.variation
    text = v.header()[1:-1].encode()
    head = (
        len(given) + len(text) + 10,
        setup.level | (setup.engine + 1) << 4 | setup.match << 6,
        len(given) | v.colours << 6,
        setup.increment_ms // 1000,
    )
    return bytes(head) + (setup.bank_ms // 1000).to_bytes(2, "little") + seed.to_bytes(4, "little") + given + text


def room(setup):
    """Bytes that a whole game takes, with some to spare: see Store.make_room."""
    v = setup.variation
    plies = v.max_plies or v.capacity + (40 if v.extra else 0)
    if not setup.bank_ms:
        return plies + SLACK
    # A thought of more than 204.8 s takes a record of six bytes more; all there can be come out of the same clocks.
    clocks_ms = v.colours * setup.bank_ms + plies * setup.increment_ms
    return 3 * plies + 6 * (clocks_ms // 204800) + SLACK


def unpack(store):
    """(Setup, seed) of the last match or game that ``store`` knows of, or None."""
    from engine.lots import SEED_MAX
    from engine.notation import parse_header

    d = store.setup
    try:
        variation = parse_header(str(d[10 + (d[2] & 63) :], "ascii"))
        setup = Setup(variation, d[1] & 15, store.engine, d[1] >> 6, store.bank * 100, d[3] * 1000)
        seed = int.from_bytes(d[6:10], "little")
        if d[1] & 15 > LEVELS or seed > SEED_MAX or store.colours != variation.colours:
            raise ValueError("level, seed or sides")
        return setup, seed
    except Exception as error:  # none yet, or written by another version of the rules
        if d:
            store.fault("the last setup is not understood (%s)" % error)
        return None
