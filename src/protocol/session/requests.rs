//! Requests and their answers: what the engine is set to work on, and how what
//! it found is told.

use super::super::dialect::{Dialect, SWAP1};
use super::super::live;
use super::super::message::{Coordinates, Owner, Placement, Reply};
use super::{Flow, Manner, Session, Trouble, refused};
use crate::database::Advice;
use crate::engine::{Answer, Choice, Score, Started, Stone, Task};
use crate::position::Position;
use crate::rules::Color;
use std::io::{self, Write};
use std::time::Instant;

impl<W: Write> Session<W> {
    pub(super) fn begin(&mut self, read_at: Instant) -> Result<Flow, Trouble> {
        self.expect_game()?;
        let position = self.engine.position();
        if position.empty_points() < position.size().points() {
            return refused("BEGIN needs an empty board, use BOARD or TURN");
        }
        self.ask(Task::Move, Manner::Played, read_at)
    }

    pub(super) fn turn(&mut self, at: Coordinates, read_at: Instant) -> Result<Flow, Trouble> {
        self.expect_game()?;
        let point = self.on_board(at)?;
        self.engine.check(point)?;
        if self.must_wait() {
            return Ok(Flow::Hold);
        }
        self.engine.play(point)?;
        self.ask(Task::Move, Manner::Played, read_at)
    }

    pub(super) fn play(&mut self, at: Coordinates) -> Result<Flow, Trouble> {
        self.expect_game()?;
        let point = self.on_board(at)?;
        self.engine.check(point)?;
        if self.must_wait() {
            return Ok(Flow::Hold);
        }
        let thought = None;
        self.manner = Manner::Played;
        self.tell(&Answer::Move(Choice { point, thought }))?;
        Ok(Flow::Next)
    }

    pub(super) fn board(
        &mut self,
        stones: &[Placement],
        read_at: Instant,
    ) -> Result<Flow, Trouble> {
        self.expect_game()?;
        let position = self.set_up(stones)?;
        if self.must_wait() {
            return Ok(Flow::Hold);
        }
        self.engine.set_position(position);
        self.ask(Task::Move, Manner::Played, read_at)
    }

    /// The swap2 opening: black put the first of the stones.
    pub(super) fn swap2(
        &mut self,
        stones: &[Coordinates],
        read_at: Instant,
    ) -> Result<Flow, Trouble> {
        self.expect_game()?;
        if ![0, 3, 5].contains(&stones.len()) {
            return refused("SWAP2BOARD comes with no stones, three or five");
        }
        let colors = [Color::Black, Color::White].into_iter().cycle();
        let stones = stones.iter().zip(colors).map(|(&at, color)| {
            let point = self.on_board(at)?;
            let color = Some(color);
            Ok(Stone { color, point })
        });
        let stones = stones.collect::<Result<Vec<Stone>, Trouble>>()?;
        let side = [Color::Black, Color::White][stones.len() % 2];
        let position = self.engine.set_up(&stones, side)?;
        if self.must_wait() {
            return Ok(Flow::Hold);
        }
        self.engine.set_position(position);
        self.ask(Task::Opening, Manner::Played, read_at)
    }

    /// A step of the same on the board as it is, whoever the stones are said to
    /// belong to.
    pub(super) fn swap2_step(&mut self, step: u8, read_at: Instant) -> Result<Flow, Trouble> {
        self.expect_game()?;
        if self.must_wait() {
            return Ok(Flow::Hold);
        }
        let mut position = self.engine.position().clone();
        let stones = position.ply();
        let needed = [0, 3, 5][usize::from(step - 1) % 3];
        if stones != needed {
            return refused(format!(
                "this step of swap2 comes after {needed} stones, not {stones}"
            ));
        }
        position.set_side([Color::Black, Color::White][stones % 2]);
        self.engine.set_position(position);
        self.ask(Task::Opening, Manner::Swap2Step(step), read_at)
    }

    /// The position with these stones, the engine to move. Whoever owns the
    /// first stone is black; with no stones that is the engine.
    pub(super) fn set_up(&self, stones: &[Placement]) -> Result<Position, Trouble> {
        let players = stones.iter().map(|stone| stone.owner);
        let own = match players.into_iter().find(|&owner| owner != Owner::Nobody) {
            Some(Owner::Opponent) => Color::White,
            _ => Color::Black,
        };
        let stones = stones.iter().map(|stone| {
            Ok(Stone {
                point: self.on_board(stone.at)?,
                color: match stone.owner {
                    Owner::Own => Some(own),
                    Owner::Opponent => Some(own.opponent()),
                    Owner::Nobody => None,
                },
            })
        });
        let stones = stones.collect::<Result<Vec<Stone>, Trouble>>()?;
        Ok(self.engine.set_up(&stones, own)?)
    }

    /// Sets the engine to work on the position as it is.
    pub(super) fn ask(
        &mut self,
        task: Task,
        manner: Manner,
        read_at: Instant,
    ) -> Result<Flow, Trouble> {
        self.expect_game()?;
        if self.must_wait() {
            return Ok(Flow::Hold);
        }
        let task = self.under_swap1(task);
        self.manner = manner;
        let Advice { play, avoid } = self.advice(task);
        if let Some((point, _)) = play {
            self.message(&format!("{point} is from the database"))?;
            let thought = None;
            self.tell(&Answer::Move(Choice { point, thought }))?;
            return Ok(Flow::Next);
        }
        let blocked = *self.engine.excluded_mut();
        *self.engine.excluded_mut() = blocked.union(&avoid);
        let started = self.engine.start(task, read_at);
        *self.engine.excluded_mut() = blocked;
        match started? {
            Started::Answered(answer) => self.tell(&answer)?,
            Started::Searching(request) => {
                self.awaited = Some(request);
                if let Some(reply) = live::beginning(self.detail) {
                    self.output.send(&reply)?;
                }
            }
        }
        Ok(Flow::Next)
    }

    /// Tells an answer, in the manner that was asked for.
    pub(super) fn tell(&mut self, answer: &Answer) -> io::Result<()> {
        if let Answer::Move(Choice {
            thought: Some(thought),
            ..
        }) = answer
        {
            self.output.send(&live::summary(thought))?;
        }
        if let Manner::Swap2Step(step) = self.manner {
            return self.tell_step(step, answer);
        }
        let stones = match answer {
            Answer::Move(choice) if self.swaps(choice) => &[],
            Answer::Move(choice) => std::slice::from_ref(&choice.point),
            Answer::Stones(stones) => stones.as_slice(),
            Answer::Swap => &[],
        };
        if self.manner == Manner::Played {
            for &point in stones {
                if let Err(error) = self.engine.play(point) {
                    log::error!("the engine's move can't be made: {error}");
                }
            }
        }
        self.output.send(&match *stones {
            [] => Reply::Swap,
            [point] => Reply::Move(point.into()),
            _ => Reply::Stones(stones.iter().copied().map(Coordinates::from).collect()),
        })?;
        // It is the opponent's turn, unless the next request is here already.
        if self.manner == Manner::Played && stones.len() == 1 && self.held.is_none() {
            self.engine.ponder();
        }
        Ok(())
    }

    /// Tells Yixin-Board what it asked for with this step of swap2.
    pub(super) fn tell_step(&mut self, step: u8, answer: &Answer) -> io::Result<()> {
        let choice = step - 1;
        match answer {
            Answer::Swap => self.message(&format!("SWAP2 SWAP{choice} YES")),
            Answer::Move(_) => self.message(&format!("SWAP2 SWAP{choice} NO")),
            Answer::Stones(stones) => {
                let first = if stones.len() == 3 { 1 } else { 4 };
                for (number, &point) in (first..).zip(stones) {
                    let Coordinates { x, y } = point.into();
                    self.message(&format!("SWAP2 MOVE{number} {x} {y}"))?;
                }
                Ok(())
            }
        }
    }

    /// Under the swap1 opening the first stone must favour nobody.
    pub(super) fn under_swap1(&self, task: Task) -> Task {
        let moves = matches!(task, Task::Move | Task::Lines(_));
        if moves && self.is_swap1() && self.engine.position().ply() == 0 {
            return Task::Balance {
                pair: false,
                bias: 0,
            };
        }
        task
    }

    /// Whether the engine had rather taken the first stone's side than answer
    /// it, and may.
    pub(super) fn swaps(&self, choice: &Choice) -> bool {
        let thought = choice.thought.as_ref();
        let behind = thought.is_some_and(|thought| thought.score < Score::ZERO);
        behind && self.swapable && self.is_swap1() && self.engine.position().ply() == 1
    }

    pub(super) fn is_swap1(&self) -> bool {
        self.dialect == Dialect::Yixin && self.rule_code == SWAP1
    }
}
