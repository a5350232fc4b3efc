"""Self-play games as arrays."""

import os
import subprocess

import numpy
import pytest
from conftest import OPENING, PLAYED, block, file_of

import quincunx


def test_samples_are_what_the_games_say(games):
    samples = quincunx.load(games)
    assert samples.shape == (30 * len(PLAYED),)
    assert samples["board"].shape == (210, 15, 15)
    game = samples[samples["game"] == 0]
    assert list(game["ply"]) == list(range(2, 9))
    assert list(game["side"]) == [0, 1] * 3 + [0]
    assert list(game["result"]) == [1, -1] * 3 + [1]
    assert list(game["score"]) == [-20, -10, 0, 10, 29_990, 29_990, 29_990]
    assert list(game["sampled"]) == [False, True] + 5 * [False]
    assert [divmod(at, 15)[::-1] for at in game["played"].tolist()] == PLAYED
    assert [divmod(at, 15)[::-1] for at in game["best"].tolist()] == [(x, 0) for x in range(7)]
    assert list(samples["position"]) == list(range(210))
    assert set(samples["game"][samples["validation"]]) == {8, 17}
    won = samples[samples["game"] == 1]
    assert list(won["result"]) == [-1, 1] * 3 + [-1]
    assert not samples[samples["game"] == 2]["result"].any()


def test_boards_are_those_of_games(games):
    samples = quincunx.load(games)
    game = quincunx.Game("freestyle", 15, OPENING)
    for sample in samples[: len(PLAYED)]:
        assert numpy.array_equal(sample["board"], game.board())
        game.play(tuple(int(at) for at in divmod(int(sample["played"]), 15))[::-1])
    assert game.result.winner == "black"


def test_arrays_can_be_written(games):
    samples = quincunx.load(games)
    samples["result"] = 0
    assert not samples["result"].any() and samples.flags.owndata is False


def test_batches_are_the_same_in_pieces(games):
    whole = quincunx.load(games)
    pieces = list(quincunx.batches(games, 64))
    assert [len(piece) for piece in pieces] == [64, 64, 64, 18]
    assert numpy.array_equal(numpy.concatenate(pieces), whole)
    with pytest.raises(ValueError):
        quincunx.batches(games, 0)


def test_sizes_are_told_apart(tmp_path):
    path = tmp_path / "both.qx"
    path.write_bytes(file_of(block(0), block(1, side=20), block(2)))
    with pytest.raises(ValueError, match="game 2 is on the 20 board"):
        quincunx.load(path)
    assert set(quincunx.load(path, size=15)["game"]) == {0, 2}
    assert quincunx.load(path, size=20)["board"].shape == (7, 20, 20)
    assert len(quincunx.load(path, size="15x20")) == 0


def test_damage_is_named(tmp_path):
    path = tmp_path / "bad.qx"
    with pytest.raises(FileNotFoundError, match="bad.qx"):
        quincunx.load(path)
    good = file_of(block(0), block(1))
    for bytes, text in [
        (b"GIF89a", "not a file of games"),
        (file_of(), "no game"),
        (good[:-1], "game 2, at byte"),
        (good[:-1] + b"x", "checksum"),
    ]:
        path.write_bytes(bytes)
        with pytest.raises(ValueError, match=text):
            quincunx.load(path)
        with pytest.raises(ValueError, match=text):
            list(quincunx.batches(path, 5))


@pytest.mark.skipif("QUINCUNX" not in os.environ, reason="QUINCUNX names no program")
def test_the_program_writes_the_same(tmp_path):
    def run(*arguments):
        subprocess.run([os.environ["QUINCUNX"], *arguments], cwd=tmp_path, check=True)

    run("selfplay", "--games", "4", "--nodes", "50", "--size", "9", "--out", "games.qx")
    run("dump", "games.qx", "--numpy", "games.npy")
    written = numpy.load(tmp_path / "games.npy", mmap_mode="r")
    samples = quincunx.load(tmp_path / "games.qx")
    assert written.dtype == samples.dtype and len(samples) > 20
    assert numpy.array_equal(written, samples)
