# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""All sixteen wirings of a 9x6 matrix, against a walk along the strip."""

from itertools import product
from types import SimpleNamespace

import pytest

from hal.simulated import Simulation
from hal.wiring import CORNERS, ORDERS, wire_map

SIXTEEN = list(product(CORNERS, ORDERS, (0, 1)))


def walk(corner, order, serpentine):
    """The cells in the order of the strip, by walking it from pixel to pixel."""
    column, row = (8 if "right" in corner else 0), (5 if "top" in corner else 0)
    right, up = (-1 if "right" in corner else 1), (-1 if "top" in corner else 1)
    cells = []
    while 0 <= column <= 8 and 0 <= row <= 5:
        cells.append(6 * column + row)
        if order == "row":
            if 0 <= column + right <= 8:
                column += right
            else:
                row += up
                if serpentine:
                    right = -right
                else:
                    column = 8 if "right" in corner else 0
        else:
            if 0 <= row + up <= 5:
                row += up
            else:
                column += right
                if serpentine:
                    up = -up
                else:
                    row = 5 if "top" in corner else 0
    return cells


@pytest.mark.parametrize("corner, order, serpentine", SIXTEEN)
def test_wire_map(corner, order, serpentine):
    cells = walk(corner, order, serpentine)
    assert len(cells) == 54
    wire = wire_map(corner, order, serpentine)
    assert [cells.index(cell) for cell in range(54)] == list(wire)
    turned = wire_map(corner, order, serpentine, 180)
    assert [turned[53 - cell] for cell in range(54)] == list(wire)


def test_sixteen_wirings_are_sixteen():
    assert len({wire_map(*wiring) for wiring in SIXTEEN}) == 16
    assert wire_map() == bytes(range(54))


@pytest.mark.parametrize("corner, order, serpentine", SIXTEEN)
def test_a_cell_lights_where_it_lies(corner, order, serpentine):
    """Through the real library to the wire: the matrix is built by the walk, the firmware knows only its settings."""
    cells = walk(corner, order, serpentine)
    sim = Simulation(wire=bytes(cells.index(cell) for cell in range(54)))
    board = sim.open_board(SimpleNamespace(first_corner=corner, wiring_order=order, serpentine=serpentine))
    for cell in range(54):
        board.pixels[board.wire[cell]] = (cell, 255 - cell, 1)
    board.pixels.show()
    assert sim.frames[-1][1] == b"".join(bytes((cell, 255 - cell, 1)) for cell in range(54))


@pytest.mark.parametrize(
    "values, named",
    (
        (("middle", "row", 0, 0), "'middle'"),
        (("top left", "diagonal", 0, 0), "'diagonal'"),
        (("top left", "row", 0, 90), "90"),
    ),
)
def test_a_wrong_value_is_named(values, named):
    with pytest.raises(ValueError, match=named):
        wire_map(*values)
