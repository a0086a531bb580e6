# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Files on the drive that are read in place."""

# In short pieces; on a desktop, files of the repository.

_ROOT = __file__[: __file__.rfind("drive") - 4]  # of the drive, which holds hal/drive.py


def open_file(path, root=None):
    """A function ``read_into(offset, buffer)`` -> bytes read (fewer at the end) for the file at ``path``, relative to
    the drive's root, or to another folder, ``root`` with a slash at its end. The file stays open as long as the
    function is kept. Raises OSError where there is none."""
    file = open((root or _ROOT) + path, "rb")
    seek, readinto = file.seek, file.readinto

    def read_into(offset, buffer):
        seek(offset)
        return readinto(buffer)

    return read_into
