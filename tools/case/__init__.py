# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``case``: the enclosure to print, from one table of measures: checks that all fits, then STL, STEP, a picture."""

import sys
from pathlib import Path

from tools.environment import ROOT

HELP = "the case to print: check that the parts fit, write STL and STEP (--build DIR) and a picture"
EXTRAS = ("case",)

PICTURE = ROOT / "tools" / "pictures" / "case.png"
PICTURE_SIZE = (880, 620)


def add_arguments(parser):
    from tools.case.measures import MEASURES

    parser.add_argument("--build", metavar="DIR", help="write the parts there (default: only check)")
    parser.add_argument(
        "--picture", metavar="FILE.png", help="write a picture of the parts (README: %s)" % PICTURE.name
    )
    parser.add_argument(
        "--set",
        metavar="NAME=MM",
        action="append",
        default=[],
        help="another measure: %s" % ", ".join("%s=%g" % (name, MEASURES[name][0]) for name in MEASURES),
    )


def wrong(args):
    """One line on measures that cannot be had, None if they can: told before the CAD library is fetched."""
    from tools.case.measures import MeasureError, chosen

    try:
        chosen(args.set)
    except MeasureError as error:
        return str(error)
    return None


def run(args):
    from tools.case import fit, model
    from tools.case.measures import chosen

    measures = chosen(args.set)
    parts = model.parts(measures)
    problems = fit.problems(parts, measures)
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        return 1
    print("everything fits: %s" % ", ".join(name for name in parts if name in model.PRINTED))
    try:
        if args.build:
            write(parts, Path(args.build))
        if args.picture:
            from tools.case.picture import draw

            draw(model.exploded(parts, measures), PICTURE_SIZE).save(args.picture, format="PNG", optimize=True)
            print(args.picture)
    except OSError as error:
        print("%s cannot be written: %s" % (error.filename or args.build, error.strerror), file=sys.stderr)
        return 2
    return 0


def write(parts, folder):
    """STL and STEP of every printed part, lying as it is printed. Raises OSError."""
    from build123d import export_step, export_stl

    from tools.case import model

    folder.mkdir(parents=True, exist_ok=True)
    for name, count in model.PRINTED.items():
        lying = model.lying(name, parts[name])
        for suffix, export in ((".stl", export_stl), (".step", export_step)):
            path = folder / (name + suffix)
            if not export(lying, str(path)) or not path.stat().st_size:
                raise OSError(5, "the part could not be written", str(path))
        size = lying.bounding_box().size
        print("%2d × %-13s %3.0f × %3.0f × %4.1f mm" % (count, name, size.X, size.Y, size.Z))
