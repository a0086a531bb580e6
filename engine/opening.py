# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The first plies by lot, fair to both sides (RULES.md, `random`)."""

from engine.lots import Lots
from engine.position import new_position

PLIES = 4  # of an opening that is looked up
_SOON = 5  # elsewhere neither side may be able to force a win within so many plies

# Of five without pops exact values are known, and only draws are drawn: a bit for each of 7**4 openings, five in each
# sign, the lowest first, counted from "0". Made by `python3 -m tools openings build`.
_FAIR = (
    b"0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    b"00000000000000000000000000000000000000000L?0000000=O70000000:O300000085O10000004MO0000000<L?0000000;"
    b"N7000000HO80000000L?50000000H038000000GC?:00000@OA1000000HO80000000L?40000000000000000000000000000@0"
    b"0000000080000000004000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    b"000000000000000000000000000000800000000000000000000000000004000000000000000000000"
)


def index_of(moves, mirror):
    """The place of an opening's ``PLIES`` moves in the table; mirrored side columns mirror the opening."""
    index = 0
    for move in moves:
        index = 7 * index + (6 - move if mirror else move)
    return index


def is_fair(moves, mirror):
    """Whether these ``PLIES`` drops of five are known to leave a draw."""
    index = index_of(moves, mirror)
    return _FAIR[index // 5] - 48 >> index % 5 & 1 == 1


def draw(variation, search):
    """Generator that draws ``variation.opening`` plies from its seed and yields between slices of work.

    Yields None while it works, at least twice, and at last the moves, a bytes. What is drawn depends on the seed and
    the rules alone. ``search``: a Search; where the exact values are not known (all but five without pops) it says
    whether a side could force a win within five plies. An opening that is not fair is drawn anew.
    """
    from engine.search import SLICE_NODES

    lots = Lots(variation.seed)
    position = new_position(variation)
    solved = variation.need == 5 and not variation.pop
    yield None
    while True:
        position.reset()
        while position.ply < variation.opening:
            move = variation.moves[lots.below(len(variation.moves))]
            if position.is_legal(move):
                position.play(move)
        moves = bytes(position.moves[: position.ply])
        yield None
        if solved:
            fair = is_fair(moves, variation.mirror)
        else:
            search.start(position, 6, 0, 1 << 20)
            while search.depth < _SOON:
                if search.step(SLICE_NODES):
                    break
                yield None
            fair = abs(search.score) < 1000 - _SOON
        if fair:
            yield moves
            return
