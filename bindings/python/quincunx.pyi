"""A Gomoku and Renju engine.

Points are text such as `h8`, `a1` being the bottom left one, or column and row from zero, such
as `(7, 7)`. What is answered is text; `--` is a pass.
"""

from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from typing import Any, Literal, Optional, Union, final

from numpy import int8, void
from numpy.typing import NDArray

_Color = Literal["black", "white"]
_Point = Union[str, tuple[int, int]]
_Size = Union[int, str]

__version__: str

class IllegalMove(ValueError):
    """The side to move may not play the point."""

@final
class Game:
    """A game in progress or at its end, and its referee."""

    def __new__(
        cls,
        rule: str = "freestyle",
        size: _Size = 15,
        moves: Optional[Union[str, Sequence[_Point]]] = None,
    ) -> Game:
        """Begins a game and plays these moves: text such as `h8i9g10`, or a list of points
        and passes, as `moves` has it.

        The rule is `freestyle`, `standard`, `renju`, `caro` or `caro-overline`; the size is a
        side from 5 to 22, or two such as `20x15`.
        """

    @staticmethod
    def from_line(line: str) -> Game:
        """The game of a line `SIZE RULE MOVES`, such as `15 renju h8i9g10`."""

    @property
    def line(self) -> str:
        """The game as `from_line` reads it."""

    @property
    def rule(self) -> str: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def side(self) -> _Color:
        """The side to move."""

    @property
    def moves(self) -> list[str]: ...
    @property
    def result(self) -> Optional[Result]:
        """How the game ended, once it has.

        A game of renju in which every point left is forbidden is a draw.
        """

    def stone(self, point: _Point) -> Optional[_Color]:
        """The stone on a point."""

    def board(self) -> NDArray[int8]:
        """The board as samples have it: 1 a stone of the side to move, -1 of the opponent.

        The first row is the lowest. Needs numpy.
        """

    def play(self, point: _Point) -> None:
        """The side to move plays a point. Raises `IllegalMove` where it may not."""

    def pass_(self) -> None:
        """The side to move passes."""

    def undo(self) -> bool:
        """Takes the last move back. Whether there was one."""

    def is_legal(self, point: _Point) -> bool:
        """Whether the side to move may play a point."""

    def legal(self) -> list[str]:
        """All points that the side to move may play, row by row from the bottom left."""

    def forbidden(self) -> dict[str, str]:
        """The points that are forbidden to the side to move under renju, and why."""

    def __eq__(self, other: object) -> bool:
        """Whether the other is a game with the same rule, board and moves."""

    __hash__ = None  # type: ignore[assignment]
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, memo: Any) -> Game: ...

@final
class Result:
    """How a game ended."""

    @property
    def winner(self) -> Optional[_Color]:
        """None in a draw."""

    @property
    def reason(self) -> str: ...
    @property
    def stones(self) -> list[str]:
        """The stones of every line that won."""

@final
class Engine:
    """An engine, and what it remembers of the positions it has searched.

    Another thread may call `stop` at any time. What else it calls while a search runs raises
    `RuntimeError`.
    """

    def __new__(cls, *, threads: int = 1, table_mib: int = 0) -> Engine:
        """An engine with this number of search threads.

        The transposition table has `table_mib` MiB; 0 is a size that fits the limits of a
        search.
        """

    def think(
        self,
        game: Game,
        *,
        milliseconds: Optional[int] = None,
        nodes: Optional[int] = None,
        depth: Optional[int] = None,
        lines: int = 1,
        strength: Optional[int] = None,
        on_line: Optional[Callable[[Line], object]] = None,
    ) -> Answer:
        """Finds a move, which is not played, and so many of the best moves with their lines.

        Without `milliseconds`, `nodes` or `depth` it never returns by itself: another thread
        has to call `stop`, or Ctrl-C raises `KeyboardInterrupt`. `strength` is from 0, a
        beginner, to 100. `on_line` hears of every line, the best first in each iteration; what
        it raises ends the search.
        """

    def stop(self) -> None:
        """The search that runs answers with the best it has, within a few milliseconds."""

    def forget(self) -> None:
        """Forgets the positions that were searched."""

    def evaluate(self, game: Game) -> Value:
        """What the position is worth for the side to move, without a search."""

@final
class Answer:
    """The answer of a search."""

    @property
    def move(self) -> str: ...
    @property
    def lines(self) -> list[Line]:
        """The last line of each rank, the best first; none where no search was needed."""

@final
class Line:
    """What a search found: one line, for the side to move."""

    @property
    def rank(self) -> int:
        """0 is the best of several."""

    @property
    def depth(self) -> int: ...
    @property
    def score(self) -> int:
        """200 units are one logit of the chance of the side to move."""

    @property
    def chance(self) -> float:
        """The chance of the side to move to win, from 0 to 1."""

    @property
    def mate(self) -> Optional[int]:
        """The plies to a forced end: positive for a win of the side to move, negative for a
        loss.
        """

    @property
    def nodes(self) -> int: ...
    @property
    def milliseconds(self) -> int: ...
    @property
    def moves(self) -> list[str]: ...

@final
class Value:
    """What a position is worth for the side to move."""

    @property
    def score(self) -> int:
        """200 units are one logit of the chance of the side to move."""

    @property
    def chance(self) -> float:
        """The chance of the side to move to win, from 0 to 1."""

@final
class Solution:
    """What the search for a forced win found."""

    @property
    def found(self) -> Literal["win", "none", "unknown"]:
        """`none` where no win by threats exists, `unknown` where the limit came first."""

    @property
    def plies(self) -> Optional[int]: ...
    @property
    def line(self) -> list[str]:
        """The longest defence; `--` is a move that prevents nothing."""

    @property
    def nodes(self) -> int: ...

def solve(
    game: Game, *, nodes: int = 100_000, kind: Literal["any", "vcf", "vct"] = "any"
) -> Solution:
    """Looks for a forced win of the side to move, trying at most so many moves.

    `vcf` are wins by fours alone, `vct` by threes and fours.
    """

@final
class Batches(Iterator[NDArray[void]]):
    """Arrays of samples one after another."""

    def __iter__(self) -> Batches: ...
    def __next__(self) -> NDArray[void]: ...

def load(path: Union[str, PathLike[str]], *, size: Optional[_Size] = None) -> NDArray[void]:
    """All samples of a file of self-play games, as a structured array with these fields.

    game: the number of the game in the file, from zero.
    position: the number of the searched position in the file, from zero; labels go by it.
    ply: the number of stones on the board.
    best, played: the move that the search chose and the one that was played, as indices into
    the board row by row, `board.ravel()`.
    score: the search's score for the side to move, 200 units a logit; beyond +-20,000 for
    proven wins and losses.
    side: the side to move, 0 black, 1 white.
    result: the result for the side to move, 1 a win, 0 a draw, -1 a loss.
    sampled: whether the move played was sampled for exploration.
    validation: whether `quincunx fit` and `train` keep the game for validation.
    board: 1 a stone of the side to move, -1 of the opponent; the first row is the lowest.

    Games on other boards than of `size` are passed over; without it all have to have boards of
    one size. Needs numpy.
    """

def batches(
    path: Union[str, PathLike[str]], count: int, *, size: Optional[_Size] = None
) -> Batches:
    """The samples of a file of self-play games, so many at a time, the last time the rest."""
