# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Runs the product's files in two MicroPythons; the tests' fixtures ``unix`` and ``wasm`` hand these out.

``unix``  MicroPython for the desktop with a heap of 320 KB. Its words are 64-bit, so this stands for the chip's 160 KB;
          it hides ints beyond 31 bits.
``wasm``  MicroPython for WebAssembly under Node.js. Its words are 32-bit, as the chip's are: every int beyond 31 bits
          and every allocation shows in ``gc.mem_alloc()``. Its heap grows, so what is held is read, not whether it
          fits; its collector frees nothing inside running Python, so what is held is read at the start of a fresh part.

Both see ``engine``, ``hal``, ``firmware``, the board's libraries (``neopixel``, ``adafruit_debouncer`` and what they
are built on) and ``probe`` (``probe.allocated(action)`` -> bytes), and nothing else of the desktop.
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools import node

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
INSIDE = HERE / "inside"
HEAP_KB = 320
LIBRARIES = ("neopixel", "adafruit_debouncer", "adafruit_ticks", "adafruit_pixelbuf")
PRODUCT = ("engine", "hal", "firmware")


class GuestError(AssertionError):
    """The Python inside MicroPython raised; the text is its traceback."""


def library_files():
    """Host paths of the board's libraries as pip installed them."""
    return [Path(importlib.util.find_spec(name).origin) for name in LIBRARIES]


def copy_libraries(folder):
    """Put the board's libraries, and nothing else of the environment, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in library_files():
        shutil.copy(path, folder / path.name)


class Unix:
    """MicroPython for the desktop."""

    def __init__(self, libraries, scratch):
        self.program = Unix.find()
        self.scratch = Path(scratch)
        self.path = [str(ROOT), str(libraries), str(INSIDE), ".frozen"]
        self._count = 0

    @staticmethod
    def find():
        """The interpreter beside this Python, or None."""
        folder = Path(sys.executable).parent
        for name in ("micropython", "micropython.exe"):
            if (folder / name).exists():
                return str(folder / name)
        return None

    @staticmethod
    def why_not():
        """None where it can run, else the reason in one line."""
        if Unix.find():
            return None
        return "no MicroPython for this system: the package exists for Linux x86-64 and Arm macOS, CPython 3.10 to 3.14"

    def run(self, code, *arguments, heap_kb=HEAP_KB, timeout_s=300, stdin="", environment=None):
        """Run a text, or a file given as a Path; what it printed. Raises GuestError with its traceback."""
        script = code
        if not isinstance(code, Path):
            self._count += 1
            script = self.scratch / ("script%d.py" % self._count)
            script.write_text(code, encoding="utf-8")
        command = [self.program, "-X", "heapsize=%dk" % heap_kb, str(script), *map(str, arguments)]
        done = subprocess.run(
            command,
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            timeout=timeout_s,
            cwd=str(self.scratch),
            env=dict(os.environ, MICROPYPATH=":".join(self.path), **(environment or {})),
        )
        if done.returncode:
            raise GuestError(
                "MicroPython (heap of %d KB) ended with %d\n%s%s" % (heap_kb, done.returncode, done.stdout, done.stderr)
            )
        return done.stdout


class Wasm:
    """MicroPython for WebAssembly under Node.js."""

    def __init__(self, libraries):
        self.module = node.MODULES / "@micropython" / "micropython-webassembly-pyscript" / "micropython.mjs"
        self.libraries = Path(libraries)

    @staticmethod
    def why_not():
        """None where it can run, else the reason in one line."""
        problem = node.why_no_node()
        if problem:
            return "no 32-bit MicroPython: " + problem
        name = "@micropython/micropython-webassembly-pyscript"
        if name in node.missing():
            return "no 32-bit MicroPython: %s is not in tools/node_modules (python3 -m tools test installs it)" % name
        return None

    @staticmethod
    def loop(code, while_name, limit=1000):
        """A part for ``run``: the text is called from JavaScript again and again while the named global is true."""
        return {"repeat": code, "while": while_name, "limit": limit}

    def run(self, *parts, heap_kb=1024, files=None, timeout_s=300):
        """Run texts one after another in one interpreter, each a fresh call from JavaScript; what each printed.

        ``files`` is {path inside: text}. Raises GuestError with the traceback of the part that raised.
        """
        job = {
            "module": str(self.module),
            "heap": heap_kb * 1024,
            "trees": [[str(ROOT / name), "/" + name] for name in PRODUCT if (ROOT / name).is_dir()]
            + [[str(self.libraries), "/lib"], [str(INSIDE), "/lib"]],
            "files": files or {},
            "parts": list(parts),
        }
        done = subprocess.run(
            ["node", str(HERE / "run.mjs")],
            input=json.dumps(job),
            capture_output=True,
            encoding="utf-8",
            timeout=timeout_s,
        )
        if done.returncode or not done.stdout:
            raise GuestError("node ended with %d\n%s" % (done.returncode, done.stderr))
        answer = json.loads(done.stdout)
        if answer["error"] is not None:
            printed = "".join(answer["outputs"])
            raise GuestError(
                "part %d of the 32-bit MicroPython raised\n%s\n%s" % (answer["part"], printed, answer["error"])
            )
        return answer["outputs"]

    def held(self, *parts, **options):
        """Bytes that are held on the heap after these parts and a collection, beyond the interpreter's own."""
        read = "import gc\nprint(gc.mem_alloc())"
        # The collection is the end of one part, the reading the start of the next: only then is it true.
        collect = "import gc\ngc.collect()"
        outputs = self.run(collect, read, *parts, collect, read, **options)
        return int(outputs[-1]) - int(outputs[1])
