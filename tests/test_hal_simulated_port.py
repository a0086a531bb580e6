# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The simulated board's console as a serial port: another program's way to the board."""

import os
import time
from types import SimpleNamespace

import pytest
import serial

from hal import simulated_port as ports
from hal.simulated import Simulation

KINDS = ["TcpPort"] + (["PseudoTerminal"] if os.name == "posix" else [])


class Echo:
    """A program on the board that answers every line; its console as a port."""

    def __init__(self, kind):
        self.sim = Simulation()
        self.board = self.sim.open_board(SimpleNamespace())
        self.port = getattr(ports, kind)(self.sim)

    def step(self):
        line = self.board.read_line()
        if line:
            self.board.write("got " + line)
        self.port.pump()
        self.board.sleep_ms(1)

    def answers(self, computer, wanted, seconds=10):
        """Run the board until the computer has read `wanted`."""
        got = b""
        end = time.monotonic() + seconds
        while wanted not in got:
            assert time.monotonic() < end, got
            self.step()
            got += computer.read(4096)
        return got


@pytest.mark.parametrize("kind", KINDS)
def test_lines_both_ways_with_pyserial(kind):
    echo = Echo(kind)
    computer = serial.serial_for_url(echo.port.name, timeout=0)
    try:
        computer.write(b"new five pop\r\nd\n")
        assert echo.answers(computer, b"got d\r\n") == b"got new five pop\r\ngot d\r\n"
        computer.write("ä e\n".encode())
        assert b"got ?? e" in echo.answers(computer, b" e")
    finally:
        computer.close()
        echo.port.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_computer_that_does_not_read_holds_nothing_up(kind):
    echo = Echo(kind)
    computer = serial.serial_for_url(echo.port.name, timeout=0)
    try:
        for _ in range(5):
            echo.step()
            time.sleep(0.01)
        start = time.monotonic()
        for number in range(5000):
            echo.board.write("line %d of a computer that is busy elsewhere" % number)
            echo.port.pump()
        assert time.monotonic() - start < 5
        assert len(echo.port._waiting) <= ports._Port.KEPT
    finally:
        computer.close()
        echo.port.close()


def test_a_program_comes_and_goes():
    echo = Echo("TcpPort")
    for _ in range(3):
        computer = serial.serial_for_url(echo.port.name, timeout=0)
        computer.write(b"show\n")
        assert b"got show\r\n" in echo.answers(computer, b"show\r\n")
        computer.close()
        for _ in range(20):
            echo.step()
            time.sleep(0.002)
    echo.port.close()
    assert echo.sim.on_print is None


def test_a_port_that_is_taken_is_an_oserror():
    echo = Echo("TcpPort")
    with pytest.raises(OSError):
        ports.TcpPort(echo.sim, echo.port.number)
    echo.port.close()


@pytest.mark.parametrize("kind", KINDS)
def test_ctrl_c_interrupts(kind):
    echo = Echo(kind)
    computer = serial.serial_for_url(echo.port.name, timeout=0)
    try:
        computer.write(b"\x03")
        with pytest.raises(KeyboardInterrupt):
            for _ in range(200):
                echo.step()
                time.sleep(0.002)
    finally:
        computer.close()
        echo.port.close()
