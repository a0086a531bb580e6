# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""What is loaded for a while; this table too."""

# Scenes that are loaded when they are shown and forgotten when another is: the modules that go with one, the last of
# them with its class. The heap has no room for all; those of a game itself, play and pause, are always there.
OVERLAYS = {
    "start": "firmware.scenes.start",
    "resume": "firmware.scenes.start",
    "attract": "engine.lots engine.catalogue firmware.variations firmware.scenes.start",
    "setup": "firmware.puzzles firmware.variations firmware.scenes.setup",
    "lots": "engine.lots engine.opening firmware.variations firmware.scenes.setup",
    "puzzles": "firmware.puzzles firmware.variations engine.lots engine.catalogue firmware.scenes.puzzles",
    "lights": "firmware.scenes.switches",
    "result": "firmware.scenes.ends",
    "score": "firmware.scenes.ends",
    "ready": "firmware.scenes.ends",
    "diagnostics": "firmware.scenes.diagnostics",
}
# What serves for a moment and is forgotten after it.
PASSING = (
    "hal.pieces "
    "engine.catalogue engine.clock engine.lots engine.notation engine.opening engine.rating engine.search_tables "
    "engine.search_ends engine.search_pop_tables engine.search_worths "
    "engine.book engine.extras engine.plain engine.search_pop "  # these serve the game that is on until the next begins
    "engine.refusals firmware.clocks firmware.overlays firmware.palettes firmware.puzzles firmware.recall "
    "firmware.rewrite firmware.settings firmware.setups firmware.strays firmware.variations firmware.words"
)
