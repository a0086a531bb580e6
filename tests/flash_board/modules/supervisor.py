# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Stand-in of CircuitPython's `supervisor`."""


class runtime:
    autoreload = True
