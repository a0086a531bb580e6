# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The stand-in's drive: a folder that behaves as CIRCUITPY does for code on the board, with its error texts.

What it is like comes from environment variables, set by rig.py: BOARD_DRIVE (folder), BOARD_STATE (folder of the rig's
own files), BOARD_READONLY (1: the computer holds it), BOARD_SIZE (bytes, 0: no limit), BOARD_SLOW_MS (a write),
BOARD_CUT (the power goes at the n-th change, 0: never), BOARD_SNAPSHOTS (folder: before each change the whole drive is
copied there, as a power cut at that moment would leave it). A write is two changes: it can be torn.
"""

import builtins
import os as real_os
import time

CLUSTER_BYTES = 512
WORDS = {
    2: "No such file/directory",
    17: "File exists",
    20: "Not a directory",
    21: "Is a directory",
    28: "No space left on device",
    30: "Read-only filesystem",
    39: "Directory not empty",
}

real_open = builtins.open
ROOT = real_os.getenv("BOARD_DRIVE")
STATE = real_os.getenv("BOARD_STATE")
SIZE = int(real_os.getenv("BOARD_SIZE") or 0)
SNAPSHOTS = real_os.getenv("BOARD_SNAPSHOTS")
SLOW_MS = int(real_os.getenv("BOARD_SLOW_MS") or 0)
readonly = real_os.getenv("BOARD_READONLY") == "1"
_cut = int(real_os.getenv("BOARD_CUT") or 0)
_changes = 0


class OSError(builtins.OSError):
    """An OSError that prints as CircuitPython's does."""

    def __repr__(self):
        return "OSError: [Errno %d] %s" % (self.args[0], WORDS.get(self.args[0], "Input/output error"))


def mapped(path):
    """The path on this computer of a path on the board."""
    return ROOT + "/" + str(path).strip("/")


def note(name, text):
    """A word to the rig."""
    with real_open(STATE + "/" + name, "a") as file:
        file.write(text)


def die(word):
    """Ends the board at once, as a power cut or a reset does."""
    note(word, "x")
    real_os.system("kill -9 $PPID")
    while True:
        time.sleep(1)


def change():
    """Called before every change of the drive."""
    global _changes
    if readonly:
        raise OSError(30)
    if SLOW_MS:
        time.sleep(SLOW_MS / 1000)
    _changes += 1
    if _changes == _cut:
        die("cut")
    if SNAPSHOTS:
        real_os.system("cp -r '%s' '%s/%04d'" % (ROOT, SNAPSHOTS, _changes))


def used(path=None):
    """Bytes that the files take, in whole clusters."""
    path = path or ROOT
    total = 0
    for entry in real_os.ilistdir(path):
        if entry[1] & 0x4000:
            total += CLUSTER_BYTES + used(path + "/" + entry[0])
        else:
            total += -(-real_os.stat(path + "/" + entry[0])[6] // CLUSTER_BYTES) * CLUSTER_BYTES
    return total


def native(action, *arguments):
    """Does it on this computer's file system; its errors get CircuitPython's words."""
    try:
        return action(*arguments)
    except builtins.OSError as error:
        raise OSError(error.args[0])


class File:
    """An open file."""

    def __init__(self, file):
        self.file = file
        self.read = file.read
        self.readline = file.readline
        self.readinto = getattr(file, "readinto", None)

    def write(self, data):
        half = len(data) // 2
        count = 0
        for part in (data[:half], data[half:]):
            change()
            if SIZE and used() + len(part) > SIZE:
                raise OSError(28)
            count += self.file.write(part)
            self.file.flush()
        return count

    def flush(self):
        self.file.flush()

    def close(self):
        self.file.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __iter__(self):
        return iter(self.file)


def open(path, mode="r"):
    if "r" not in mode:
        change()
    return File(native(real_open, mapped(path), mode))


class Os:
    """`os` as CircuitPython has it: no ilistdir, and files are on the drive."""

    sep = "/"

    @staticmethod
    def uname():
        from collections import namedtuple

        return namedtuple("uname", ("sysname", "release", "machine"))("rp2040", "10.2.1", "Stand-in with rp2040")

    @staticmethod
    def listdir(path="/"):
        return native(real_os.listdir, mapped(path))

    @staticmethod
    def stat(path):
        return native(real_os.stat, mapped(path))

    @staticmethod
    def statvfs(path):
        blocks = (SIZE or 1 << 20) // CLUSTER_BYTES
        free = max(0, blocks - used() // CLUSTER_BYTES)
        return (CLUSTER_BYTES, CLUSTER_BYTES, blocks, free, free, 0, 0, 0, 0, 255)

    @staticmethod
    def mkdir(path):
        change()
        native(real_os.mkdir, mapped(path))

    @staticmethod
    def remove(path):
        change()
        native(real_os.remove, mapped(path))

    @staticmethod
    def rmdir(path):
        change()
        native(real_os.rmdir, mapped(path))

    @staticmethod
    def rename(old, new):
        # FAT cannot replace: the file in the way goes first, and the power may go between the two
        native(real_os.stat, mapped(old))
        try:
            real_os.stat(mapped(new))
            change()
            real_os.remove(mapped(new))
        except builtins.OSError as error:
            if error.args[0] != 2:
                raise
        change()
        native(real_os.rename, mapped(old), mapped(new))

    @staticmethod
    def sync():
        pass

    @staticmethod
    def getenv(key, default=None):
        try:
            with real_open(mapped("settings.toml")) as file:
                for line in file:
                    name, equals, value = line.partition("=")
                    if equals and name.strip() == key:
                        value = value.strip()
                        return value.strip('"') if value.startswith('"') else int(value)
        except builtins.OSError:
            pass
        return default


Os.unlink = Os.remove
