# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The emulated board's serial line as a pseudo-terminal or a TCP port: those of the simulated board, for bytes."""

from hal import simulated_port


class _Bytes:
    """What the chip prints goes out as it is: a tool's protocol is not text."""

    def _printed(self, data):
        if self._listens() and len(self._waiting) + len(data) <= self.KEPT:
            self._waiting += data


class PseudoTerminal(_Bytes, simulated_port.PseudoTerminal):
    """A pseudo-terminal; `name` is the device to open."""


class TcpPort(_Bytes, simulated_port.TcpPort):
    """A port on 127.0.0.1; `name` as pySerial takes it."""
