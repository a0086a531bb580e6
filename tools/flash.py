# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""`python3 -m tools flash`: installs or updates the firmware on a connected board and proves what is there."""

import sys
from pathlib import Path

from tools import options

HELP = "install or update the firmware on a connected board, check it, or change its settings"
EXTRAS = ()

ROOT = Path(__file__).resolve().parent.parent
INTERRUPTED = 130


def add_arguments(parser):
    parser.add_argument(
        "port",
        nargs="?",
        metavar="PORT",
        help="serial port, or the folder of a mounted CIRCUITPY drive (default: the one board that is connected)",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true", help="list the boards that are connected")
    what.add_argument(
        "--check", action="store_true", help="compare board and repository, change nothing; status 0 if equal"
    )
    what.add_argument("--dry-run", action="store_true", help="say what would be done, change nothing")
    what.add_argument(
        "--board-settings",
        nargs="+",
        metavar="KEY=VALUE",
        help="change settings on the board, nothing else; KEY= goes back to the default",
    )
    what.add_argument("--uninstall", action="store_true", help="remove the firmware from the board")
    parser.add_argument(
        "--reset-settings",
        action="store_true",
        help="replace settings.toml by the default one (the old one is kept as settings.toml.saved)",
    )
    parser.add_argument(
        "--access",
        choices=("auto", "board", "button", "drive"),
        default="auto",
        help="how to get write access to the board's drive (default: the first way that it offers)",
    )
    parser.add_argument(
        "--wait",
        type=options.whole(1, 3600),
        default=60,
        metavar="SECONDS",
        help="how long to wait for the person's hand and for the board's first line (default 60)",
    )


def run(args):
    from tools.flasher.errors import FlashError
    from tools.flasher.session import Session, explain

    session = Session(args, ROOT)
    try:
        return session.run()
    except FlashError as error:
        print("flash: %s" % explain(error, session.changing), file=sys.stderr)
        session.give_up()
        return error.status
    except KeyboardInterrupt:
        print(
            "\nflash: stopped. The board keeps the old version, or says that its files are incomplete; "
            "the same command finishes the job.",
            file=sys.stderr,
        )
        session.give_up()
        return INTERRUPTED
    finally:
        session.close()
