# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The simulated board's console as a pseudo-terminal or a TCP port of this computer, for programs that play against it
or watch it as they would a board on USB. Desktop only.

    port = PseudoTerminal(sim)      # POSIX; port.name is what a serial program opens
    port = TcpPort(sim, 0)          # everywhere; port.name is "socket://127.0.0.1:…", as pySerial writes it
    sim.run(lambda: (app.step(), port.pump()), …)
    port.close()
"""

import os
import socket


class _Port:
    """What the two have in common: bytes in, text out, and a reader that is slow or gone holds nothing up."""

    KEPT = 65536  # bytes for a reader that is slow; what comes on top is lost, as on the board
    AHEAD = 4096  # bytes that the board has not read yet: a sender that is quicker waits, as it does on USB

    def __init__(self, sim):
        self._sim = sim
        self._waiting = bytearray()
        self._chained = sim.on_print
        sim.on_print = self._printed

    def _printed(self, text):
        if self._chained:
            self._chained(text)
        data = text.replace("\n", "\r\n").encode()
        if self._listens() and len(self._waiting) + len(data) <= self.KEPT:
            self._waiting += data

    def pump(self):
        """Move what has come and what is to go; never waits. Call it once a step."""
        if len(self._sim.serial_pending) < self.AHEAD:
            data = self._receive()
            if data:
                self._sim.serial_in(data)
        if self._waiting:
            sent = self._send(bytes(self._waiting))
            del self._waiting[:sent]

    def close(self):
        self._sim.on_print = self._chained


class PseudoTerminal(_Port):
    """A pseudo-terminal; `name` is the device to open."""

    def __init__(self, sim):
        import pty
        import tty

        self._master, self._slave = pty.openpty()  # our own end of the slave stays open: programs come and go
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.name = os.ttyname(self._slave)
        super().__init__(sim)

    def _listens(self):
        return True

    def _receive(self):
        try:
            return os.read(self._master, 4096)
        except OSError:  # nothing there
            return b""

    def _send(self, data):
        try:
            return os.write(self._master, data)
        except OSError:  # nobody reads, and the system's buffer is full
            return 0

    def close(self):
        super().close()
        os.close(self._master)
        os.close(self._slave)


class TcpPort(_Port):
    """A port on 127.0.0.1, one program at a time; number 0 takes a free one. Raises OSError if it is taken."""

    def __init__(self, sim, number=0):
        self._server = socket.create_server(("127.0.0.1", number))
        self._server.setblocking(False)
        self._peer = None
        self.number = self._server.getsockname()[1]
        self.name = "socket://127.0.0.1:%d" % self.number
        super().__init__(sim)

    def _listens(self):
        return self._peer is not None

    def _receive(self):
        if self._peer is None:
            try:
                self._peer = self._server.accept()[0]
            except OSError:
                return b""
            self._peer.setblocking(False)
        try:
            data = self._peer.recv(4096)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._hang_up()
        return data

    def _send(self, data):
        if self._peer is None:
            return len(data)
        try:
            return self._peer.send(data)
        except BlockingIOError:
            return 0
        except OSError:
            self._hang_up()
            return len(data)

    def _hang_up(self):
        self._peer.close()
        self._peer = None
        self._waiting.clear()

    def close(self):
        super().close()
        if self._peer is not None:
            self._peer.close()
        self._server.close()
