# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The case's measures in millimetres: one row each, all else follows from them. Needs no CAD library."""

from types import SimpleNamespace

COLUMNS, ROWS = 9, 6

# name -> (default, least, most, what it is)
MEASURES = {
    "pitch": (1000 / 60, 14.0, 20.0, "from light to light: a strip of 60 lights a metre"),
    "opening": (12.4, 6.0, 16.0, "diameter of a light's opening"),
    "seat": (0.7, 0.4, 2.0, "how far a diffuser's rim reaches behind the front"),
    "diffuser": (1.0, 0.4, 2.0, "thickness of a diffuser"),
    "face": (2.4, 1.6, 5.0, "thickness of the front"),
    "baffle": (8.0, 4.0, 20.0, "depth of the walls between the lights"),
    "baffle_wall": (1.2, 0.8, 3.0, "thickness of those walls"),
    "strip": (0.8, 0.3, 3.0, "room for the strip between walls and carrier"),
    "carrier": (2.0, 1.2, 4.0, "thickness of the plate that carries the strips"),
    "wall": (2.4, 1.6, 5.0, "thickness of the sides"),
    "margin": (11.0, 8.0, 30.0, "from the outermost lights' squares to the outside"),
    "panel": (46.0, 40.0, 80.0, "height of the button plate"),
    "plate": (3.0, 2.0, 4.0, "thickness of the button plate: what the buttons' nuts can clamp"),
    "button": (12.2, 6.0, 13.0, "diameter of a button's hole"),
    "nut": (15.5, 8.0, 18.0, "room for a button's nut, across"),
    "button_depth": (22.0, 5.0, 40.0, "a button behind its plate, with its wires"),
    "back": (2.4, 1.6, 5.0, "thickness of the back"),
    "clearance": (0.25, 0.1, 0.8, "between parts that go into each other, on each side"),
    "screw": (2.5, 1.5, 4.0, "hole that a screw cuts its thread into (2.5: M3)"),
    "screw_through": (3.4, 2.0, 5.0, "hole that a screw passes (3.4: M3)"),
}

BED_MM = 220  # a common printer's bed, square
BOSS_MM = 8.0  # a corner's block that a screw goes into, square


class MeasureError(Exception):
    """Measures that cannot be had, or not together; the text is one line."""


def chosen(settings=()):
    """The measures with ``NAME=MM`` texts laid over the defaults, and what follows from them, as attributes in mm.

    Raises MeasureError for an unknown name, a value out of its range, and for values that do not go together.
    """
    values = {name: row[0] for name, row in MEASURES.items()}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if name not in MEASURES or not equals:
            raise MeasureError("'%s' is no measure: write NAME=MM with one of %s" % (setting, ", ".join(MEASURES)))
        least, most = MEASURES[name][1:3]
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not least <= value <= most:
            raise MeasureError("%s=%s is not from %g to %g mm (%s)" % (name, text, least, most, MEASURES[name][3]))
        values[name] = value
    m = SimpleNamespace(**values)
    m.grid_width, m.grid_height = COLUMNS * m.pitch, ROWS * m.pitch
    m.width = m.grid_width + 2 * m.margin
    m.height = m.grid_height + 3 * m.margin + m.panel  # the grid, the plate, a margin between and around
    m.inner = max(m.plate + m.button_depth, m.face + m.baffle + m.strip + m.carrier + 14)  # front to back, inside
    m.depth = m.inner + m.back
    m.grid_middle = m.height / 2 - m.margin - m.grid_height / 2  # heights above the case's middle
    m.panel_middle = -m.height / 2 + m.margin + m.panel / 2
    m.panel_width = m.grid_width
    check(m)
    return m


def check(m):
    """Raise MeasureError for measures that do not go together."""
    if m.opening + 2 * m.seat + 2 * m.clearance > m.pitch - m.baffle_wall:
        raise MeasureError(
            "opening=%g and seat=%g do not fit a pitch of %.2f mm: make one of them smaller"
            % (m.opening, m.seat, m.pitch)
        )
    if m.nut > m.pitch:
        raise MeasureError("nut=%g: two buttons side by side need no more than the pitch, %.2f mm" % (m.nut, m.pitch))
    if m.button > m.nut - 1:
        raise MeasureError("button=%g: its nut, %g mm across, would fall through" % (m.button, m.nut))
    if m.diffuser > m.face - 0.8:
        raise MeasureError("diffuser=%g: at most %.1f mm, so that the front stays whole" % (m.diffuser, m.face - 0.8))
    if m.screw > m.screw_through - 0.4:
        raise MeasureError("screw=%g: a screw for it does not pass screw_through=%g" % (m.screw, m.screw_through))
    if m.margin < m.wall + BOSS_MM + m.clearance:
        raise MeasureError("margin=%g: at least %.2f mm, for the screws" % (m.margin, m.wall + BOSS_MM + m.clearance))
    if max(m.width, m.height) > BED_MM:
        raise MeasureError("the case is %.0f × %.0f mm, more than a printer's %d" % (m.width, m.height, BED_MM))


def light(m, column, row):
    """(x, y) of a light's middle; column 0 .. 8 from the left, row 0 .. 5 from the bottom, seen from the front."""
    return (column - (COLUMNS - 1) / 2) * m.pitch, m.grid_middle + (row - (ROWS - 1) / 2) * m.pitch


def button(m, number):
    """(x, y) of a button's middle: a to g under their columns, pop (7) below them in the middle."""
    if number == 7:
        return 0.0, m.panel_middle - m.panel / 4
    return light(m, 1 + number, 0)[0], m.panel_middle + m.panel / 4
