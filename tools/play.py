# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``play``: the whole firmware on this computer, over a simulated board; in the terminal, or headless from a script."""

import argparse
import os
import re
import runpy
import secrets
import sys
from pathlib import Path

from engine.match import Setup
from engine.notation import record
from engine.variation import make
from firmware.settings import parse_clock
from tools import exact, options, serialport
from tools.environment import ROOT

HELP = "the whole firmware on a simulated board, in the terminal (keys: 1-7, p, arrows and Enter, q)"
EXTRAS = ()

DEFAULT_LEVEL = 3  # of an engine that is named without one
ENGINE_SIDES = ("red", "yellow", "green")
HELD_MS = 3000  # how long a button of --hold stays down after power-on
NVM_BYTES = 4096
OFF_MS = 60  # virtual time before the first key of a script: the board has drawn its first frame
STATE = ROOT / ".board.nvm"
# Lines of the console that tell of a fault; a memory that is new is none.
PROMPT = ">>> "  # Python's, at which Ctrl-C leaves a board
PROMPT_REST_S = 0.01
FAULT = re.compile(r"fault: |memory: (?!it is empty)|.*; playing without it$")


class PlayError(Exception):
    """Something the person gave cannot be used; the text is one line."""


def clock(text):
    """An argparse type: (bank_ms, increment_ms) of a clock such as ``5+3``."""
    try:
        return parse_clock(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_arguments(parser):
    options.add_variation(parser)
    parser.add_argument(
        "--level",
        type=options.whole(1, options.LEVEL_MAX),
        metavar="N",
        help="play the engine at level 1 to %d (default %d)" % (options.LEVEL_MAX, DEFAULT_LEVEL),
    )
    parser.add_argument("--two", action="store_true", help="two people")
    parser.add_argument("--engine", choices=ENGINE_SIDES, help="the engine's side in the first game (default yellow)")
    parser.add_argument(
        "--match", action="store_true", help="a match, in which everybody begins once, instead of a single game"
    )
    parser.add_argument(
        "--clock", type=clock, metavar="5+3", help="by the clock: minutes for all games + seconds after every move"
    )
    parser.add_argument("--hold", choices=("a", "g"), help="this button is held at power-on (g: diagnostics)")
    parser.add_argument("--state", metavar="FILE", help="the board's memory (default .board.nvm; headless: none)")
    parser.add_argument("--settings", metavar="FILE", help="the board's settings (default firmware/settings.toml)")
    parser.add_argument(
        "--headless", action="store_true", help="no terminal, virtual time: play --keys, print the record"
    )
    parser.add_argument("--keys", metavar="KEYS", help="with --headless: '4 4 3 p P q'; each waits until it is taken")
    parser.add_argument(
        "--serial",
        type=serialport.checked,
        metavar="pty|PORT",
        help="the board's serial line as a pseudo-terminal or TCP port (0: a free one); headless: in real time",
    )
    parser.add_argument("--png", metavar="FILE", help="write the last frame as a picture of the board")
    parser.add_argument(
        "--show-values",
        action="store_true",
        help="above each column what a move there is worth to the side to move: + = - (five, classic, small, teams)",
    )
    parser.epilog = "Any option of the game skips the setup pages."


def chosen_setup(args):
    """The Setup that the options name, or None where the board's own setup pages are to ask. Raises PlayError."""
    if args.two and (args.level or args.engine):
        raise PlayError("--two is two people: leave out --level and --engine, or --two")
    if not (options.names_variation(args) or args.two or args.level or args.engine or args.match or args.clock):
        return None
    if args.seed is None and not args.headless:
        named = options.variation(args)
        if named.draws_lots:
            args.seed = secrets.randbelow(options.MAX_NODES)
    variation = options.variation(args)
    engine = -1 if args.two else ENGINE_SIDES.index(args.engine or "yellow")
    if engine >= variation.colours:
        sides = " or ".join(ENGINE_SIDES[: variation.colours])
        raise PlayError("%s has no %s side for the engine: choose %s" % (variation.name, args.engine, sides))
    try:
        level = 0 if args.two else args.level or DEFAULT_LEVEL
        return Setup(variation, level, engine, args.match, *(args.clock or (0, 0)))
    except ValueError as error:
        raise PlayError(str(error)) from None


def read_state(path):
    """The bytes of a saved board's memory, None if there is no such file yet. Raises PlayError for any other file, and
    where none can be written: now, and not when the game is over.
    """
    try:
        if path.exists() and not path.is_file():  # a device or a pipe may have no end
            raise PlayError("%s is no file: name one for the board's memory with --state" % path)
        if not os.access(path.resolve().parent, os.W_OK):
            raise PlayError("%s cannot be written: name another file with --state" % path)
        size = path.stat().st_size
        content = path.read_bytes() if size == NVM_BYTES else b""
    except FileNotFoundError:
        return None
    except OSError as error:
        raise PlayError("%s cannot be read: %s" % (path, error.strerror)) from None
    if size != NVM_BYTES:
        raise PlayError("%s is no board's memory (%d bytes, not %d); it is left as it is" % (path, size, NVM_BYTES))
    return content


def write_state(path, content):
    """Replace a saved board's memory in one step."""
    path = path.resolve()  # a link stays one
    draft = path.with_name(path.name + ".new")
    try:
        draft.write_bytes(content)
        os.replace(draft, path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise PlayError("%s cannot be written: %s" % (path, error.strerror)) from None


def read_settings(path):
    """{key: value} of a settings.toml, as the board would read it. Raises PlayError if there is none."""
    from tools.flasher.settings_file import values

    try:
        return values(path.read_bytes().decode("utf-8", "replace"))
    except OSError as error:
        raise PlayError("%s cannot be read: %s" % (path, error.strerror)) from None


class Device:
    """The firmware over a simulated board, from power-on on; what code.py wires on the chip."""

    def __init__(self, args, setup):
        from hal.simulated import Simulation

        self.state = Path(args.state) if args.state is not None else None if args.headless else STATE
        nvm = read_state(self.state) if self.state else None
        toml = Path(args.settings) if args.settings is not None else ROOT / "firmware" / "settings.toml"
        env = read_settings(toml)
        realtime = not args.headless or args.serial is not None
        self.sim = Simulation(realtime=realtime, nvm=nvm, env=env, record=False)
        if args.hold:
            button = "abcdefg".index(args.hold)
            self.sim.hold_at_start(button)
            self.sim.contact(button, False, HELD_MS)
        self.sim.activate()
        # boot.py is a script, as on the board; what it prints goes to the board's console.
        runpy.run_path(str(ROOT / "firmware" / "boot.py"), {"print": self.sim.print})
        self.toml = toml
        self.finished = []  # records
        self.stopped = False  # by Ctrl-C at the serial line: the board is at Python's prompt
        self.start_program()
        if setup:
            self.app.begin(setup, self.app.board.ticks_ms(), setup.variation.seed or 0)
        self.step = self.app.step
        self.port = None
        if args.serial is not None:
            self.port = serialport.opened(self.sim, args.serial)
            self.step = self._round_and_pump
            print("serial line: %s" % self.port.name, flush=True)

    def start_program(self):
        """What code.py does before its loop."""
        from firmware import settings
        from firmware.app import App

        chosen = settings.load(self.sim.getenv, self.toml)
        self.app = App(self.sim.open_board(chosen), chosen)
        self._ended, self.app.game.ended = self.app.game.ended, self._game_ended

    def round(self):
        """One round of the program's loop. Ctrl-C at the serial line ends the program, and Ctrl-D at the prompt that
        follows starts it again, as on the board; but there is no Python behind the prompt."""
        from hal.simulated import ConsoleInterrupt

        sim = self.sim
        try:
            if not self.stopped:
                self.app.step()
                return
            sim.sleep(PROMPT_REST_S)
            typed = bytes(sim.serial_pending)
            sim.serial_pending = bytearray()
            if b"\x04" in typed:
                self.stopped = False
                sim.print("soft reboot")
                self.start_program()
            elif typed.strip():
                sim.print("no Python here: Ctrl-D starts the program\n" + PROMPT, end="")
            elif typed:
                sim.print("\n" + PROMPT, end="")
        except ConsoleInterrupt:
            if not self.stopped:
                self.stopped = True
                sim.end_program()
            sim.print("KeyboardInterrupt\n" + PROMPT, end="")

    def _round_and_pump(self):
        self.round()
        self.port.pump()

    def ready(self):
        """A press now would be taken as a move or a choice."""
        return self.app.ready_for_input

    def save(self):
        """Write the board's memory to its file, if it has one."""
        if self.state:
            write_state(self.state, bytes(self.sim.nvm.data))

    def _game_ended(self, result):
        if not self.app.game.demo:
            self.finished.append(record(self.app.game.position))
        self._ended(result)

    def records(self):
        """The games that were finished and the one on the board as records, a line each; an empty one if there is none.

        After a finished game the next one counts from its first move on.
        """
        game, lines = self.app.game, list(self.finished)
        if game.position and not game.demo:
            begun = game.is_open() and game.position.ply > game.first_ply
            if begun or not lines:
                lines.append(record(game.position))
        return "\n".join(lines)

    def faults(self):
        """What is wrong with the settings, and what the console has told of faults: lines."""
        told = [line.rstrip("\n") for line in self.sim.serial_out]
        return self.app.complaints + [line for line in told if FAULT.match(line)]

    def signs(self, watcher):
        """What is to stand above the columns: the values of the game on show, nothing for any other scene."""
        game = self.app.game
        if self.app.scene != "play" or game.demo or not game.is_open():
            return ""
        position = game.position
        return watcher.signs(position.variation, bytes(position.moves[: position.ply]))


def write_picture(path, frame):
    """The last frame as a PNG. Raises PlayError."""
    from tools import picture

    try:
        picture.draw(frame).save(path, format="PNG")
    except OSError as error:
        raise PlayError("%s cannot be written: %s" % (path, error.strerror or error)) from None


def run_headless(device, args):
    """Play the keys on the virtual clock; the exit status."""
    status = 0
    try:
        device.sim.run(device.step, until_ms=OFF_MS)
        device.sim.play_keys(device.step, args.keys or "", device.ready)
    except ValueError as error:
        raise PlayError(str(error)) from None
    except RuntimeError as error:
        print(error, file=sys.stderr)
        status = 1
    print(device.records())
    return status


def run(args):
    try:
        if args.keys is not None and not args.headless:
            raise PlayError("--keys is for --headless: add it, or press the keys")
        if args.keys is not None and args.serial is not None:
            raise PlayError("--keys and --serial do not go together: leave one out")
        if args.show_values and args.headless:
            raise PlayError("--show-values is for the terminal: leave out --headless, or ask `analyse --exact`")
        setup = chosen_setup(args)
        solver = chosen_solver(setup) if args.show_values else None
        device = Device(args, setup)
    except (PlayError, options.OptionError, exact.ExactError, serialport.PortError) as error:
        print(error, file=sys.stderr)
        return 2
    watcher = exact.Watcher(solver) if solver else None
    try:
        status = play(device, args, watcher)
    finally:
        if watcher:
            watcher.close()
        if device.port:
            device.port.close()
        try:
            device.save()
            lost = 0
        except PlayError as error:
            print(error, file=sys.stderr)
            lost = 1
    return status or lost


def chosen_solver(setup):
    """The Exact for --show-values. Raises PlayError where the game that is asked for has no exact values, ExactError
    where the solver cannot be had."""
    why = exact.refusal(setup.variation) if setup else ""
    if why:
        raise PlayError(why)
    exact.install()
    solver = exact.Exact(node_limit=exact.SLICE_NODES)
    solver.solver(make("five"))  # compiled and its memory had before the terminal is taken
    return solver


def play(device, args, watcher=None):
    """Play as the options say; the exit status."""
    try:
        if args.headless and device.port:
            serialport.serve(device.round, device.port)
            print(device.records())
            status = 0
        elif args.headless:
            status = run_headless(device, args)
        else:
            from hal import terminal

            try:
                signs = (lambda: device.signs(watcher)) if watcher else None
                status = terminal.run(device.sim, device.step, signs=signs)
            except terminal.TerminalError as error:
                print(error, file=sys.stderr)
                return 1
        for line in device.faults() if args.headless else ():
            print(line, file=sys.stderr)
        if args.png is not None:
            write_picture(args.png, device.sim.frame)
        return status
    except PlayError as error:
        print(error, file=sys.stderr)
        return 2
