# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Whether the case's parts fit: nothing overlaps, what goes into each other has room, everything can be printed."""

from itertools import combinations

from tools.case import measures as table
from tools.case import model

OVERLAP_MM3 = 0.01
HAIR_MM = 0.01  # less than this is no difference
# Two parts and the room that must be between them. None: they touch, as they should.
ROOM = {
    frozenset(("front", "diffuser")): None,
    frozenset(("front", "button_plate")): None,
    frozenset(("front", "back")): None,
    frozenset(("front", "carrier")): "strip",
    frozenset(("carrier", "back")): "clearance",
    frozenset(("back", "pico")): None,
    frozenset(("button_plate", "buttons")): None,
    frozenset(("carrier", "lights")): None,
}
APART_MM = 0.2  # all others


def problems(parts, m):
    """One line for everything that does not fit; an empty list is what one wants."""
    found = []
    for name in model.PRINTED:
        part = parts[name]
        if not part.is_valid:
            found.append("%s is no valid body" % name)
        if len(part.solids()) != 1:
            found.append("%s falls into %d pieces" % (name, len(part.solids())))
        size = model.lying(name, part).bounding_box().size
        if max(size.X, size.Y) > table.BED_MM:
            found.append("%s is %.0f × %.0f mm, more than a printer's %d" % (name, size.X, size.Y, table.BED_MM))
    for one, other in combinations(parts, 2):
        found += between(parts, m, one, other)
    return found


def between(parts, m, one, other):
    """What is wrong between two parts, as a list of lines."""
    first, second = parts[one], parts[other]
    common = first & second
    volume = common.volume if common is not None else 0.0
    if volume > OVERLAP_MM3:
        return ["%s and %s overlap by %.2f mm³" % (one, other, volume)]
    measure = ROOM.get(frozenset((one, other)), APART_MM)
    if measure is None:
        return []
    wanted = getattr(m, measure) if isinstance(measure, str) else measure
    distance = first.distance_to(second)
    if distance < wanted - HAIR_MM:
        return ["%s and %s are %.2f mm apart, and %.2f are needed" % (one, other, distance, wanted)]
    return []
