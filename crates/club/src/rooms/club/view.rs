//! The public view of a room.

use super::{Club, Entry};
use crate::rooms::message::{BoardView, RoomState, RoomView, TimeView};
use crate::rooms::number::RoomId;
use crate::rooms::room::{Room, SEATS, Stage};
use quincunx_analysis::NamedOpening;
use quincunx_board::{Color, ForbiddenView, Phase};
use quincunx_engine::game::GameResult;
use quincunx_engine::game::swap::Seat;
use std::time::Duration;

impl Club {
    /// The state of a room, as its players see it wherever they are.
    pub(super) fn room_state(&self, now: Duration, id: RoomId, entry: &Entry) -> RoomState {
        let room = &entry.room;
        RoomState {
            room: id,
            tournament: entry.tournament_game.map(|it| it.tournament),
            setup: room.setup(),
            stage: room.stage(),
            seats: self.players(now, entry),
            actor: room.actor(),
            draw_offer: room.draw_offer(),
            undo_wish: room.undo_wish(),
            rematch_wish: room.rematch_wish(),
            outcome: room.outcome(),
        }
    }

    /// The public view of the room.
    pub(super) fn view(&self, now: Duration, id: RoomId, entry: &Entry) -> RoomView {
        let room = &entry.room;
        let (game, setup, dialogue) = (room.game(), room.setup(), room.dialogue());
        let phase = phase(room);
        let forbidden = match room.stage() {
            Stage::Playing => game.clone().forbidden_points(),
            _ => Vec::new(),
        };
        let is_playing = room.stage() == Stage::Playing;
        let allowed = (is_playing.then(|| dialogue.allowed(game.position()))).flatten();
        RoomView {
            state: self.room_state(now, id, entry),
            board: BoardView::new(game),
            games: room.games(),
            watchers: self.watchers(entry),
            turn: game.side(),
            chosen: dialogue.chosen(),
            allowed: allowed.map(|points| points.iter().collect()),
            offers: match phase {
                Phase::Offer { .. } | Phase::Pick { .. } => dialogue.offers.clone(),
                _ => Vec::new(),
            },
            phase,
            named_opening: NamedOpening::of(game),
            black: room.black(),
            forbidden: (forbidden.into_iter())
                .map(|(point, kind)| ForbiddenView { point, kind })
                .collect(),
            clock: SEATS.map(|seat| {
                let (left, used) = room.clock_of(seat, now);
                TimeView::new(setup.clock.control(), left, used)
            }),
            runs: room.clock_runs(),
            awaits: room.stage() == Stage::Playing
                && entry.tournament_game.is_some_and(|it| !it.both_came()),
            answers: room.answers(),
            gone_ms: match room.stage() {
                Stage::Playing if !entry.is_correspondence() => self.gone_ms(now, entry),
                _ => [None; 2],
            },
            can_abort: room.can_abort() && entry.tournament_game.is_none(),
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
        return Phase::Over(GameResult {
            winner: outcome.winner.map(color),
            termination: outcome.reason,
        });
    }
    Phase::of(room.dialogue(), room.game().ply())
}
