# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The README's table of variations, made of engine/catalogue.py's rows."""

from engine.catalogue import NAMES
from engine.variation import make

COUNT = ("no", "one", "two", "three", "four")


def pops(name):
    """``always``, ``option`` or ``no``: whether discs can be popped in the variation ``name``."""
    if make(name).pop:
        return "always"
    try:
        make(name, pop=True)
    except ValueError:
        return "no"
    return "option"


def differs(v):
    """What sets a Variation apart from the classic game, in words."""
    words = []
    if v.sides:
        words.append("both outer columns start full of alternating discs, which count")
    if v.pop and not v.collect:
        words.append("a turn is a drop or a pop")
    if v.misere:
        words.append("whoever completes a line loses")
    if v.wrap:
        words.append("left and right edge are joined")
    if v.stones:
        words.append("%s stones block cells, drawn from a seed" % COUNT[len(v.stones)])
    if v.opening:
        words.append("the first %s plies are drawn from a seed" % COUNT[v.opening])
    if v.colours > 2:
        words.append("%s players, %s colours" % (COUNT[v.colours], COUNT[v.colours]))
    elif v.seats > v.colours:
        words.append("two against two, partners move in turn")
    if v.collect:
        words.append("from a full grid, drawn from a seed: pop discs that are part of a line, first to %d" % v.collect)
    elif v.extra:
        words.append("each side has %s powers, to use once each" % COUNT[len({m >> 4 for m in v.moves}) - 1])
    return "; ".join(words) or "the game as everybody knows it"


def markdown():
    """The table as lines of Markdown, joined by line ends."""
    lines = ["| name | grid | columns | line | lines | pops | what differs |", "|---|---|---|---|---|---|---|"]
    for name in NAMES:
        v = make(name)
        row = ("`%s`" % name, "%d×%d" % (v.width, v.rows), "a-" + "abcdefg"[v.free - 1], v.need, v.line_count)
        lines.append("| %s | %s | %s | %d | %d | %s | %s |" % (row + (pops(name), differs(v))))
    return "\n".join(lines)
