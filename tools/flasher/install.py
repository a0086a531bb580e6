# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Brings a board's drive to a Package so that it can be broken off at any moment.

Two phases. **Staging** (minutes at worst): every changed file is written beside the old one as `NAME.new` and checked
by its hash; the old version still starts. **Swapping** (seconds): a copy of firmware/incomplete.py becomes main.py and
code.py goes away (CircuitPython then runs main.py, which says on pixels and console that files are incomplete), the
files are renamed into place, everything is checked, code.py comes back last and main.py goes. What an installation that
was broken off has staged is used by the next one.
"""

import errno
import re

from tools.flasher.errors import BoardFault, FlashError
from tools.flasher.package import MANIFEST, SETTINGS, read_manifest
from tools.flasher.target import digest

NEW, SAVED = ".new", ".saved"
GUARD = "main.py"
GUARD_MARK = b"FILES INCOMPLETE"
OURS_MARK = b"Five-in-a-row Board authors"
TABLES = (".bin",)  # play does without them
WORTHLESS = (b"", b'print("Hello World!")')  # what CircuitPython puts on a new drive
RESERVE_BYTES = 8192  # the manifest, main.py, and folders that grow
ROOMS = ("lib", "engine", "hal", "firmware")


class Plan:
    """What is to be done to a drive, and what was found there. Made by `plan`; changes nothing."""

    def __init__(self):
        self.version = None  # installed, by the manifest
        self.write = {}  # path -> bytes, in the order of their renaming
        self.staged = set()  # of these, already on the drive as NAME.new
        self.same = []  # paths that are right
        self.missing = []  # of `write`, not there at all
        self.stale = []  # files of an earlier version
        self.junk = []  # left-over NAME.new
        self.aside = []  # (path, new name): somebody's own files that ours take the place of
        self.notes = []  # lines for the person
        self.guard_up = False  # an installation was broken off: main.py is ours
        self.recover = False  # settings.toml was being replaced: its new version takes its place
        self.manifest_differs = True
        self.sizes = {}  # present sizes in bytes of what is replaced or removed

    def changes(self):
        """True when the drive is not as the package is."""
        return bool(
            self.write
            or self.stale
            or self.junk
            or self.aside
            or self.guard_up
            or self.recover
            or self.manifest_differs
        )

    def bytes_to_send(self):
        """Bytes that have yet to be written."""
        return sum(len(data) for path, data in self.write.items() if path not in self.staged)


def plan(target, package, reset_settings=False):
    """Compares a drive with a package by hashes and returns the Plan; nothing is changed."""
    made = Plan()
    made.version, listed = read_manifest(target.read(MANIFEST))
    wanted = dict(package.files)
    stale = [path for path in listed if path not in wanted and path != MANIFEST]
    others = [GUARD, GUARD + NEW, "code.txt", MANIFEST, MANIFEST + NEW]
    mpy = [path[:-3] + ".mpy" for path in wanted if path.startswith("lib/")]
    found = target.hashes(list(wanted) + [path + NEW for path in wanted] + stale + others + mpy)

    _plan_settings(target, made, wanted, found, reset_settings)
    for path in _order(wanted):
        data = wanted[path]
        right = (len(data), digest(data, target.hash_name))
        if found[path] == right:
            made.same.append(path)
            continue
        if path.startswith("lib/") and _library_stays(target, made, path, data, found):
            continue
        made.write[path] = data
        if found[path + NEW] == right:
            made.staged.add(path)
        if found[path] is None:
            made.missing.append(path)
        else:
            made.sizes[path] = found[path][0]

    manifest = package.manifest()
    made.manifest_differs = found[MANIFEST] != (len(manifest), digest(manifest, target.hash_name))
    made.stale = [path for path in stale if found[path] is not None]
    for path in made.stale:
        made.sizes[path] = found[path][0]
    _plan_junk(target, made, found, wanted)
    _plan_asides(target, made, found)
    return made


def _plan_settings(target, made, wanted, found, reset):
    """Settings are each board's own: written only where there are none, or on demand."""
    if found[SETTINGS] is None and found[SETTINGS + NEW] is not None and found[SETTINGS + NEW][0]:
        made.recover = True  # broken off between removing the old and renaming the new, which was checked before
    if reset:
        made.recover = False
        if found[SETTINGS] and found[SETTINGS] != (
            len(wanted[SETTINGS]),
            digest(wanted[SETTINGS], target.hash_name),
        ):
            made.aside.append((SETTINGS, _free_name(target, SETTINGS)))
        return
    present = target.read(SETTINGS + NEW if made.recover else SETTINGS)
    if present is not None and present.strip():
        template = wanted.pop(SETTINGS)
        new = [key for key in keys(template) if key not in keys(present)]
        if new:
            made.notes.append(
                "settings.toml stays as it is; new settings, at their defaults: %s "
                "(set one with --board-settings KEY=VALUE)" % ", ".join(new)
            )


def keys(data):
    """The keys that a settings.toml (bytes) names, set or in a comment."""
    return re.findall(r"(?m)^\s*#?\s*([A-Z][A-Z0-9_]*)\s*=", data.decode("utf-8", "replace"))


def _library_stays(target, made, path, data, found):
    mpy = path[:-3] + ".mpy"
    if found[path] is None:
        if found[mpy] is not None:
            made.notes.append("%s stays: it is there compiled, as circup installs it" % mpy)
            return True
        return False
    here, there = library_version(data), library_version(target.read(path) or b"")
    if here and there and there > here:
        made.notes.append("%s stays: version %s there is newer" % (path, ".".join(str(part) for part in there)))
        return True
    return False


def library_version(data):
    """The `__version__` of a library's source as a tuple of ints; () where it names none."""
    found = re.search(rb'(?m)^__version__\s*=\s*"(\d+(?:\.\d+)*)', data)
    return tuple(int(part) for part in found.group(1).split(b".")) if found else ()


def _order(paths):
    """Libraries first, then the rooms, then the root's; code.py is last of all."""
    return sorted(paths, key=lambda path: (path == "code.py", "/" not in path, not path.startswith("lib/"), path))


def _plan_junk(target, made, found, wanted):
    useful = {path + NEW for path in made.staged} | {GUARD + NEW, MANIFEST + NEW}
    if made.recover:
        useful.add(SETTINGS + NEW)
    folders = {path.rsplit("/", 1)[0] for path in list(wanted) + made.stale if "/" in path}
    for folder in sorted(folders | {""}):
        for name in target.names(folder):
            path = "%s/%s" % (folder, name) if folder else name
            if name.endswith(NEW) and path not in useful:
                made.junk.append(path)


def _plan_asides(target, made, found):
    main = target.read(GUARD) if found[GUARD] is not None else None
    if main is not None and GUARD_MARK in main:
        made.guard_up = True
    elif main is not None and main.strip():
        made.aside.append((GUARD, _free_name(target, GUARD)))
    if found["code.txt"] is not None:
        made.aside.append(("code.txt", _free_name(target, "code.txt")))
    for path in ("boot.py", "code.py"):
        if path in made.write and found[path] is not None:
            data = target.read(path)
            if OURS_MARK not in data and data.strip() not in WORTHLESS:
                made.aside.append((path, _free_name(target, path)))


def _free_name(target, path):
    names, number = target.names(""), 1
    while path + SAVED + ("" if number == 1 else str(number)) in names:
        number += 1
    return path + SAVED + ("" if number == 1 else str(number))


class Installer:
    """Carries out a Plan on a target.

    progress: an object with `file(name)` called before each file and `bytes(count)` after each piece.
    """

    def __init__(self, target, package, made, progress):
        self.target = target
        self.package = package
        self.plan = made
        self.progress = progress

    # room on the drive

    def _blocks(self, count):
        block = self.target.block_bytes
        return -(-count // block) * block

    def _room(self):
        """Returns "staged", "tables" (old tables go first) or "in place"; raises FlashError when it can never fit."""
        made = self.plan
        need = sum(self._blocks(len(made.write[path])) for path in made.write if path not in made.staged)
        need += RESERVE_BYTES
        free = self.target.free_bytes()
        old_tables = sum(self._blocks(made.sizes[path]) for path in self._old_tables())
        old = sum(self._blocks(size) for size in made.sizes.values())
        if need <= free:
            return "staged"
        if need <= free + old_tables:
            return "tables"
        if need <= free + old and free >= RESERVE_BYTES:
            return "in place"
        raise FlashError(
            "The board's drive is too full: %d KB more are needed. Remove files of your own from it and run this again."
            % (-(-max(need - free - old, RESERVE_BYTES - free) // 1024))
        )

    def _old_tables(self):
        made = self.plan
        return [
            path
            for path in list(made.write) + made.stale
            if path.endswith(TABLES) and path in made.sizes and path not in made.staged
        ]

    # one file

    def _stage(self, path, data, counted=True):
        """Writes data as NAME.new and checks it on the drive; raises FlashError. A torn write is tried once more."""
        self.progress.file(path)
        for attempt in range(2):
            try:
                self.target.put(path + NEW, data, self.progress.bytes if counted and not attempt else _ignore)
            except BoardFault as fault:
                if fault.errno == errno.ENOSPC:
                    raise FlashError(
                        "The board's drive is full. What was there still starts; remove files of your own from the "
                        "drive and run this again."
                    ) from None
                raise
            if self.target.hashes([path + NEW])[path + NEW] == (len(data), digest(data, self.target.hash_name)):
                return
        self.target.remove(path + NEW)
        raise FlashError(
            "%s does not read back as it was written: the board's flash or its file system is damaged. On the board's "
            "REPL, `import storage; storage.erase_filesystem()` makes a new one (and erases everything on it)." % path
        )

    # the whole

    def run(self):
        """Installs; raises FlashError, in which case the old or the new version starts, or main.py says what is."""
        made, target = self.plan, self.target
        for path in made.junk:
            target.remove(path)
        manifest = self.package.manifest()
        if made.recover:
            target.rename(SETTINGS + NEW, SETTINGS)
        if not (made.write or made.stale or made.aside):
            if made.manifest_differs:
                self._stage(MANIFEST, manifest, counted=False)
                target.rename(MANIFEST + NEW, MANIFEST)
            if made.guard_up:
                target.remove(GUARD)
            target.barrier()
            return
        room = self._room()
        if room == "tables":
            for path in self._old_tables():
                target.remove(path)
        if room != "in place":
            for path in made.write:
                if path not in made.staged:
                    self._stage(path, made.write[path])
        self._stage(MANIFEST, manifest, counted=False)
        target.barrier()
        self._guard()
        self._put_code_away()
        self._put_aside()
        self._swap(room == "in place")
        self._check()
        target.rename(MANIFEST + NEW, MANIFEST)
        target.barrier()
        target.rename("code.py" + NEW, "code.py")
        target.barrier()
        target.remove(GUARD)
        target.barrier()

    def _guard(self):
        made, target = self.plan, self.target
        if made.guard_up:
            return
        self._stage(GUARD, self.package.guard, counted=False)
        for path, saved in made.aside:
            if path == GUARD:
                target.rename(path, saved)
        target.rename(GUARD + NEW, GUARD)
        target.barrier()

    def _put_code_away(self):
        """Afterwards there is no code.py, and the right one is code.py.new."""
        made, target = self.plan, self.target
        for path, saved in made.aside:
            if path in ("code.py", "code.txt"):
                target.rename(path, saved)
        if "code.py" not in made.write:
            target.rename("code.py", "code.py" + NEW)
        else:
            target.remove("code.py")
        target.barrier()

    def _put_aside(self):
        for path, saved in self.plan.aside:
            if path not in (GUARD, "code.py", "code.txt"):
                self.target.rename(path, saved)

    def _swap(self, in_place):
        made, target = self.plan, self.target
        if in_place:
            for path in list(made.write) + made.stale:
                if path in made.sizes and path not in ("code.py", SETTINGS):
                    target.remove(path)
            for path in made.write:
                if path not in made.staged:
                    self._stage(path, made.write[path])
        for path in made.write:
            if path != "code.py":
                target.rename(path + NEW, path)
        for path in made.stale:
            target.remove(path)
        remove_empty_folders(target, made.stale)

    def _check(self):
        right = {path: (len(data), digest(data, self.target.hash_name)) for path, data in self.plan.write.items()}
        if "code.py" in right:
            right["code.py" + NEW] = right.pop("code.py")
        found = self.target.hashes(right)
        wrong = [path for path in right if found[path] != right[path]]
        if wrong:
            raise FlashError(
                "%s changed on the drive meanwhile: is another program writing there? Run this again."
                % ", ".join(wrong)
            )


def uninstall(target, package, forget_settings=False):
    """Removes what was installed and puts back what had been put aside; returns lines about what stays.

    The settings stay, unless forget_settings; so do the libraries where a program of the person's own comes back.
    """
    _, listed = read_manifest(target.read(MANIFEST))
    names = target.names("")
    own_program = "code.py" + SAVED in names
    files = list(listed) or [path for path in package.files if path != SETTINGS]
    files = [path for path in files if not (own_program and path.startswith("lib/"))]
    notes = []
    if own_program and any(path.startswith("lib/") for path in package.files):
        notes.append("the libraries in lib/ stay: your own program may use them")
    main = target.read(GUARD)
    if main is None:
        target.put(GUARD + NEW, package.guard)
        target.rename(GUARD + NEW, GUARD)
    target.barrier()
    target.remove("code.py")
    target.barrier()
    for path in _order(files):
        target.remove(path)
        if path + NEW in target.names(path.rpartition("/")[0]):
            target.remove(path + NEW)
    target.remove(MANIFEST)
    if forget_settings:
        target.remove(SETTINGS)
    else:
        notes.append("settings.toml stays (--uninstall --reset-settings removes it too)")
    remove_empty_folders(target, files + [MANIFEST])
    if main is None or GUARD_MARK in main:
        target.barrier()
        target.remove(GUARD)
    for path in ("boot.py", "main.py", "code.txt", "code.py"):
        if path + SAVED in names:
            target.rename(path + SAVED, path)
            notes.append("your own %s is back" % path)
    target.barrier()
    return notes


def remove_empty_folders(target, paths):
    """Removes the folders of these files, and those above them, that hold nothing any more."""
    folders = set()
    for path in paths:
        parts = path.split("/")[:-1]
        folders.update("/".join(parts[:end]) for end in range(1, len(parts) + 1))
    for folder in sorted(folders, key=len, reverse=True):
        if folder != "lib" and not target.names(folder):
            target.remove(folder)


def _ignore(count):
    pass
