# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Which serial port is the board's."""

from serial.tools import list_ports

from tools.flasher.errors import FlashError

ADAFRUIT_VENDOR = 0x239A  # the maker's number under which most CircuitPython builds appear
NOT_THE_CONSOLE = ("data", "cdc2")  # the second serial port that a program can switch on

NONE_FOUND = """No board found. Step by step:
  1. Is the USB cable one for data? Many only charge: try another.
  2. Is the board in its bootloader (a drive named RPI-RP2)? Then CircuitPython is not on it yet, or BOOTSEL was held:
     copy the .uf2 file for your board from circuitpython.org onto that drive.
  3. Has the board a red or green light, or a drive named CIRCUITPY? Press its reset button once.
  4. In a virtual machine or a container: pass the USB device through.
  5. A port that is not listed can be named: python3 -m tools flash PORT"""


SCHEMES = ("socket", "rfc2217", "loop", "spy", "alt", "hwgrep", "cp2110")  # of pySerial's addresses ...
NETWORK = SCHEMES[:2]  # ... and those that name another computer's port


def wrong_address(text):
    """One line on a name or address that no port can have (pySerial's own words for them tell nothing), else None."""
    scheme, colon, rest = text.partition("://")
    if not text or colon and scheme.lower() not in SCHEMES:
        return "'%s' is no port: name a serial port such as /dev/ttyACM0 or COM3, or socket://host:port" % text
    if colon and scheme.lower() in NETWORK:
        host, _, number = rest.partition("/")[0].partition("?")[0].rpartition(":")
        if not host or not (number.isascii() and number.isdecimal() and len(number) < 6) or not 0 < int(number) < 65536:
            return "'%s' names no host and port 1 to 65535: write it as socket://127.0.0.1:4711" % text
    return None


class Port:
    """A serial port that may be a board's: `device` (what is opened), `name` (for people), `usb_serial` (or None)."""

    def __init__(self, device, name, usb_serial=None):
        self.device = device
        self.name = name
        self.usb_serial = usb_serial


def candidates(comports=None):
    """The ports that may be boards, one for each board, as a list of Port.

    comports: objects as of serial.tools.list_ports.comports() (default: this computer's). CircuitPython's ports come
    alone if there are any; otherwise all USB serial ports, since a board under its maker's own number looks like that.
    """
    ports = list_ports.comports() if comports is None else comports
    usb = [port for port in ports if port.vid is not None and not _is_second(port)]
    sure = [port for port in usb if _is_circuitpython(port)]
    found = {}
    for port in sorted(sure or usb, key=lambda port: port.device):
        found.setdefault(port.serial_number or port.device, port)
    return [Port(port.device, _name(port), port.serial_number) for port in found.values()]


def _words(port):
    return " ".join(str(text) for text in (port.product, port.description, port.interface, port.manufacturer) if text)


def _is_circuitpython(port):
    return port.vid == ADAFRUIT_VENDOR or "circuitpython" in _words(port).lower()


def _is_second(port):
    return any(word in (port.interface or "").lower() for word in NOT_THE_CONSOLE)


def _name(port):
    maker = port.manufacturer or ""
    product = port.product or port.description or "USB serial port"
    text = product if maker.lower() in product.lower() else "%s %s" % (maker, product)
    return "%s, serial number %s" % (text, port.serial_number) if port.serial_number else text


def find_again(usb_serial):
    """The present device of the board with this USB serial number, or None."""
    for port in candidates():
        if port.usb_serial == usb_serial:
            return port.device
    return None


def choose(wanted=None, comports=None):
    """The one Port to use; raises FlashError with the list, or with what to check, when there is not just one."""
    if wanted is not None:
        wrong = wrong_address(wanted)
        if wrong:
            raise FlashError(wrong, 2)
    ports = candidates(comports)
    if wanted:
        for port in ports:
            if port.device == wanted:
                return port
        return Port(wanted, wanted)
    if len(ports) == 1:
        return ports[0]
    if ports:
        raise FlashError("Several boards; name the port of one:\n" + listing(ports), status=2)
    raise FlashError(NONE_FOUND)


def listing(ports):
    """The ports, one a line, with their names."""
    return "\n".join("  %-16s %s" % (port.device, port.name) for port in ports)
