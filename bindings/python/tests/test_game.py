"""Games and their referee."""

import copy
import pickle

import numpy
import pytest

import quincunx
from quincunx import Game, IllegalMove


def test_a_game_is_played_and_won():
    game = Game("standard", 9)
    for point in ["d5", (0, 0), "e5", (0, 2), "f5", (0, 8), "g5", "h5"]:
        game.play(point)
    assert game.side == "black" and game.result is None
    game.play("c5")
    assert game.result.winner == "black"
    assert game.result.reason == "five in a row"
    assert sorted(game.result.stones) == ["c5", "d5", "e5", "f5", "g5"]
    with pytest.raises(IllegalMove, match="over"):
        game.play("a5")
    assert game.undo() and game.result is None
    assert len(game.moves) == 8


def test_lines_are_games():
    game = Game.from_line("20x15 renju h8i9--g10")
    assert (game.width, game.height, game.rule, game.side) == (20, 15, "renju", "black")
    assert game.moves == ["h8", "i9", "--", "g10"]
    assert Game.from_line(game.line).moves == game.moves
    assert Game("renju", "20x15", game.moves).line == game.line
    assert Game("renju", 15, "h8 i9").line == Game("renju", 15, ["h8", (8, 8)]).line
    assert Game().line == "15 freestyle"


def test_renju_has_forbidden_points():
    game = Game("renju", 15, "h8a1i8c15k5o15k6o1")
    assert game.forbidden() == {"k8": "double three"}
    assert not game.is_legal("k8") and game.is_legal("j9")
    assert "k8" not in game.legal() and len(game.legal()) == 225 - 8 - 1
    with pytest.raises(IllegalMove, match="k8 is forbidden"):
        game.play("k8")
    assert len(game.moves) == 8


def test_a_game_with_forbidden_points_only_is_a_draw():
    # The only point left is the gap in black's row of seven.
    moves = "c5c4b3d5f4a2f1c3b2c2d3a3e1e2d2e3d4e4a1g5e5f5f2g2f3g3c1g4b4b5b1a4g1a5"
    game = Game("renju", "7x5", moves)
    assert (game.result.winner, game.result.reason) == (None, "the board is full")
    assert game.legal() == []
    assert game.undo() and game.result is None
    game.play("a5")
    assert game.result.winner is None
    assert Game("renju", "7x5", moves + "--").side == "white"


def test_boards_are_arrays():
    game = Game("freestyle", "7x9", "a1g9")
    board = game.board()
    assert board.shape == (9, 7) and board.dtype == numpy.int8
    assert (board[0, 0], board[8, 6], board.sum()) == (1, -1, 0)
    assert (game.stone("a1"), game.stone((6, 8)), game.stone("b1")) == ("black", "white", None)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Game("go"),
        lambda: Game("renju", 4),
        lambda: Game("renju", "23x5"),
        lambda: Game("renju", -1),
        lambda: Game("renju", 15, "h8x99"),
        lambda: Game("renju", 15, "h8h8"),
        lambda: Game.from_line("renju"),
        lambda: Game().play("p1"),
        lambda: Game().play((15, 0)),
        lambda: Game().play((0, -1)),
        lambda: Game().stone((-1, 0)),
        lambda: Game().play("h"),
        lambda: Game().stone("v22"),
    ],
)
def test_nonsense_is_a_value_error(make):
    with pytest.raises(ValueError):
        make()


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: Game("renju", 1.5), "expected a side .* not float"),
        (lambda: Game("renju", None), "expected a side .* not NoneType"),
        (lambda: Game("renju", 15, 7), "expected moves .* not int"),
        (lambda: Game("renju", 15, ["h8", 7]), "expected a point .* not int"),
        (lambda: Game().play(7), "expected a point such as 'h8' .* not int"),
        (lambda: Game().play((1, 2, 3)), "expected a point .* not tuple"),
        (lambda: Game().play((1.5, 2)), "float"),
        (lambda: Game(7), "int.*str"),
    ],
)
def test_other_types_are_type_errors(make, message):
    with pytest.raises(TypeError, match=message) as error:
        make()
    assert "variant" not in str(error.value) and "enum" not in str(error.value)


def test_points_off_the_board_are_not_legal():
    assert not Game().is_legal((99, 99)) and not Game().is_legal((-1, 0))


def test_copies_are_games_of_their_own():
    game = Game("renju", 15, "h8")
    for other in [copy.copy(game), copy.deepcopy(game)]:
        other.play("i9")
        assert game.moves == ["h8"] and other.moves == ["h8", "i9"]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_games_are_pickled(protocol):
    won = "9 standard d5a1e5a3f5a9g5h5c5"
    for line in ["15 freestyle", "20x15 renju h8i9--g10", won]:
        game = Game.from_line(line)
        other = pickle.loads(pickle.dumps(game, protocol))
        assert other == game and other is not game and other.line == game.line
        assert other.result == game.result and other.side == game.side
    other.undo()
    assert other != game and game.result is not None


def test_equal_games_have_the_same_rule_board_and_moves():
    game = Game("renju", 15, "h8i9")
    assert game == Game("renju", "15x15", [(7, 7), "i9"]) == copy.copy(game)
    others = [
        Game("standard", 15, "h8i9"),
        Game("renju", 16, "h8i9"),
        Game("renju", 15, "i9h8"),
        Game("renju", 15, "h8i9--"),
        "15 renju h8i9",
        None,
    ]
    assert all(game != other for other in others)
    # They change, so they are no keys of a dictionary.
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)


def test_the_version_is_the_packages():
    from importlib.metadata import version

    assert quincunx.__version__ == version("quincunx")
