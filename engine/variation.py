# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""A variation as the rules need it, and the numbers that all rooms share."""

# Cells are numbered as the LEDs lie: ``cell = 6 * column + row``, column 0 .. 8 from the left, row 0 .. 5 from below.
# The free columns a .. g are LED columns 1 .. 7 in every variation::
#
#     row 5   5  11  17  23  29  35  41  47  53
#     ...
#     row 1   1   7  13  19  25  31  37  43  49
#     row 0   0   6  12  18  24  30  36  42  48
#            (0)  a   b   c   d   e   f   g  (8)     (0) and (8): the side columns of `five`, status elsewhere

RED, YELLOW, GREEN, DRAW = 0, 1, 2, 3  # colours in the order of play; DRAW is a result only
COLUMNS, ROWS, FIRST = 9, 6, 1  # the LED matrix, and the LED column of column a


class Variation:
    """What the rules need to know of one game; made by :func:`make`, never changed afterwards."""

    # ``name``, ``pop``, ``seed`` (None where no lots are drawn), ``mirror``, ``pop_both``, ``random``: make's own.
    # ``rows``, ``free``: the free columns' height and number. ``left``, ``width``: the LED columns of the grid.
    # ``need``: length of a line. ``sides``: 1 where the two outer columns stand full of discs that count.
    # ``wrap``: the edges are joined. ``misere``: a line loses. ``stones``: tuple of blocked cells. ``opening``: plies
    # drawn by lot. ``draws_lots``: whether a seed matters. ``colours``, ``seats``: colours, and who take turns.
    # ``max_plies``: 0, or the ply that ends the game. ``capacity``: discs that fit the free columns. ``moves``: tuple
    # of every move that may ever be legal. ``collect``: discs to collect, 0 where a line decides. ``extra``: class of
    # its positions in engine/extras.py, "" for the ordinary one. ``book``, ``worths``: its files in engine/ for the
    # search, "" where it has none. ``line_cells``: bytes, ``need`` cells for each of the ``line_count`` lines, each
    # line once, from left to right and upwards, none through a stone.

    @property
    def lines(self):
        """The lines one after the other, each a tuple of ``need`` cells."""
        for at in range(0, len(self.line_cells), self.need):
            yield tuple(self.line_cells[at : at + self.need])

    def side_colour(self, cell):
        """Colour of a disc in a full side column: Red at the bottom left, alternating, ends of a row opposite."""
        return (cell % 6 + (1 if cell >= 48 else 0) + self.mirror) & 1

    def header(self):
        """The header of a record that makes it replayable, such as ``[five pop]``."""
        return self.head


def make(name, pop=False, seed=None, mirror=False, pop_both="mover", random=False):
    """The variation ``name`` with its options, by engine/catalogue.py, which the board loads only meanwhile."""
    from engine import catalogue

    return catalogue.make(name, pop, seed, mirror, pop_both, random)
