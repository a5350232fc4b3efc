//! The limits of a club.

use crate::rooms::person::PersonId;
use crate::rooms::rate_limits::Refill;
use std::net::IpAddr;
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);

/// An action with a rate limit, and the address or the people whose bucket it takes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Limited {
    /// A new person with a name, account of an engine or tournament.
    Newcomer(IpAddr),
    /// A new guest.
    Guest(IpAddr),
    /// A new correspondence room.
    CorrespondenceRoom(IpAddr),
    /// A new name.
    Name(PersonId),
    /// A challenge by a person.
    Challenge(PersonId),
    /// A challenge by a person to another.
    ChallengeOfPair(PersonId, PersonId),
    /// A challenge to a person.
    ChallengeTo(PersonId),
    /// A tournament of an organiser that another person is added to.
    Addition(PersonId, PersonId),
    /// A wrong code.
    WrongCode(IpAddr),
    /// A new key, or address of a feed.
    NewKey(PersonId),
    /// A phrase.
    Phrase(PersonId),
    /// A change of conditional moves.
    ConditionalMoves(PersonId),
    /// A change of a tournament by a person, and from an address.
    TournamentChange(PersonId),
    TournamentChangeFrom(IpAddr),
    /// A change of a tournament by its organiser.
    OrganiserChange(PersonId),
}

impl Limited {
    pub(super) const fn refill(self, limits: &Limits) -> Refill {
        match self {
            Limited::Newcomer(_) | Limited::Guest(_) | Limited::CorrespondenceRoom(_) => {
                Refill::new(limits.names_an_hour, HOUR)
            }
            Limited::Name(_) | Limited::NewKey(_) => Refill::new(10, HOUR),
            Limited::Challenge(_) => Refill::new(20, HOUR),
            Limited::ChallengeOfPair(..) => Refill::new(6, HOUR),
            Limited::ChallengeTo(_) => Refill::new(40, HOUR),
            Limited::Addition(..) => Refill::new(5, HOUR),
            Limited::WrongCode(_) => Refill::new(30, HOUR),
            Limited::Phrase(_) => Refill::new(6, MINUTE),
            Limited::TournamentChange(_) | Limited::ConditionalMoves(_) => Refill::new(30, MINUTE),
            Limited::TournamentChangeFrom(_) | Limited::OrganiserChange(_) => {
                Refill::new(200, MINUTE)
            }
        }
    }
}

/// The limits of a club.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most rooms.
    pub rooms: usize,
    /// The most rooms that one person has opened or plays in.
    pub rooms_of_one: usize,
    /// The most rooms with an engine.
    pub engines: usize,
    /// The most tournaments that are not over, of live games and of correspondence games.
    pub tournaments: usize,
    /// The most names that are taken from one address in an hour, and the most guests who sit down.
    pub names_an_hour: u32,
    /// The time after which a room without a visitor and without a game in progress is closed.
    pub idle: Duration,
    /// The grace period for which clocks are paused after a restart while their players are
    /// disconnected.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            rooms: 1000,
            rooms_of_one: 5,
            engines: 8,
            tournaments: 20,
            names_an_hour: 100,
            idle: Duration::from_secs(600),
            grace: Duration::from_secs(60),
        }
    }
}

/// The share of a limit that one address may use: a quarter is reserved for others.
pub(super) const fn share(limit: usize) -> usize {
    limit - limit / 4
}
