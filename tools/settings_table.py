# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The README's table of settings, made of firmware/settings.py's rows and the comments in settings.toml."""

import re

from firmware import settings
from tools.environment import ROOT

WORDS = {
    settings.PIN: "a pin",
    settings.PINS: "eight pins, a to g and pop",
    settings.ORDER: "an order of R, G, B or R, G, B, W",
    settings.CLOCKS: "up to %d clocks" % settings.MAX_CLOCKS,
}


def meanings(text=None):
    """{key: what stands above it in settings.toml, without the full stop}; ``text``: the file's, else it is read."""
    if text is None:
        text = (ROOT / "firmware" / "settings.toml").read_text(encoding="utf-8")
    return {key: line.rstrip(".") for line, key in re.findall(r"^# ([^\n]+)\n#? ?(FIVE_\w+) =", text, re.M)}


def allowed(row):
    """What a row of settings.ROWS takes, in words."""
    _, kind, _, values = row
    if kind in WORDS:
        return WORDS[kind]
    if kind == settings.INT:
        return "0 or 1" if values == settings.SWITCH else "%d to %d" % values
    return ", ".join(str(value) for value in values)


def markdown():
    """The table as lines of Markdown, joined by line ends."""
    lines = ["| key | default | values | meaning |", "|---|---|---|---|"]
    means = meanings()
    for row in settings.ROWS:
        key = "FIVE_" + row[0].upper()
        default = row[2] if isinstance(row[2], int) else '"%s"' % row[2]
        lines.append("| `%s` | `%s` | %s | %s |" % (key, default, allowed(row), means[key]))
    return "\n".join(lines)
