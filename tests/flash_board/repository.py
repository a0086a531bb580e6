# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""A small repository of the same shape as the real one, whose program says which version it is.

Each module carries the version's name; the program prints `NAME ready`, or `MIXED` when one of its modules is of
another version: then the installer let through what it must never let through.
"""

import shutil
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

CODE = """# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
from engine import position, lots
from hal import circuitpython
from firmware import app
names = [module.VERSION for module in (position, lots, circuitpython, app)]
try:
    with open("/engine/book.bin", "rb") as file:
        names.append(file.read(20).decode().split(";")[0])
except OSError:
    pass
said = %r + " ready" if set(names) == {%r} else "MIXED " + repr(names)
print(said)
import supervisor, sys, time
while True:
    time.sleep(0.02)
    if supervisor.runtime.serial_bytes_available and sys.stdin.read(1) == "\\n":
        print(said)  # answers any line, as the firmware's console does
"""


def make(root, version, table_bytes=3000, extra=()):
    """Writes the repository of a version (a word) to the folder root and returns root; extra: more module paths."""
    root = Path(root)
    shutil.rmtree(root, ignore_errors=True)
    files = {
        "pyproject.toml": '[project]\nname = "x"\nversion = "1.0"\n',
        "engine/__init__.py": "",
        "engine/book.bin": (version + ";").ljust(table_bytes, "."),
        "hal/__init__.py": "",
        "hal/simulated.py": "desktop = True\n",
        "firmware/__init__.py": "",
        "firmware/boot.py": "# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors\n# %s\n" % version,
        "firmware/code.py": CODE % (version, version),
        "firmware/settings.toml": '# the pin\n# FIVE_PIXEL_PIN = "GP0"\n# FIVE_BRIGHTNESS = 40\n',
        "firmware/incomplete.py": (ROOT / "firmware" / "incomplete.py").read_text(),
        "firmware/requirements.txt": "nothing\n",
    }
    for path in ("engine/position.py", "engine/lots.py", "hal/circuitpython.py", "firmware/app.py", *extra):
        files[path] = "VERSION = %r\n# %s\n" % (version, "x" * 300)
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root
