//! The lobby, tables of ratings, and profiles.

use super::send::text;
use super::{Club, Entry, RoomQuery, Visitor};
use crate::rooms::archive::FinishedGame;
use crate::rooms::lobby_changes::LOBBY_EVERY;
use crate::rooms::message::{
    ClubMessage, LobbyView, PlayerView, ProfileStanding, ProfileView, RatingRow, RoomSummary,
    StandingView,
};
use crate::rooms::number::{RoomId, VisitorId};
use crate::rooms::person::{Occupant, PersonId};
use crate::rooms::rating_category::RatingCategory;
use crate::rooms::ratings::Standing;
use crate::rooms::room::{SEATS, Stage};
use crate::rooms::tournament::EntryRule;
use std::sync::Arc;
use std::time::Duration;

/// The most rooms of a kind in the lobby's lists.
const LISTED: usize = 50;

/// The most names that are shown as easily confused with another, and how many are looked at.
const ALIKE: usize = 2;
const LOOKED_AT: usize = 100;

/// The most rows of a rating table, besides that of the person who asks.
const ROWS: usize = 200;

/// The maximum number of tournaments in a profile.
const PROFILE_TOURNAMENTS: usize = 20;

impl Club {
    /// Sends the changes of the lobby to visitors in no room, and the whole lobby to those who do
    /// not have it yet.
    pub(super) fn send_lobby_changes(&mut self, now: Duration) {
        self.publish_lobby(now);
        let is_due = |it: &Visitor| it.is_in_lobby() && it.needs_lobby(now);
        let to = self.connections.which(is_due);
        self.send_whole_lobby(now, to);
    }

    /// Brings the lobby that is sent up to date, and sends the changes to those who have it.
    fn publish_lobby(&mut self, now: Duration) {
        if !self.lobby.is_due(now) {
            return;
        }
        let view = self.lobby_view();
        let text = text(&ClubMessage::Lobby(view.clone()));
        let changes = self.lobby.replace(now, view, text);
        let to = self
            .connections
            .which(|it| it.is_in_lobby() && it.has_lobby);
        if let Some(changes) = changes.filter(|_| !to.is_empty()) {
            self.send(to, &ClubMessage::LobbyChanges(changes));
        }
    }

    /// Sends the whole lobby to a visitor who comes there: now, or as soon as a second has passed
    /// since they were sent it last.
    pub(super) fn send_lobby(&mut self, now: Duration, id: VisitorId) {
        self.publish_lobby(now);
        let Some(visitor) = self.connections.get_mut(id) else {
            return;
        };
        visitor.has_lobby = false;
        if visitor.needs_lobby(now) {
            self.send_whole_lobby(now, vec![id]);
        }
    }

    fn send_whole_lobby(&mut self, now: Duration, to: Vec<VisitorId>) {
        if to.is_empty() {
            return;
        }
        for id in &to {
            if let Some(visitor) = self.connections.get_mut(*id) {
                (visitor.has_lobby, visitor.lobby_at) = (true, Some(now));
            }
        }
        self.send_text(to, Arc::clone(&self.lobby.text), false);
    }

    fn lobby_view(&self) -> LobbyView {
        let sleeping = self.rooms.find(RoomQuery::Open, LISTED);
        let list = |stage: Stage| {
            let sleeping = sleeping.iter().map(|(id, entry)| (*id, entry));
            let mut rooms: Vec<(RoomId, &Entry)> = (self.rooms.iter().chain(sleeping))
                .filter(|(_, entry)| !entry.private && entry.room.stage() == stage)
                .filter(|(_, entry)| stage == Stage::Playing || self.is_awaited(entry))
                .filter(|(_, entry)| stage == Stage::Playing || entry.invited.is_none())
                .collect();
            rooms.sort_by_key(|(_, entry)| std::cmp::Reverse(entry.listed));
            rooms.truncate(LISTED);
            (rooms.into_iter())
                .map(|(room, entry)| RoomSummary {
                    moves: (stage == Stage::Playing)
                        .then(|| entry.room.game().position().move_text()),
                    ..self.room_summary(entry.touched, room, entry)
                })
                .collect()
        };
        LobbyView {
            open: list(Stage::Waiting),
            live: list(Stage::Playing),
            // Others are found by their link alone.
            tournaments: self.summaries(LISTED, |it| it.setup.entry != EntryRule::Link),
            visitors: self.connections.people().len(),
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
            moves: None,
        }
    }

    /// The players of a room, by seats.
    pub(super) fn players(&self, now: Duration, entry: &Entry) -> [Option<PlayerView>; 2] {
        SEATS.map(|seat| {
            let who = entry.room.occupant(seat)?;
            let category = entry.room.setup().category();
            Some(PlayerView {
                name: who.person().map(|id| self.people.name(id)),
                bot: who.person().is_some_and(|id| self.people.is_bot(id)),
                engine: match who {
                    Occupant::Engine(level) => Some(level),
                    Occupant::Person(_) => None,
                },
                rating: who.person().map(|id| self.rating(now, id, category)),
                provisional: who
                    .person()
                    .is_some_and(|id| self.standing(id, category).is_provisional()),
                here: self.is_here(entry, who),
                vacation: match entry.is_correspondence() {
                    true => self.vacation_of(now, who),
                    false => None,
                },
                alike: who
                    .person()
                    .map_or(Vec::new(), |id| self.alike(id, category)),
            })
        })
    }

    /// The names of other people that are easily confused with a person's, those with the most games
    /// first.
    fn alike(&self, id: PersonId, category: RatingCategory) -> Vec<String> {
        let games = |other: PersonId| self.standing(other, category).results.iter().sum::<u32>();
        let others = self.people.alike(id).take(LOOKED_AT);
        let mut others: Vec<(u32, String)> = others
            .map(|other| (games(other), self.people.name(other)))
            .collect();
        others.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
        let names = others.into_iter().map(|(_, name)| name);
        names.take(ALIKE).collect()
    }

    /// The rating of a person in a category, as it is shown.
    pub(super) fn rating(&self, now: Duration, id: PersonId, category: RatingCategory) -> i64 {
        self.standing(id, category).glicko(now).rating.round() as i64
    }

    pub(super) fn standing(&self, id: PersonId, category: RatingCategory) -> Standing {
        self.ratings.standing(id, category)
    }

    /// The table of a category. Who has not played in it is not listed.
    pub(super) fn ratings(
        &self,
        now: Duration,
        asker: PersonId,
        category: RatingCategory,
    ) -> ClubMessage {
        let own = self.people.name(asker);
        let mut rows: Vec<RatingRow> = (self.ratings.of_category(category))
            .filter(|(id, _)| !self.people.is_former(*id))
            .map(|(id, standing)| RatingRow {
                place: 0,
                name: self.people.name(id),
                bot: self.people.is_bot(id),
                standing: standing_view(now, category, standing),
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
            rule: category.rule.name().to_owned(),
            correspondence: category.correspondence,
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
                .map(|(category, it)| ProfileStanding {
                    standing: standing_view(now, category, it),
                    curve: self.ratings.curve(id, category).collect(),
                })
                .collect(),
            games: (self.archive.of(id))
                .filter(|game| !game.private || game.players.contains(&Occupant::Person(asker)))
                .map(FinishedGame::summary)
                .collect(),
            tournaments: self.summaries(PROFILE_TOURNAMENTS, |it| {
                // Those by link alone are shown to players who know the link.
                let is_listed = it.setup.entry != EntryRule::Link || it.player(asker).is_some();
                it.player(id).is_some() && is_listed
            }),
            against_you: self.archive.tally(id, asker),
        }))
    }
}

impl Visitor {
    fn is_in_lobby(&self) -> bool {
        self.person.is_some() && self.room.is_none() && self.tournament.is_none()
    }

    /// Returns true if the whole lobby may be sent to them now.
    fn needs_lobby(&self, now: Duration) -> bool {
        let is_early = |at: Duration| now.saturating_sub(at) < LOBBY_EVERY;
        !self.has_lobby && !self.lobby_at.is_some_and(is_early)
    }
}

fn standing_view(now: Duration, category: RatingCategory, standing: &Standing) -> StandingView {
    let glicko = standing.glicko(now);
    StandingView {
        rule: category.rule.name().to_owned(),
        correspondence: category.correspondence,
        rating: glicko.rating.round() as i64,
        deviation: glicko.deviation.round() as i64,
        provisional: standing.is_provisional(),
        points: standing.points,
        results: standing.results,
    }
}
