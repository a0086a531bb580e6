# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Rating of people against the engine, in ints. Needed at the end of a match only, so it stands for itself."""

STRENGTHS = (0, 800, 1000, 1200, 1450, 1700, 2000)  # by level; 1000: a beginner who sees one move ahead
K = 40  # Elo's K: quick, because few matches are played

# Expected score in thousandths at differences of 0, 50, ... 800 points: 1000 / (1 + 10 ** (-d / 400)), A. Elo, "The
# Rating of Chessplayers" (1978), in its logistic form. A table because the chip's floats would allocate.
_EXPECTED = (500, 571, 640, 703, 760, 808, 849, 882, 909, 930, 947, 960, 969, 977, 982, 987, 990)


def expected(a, b):
    """Expected score, in thousandths of a game, of a player rated ``a`` against one rated ``b``."""
    d = abs(a - b)
    if d >= 800:
        high = _EXPECTED[16]
    else:
        low = _EXPECTED[d // 50]
        high = low + ((_EXPECTED[d // 50 + 1] - low) * (d % 50) + 25) // 50
    return high if a >= b else 1000 - high


def new_rating(rating, opponent, points, k, games=1):
    """``rating`` after ``games`` games against ``opponent`` that brought ``points`` half points; ``k`` as Elo's K.
    Stays within 0 .. 4000."""
    gain = k * (500 * points - games * expected(rating, opponent))
    return max(0, min(4000, rating + (gain + 500) // 1000))
