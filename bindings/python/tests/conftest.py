"""A file of self-play games, written as the format is described."""

import struct
import zlib

import pytest

# Column and row of each move; black wins with five in row 7.
OPENING = [(7, 7), (7, 8)]
PLAYED = [(8, 7), (8, 8), (9, 7), (9, 8), (10, 7), (10, 8), (11, 7)]


def packed(point):
    return point[0] + 32 * point[1]


def block(number, side=15, winner=0):
    body = struct.pack("<QII4B", 1, number, 700, side, side, winner, 0)
    body += struct.pack("<HH", len(OPENING), len(PLAYED))
    body += b"".join(struct.pack("<H", packed(point)) for point in OPENING)
    for at, point in enumerate(PLAYED):
        sampled = 1 << 15 if at == 1 else 0
        score = 29_990 if at > 3 else 10 * at - 20
        body += struct.pack("<HHh", packed(point) | sampled, packed((at, 0)), score)
    return struct.pack("<II", len(body), zlib.crc32(body)) + body


def file_of(*blocks):
    header = b"QXGAMES\0" + struct.pack("<HBB", 1, 0, 0)
    return header + struct.pack("<I", zlib.crc32(header)) + b"".join(blocks)


@pytest.fixture
def games(tmp_path, monkeypatch):
    """The path of a file of 30 games, `games.qx` in the current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "games.qx"
    path.write_bytes(file_of(*(block(number, winner=number % 3) for number in range(30))))
    return path
