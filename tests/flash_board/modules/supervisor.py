# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Stand-in of CircuitPython's `supervisor`."""

import serial_in


class _Runtime:
    autoreload = True

    def __getattr__(self, name):
        if name == "serial_bytes_available":
            serial_in.look(0)
            return len(serial_in.waiting)
        raise AttributeError(name)


runtime = _Runtime()
