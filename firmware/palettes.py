# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The palettes, and how bright each may be; loaded when one is chosen."""

from firmware.lights import LOWEST, PIXELS

# name, then Red's, Yellow's and Green's colour as R, G, B of 255. All keep CIEDE2000 >= 20 between any two of the three
# under protan, deutan and tritan sight (Machado 2009, severity 1; tests/test_lights.py).
PALETTES = (
    ("red yellow", 183, 3, 1, 255, 239, 0, 28, 180, 105),
    ("orange blue", 255, 90, 0, 0, 40, 255, 0, 170, 170),
    ("red cyan", 255, 0, 0, 0, 170, 170, 0, 0, 255),
    ("yellow violet", 255, 190, 0, 120, 0, 255, 0, 170, 170),
    ("green magenta", 0, 255, 0, 255, 0, 170, 192, 0, 0),
)
# White and the menus' colours (lights.WHITE .. MAGENTA).
_COMMON = bytes((140, 140, 140, 255, 0, 0, 255, 80, 0, 255, 170, 0, 0, 220, 0, 0, 170, 150, 0, 60, 255, 220, 0, 150))
IDLE_MA, CHANNEL_MA = 1, 20  # what a dark pixel draws, and a channel at 255 (DEVICE.md, "What is lit")


def colours(palette):
    """(index, colours): the row of PALETTES that ``palette`` is, wrapping round, and its colours 0 .. 10 in bytes."""
    palette %= len(PALETTES)
    return palette, bytes(PALETTES[palette][1:]) + _COMMON


def brightest(colours, budget_ma):
    """The highest level, 0 .. 255, at which no frame of ``colours`` draws more than ``budget_ma``."""
    light = max([sum(colours[i : i + 3]) for i in range(0, len(colours), 3)])
    # The estimate is at most a step or two too bright, by the rounding of three channels.
    level = min(255, (budget_ma - PIXELS * IDLE_MA) * 255 // (PIXELS * CHANNEL_MA) * 255 // light + 2)
    while level > LOWEST and worst_ma(colours, level) > budget_ma:
        level -= 1
    return level


def worst_ma(colours, level):
    """What 54 pixels of the brightest of ``colours`` draw at ``level``, in mA."""
    worst = 0
    for i in range(0, len(colours), 3):
        worst = max(worst, sum([(channel * level + 127) // 255 for channel in colours[i : i + 3]]))
    return PIXELS * IDLE_MA + (PIXELS * CHANNEL_MA * worst + 254) // 255
