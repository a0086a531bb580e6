# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""``render``: pictures of the board, still (PNG) and moving (GIF), from the frames that the firmware sends out.

The firmware runs on the simulated board's virtual clock; nothing is drawn by hand. ``--out`` may be given several
times; a name that ends in .txt takes the frames as text (tools/frames.py), of which ``--frames`` makes pictures again.
"""

import sys
from pathlib import Path

from tools import options
from tools.environment import ROOT

HELP = "pictures of a game record, of presses, or of every screen: PNG, GIF, frames as text"
EXTRAS = ()

PICTURES = ROOT / "tools" / "pictures"
GOLDEN = ROOT / "tests" / "data" / "frames"
SIZE_MIN, SIZE_MAX, SIZE = 80, 4000, 560  # width in pixels
SUFFIXES = (".png", ".gif", ".txt")
PAUSE_MS = 700
END_MS = 3000
FILM_EACH_MS = 80
PAGE_SIZE, TOP_SIZE, FILM_SIZE = 360, 560, 300  # of the README's pictures
FILM_FROM = 20  # the README's moving picture begins after so many moves of its game


class RenderError(Exception):
    """Something the person gave cannot be used; the text is one line."""


def add_arguments(parser):
    source = parser.add_mutually_exclusive_group()
    source.add_argument("record", nargs="?", help="a game: 'd d e c' or '[five pop] d d e c b-'")
    source.add_argument("--keys", metavar="KEYS", help="presses from power-on or --new on: '1 1 4 P'")
    source.add_argument("--look", metavar="NAME", help="one of the README's screens (--list)")
    source.add_argument("--frames", metavar="FILE", help="frames as text, as --out FILE.txt writes them")
    source.add_argument("--readme", action="store_true", help="make all of the README's pictures anew")
    source.add_argument("--golden", action="store_true", help="write the frames that the tests compare anew")
    source.add_argument("--list", action="store_true", help="list the looks and the palettes")
    parser.add_argument("--new", metavar="WORDS", help="with --keys: a game, such as 'five pop level 4'")
    parser.add_argument("--out", metavar="FILE", action="append", help="FILE.png, FILE.gif or FILE.txt; repeatable")
    parser.add_argument("--start", type=options.whole(0, 200), metavar="N", help="begin after N moves")
    parser.add_argument(
        "--size",
        type=options.whole(SIZE_MIN, SIZE_MAX),
        metavar="PIXELS",
        help="width of the picture, %d to %d (default %d)" % (SIZE_MIN, SIZE_MAX, SIZE),
    )
    parser.add_argument("--palette", metavar="NAME", help="another palette of the board (--list)")
    parser.add_argument(
        "--pause",
        type=options.whole(0, 10000),
        metavar="MS",
        help="time between two moves of a record (default %d)" % PAUSE_MS,
    )
    parser.add_argument("--no-letters", action="store_true", help="without the columns' letters")


def wrong(args):
    """One line on options that do not go together, else None."""
    one = not (args.list or args.readme or args.golden)
    record = (args.record is not None, "a record")
    return options.settle(
        args,
        [
            ("palette", None, one, "one picture"),
            ("size", SIZE, one, "one picture"),
            ("no_letters", False, one, "one picture"),
            ("start", 0, *record),
            ("pause", PAUSE_MS, *record),
        ],
    )


def run(args):
    try:
        if wrong(args):
            raise RenderError(wrong(args))
        if args.list:
            return show_list()
        if args.readme or args.golden:
            if args.out:
                raise RenderError("--out is for one picture: leave it out, or --readme and --golden")
            write_readme() if args.readme else write_golden()
            return 0
        outs = checked(args)
        frames, full, rhythm_ms = source_frames(args)
        for path in outs:
            write(path, frames, args.size, full, not args.no_letters, rhythm_ms)
        return 0
    except RenderError as error:
        print(error, file=sys.stderr)
        return 2
    except RuntimeError as error:  # the board took no input, or no rest came
        print(error, file=sys.stderr)
        return 1


def show_list():
    from firmware.palettes import PALETTES
    from tools.looks import LOOKS

    for look in LOOKS:
        print("%-12s %s" % (look.name, look.text))
    print("palettes: " + ", ".join(row[0] for row in PALETTES))
    return 0


def checked(args):
    """The files to write. Raises RenderError for what does not go together, before anything is done."""
    if args.record is None and args.keys is None and args.look is None and args.frames is None:
        raise RenderError("nothing to draw: give a record, --keys, --look, --frames or --readme (--help)")
    if args.new is not None and args.keys is None:
        raise RenderError("--new is for --keys: a record has its game in its header, such as '[five pop] d d'")
    if args.frames is not None and args.palette:
        raise RenderError("frames are taken as they are: leave out --palette")
    if not args.out:
        raise RenderError("no file to write: add --out board.png, board.gif or board.txt")
    outs = [Path(name) for name in args.out]
    for path in outs:
        if path.suffix.lower() not in SUFFIXES:
            raise RenderError("%s: the name must end in one of %s" % (path, " ".join(SUFFIXES)))
        if not path.parent.is_dir():
            raise RenderError("%s: there is no folder %s" % (path, path.parent))
    return outs


def source_frames(args):
    """(list of (time in us, 162 bytes), exposure or None, how long the last one stands). Raises RenderError."""
    from tools import looks, picture
    from tools.frames import from_text

    try:
        palette = looks.palette_index(args.palette) if args.palette else None
        if args.frames is not None:
            frames = from_text(Path(args.frames).read_text(encoding="utf-8"))
        elif args.look is not None:
            frames = looks.frames_of(looks.named(args.look), palette)
        elif args.keys is not None:
            frames = keys_frames(args.new or "", args.keys, palette)
        else:
            frames = record_frames(args.record, args.start, palette, args.pause)
    except OSError as error:
        raise RenderError("%s cannot be read: %s" % (args.frames, error.strerror)) from None
    except UnicodeDecodeError:
        raise RenderError("%s is no text" % args.frames) from None
    except ValueError as error:
        raise RenderError("%s: %s" % (args.frames, error) if args.frames is not None else str(error)) from None
    return frames, picture.exposure([frame for _, frame in frames]), 1000


def keys_frames(begin, keys, palette):
    """The frames of a script of presses, and of a moment after it."""
    from tools.looks import Stage

    stage = Stage(begin, palette=palette)
    stage.press(keys)
    stage.run_ms(PAUSE_MS)
    return stage.sim.frames


def record_frames(text, start, palette, pause_ms):
    """The frames of a game, from after its first ``start`` moves to three seconds after its last. Raises ValueError."""
    from engine.match import Setup
    from engine.notation import parse_record, play_all
    from engine.position import new_position
    from tools.looks import Stage

    variation, moves = parse_record(text)
    play_all(new_position(variation), moves)  # the whole game is checked before the first frame
    if start > len(moves):
        raise ValueError("--start %d: the game has %d moves" % (start, len(moves)))
    setup = Setup(variation, 0, -1, False)
    start = max(start, min(len(moves), variation.opening))  # the lot is in the record: it is not drawn anew
    stage = Stage(setup=setup, given=moves[:start], palette=palette)
    if variation.opening and not moves:
        stage.wait(lambda: stage.app.scene == "play", "a fair opening")
    stage.run_ms(pause_ms)
    stage.play(moves[start:], pause_ms)
    stage.run_ms(END_MS)
    return stage.sim.frames


def painter(size, full, letters=True):
    """A tools.picture.Painter of pictures about ``size`` pixels wide."""
    from tools import picture

    return picture.Painter(max(picture.PITCH_MIN, round(size / picture.PITCHES_WIDE)), full, letters)


def write(path, frames, size, full, letters=True, end_ms=1000):
    """Write frames to a file, in the way that its name says. Raises RenderError if it cannot be written."""
    from tools import picture
    from tools.frames import to_text

    kind = path.suffix.lower()
    try:
        if kind == ".txt":
            path.write_text(to_text(frames), encoding="utf-8")
        elif kind == ".png":
            image = picture.indexed(painter(size, full, letters).draw(frames[-1][1]))
            image.save(path, format="PNG", optimize=True)
        else:
            images, lasts = picture.film(frames, painter(size, full, letters), end_ms, FILM_EACH_MS)
            images[0].save(
                path, format="GIF", save_all=True, append_images=images[1:], duration=lasts, loop=0, optimize=True
            )
    except OSError as error:
        raise RenderError("%s cannot be written: %s" % (path, error.strerror or error)) from None


def write_readme(folder=PICTURES):
    """All of the README's pictures but the case's: play, still and moving, every page and screen, and the diagrams."""
    from tools import architecture, looks, picture, pins, wiring

    folder.mkdir(parents=True, exist_ok=True)
    for look in looks.LOOKS:
        if not look.film_ms:
            frames = looks.frames_of(look)
            write(folder / (look.name + ".png"), frames, PAGE_SIZE, None)
    frames = record_frames(looks.WIN_GAME, FILM_FROM, None, PAUSE_MS)
    full = picture.exposure([frame for _, frame in frames])
    write(folder / "game.gif", frames, FILM_SIZE, full, True, 600)
    frames = looks.frames_of(looks.named("win"))
    write(folder / "board.png", frames, TOP_SIZE, full)
    (folder / "wiring.svg").write_text(wiring.svg(pins.read()), encoding="utf-8")
    (folder / "architecture.svg").write_text(architecture.svg(architecture.imports()), encoding="utf-8")
    for path in sorted(folder.glob("*.*")):
        print("%4d KB  %s" % (path.stat().st_size // 1024, path.relative_to(ROOT) if ROOT in path.parents else path))


def write_golden(folder=GOLDEN):
    """The frames of every look, as the tests compare them."""
    from tools import looks
    from tools.frames import to_text

    folder.mkdir(parents=True, exist_ok=True)
    for look in looks.LOOKS:
        text = "# %s\n" % look.text + to_text(looks.frames_of(look))
        (folder / (look.name + ".txt")).write_text(text, encoding="utf-8")
    print("%d looks in %s: see the difference with git diff" % (len(looks.LOOKS), folder))
