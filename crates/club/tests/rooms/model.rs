//! A slow and obvious model of a room: every turn that was taken is kept, and what the
//! clocks show is counted anew from them in steps of ten milliseconds.

use quincunx_club::rooms::{Action, ClockRule, RoomSetup, Stage};
use quincunx_engine::game::Termination;
use quincunx_engine::game::swap::{Choice, OpeningRule, Seat};
use quincunx_engine::rules::{Color, Point, Rule};
use std::collections::HashMap;
use std::time::Duration;

/// The step of the model's clock.
pub(crate) const STEP: u64 = 10;

pub(crate) struct Model {
    setup: RoomSetup,
    pub(crate) stage: Stage,
    /// Whether the first seat has swapped chairs, after rematches.
    pub(crate) swapped: bool,
    pub(crate) stones: Vec<Point>,
    pub(crate) choices: Vec<Choice>,
    /// The turns of this game in milliseconds, and whether an increment followed.
    turns: Vec<(Seat, u64, bool)>,
    /// Milliseconds of this turn so far, while the clock ran.
    turn: u64,
    pub(crate) runs: bool,
    pub(crate) outcome: Option<(Option<Seat>, Termination)>,
    settled: usize,
    draw: Option<Seat>,
    draws_at: HashMap<Seat, usize>,
    undo: Option<Seat>,
    undos_at: HashMap<Seat, usize>,
    rematch: Option<Seat>,
    acted: Vec<Seat>,
}

/// Milliseconds and periods left, and whether the flag has fallen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Left {
    pub(crate) main: u64,
    pub(crate) periods: u32,
    fallen: bool,
}

impl Model {
    pub(crate) fn new(setup: RoomSetup, swapped: bool) -> Model {
        let mut model = Model {
            setup,
            stage: Stage::Playing,
            swapped,
            stones: Vec::new(),
            choices: Vec::new(),
            turns: Vec::new(),
            turn: 0,
            runs: true,
            outcome: None,
            settled: usize::MAX,
            draw: None,
            draws_at: HashMap::new(),
            undo: None,
            undos_at: HashMap::new(),
            rematch: None,
            acted: Vec::new(),
        };
        model.settle();
        model
    }

    /// Who has black, once that is settled.
    pub(crate) fn black(&self) -> Option<Seat> {
        use Choice::{Black, TwoStones, White};
        use Seat::{First, Second};
        match (self.setup.opening, &*self.choices) {
            (OpeningRule::Free, _) => Some(First),
            (_, [Black]) => Some(Second),
            (_, [White]) => Some(First),
            (_, [TwoStones, Black]) => Some(First),
            (_, [TwoStones, White]) => Some(Second),
            _ => None,
        }
    }

    /// Who acts, and whether by choosing.
    fn turn(&self) -> (Seat, bool) {
        let stones = self.stones.len();
        if let Some(black) = self.black() {
            let seat = if stones.is_multiple_of(2) {
                black
            } else {
                black.other()
            };
            return (seat, false);
        }
        let first = if self.setup.opening == OpeningRule::Swap1 {
            1
        } else {
            3
        };
        match (self.choices.len(), stones) {
            (0, stones) if stones < first => (Seat::First, false),
            (0, _) => (Seat::Second, true),
            (_, ..5) => (Seat::Second, false),
            _ => (Seat::First, true),
        }
    }

    pub(crate) fn actor(&self) -> Option<Seat> {
        (self.stage == Stage::Playing).then(|| self.turn().0)
    }

    /// Whether both have played and the game has ended.
    pub(crate) fn counts(&self) -> bool {
        let both = self.acted.contains(&Seat::First) && self.acted.contains(&Seat::Second);
        self.setup.rated && both && self.outcome.is_some()
    }

    /// What a seat has left, the turn under way included.
    pub(crate) fn left(&self, seat: Seat) -> Left {
        let mut turns = self.turns.clone();
        if let Some(actor) = self.actor() {
            turns.push((actor, self.turn, false));
        }
        let (mut main, mut periods, period) = match self.setup.clock {
            ClockRule::SuddenDeath { main_ms } | ClockRule::Increment { main_ms, .. } => {
                (main_ms, 0, 0)
            }
            ClockRule::Byoyomi {
                main_ms,
                period_ms,
                periods,
            } => (main_ms, periods, period_ms),
            clock => panic!("the model does not know {clock:?}"),
        };
        let mut fallen = false;
        for (_, mut used, increment) in turns.into_iter().filter(|turn| turn.0 == seat) {
            let mut of_period = 0;
            while used > 0 {
                used -= STEP;
                if main > 0 {
                    main -= STEP;
                } else {
                    of_period += STEP;
                    if of_period == period {
                        of_period = 0;
                        periods -= 1;
                    }
                }
                fallen |= main == 0 && periods == 0;
                if fallen {
                    break;
                }
            }
            if let ClockRule::Increment { increment_ms, .. } = self.setup.clock
                && increment
                && !fallen
            {
                main += increment_ms;
            }
        }
        if let Some((Some(winner), Termination::Time)) = self.outcome
            && winner != seat
        {
            return Left {
                main: 0,
                periods: 0,
                fallen: true,
            };
        }
        Left {
            main,
            periods,
            fallen,
        }
    }

    /// Time passes. Flags fall 150 ms late. Says whether one fell.
    pub(crate) fn wait(&mut self, milliseconds: u64) -> bool {
        if self.stage != Stage::Playing || !self.runs {
            return false;
        }
        self.turn += milliseconds;
        let actor = self.turn().0;
        let mut late = Model {
            turns: self.turns.clone(),
            choices: self.choices.clone(),
            stones: self.stones.clone(),
            turn: self.turn.saturating_sub(150),
            ..Model::new(self.setup, false)
        };
        late.stage = Stage::Playing;
        let falls = self.turn >= 150 && late.left(actor).fallen_or_empty();
        if falls {
            self.end(Some(actor.other()), Termination::Time);
        }
        falls
    }

    fn end(&mut self, winner: Option<Seat>, reason: Termination) {
        self.stage = Stage::Over;
        self.outcome = Some((winner, reason));
        self.runs = false;
        self.draw = None;
        self.undo = None;
    }

    fn settle(&mut self) {
        if self.settled == usize::MAX && self.black().is_some() {
            self.settled = self.stones.len();
        }
    }

    /// Ends the turn; says whether it came in time.
    fn take_turn(&mut self, seat: Seat, lag: u64) -> bool {
        let used = self.turn.saturating_sub(lag.min(150));
        self.turn = used;
        if self.left(seat).fallen_or_empty() {
            self.end(Some(seat.other()), Termination::Time);
            return false;
        }
        self.turns.push((seat, used, self.black().is_some()));
        self.acted.push(seat);
        self.turn = 0;
        self.runs = true;
        if self.draw == Some(seat.other()) {
            self.draw = None;
        }
        self.undo = None;
        true
    }

    /// What a player does; says whether it is allowed.
    pub(crate) fn act(&mut self, seat: Seat, action: Action, lag: Duration) -> bool {
        let lag = lag.as_millis() as u64;
        if self.stage == Stage::Over {
            if action != Action::Rematch || self.rematch == Some(seat) {
                return false;
            }
            if self.rematch == Some(seat.other()) {
                *self = Model::new(self.setup, !self.swapped);
            } else {
                self.rematch = Some(seat);
            }
            return true;
        }
        let (actor, chooses) = self.turn();
        match action {
            Action::Play { point, ply } => {
                let free = self.setup.size.has(point) && !self.stones.contains(&point);
                if actor != seat || ply != self.stones.len() || chooses || !free {
                    return false;
                }
                if self.take_turn(seat, lag) {
                    self.stones.push(point);
                    if self.has_won() {
                        self.end(Some(seat), Termination::Five);
                    } else if self.stones.len() == self.setup.size.points() {
                        self.end(None, Termination::BoardFull);
                    }
                }
            }
            Action::Choose { choice, ply } => {
                let offered = choice != Choice::TwoStones
                    || (self.setup.opening == OpeningRule::Swap2 && self.choices.is_empty());
                if actor != seat || ply != self.stones.len() || !chooses || !offered {
                    return false;
                }
                if self.take_turn(seat, lag) {
                    self.choices.push(choice);
                    self.settle();
                }
            }
            Action::Resign => self.end(Some(seat.other()), Termination::Resignation),
            Action::OfferDraw if self.draw == Some(seat.other()) => {
                self.end(None, Termination::Agreement)
            }
            Action::OfferDraw => {
                if self.draws_at.insert(seat, self.stones.len()) == Some(self.stones.len()) {
                    return false;
                }
                self.draw = Some(seat);
            }
            Action::DeclineDraw if self.draw.is_some() => self.draw = None,
            Action::DeclineUndo if self.undo.is_some() => self.undo = None,
            Action::Abort => {
                if self.acted.contains(&Seat::First) && self.acted.contains(&Seat::Second) {
                    return false;
                }
                self.end(None, Termination::Aborted);
            }
            Action::DeclineDraw | Action::DeclineUndo | Action::Rematch => return false,
            Action::AskUndo => {
                let agrees = self.undo == Some(seat.other());
                let wisher = if agrees { seat.other() } else { seat };
                let count = if wisher == actor { 2 } else { 1 };
                if self.setup.rated || self.stones.len() < self.settled.saturating_add(count) {
                    return false;
                }
                let undone = [wisher, wisher.other()];
                let undone = &undone[..count];
                if let ClockRule::Increment { increment_ms, .. } = self.setup.clock
                    && undone.iter().any(|it| self.left(*it).main <= increment_ms)
                {
                    return false;
                }
                if agrees {
                    self.turns.push((actor, self.turn, false));
                    for seat in undone {
                        let mut turns = self.turns.iter_mut().rev();
                        let turn = turns.find(|turn| turn.0 == *seat && turn.2).unwrap();
                        turn.2 = false;
                    }
                    self.turn = 0;
                    self.runs = true;
                    self.stones.truncate(self.stones.len() - count);
                    self.undo = None;
                    self.draw = None;
                    self.draws_at.clear();
                    self.undos_at.clear();
                } else if self.undos_at.insert(seat, self.stones.len()) == Some(self.stones.len()) {
                    return false;
                } else {
                    self.undo = Some(seat);
                }
            }
        }
        true
    }

    pub(crate) fn suspend(&mut self) {
        self.runs = false;
    }

    pub(crate) fn resume(&mut self) {
        self.runs = self.stage == Stage::Playing;
    }

    /// Whether the colour that moved last has a winning line, by looking at every run
    /// on the board.
    fn has_won(&self) -> bool {
        let size = self.setup.size;
        let color = |x: i32, y: i32| {
            let point = size.point(usize::try_from(x).ok()?, usize::try_from(y).ok()?)?;
            let number = self.stones.iter().position(|stone| *stone == point)?;
            Some([Color::Black, Color::White][number % 2])
        };
        let mover = [Color::White, Color::Black][self.stones.len() % 2];
        let mut won = false;
        for point in size.iter() {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let at = |i: i32| color(point.x() as i32 + i * dx, point.y() as i32 + i * dy);
                if at(-1) == Some(mover) {
                    continue;
                }
                let length = (0..).take_while(|&i| at(i) == Some(mover)).count();
                let other = Some(mover.opponent());
                let closed = at(-1) == other && at(length as i32) == other;
                won |= match self.setup.rule {
                    Rule::Freestyle => length >= 5,
                    Rule::Standard => length == 5,
                    Rule::Caro => length == 5 && !closed,
                    rule => panic!("the model does not know {rule}"),
                };
            }
        }
        won
    }
}

impl Left {
    fn fallen_or_empty(self) -> bool {
        self.fallen || (self.main == 0 && self.periods == 0)
    }
}
