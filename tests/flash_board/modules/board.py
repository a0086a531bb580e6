# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Stand-in of CircuitPython's `board`: pins are their names."""

GP0, GP1, GP2, GP3 = "GP0", "GP1", "GP2", "GP3"
