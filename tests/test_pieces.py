# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Modules that the board loads while its loop goes on: what comes of it is what an import makes."""

import ast
import sys

import pytest

from firmware.overlays import OVERLAYS, PASSING
from hal.pieces import load, pieces
from tools.environment import ROOT

LONGEST = 60  # lines of a piece: more than a tenth of a second on the chip
LOOPS = {"engine.plain"}  # with a function that is longer, since all of it is one loop
LARGEST = 4000  # characters of a piece: its lines and its text are in the heap while it is compiled
NAMES = sorted(
    ({name for names in OVERLAYS.values() for name in names.split()} | set(PASSING.split())) - {"hal.pieces"}
)


def source(name):
    return (ROOT / (name.replace(".", "/") + ".py")).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_a_module_comes_apart_in_short_pieces_that_compile(name):
    for _, text in pieces(source(name).splitlines(keepends=True)):
        compile(text, name, "exec")
        assert len(text) <= LARGEST, text
        if name not in LOOPS:
            assert text.count("\n") <= LONGEST, text


def tree(statements):
    """Statements as text, without the constants that stand alone: docstrings, and what fills an empty class."""
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                node.body = [part for part in node.body if not is_constant(part)]
    return [ast.dump(node) for node in statements if not is_constant(node)]


def is_constant(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


@pytest.mark.parametrize("name", NAMES)
def test_the_pieces_are_the_module(name):
    found = []
    for owner, text in pieces(source(name).splitlines(keepends=True)):
        body = ast.parse(text).body
        if owner:
            assert found[-1].name == owner
            found[-1].body += body
        else:
            found += body
    assert tree(found) == tree(ast.parse(source(name)).body)


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("firmware.scenes")])
def test_it_holds_the_names_that_an_import_makes(name):
    loaded = {}
    kept = {key: module for key, module in sys.modules.items() if key.split(".")[0] in ("engine", "firmware")}
    try:
        for way in ("import", "load"):
            sys.modules.pop(name, None)
            if way == "load":
                for _ in load(name):
                    pass
            else:
                __import__(name)
            module = sys.modules[name]
            assert getattr(sys.modules[name.rpartition(".")[0]], name.rpartition(".")[2]) is module
            assert module.__name__ == name
            loaded[way] = {
                key: sorted(vars(part)) if isinstance(part, type) else type(part)
                for key, part in vars(module).items()
                if not key.startswith("__")
            }
    finally:
        sys.modules.update(kept)
        for key in kept:
            package, _, leaf = key.rpartition(".")
            if package:
                setattr(sys.modules[package], leaf, kept[key])
    assert loaded["load"] == loaded["import"]


def test_what_is_there_is_not_loaded_again():
    from engine import moves

    assert list(load("engine.moves")) == [None]
    assert sys.modules["engine.moves"] is moves
