# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Where each cell of the 9x6 matrix lies on the strip of pixels.

A strip starts in one of four corners, runs along rows or along columns, and either starts every stretch at the same
side (progressive) or turns round at each end (serpentine): sixteen ways, none of them equal, since nine is odd.
"""

COLUMNS, ROWS = 9, 6
CORNERS = ("bottom left", "bottom right", "top left", "top right")
ORDERS = ("column", "row")


def wire_map(first_corner="bottom left", wiring_order="column", serpentine=0, rotation=0):
    """Return bytes(54): the index on the strip of each cell (6 * column + row, from the bottom left).

    `rotation` (0 or 180 degrees) is how the matrix is turned against the way that the wiring was described.
    Raises ValueError that names the value.
    """
    if first_corner not in CORNERS:
        raise ValueError("first corner %r is none of %s" % (first_corner, ", ".join(CORNERS)))
    if wiring_order not in ORDERS:
        raise ValueError("wiring order %r is neither column nor row" % (wiring_order,))
    if rotation not in (0, 180):
        raise ValueError("rotation %r is neither 0 nor 180" % (rotation,))
    turned = rotation == 180
    from_right = first_corner.endswith("right") != turned
    from_top = first_corner.startswith("top") != turned
    wire = bytearray(COLUMNS * ROWS)
    for column in range(COLUMNS):
        for row in range(ROWS):
            x = COLUMNS - 1 - column if from_right else column
            y = ROWS - 1 - row if from_top else row
            stretch, place, length = (y, x, COLUMNS) if wiring_order == "row" else (x, y, ROWS)
            if serpentine and stretch & 1:
                place = length - 1 - place
            wire[ROWS * column + row] = stretch * length + place
    return bytes(wire)
