# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``architecture``: a picture (SVG) of what imports what among the files of the board, read from those files."""

import ast
import sys
from pathlib import Path

from tools.environment import ROOT

HELP = "draw what imports what on the board (SVG), from the files themselves"
EXTRAS = ()

PICTURE = ROOT / "tools" / "pictures" / "architecture.svg"
ROOMS = {"firmware": "#2d6cc0", "engine": "#1f8a4c", "hal": "#c2551f"}
SAYS = {
    "firmware": "turns presses into frames: the only place where game and board meet",
    "engine": "the game itself: no clock, no printing, no hardware",
    "hal": "pins, pixels, buttons, time: no game",
}
DESKTOP = ("hal.simulated", "hal.simulated_port", "hal.terminal")  # stay off the board
BOX, BOX_HEIGHT, GAP_X, GAP_Y, PAD = 132, 30, 16, 50, 24
HEAD, TITLE, SPACE = 60, 64, 40
BOXES_WIDE = {"firmware": 8, "engine": 5, "hal": 2}


def add_arguments(parser):
    parser.add_argument("--out", metavar="FILE.svg", help="default %s" % PICTURE.relative_to(ROOT))


def run(args):
    path = Path(args.out) if args.out else PICTURE
    try:
        path.write_text(svg(imports()), encoding="utf-8")
    except OSError as error:
        print("%s cannot be written: %s" % (path, error.strerror), file=sys.stderr)
        return 2
    print(path)
    return 0


def imports(root=ROOT):
    """Module name -> {name of a module that it imports: True if only when it is needed} of the board's files.

    A module that is loaded by name counts as well, if its file has a table OVERLAYS of them.
    """
    names = {}
    for which in ROOMS:
        for path in sorted((root / which).rglob("*.py")):
            name = ".".join(path.relative_to(root).with_suffix("").parts)
            if path.name != "__init__.py" and name not in DESKTOP:
                names[name] = path
    found = {}
    for name, path in names.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        at_once = set(map(id, at_start(tree.body)))
        found[name] = {}
        for node in ast.walk(tree):
            for other in imported(node):
                if other in names and other != name:
                    later = id(node) not in at_once
                    found[name][other] = found[name].get(other, True) and later
    return found


def at_start(body):
    """The statements that run when the module is loaded."""
    for node in body:
        yield node
        for part in ("body", "orelse", "handlers", "finalbody"):
            if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                yield from at_start(getattr(node, part, []))


def imported(node):
    """Full names that an import statement, or a table of overlays, may mean."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [node.module] + ["%s.%s" % (node.module, alias.name) for alias in node.names]
    if isinstance(node, ast.Assign) and any(getattr(target, "id", "") == "OVERLAYS" for target in node.targets):
        texts = [part.value for part in ast.walk(node.value) if isinstance(part, ast.Constant)]
        return ["firmware.scenes.%s" % text for text in texts]
    return []


def reduced(graph):
    """Without the imports that follow from others: what is left says the same with fewer lines."""

    def reachable(start, without):
        """Modules that ``start`` comes to by imports, not by way of ``without``."""
        seen, waiting = set(), [start]
        while waiting:
            for other in graph[waiting.pop()]:
                if other not in seen and other != without:
                    seen.add(other)
                    waiting.append(other)
        return seen

    return {
        name: {
            other: later
            for other, later in others.items()
            if not any(other in reachable(third, name) for third in others if third != other)
        }
        for name, others in graph.items()
    }


def levels(graph):
    """Module -> how many imports deep it stands in its own room: 0 for one that nothing there imports."""
    importers = {
        name: [other for other in graph if name in graph[other] and room(other) == room(name)] for name in graph
    }
    level = {}

    def depth(name, trail=()):
        if name not in level:
            above = [depth(other, trail + (name,)) for other in importers[name] if other not in trail]
            level[name] = 1 + max(above) if above else 0
        return level[name]

    for name in graph:
        depth(name)
    return level


def room(name):
    """The room that a module is in."""
    return name.partition(".")[0]


def rows_of(graph, which, level):
    """The modules of a room in rows, each near those that import it."""
    rows = []
    middle = {}
    for number in range(1 + max(level[name] for name in graph if room(name) == which)):
        mine = [name for name in graph if room(name) == which and level[name] == number]

        def wish(name):
            above = [middle[other] for other in graph if name in graph[other] and other in middle]
            return (sum(above) / len(above) if above else 0.5, name)

        mine.sort(key=wish)
        for at, name in enumerate(mine):
            middle[name] = (at + 0.5) / len(mine)
        wide = BOXES_WIDE[which]
        rows += [mine[start : start + wide] for start in range(0, len(mine), wide)]
    return rows


def places(graph):
    """(module -> (x, y) of its box's middle, room -> (x, y, width, height), (width, height) of all)."""
    level = levels(graph)
    spots, panels = {}, {}
    x, y, low = SPACE, TITLE, 0
    for which in ROOMS:
        width = 2 * PAD + BOXES_WIDE[which] * (BOX + GAP_X) - GAP_X
        rows = rows_of(graph, which, level)
        height = HEAD + len(rows) * (BOX_HEIGHT + GAP_Y) - GAP_Y + PAD
        panels[which] = (x, y, width, height)
        for number, row in enumerate(rows):
            share = (width - 2 * PAD) / len(row)
            for at, name in enumerate(row):
                spots[name] = (x + PAD + share * (at + 0.5), y + HEAD + number * (BOX_HEIGHT + GAP_Y) + BOX_HEIGHT / 2)
        if which == "firmware":
            y += height + SPACE
        else:
            x += width + SPACE
        low = max(low, panels[which][1] + height)
    right = max(panel[0] + panel[2] for panel in panels.values())
    return spots, panels, (right + SPACE, low + SPACE)


def svg(graph):
    """The picture as SVG text."""
    import drawsvg

    spots, panels, (width, height) = places(graph)
    sheet = drawsvg.Drawing(width, height, font_family="system-ui, sans-serif", id_prefix="a")
    sheet.append(drawsvg.Rectangle(0, 0, width, height, rx=12, fill="#ffffff"))
    sheet.append(drawsvg.Text("What imports what on the board", 20, SPACE, 34, fill="#22262b", font_weight="600"))
    note = "lines that follow from others are left out; dashed: loaded when it is needed"
    sheet.append(drawsvg.Text(note, 12, width - SPACE, 34, fill="#6a727c", text_anchor="end"))
    for which, (x, y, wide, high) in panels.items():
        ink = ROOMS[which]
        sheet.append(drawsvg.Rectangle(x, y, wide, high, rx=10, fill=ink, fill_opacity=0.07, stroke=ink))
        sheet.append(drawsvg.Text(which + "/", 16, x + 14, y + 24, fill=ink, font_weight="700"))
        sheet.append(drawsvg.Text(SAYS[which], 11.5, x + 14, y + 41, fill="#6a727c"))
    for name, others in sorted(reduced(graph).items()):
        for other, later in sorted(others.items()):
            sheet.append(line(drawsvg, name, other, spots, later))
    for name, (x, y) in sorted(spots.items()):
        short = name.partition(".")[2]
        box = drawsvg.Rectangle(
            x - BOX / 2,
            y - BOX_HEIGHT / 2,
            BOX,
            BOX_HEIGHT,
            rx=6,
            fill="#ffffff",
            stroke=ROOMS[room(name)],
            stroke_width=1.4,
        )
        box.append_title("%s imports %s" % (name, ", ".join(sorted(graph[name])) or "nothing of ours"))
        sheet.append(box)
        words = short.replace("scenes.", "scenes/")
        sheet.append(drawsvg.Text(words, 12, x, y + 4, fill="#22262b", text_anchor="middle", font_weight="600"))
    return sheet.as_svg() + "\n"


def line(drawsvg, name, other, spots, later):
    """A curve from a module to one that it imports."""
    (x, y), (to_x, to_y) = spots[name], spots[other]
    down = to_y > y
    y, to_y = y + (BOX_HEIGHT / 2 if down else -BOX_HEIGHT / 2), to_y + (-BOX_HEIGHT / 2 if down else BOX_HEIGHT / 2)
    bend = max(18, abs(to_y - y) * 0.45) * (1 if down else -1)
    strength = 0.6 if room(name) == room(other) else 0.22
    path = drawsvg.Path(
        fill="none", stroke=ROOMS[room(name)], stroke_width=1.3, stroke_opacity=strength,
        **({"stroke_dasharray": "5 4"} if later else {}),
    )  # fmt: skip
    path.M(x, y).C(x, y + bend, to_x, to_y - bend, to_x, to_y)
    path.append_title("%s imports %s%s" % (name, other, ", when it is needed" if later else ""))
    return path
