# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Mounted CIRCUITPY drives, on Linux, macOS and Windows."""

import os
import re
import string
import sys
from pathlib import Path

LABEL = "CIRCUITPY"
NOTE = "boot_out.txt"  # CircuitPython writes it at every start: version, board, UID


class Drive:
    """A mounted drive: `root` (Path), and what its boot_out.txt says: `version` (tuple or None), `name`, `uid`."""

    def __init__(self, root):
        self.root = Path(root)
        self.version, self.name, self.uid = read_note(self.root)


def read_note(root):
    """(version, board's name, uid in lower case hex) of boot_out.txt; (None, "", "") where it is not or says not."""
    try:
        text = (Path(root) / NOTE).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None, "", ""
    head = re.search(r"Adafruit CircuitPython (\d+)\.(\d+)(?:\.(\d+))?\S* on \S+; (.+?)(?: with .*)?\r?\n", text)
    uid = re.search(r"UID:\s*([0-9A-Fa-f]+)", text)
    version = tuple(int(part or 0) for part in head.groups()[:3]) if head else None
    return version, head.group(4).strip() if head else "", uid.group(1).lower() if uid else ""


def mounted(platform=sys.platform, mounts="/proc/self/mounts", volumes="/Volumes"):
    """All mounted drives that look like a CircuitPython board's, as a list of Drive."""
    if platform.startswith("linux"):
        roots = _linux(mounts)
    elif platform == "darwin":
        roots = _folder(volumes)
    elif platform == "win32":
        roots = _windows()
    else:
        roots = []
    drives = []
    for root in roots:
        drive = Drive(root)
        if drive.version or Path(root).name.upper().startswith(LABEL) or platform == "win32":
            drives.append(drive)
    return drives


def _linux(mounts):
    try:
        lines = Path(mounts).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    roots = []
    for line in lines:
        fields = line.split()
        if len(fields) > 2 and fields[2] in ("vfat", "msdos", "fat", "fuseblk", "exfat"):
            # blanks and the like stand there as three octal digits
            roots.append(re.sub(r"\\([0-7]{3})", lambda found: chr(int(found.group(1), 8)), fields[1]))
    return roots


def _folder(volumes):
    try:
        return sorted(str(path) for path in Path(volumes).iterdir() if path.is_dir())
    except OSError:
        return []


def _windows():
    import ctypes

    kernel = ctypes.windll.kernel32
    roots = []
    for letter in string.ascii_uppercase:
        if not kernel.GetLogicalDrives() >> (ord(letter) - ord("A")) & 1:
            continue
        root = letter + ":\\"
        if kernel.GetDriveTypeW(root) != 2:  # 2: removable; asking a network drive for its label can take minutes
            continue
        label = ctypes.create_unicode_buffer(64)
        if kernel.GetVolumeInformationW(root, label, 64, None, None, None, None, 0) and label.value.startswith(LABEL):
            roots.append(root)
    return roots


def of_board(uid, drives=None):
    """The mounted Drive of the board with this uid (hex); the only drive when its note names no uid; else None."""
    drives = mounted() if drives is None else drives
    for drive in drives:
        if uid and drive.uid == uid.lower():
            return drive
    nameless = [drive for drive in drives if not drive.uid or not uid]
    return nameless[0] if len(drives) == 1 and nameless else None


def writable(drive):
    """True when this computer may write there. A drive that the board took for itself is mounted read-only."""
    return os.access(drive.root, os.W_OK)
