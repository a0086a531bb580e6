# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Options that several commands share: the variation, the effort of a search, whole numbers with bounds."""

import argparse

from engine.catalogue import NAMES, POP_BOTH
from engine.levels import LEVELS
from engine.opening import draw
from engine.variation import make

LEVEL_MAX = len(LEVELS) - 1
MAX_NODES = (1 << 30) - 1


class OptionError(Exception):
    """Options that do not go together; the text is one line for the person."""


def whole(lowest, highest):
    """An argparse type: a whole number from lowest to highest, with a message that says so."""

    def parse(text):
        # as in a record: no sign, no underscore, no digits of other scripts, and none of thousands of places
        value = int(text) if text.isascii() and text.isdigit() and len(text) < 20 else None
        if value is None or not lowest <= value <= highest:
            raise argparse.ArgumentTypeError("'%s' is not a whole number from %d to %d" % (text[:40], lowest, highest))
        return value

    return parse


def settle(args, rows):
    """Give options their defaults; one line on the first that was given where it means nothing, else None. What was
    settled once may be settled again.

    ``rows``: (name, default, whether it means something here, what it is for); the parser's own default of each is None
    (False for a switch).
    """
    for name, default, means, purpose in rows:
        given = getattr(args, name) is not None and getattr(args, name) is not False
        if means and not given:
            setattr(args, name, default)
        elif given and not means:
            return "--%s is for %s" % (name.replace("_", "-"), purpose)
    return None


def add_variation(parser):
    """``--variation``, ``--pop`` and what else a row of the table of variations takes."""
    parser.add_argument("--variation", choices=NAMES, metavar="NAME", help="%s (default five)" % ", ".join(NAMES))
    parser.add_argument("--pop", action="store_true", help="discs of one's own may be popped out of the bottom row")
    parser.add_argument("--mirror", action="store_true", help="the side columns of five mirrored")
    parser.add_argument("--random", action="store_true", help="the first four plies by lot (five, classic)")
    parser.add_argument("--pop-both", choices=POP_BOTH, help="who wins when a pop leaves lines of both (default mover)")
    parser.add_argument("--seed", type=whole(0, MAX_NODES), metavar="N", help="seed of the lots that a variation draws")


def names_variation(args):
    """True if the person named any option of the variation."""
    return bool(args.variation or args.pop or args.mirror or args.random or args.pop_both or args.seed is not None)


def variation(args):
    """The Variation that the options name. Raises OptionError where they do not go together."""
    try:
        return make(
            args.variation or "five",
            pop=args.pop,
            seed=args.seed,
            mirror=args.mirror,
            pop_both=args.pop_both or "mover",
            random=args.random,
        )
    except ValueError as error:
        raise OptionError(str(error)) from None


def opening(variation, search):
    """The plies that ``variation`` draws by lot, as bytes; none where it draws no plies."""
    return list(draw(variation, search))[-1] if variation.opening else b""


def add_effort(parser, level=LEVEL_MAX):
    """``--level`` and ``--nodes``; level is the default of the former."""
    parser.add_argument(
        "--level",
        type=whole(1, LEVEL_MAX),
        default=level,
        metavar="N",
        help="1 to %d, as on the board (default %d)" % (LEVEL_MAX, level),
    )
    parser.add_argument("--nodes", type=whole(0, MAX_NODES), metavar="N", help="a node budget in place of a level's")


def think(search, position, level, nodes=0):
    """Search to the end; the Search object holds the answer afterwards."""
    search.start(position, level, nodes=nodes or 0)
    while not search.step(1000):
        pass
    return search
