"""Event files as TensorBoard reads them: their frames, their checksums, their content."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from macaz.lab.train.events import PATTERN, EventWriter, crc32c, record

# By the writer of the package tensorboard: Event(wall_time=1.5, file_version="brain.Event:2").
FIRST = bytes.fromhex(
    "1800000000000000a37f4b2209000000000000f83f1a0d627261696e2e4576656e743a322a28646c"
)


def fields(message: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of a protocol buffer, decoded independently: by number, in order."""
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        key = varint()
        size = {1: 8, 5: 4}.get(key & 7)
        if key & 7 == 0:
            yield key >> 3, varint()
            continue
        size = size or varint()
        yield key >> 3, message[at : at + size]
        at += size


def records(path: Path) -> list[dict[int, Any]]:
    content, found = path.read_bytes(), []
    while content:
        (length,) = struct.unpack_from("<Q", content)
        body = content[12 : 12 + length]
        assert record(body) == content[: length + 16]
        found.append(dict(fields(body)))
        content = content[length + 16 :]
    return found


def scalars(event: dict[int, Any]) -> dict[str, float]:
    values = [dict(fields(value)) for _, value in fields(event[5])]
    return {value[1].decode(): struct.unpack("<f", value[2])[0] for value in values}


@pytest.mark.parametrize(
    ("content", "crc"),
    [  # RFC 3720, B.4
        (b"123456789", 0xE3069283),
        (bytes(32), 0x8A9136AA),
        (b"\xff" * 32, 0x62A8AB43),
        (bytes(range(32)), 0x46DD794E),
    ],
)
def test_the_checksum_is_that_of_the_standard(content, crc):
    assert crc32c(content) == crc


def test_a_record_is_what_tensorboard_itself_writes():
    assert record(FIRST[12:-4]) == FIRST


def test_what_is_written_is_read(tmp_path):
    writer = EventWriter(tmp_path)
    writer.add(1, {"loss": 0.5, "wins/greedy": -2.25}, at=12.5)
    writer.add(300, {"loss": math.inf}, at=13.0)
    [path] = tmp_path.glob(PATTERN)
    first, one, two = records(path)  # before it is closed: TensorBoard reads along
    writer.close()
    assert first[3] == b"brain.Event:2"
    assert struct.unpack("<d", one[1]) == (12.5,)
    assert (one[2], two[2]) == (1, 300)
    assert scalars(one) == {"loss": 0.5, "wins/greedy": -2.25}
    assert scalars(two) == {"loss": math.inf}


def test_a_later_file_comes_later_and_says_what_to_forget(tmp_path):
    EventWriter(tmp_path).close()
    EventWriter(tmp_path, first_step=40).close()
    _, path = sorted(tmp_path.glob(PATTERN))
    _, start = records(path)
    assert (start[2], dict(fields(start[7]))) == (40, {1: 1})
