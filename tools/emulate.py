# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``emulate``: the real CircuitPython firmware in an emulated Pico, with this repository's files on its drive."""

import sys
from pathlib import Path

from tools import serialport
from tools.emulator import script
from tools.emulator.board import EmulatedBoard, product_files
from tools.emulator.errors import EmulatorError
from tools.flasher.errors import FlashError
from tools.flasher.settings_file import parse_pairs
from tools.play import PlayError, read_state, write_state

HELP = "boot a CircuitPython UF2 with this repository's files in an emulated Pico: terminal, script or serial port"
EXTRAS = ()

BOUNCES_MS = 20  # a contact that bounces for longer is broken
HELD_MS = 3000  # how long a button of --hold stays down after power-on


def add_arguments(parser):
    parser.add_argument("--uf2", metavar="FILE", help="CircuitPython for the Raspberry Pi Pico (or FIVE_UF2)")
    parser.add_argument("--bootrom", metavar="FILE", help="the RP2040's boot ROM, 16 KB raw (or FIVE_BOOTROM)")
    parser.add_argument("--script", metavar="FILE", help="drive it from a script and write what was lit and printed")
    parser.add_argument("--json", action="store_true", help="with --script: JSON lines, every frame with its bytes")
    parser.add_argument(
        "--serial",
        "--port",
        type=serialport.checked,
        metavar="pty|N",
        help="its serial line on a pseudo-terminal or TCP port N of this computer (0: a free one)",
    )
    parser.add_argument("--no-view", action="store_true", help="with --serial: no terminal view, until Ctrl-C")
    parser.add_argument("--hold", choices=tuple(script.BUTTONS), help="this button is held for 3 s from power-on")
    parser.add_argument("--settings", metavar="KEY=VALUE", action="append", default=[], help="change settings.toml")
    parser.add_argument("--state", metavar="FILE", help="the board's memory (as of play) is kept in this file")
    parser.add_argument("--bounce", type=float, default=2, metavar="MS", help="the contacts bounce so long (default 2)")
    parser.add_argument("--mounted", action="store_true", help="this computer has the drive mounted")
    parser.add_argument("--new", action="store_true", help="the first power-on with this firmware, which takes longer")
    parser.epilog = "Scripts: see tools/emulator/script.py. Keys of the terminal view: as of play."


def run(args):
    try:
        return emulate(args)
    except (EmulatorError, FlashError) as error:
        print(error, file=sys.stderr)
        return error.status
    except PlayError as error:
        print(error, file=sys.stderr)
        return 2


def check(args):
    """Raise EmulatorError for options that do not go together."""
    if args.no_view and args.serial is None:
        raise EmulatorError("--no-view is for --serial", 2)
    if args.script and args.serial is not None:
        raise EmulatorError("--script drives the board alone: leave out --serial", 2)
    if args.json and not args.script:
        raise EmulatorError("--json is for --script", 2)
    if not 0 <= args.bounce <= BOUNCES_MS:
        raise EmulatorError("--bounce %g: 0 to %d ms" % (args.bounce, BOUNCES_MS), 2)


def emulate(args):
    """Run the command; the exit status."""
    check(args)
    steps = None
    if args.script:
        try:
            steps = script.parse(Path(args.script).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is no UTF-8 text"
            raise EmulatorError("%s cannot be read: %s" % (args.script, reason), 2) from None
    files = product_files(parse_pairs(args.settings))
    state = Path(args.state) if args.state else None
    hold = [script.BUTTONS.index(args.hold)] if args.hold else []
    with EmulatedBoard(
        args.uf2,
        args.bootrom,
        files=files,
        nvm=read_state(state) if state else None,
        hold=hold,
        bounce_ms=args.bounce,
        mass_storage=args.mounted,
        ran_before=not args.new,
    ) as board:
        for button in hold:
            board.contact(button, False, HELD_MS, bounce_ms=0)
        try:
            if steps is not None:
                script.play(board, steps, script.Log(board, sys.stdout, args.json))
                return 0
            return serve(board, args)
        finally:
            if state:
                write_state(state, board.nvm())


def serve(board, args):
    """The terminal view or the serial port, or both, in real time; the exit status."""
    from hal import terminal
    from tools.emulator import port as ports

    port = None
    try:
        if args.serial is not None:
            port = ports.PseudoTerminal(board) if args.serial == "pty" else ports.TcpPort(board, args.serial)
    except OSError as error:
        raise EmulatorError("serial port %s cannot be had: %s" % (args.serial, error.strerror or error)) from None

    def step():
        board.advance()
        if port:
            port.pump()

    try:
        if port:
            print("serial line: %s" % port.name, flush=True)
            board.serial_out.append("serial line: %s" % port.name)
        if args.no_view:
            while True:
                step()
        return terminal.run(board, step)
    except terminal.TerminalError as error:
        raise EmulatorError(str(error).replace("--headless", "--script, or --serial with --no-view")) from None
    except KeyboardInterrupt:
        return 130
    finally:
        if port:
            port.close()
