# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Wires the parts together and runs them for ever."""

import os

try:
    from firmware import settings
    from firmware.app import App
    from hal.circuitpython import open_board

    chosen = settings.load(os.getenv)
    app = App(open_board(chosen), chosen)
except (ImportError, SyntaxError, MemoryError) as fault:  # files that are missing or torn
    from firmware import incomplete

    incomplete.show(repr(fault))

while True:
    app.step()
