//! The public view of a room.

use super::{Club, Entry};
use crate::rooms::message::{RoomView, TimeView};
use crate::rooms::number::RoomId;
use crate::rooms::room::{Room, SEATS, Stage};
use quincunx_board::{Color, ForbiddenView, Phase, StoneView, forbidden_kind};
use quincunx_engine::game::swap::{OpeningStep, Seat};
use std::time::Duration;

impl Club {
    /// The public view of the room.
    pub(super) fn view(&self, now: Duration, id: RoomId, entry: &Entry) -> RoomView {
        let room = &entry.room;
        let (game, setup) = (room.game(), room.setup());
        let forbidden = match room.stage() {
            Stage::Playing => game.clone().forbidden_points(),
            _ => Vec::new(),
        };
        RoomView {
            room: id,
            tournament: entry.tournament_game.map(|it| it.tournament),
            setup,
            stage: room.stage(),
            seats: self.players(now, entry),
            games: room.games(),
            watchers: self.watchers(entry),
            width: setup.size.width(),
            height: setup.size.height(),
            stars: setup.size.stars().map(|point| point.to_string()).collect(),
            stones: (game.moves().zip(1..))
                .map(|((color, point), number)| StoneView {
                    point: point.to_string(),
                    color,
                    number: Some(number),
                })
                .collect(),
            turn: game.side(),
            phase: phase(room),
            actor: room.actor(),
            black: room.black(),
            winning: (game.winning_stones().iter().map(|p| p.to_string())).collect(),
            forbidden: (forbidden.into_iter())
                .map(|(point, kind)| ForbiddenView {
                    point: point.to_string(),
                    kind: forbidden_kind(kind),
                })
                .collect(),
            clock: SEATS.map(|seat| {
                let (left, used) = room.clock_of(seat, now);
                TimeView::new(setup.clock.control(), left, used)
            }),
            runs: room.clock_runs(),
            awaits: room.stage() == Stage::Playing
                && entry.tournament_game.is_some_and(|it| !it.both_came()),
            gone_ms: match room.stage() {
                Stage::Playing => self.gone_ms(now, entry),
                Stage::Waiting | Stage::Over => [None; 2],
            },
            can_abort: room.can_abort() && entry.tournament_game.is_none(),
            draw_offer: room.draw_offer(),
            undo_wish: room.undo_wish(),
            rematch_wish: room.rematch_wish(),
            outcome: room.outcome(),
            rating_changes: match room.stage() {
                Stage::Over => entry.rating_changes,
                Stage::Waiting | Stage::Playing => [None; 2],
            },
        }
    }
}

fn phase(room: &Room) -> Phase {
    if let Some(outcome) = room.outcome() {
        let color = |seat: Seat| match room.black() {
            Some(black) if black == seat => Color::Black,
            _ => Color::White,
        };
        return Phase::Over {
            winner: outcome.winner.map(color),
            reason: outcome.reason.name(),
        };
    }
    match room.step() {
        Some(OpeningStep::Place { seat, until }) => Phase::Place {
            first: seat == Seat::First,
            stones: until.saturating_sub(room.game().ply()),
        },
        Some(OpeningStep::Choose { seat, options }) => Phase::Choose {
            first: seat == Seat::First,
            options: options.to_vec(),
        },
        Some(OpeningStep::Fifth { .. } | OpeningStep::Play { .. }) | None => Phase::Move,
    }
}
