# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What a board must be, how write access to its drive is got, and its first line after a restart."""

import os
import sys
import time

from tools.flasher import drives, ports
from tools.flasher.errors import FlashError, LinkLost
from tools.flasher.link import is_banner
from tools.flasher.target import BoardTarget, DriveTarget

OLDEST = (9, 2)
# The game needs 160 KB where its program begins. At the REPL, where this is asked, the same chip shows up to 35 KB less
# once another program has run: what is left of it cuts the heap in pieces. So only what is far below is refused.
NEEDED_HEAP_KB = 160
MIN_HEAP_BYTES = 120_000
NUDGE_AFTER_S = 6  # USB is there 1.2 to 2.5 s after power-on, the imports take as long again
GUARD_WORDS = "FILES INCOMPLETE"
WAYS = ("auto", "board", "button", "drive")


def check(facts, installed=False):
    """Raises FlashError when this board cannot run the firmware; the text has the one thing to do about it.

    installed: True when the firmware is there already: then its heap is not questioned, it runs in it.
    """
    version = ".".join(str(part) for part in facts["version"])
    if facts["name"] != "circuitpython":
        raise FlashError(
            "The board runs %s %s, not CircuitPython: hold BOOTSEL while plugging it in and copy the CircuitPython "
            ".uf2 file for your board (circuitpython.org/downloads) onto the drive that appears."
            % ({"micropython": "MicroPython"}.get(facts["name"], facts["name"]), version)
        )
    if tuple(facts["version"]) < OLDEST:
        raise FlashError(
            "CircuitPython %s on the board is too old, %s or newer is needed: copy a newer .uf2 file "
            "(circuitpython.org/downloads) onto its bootloader drive."
            % (version, ".".join(str(part) for part in OLDEST))
        )
    if facts["heap_bytes"] < MIN_HEAP_BYTES and not installed:
        raise FlashError(
            "The board has %d KB of heap, the game needs %d KB: use one with more memory, such as a Raspberry Pi Pico."
            % (facts["heap_bytes"] // 1000, NEEDED_HEAP_KB)
        )


def describe(facts):
    """One line about the board."""
    return "%s; CircuitPython %s; heap %d KB; drive %d KB free, %s for the board" % (
        facts["machine"],
        ".".join(str(part) for part in facts["version"]),
        facts["heap_bytes"] // 1000,
        facts["free_bytes"] // 1024,
        "writable" if facts["writable"] else "read-only",
    )


def likely_way(facts, ours, way="auto"):
    """What `write_access` would try first, as a text for --dry-run; nothing is changed."""
    if facts["writable"] and way in ("auto", "board"):
        return "the board can write to its drive already"
    if facts["unsafe"] and way in ("auto", "board"):
        return "the drive would be taken from the computer for the time of the installation"
    drive = drives.of_board(facts["uid"]) if way in ("auto", "drive") else None
    if way == "button" or (way == "auto" and ours):
        return "holding button a while plugging the board in, or ejecting the drive" + (
            ", else the mounted drive %s" % drive.root if drive else ""
        )
    return "copying to the mounted drive %s" % drive.root if drive else "none: mount the CIRCUITPY drive first"


def write_access(link, facts, ours, way, say, wait_s):
    """The target that can be written, by the first way that the board offers; raises FlashError.

    ours: True when this project's boot.py is on the board (then a button at power-on gives access).
    way: one of WAYS; say(text): a line for the person; wait_s: how long to wait for the person's hand.
    """
    if way in ("auto", "board"):
        if facts["writable"]:
            say("Write access: the board can write to its drive already.")
            return BoardTarget(link, facts)
        # a drive that the computer has ejected can be had without force
        if link.ask("take('remount')")[0]:
            say("Write access: the computer had let go of the drive; the board has it now.")
            return BoardTarget(link, facts)
        if facts["unsafe"]:
            if hasattr(os, "sync"):
                os.sync()  # nothing of the computer's own may still be on its way to the drive
            if link.ask("take('unsafe')")[0]:
                say("Write access: the drive was taken from the computer; it is back after the restart.")
                return BoardTarget(link, facts)
        if way == "board":
            raise FlashError("The board cannot take write access by itself (CircuitPython 10.3 or newer can).")
    if way == "button" or (way == "auto" and ours):
        found = _by_button(link, facts, say, wait_s)
        if found:
            return found
        if way == "button":
            raise FlashError(
                "The board did not come back with write access within %d s. Button a is wired to the first of "
                "FIVE_BUTTON_PINS; it must be held while the board is plugged in." % wait_s
            )
    drive = drives.of_board(facts["uid"])
    if drive is None:
        raise FlashError(
            "The computer holds the board's drive, but no CIRCUITPY drive is mounted here that could be written: "
            "mount it, or eject it, in the file manager and run this again; or name its folder: "
            "python3 -m tools flash /path/to/CIRCUITPY"
        )
    if not drives.writable(drive):
        raise FlashError(
            "The drive %s is mounted read-only: mount it again for writing, then run this again." % drive.root
        )
    say("Write access: copying to the mounted drive %s." % drive.root)
    return DriveTarget(drive.root)


def _by_button(link, facts, say, wait_s):
    """Waits for the person to plug the board in with button a held, or to eject the drive.

    Returns a BoardTarget, or None when time is up.
    """
    say(
        "The computer holds the board's drive. Unplug the board, hold button a (the leftmost column), plug it in, and "
        "let go after two seconds; or eject the drive CIRCUITPY in the file manager. Waiting %d s (Ctrl-C stops, "
        "nothing has been changed)." % wait_s
    )
    deadline = time.monotonic() + wait_s
    here = True
    while time.monotonic() < deadline:
        if here:
            time.sleep(0.5)
            try:
                if link.ask("take('remount')")[0]:
                    say("Write access: the computer let go of the drive; the board has it now.")
                    return BoardTarget(link, facts)
            except FlashError:
                here = False  # unplugged, or restarted
            continue
        try:
            link.reopen(deadline, ports.find_again)
            link.contact()
            facts = link.ask("facts()")[0]
            here = True
        except LinkLost:
            continue
        except FlashError as error:
            if time.monotonic() >= deadline:
                break
            say("(%s)" % error)
            continue
        if facts["writable"]:
            link.run("quiet()")
            say("Write access: given by the button at power-on.")
            return BoardTarget(link, facts)
        say("The board is back, but the computer still holds the drive: hold button a before plugging in.")
    # the mounted drive may be the next way, and it needs the board to be quiet
    if not here:
        link.reopen(time.monotonic() + 5, ports.find_again)
        link.contact()
    return None


def first_line(link, say, wait_s):
    """Waits for the restarted board's first own line and shows it; True when the program runs.

    A traceback is shown whole and is no life; neither is the notice of incomplete files.
    """
    deadline = time.monotonic() + wait_s
    trace = []
    # the port is the old one for an instant yet: what is opened too early is lost again and reopened
    time.sleep(0.5)
    for line in link.lines(deadline, ports.find_again, nudge_after_s=NUDGE_AFTER_S):
        if line.startswith("Traceback") or trace:
            trace.append(line)
            if len(trace) > 1 and not line.startswith(("File", "Traceback")) and line:
                say("The board restarted, but its program stopped:\n  " + "\n  ".join(trace))
                return False
            continue
        if "safe mode" in line:
            say("The board started in safe mode and runs no program: press its reset button.")
            return False
        if is_banner(line):
            continue
        say("The board says: %s" % line)
        return GUARD_WORDS not in line
    say(
        "The board said nothing within %d s after its restart: look at its pixels, or open its line with "
        "`python3 -m tools console`." % wait_s
    )
    return False


def say(text):
    """One line for the person, at once."""
    print(text, file=sys.stdout, flush=True)
