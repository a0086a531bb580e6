# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``wiring``: the wiring diagram as SVG, drawn from the settings that the firmware reads: the two cannot differ."""

import sys
from pathlib import Path

from hal.wiring import COLUMNS, ROWS, wire_map
from tools import pins
from tools.environment import ROOT

HELP = "draw the wiring diagram (SVG) from the board's settings"
EXTRAS = ()

PICTURE = ROOT / "tools" / "pictures" / "wiring.svg"
WIDTH, HEIGHT = 1120, 690
PAPER, INK, QUIET, BOARD, GOLD = "#ffffff", "#22262b", "#6a727c", "#1f6b4a", "#d9b44a"
FIVE_VOLT, GROUND, DATA = "#d33a2c", "#22262b", "#1f8a4c"
BUTTON_COLOURS = ("#c0392b", "#d8761c", "#b89a00", "#3c8f3c", "#148f8f", "#2d6cc0", "#9a3fa8", "#6a727c")

PICO_LEFT, PICO_RIGHT, PICO_TOP, PIN_PITCH = 330, 450, 96, 26
BUTTON_X, BUTTON_TOP, BUTTON_PITCH = 132, 118, 64
BUS_X, CHANNELS_X, CHANNEL_PITCH = 66, 190, 14
CHIP_X, CHIP_Y, CHIP_WIDTH, CHIP_HEIGHT = 566, 96, 118, 92
MATRIX_X, MATRIX_Y, CELL = 806, 212, 28
RAIL_5V, RAIL_GROUND = 470, 522
SUPPLY_X, SUPPLY_GROUND_X = 506, 480


def add_arguments(parser):
    parser.add_argument("--out", metavar="FILE.svg", help="default %s" % PICTURE.relative_to(ROOT))
    parser.add_argument("--settings", metavar="FILE", help="the board's settings (default firmware/settings.toml)")


def run(args):
    path = Path(args.out) if args.out else PICTURE
    try:
        text = svg(pins.read(args.settings))
        path.write_text(text, encoding="utf-8")
    except pins.PinError as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print("%s cannot be written: %s" % (path, error.strerror), file=sys.stderr)
        return 2
    print(path)
    return 0


def svg(table):
    """The diagram as SVG text, for a tools.pins.Pins."""
    import drawsvg

    sheet = Sheet(drawsvg)
    sheet.text("Wiring of the five-in-a-row board", 24, 36, 20, weight="600")
    sheet.text("drawn from the settings that the firmware reads: python3 -m tools wiring", 24, 58, 13, QUIET)
    pico(sheet, table)
    buttons(sheet, table)
    pixels(sheet, table)
    return sheet.drawing.as_svg() + "\n"


class Sheet:
    """The paper, and a few words to draw with."""

    def __init__(self, drawsvg):
        self.lib = drawsvg
        self.drawing = drawsvg.Drawing(WIDTH, HEIGHT, font_family="system-ui, sans-serif", id_prefix="w")
        self.box(0, 0, WIDTH, HEIGHT, PAPER, 12)

    def box(self, x, y, width, height, fill, radius=4, stroke="none"):
        self.drawing.append(self.lib.Rectangle(x, y, width, height, rx=radius, fill=fill, stroke=stroke))

    def dot(self, x, y, radius, fill, stroke="none", width=1):
        self.drawing.append(self.lib.Circle(x, y, radius, fill=fill, stroke=stroke, stroke_width=width))

    def text(self, words, x, y, size=13, fill=INK, anchor="start", weight="400"):
        self.drawing.append(self.lib.Text(words, size, x, y, fill=fill, text_anchor=anchor, font_weight=weight))

    def wire(self, colour, *points, width=2.4, name=None):
        """A line through points (x, y). name: what it joins, for those who read the file."""
        flat = [value for point in points for value in point]
        line = self.lib.Lines(
            *flat, fill="none", stroke=colour, stroke_width=width, stroke_linejoin="round", close=False
        )
        if name:
            line.append_title(name)
        self.drawing.append(line)

    def tag(self, words, x, y, colour, anchor="start"):
        """The name of a pin that no wire is drawn to."""
        self.text("→ " + words, x, y + 4, 13, colour, anchor, "600")


def pin_at(name):
    """(x, y) of a pin of the Pico on the sheet; None if the Pico has none of that name."""
    found = pins.place(name)
    if found is None:
        return None
    side, row, _ = found
    return (PICO_RIGHT if side else PICO_LEFT), PICO_TOP + 10 + PIN_PITCH * row


def ground_pin(after_row):
    """(x, y) of the first ground pin at the left below a row, else of the last one above it."""
    rows = [row for row, name in enumerate(pins.PICO_LEFT) if name == "GND"]
    row = next((row for row in rows if row > after_row), rows[-1])
    return PICO_LEFT, PICO_TOP + 10 + PIN_PITCH * row


def pico(sheet, table):
    """The board with its pins; those that are used are printed bold."""
    used = {table.pixels, *table.buttons, "VBUS"}
    height = 20 + PIN_PITCH * 19
    sheet.box(PICO_LEFT, PICO_TOP, PICO_RIGHT - PICO_LEFT, height, BOARD, 8)
    sheet.box((PICO_LEFT + PICO_RIGHT) / 2 - 20, PICO_TOP - 12, 40, 30, "#c9ced3", 3)
    middle = (PICO_LEFT + PICO_RIGHT) / 2
    sheet.text("USB", middle, PICO_TOP + 8, 11, INK, "middle", "600")
    sheet.box(middle - 22, PICO_TOP + 230, 44, 44, "#23282c", 4)
    sheet.text("RP2040", middle, PICO_TOP + 256, 10, "#c9ced3", "middle")
    sheet.text("Raspberry Pi Pico", middle, PICO_TOP + height + 20, 13, INK, "middle", "600")
    for names, x, anchor, step in ((pins.PICO_LEFT, PICO_LEFT, "start", 1), (pins.PICO_RIGHT, PICO_RIGHT, "end", -1)):
        for row, name in enumerate(names):
            y = PICO_TOP + 10 + PIN_PITCH * row
            sheet.dot(x, y, 5, GOLD, "#8d6f1d")
            bold = name in used
            sheet.text(
                name, x + 10 * step, y + 4, 11, "#ffffff" if bold else "#a9cbbb", anchor, "700" if bold else "400"
            )


def buttons(sheet, table):
    """Eight buttons to ground, their wires without a crossing where all their pins are at the left."""
    places = [pin_at(name) for name in table.buttons]
    at_left = all(place and place[0] == PICO_LEFT for place in places)
    in_order = at_left and places == sorted(places, key=lambda place: place[1])
    rows_y = [BUTTON_TOP + BUTTON_PITCH * number for number in range(8)]
    # A wire that goes down takes a channel further right the higher it begins; one that goes up, the lower it begins.
    downs = [number for number in range(8) if in_order and rows_y[number] <= places[number][1]]
    ups = [number for number in range(8) if in_order and number not in downs]
    order = {number: at for at, number in enumerate(reversed(downs))}
    order.update({number: at for at, number in enumerate(ups)})
    bottom = rows_y[-1] + 40
    for number, name in enumerate(pins.BUTTONS):
        y, colour, pin = rows_y[number], BUTTON_COLOURS[number], table.buttons[number]
        sheet.wire(GROUND, (BUTTON_X - 24, y), (BUS_X, y), name="button %s to ground" % name)
        sheet.dot(BUS_X, y, 3.5, GROUND)
        words = "button %s to %s" % (name, pin)
        if in_order:
            x = CHANNELS_X + CHANNEL_PITCH * order[number]
            target = places[number]
            sheet.wire(colour, (BUTTON_X + 24, y), (x, y), (x, target[1]), target, name=words)
        else:
            sheet.wire(colour, (BUTTON_X + 24, y), (BUTTON_X + 50, y), name=words)
            sheet.tag(pin, BUTTON_X + 54, y, colour)
        sheet.box(BUTTON_X - 24, y - 20, 48, 40, "#e9ecef", 6, "#9aa2ab")
        sheet.dot(BUTTON_X, y, 15, colour)
        sheet.text(name, BUTTON_X, y + 4.5, 13, "#ffffff", "middle", "700")
    lowest = max((pins.place(name)[1] for name in table.buttons if pins.place(name)), default=0) if in_order else 16
    ground = ground_pin(lowest)
    near = PICO_LEFT - 16
    sheet.wire(
        GROUND, (BUS_X, rows_y[0]), (BUS_X, bottom), (near, bottom), (near, ground[1]), ground, name="buttons to GND"
    )
    sheet.text("Eight buttons to ground: the chip's own pull-ups hold them up.", 36, bottom + 54, 12, QUIET)


def pixels(sheet, table):
    """Level shifter, resistor, capacitor, matrix and supply."""
    data_y = CHIP_Y + 30
    # Supply: USB's 5 V and ground, from the Pico's right edge.
    vbus, ground = pin_at("VBUS"), (PICO_RIGHT, PICO_TOP + 10 + PIN_PITCH * pins.PICO_RIGHT.index("GND"))
    width, height = COLUMNS * CELL, ROWS * CELL
    pad_5v, pad_ground = MATRIX_X + width / 2 - 24, MATRIX_X + width / 2 + 24
    pads_y = MATRIX_Y + height + 22
    sheet.wire(
        FIVE_VOLT,
        vbus,
        (SUPPLY_X, vbus[1]),
        (SUPPLY_X, RAIL_5V),
        (pad_5v, RAIL_5V),
        (pad_5v, pads_y),
        name="VBUS to 5 V",
    )
    sheet.wire(
        GROUND, ground, (SUPPLY_GROUND_X, ground[1]), (SUPPLY_GROUND_X, RAIL_GROUND), (pad_ground, RAIL_GROUND),
        (pad_ground, pads_y), name="GND to GND",
    )  # fmt: skip
    sheet.text("USB's 5 V", SUPPLY_X + 8, RAIL_5V - 8, 12, FIVE_VOLT)
    # Level shifter: one of its four gates, always enabled.
    chip_right = CHIP_X + CHIP_WIDTH
    vcc_x, gnd_x = CHIP_X + 26, CHIP_X + 88
    sheet.wire(FIVE_VOLT, (vcc_x, CHIP_Y + CHIP_HEIGHT), (vcc_x, RAIL_5V), name="74AHCT125 pin 14, VCC, to 5 V")
    sheet.dot(vcc_x, RAIL_5V, 3.5, FIVE_VOLT)
    sheet.wire(GROUND, (gnd_x, CHIP_Y + CHIP_HEIGHT), (gnd_x, RAIL_GROUND), name="74AHCT125 pins 7 and 1 to GND")
    sheet.dot(gnd_x, RAIL_GROUND, 3.5, GROUND)
    sheet.box(CHIP_X, CHIP_Y, CHIP_WIDTH, CHIP_HEIGHT, "#2b3036", 5)
    sheet.text("74AHCT125", CHIP_X + CHIP_WIDTH / 2, CHIP_Y + 58, 13, "#ffffff", "middle", "600")
    for words, x, y, anchor in (
        ("2 · 1A", CHIP_X + 7, data_y + 4, "start"),
        ("1Y · 3", chip_right - 7, data_y + 4, "end"),
        ("VCC · 14", vcc_x, CHIP_Y + CHIP_HEIGHT - 8, "middle"),
        ("GND · 7, 1", gnd_x, CHIP_Y + CHIP_HEIGHT - 8, "middle"),
    ):
        sheet.text(words, x, y, 10.5, "#c9ced3", anchor)
    sheet.text("level shifter, 3.3 V to 5 V", CHIP_X, CHIP_Y - 10, 12, QUIET)
    # Data: the Pico to the shifter.
    target = (CHIP_X, data_y)
    place = pin_at(table.pixels)
    highest = min((spot[1] for spot in map(pin_at, table.buttons) if spot and spot[0] == PICO_LEFT), default=HEIGHT)
    words = "%s to 74AHCT125 pin 2, 1A" % table.pixels
    if place and place[0] == PICO_LEFT and place[1] < highest:
        over = PICO_TOP - 24
        turn = CHIP_X - 24
        sheet.wire(
            DATA,
            place,
            (PICO_LEFT - 16, place[1]),
            (PICO_LEFT - 16, over),
            (turn, over),
            (turn, data_y),
            target,
            name=words,
        )
    else:
        sheet.wire(DATA, (CHIP_X - 30, data_y), target, name=words)
        sheet.tag(table.pixels, CHIP_X - 34, data_y, DATA, "end")
    # Resistor.
    left, right = 712, 764
    sheet.wire(DATA, (chip_right, data_y), (left, data_y), name="74AHCT125 pin 3, 1Y, to 330 Ω")
    sheet.box(left, data_y - 8, right - left, 16, "#e8d9b5", 6, "#8d6f1d")
    sheet.text("330 Ω", (left + right) / 2, data_y - 16, 12, INK, "middle", "600")
    matrix(sheet, table, (right, data_y))
    sheet.text("5V", pad_5v, pads_y - 6, 11, FIVE_VOLT, "middle", "700")
    sheet.text("GND", pad_ground, pads_y - 6, 11, GROUND, "middle", "700")
    # Capacitor, between the rails.
    x, middle = 748, (RAIL_5V + RAIL_GROUND) / 2
    sheet.dot(x, RAIL_5V, 3.5, FIVE_VOLT)
    sheet.dot(x, RAIL_GROUND, 3.5, GROUND)
    sheet.wire(FIVE_VOLT, (x, RAIL_5V), (x, middle - 5), name="capacitor + to 5 V")
    sheet.wire(GROUND, (x, middle + 5), (x, RAIL_GROUND), name="capacitor − to GND")
    sheet.wire(INK, (x - 18, middle - 5), (x + 18, middle - 5), width=3)
    sheet.wire(INK, (x - 18, middle + 5), (x + 18, middle + 5), width=3)
    sheet.text("+", x - 32, middle - 4, 15, FIVE_VOLT, "middle", "700")
    sheet.text("1000 µF, 6.3 V or more", x + 26, middle + 5, 12)
    sheet.text("Close to the matrix. Mind its plus.", x + 26, RAIL_GROUND + 22, 12, QUIET)


def matrix(sheet, table, source):
    """The lights, and the way that the strip takes through them; ``source`` is where the data comes from."""
    width, height = COLUMNS * CELL, ROWS * CELL
    sheet.box(MATRIX_X - 12, MATRIX_Y - 12, width + 24, height + 40, "#f3f4f6", 8, "#9aa2ab")
    wire = wire_map(table.corner, table.direction, table.serpentine)
    spots = {}
    for cell in range(COLUMNS * ROWS):
        column, row = divmod(cell, ROWS)
        spots[wire[cell]] = (MATRIX_X + CELL * column + CELL / 2, MATRIX_Y + CELL * (ROWS - 1 - row) + CELL / 2)
    way = [spots[index] for index in range(COLUMNS * ROWS)]
    sheet.wire("#9fc8ae", *way, width=1.6, name="the strip")
    for index, (x, y) in enumerate(way):
        side = x < MATRIX_X + CELL or x > MATRIX_X + width - CELL
        sheet.dot(x, y, 9, "#dfe3e7" if side else "#ffffff", "#9aa2ab")
        if index in (0, 1, COLUMNS * ROWS - 1):
            sheet.text(str(index + 1), x, y + 4, 10, DATA, "middle", "700")
    first = way[0]
    at_left = first[0] < MATRIX_X + width / 2
    edge = MATRIX_X - 12 if at_left else MATRIX_X + width + 12
    outside = edge - 18 if at_left else edge + 18
    sheet.wire(
        DATA, source, (outside, source[1]), (outside, first[1]), (first[0] - 9 if at_left else first[0] + 9, first[1]),
        name="330 Ω to DIN",
    )  # fmt: skip
    sheet.text(
        "DIN", outside - 6 if at_left else outside + 6, first[1] + 4, 11, DATA, "end" if at_left else "start", "700"
    )
    sheet.text(
        "9 × 6 NeoPixels (WS2812), %s" % table.order, MATRIX_X + width / 2, MATRIX_Y - 42, 13, INK, "middle", "600"
    )
    laid = "from the %s along %ss, %s" % (
        table.corner, table.direction, "every second one backwards" if table.serpentine else "all the same way",
    )  # fmt: skip
    sheet.text(laid, MATRIX_X + width / 2, MATRIX_Y - 24, 12, QUIET, "middle")
