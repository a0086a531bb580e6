# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Imported by the code under test inside MicroPython: what an action takes from the heap."""

import gc


def allocated(action):
    """Bytes that ``action()`` takes from the heap, garbage included: the collector stands still meanwhile."""
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    action()
    after = gc.mem_alloc()
    gc.enable()
    return after - before
