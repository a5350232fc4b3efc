//! The replies that a manager receives, compared with those it expects.

use crate::board::coordinates;
use crate::manager::Manager;
use crate::model::{ExpectedReply, Request, Wanted};
use quincunx_engine::rules::{BoardSize, Point};
use std::collections::BTreeSet;

impl Manager {
    /// Brings the board to where the first request is answered; drops those
    /// that are refused there.
    pub(crate) fn begin_request(&mut self) {
        let Some(size) = self.size else { return };
        while let Some(request) = self.requests.front_mut() {
            if let Some(board) = request.board.take() {
                self.board = board;
            }
            let turn = request.turn.take();
            let needed = match request.wanted {
                Wanted::Balance(stones) => stones,
                Wanted::Swap2 | Wanted::Swap2Step(_) => 3,
                Wanted::Move | Wanted::This(_) => 1,
            };
            let taken = |point: Point| !self.board.is_empty(point);
            let own = match request.wanted {
                Wanted::This(point) => Some(point),
                _ => None,
            };
            let refused = turn.or(own).is_some_and(taken);
            if !refused && let Some(point) = turn {
                self.board.put(point);
            }
            let room = size.points() - self.board.stones.len();
            if !refused && room >= needed {
                if request.refused {
                    self.fail("a complaint about nothing");
                }
                return;
            }
            self.late_complaints += usize::from(!request.refused);
            self.requests.pop_front();
        }
    }

    pub(crate) fn receive(&mut self, line: String) {
        self.transcript.push(format!("< {line}"));
        if let Some(step) = line.strip_prefix("MESSAGE SWAP2 ") {
            return self.receive_step(step);
        }
        let complaint = ["ERROR ", "UNKNOWN ", "MESSAGE ERROR ", "MESSAGE UNKNOWN "]
            .iter()
            .any(|start| line.starts_with(start));
        let reply = if line == "OK" {
            Some(ExpectedReply::Ok)
        } else if line.starts_with("name=") {
            Some(ExpectedReply::About)
        } else if line.starts_with("FORBID ") {
            Some(ExpectedReply::Forbid)
        } else if complaint {
            Some(ExpectedReply::Error)
        } else {
            None
        };
        match (reply, self.expected_replies.front()) {
            (Some(reply), Some(expected)) if reply == *expected => self.next_reply(),
            (Some(ExpectedReply::Error), _) if self.late_complaints > 0 => {
                self.late_complaints -= 1
            }
            (Some(ExpectedReply::Error), _) => self.receive_error(),
            (Some(_), _) => self.fail("an unexpected reply"),
            (None, Some(ExpectedReply::Message(start)))
                if line
                    .strip_prefix("MESSAGE ")
                    .is_some_and(|text| text.starts_with(start)) =>
            {
                self.next_reply();
            }
            (None, _) if line.starts_with("MESSAGE ") || line.starts_with("INFO ") => (),
            (None, _) => self.receive_answer(&line),
        }
    }

    /// A reply came: the last one after a request was dropped says that no
    /// answer will follow.
    fn next_reply(&mut self) {
        self.expected_replies.pop_front();
        if self.expected_replies.is_empty()
            && self.requests.front().is_some_and(|request| request.dropped)
        {
            self.requests.pop_front();
            self.begin_request();
        }
    }

    /// A stone on a taken point is refused at once, however many answers are
    /// due before it.
    fn receive_error(&mut self) {
        let brings_stone =
            |request: &Request| request.turn.is_some() || matches!(request.wanted, Wanted::This(_));
        let waits = |request: &Request| brings_stone(request) && !request.refused;
        let Some(index) = (1..self.requests.len()).find(|&index| waits(&self.requests[index]))
        else {
            self.fail("an unexpected complaint")
        };
        let refused = &mut self.requests[index];
        refused.refused = true;
        if std::mem::take(&mut refused.dropped) {
            // What came to nothing could not be dropped: the one before was.
            let mut earlier = self.requests.iter_mut().take(index).rev();
            if let Some(earlier) = earlier.find(|request| !request.refused) {
                earlier.dropped = true;
            }
        }
    }

    fn receive_answer(&mut self, line: &str) {
        let Some(size) = self.size else {
            self.fail("an answer without a board")
        };
        let Some(request) = self.requests.pop_front() else {
            self.fail("an answer without a request")
        };
        let stones: Option<Vec<Point>> = match line {
            "SWAP" => Some(Vec::new()),
            _ => line
                .split(' ')
                .map(|word| coordinates(word, size))
                .collect(),
        };
        let Some(stones) = stones else {
            self.fail("a line that is no answer")
        };
        let before = self
            .board
            .stones
            .iter()
            .filter(|(color, _)| color.is_some())
            .count();
        let fits = match request.wanted {
            Wanted::Move => stones.len() == 1,
            Wanted::This(point) => stones == [point],
            Wanted::Balance(count) => stones.len() == count,
            Wanted::Swap2 => match before {
                0 => stones.len() == 3,
                3 => stones.len() <= 2,
                _ => stones.len() <= 1,
            },
            Wanted::Swap2Step(_) => false,
        };
        if !fits {
            self.fail("an answer to something else");
        }
        for &point in &stones {
            if !matches!(request.wanted, Wanted::This(_)) {
                self.check(point, &request.blocked, size);
            }
            self.board.put(point);
        }
        self.begin_request();
    }

    /// Fails unless the point is legal and not blocked, as far as others are.
    fn check(&self, point: Point, blocked: &BTreeSet<Point>, size: BoardSize) {
        let mut position = self.board.position(self.rule, size);
        if !position.is_empty(point) {
            self.fail("a taken point");
        }
        let legal: Vec<Point> = size
            .iter()
            .filter(|&point| position.is_legal(point))
            .collect();
        if !legal.is_empty() && !legal.contains(&point) {
            self.fail("an illegal move");
        }
        let others = legal.iter().any(|point| !blocked.contains(point));
        if others && blocked.contains(&point) {
            self.fail("a blocked point");
        }
    }

    fn receive_step(&mut self, text: &str) {
        let Some(Wanted::Swap2Step(step)) = self.requests.front().map(|request| request.wanted)
        else {
            self.fail("a step of swap2 without a request")
        };
        let ends: &[&str] = match step {
            1 => &["MOVE3"],
            2 => &["SWAP1", "MOVE5"],
            _ => &["SWAP2"],
        };
        if ends.iter().any(|end| text.starts_with(end)) {
            self.requests.pop_front();
            self.begin_request();
        }
    }
}
