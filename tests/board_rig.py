# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The whole firmware on the simulated board and its virtual clock, for tests that press buttons and look at frames."""

from hal.simulated import Simulation

SLICE_US = 5000  # of a search slice on the RP2040, at most
DRAW_US, STEP_US = 2500, 800  # of drawing a frame and of the rest of a round (measured on the chip, rounded up)

A, B, C, D, E, F, G, POP = range(8)


class Rig:
    """``env``: settings; other options go to the Simulation. ``slow``: charge what the chip's own work costs."""

    def __init__(self, env=None, nvm=None, slow=True, held=(), **options):
        from firmware import settings
        from firmware.app import App

        self.sim = Simulation(env=env, nvm=nvm, **options)
        for button in held:
            self.sim.hold_at_start(button)
        chosen = settings.load(self.sim.getenv)
        self.app = App(self.sim.open_board(chosen), chosen)
        self.scenes = [(0, self.app.scene)]  # (ms, name) of every change of scene
        if slow:
            self.charge(self.app.search, "step", SLICE_US)
            self.charge(self.app, "_draw", DRAW_US)

    def charge(self, thing, name, us):
        method = getattr(thing, name)

        def charged(*args):
            self.sim.charge_us(us)
            return method(*args)

        setattr(thing, name, charged)

    def step(self):
        self.app.step()
        self.sim.charge_us(STEP_US)
        if self.app.scene != self.scenes[-1][1]:
            self.scenes.append((self.sim.now_ms(), self.app.scene))

    def run(self, ms):
        """Let ``ms`` pass."""
        self.sim.run(self.step, until_ms=self.sim.now_ms() + ms)

    def until(self, condition, limit_ms=60000):
        """Run until ``condition()`` holds; fail if it does not within ``limit_ms``. Give the ms it took."""
        began = self.sim.now_ms()
        self.sim.run(self.step, until=lambda: condition() or self.sim.now_ms() > began + limit_ms)
        assert condition(), "not within %d ms: scene %s, console %s" % (
            limit_ms,
            self.app.scene,
            self.sim.lines()[-6:],
        )
        return self.sim.now_ms() - began

    def until_scene(self, *names, limit_ms=60000):
        return self.until(lambda: self.app.scene in names, limit_ms)

    def until_ready(self, limit_ms=60000):
        return self.until(lambda: self.app.ready_for_input, limit_ms)

    def press(self, button, hold_ms=60, after_ms=60):
        """Press and release ``button`` now, and let ``after_ms`` more pass."""
        self.sim.press(button, self.sim.now_ms() + 1, hold_ms)
        self.run(hold_ms + after_ms)

    def hold(self, button):
        self.press(button, 1100)

    def keys(self, *buttons):
        """Press each button as soon as the board takes it."""
        for button in buttons:
            self.until_ready()
            self.press(button)

    def latency_ms(self, button, bounce_ms=2, hold_ms=60):
        """Press ``button`` now; ms from the first touch of its contact to the first frame that differs."""
        at_us = self.sim.now_us + 300
        before = bytes(self.sim.frame)
        count = len(self.sim.frames)
        self.sim.press(button, at_us / 1000, hold_ms, bounce_ms=bounce_ms)
        self.run(hold_ms + 200)
        for t_us, frame in self.sim.frames[count:]:
            if t_us < at_us:
                before = frame
            elif frame != before:
                return (t_us - at_us) / 1000
        return None

    # Ways to get somewhere

    def to_setup(self):
        self.until_scene("start", "attract", "resume")
        self.press(A)
        self.until_scene("setup")
        return self

    def begin(self, text="five two match"):
        """Begin what ``text`` names, as the serial line does."""
        self.sim.serial_in("new %s\n" % text)
        self.until_scene("play")
        self.run(30)
        return self

    @property
    def record(self):
        from engine.notation import record

        return record(self.app.game.position)

    def cell(self, column, row):
        """(R, G, B) of a cell on the matrix: LED column 0..8, row 0..5."""
        at = 3 * (6 * column + row)
        return tuple(self.sim.frame[at : at + 3])

    def column(self, column):
        return tuple(self.cell(column, row) for row in range(6))
