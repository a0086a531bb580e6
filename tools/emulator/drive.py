# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""Writes and reads a CIRCUITPY drive: a FAT12 file system with long names, as CircuitPython formats its own.

By Microsoft's "FAT32 File System Specification" 1.03 (which covers FAT12); sizes as CircuitPython chooses them for the
Pico's megabyte: clusters of one sector of 512 bytes, one table, a root of 512 entries.
"""

import struct

SECTOR = 512
DRIVE_BYTES = 1024 * 1024
SECTORS = DRIVE_BYTES // SECTOR
TABLE_SECTORS = 7
ROOT_ENTRIES = 512
ENTRY = 32
TABLE_AT = SECTOR
ROOT_AT = TABLE_AT + TABLE_SECTORS * SECTOR
DATA_AT = ROOT_AT + ROOT_ENTRIES * ENTRY
CLUSTERS = (DRIVE_BYTES - DATA_AT) // SECTOR
END = 0xFFF
LABEL = b"CIRCUITPY  "
DATE = (2026 - 1980) << 9 | 1 << 5 | 1  # of every file: 1 January 2026, so that an image depends on its files alone

ATTRIBUTE_LABEL, ATTRIBUTE_FOLDER, ATTRIBUTE_FILE, ATTRIBUTE_LONG = 0x08, 0x10, 0x20, 0x0F
PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-~!#$%&'()@^`{}")
FORBIDDEN = frozenset('"*/:<>?\\|')


class DriveError(Exception):
    """The files do not go on the drive, or the image is no drive; the text is one line."""


def boot_sector():
    """The first sector: jump, name of the maker, sizes (BIOS parameter block)."""
    head = struct.pack(
        "<3s8sHBHBHHBHHHII", b"\xeb\xfe\x90", b"MSDOS5.0", SECTOR, 1, 1, 1, ROOT_ENTRIES, SECTORS, 0xF8, TABLE_SECTORS,
        63, 255, 0, 0,
    )  # fmt: skip
    tail = struct.pack("<BBBI11s8s", 0x80, 0, 0x29, 0x46495645, LABEL, b"FAT     ")
    return (head + tail).ljust(SECTOR - 2, b"\0") + b"\x55\xaa"


def checksum(short):
    """Of the 11 bytes of a short name, as every part of its long name holds it."""
    total = 0
    for byte in short:
        total = (total >> 1 | (total & 1) << 7) + byte & 0xFF
    return total


def short_name(name, taken):
    """11 bytes: `name` itself if it is plain 8.3 in capitals, else NAME~N that is not in `taken`."""
    stem, dot, suffix = name.rpartition(".")
    if not dot or not stem:
        stem, suffix = name, ""
    stem_bytes, suffix_bytes = stem.encode("ascii", "replace"), suffix.encode("ascii", "replace")
    if len(stem_bytes) <= 8 and len(suffix_bytes) <= 3 and PLAIN.issuperset(stem_bytes + suffix_bytes):
        return stem_bytes.ljust(8) + suffix_bytes.ljust(3)

    def plain(text):
        return bytes(byte for byte in text.upper() if byte in PLAIN)

    for number in range(1, 1000):
        tail = b"~%d" % number
        short = (plain(stem_bytes)[: 8 - len(tail)] + tail).ljust(8) + plain(suffix_bytes)[:3].ljust(3)
        if short not in taken:
            return short
    raise DriveError("too many files with names like '%s' in one folder" % name)


def entries(name, short, attribute, cluster, size):
    """The directory entries of one file: the parts of its long name, if it needs one, and the short one."""
    made = []
    plain = short[:8].rstrip() + (b"." + short[8:].rstrip() if short[8:].strip() else b"")
    if name not in (".", "..") and plain != name.encode("utf-8"):
        wide = name.encode("utf-16-le") + b"\0\0"
        parts = -(-(len(wide) - 2) // 26)
        wide = wide.ljust(26 * parts, b"\xff")[: 26 * parts]
        for number in range(parts, 0, -1):
            part = wide[26 * (number - 1) : 26 * number]
            order = number | (0x40 if number == parts else 0)
            made.append(
                struct.pack(
                    "<B10sBBB12sH4s", order, part[:10], ATTRIBUTE_LONG, 0, checksum(short), part[10:22], 0, part[22:]
                )
            )
    made.append(struct.pack("<11sBBBHHHHHHHI", short, attribute, 0, 0, 0, DATE, DATE, 0, 0, DATE, cluster, size))
    return b"".join(made)


class _Writer:
    def __init__(self):
        self.image = bytearray(DRIVE_BYTES)
        self.image[:SECTOR] = boot_sector()
        self.chain = [0xFF8, END]
        self.limit = CLUSTERS + 2

    def put(self, content):
        """Write bytes into clusters of their own; the number of the first, 0 for none."""
        count = -(-len(content) // SECTOR)
        first = len(self.chain)
        if first + count > self.limit:
            raise DriveError("the files do not fit the drive of %d KB" % (DRIVE_BYTES // 1024))
        for number in range(count):
            self.chain.append(first + number + 1 if number + 1 < count else END)
        at = DATA_AT + (first - 2) * SECTOR
        self.image[at : at + len(content)] = content
        return first if count else 0

    @staticmethod
    def named(tree):
        """[(name, short name, content)] of what is in a folder, checked."""
        made = []
        taken = set()
        for name in sorted(tree):
            if not name or name.endswith((" ", ".")) or FORBIDDEN & set(name) or min(name) < " " or len(name) > 255:
                raise DriveError("'%s' cannot be a file's name on the drive" % name)
            short = short_name(name, taken)
            taken.add(short)
            made.append((name, short, tree[name]))
        return made

    def finish(self):
        for cluster in range(0, len(self.chain), 2):
            low = self.chain[cluster]
            high = self.chain[cluster + 1] if cluster + 1 < len(self.chain) else 0
            at = TABLE_AT + cluster // 2 * 3
            self.image[at : at + 3] = bytes((low & 255, low >> 8 | (high & 15) << 4, high >> 4))
        return bytes(self.image)


def write_drive(files):
    """The image (DRIVE_BYTES bytes) of a drive with these files: {path with forward slashes: bytes}.

    Raises DriveError for a name that FAT has not, for a file where a folder is, or when they do not fit.
    """
    tree = {}
    for path, content in files.items():
        place = tree
        *folders, name = path.split("/")
        for folder in folders:
            place = place.setdefault(folder, {})
            if not isinstance(place, dict):
                raise DriveError("'%s' is both a file and a folder" % folder)
        if isinstance(place.get(name), dict):
            raise DriveError("'%s' is both a file and a folder" % path)
        place[name] = bytes(content)
    writer = _Writer()

    def reserve(place):
        """Bytes of the directory of `place`."""
        return ENTRY * (2 + sum(1 + (-(-len(name) // 13)) for name in place)) + ENTRY

    def write(place, own, parent):
        made = []
        if own:
            made.append(entries(".", b".          ", ATTRIBUTE_FOLDER, own, 0))
            made.append(entries("..", b"..         ", ATTRIBUTE_FOLDER, parent, 0))
        else:
            made.append(struct.pack("<11sB10xHHHI", LABEL, ATTRIBUTE_LABEL, 0, DATE, 0, 0))
        for name, short, content in writer.named(place):
            if isinstance(content, dict):
                cluster = writer.put(bytes(reserve(content)))
                write(content, cluster, own)
                made.append(entries(name, short, ATTRIBUTE_FOLDER, cluster, 0))
            else:
                made.append(entries(name, short, ATTRIBUTE_FILE, writer.put(content), len(content)))
        data = b"".join(made)
        at = DATA_AT + (own - 2) * SECTOR if own else ROOT_AT
        if not own and len(data) > ROOT_ENTRIES * ENTRY:
            raise DriveError("too many files at the root of the drive")
        writer.image[at : at + len(data)] = data

    write(tree, 0, 0)
    return writer.finish()


def read_drive(image):
    """{path: bytes} of all files on a drive image, such as the one above after the board has written to it.

    Raises DriveError for what is no FAT12 file system.
    """
    if len(image) < SECTOR or image[510:512] != b"\x55\xaa":
        raise DriveError("this is no drive: it has no boot sector")
    sector, per_cluster, reserved, tables, roots, _, _, table_sectors = struct.unpack_from("<HBHBHHBH", image, 11)
    if sector != SECTOR or not per_cluster or not roots:
        raise DriveError("this is no FAT12 drive")
    table_at = reserved * SECTOR
    root_at = table_at + tables * table_sectors * SECTOR
    data_at = root_at + roots * ENTRY

    def clusters(first):
        seen = set()
        while 2 <= first < 0xFF8 and first not in seen:
            seen.add(first)
            at = data_at + (first - 2) * per_cluster * SECTOR
            yield image[at : at + per_cluster * SECTOR]
            pair = int.from_bytes(image[table_at + first // 2 * 3 : table_at + first // 2 * 3 + 3], "little")
            first = pair >> 12 if first & 1 else pair & 0xFFF

    found = {}

    def walk(data, prefix):
        long = {}
        for at in range(0, len(data), ENTRY):
            entry = data[at : at + ENTRY]
            if entry[0] == 0:
                break
            attribute = entry[11]
            if entry[0] == 0xE5:
                long = {}
            elif attribute == ATTRIBUTE_LONG:
                long[entry[0] & 63] = entry[1:11] + entry[14:26] + entry[28:32]
            else:
                name = _name(entry, long)
                long = {}
                first, size = struct.unpack_from("<HI", entry, 26)
                if attribute & ATTRIBUTE_LABEL or name in (".", ".."):
                    continue
                content = b"".join(clusters(first))
                if attribute & ATTRIBUTE_FOLDER:
                    walk(content, prefix + name + "/")
                else:
                    found[prefix + name] = bytes(content[:size])

    walk(image[root_at:data_at], "")
    return found


def _name(entry, long):
    if long:
        wide = b"".join(long[number] for number in sorted(long)).decode("utf-16-le", "replace")
        return wide.split("\0")[0].rstrip("\uffff")
    stem, suffix = entry[:8].decode("latin-1").rstrip(), entry[8:11].decode("latin-1").rstrip()
    case = entry[12]  # bits of Windows NT for names in small letters
    stem, suffix = stem.lower() if case & 8 else stem, suffix.lower() if case & 16 else suffix
    return stem + ("." + suffix if suffix else "")
