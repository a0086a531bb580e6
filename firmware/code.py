# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Wires the parts together and runs them for ever."""

import os

try:
    from engine.search import Search
    from firmware import settings

    chosen = settings.load(os.getenv)
    search = Search(1024 * chosen.table_kb)  # its large blocks first, while the heap is still whole

    from firmware.app import App
    from hal.circuitpython import open_board

    app = App(open_board(chosen), chosen, search)
except (ImportError, SyntaxError, MemoryError) as fault:  # files that are missing or torn
    from firmware import incomplete

    incomplete.show(repr(fault))

while True:
    app.step()
