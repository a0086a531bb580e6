# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The case's parts as solids, where they belong: x to the right, y up, z into the case from its face at 0, in mm.

Printed: ``front`` (face, pockets for the diffusers, walls between the lights, sides), ``diffuser``, ``button_plate``,
``carrier`` (the strips lie on it), ``back``. Bought parts are there as plain bodies, so that the fit can be checked.
"""

from build123d import Align, Axis, Box, Compound, Cylinder, Location, Pos, Rot, fillet

from tools.case import measures as table

PRINTED = {"front": 1, "diffuser": 54, "button_plate": 1, "carrier": 1, "back": 1}  # name -> how many

MID = (Align.CENTER, Align.CENTER, Align.MIN)
# Raspberry Pi Pico data sheet, "Mechanical specification"
PICO_WIDTH, PICO_LENGTH, PICO_THICK, PICO_HOLES_X, PICO_HOLES_Y = 21.0, 51.0, 1.0, 11.4, 47.0
USB_WIDTH, USB_LENGTH, USB_HEIGHT, USB_OVERHANG = 8.0, 6.0, 2.8, 1.3
PLUG_WIDTH, PLUG_HEIGHT = 12.5, 8.5  # of a plug's housing
STAND, STAND_RADIUS, PEG_RADIUS = 4.0, 2.6, 0.9  # the Pico sits on these
BOSS = table.BOSS_MM
LEDGE = 2.5
RIM = 2.0  # of the back, inside the sides
RIM_DEPTH = 3.0
POST = 5.0
LIGHT_SIZE, LIGHT_HEIGHT = 5.0, 1.6  # a WS2812 in its 5050 housing
CORNER = 6.0


def at(x, y, z):
    return Pos(x, y, z)


def block(width, height, depth, x=0.0, y=0.0, z=0.0):
    """A box standing on z, its middle at x, y."""
    return at(x, y, z) * Box(width, height, depth, align=MID)


def rod(radius, depth, x=0.0, y=0.0, z=0.0):
    return at(x, y, z) * Cylinder(radius, depth, align=MID)


def rounded(width, height, depth, radius, z=0.0):
    body = block(width, height, depth, z=z)
    return fillet(body.edges().filter_by(Axis.Z), radius)


def lights(m):
    return [table.light(m, column, row) for column in range(table.COLUMNS) for row in range(table.ROWS)]


def buttons(m):
    return [table.button(m, number) for number in range(8)]


def corners(m):
    """(x, y) of the four screws."""
    x, y = m.width / 2 - m.wall - BOSS / 2, m.height / 2 - m.wall - BOSS / 2
    return [(x, y), (-x, y), (-x, -y), (x, -y)]


def pico_place(m):
    """(x, y, z) of the Pico's middle, z of its back side: at the top, its USB socket at the upper side."""
    y = m.height / 2 - m.wall - 1.0 - PICO_LENGTH / 2
    return 0.0, y, m.inner - STAND


def front(m):
    body = rounded(m.width, m.height, m.inner, CORNER)
    body -= block(m.width - 2 * m.wall, m.height - 2 * m.wall, m.inner, z=m.face)
    # Walls between the lights: one block, then a square hole for each light.
    body += block(m.grid_width + m.baffle_wall, m.grid_height + m.baffle_wall, m.baffle, y=m.grid_middle, z=m.face)
    side = m.pitch - m.baffle_wall
    seat = m.opening / 2 + m.seat + m.clearance
    holes = []
    for x, y in lights(m):
        holes.append(block(side, side, m.baffle, x, y, m.face))
        holes.append(rod(m.opening / 2, m.face, x, y))
        holes.append(rod(seat, m.diffuser, x, y, m.face - m.diffuser))
    body -= holes
    # The button plate drops in from the front and rests on a ledge.
    body -= block(m.panel_width + 2 * m.clearance, m.panel + 2 * m.clearance, m.face, y=m.panel_middle)
    ledge = block(
        m.panel_width + 2 * m.clearance + 2 * m.wall, m.panel + 2 * m.clearance + 2 * m.wall, m.wall, y=m.panel_middle,
        z=m.plate,
    )  # fmt: skip
    if m.plate > m.face:
        ledge += block(
            m.panel_width + 2 * m.clearance + 2 * m.wall, m.panel + 2 * m.clearance + 2 * m.wall, m.plate - m.face,
            y=m.panel_middle, z=m.face,
        ) - block(m.panel_width + 2 * m.clearance, m.panel + 2 * m.clearance, m.plate, y=m.panel_middle)  # fmt: skip
    ledge -= block(m.panel_width - 2 * LEDGE, m.panel - 2 * LEDGE, m.inner, y=m.panel_middle)
    body += ledge
    for x, y in corners(m):
        body += block(BOSS, BOSS, m.inner - m.face, x, y, m.face)
        body -= rod(m.screw / 2, 12, x, y, m.inner - 12)
    x, y, z = pico_place(m)
    middle = z - PICO_THICK - USB_HEIGHT / 2
    body -= block(PLUG_WIDTH, 2 * m.wall + 2, PLUG_HEIGHT, x, m.height / 2, middle - PLUG_HEIGHT / 2)
    return body


def diffuser(m):
    """One, at the bottom left light."""
    x, y = table.light(m, 0, 0)
    return rod(m.opening / 2 + m.seat, m.diffuser, x, y, m.face - m.diffuser)


def button_plate(m):
    body = block(m.panel_width, m.panel, m.plate, y=m.panel_middle)
    return body - [rod(m.button / 2, m.plate, x, y) for x, y in buttons(m)]


def carrier(m):
    z = m.face + m.baffle + m.strip
    body = block(m.grid_width, m.grid_height, m.carrier, y=m.grid_middle, z=z)
    # Wires of the strips pass at the ends of the columns.
    slots = []
    for column in range(table.COLUMNS):
        x = table.light(m, column, 0)[0]
        for end in (-1, 1):
            slots.append(block(6, 2.4, m.carrier, x, m.grid_middle + end * (m.grid_height / 2 - 1.2), z))
    return body - slots


def back(m):
    body = rounded(m.width, m.height, m.back, CORNER, z=m.inner)
    # Bars of a rim go inside the sides, clear of the corners' screws.
    inside_x, inside_y = m.width / 2 - m.wall - m.clearance, m.height / 2 - m.wall - m.clearance
    reach_x, reach_y = 2 * (inside_x - BOSS - 2), 2 * (inside_y - BOSS - 2)
    bars = [
        block(reach_x, RIM, RIM_DEPTH, 0, -inside_y + RIM / 2, m.inner - RIM_DEPTH),
        block(RIM, reach_y, RIM_DEPTH, inside_x - RIM / 2, 0, m.inner - RIM_DEPTH),
        block(RIM, reach_y, RIM_DEPTH, -inside_x + RIM / 2, 0, m.inner - RIM_DEPTH),
    ]
    # Above, the Pico has its place in the middle.
    part = (reach_x - PICO_WIDTH - 8) / 2
    for side in (-1, 1):
        x = side * (PICO_WIDTH / 2 + 4 + part / 2)
        bars.append(block(part, RIM, RIM_DEPTH, x, inside_y - RIM / 2, m.inner - RIM_DEPTH))
    # Posts hold the carrier to the walls.
    length = m.inner - (m.face + m.baffle + m.strip + m.carrier) - m.clearance
    for side in (-1, 1):
        for end in (-1, 1):
            x, y = side * (m.grid_width / 2 - POST), m.grid_middle + end * (m.grid_height / 2 - 2 * POST)
            bars.append(block(POST, POST, length, x, y, m.inner - length))
    body += bars
    x, y, z = pico_place(m)
    for side in (-1, 1):
        for end in (-1, 1):
            spot = (x + side * PICO_HOLES_X / 2, y + end * PICO_HOLES_Y / 2)
            body += rod(STAND_RADIUS, STAND, *spot, m.inner - STAND)
            body += rod(PEG_RADIUS, PICO_THICK + 1, *spot, m.inner - STAND - PICO_THICK - 1)
    for x, y in corners(m):
        body -= rod(m.screw_through / 2, m.back, x, y, m.inner)
    return body


def pico(m):
    """Board and USB socket as bodies; its holes are there, since pegs go through."""
    x, y, z = pico_place(m)
    body = block(PICO_WIDTH, PICO_LENGTH, PICO_THICK, x, y, z - PICO_THICK)
    for side in (-1, 1):
        for end in (-1, 1):
            body -= rod(1.05, PICO_THICK, x + side * PICO_HOLES_X / 2, y + end * PICO_HOLES_Y / 2, z - PICO_THICK)
    socket_y = y + PICO_LENGTH / 2 + USB_OVERHANG - USB_LENGTH / 2
    return body + block(USB_WIDTH, USB_LENGTH, USB_HEIGHT, x, socket_y, z - PICO_THICK - USB_HEIGHT)


def button_bodies(m):
    """The eight buttons behind their plate."""
    return Compound(children=[rod(m.nut / 2, m.button_depth - m.clearance, x, y, m.plate) for x, y in buttons(m)])


def light_bodies(m):
    """The 54 lights on their carrier."""
    z = m.face + m.baffle + m.strip - LIGHT_HEIGHT
    return Compound(children=[block(LIGHT_SIZE, LIGHT_SIZE, LIGHT_HEIGHT, x, y, z) for x, y in lights(m)])


def parts(m):
    """All parts in their places: name -> solid. PRINTED are to be printed, the others are bought."""
    return {
        "front": front(m),
        "diffuser": diffuser(m),
        "button_plate": button_plate(m),
        "carrier": carrier(m),
        "back": back(m),
        "pico": pico(m),
        "buttons": button_bodies(m),
        "lights": light_bodies(m),
    }


def lying(name, part):
    """A part as it is printed: flat on the bed, the back's posts upwards."""
    part = part if name != "back" else Rot(180, 0, 0) * part
    box = part.bounding_box()
    return Location((-box.center().X, -box.center().Y, -box.min.Z)) * part


def exploded(parts_made, m):
    """(solid, colour) of the parts drawn apart along z, for the picture; the diffusers glow as in a game."""
    away = {"front": 0, "button_plate": -26, "carrier": 62, "lights": 62, "back": 110, "pico": 110, "buttons": -26}
    colours = {
        "front": (88, 92, 104), "button_plate": (120, 126, 142), "carrier": (215, 215, 220), "back": (88, 92, 104),
        "pico": (31, 107, 74), "buttons": (170, 174, 182), "lights": (240, 240, 236),
    }  # fmt: skip
    shown = [(at(0, 0, away[name]) * parts_made[name], colours[name]) for name in away]
    first = table.light(m, 0, 0)
    for (column, row), colour in game_lights().items():
        x, y = table.light(m, column, row)
        shown.append((at(x - first[0], y - first[1], 0) * parts_made["diffuser"], colour))
    return shown


def game_lights():
    """(column, row) -> colour of every light in the README's picture of play; unlit ones are milky."""
    from tools import looks, picture

    frame = looks.frames_of(looks.named("play"))[-1][1]
    full = picture.exposure([frame])
    found = {}
    for cell in range(len(frame) // 3):
        colour = tuple(picture.shown(level, full) for level in frame[3 * cell : 3 * cell + 3])
        found[divmod(cell, table.ROWS)] = colour if any(colour) else (150, 152, 158)
    return found
