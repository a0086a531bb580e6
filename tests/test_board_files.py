# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Every file that goes to the board stays within the language and the modules that are there.

The two lists below are what was measured on CircuitPython 10.2 for the reference chip: what a file may import, and what
the language lacks. A file that wants more belongs on the desktop. What its compiler makes garbage of, where that of the
desktop's MicroPython does not, is told as well: tests that count allocations there cannot see it.
"""

import ast
from pathlib import Path

import pytest

from tools.flasher.files import board_files

ROOT = Path(__file__).resolve().parent.parent
SMALL_INT_MAX = (1 << 30) - 1  # small ints are 31 bits signed; anything wider is a heap object
SMALL_INT_MIN = -(1 << 30)

# What a file on the board may import, beside its own rooms: the list measured as present …
PRESENT = set(
    "micropython array struct collections keypad neopixel_write adafruit_pixelbuf rainbowio ulab alarm watchdog "
    "storage supervisor microcontroller zlib binascii random hashlib".split()
)
# … the libraries that are copied to /lib, and the core of every build, which the list takes for granted.
PRESENT |= set("neopixel adafruit_debouncer adafruit_ticks".split())
PRESENT |= set("board digitalio gc math os sys time usb_cdc".split())

# What each room may import of the others: the game knows no hardware, the hardware knows no game.
ROOMS = {
    "engine": {"engine", "array", "micropython"},
    "hal": {"hal"} | PRESENT,
    "firmware": {"firmware", "engine", "hal"} | PRESENT,
    "": {"firmware", "engine", "hal"} | PRESENT,
}
FROM = {
    "micropython": {"const"},  # native, viper, heap_lock, mem_info, schedule are not there
    "collections": {"namedtuple", "deque", "OrderedDict"},
}

# Methods and functions that are not there, whatever they are called on.
ABSENT = set(
    "zfill bit_count bit_length getsizeof ilistdir native viper heap_lock heap_unlock mem_info schedule ljust rjust "
    "removeprefix removesuffix casefold swapcase title expandtabs translate maketrans isidentifier format_map".split()
)


def complaints(source, room="firmware"):
    """What in a source text the board does not have: a list of "line N: …" texts."""
    found = []

    def tell(node, text):
        found.append("line %d: %s" % (getattr(node, "lineno", 0), text))

    tree = ast.parse(source)
    inside_constant = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                if name.name.split(".")[0] not in ROOMS[room]:
                    tell(node, "import %s" % name.name)
        elif isinstance(node, ast.ImportFrom):
            top = (node.module or "").split(".")[0]
            if node.level or top not in ROOMS[room]:
                tell(node, "from %s%s import" % ("." * node.level, node.module or ""))
            for name in node.names:
                if top in FROM and name.name not in FROM[top]:
                    tell(node, "from %s import %s" % (top, name.name))
        elif isinstance(node, ast.arguments) and node.posonlyargs:
            tell(node.posonlyargs[0], "positional-only arguments")
        elif isinstance(node, (ast.List, ast.Tuple, ast.Set)) and isinstance(
            getattr(node, "ctx", ast.Load()), ast.Load
        ):
            if any(isinstance(item, ast.Starred) for item in node.elts):
                tell(node, "[*a] unpacked into a display")
        elif isinstance(node, ast.Dict) and None in node.keys:
            tell(node, "{**a} unpacked into a display")
        elif isinstance(node, ast.Call) and sum(isinstance(item, ast.Starred) for item in node.args) > 1:
            tell(node, "two *arguments in one call")
        elif isinstance(node, ast.Slice) and node.step is not None:
            tell(node, "a slice with a step")
        elif type(node).__name__ in ("Match", "TryStar", "TypeAlias"):
            tell(node, type(node).__name__)
        elif isinstance(node, ast.ClassDef) and node.keywords:
            tell(node, "class with keywords")
        elif isinstance(node, ast.Attribute) and node.attr in ABSENT:
            tell(node, ".%s" % node.attr)
        elif (
            isinstance(node, ast.Attribute)
            and node.attr == "__init__"
            and isinstance(node.value, ast.Name)
            and node.value.id.endswith(("Error", "Exception"))
        ):
            tell(node, "%s.__init__ (use super().__init__)" % node.value.id)
        if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Constant)) and node not in inside_constant:
            # Only the whole of a constant counts: the compiler on the board folds its parts.
            value = constant(node)
            if value is not None:
                inside_constant.update(ast.walk(node))
                if not SMALL_INT_MIN <= value <= SMALL_INT_MAX:
                    tell(node, "%d is beyond 31 bits" % value)
    return found


def constant(node):
    """The int value of an expression of int literals alone, else None."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, int) and not isinstance(node.value, bool) else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Invert, ast.UAdd)):
        value = constant(node.operand)
        if value is None:
            return None
        return -value if isinstance(node.op, ast.USub) else ~value if isinstance(node.op, ast.Invert) else value
    if isinstance(node, ast.BinOp):
        left, right = constant(node.left), constant(node.right)
        if left is None or right is None:
            return None
        try:
            value = eval(compile(ast.Expression(body=node), "constant", "eval"))  # literals and operators only
        except ArithmeticError:
            return None
        return value if isinstance(value, int) else None
    return None


def files():
    """(source path, board path) of what goes to the board and is written here."""
    return [
        (source, path) for source, path in board_files(ROOT) if path.endswith(".py") and not path.startswith("lib/")
    ]


def test_every_room_is_among_the_files():
    paths = [path for _, path in files()]
    for wanted in ("boot.py", "code.py", "engine/position.py", "hal/circuitpython.py", "firmware/app.py"):
        assert wanted in paths
    assert not any("simulated" in path or "terminal" in path for path in paths)


def test_every_file_uses_only_what_the_board_has():
    found = []
    for source, path in files():
        room = path.split("/")[0] if "/" in path else ""
        found += ["%s %s" % (path, text) for text in complaints(source.read_text(encoding="utf-8"), room)]
    assert not found, "\n".join(found)


def tuples(source):
    """Where `a, b, c = x, y, z` makes a tuple for nothing, a list of "line N: …" texts: CircuitPython's compiler knows
    how to do without one for two values only, three or more take 32 bytes of the heap each time.

    Left out is what runs once for an object that is made meanwhile: outside of loops in `__init__`, in a generator and
    in a function that makes an object of a class or a buffer.
    """
    found = []
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, (ast.FunctionDef, ast.Lambda)):
            inside = list(ast.walk(function))
            makes = getattr(function, "name", "") == "__init__" or any(map(makes_an_object, inside))
            loops = [node for node in inside if isinstance(node, (ast.For, ast.While))]
            for node in {id(node): node for part in (loops if makes else inside) for node in ast.walk(part)}.values():
                if isinstance(node, ast.Assign) and isinstance(node.value, (ast.Tuple, ast.List)):
                    if isinstance(node.targets[0], (ast.Tuple, ast.List)) and len(node.value.elts) > 2:
                        found.append("line %d: %s" % (node.lineno, ast.unparse(node)))
    return found


def makes_an_object(node):
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id[0].isupper() or node.func.id in ("array", "bytearray", "bytes", "list")
    return isinstance(node, (ast.Yield, ast.YieldFrom))


def test_nothing_that_runs_while_a_game_is_shown_makes_a_tuple_of_what_it_assigns():
    found = []
    for source, path in files():
        found += ["%s %s" % (path, text) for text in tuples(source.read_text(encoding="utf-8"))]
    assert not found, "\n".join(found)


GARBAGE = (
    "def f():\n    a, b, c = x, y, z",
    "class A:\n    def draw(self):\n        [self.a, self.b, self.c] = [1, 2, x]",
    "def f():\n    for i in x:\n        if i:\n            a, b, c = i, i, i",
    "class A:\n    def __init__(self):\n        while x:\n            a, b, c, d = x, x, x, x",
    "def f():\n    yield\n    while True:\n        a, b, c = x, y, z\n        yield",
    "def f():\n    x = Lots(1)\n    for i in x:\n        a, b, c = i, i, i",
)
NO_GARBAGE = (
    "A, B, C = 1, 2, 3",
    "def f():\n    a, b = b, a",
    "def f():\n    a, b, c = x",
    "def f():\n    a = x, y, z",
    "class A:\n    def __init__(self):\n        self.a, self.b, self.c = x, y, z",
    "def f():\n    a, b, c = x, y, z\n    while True:\n        yield a",
    "def f():\n    a, b, c = bytearray(x), bytearray(y), bytearray(z)",
)


@pytest.mark.parametrize("source", GARBAGE)
def test_a_tuple_that_is_made_to_be_unpacked_is_told(source):
    assert len(tuples(source)) == 1


@pytest.mark.parametrize("source", NO_GARBAGE)
def test_what_makes_no_tuple_or_runs_once_is_let_through(source):
    assert tuples(source) == []


def test_every_file_compiles_on_micropython(unix):
    names = [str(source) for source, _ in files()]
    code = "for name in %r:\n    compile(open(name).read(), name, 'exec')\nprint('compiled')" % (names,)
    assert unix.run(code) == "compiled\n"


def test_the_drive_holds_settings_and_libraries():
    paths = [path for _, path in board_files(ROOT)]
    assert "settings.toml" in paths
    assert {"lib/neopixel.py", "lib/adafruit_debouncer.py", "lib/adafruit_ticks.py"} <= set(paths)


WRONG = {
    "import typing": "import typing",
    "import enum": "import enum",
    "from dataclasses import dataclass": "from dataclasses import",
    "import functools": "import functools",
    "from . import sibling": "from . import",
    "from micropython import native": "from micropython import native",
    "from collections import ChainMap": "from collections import ChainMap",
    "import tools.node": "import tools.node",
    "def f(a, /): pass": "positional-only",
    "x = [*a, *b]": "[*a]",
    "x = (*a, 1)": "[*a]",
    "x = {**a}": "{**a}",
    "f(*a, *b)": "two *arguments",
    "match x:\n    case 1: pass": "Match",
    "x = 1 << 30": "beyond 31 bits",
    "x = 0x40000000": "beyond 31 bits",
    "x = -(1 << 30) - 1": "beyond 31 bits",
    "x = y & 0xFFFFFFFF": "beyond 31 bits",
    "t = '7'.zfill(2)": ".zfill",
    "n = x.bit_count()": ".bit_count",
    "b = data[::-1]": "slice with a step",
    "class A(metaclass=B): pass": "class with keywords",
    "class E(ValueError):\n    def __init__(self): ValueError.__init__(self, 1)": "super().__init__",
}


@pytest.mark.parametrize("source", WRONG)
def test_what_is_not_there_is_told(source):
    found = complaints(source)
    assert len(found) == 1 and WRONG[source] in found[0]


RIGHT = (
    "from micropython import const\nX = const((1 << 30) - 1)\nY = -(1 << 30)",
    "import array\nfrom engine.position import Position\nimport supervisor",
    "a, *b = c\nf(*a)\nf(**k)",
    "x: int = 3\nif (n := 4) > 3: pass\ny = f'{n}'",
    "def g():\n    yield from h()",
    "async def f(): pass",
)


@pytest.mark.parametrize("source", RIGHT)
def test_what_is_there_is_let_through(source):
    assert complaints(source) == []


def test_the_game_knows_no_hardware_and_the_hardware_no_game():
    assert complaints("import supervisor", "engine")
    assert complaints("import time", "engine")
    assert complaints("from engine.position import Position", "hal")
