"""Writes TensorBoard event files (scalars only) without TensorBoard or TensorFlow.

A file is a series of records, framed as TensorFlow frames them: the length, its checksum, the
bytes, their checksum. The bytes are a protocol buffer, `Event`.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Mapping
from pathlib import Path

PATTERN = "events.out.tfevents.*"  # TensorBoard finds its files by this prefix
VERSION = "brain.Event:2"
_POLYNOMIAL = 0x82F63B78  # of CRC-32C (Castagnoli), bits reversed
# Wire types of protocol buffers.
_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5


class EventWriter:
    """A new event file in a folder; each step is on disk when `add` returns."""

    def __init__(self, folder: Path, *, first_step: int | None = None) -> None:
        """Begin a file. TensorBoard drops the steps of earlier files from `first_step` on."""
        before = len(list(folder.glob(PATTERN)))
        now = time.time()
        # TensorBoard reads the files in the order of their names.
        name = PATTERN.replace("*", f"{int(now):010d}.{before:04d}.macaz")
        self._file = (folder / name).open("xb", buffering=0)
        self._write(_double(1, now) + _bytes(3, VERSION.encode()))
        if first_step is not None:
            start = _bytes(7, _integer(1, 1))  # SessionLog, with the status START
            self._write(_double(1, now) + _integer(2, first_step) + start)

    def add(self, step: int, numbers: Mapping[str, float], *, at: float | None = None) -> None:
        """Write the scalars of a step; `at` is a Unix time."""
        summary = b"".join(
            _bytes(1, _bytes(1, name.encode()) + _float(2, value))
            for name, value in numbers.items()
        )
        at = time.time() if at is None else at
        self._write(_double(1, at) + _integer(2, step) + _bytes(5, summary))

    def close(self) -> None:
        self._file.close()

    def _write(self, event: bytes) -> None:
        self._file.write(record(event))


def record(content: bytes) -> bytes:
    """The bytes with length and checksums around them, as TensorFlow frames a record."""
    length = struct.pack("<Q", len(content))
    return length + _checksum(length) + content + _checksum(content)


def crc32c(content: bytes) -> int:
    """CRC-32C, as in RFC 3720."""
    crc = 0xFFFFFFFF
    for byte in content:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def _checksum(content: bytes) -> bytes:
    """The masked CRC that TFRecord uses."""
    crc = crc32c(content)
    rotated = (crc >> 15) | (crc << 17) & 0xFFFFFFFF
    return struct.pack("<I", (rotated + 0xA282EAD8) & 0xFFFFFFFF)


def _entry(byte: int) -> int:
    for _ in range(8):
        byte = byte >> 1 ^ (_POLYNOMIAL if byte & 1 else 0)
    return byte


_TABLE = tuple(_entry(byte) for byte in range(256))


def _integer(field: int, value: int) -> bytes:
    return _varint(field << 3 | _VARINT) + _varint(value)


def _double(field: int, value: float) -> bytes:
    return _varint(field << 3 | _EIGHT_BYTES) + struct.pack("<d", value)


def _float(field: int, value: float) -> bytes:
    return _varint(field << 3 | _FOUR_BYTES) + struct.pack("<f", value)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | _BYTES) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    """Protocol buffers' base-128 varint."""
    parts = bytearray()
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)
