//! Requests of organisers for the next rounds, and the list of organisers.

use super::Club;
use super::error::VisitError;
use crate::rooms::number::VisitorId;
use crate::rooms::person::PersonId;
use quincunx_pairing::{System, TournamentError};
use std::time::Duration;

/// The most people who organise a tournament with its maker.
const ORGANISERS: usize = 4;

/// The most pairings that are forbidden, or made by hand, at a time.
const PAIRINGS: usize = 64;

/// A wish for the rounds, with the names of players.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wish<'a> {
    /// A player has the next round off for half a point.
    HalfBye(&'a str),
    /// Two players meet in the next round.
    Fixed(&'a str, &'a str),
    /// Two players do not meet.
    Forbidden(&'a str, &'a str),
}

impl Club {
    /// Has a person organise a tournament with its maker, or not any more.
    pub(super) fn name_organiser(
        &mut self,
        now: Duration,
        id: VisitorId,
        maker: PersonId,
        name: &str,
        wanted: bool,
    ) -> Result<(), VisitError> {
        let (tournament, it) = self.own_tournament(id, maker)?;
        if it.maker != maker {
            return Err(VisitError::NotMaker);
        }
        let (person, _) = self.people.by_name(name).ok_or(VisitError::NoSuchPerson)?;
        if !self.people.has_name(person) {
            return Err(VisitError::Unnamed);
        }
        let organisers = &mut self.tournaments.get_mut(tournament)?.organisers;
        put(organisers, person, wanted && person != maker, ORGANISERS)?;
        self.keep_tournament(now, tournament);
        Ok(())
    }

    /// Notes a wish for the rounds of a Swiss tournament, or takes it back.
    pub(super) fn wish(
        &mut self,
        now: Duration,
        id: VisitorId,
        organiser: PersonId,
        wish: Wish,
        wanted: bool,
    ) -> Result<(), VisitError> {
        let (tournament, it) = self.own_tournament(id, organiser)?;
        if !matches!(it.setup.system, System::Swiss { .. }) {
            return Err(VisitError::SwissOnly);
        }
        if it.games.as_ref().is_some_and(|games| games.is_over()) {
            return Err(TournamentError::Over.into());
        }
        let player = |name: &str| {
            let (person, _) = self.people.by_name(name).ok_or(VisitError::NoSuchPerson)?;
            let player = it.player(person).ok_or(VisitError::NotPlaying)?;
            Ok::<PersonId, VisitError>(it.players[player])
        };
        let pair = |first: &str, second: &str| {
            let mut pair = [player(first)?, player(second)?];
            pair.sort_unstable();
            if pair[0] == pair[1] {
                return Err(VisitError::NotPlaying);
            }
            Ok(pair)
        };
        let most = PAIRINGS;
        match wish {
            Wish::HalfBye(name) => {
                let player = player(name)?;
                let it = self.tournaments.get_mut(tournament)?;
                put(&mut it.half_byes, player, wanted, most)?;
            }
            Wish::Fixed(first, second) => {
                let pair = pair(first, second)?;
                let it = self.tournaments.get_mut(tournament)?;
                // A player meets one other.
                it.fixed
                    .retain(|it| !it.iter().any(|who| pair.contains(who)));
                put(&mut it.fixed, pair, wanted, most)?;
            }
            Wish::Forbidden(first, second) => {
                let pair = pair(first, second)?;
                let it = self.tournaments.get_mut(tournament)?;
                put(&mut it.forbidden, pair, wanted, most)?;
            }
        }
        self.keep_tournament(now, tournament);
        Ok(())
    }
}

/// Adds an element to a list once, or removes it.
fn put<T: PartialEq>(
    list: &mut Vec<T>,
    item: T,
    wanted: bool,
    most: usize,
) -> Result<(), VisitError> {
    list.retain(|it| *it != item);
    if wanted && list.len() >= most {
        return Err(VisitError::TooManyWishes);
    }
    list.extend(wanted.then_some(item));
    Ok(())
}
