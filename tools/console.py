# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""`python3 -m tools console`: the board's serial line. Type a move or `help`; Ctrl-] leaves, Ctrl-C stops the game."""

import codecs
import sys
import time

HELP = "open the board's serial line: the game's notation, results and faults, and lines typed to it"
EXTRAS = ()

LEAVE = (b"\x1d", b"\x18")  # Ctrl-] and Ctrl-X, as in mpremote
FIRST_S = 10.0  # of a piped console: so long an answer may take (the engine's thought: five seconds) ...
QUIET_S = 1.0  # ... and so long without another byte is its end
POLL_S = 0.02
PROMPT, GREETING = b">>>", b"type help"
PROMPT_S, START_S = 0.3, 40.0


def add_arguments(parser):
    parser.add_argument(
        "port", nargs="?", metavar="PORT", help="serial port (default: the one board that is connected)"
    )


def run(args):
    from tools.flasher import ports
    from tools.flasher.errors import FlashError
    from tools.flasher.link import Link

    link = None
    try:
        port = ports.choose(args.port)
        link = Link(port.device, port.usb_serial)
        if sys.stdin.isatty():
            return _interactive(link)
        return _piped(link, sys.stdin)
    except FlashError as error:
        print("console: %s" % error, file=sys.stderr)
        return error.status
    finally:
        if link:
            link.close()


def _interactive(link):
    """Carries keys and bytes both ways until Ctrl-]; a board that is unplugged is waited for."""
    from mpremote.console import Console

    from tools.flasher import ports

    print("Connected to %s. Ctrl-] leaves, Ctrl-C stops the program, `help` lists what it takes." % link.port)
    console = Console()
    console.enter()
    try:
        while True:
            try:
                key = console.readchar()
                if key in LEAVE:
                    return 0
                if key:
                    link.transport.serial.write(key)
                data = _received(link)
                if data:
                    console.write(data)
                elif not key:
                    time.sleep(POLL_S)
            except (OSError, AttributeError, TypeError):
                console.write(b"\r\n(the board is gone; waiting for it, Ctrl-C stops)\r\n")
                console.exit()  # so that Ctrl-C works while waiting
                link.reopen(time.monotonic() + 3600, ports.find_again)
                console.enter()
                console.write(b"(it is back)\r\n")
    except KeyboardInterrupt:
        return 130
    finally:
        console.exit()


def _piped(link, lines):
    """Sends each line of a pipe and prints the answers; for scripts: `echo show | python3 -m tools console`."""
    from tools.flasher.errors import LinkLost

    try:
        _leave_prompt(link)
        for line in lines:
            link.transport.serial.write(line.rstrip("\r\n").encode() + b"\r\n")
            _until_quiet(link)
    except (OSError, AttributeError, TypeError) as error:
        raise LinkLost("The connection to the board on %s was lost (%s)." % (link.port, error)) from None
    except KeyboardInterrupt:
        return 130
    return 0


def _leave_prompt(link):
    """Start the program if the board is at Python's prompt, where a tool such as mpremote leaves it."""
    link.transport.serial.write(b"\r\n")
    told = _told(link, PROMPT_S)
    if not told.rstrip().endswith(PROMPT):
        sys.stdout.write(told.decode("utf-8", "replace").replace("\r", ""))
        return
    print("console: the board was at Python's prompt; its program starts", file=sys.stderr)
    link.transport.serial.write(b"\x04")
    told = _told(link, START_S, GREETING)
    if GREETING not in told:
        print("console: the program does not answer: press the board's reset button", file=sys.stderr)


def _told(link, seconds, until=PROMPT):
    """What the board prints within so many seconds, or up to ``until``."""
    deadline = time.monotonic() + seconds
    told = b""
    while time.monotonic() < deadline and until not in told:
        data = _received(link)
        told += data
        if not data:
            time.sleep(POLL_S)
    return told


def _until_quiet(link):
    decoder = codecs.getincrementaldecoder("utf-8")("replace")  # a disc's sign is three bytes, which may come apart
    deadline = time.monotonic() + FIRST_S
    while time.monotonic() < deadline:
        data = _received(link)
        if data:
            deadline = time.monotonic() + QUIET_S
            sys.stdout.write(decoder.decode(data).replace("\r", ""))
            sys.stdout.flush()
        else:
            time.sleep(POLL_S)


def _received(link):
    count = link.transport.serial.inWaiting()
    return link.transport.serial.read(count) if count else b""
