//! Four in a row with gravity: a game of its own beside the engine.
//!
//! Two players drop stones into the columns of a standing board. A stone falls
//! to the lowest free point, and the first to have four in a row wins: across,
//! up or on a diagonal. The shops sell it with seven columns and six rows. This
//! module plays it on every board from 4x4 to 64 points, and as the game is small
//! it often plays perfectly.
//!
//! It uses nothing but the standard library and is meant to be read. What follows
//! is an introduction to alpha-beta by way of its files, in the order to read
//! them.
//!
//! # The board is a word
//!
//! A set of points is a `u64` with one bit a point, up the columns one after
//! another (`board.rs`). A shift moves all stones by one point, so a few shifts
//! and ands answer for the whole board at once where four in a row stand, or which
//! points would complete a four. Each direction has a mask against stones that
//! leave a column at the top and come back at the bottom of the next one.
//!
//! A position is two such words: the stones of the side to move and those of both
//! (`stones.rs`). A move is one more bit, and a change of sides.
//!
//! # Minimax
//!
//! The side to move takes the move that is best for it; its opponent then does
//! the same. What is good for one is as bad for the other, so one rule is enough:
//!
//! > The score of a position is the highest of its moves' scores, and a move's
//! > score is the negative of the score of the position it leads to.
//!
//! Where the game is over the score is known: a win, a draw, a loss. Early wins
//! are worth more than late ones (`score.rs`). Following all moves to the end
//! would take 4.5 trillion positions on a board of 7x6 (Edelkamp and Kissmann
//! counted them), so the rest is about leaving out most of them.
//!
//! # Alpha-beta
//!
//! Say the first move of a position is worth 3. If the first reply to the second
//! move shows that this one is worth at most 1, its other replies need no look:
//! the move is refuted, by however much. *Alpha* is the score that the side to
//! move is sure of, *beta* the score that its opponent is: a position worth beta
//! or more will not be reached, since the opponent has a better way elsewhere.
//! A search with this window returns the score if it lies inside, and else only
//! on which side of the window it lies (`alpha_beta.rs`). If the best move comes
//! first each time, that leaves about the square root of the positions.
//!
//! Seven things make the rest of the difference:
//!
//! * **Move order.** A move that leaves more points where its side would complete
//!   a four goes first; among equals, the one nearer the centre.
//! * **Forced moves.** A threat that can be played next has to be answered, and
//!   neither side plays below a threat of the opponent. Two threats at once, or no move
//!   left, and the game is lost. So a node never has to look for a win in one.
//! * **The follow-up rule.** A player who always answers right above the other's
//!   stone is sure of every second point of a column. Often that alone shows that
//!   the other cannot win, or even that he loses in the end (`follow_up.rs`).
//! * **A look before the search.** All moves are checked by the rule above and in
//!   the table before the first of them is searched. One that is known to be good
//!   enough saves the search of the others.
//! * **Narrow windows.** Whether a score is *at least* so much is answered much
//!   faster than what it is. After the first move this is all there is to know of
//!   the others; the few that are better get a second search. The exact value of
//!   a position is found by such questions alone (`root.rs`): is it won, and if
//!   so, sooner than in the middle of what is possible?
//! * **The transposition table.** The same position comes up after many orders of
//!   moves. The table keeps what was found out about it: the score, or a bound on
//!   it, and how deep the search was (`table.rs`). Early in the game a position
//!   and its mirror image share an entry; near the end a search is quicker than
//!   the table.
//! * **Iterative deepening.** A search that stops after some plies and guesses is
//!   repeated a ply deeper as long as there is time. There is a move at any
//!   moment, and it comes first in the next round.
//!
//! # Guessing
//!
//! Where the search cannot reach the end it counts (`evaluation.rs`): lines of
//! four still open to each side by their stones, and threats, worth more in the
//! rows that a player comes to when the other columns have filled up. This is the
//! rule of *odd and even threats*, described by Victor Allis and known to every good
//! player: on a board with six rows the first player wants threats in odd rows and
//! the second player in even ones.
//!
//! # What is known
//!
//! * The first player wins on 7x6, with the last stone but one, if he begins in
//!   the middle. James D. Allen and Victor Allis showed it independently in
//!   October 1988; Allis in *A Knowledge-based Approach of Connect-Four* (Vrije
//!   Universiteit Amsterdam, report IR-163).
//! * John Tromp computed who wins on all boards of up to fifteen columns and rows
//!   together, and on 8x8 (<https://tromp.github.io/c4/c4.html>). On 7x7
//!   the game is a draw. Christophe Steininger added on which move these games
//!   end (<https://github.com/ChristopheSteininger/c4>).
//! * The numbers of positions after each ply are sequence
//!   [A212693](https://oeis.org/A212693) of the OEIS.
//! * Pascal Pons explains a solver step by step in a blog
//!   (<http://blog.gamesolver.org>); the questions about narrow windows and the
//!   classes of test positions (`suite.rs`) follow him.
//!
//! # How fast it is
//!
//! Random positions of 7x6 by difficulty, and Pascal Pons' solver
//! (<https://github.com/PascalPons/connect4>, d6ba50d, `g++ -O3`) in turn on the same
//! ones, each with an empty table of 128 and 80 MB, the best of three times on one
//! core of a shared EPYC machine:
//!
//! | class | positions | median nodes | ms | Pons: nodes | ms |
//! |---|---|---|---|---|---|
//! | end-easy, middle-easy, begin-easy | 100 each | 0 | < 0.01 | 0 | < 0.01 |
//! | middle-medium | 100 | 3,076 | 0.55 | 7,570 | 0.84 |
//! | begin-medium | 100 | 90,404 | 23 | 321,075 | 65 |
//! | begin-hard | 40 | 585,681 | 123 | 2,739,880 | 567 |
//!
//! Most random positions of the easy classes are won with the next stone. A node
//! is a position whose moves were searched; Pons counts those that the table
//! answers too. `44444` takes 29 million nodes and 3.4 s, the empty board 120 million and
//! 77 s. Positions come from `quincunx gravity positions begin-hard --rows 6 --count 40
//! --seed 1`, nodes and times from `quincunx gravity bench FILE --memory 128`.
//!
//! `cargo test --release --test gravity -- --ignored` compares the search with plain
//! minimax on 10,000 endgames, positions per ply with A212693 up to the twelfth, the
//! values of eleven boards up to 7x6 with the published ones, and plays 1,000 games from
//! positions that are not lost against a random player and against level 9. It
//! loses none, and all this takes six minutes.
//!
//! # Using it
//!
//! ```
//! use quincunx_gravity::{Limits, Position, Search, Size, Value};
//! use std::ops::ControlFlow;
//! use std::time::{Duration, Instant};
//!
//! let mut position = Position::new(Size::new(6, 4)?);
//! let mut search = Search::new(4 << 20);
//! let start = Instant::now();
//! let mut for_a_minute = |_| match start.elapsed() < Duration::from_secs(60) {
//!     true => ControlFlow::Continue(()),
//!     false => ControlFlow::Break(()),
//! };
//! let outcome = search.search(&position, &Limits::default(), &mut for_a_minute);
//! assert_eq!(outcome.value, Some(Value::Loss(24)));
//! if let Some(column) = outcome.column {
//!     let row = position.play(column)?;
//!     assert_eq!(row, 0);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The search knows no clock: [`Search`] asks a [`Watch`] now and then whether to
//! go on. A [`Machine`] plays at a [`Level`].

mod alpha_beta;
mod board;
mod evaluation;
mod follow_up;
mod level;
mod limits;
mod position;
mod random;
mod root;
mod score;
mod search;
mod size;
mod stones;
mod suite;
mod table;

pub use level::{Level, LevelError, Machine};
pub use limits::{Limits, Progress, Watch};
pub use position::{MovesError, PlayError, Player, Position, column_digit, column_of_digit};
pub use root::Outcome;
pub use score::Value;
pub use search::{Search, Solution};
pub use size::{Size, SizeError};
pub use suite::{BENCH, Difficulty, DifficultyError, Suite};
