# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The installer's half that runs ON the board: sent through the raw REPL once, then called line by line.

Answers are printed as Python literals, one a line. Paths are relative to the drive's root, with forward slashes. What
CircuitPython lacks is not used here (`os.ilistdir`, `hashlib.sha256`, keyword-only arguments to `open`); a fault stays
an exception, whose text the desktop reads.
"""

import binascii
import gc
import os
import sys

_out = None  # the file that is being written


def _digest():
    """A new hash object and its name: the strongest that this firmware has; CRC-32 where it has none."""
    try:
        import hashlib

        for name in ("sha256", "sha1"):
            try:
                return hashlib.new(name), name
            except (ValueError, AttributeError):
                pass
    except ImportError:
        pass
    return None, "crc32"


def _writable():
    """True when code may write to the drive. Nothing is written to find out."""
    try:
        import storage

        return not storage.getmount("/").readonly
    except (ImportError, AttributeError, OSError):
        return False


def facts():
    """What the desktop decides by, as one dict."""
    gc.collect()
    disk = os.statvfs("/")
    found = {
        "name": sys.implementation.name,
        "version": tuple(sys.implementation.version)[:3],
        "machine": os.uname().machine if hasattr(os, "uname") else sys.platform,
        # the free heap counts with the installer's own code in it, so what that takes is no fault of the board
        "heap_bytes": gc.mem_free() + gc.mem_alloc() if hasattr(gc, "mem_alloc") else gc.mem_free(),
        "free_bytes": disk[0] * disk[3],
        "block_bytes": disk[0],
        "writable": _writable(),
        "hash": _digest()[1],
        "unsafe": False,
        "uid": "",
        "pixelbuf": False,
    }
    try:
        import storage

        found["unsafe"] = hasattr(storage, "unsafe_disable_usb_drive")
    except ImportError:
        pass
    try:
        import microcontroller

        found["uid"] = binascii.hexlify(microcontroller.cpu.uid).decode()
    except (ImportError, AttributeError):
        pass
    try:
        import adafruit_pixelbuf

        found["pixelbuf"] = not hasattr(adafruit_pixelbuf, "__file__")  # in C, not a file of an earlier installation
    except ImportError:
        pass
    print(repr(found))


def quiet():
    """No restart of the program while files change, and no background writes of the pixels' state."""
    try:
        import supervisor

        supervisor.runtime.autoreload = False
    except (ImportError, AttributeError):
        pass


def take(way):
    """Tries to make the drive writable for code: way is "remount" or "unsafe". Prints whether it is writable now."""
    import storage

    try:
        if way == "unsafe":
            storage.unsafe_disable_usb_drive()
        else:
            storage.remount("/", readonly=False)
    except (RuntimeError, OSError, ValueError, AttributeError):
        pass
    print(repr(_writable()))


def hashes(paths):
    """Prints (size, digest as hex) for each path, None where there is no such file."""
    buffer = bytearray(512)
    view = memoryview(buffer)
    for path in paths:
        try:
            file = open("/" + path, "rb")
        except OSError:
            print("None")
            continue
        digest = _digest()[0]
        size = crc = 0
        while True:
            count = file.readinto(buffer)
            if not count:
                break
            size += count
            if digest:
                digest.update(view[:count])
            else:
                crc = binascii.crc32(view[:count], crc)
        file.close()
        print(repr((size, binascii.hexlify(digest.digest()).decode() if digest else "%08x" % crc)))


def read(path):
    """Prints the whole small file in base64, a line for each 300 bytes."""
    with open("/" + path, "rb") as file:
        while True:
            part = file.read(300)
            if not part:
                break
            print(binascii.b2a_base64(part).decode().strip())


def names(folder):
    """Prints the names in a folder as a list, empty where there is no such folder."""
    try:
        print(repr([str(name) for name in os.listdir("/" + folder)]))
    except OSError:
        print("[]")


def begin(path):
    """Opens a file for writing, with the folders above it."""
    global _out
    parts = path.split("/")
    for end in range(1, len(parts)):
        folder = "/" + "/".join(parts[:end])
        try:
            os.stat(folder)
        except OSError:
            os.mkdir(folder)
    if _out:
        _out.close()
    _out = open("/" + path, "wb")


def w(text):
    """Writes what is in base64 to the open file."""
    data = binascii.a2b_base64(text)
    if _out.write(data) != len(data):
        raise OSError(28)


def end():
    """Closes the open file."""
    global _out
    file, _out = _out, None
    file.close()


def rename(old, new):
    """Renames a file; one that is in the way is replaced."""
    try:
        os.rename("/" + old, "/" + new)
    except OSError as error:
        if error.args[0] != 17:  # EEXIST, on file systems that do not replace
            raise
        os.remove("/" + new)
        os.rename("/" + old, "/" + new)


def remove(path):
    """Removes a file or an empty folder; one that is not there is no fault."""
    try:
        if os.stat("/" + path)[0] & 0x4000:
            os.rmdir("/" + path)
        else:
            os.remove("/" + path)
    except OSError as error:
        if error.args[0] != 2:
            raise


def free():
    """Prints the free bytes of the drive."""
    disk = os.statvfs("/")
    print(repr(disk[0] * disk[3]))


def sync():
    """Returns when what was written is in the flash."""
    if hasattr(os, "sync"):
        os.sync()


def restart():
    """Restarts the whole board, boot.py and USB included. Does not return."""
    sync()
    import microcontroller

    microcontroller.reset()
