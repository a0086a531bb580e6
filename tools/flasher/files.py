# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Which files the board gets, and under which path.

The one list of them: the installer, the drive images of the emulator and the tests of the board's language read it.
"""

import importlib.machinery
import sys
from pathlib import Path

#: CircuitPython runs or reads these only at the root of its drive.
ROOT_FILES = ("boot.py", "code.py", "settings.toml")

#: The rooms whose files go to the board under the same path as in the repository.
ROOMS = ("engine", "hal", "firmware")

#: The desktop's modules in hal/ (a file, a package, or files that begin so): never on the board.
DESKTOP_HAL = ("simulated", "terminal", "port")

#: What the board can use. Everything else in a room (requirements.txt, notes) stays in the repository.
SUFFIXES = (".py", ".mpy", ".bin", ".toml")

#: Libraries for /lib, by import name. What they need besides is in the firmware of the board, but for
#: adafruit_pixelbuf, which some builds have in C and some have not: see `board_files`.
LIBRARIES = ("neopixel", "adafruit_debouncer", "adafruit_ticks")


class FilesError(Exception):
    """The files for the board are not complete; the text is one clear line."""


def board_files(root, pixelbuf=False):
    """All files that an installation puts on the board, in the order of their board paths.

    root: the repository's folder (str or Path).
    pixelbuf: True adds `adafruit_pixelbuf` in Python, for a board that has it not in C (the Pico's firmware has).

    Returns a list of (source, path): source a `pathlib.Path` on this computer, path a str relative to the root of the
    board's drive with forward slashes, such as `code.py`, `engine/position.py`, `lib/neopixel.py`.
    Raises FilesError when a file or library that the board cannot do without is missing.
    """
    root = Path(root)
    found = {}
    for room in ROOMS:
        for source in sorted((root / room).rglob("*")):
            path = source.relative_to(root).as_posix()
            if source.is_file() and source.suffix in SUFFIXES and not _stays(path):
                found[path] = source
    for name in ROOT_FILES:
        source = found.pop("firmware/" + name, None)
        if source is None:
            raise FilesError("firmware/%s is missing in %s: is this the whole repository?" % (name, root))
        found[name] = source
    for name in LIBRARIES + (("adafruit_pixelbuf",) if pixelbuf else ()):
        found["lib/%s.py" % name] = library_source(name)
    return [(found[path], path) for path in sorted(found)]


def _stays(path):
    parts = path.split("/")
    if any(part.startswith((".", "__pycache__")) for part in parts):
        return True
    return parts[0] == "hal" and parts[1].startswith(DESKTOP_HAL)


def library_source(name):
    """The file of the library `name` among the installed packages; nothing is imported (it needs a board to run).

    Raises FilesError when no such package is installed, or when it is not a single file.
    """
    spec = importlib.machinery.PathFinder.find_spec(name, sys.path)
    if spec is None or not spec.origin or not spec.origin.endswith(".py") or spec.submodule_search_locations:
        raise FilesError(
            "library %s is not installed here: run `python3 -m tools flash`, which installs it, "
            "or `pip install -r firmware/requirements.txt`" % name
        )
    return Path(spec.origin)
