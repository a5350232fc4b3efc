//! Requests for moves and stones, and their answers.

use super::{Answer, CommandError, Phase, Request, Session, live, refused};
use quincunx_engine::engine::{Started, Stone, Swap2Step};
use quincunx_engine::gomocup::{Coordinates, Placement, Reply, StoneOwner};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{Color, Point};
use std::io::{self, Write};
use std::time::Duration;

impl<W: Write> Session<W> {
    pub(super) fn begin(&mut self, read_at: Duration) -> Result<(), CommandError> {
        self.expect_game()?;
        let position = self.engine.position();
        if position.empty_points() < position.size().points() {
            return refused("BEGIN needs an empty board, use BOARD or TURN");
        }
        self.ask(Request::Move, read_at)
    }

    pub(super) fn turn(&mut self, at: Coordinates, read_at: Duration) -> Result<(), CommandError> {
        let point = self.free_point_for_a_move(at)?;
        let played = self.engine.play(point);
        played.map_err(|error| self.refusal(error))?;
        self.ask(Request::Move, read_at)
    }

    pub(super) fn play(&mut self, at: Coordinates) -> Result<(), CommandError> {
        let point = self.free_point_for_a_move(at)?;
        let ponder = self.engine.play_as_answer(point);
        let ponder = ponder.map_err(|error| self.refusal(error))?;
        self.output.send(&Reply::Move(at))?;
        ponder.into_iter().for_each(|search| self.run(search));
        Ok(())
    }

    /// The free point at these coordinates, for a stone that is put once no answer is due.
    fn free_point_for_a_move(&mut self, at: Coordinates) -> Result<Point, CommandError> {
        self.expect_game()?;
        let point = self.on_board(at)?;
        let free = self.engine.check(point);
        free.map_err(|error| self.refusal(error))?;
        self.expect_answered()?;
        Ok(point)
    }

    pub(super) fn board(
        &mut self,
        stones: &[Placement],
        read_at: Duration,
    ) -> Result<(), CommandError> {
        self.expect_game()?;
        let position = self.set_up(stones)?;
        self.expect_answered()?;
        self.engine.set_position(position);
        self.ask(Request::Move, read_at)
    }

    /// The next step of the swap2 opening after these stones, black's first.
    pub(super) fn swap2(
        &mut self,
        stones: &[Coordinates],
        read_at: Duration,
    ) -> Result<(), CommandError> {
        self.expect_game()?;
        if Swap2Step::after(stones.len()).is_none() {
            return refused("SWAP2BOARD comes with no stones, three or five");
        }
        let points = stones.iter().map(|&at| self.on_board(at));
        let points = points.collect::<Result<Vec<Point>, CommandError>>()?;
        let position = self.engine.set_up_moves(&points);
        let position = position.map_err(|error| self.refusal(error))?;
        self.expect_answered()?;
        self.engine.set_position(position);
        self.ask(Request::Swap2, read_at)
    }

    /// A step of the swap2 opening on the board as it is, answered by messages.
    pub(super) fn swap2_step(&mut self, step: u8, read_at: Duration) -> Result<(), CommandError> {
        let step = match step {
            1 => Swap2Step::Open,
            2 => Swap2Step::ChooseOfThree,
            _ => Swap2Step::ChooseOfFive,
        };
        if step == Swap2Step::Open && self.phase != Phase::NoGame {
            // After a game Yixin-Board sends nothing else before this.
            self.expect_answered()?;
            self.engine.new_game(self.engine.position().size());
        }
        self.ask(Request::Swap2Step(step), read_at)
    }

    /// The position with these stones, the engine to move. The owner of the
    /// first stone is black; with no stones that is the engine.
    pub(super) fn set_up(&self, stones: &[Placement]) -> Result<Position, CommandError> {
        let mut players = stones.iter().map(|stone| stone.owner);
        let own = match players.find(|&owner| owner != StoneOwner::Neither) {
            Some(StoneOwner::Opponent) => Color::White,
            _ => Color::Black,
        };
        let stones = stones.iter().map(|stone| {
            Ok(Stone {
                point: self.on_board(stone.at)?,
                color: match stone.owner {
                    StoneOwner::Own => Some(own),
                    StoneOwner::Opponent => Some(own.opponent()),
                    StoneOwner::Neither => None,
                },
            })
        });
        let stones = stones.collect::<Result<Vec<Stone>, CommandError>>()?;
        let position = self.engine.set_up(&stones, own);
        position.map_err(|error| self.refusal(error))
    }

    /// Asks the engine for something on the position as it is.
    pub(super) fn ask(&mut self, request: Request, read_at: Duration) -> Result<(), CommandError> {
        self.expect_game()?;
        self.expect_answered()?;
        match self.engine.start(request, read_at)? {
            Started::Answered(answer) => self.send_answer(request, &answer)?,
            Started::Searching(search) => {
                self.phase = Phase::Searching {
                    id: search.id(),
                    request,
                    is_stopped: false,
                };
                self.run(search);
                if let Some(reply) = live::beginning(self.detail) {
                    self.output.send(&reply)?;
                }
            }
        }
        Ok(())
    }

    /// Sends an answer in the form that the request asks for.
    pub(super) fn send_answer(&mut self, request: Request, answer: &Answer) -> io::Result<()> {
        if let Answer::Move(best) = answer
            && best.from_book
        {
            self.message(&format!("{} is from the book", best.point))?;
        }
        if let Some(info) = answer.info() {
            self.output.send(&live::summary(info))?;
        }
        if let Request::Swap2Step(step) = request {
            return self.send_swap2_step(step, answer);
        }
        let ponder = self.engine.finish(answer).unwrap_or_else(|error| {
            log::error!("the engine's answer can't be played: {error}");
            None
        });
        if matches!(request, Request::Balance { .. }) {
            // Yixin-Board goes on from the position with these stones.
            for &point in answer.stones() {
                let played = self.engine.play(point);
                played.unwrap_or_else(|error| log::error!("{point} can't be put: {error}"));
            }
        }
        let size = self.engine.position().size();
        self.output.send(&match *answer.stones() {
            [] => Reply::Swap,
            [point] => Reply::Move(Coordinates::of(point, size)),
            ref stones => Reply::Stones(stones.iter().map(|&p| Coordinates::of(p, size)).collect()),
        })?;
        // It is the opponent's turn, unless the next command is here already.
        if self.waiting.is_some() {
            return Ok(());
        }
        match ponder {
            Some(search) => self.run(search),
            // A table that was cut short grows meanwhile.
            None => self.prepare(),
        }
        Ok(())
    }

    /// Tells Yixin-Board what it asked for with this step of swap2.
    fn send_swap2_step(&mut self, step: Swap2Step, answer: &Answer) -> io::Result<()> {
        let choice = match step {
            Swap2Step::Open => 0,
            Swap2Step::ChooseOfThree => 1,
            Swap2Step::ChooseOfFive => 2,
        };
        match answer {
            Answer::Swap { .. } => self.message(&format!("SWAP2 SWAP{choice} YES")),
            Answer::Move(_) => self.message(&format!("SWAP2 SWAP{choice} NO")),
            Answer::Stones(stones) => {
                let size = self.engine.position().size();
                let first = if stones.len() == 3 { 1 } else { 4 };
                for (number, &point) in (first..).zip(stones) {
                    let Coordinates { x, y } = Coordinates::of(point, size);
                    self.message(&format!("SWAP2 MOVE{number} {x} {y}"))?;
                }
                Ok(())
            }
        }
    }
}
