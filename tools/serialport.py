# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The simulated board's serial line for other programs: ``play --serial pty`` or ``play --serial 4711``."""

import os

from tools import options


class PortError(Exception):
    """The port cannot be had; the text is one line for the person."""


def checked(text):
    """An argparse type: ``pty`` or the number of a TCP port on this computer, 0 for a free one."""
    import argparse

    if text == "pty":
        if os.name != "posix":
            raise argparse.ArgumentTypeError("there are no pseudo-terminals here: name a TCP port, such as 4711")
        return text
    try:
        return options.whole(0, 65535)(text)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError("'%s' is neither pty nor a TCP port, 0 to 65535" % text[:40]) from None


def opened(sim, kind):
    """The port of ``kind`` (as :func:`checked` gives it) at a Simulation's console: ``name``, ``pump()``, ``close()``.

    Raises PortError.
    """
    from hal import simulated_port

    try:
        return simulated_port.PseudoTerminal(sim) if kind == "pty" else simulated_port.TcpPort(sim, kind)
    except OSError as error:
        raise PortError("serial port %s cannot be had: %s" % (kind, error.strerror or error)) from None


def serve(step, port, seconds=None):
    """Run the board in real time until Ctrl-C (or for so many seconds, for tests); ``step`` does one of its rounds."""
    import time

    end = None if seconds is None else time.monotonic() + seconds
    try:
        while end is None or time.monotonic() < end:
            step()
            port.pump()
    except KeyboardInterrupt:
        pass
