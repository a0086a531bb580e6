# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Imports modules piece by piece, so that the board's loop goes on meanwhile."""

# The chip compiles 25 lines in 40 ms, and an import does all of a file at once. Here a few statements, or a few methods
# of a class, are compiled at a time. What a module must do without for it: decorators, `const`, `super()`, and texts
# over several lines outside of functions and classes (tests/test_pieces.py).

from sys import modules

SIZE = 500  # characters after which a statement or method begins a new piece
ROOT = __file__[: -len("hal/pieces.py")]


def pieces(lines):
    """(name of a class or "", text) for each piece of a module: statements, or methods of the class as functions."""
    text = []
    size = 0
    owner = name = ""
    for line in lines:
        if line[0] in "#\n":
            continue
        top = line[0] not in " )]}"
        method = name if line[:8] == "    def " else ""
        if top or method:
            if text and (size > SIZE or owner != method or line[:6] == "class "):
                yield owner, "".join(text)
                text = []
                size = 0
            owner = method
            if top:
                name = line[6:].split("(")[0].split(":")[0] if line[:6] == "class " else ""
                if name:
                    text.append(line)
                    line = "    0\n"  # if nothing but methods follows
        text.append(line[4:] if owner else line)
        size += len(line)
    yield owner, "".join(text)


def load(names):
    """A generator that imports those of the modules (a text, blanks between) that are not loaded: each step compiles
    and runs a piece of one."""
    yield
    for name in names.split():
        if name in modules:
            continue
        __import__("hal.blank")
        module = modules.pop("hal.blank")
        delattr(modules["hal"], "blank")
        cells = module.__dict__
        cells["__name__"] = name
        with open(ROOT + name.replace(".", "/") + ".py") as lines:
            for owner, text in pieces(lines):
                found = {} if owner else cells
                exec(text, cells, found)
                if owner:
                    for text in found:
                        setattr(cells[owner], text, found[text])
                yield
        modules[name] = module
        text, _, name = name.rpartition(".")
        setattr(modules[text], name, module)
