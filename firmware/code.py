# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Wires the parts together and runs them for ever."""

import gc
import os

PARTS = (
    "engine.search",
    "engine.notation",
    "firmware.scenes.scene",
    "firmware.store",
    "firmware.game",
    "firmware.console",
    "firmware.scenes.play",
    "firmware.scenes.setup",
    "firmware.app",
)
SPARK = 0x040404

try:
    from firmware import settings
    from hal.circuitpython import open_board

    chosen = settings.load(os.getenv)
    board = open_board(chosen)
    # Every module is compiled here on the board, in some seconds: the bottom row fills meanwhile. The garbage of each
    # is collected at once, so that what stays lies close together.
    for column, part in enumerate(PARTS):
        board.pixels[board.wire[6 * column]] = SPARK
        board.pixels.show()
        module = __import__(part, None, None, ("",))
        if column == 0:  # its large blocks while the heap is still whole
            search = module.Search(1024 * chosen.table_kb)
        gc.collect()

    from firmware.app import App

    app = App(board, chosen, search)
except (ImportError, SyntaxError, MemoryError) as fault:  # files that are missing or torn
    from firmware import incomplete

    incomplete.show(repr(fault))

while True:
    app.step()
