# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The chip's flash at power-on: CircuitPython from a UF2, the non-volatile memory, the CIRCUITPY drive.

Layout of CircuitPython for the Raspberry Pi Pico (its port's sources, `CIRCUITPY_FIRMWARE_SIZE` and `CIRCUITPY_DRIVE`):
1,020 KB for the firmware, 4 KB of non-volatile memory, and the second megabyte for the drive.
"""

import os
import struct
from pathlib import Path

from tools.emulator.errors import EmulatorError, NotHere

FLASH_BYTES = 2 * 1024 * 1024
NVM_START, NVM_BYTES = 0xFF000, 4096
DRIVE_START = 0x100000
FLASH_ADDRESS = 0x10000000
BOOTROM_BYTES = 16384

UF2_VARIABLE, BOOTROM_VARIABLE = "FIVE_UF2", "FIVE_BOOTROM"
UF2_DOWNLOAD = "the .UF2 of circuitpython.org/board/raspberry_pi_pico"
BOOTROM_DOWNLOAD = "b2.bin of the releases of github.com/raspberrypi/pico-bootrom-rp2040"

# UF2 (github.com/microsoft/uf2): blocks of 512 bytes
BLOCK = struct.Struct("<8I")  # magic, magic, flags, address, payload bytes, number, blocks, family
MAGIC_START, MAGIC_SECOND, MAGIC_END = 0x0A324655, 0x9E5D5157, 0x0AB16F30
FLAG_NOT_FLASH, FLAG_FAMILY = 0x00000001, 0x00002000
FAMILY_RP2040 = 0xE48BFF56
FAMILIES = {  # of chips that a Pico's owner may have at hand
    0xE48BFF59: "the RP2350 (Pico 2)",
    0xE48BFF5A: "the RP2350 (Pico 2, RISC-V)",
    0xADA52840: "the nRF52840",
    0x55114460: "the SAMD51",
    0x68ED2B88: "the SAMD21",
    0xC47E5767: "the ESP32-S3",
    0xBFDD4EEE: "the ESP32-S2",
    0x57755A57: "the STM32F4",
}
BOARD = b"raspberry_pi_pico"


def uf2_image(data, name="the UF2"):
    """The firmware's part of the flash (bytes, from its start) in the contents of a UF2 for the Raspberry Pi Pico.

    Raises EmulatorError for what is no UF2, not whole, for another chip, or no CircuitPython for this board.
    """
    if len(data) < 512 or BLOCK.unpack_from(data)[:2] != (MAGIC_START, MAGIC_SECOND):
        raise EmulatorError("%s is no UF2 file: give %s" % (name, UF2_DOWNLOAD), 2)
    image = bytearray(b"\xff" * NVM_START)
    seen = set()
    wanted = 1
    families = set()
    for at in range(0, len(data) - 511, 512):
        first, second, flags, address, size, number, blocks, family = BLOCK.unpack_from(data, at)
        (end,) = struct.unpack_from("<I", data, at + 508)
        if (first, second, end) != (MAGIC_START, MAGIC_SECOND, MAGIC_END) or size > 476:
            raise EmulatorError("%s is damaged at byte %d: download it once more" % (name, at), 2)
        if flags & FLAG_FAMILY and family != FAMILY_RP2040:
            families.add(family)
            continue
        if flags & FLAG_NOT_FLASH:
            continue
        start = address - FLASH_ADDRESS
        if not 0 <= start <= NVM_START - size:
            raise EmulatorError("%s does not fit a Raspberry Pi Pico: give %s" % (name, UF2_DOWNLOAD), 2)
        image[start : start + size] = data[at + 32 : at + 32 + size]
        seen.add(number)
        wanted = blocks
    if families and not seen:
        family = min(families)
        chip = FAMILIES.get(family, "another chip (family 0x%08X)" % family)
        raise EmulatorError("%s is for %s, not the RP2040: give %s" % (name, chip, UF2_DOWNLOAD), 2)
    if len(seen) < wanted:
        raise EmulatorError("%s is cut short (%d of %d blocks): download it once more" % (name, len(seen), wanted), 2)
    check_interpreter(bytes(image), name)
    return bytes(image)


def check_interpreter(image, name):
    """Raise EmulatorError unless `image` is CircuitPython for the board."""
    if b"Adafruit CircuitPython" not in image:
        other = "MicroPython" if b"MicroPython" in image else "no CircuitPython"
        raise EmulatorError("%s is %s: give %s" % (name, other, UF2_DOWNLOAD), 2)
    if BOARD + b"\0" not in image:
        raise EmulatorError("%s is CircuitPython for another board: give %s" % (name, UF2_DOWNLOAD), 2)


def version(image):
    """The firmware's version as it tells it, such as "10.2.1"; "" if it does not."""
    at = image.find(b"Adafruit CircuitPython ")
    return image[at : at + 64].split()[2].decode("ascii", "replace") if at >= 0 else ""


def boot_report(image):
    """What CircuitPython has written into boot_out.txt when it has run on the emulated chip before (bytes)."""
    at = image.find(b"Adafruit CircuitPython ")
    told = image[at : image.find(b"\0", at)].strip()
    return b"%s\r\nBoard ID:%s\r\nUID:%s\r\nboot.py output:\r\n" % (told, BOARD, b"0" * 16)


def flash_image(firmware, drive, nvm=None):
    """The whole flash (FLASH_BYTES bytes). nvm: contents of the non-volatile memory, None: never written."""
    nvm = b"\xff" * NVM_BYTES if nvm is None else bytes(nvm)
    if len(nvm) != NVM_BYTES or len(firmware) != NVM_START or len(drive) != FLASH_BYTES - DRIVE_START:
        raise ValueError("parts of %d, %d and %d bytes are no flash" % (len(firmware), len(nvm), len(drive)))
    return firmware + nvm + drive


def supplied(path, variable, what, option, download):
    """Path of a file that the person supplies, by its option or else an environment variable. Raises NotHere."""
    chosen = path or os.environ.get(variable)
    if not chosen:
        raise NotHere("no %s: name it with %s FILE or in %s (%s)" % (what, option, variable, download))
    if not Path(chosen).is_file():
        raise NotHere("%s, the %s, is not there: name it with %s FILE (%s)" % (chosen, what, option, download))
    return Path(chosen)


def read_uf2(path=None):
    """The firmware's image from the UF2 at `path`, or at FIVE_UF2. Raises EmulatorError, NotHere if there is none."""
    found = supplied(path, UF2_VARIABLE, "CircuitPython firmware", "--uf2", UF2_DOWNLOAD)
    return uf2_image(found.read_bytes(), found.name)


def find_bootrom(path=None):
    """Path of the boot ROM, from `path` or FIVE_BOOTROM, checked. Raises EmulatorError, NotHere if there is none."""
    found = supplied(path, BOOTROM_VARIABLE, "boot ROM of the RP2040", "--bootrom", BOOTROM_DOWNLOAD)
    data = found.read_bytes()
    # RP2040 data sheet, 2.8.2: the magic "Mu" 0x01 at 0x10
    if len(data) != BOOTROM_BYTES or data[0x10:0x13] != b"Mu\x01":
        raise EmulatorError("%s is no boot ROM of the RP2040 (16 KB raw): give %s" % (found.name, BOOTROM_DOWNLOAD), 2)
    return found
