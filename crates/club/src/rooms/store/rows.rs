//! Rows of the tables as values of the club.

use super::error::StoreError;
use crate::rooms::archive::FinishedGame;
use crate::rooms::outcome::Outcome;
use crate::rooms::people::Person;
use crate::rooms::person::{Occupant, PersonId};
use crate::rooms::setup::RoomSetup;
use quincunx_engine::game::Termination;
use quincunx_engine::game::swap::Seat;
use rusqlite::types::FromSql;
use rusqlite::{Connection, Params, Row};
use serde::de::DeserializeOwned;
use std::str::FromStr;

/// The query of games, up to its condition.
pub(super) const SELECT_GAMES: &str = "SELECT number, room, rule, board, opening, clock, rated, \
     first, first_level, second, second_level, first_name, second_name, black, moves, winner, \
     reason, ended, weight, private, one_address, choices, offers FROM games ";

/// The query of people.
pub(super) const SELECT_PEOPLE: &str = "SELECT person, name, engine, maker, banned, former, keys, \
     void_keys, contacts, vacation, feed FROM people ORDER BY person";

/// Visits the rows of a query.
pub(super) fn for_each_row(
    connection: &Connection,
    query: &str,
    parameters: impl Params,
    mut visit: impl FnMut(Cells<'_, '_>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(query)?;
    let mut rows = statement.query(parameters)?;
    while let Some(row) = rows.next()? {
        visit(Cells { row, next: 0 })?;
    }
    Ok(())
}

/// The cells of a row, read in the order of the columns.
pub(super) struct Cells<'r, 's> {
    row: &'r Row<'s>,
    next: usize,
}

impl Cells<'_, '_> {
    /// The next cell.
    pub(super) fn value<T: FromSql>(&mut self) -> Result<T, StoreError> {
        let at = self.next;
        self.next += 1;
        Ok(self.row.get(at)?)
    }

    /// The next cell, whose text is the name of a value.
    pub(super) fn name<T: FromStr>(&mut self) -> Result<T, StoreError> {
        let text: String = self.value()?;
        text.parse().map_err(|_| StoreError::Value(text))
    }

    /// The next cell, which is JSON.
    pub(super) fn json<T: DeserializeOwned>(&mut self) -> Result<T, StoreError> {
        let text: String = self.value()?;
        Ok(serde_json::from_str(&text)?)
    }

    fn person(&mut self) -> Result<Option<PersonId>, StoreError> {
        let text: Option<String> = self.value()?;
        let id = text.map(|text| text.parse().map_err(|_| StoreError::Value(text)));
        id.transpose()
    }

    /// The next two cells: a person, or the level of the engine.
    fn occupant(&mut self) -> Result<Occupant, StoreError> {
        let person = self.person()?;
        let level: Option<u8> = self.value()?;
        let occupant = person.map(Occupant::Person);
        let occupant = occupant.or(level.map(Occupant::Engine));
        occupant.ok_or_else(|| StoreError::Value("a game without a player".to_owned()))
    }

    fn seat(&mut self) -> Result<Option<Seat>, StoreError> {
        let name: Option<String> = self.value()?;
        match name.as_deref() {
            None => Ok(None),
            Some("first") => Ok(Some(Seat::First)),
            Some("second") => Ok(Some(Seat::Second)),
            Some(other) => Err(StoreError::Value(other.to_owned())),
        }
    }

    fn reason(&mut self) -> Result<Termination, StoreError> {
        let name: String = self.value()?;
        Termination::from_name(&name).ok_or(StoreError::Value(name))
    }

    /// A row of [`SELECT_GAMES`].
    pub(super) fn game(mut self) -> Result<FinishedGame, StoreError> {
        let cells = &mut self;
        let (number, room) = (cells.value()?, cells.name()?);
        let setup = RoomSetup {
            rule: cells.name()?,
            size: cells.name()?,
            opening: cells.name()?,
            clock: cells.json()?,
            rated: cells.value()?,
        };
        Ok(FinishedGame {
            number,
            room,
            setup,
            players: [cells.occupant()?, cells.occupant()?],
            names: [cells.value()?, cells.value()?],
            black: cells.seat()?,
            moves: cells.value()?,
            outcome: Outcome {
                winner: cells.seat()?,
                reason: cells.reason()?,
            },
            ended: cells.value()?,
            rated: setup.rated,
            weight: cells.value()?,
            private: cells.value()?,
            one_address: cells.value()?,
            choices: cells.json()?,
            offers: cells.json()?,
        })
    }

    /// A row of [`SELECT_PEOPLE`].
    pub(super) fn account(mut self) -> Result<(PersonId, Person), StoreError> {
        let cells = &mut self;
        let id = cells.name()?;
        let person = Person {
            name: cells.value()?,
            bot: cells.value()?,
            maker: cells.person()?,
            banned: cells.value()?,
            former: cells.value()?,
            keys: cells.json()?,
            void: cells.json()?,
            contacts: cells.json()?,
            vacation: cells.json()?,
            feed: cells.value()?,
        };
        Ok((id, person))
    }
}
