# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Inside the page's MicroPython: the firmware over a simulated board whose clock and whose outside are the page's.

worker.js calls turn() again and again, and the page's presses and lines in between. What the page shows, it is told
through the module ``host``: frame(hex), line(text, spoken), state(json), memory(hex), refused(button).
"""

import binascii
import json

import host

from engine.notation import SIGNS
from engine.variation import FIRST
from firmware import settings
from firmware.app import App
from firmware.palettes import PALETTES
from firmware.scenes import setup as setup_pages
from hal import simulated

TURN_MS = 8  # of rounds of the firmware's loop between two looks at the page's presses
# A button stays down, and up, at least so long and for so many rounds of the loop: a browser may report both ends of a
# tap at once, and the next one with them.
PRESS_MS, PRESS_ROUNDS = 45, 8
FULL_PERCENT = 30  # this brightness is shown as full light: the eye adapts to a dim board
FREE = 7

SIDES = ("Red", "Yellow", "Green")
TITLES = {
    "start": "Light test",
    "attract": "The board plays itself. Press any button to set up a game.",
    "resume": "A saved game. Press any column to go on; hold pop to drop it.",
    "pause": "Pause",
    "lights": "Lights and switches",
    "score": "The score: a lit cell is half a point. Press any button.",
    "lots": "Lots are drawn for a fair opening. Hold pop to give up.",
    "ready": "Ready for the next game? Red presses a, b or c; Yellow e, f or g.",
    "diagnostics": "Diagnostics",
}
# by the names of the pages in firmware/scenes/setup.py
SETUP_TITLES = {
    "VARIATIONS": "Set up: which game?",
    "OTHERS": "Set up: which of the others?",
    "MORE": "Set up: which of these?",
    "OPPONENTS": "Set up: who plays? The lit one again: who begins.",
    "FORMS": "Set up: match, single game, or by the clock?",
}
# by the states of firmware/scenes/puzzles.py
PUZZLE_TITLES = (
    "Puzzles: which grade? Green is solved.",
    "The grade's puzzles: green ones are solved, the blinking one is next.",
    "%s: one move alone %s.",
    "%s to move: one move alone %s.",
    "Let us see …",
    "Right!",
    "Right!",
    "This does not do.",
    "Once more.",
)
PUZZLE_GOALS = ("saves the draw", "wins")
PUZZLE_PAGE, PUZZLE_GOAL, PUZZLE_ASKS = 0, 2, 3
PAUSE = ("resume", "take back", "hint", "resign game", "resign match", "new game", "lights")
LIGHTS = ("darker", "brighter", "night", "palette", "cue", "confirm", "clock")
TO_PAGES = {"OTHERS": "others …", "MORE": "more …", "PUZZLES": "puzzles …"}

rest_ms = 0


def rest(seconds):
    """The firmware sleeps: the page waits instead, so that it stays awake for presses."""
    global rest_ms
    rest_ms += int(seconds * 1000 + 0.5)


simulated._sleep = rest
simulated._clock_us = lambda: host.now_ms() * 1000


class Device:
    """The board of the page. memory: what its non-volatile memory held last, or None."""

    def __init__(self, memory):
        self.fresh = False
        self.partial = ""
        self.changes = []  # (button, down) that are still to come
        self.changed_ms = [-PRESS_MS] * 8  # the last change of each button ...
        self.rounds = [PRESS_ROUNDS] * 8  # ... and how many rounds of the loop it was ago
        self.told = None
        self.writes = -1
        with open("/settings.json") as file:
            env = json.load(file)
        self.sim = sim = simulated.Simulation(realtime=True, bounce_ms=0, nvm=memory, env=env, record=False)
        sim.on_frame = self.on_frame
        sim.on_print = self.on_print
        chosen = settings.load(sim.getenv)
        board = sim.open_board(chosen)
        self.app = App(board, chosen)
        lights = self.app.lights
        percent = lights.percent
        lights.set(lights.palette, FULL_PERCENT)
        self.full = lights.level
        lights.set(lights.palette, percent)
        self.app.relight()
        self.refuse = self.app.refuse
        self.app.refuse = self.refused

    # The board tells

    def on_frame(self, frame):
        self.fresh = True

    def on_print(self, text):
        lines = (self.partial + text).split("\n")
        self.partial = lines.pop()
        del self.sim.serial_out[:-1]  # the page keeps them
        for line in lines:
            host.line(line, spoken(line))

    def refused(self, button, now):
        self.refuse(button, now)
        host.refused(button)

    # The page does

    def press(self, button, down):
        self.changes.append((button, down))

    def move_buttons(self):
        """Do the next changes of the buttons, each as soon as the one before it has stood for long enough."""
        now_ms = self.sim.now_ms()
        waiting = []
        for button, down in self.changes:
            settled = self.rounds[button] >= PRESS_ROUNDS and now_ms - self.changed_ms[button] >= PRESS_MS
            if not settled or button in [other for other, _ in waiting]:
                waiting.append((button, down))
                continue
            self.changed_ms[button] = now_ms
            self.rounds[button] = 0
            self.sim.contact(button, down)
        self.changes = waiting

    def turn(self):
        """Some rounds of the firmware's loop; how long (ms) it wants to rest afterwards."""
        global rest_ms
        rest_ms = 0
        until_ms = host.now_ms() + TURN_MS
        while not rest_ms and host.now_ms() < until_ms:
            if self.changes:
                self.move_buttons()
            self.app.step()
            for button in range(8):
                self.rounds[button] += 1
        if self.fresh:
            self.fresh = False
            host.frame(binascii.hexlify(self.sim.frame).decode())
        nvm = self.sim.nvm
        if nvm.programs + nvm.erases != self.writes:
            self.writes = nvm.programs + nvm.erases
            host.memory(binascii.hexlify(nvm.data).decode())
        self.tell()
        return rest_ms

    def tell(self):
        """Tell the page what the board is doing, whenever that has changed."""
        app, game = self.app, self.app.game
        scene = app.current
        page = scene.page if app.scene == "setup" else scene.state if app.scene == "puzzles" else 0
        lit = scene.lit if app.scene in ("setup", "pause", "lights") else -1
        armed = app.scene == "play" and scene.armed
        state = (
            app.scene,
            page,
            lit,
            app.ready_for_input,
            armed,
            app.thinking,
            app.power,
            game.event,
            app.lights.palette,
        )
        if state != self.told:
            self.told = state
            host.state(json.dumps(self.describe(state)))

    def describe(self, state):
        scene, page, lit, ready, armed, thinking, power, _, palette = state
        game = self.app.game
        position = game.position
        told = {
            "scene": scene,
            "ready": ready,
            "thinking": thinking,
            "dark": power == 2,
            "full": self.full,
            "labels": self.labels(scene, page),
            "lit": lit,
            "palette": PALETTES[palette][0],
            "title": self.title(scene, page, armed, thinking),
            "hover": [],
            "pop": "back" if scene == "setup" else "go on" if scene in ("pause", "lights") else "pop",
        }
        asks = scene == "puzzles" and page == PUZZLE_ASKS
        if scene == "puzzles":
            told["pop"] = "back" if page == PUZZLE_PAGE else "hint"
        if (scene == "play" or asks) and game.is_open():
            if not position.variation.pop:
                told["pop"] = "hint"
            own = self.app.lights.colour(position.to_move << 4 | 15)
            told["disc"] = [own >> 16, own >> 8 & 255, own & 255]
            if ready and not armed:
                told["hover"] = [i for i in range(position.variation.free) if position.is_legal(i)]
        return told

    def title(self, scene, page, armed, thinking):
        game = self.app.game
        if scene == "setup":
            return by_page(SETUP_TITLES, page)
        if scene == "puzzles":
            text = PUZZLE_TITLES[page]
            if PUZZLE_GOAL <= page <= PUZZLE_ASKS:
                text = text % (SIDES[game.position.to_move], PUZZLE_GOALS[self.app.current.file.goal])
            return text
        if scene == "result":
            if game.result == 3:
                shared = game.position.result is None  # a third player has given up or run out of time
                return "%s Press any button." % ("The others share it." if shared else "A draw.")
            return "%s wins. Press any button." % SIDES[game.result]
        if scene != "play":
            return TITLES.get(scene, "")
        side = SIDES[game.position.to_move] if game.is_open() else ""
        if armed:
            return "%s: which of the blinking discs is to pop out?" % side
        if not side:
            return "The game is over."
        if thinking and game.engine_turn():
            return "%s, the board, is thinking." % side
        return "%s to move." % side

    def labels(self, scene, page):
        """What the seven column buttons mean, beyond being columns; "" for one that means nothing here."""
        if scene == "setup":
            return page_labels(page, self.app.settings)
        if scene == "puzzles" and page == PUZZLE_PAGE:
            return tuple(["grade %d" % grade for grade in range(1, 5)]) + ("",) * 3
        return PAUSE if scene == "pause" else LIGHTS if scene == "lights" else ("",) * FREE

    def read(self):
        """The position in words, for those who do not see it."""
        position = self.app.game.position
        if position is None:
            return "No game has begun."
        told = []
        variation = position.variation
        for i in range(variation.free):
            cells = [position.colour(6 * (FIRST + i) + row) for row in range(variation.rows)]
            names = [("stone" if c == 3 else SIDES[c]) for c in cells if c >= 0]
            told.append("%s: %s" % ("abcdefg"[i], ", ".join(names) if names else "empty"))
        return "From the bottom up. " + ". ".join(told) + ". " + self.title(self.app.scene, 0, False, False)


def by_page(texts, page):
    """The text for a page of the setup, of a dict by the pages' names."""
    for name in texts:
        if getattr(setup_pages, name, -1) == page:
            return texts[name]
    return "…"


def page_labels(page, chosen):
    """The labels of a page of the setup, by its row of data."""
    _, _, _, field, values, pictures = setup_pages.PAGES[page]
    labels = []
    for choice in range(FREE):
        if pictures[6 * choice : 6 * choice + 2] == b"..":
            labels.append("")
            continue
        value = values[choice]
        clock = choice - setup_pages.FIRST_CLOCK
        if value & setup_pages.TO_PAGE:
            labels.append(by_page(TO_PAGES, value & 15))
        elif field == setup_pages.GAME:
            pops = " + pop" if value & setup_pages.WITH_POPS else ""
            lot = " random" if value & setup_pages.WITH_LOT else ""
            labels.append(setup_pages.NAMES[value & 15] + lot + pops)
        elif field == setup_pages.OPPONENT:
            labels.append("level %d" % value if value else "two people")
        elif clock < 0:
            labels.append(("match", "single")[choice])
        elif clock < len(chosen.clock_presets):
            bank_ms, increment_ms = chosen.clock_presets[clock]
            labels.append("%d+%d" % (bank_ms // 60000, increment_ms // 1000))
        else:
            labels.append("")
    return labels


def spoken(line):
    """A console line as one says it: "7. ● d" is "7, Red d"; others as they are."""
    for sign, side in zip(SIGNS, SIDES):
        if sign in line:
            number, _, move = line.partition(". " + sign + " ")
            if move.endswith("-"):
                move = "pops " + move[:-1]
            return "%s, %s %s" % (number, side, move)
    return line


device = None


def begin(memory):
    """Power on. memory: hex of the non-volatile memory, or empty."""
    global device
    device = Device(binascii.unhexlify(memory) if memory else None)


def turn():
    return device.turn()


def press(button, down):
    device.press(button, down)


def serial(text):
    device.sim.serial_in(text + "\n")


def read():
    return device.read()
