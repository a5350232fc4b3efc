"""Search, evaluation and forced wins."""

import signal
import threading
import time

import pytest

from quincunx import Engine, Game, solve

WON = "9 freestyle d5a1e5a3f5a9"


def test_limits_bound_a_search():
    engine = Engine(table_mib=8)
    game = Game("renju", 15, "h8i9")
    lines = []
    answer = engine.think(game, depth=4, on_line=lines.append)
    assert game.is_legal(answer.move) and game.moves == ["h8", "i9"]
    assert [line.depth for line in lines][-1] == 4 == answer.lines[0].depth
    assert answer.lines[0].moves[0] == answer.move
    assert 0 < answer.lines[0].chance < 1 and answer.lines[0].mate is None
    engine.forget()
    begun = time.monotonic()
    engine.think(game, milliseconds=100)
    assert time.monotonic() - begun < 5


def test_the_same_nodes_give_the_same_answer():
    game = Game("freestyle", 15, "h8i9")
    answers = [Engine().think(game, nodes=3_000) for _ in range(2)]
    assert answers[0].lines[0].nodes == answers[1].lines[0].nodes >= 3_000
    assert answers[0].lines[0].moves == answers[1].lines[0].moves


def test_several_lines_have_ranks():
    answer = Engine().think(Game("freestyle", 15, "h8i9"), nodes=5_000, lines=3)
    assert [line.rank for line in answer.lines] == [0, 1, 2]
    assert len({line.moves[0] for line in answer.lines}) == 3
    for lines in [0, 65]:
        with pytest.raises(ValueError, match="lines"):
            Engine().think(Game(), nodes=1, lines=lines)


def test_limits_have_bounds():
    with pytest.raises(ValueError, match="from 0 to 100"):
        Engine().think(Game(), nodes=1, strength=101)
    assert Engine().think(Game(), nodes=1 << 40, depth=2, strength=100).move


def test_a_forced_win_is_proved():
    game = Game.from_line(WON)
    solution = solve(game)
    assert (solution.found, solution.plies, len(solution.line)) == ("win", 3, 3)
    assert Engine().think(game, nodes=2_000).lines[0].mate == 3
    assert solve(Game("freestyle", 15, "h8i9")).found == "none"
    assert solve(game, kind="vcf").found == "win"
    assert solve(game, nodes=0).found == "unknown"
    with pytest.raises(ValueError):
        solve(game, kind="luck")


def test_the_evaluation_is_for_the_side_to_move():
    engine = Engine()
    assert engine.evaluate(Game.from_line(WON)).chance > 0.6
    value = engine.evaluate(Game("renju"))
    assert abs(value.score) < 1_000 and abs(value.chance - 0.5) < 0.5


def test_a_game_that_is_over_is_not_searched():
    game = Game.from_line("9 freestyle d5a1e5a3f5a9g5a5h5")
    for ask in [lambda: Engine().think(game), lambda: solve(game)]:
        with pytest.raises(ValueError, match="over"):
            ask()


def test_another_thread_stops_a_search():
    engine = Engine()
    started = threading.Event()
    answers = []

    def search():
        answers.append(engine.think(Game("freestyle", 15, "h8i9"), on_line=lambda _: started.set()))

    thread = threading.Thread(target=search)
    thread.start()
    assert started.wait(30)
    with pytest.raises(RuntimeError, match="another thread"):
        engine.think(Game(), nodes=1)
    asked = time.monotonic()
    engine.stop()
    thread.join()
    assert time.monotonic() - asked < 2
    assert answers[0].move
    # A stop that came before does not stop a search.
    assert engine.think(Game("freestyle", 15, "h8i9"), depth=3).lines[0].depth == 3


def test_what_a_listener_raises_ends_the_search():
    engine = Engine()

    def fail(line):
        raise KeyError(line.depth)

    with pytest.raises(KeyError):
        engine.think(Game("freestyle", 15, "h8i9"), on_line=fail)
    assert engine.think(Game("freestyle", 15, "h8i9"), depth=2).move


def test_ctrl_c_ends_a_search():
    engine = Engine()
    # A shell has jobs in the background ignore the signal, and Python leaves that as it is.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            engine.think(Game("freestyle", 15, "h8i9"), milliseconds=60_000)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)


def test_weaker_players_play_legal_moves():
    game = Game("renju", 15)
    engine = Engine()
    for _ in range(8):  # The ninth stone may end the game.
        game.play(engine.think(game, nodes=500, strength=0).move)
    assert len(game.moves) == 8


def test_threads_have_bounds():
    assert Engine(threads=2).think(Game("freestyle", 15, "h8i9"), nodes=5_000).move
    for threads in [0, 257]:
        with pytest.raises(ValueError, match="threads"):
            Engine(threads=threads)
