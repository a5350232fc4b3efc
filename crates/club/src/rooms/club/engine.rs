//! Games against the engine: what it is asked, and what becomes of its answers.

use super::Club;
use crate::rooms::error::RoomError;
use crate::rooms::number::RoomId;
use crate::rooms::person::Occupant;
use crate::rooms::referee::Action;
use crate::rooms::room::Room;
use quincunx_engine::engine::{Answer, Line, Options, Request};
use quincunx_engine::game::swap::{OpeningStep, Seat};
use quincunx_engine::position::Position;
use quincunx_engine::rules::PointSet;
use std::time::Duration;

/// The most time for a move. Games of people come first.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// The least, where no time is left.
const LEAST_TIME: Duration = Duration::from_millis(1);

/// A thing that the engine is asked.
#[derive(Clone, Debug)]
pub struct EngineJob {
    /// The room.
    pub room: RoomId,
    /// The turn of the room.
    pub turn: u64,
    /// The position.
    pub position: Position,
    /// The request to the engine.
    pub request: Request,
    /// The points that the opening does not allow.
    pub excluded: PointSet,
    /// The options to search with.
    pub options: Options,
}

impl Club {
    /// Asks the engine if it acts next in a room and was not asked yet.
    pub(super) fn ask_engine(&mut self, now: Duration, id: RoomId) {
        let Some(entry) = self.rooms.get_mut(id) else {
            return;
        };
        let room = &entry.room;
        let actor = room.actor().filter(|_| room.clock_runs());
        let occupant = actor.and_then(|seat| room.occupant(seat));
        if let (Some(seat), Some(Occupant::Engine(level))) = (actor, occupant)
            && entry.asked != Some(room.turn())
        {
            entry.asked = Some(room.turn());
            self.effects.jobs.push(job(now, id, room, seat, level));
        }
    }

    /// Applies the engine's answer to a search of this length, with its last lines, if it is still
    /// current. Without an answer the engine resigns.
    pub fn receive_answer(
        &mut self,
        now: Duration,
        (id, turn): (RoomId, u64),
        took: Duration,
        answer: Option<&(Answer, Vec<Line>)>,
    ) {
        let Some(entry) = self.rooms.get_mut(id) else {
            return;
        };
        // Until here a correspondence room is not evicted.
        entry.asked.take_if(|asked| *asked == turn);
        let actor = entry.room.actor().filter(|_| entry.room.turn() == turn);
        if let Some(seat) = actor {
            let follow = |room: &mut Room| {
                let ended = room.end_of_search(now, took);
                let followed =
                    answer.map(|(answer, lines)| follow(ended, room, seat, answer, lines));
                if !matches!(followed, Some(Ok(())) | Some(Err(RoomError::Over))) {
                    log::error!("room={id} event=engine_failed answer={answer:?}");
                    _ = room.act(now, seat, Action::Resign, Duration::ZERO);
                }
            };
            self.change(now, id, follow);
        }
    }
}

fn job(now: Duration, id: RoomId, room: &Room, seat: Seat, level: u8) -> EngineJob {
    let setup = room.setup();
    let left = room.time_left(seat, now);
    let clock = setup.clock.control();
    let allowed = clock.allowed(left);
    let mut options = Options {
        strength: Some(level),
        opening: setup.opening,
        ..Options::default()
    };
    // Half of a byo-yomi period is enough, a twentieth of the rest too. Steps of an opening earn no
    // increment.
    let earned = match room.step() {
        Some(OpeningStep::Play { .. }) => clock.increment,
        _ => Duration::ZERO,
    };
    let calm = (clock.byoyomi_period() / 2).max(allowed / 20) + earned / 2;
    let calm = calm.min(allowed / 2);
    let (dialogue, position) = (room.dialogue(), room.game().position());
    options.timeout_turn = Some(match dialogue.is_obvious(position.ply()) {
        true => LEAST_TIME,
        false => calm.clamp(LEAST_TIME, MOVE_TIME),
    });
    options.may_swap = matches!(room.step(), Some(OpeningStep::Choose { .. }));
    EngineJob {
        room: id,
        turn: room.turn(),
        position: position.clone(),
        request: dialogue.request(position),
        excluded: dialogue.excluded(position),
        options,
    }
}

/// Applies the engine's answer to a room.
fn follow(
    now: Duration,
    room: &mut Room,
    seat: Seat,
    answer: &Answer,
    lines: &[Line],
) -> Result<(), RoomError> {
    let part = room.dialogue().part(room.game().position(), answer, lines);
    let (choice, stones) = part.ok_or(RoomError::Choice)?;
    if let Some(choice) = choice {
        let ply = room.game().ply();
        room.act(now, seat, Action::Choose { choice, ply }, Duration::ZERO)?;
    }
    stones.into_iter().try_for_each(|point| {
        let ply = room.game().ply();
        room.act(now, seat, Action::Play { point, ply }, Duration::ZERO)
    })
}
