# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The words behind ``new`` on the serial line; loaded when one comes."""

from engine.catalogue import NAMES
from engine.match import Setup
from engine.notation import parse_header

_LEVEL = 4  # of an engine that is named without one


def parse_new(text, settings, seed=0):
    """The Setup that the words behind ``new`` name: those of a record's header, ``two`` or ``level 4`` with
    ``engine red|yellow`` (who begins; Yellow if not told), ``match`` or ``single``, ``clock 5+3`` (minutes for the
    match + seconds a move). ``settings`` and, for a variation that draws lots, ``seed`` give what is not told.
    Raises ValueError with one clear line."""
    words = text.replace("[", " ").replace("]", " ").lower().split()
    header = []
    level = 0
    engine = -1
    is_match = True
    clock = (0, 0)
    at = 0
    while at < len(words):
        word = words[at]
        value = words[at + 1] if at + 1 < len(words) else ""
        at += 1
        if word == "level":
            if value not in ("1", "2", "3", "4", "5", "6"):
                raise ValueError("level '%s' is none of 1 to 6" % value[:20])
            level = int(value)
            at += 1
        elif word == "engine":
            if value not in ("red", "yellow"):
                raise ValueError("engine '%s' is neither red nor yellow" % value[:20])
            engine = 0 if value == "red" else 1
            at += 1
        elif word == "clock":
            from firmware.settings import parse_clock

            clock = parse_clock(value)
            at += 1
        elif word == "match" or word == "single":
            is_match = word == "match"
        elif word == "two":
            level = 0
            engine = -1
        else:
            header.append(word[:40])
    header = _with_defaults(header, settings)
    variation = parse_header(header)
    if variation.draws_lots and "seed=" not in header:
        variation = parse_header("%s seed=%d" % (header, seed))
    if level and engine < 0:
        engine = 1
    return Setup(variation, level or _LEVEL, engine, is_match, clock[0], clock[1])


def _with_defaults(words, settings):
    """A header of these words, the variation first, with what the settings say where they say nothing."""
    name = "five"
    options = ""
    for word in words:
        if word in NAMES:
            name = word
        elif word in ("pop", "random") or "=" in word:
            options += " " + word
        else:
            raise ValueError("'%s' is not understood; help lists the words behind new" % word)
    if name == "five" and settings.mirror and "mirror=" not in options:
        options += " mirror=1"
    if " pop" in options and settings.pop_both_lines != "mover" and "pop_both=" not in options:
        options += " pop_both=" + settings.pop_both_lines
    return name + options
