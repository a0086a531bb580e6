# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The search of drop games, compiled for the desktop from the same source: three times as fast, answer for answer.

Cython turns ``engine/search_drop.py`` as it stands into a module of C. What makes it fast is what a run of the search
itself tells about its local variables: one that held nothing but ints becomes a 64-bit int, whose overflow raises, and
a list or an array is read as such. A variable that turns out to hold something else raises TypeError.
"""

import ast
import hashlib
import importlib.machinery
import importlib.util
import random
import subprocess
import sys

import engine
from hal.drive import open_file
from tools.environment import ROOT

NAME = "engine.search_drop"
TYPES = {"int": "cython.longlong", "list": "list", "bytearray": "bytearray", "dict": "dict"}
ARRAYS = {
    "b": "cython.schar[:]", "B": "cython.uchar[:]", "h": "cython.short[:]", "H": "cython.ushort[:]",
    "i": "cython.int[:]", "I": "cython.uint[:]",
}  # fmt: skip
FOLDER = ROOT / "build" / "compiled"
BUILDER = """
import sys
from Cython.Build import cythonize
from setuptools import setup
setup(script_args=["-q", "build_ext", "--inplace"], ext_modules=cythonize(sys.argv[1], language_level=3, quiet=True))
"""


class CompileError(RuntimeError):
    """There is no compiled search; the text is one line with the remedy."""


def local_types():
    """{name: its Cython type} of the search's locals, where one type was all that they had."""
    from engine.position import new_position
    from engine.search import Search
    from engine.variation import make as variation

    seen, arrays, search, lots = {}, {}, Search(open_file=open_file), random.Random(1)
    position = new_position(variation("five"))
    for plies in [*range(0, 36, 2), *range(1, 36, 2)]:
        position.reset()
        while position.ply < plies and position.result is None:
            position.play(lots.choice(position.legal()))
        if position.result is not None:
            continue
        search.start(position, 6, nodes=1500)
        while not search.step(7):
            for name, value in search._worker.gi_frame.f_locals.items():
                seen.setdefault(name, set()).add(type(value).__name__)
                if type(value).__name__ == "array" and value.typecode in ARRAYS:
                    arrays[name] = ARRAYS[value.typecode]
    told = {name: TYPES.get(*kinds) for name, kinds in seen.items() if len(kinds) == 1}
    return {name: kind for name, kind in {**told, **arrays}.items() if kind and len(seen[name]) == 1}


def source(path, types):
    """The text of the module, with the types of the locals of ``worker`` in front of it."""
    text = path.read_text("utf-8")
    lines = text.splitlines()
    tree = ast.parse(text)
    number = next(n.lineno for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "worker")
    lines.insert(number - 1, "@cython.locals(%s)" % ", ".join("%s=%s" % one for one in sorted(types.items())))
    return "# cython: overflowcheck=True\nimport cython\n" + "\n".join(lines) + "\n"


def make():
    """The path of the compiled module, built in build/ where it is not there yet. Raises CompileError."""
    text = source(ROOT / "engine" / "search_drop.py", local_types())
    folder = FOLDER / hashlib.sha256(text.encode()).hexdigest()[:16]
    made = folder / ("search_drop" + importlib.machinery.EXTENSION_SUFFIXES[0])
    if not made.exists():
        print("compiling the search, a minute ...", file=sys.stderr)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "search_drop.py").write_text(text, "utf-8")
        command = [sys.executable, "-c", BUILDER, "search_drop.py"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode or not made.exists():
            why = (done.stderr.strip().splitlines() or ["no file was made"])[-1]
            raise CompileError("the search cannot be compiled (%s): do without --compiled" % why)
    return made


def use(path):
    """Let this process play with the compiled module; before its first Search is started."""
    spec = importlib.util.spec_from_file_location(NAME, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules[NAME] = engine.search_drop = module
