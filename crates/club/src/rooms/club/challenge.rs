//! Challenges: who may challenge whom, how often, and when the challenged person is notified.

use super::error::VisitError;
use super::limits::Limited;
use super::{Club, Entry, RoomQuery};
use crate::rooms::contacts::ContactPolicy;
use crate::rooms::error::RoomError;
use crate::rooms::message::ClubMessage;
use crate::rooms::number::{RoomId, VisitorId};
use crate::rooms::person::PersonId;
use crate::rooms::room::Stage;
use crate::rooms::setup::RoomSetup;
use std::time::Duration;

/// The most challenges to one person that are open at a time.
const OPEN_TO_ONE: usize = 8;

/// The rate limits of a challenge.
const fn of_challenge(person: PersonId, opponent: PersonId) -> [Limited; 3] {
    [
        Limited::Challenge(person),
        Limited::ChallengeOfPair(person, opponent),
        Limited::ChallengeTo(opponent),
    ]
}

impl Club {
    /// Returns the person of a name, who may be challenged.
    ///
    /// # Errors
    /// Returns an error if there is no such person, if they do not accept the challenge, or if
    /// there are too many challenges.
    pub(super) fn challenged(
        &self,
        now: Duration,
        person: PersonId,
        (name, setup): (&str, RoomSetup),
    ) -> Result<PersonId, VisitError> {
        let (opponent, _) = self.people.by_name(name).ok_or(VisitError::NoSuchPerson)?;
        if opponent == person {
            return Err(RoomError::OwnGame.into());
        }
        if !self.people.has_name(person) {
            return Err(VisitError::Unnamed);
        }
        // A blocked person is not informed of the block.
        let accepts = self.contact_policy(opponent) != ContactPolicy::None;
        if !accepts || self.has_blocked(opponent, person) {
            return Err(VisitError::NoChallenges);
        }
        let challenge = |_, entry: &Entry| {
            let is_alike = entry.is_correspondence() == setup.is_correspondence();
            let is_one = is_alike && entry.challenges(opponent);
            is_one.then_some((entry.owner == person, self.is_awaited(entry)))
        };
        let query = RoomQuery::ChallengesTo(opponent);
        let open = self.rooms.pick(query, usize::MAX, challenge);
        let is_second = open.iter().any(|(is_own, _)| *is_own);
        if is_second || open.iter().filter(|(_, is_awaited)| *is_awaited).count() >= OPEN_TO_ONE {
            return Err(VisitError::TooManyChallenges);
        }
        for limited in of_challenge(person, opponent) {
            self.check(now, limited)?;
        }
        Ok(opponent)
    }

    /// Counts a challenge against its limits.
    pub(super) fn count_challenge(
        &mut self,
        now: Duration,
        person: PersonId,
        opponent: PersonId,
    ) -> Result<(), VisitError> {
        let mut limits = of_challenge(person, opponent).into_iter();
        limits.try_for_each(|limited| self.take(now, limited))
    }

    /// Sends some connections of a person the challenges whose senders are here.
    pub(super) fn send_challenges(&mut self, now: Duration, person: PersonId, to: &[VisitorId]) {
        let challenge = |id, entry: &Entry| {
            let is_meant = entry.invited == Some(person) && self.is_awaited(entry);
            is_meant.then(|| Box::new(self.room_summary(now, id, entry)))
        };
        let query = RoomQuery::ChallengesTo(person);
        for challenge in self.rooms.pick(query, usize::MAX, challenge) {
            self.send(to.to_vec(), &ClubMessage::Challenge(challenge));
        }
        let is_unsent = |entry: &Entry| {
            let is_sent = entry.people().any(|it| self.connections.is_online(it));
            entry.invited == Some(person) && !is_sent
        };
        // These connections have not heard of it: the next notification is for them, too.
        let announce = |entry: &mut Entry| entry.announced = None;
        self.rooms.for_each_mut(is_unsent, announce);
    }

    /// Notifies the challenged person of a challenge whose sender has come or gone since the last
    /// notification.
    pub(super) fn announce_challenge(&mut self, now: Duration, room: RoomId) {
        let Some(entry) = self.rooms.get(room) else {
            return;
        };
        let Some(person) = entry
            .invited
            .filter(|_| entry.room.stage() == Stage::Waiting)
        else {
            return;
        };
        let is_open = self.is_awaited(entry);
        if entry.announced == Some(is_open) {
            return;
        }
        let message = match is_open {
            true => ClubMessage::Challenge(Box::new(self.room_summary(now, room, entry))),
            false => ClubMessage::ChallengeGone { room },
        };
        let to = self.connections.of(&[person]);
        self.send(to, &message);
        if let Some(entry) = self.rooms.get_mut(room) {
            entry.announced = Some(is_open);
        }
    }

    /// Closes the room of a challenge for the person who was challenged.
    pub(super) fn decline(&mut self, person: PersonId, room: RoomId) -> Result<(), VisitError> {
        self.load(room);
        let entry = self.rooms.get(room).ok_or(VisitError::NoRoom)?;
        if !entry.challenges(person) {
            return Err(VisitError::NoRoom);
        }
        log::info!("room={room} event=declined");
        self.remove_room(room);
        Ok(())
    }
}
