//! What goes on in a club, who is how strong, and games that are over.

use super::{Club, Entry};
use crate::rooms::archive::FinishedGame;
use crate::rooms::message::{
    ClubMessage, LobbyView, PlayerView, ProfileView, RatingRow, RoomSummary, StandingView,
};
use crate::rooms::number::{RoomId, VisitorId};
use crate::rooms::person::{Occupant, PersonId};
use crate::rooms::ratings::Standing;
use crate::rooms::room::{SEATS, Stage};
use quincunx_engine::rules::Rule;
use std::time::Duration;

/// The lobby is told what is new at most this often.
const LOBBY_EVERY: Duration = Duration::from_millis(500);

/// The most rooms of a kind in the lobby's lists.
const LISTED: usize = 50;

/// The most rows of a table of ratings, beside that of the person who asks.
const ROWS: usize = 200;

impl Club {
    /// Tells all visitors in no room what is new.
    pub(super) fn tell_lobby(&mut self, now: Duration) {
        let is_time = now.saturating_sub(self.lobby_told) >= LOBBY_EVERY;
        if self.lobby_changed && is_time {
            self.lobby_changed = false;
            self.lobby_told = now;
            let waits = |(id, visitor): (&VisitorId, &super::Visitor)| {
                let is_elsewhere = visitor.room.is_some() || visitor.tournament.is_some();
                (visitor.person.is_some() && !is_elsewhere).then_some(*id)
            };
            let to: Vec<VisitorId> = self.visitors.iter().filter_map(waits).collect();
            self.tell_lobby_to(to);
        }
    }

    /// Tells some visitors what goes on.
    pub(super) fn tell_lobby_to(&mut self, to: Vec<VisitorId>) {
        if !to.is_empty() {
            let lobby = ClubMessage::Lobby(self.lobby());
            self.say(to, &lobby);
        }
    }

    fn lobby(&self) -> LobbyView {
        let list = |stage: Stage| {
            let mut rooms: Vec<(&RoomId, &Entry)> = (self.rooms.iter())
                .filter(|(_, entry)| !entry.private && entry.room.stage() == stage)
                .filter(|(_, entry)| stage == Stage::Playing || self.is_awaited(entry))
                .filter(|(_, entry)| stage == Stage::Playing || entry.invited.is_none())
                .collect();
            rooms.sort_by_key(|(_, entry)| std::cmp::Reverse(entry.touched));
            rooms.truncate(LISTED);
            (rooms.into_iter())
                .map(|(room, entry)| self.room_summary(entry.touched, *room, entry))
                .collect()
        };
        LobbyView {
            open: list(Stage::Waiting),
            live: list(Stage::Playing),
            finished: self.archive.recent().map(FinishedGame::summary).collect(),
            tournaments: self.list_tournaments(LISTED),
            visitors: self.visitors.len(),
            here: self.people_here(),
        }
    }

    /// A room as it is listed.
    pub(super) fn room_summary(&self, now: Duration, id: RoomId, entry: &Entry) -> RoomSummary {
        RoomSummary {
            room: id,
            setup: entry.room.setup(),
            seats: self.players(now, entry),
            stones: entry.room.game().ply(),
        }
    }

    /// The players of a room, by seats.
    pub(super) fn players(&self, now: Duration, entry: &Entry) -> [Option<PlayerView>; 2] {
        SEATS.map(|seat| {
            let who = entry.room.occupant(seat)?;
            let rule = entry.room.setup().rule;
            Some(PlayerView {
                name: who.person().map(|id| self.people.name(id)),
                bot: who.person().is_some_and(|id| self.people.is_bot(id)),
                engine: match who {
                    Occupant::Engine(level) => Some(level),
                    Occupant::Person(_) => None,
                },
                rating: who.person().map(|id| self.rating(now, id, rule)),
                provisional: who
                    .person()
                    .is_some_and(|id| self.standing(id, rule).is_provisional()),
                here: self.is_here(entry, who),
            })
        })
    }

    /// The rating of a person under a rule, as it is shown.
    pub(super) fn rating(&self, now: Duration, id: PersonId, rule: Rule) -> i64 {
        self.standing(id, rule).glicko(now).rating.round() as i64
    }

    pub(super) fn standing(&self, id: PersonId, rule: Rule) -> Standing {
        self.ratings.standing(id, rule)
    }

    /// The table of a rule. Who has not played by it is not in it.
    pub(super) fn ratings(&self, now: Duration, asker: PersonId, rule: Rule) -> ClubMessage {
        let own = self.people.name(asker);
        let mut rows: Vec<RatingRow> = (self.ratings.of_rule(rule))
            .filter(|(id, _)| !self.people.is_former(*id))
            .map(|(id, standing)| RatingRow {
                place: 0,
                name: self.people.name(id),
                bot: self.people.is_bot(id),
                standing: standing_view(now, rule.name(), standing),
            })
            .collect();
        rows.sort_by(|one, other| {
            let by_rating = other.standing.rating.cmp(&one.standing.rating);
            let by_kind = one.bot.cmp(&other.bot);
            let by_name = || one.name.cmp(&other.name);
            by_kind.then(by_rating).then_with(by_name)
        });
        for (row, place) in rows.iter_mut().zip(1..) {
            row.place = place;
        }
        rows.retain(|row| row.place <= ROWS || row.name == own);
        ClubMessage::Ratings {
            rule: rule.name().to_owned(),
            rows,
        }
    }

    /// A player's ratings and games.
    pub(super) fn profile(
        &self,
        now: Duration,
        asker: PersonId,
        name: &str,
    ) -> Option<ClubMessage> {
        let (id, person) = self.people.by_name(name)?;
        let standings = self.ratings.of(id);
        Some(ClubMessage::Profile(ProfileView {
            name: person.name.clone(),
            standings: standings
                .map(|(rule, it)| standing_view(now, rule, it))
                .collect(),
            games: (self.archive.of(id))
                .filter(|game| !game.private || id == asker)
                .map(FinishedGame::summary)
                .collect(),
            against_you: self.archive.tally(id, asker),
        }))
    }
}

fn standing_view(now: Duration, rule: &str, standing: &Standing) -> StandingView {
    let glicko = standing.glicko(now);
    StandingView {
        rule: rule.to_owned(),
        rating: glicko.rating.round() as i64,
        deviation: glicko.deviation.round() as i64,
        provisional: standing.is_provisional(),
        points: standing.points,
        results: standing.results,
    }
}
