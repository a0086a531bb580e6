# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""One run of `python3 -m tools flash`: the steps in their order, and what is said about them."""

import sys
from pathlib import Path

from tqdm import tqdm

from tools.flasher import board, drives, install, ports
from tools.flasher.errors import FlashError, LinkLost
from tools.flasher.link import Link
from tools.flasher.package import MANIFEST, SETTINGS, Package
from tools.flasher.target import BoardTarget, DriveTarget, digest


class Progress:
    """A bar with bytes, files and the time left; on something that is no terminal, nothing."""

    def __init__(self, total_bytes, files):
        self.files, self.done = files, 0
        self.bar = tqdm(
            total=total_bytes, unit="B", unit_scale=True, unit_divisor=1024, dynamic_ncols=True,
            disable=None if sys.stderr.isatty() else True,
            bar_format="{percentage:3.0f} %|{bar}| {n_fmt}/{total_fmt}B, {postfix} left {remaining}",
        )  # fmt: skip

    def file(self, name):
        """The next file begins."""
        self.done += 1
        self.bar.set_postfix_str("file %d/%d %s," % (min(self.done, self.files), self.files, name))

    def bytes(self, count):
        """So many bytes are written."""
        self.bar.update(count)

    def close(self):
        """Takes the bar away."""
        self.bar.close()


class Session:
    """args: as of tools/flash.py; root: the repository's folder."""

    def __init__(self, args, root, say=board.say):
        self.args = args
        self.root = root
        self.say = say
        self.link = None
        self.changing = False  # True from the first change on

    def run(self):
        """The exit status; raises FlashError."""
        if self.args.list:
            return self._list()
        pairs = None
        if self.args.board_settings:
            from tools.flasher.settings_file import parse_pairs

            pairs = parse_pairs(self.args.board_settings)
        Package(self.root)  # whatever is missing here is said before a board is touched
        if self.args.port and Path(self.args.port).is_dir():
            return self._on_drive(Path(self.args.port), pairs)
        port = ports.choose(self.args.port)
        self.link = Link(port.device, port.usb_serial)
        self.link.contact()
        facts = self.link.ask("facts()")[0]
        self.say("%s: %s." % (port.device, board.describe(facts)))
        board.check(facts, installed=self._ours(BoardTarget(self.link, facts)))
        self.link.run("quiet()")
        return self._on_board(facts, Package(self.root, pixelbuf=not facts["pixelbuf"]), pairs)

    def _list(self):
        found = ports.candidates()
        self.say(ports.listing(found) if found else ports.NONE_FOUND)
        for drive in drives.mounted():
            self.say("  %-16s drive of %s" % (drive.root, drive.name or "a CircuitPython board"))
        return 0 if found else 1

    # a board on its serial line

    def _on_board(self, facts, package, pairs):
        args = self.args
        target = BoardTarget(self.link, facts)
        if args.check or args.dry_run:
            made = install.plan(target, package, args.reset_settings)
            status = self._report(made, package)
            if args.dry_run:
                self._announce(made, package)
                self.say("Write access: %s." % board.likely_way(facts, self._ours(target), args.access))
                status = 0
            self.link.leave()
            return status
        made = None
        if not (args.uninstall or pairs):
            made = install.plan(target, package, args.reset_settings)
            self._notes(made)
            if not made.changes():
                self.say("Version %s is on the board already; all files are as they should be." % package.version)
                self.link.leave()
                return 0
            self._announce(made, package)
        ours = self._ours(target)
        target = board.write_access(self.link, facts, ours, args.access, self.say, args.wait)
        self.changing = True
        if made and isinstance(target, DriveTarget):
            made = install.plan(target, package, args.reset_settings)  # by the hash that this computer has
        self._change(target, package, made, pairs)
        self.changing = False
        self.link.restart_board()
        if args.uninstall:
            return 0
        self.say("Restarting the board ...")
        return 0 if board.first_line(self.link, self.say, args.wait) else 1

    def _ours(self, target):
        return install.OURS_MARK in (target.read("boot.py") or b"")

    # a mounted drive, without the board's line

    def _on_drive(self, root, pairs):
        drive = drives.Drive(root)
        if drive.version is None:
            raise FlashError("%s is not the drive of a CircuitPython board: it has no boot_out.txt." % root)
        board.check({"name": "circuitpython", "version": drive.version, "heap_bytes": board.MIN_HEAP_BYTES})
        self.say("%s: %s, CircuitPython %s." % (root, drive.name, ".".join(str(part) for part in drive.version)))
        package = Package(self.root)
        target = DriveTarget(drive.root)
        made = None
        if not (self.args.uninstall or pairs):
            made = install.plan(target, package, self.args.reset_settings)
            if self.args.check or self.args.dry_run:
                status = self._report(made, package)
                return 0 if self.args.dry_run else status
            self._notes(made)
            if not made.changes():
                self.say("Version %s is on the drive already." % package.version)
                return 0
            self._announce(made, package)
        self.changing = True
        self._change(target, package, made, pairs)
        self.changing = False
        self.say("Eject the drive, then press the board's reset button.")
        return 0

    # both

    def _change(self, target, package, made, pairs):
        if self.args.uninstall:
            for note in install.uninstall(target, package, self.args.reset_settings):
                self.say("Note: %s." % note)
            self.say("Removed. Saved games and the rating stay in the chip's memory.")
        elif pairs:
            self._edit_settings(target, package, pairs)
        else:
            progress = Progress(made.bytes_to_send(), len(made.write) - len(made.staged))
            try:
                install.Installer(target, package, made, progress).run()
            finally:
                progress.close()
            self.say(
                "Version %s is on the drive, every file checked by its hash (%s)." % (package.version, target.hash_name)
            )

    def _edit_settings(self, target, package, pairs):
        from tools.flasher.settings_file import edit

        data, said = edit(target.read(SETTINGS), pairs, package.files[SETTINGS])
        target.put(SETTINGS + install.NEW, data)
        right = (len(data), digest(data, target.hash_name))
        if target.hashes([SETTINGS + install.NEW])[SETTINGS + install.NEW] != right:
            target.remove(SETTINGS + install.NEW)
            raise FlashError("The new settings do not read back as they were written; the old ones stay.")
        target.barrier()
        target.rename(SETTINGS + install.NEW, SETTINGS)
        target.barrier()
        for line in said:
            self.say(line)

    def _notes(self, made):
        for note in made.notes:
            self.say("Note: %s." % note)
        for path, saved in made.aside:
            self.say("Note: your own %s will be kept as %s." % (path, saved))

    def _announce(self, made, package):
        self.say(
            "%s -> %s: %d of %d files to write (%d KB), %d to remove."
            % (
                made.version or "nothing installed",
                package.version,
                len(made.write),
                len(made.write) + len(made.same),
                -(-made.bytes_to_send() // 1024),
                len(made.stale),
            )
        )

    def _report(self, made, package):
        """Says what differs; 0 when nothing does."""
        self.say("On the board: %s. Here: %s." % (made.version or "no manifest", package.version))
        self.say("%d files are the same." % len(made.same))
        for path in made.write:
            state = "missing" if path in made.missing else "differs"
            self.say("  %-8s %s%s" % (state, path, " (its new version is staged)" if path in made.staged else ""))
        for path in made.stale:
            self.say("  %-8s %s" % ("stale", path))
        for path in made.junk:
            self.say("  %-8s %s" % ("left over", path))
        if made.manifest_differs:
            self.say("  %-8s %s" % ("differs", MANIFEST))
        if made.guard_up:
            self.say("An installation was broken off: the board says FILES INCOMPLETE until flash has been run again.")
        self._notes(made)
        return 1 if made.changes() else 0

    def give_up(self):
        """After a fault: lets the board's program start again, as far as the line still works."""
        if self.link and self.link.transport:
            self.link.leave()

    def close(self):
        """Closes the line."""
        if self.link:
            self.link.close()


def explain(error, changing):
    """The text of a fault, with what it means for a board whose files were being changed."""
    if changing and isinstance(error, LinkLost):
        return (
            "%s The board starts the old version, or says that its files are incomplete. Plug it in again and run the "
            "same command to finish." % error
        )
    return str(error)
