# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Processes that work for a command and end with it."""

import contextlib
import multiprocessing
import signal


def _start(begin, arguments):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if begin:
        begin(*arguments)


@contextlib.contextmanager
def pool(jobs, begin=None, arguments=()):
    """A multiprocessing Pool of ``jobs`` processes (None: one a core); each calls ``begin(*arguments)`` first.

    Ctrl-C is the parent's, which ends the others: they do not hear it, not even while they start. Spawned, since that
    is the same on every system and leaves no half-copied state.
    """
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is started now begins with it
    try:
        made = multiprocessing.get_context("spawn").Pool(jobs, _start, (begin, arguments))
    finally:
        signal.signal(signal.SIGINT, before)
    with made:
        yield made
