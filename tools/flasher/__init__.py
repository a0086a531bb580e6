# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Puts the firmware on a CircuitPython board and proves what is there (see tools/flash.py for the command)."""
