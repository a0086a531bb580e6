# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The power goes at every byte that the whole firmware writes in a match; the board comes back where it was."""

import pytest

from engine.match import Setup
from engine.notation import record
from firmware import settings
from firmware.app import App
from firmware.scenes.start import restore
from firmware.store import RATING, STATS
from firmware.variations import variation
from hal.simulated import PowerCut, Simulation


def power_on(nvm=None):
    sim = Simulation(nvm=nvm, record=False)
    chosen = settings.load(sim.getenv)
    board = sim.open_board(chosen)
    return sim, App(board, chosen)


def steps(app, setup):
    """A match as calls of the app, as buttons and lines make them: the person wins, then resigns the second game."""
    now = 0
    game = app.game
    yield lambda: game.start(setup, now, 5)
    for move in (3, 4, 3, 4, 3, 4, 3, 4):
        yield lambda move=move: game.play(move, now)
    yield lambda: game.take_back()
    for move in (3, 4, 3):  # five in a column: the game's result follows at once
        yield lambda move=move: game.play(move, now)
    yield lambda: game.next_game(now)
    for move in (0, 1, 0):
        yield lambda move=move: game.play(move, now)
    yield lambda: app.store.put(0, 2)
    yield lambda: game.resign(False)


def state(app):
    """What the board knows of the match."""
    game = app.game
    words = (app.store.get(RATING), app.store.get(0), tuple(app.store.get(STATS + i, 0) for i in range(3, 21)))
    if game.match is None or game.match.over or game.demo:
        return None, words
    match = game.match
    clocks = tuple(game.clock.left_ms) if game.clock else None
    return (record(game.position), match.game, match.score_text(), match.finished, match.rated, clocks), words


def come_back(nvm):
    _, app = power_on(bytes(nvm.data))
    if app.saved:
        restore(app.game, app.saved, 0)
    return app


@pytest.mark.parametrize("bank_ms", [0, 300000], ids=["no clock", "clock"])
def test_the_power_goes_at_every_byte_of_a_match(bank_ms):
    setup = Setup(variation(power_on()[1], "five", 0, 1), 2, 1, bank_ms=bank_ms, increment_ms=2000)
    sim, app = power_on()
    states = [state(app)]
    for step in steps(app, setup):
        step()
        states.append(state(app))
    assert states[-1][0] is None and states[-1][1][2][3:6] == (1, 0, 1)  # one lost, one won against level 2
    total = sim.nvm.bytes_written
    assert sim.nvm.erases == 0 and total > 60
    resigned_or_over = 0
    for cut in range(0, total, 3 if bank_ms else 1):
        sim, app = power_on()
        sim.nvm.cut_after = cut
        sim.nvm.torn_mask = (0xFF, 0x0F, 0xF0, 0x55)[cut % 4]
        number = -1
        with pytest.raises(PowerCut):
            for step in steps(app, setup):
                number += 1
                step()
        again = come_back(sim.nvm)
        known = state(again)
        if number == 0:
            assert known[0] in (None, states[1][0])
            continue
        right = [states[number], states[number + 1]]
        if states[number + 1][0] and states[number + 1][0][3] and not states[number][0][3]:
            resigned_or_over += 1  # the last move may be there without its result: then the result is found again
        if step.__defaults__ is None and number == 9:  # a turn against the engine is taken back ply by ply
            assert known[0][:3] in [(record_of(states, number, plies), 0, "0:0") for plies in (0, 1, 2)]
            continue
        assert known in right, (cut, number)
    assert resigned_or_over > 1


def record_of(states, number, plies):
    moves = states[number][0][0].split(" ")
    return " ".join(moves[: len(moves) - plies])
