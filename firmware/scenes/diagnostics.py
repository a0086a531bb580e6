# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Diagnostics (g held at power-on): each pixel in turn in red, green and blue; a pressed button lights its column."""

from adafruit_ticks import ticks_diff

from firmware.lights import BLUE, GREEN, RED, WHITE
from firmware.palettes import CHANNEL_MA, IDLE_MA, worst_ma
from firmware.scenes.scene import ALL, BRIGHT, DARK, HOLD, PIXELS, POP_BUTTON, REST, UP, Scene

PIXEL_MS = 132


def current_ma(lights, frame):
    """What ``frame`` draws by the model of DEVICE.md, in mA."""
    light = 0
    for paint in frame:
        rgb = lights.colour(paint)
        light += (rgb >> 16) + (rgb >> 8 & 255) + (rgb & 255)
    return PIXELS * IDLE_MA + (light * CHANNEL_MA + 254) // 255


class Diagnostics(Scene):
    """The settings go to the console when it starts, an estimate of the supply when all pixels have had their turn.

    The pop button's own light is the bottom row; held for a second, it ends the diagnostics.
    """

    def enter(self, now):
        self.since = now
        self.down = 0
        self.rounds = -1
        write, settings = self.app.board.write, self.app.settings
        write("diagnostics: hold pop to leave")
        for name in dir(settings):
            if not name.startswith("_"):
                write("%s = %s" % (name, getattr(settings, name)))

    def press(self, event, now):
        button = event & 7
        if event == POP_BUTTON | HOLD:
            self.app.go("start", now)
        elif event & UP:
            self.down &= ~(1 << button)
        elif not event & HOLD:
            self.down |= 1 << button
            self.app.board.write("button %s" % "abcdefg^"[button])

    def draw(self, now):
        frame = self.frame
        frame[ALL] = DARK
        step = ticks_diff(now, self.since) // PIXEL_MS
        frame[step // 3 % PIXELS] = (RED, GREEN, BLUE)[step % 3] << 4 | BRIGHT
        for button in range(8):
            if self.down >> button & 1:
                for cell in range(6, 48, 6) if button == POP_BUTTON else range(6 + 6 * button, 12 + 6 * button):
                    frame[cell] = WHITE << 4 | REST
        if step // (3 * PIXELS) != self.rounds:
            self.rounds = step // (3 * PIXELS)
            app, lights = self.app, self.app.lights
            app.board.write(
                "supply: %d mA now, %d mA with all pixels at the brightest, budget %d mA"
                % (current_ma(lights, frame), worst_ma(lights.colours, lights.level), app.settings.budget_ma)
            )
