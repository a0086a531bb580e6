# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The place where the files go, under one contract: the board through its serial line, or its mounted drive.

Paths are relative to the drive's root, with forward slashes. Both raise FlashError in plain words; on a full drive the
error's errno is errno.ENOSPC.
"""

import base64
import binascii
import contextlib
import errno
import hashlib
import os
import shutil
import sys

from tools.flasher.errors import BoardFault, FlashError, LinkLost

SMALL_BATCH = 12  # paths a question: the list is compiled on the board


def digest(data, name):
    """The digest of data as hex, by the hash that the board has (sha256, sha1 or crc32)."""
    return "%08x" % binascii.crc32(data) if name == "crc32" else hashlib.new(name, data).hexdigest()


class BoardTarget:
    """The drive as the board itself sees it."""

    def __init__(self, link, facts):
        self.link = link
        self.hash_name = facts["hash"]
        self.block_bytes = facts["block_bytes"]

    def hashes(self, paths):
        """path -> (bytes, digest as hex), or None where there is no such file."""
        paths = list(paths)
        found = {}
        for start in range(0, len(paths), SMALL_BATCH):
            batch = paths[start : start + SMALL_BATCH]
            found.update(zip(batch, self.link.ask("hashes(%r)" % (batch,))))
        return found

    def read(self, path):
        """The bytes of a small file, None where there is no such file."""
        try:
            return b"".join(base64.b64decode(line) for line in self.link.run("read(%r)" % path).split())
        except BoardFault as fault:
            if fault.errno == errno.ENOENT:
                return None
            raise

    def names(self, folder):
        """The names in a folder; [] where there is no such folder."""
        return self.link.ask("names(%r)" % folder)[0]

    def put(self, path, data, progress=lambda count: None):
        """Writes a file, with the folders above it; progress(bytes) as it goes on."""
        self.link.put(path, data, progress)

    def rename(self, old, new):
        """Renames; a file that is in the way is replaced."""
        self.link.run("rename(%r,%r)" % (old, new))

    def remove(self, path):
        """Removes a file or an empty folder; one that is not there is no fault."""
        self.link.run("remove(%r)" % path)

    def free_bytes(self):
        """Free bytes of the drive."""
        return self.link.ask("free()")[0]

    def barrier(self):
        """Returns when all that was done so far would survive a power cut."""
        self.link.run("sync()")


class DriveTarget:
    """The drive as this computer sees it, mounted at `root`."""

    hash_name = "sha256"

    def __init__(self, root):
        self.root = root
        self.block_bytes = getattr(os.statvfs(root), "f_frsize", 4096) if hasattr(os, "statvfs") else 4096

    @contextlib.contextmanager
    def _plain_faults(self, path):
        try:
            yield
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise BoardFault("The board's drive is full.", str(error), errno.ENOSPC) from None
            if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
                text = "%s cannot be written: is the drive write-protected, or held by the board?" % (self.root / path)
                raise FlashError(text) from None
            raise LinkLost("The drive %s failed at %s (%s)." % (self.root, path, error.strerror or error)) from None

    def hashes(self, paths):
        """path -> (bytes, digest as hex), or None where there is no such file."""
        found = {}
        for path in paths:
            data = self.read(path)
            found[path] = None if data is None else (len(data), digest(data, self.hash_name))
        return found

    def read(self, path):
        """The bytes of a file, None where there is no such file."""
        with self._plain_faults(path):
            try:
                with open(self.root / path, "rb") as file:
                    if hasattr(os, "posix_fadvise"):
                        # from the board, not from what this computer remembers of its own writing
                        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
                    return file.read()
            except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
                return None

    def names(self, folder):
        """The names in a folder; [] where there is no such folder."""
        try:
            return sorted(path.name for path in (self.root / folder).iterdir())
        except OSError:
            return []

    def put(self, path, data, progress=lambda count: None, chunk_bytes=16384):
        """Writes a file, with the folders above it; progress(bytes) as it goes on."""
        with self._plain_faults(path):
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            with open(self.root / path, "wb") as file:
                for start in range(0, len(data), chunk_bytes):
                    part = data[start : start + chunk_bytes]
                    file.write(part)
                    file.flush()
                    os.fsync(file.fileno())
                    progress(len(part))

    def rename(self, old, new):
        """Renames; a file that is in the way is replaced."""
        with self._plain_faults(new):
            os.replace(self.root / old, self.root / new)

    def remove(self, path):
        """Removes a file or an empty folder; one that is not there is no fault."""
        with self._plain_faults(path):
            try:
                if (self.root / path).is_dir():
                    (self.root / path).rmdir()
                else:
                    (self.root / path).unlink()
            except FileNotFoundError:
                pass

    def free_bytes(self):
        """Free bytes of the drive."""
        with self._plain_faults("."):
            return shutil.disk_usage(self.root).free

    def barrier(self):
        """Returns when all that was done so far would survive a power cut."""
        if sys.platform != "win32":
            os.sync()
