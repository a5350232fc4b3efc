//! Writes of the club to its tables.

use super::error::StoreError;
use super::rows::for_each_row;
use crate::rooms::archive::FinishedGame;
use crate::rooms::club::StoreWrite;
use crate::rooms::name::letters;
use crate::rooms::outcome::seat_name;
use crate::rooms::people::{FORMER, Person};
use crate::rooms::person::{Occupant, PersonId};
use rusqlite::{Connection, Params, params};
use serde::Serialize;
use serde_json::Value;

/// Writes a change, within a transaction.
pub(super) fn write(connection: &Connection, change: &StoreWrite) -> Result<(), StoreError> {
    let run = |statement, parameters: &[&str]| {
        execute(
            connection,
            statement,
            rusqlite::params_from_iter(parameters),
        )
    };
    match change {
        StoreWrite::Room(id, room) => run(
            "INSERT INTO rooms (room, state) VALUES (?1, ?2)
             ON CONFLICT (room) DO UPDATE SET state = excluded.state",
            &[&id.to_string(), &json(room)?],
        ),
        StoreWrite::RoomGone(id) => run("DELETE FROM rooms WHERE room = ?1", &[&id.to_string()]),
        StoreWrite::Person(id, person) => write_person(connection, *id, person),
        StoreWrite::Game(game) => write_game(connection, game),
        StoreWrite::Forgotten(id, name) => {
            let forget = [FORMER, &id.to_string()];
            run("UPDATE games SET first_name = ?1 WHERE first = ?2", &forget)?;
            run(
                "UPDATE games SET second_name = ?1 WHERE second = ?2",
                &forget,
            )?;
            forget_in_audit(connection, name)
        }
        StoreWrite::Tournament(id, it) => run(
            "INSERT INTO tournaments (tournament, state) VALUES (?1, ?2)
             ON CONFLICT (tournament) DO UPDATE SET state = excluded.state",
            &[&id.to_string(), &json(it)?],
        ),
        StoreWrite::TournamentGone(id) => run(
            "DELETE FROM tournaments WHERE tournament = ?1",
            &[&id.to_string()],
        ),
        StoreWrite::Ban(range, true) => run(
            "INSERT OR REPLACE INTO bans (range) VALUES (?1)",
            &[&range.to_string()],
        ),
        StoreWrite::Ban(range, false) => {
            run("DELETE FROM bans WHERE range = ?1", &[&range.to_string()])
        }
        StoreWrite::Grace(until) => {
            run("DELETE FROM grace", &[])?;
            let insert = "INSERT INTO grace (until) VALUES (?1)";
            execute(connection, insert, params![until.as_secs()])
        }
        StoreWrite::Audit(at, action) => execute(
            connection,
            "INSERT INTO audit (at, action) VALUES (?1, ?2)",
            params![at.as_secs(), action],
        ),
    }
}

fn write_person(connection: &Connection, id: PersonId, it: &Person) -> Result<(), StoreError> {
    execute(
        connection,
        "INSERT OR REPLACE INTO people (person, name, engine, maker, banned, former, keys,
             void_keys, contacts, vacation, feed)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        params![
            id.to_string(),
            it.name,
            it.bot,
            it.maker.map(|maker| maker.to_string()),
            it.banned,
            it.former,
            json(&it.keys)?,
            json(&it.void)?,
            json(&it.contacts)?,
            json(&it.vacation)?,
            it.feed,
        ],
    )
}

fn write_game(connection: &Connection, game: &FinishedGame) -> Result<(), StoreError> {
    let setup = game.setup;
    let people = game.players.map(|it| it.person().map(|id| id.to_string()));
    let levels = game.players.map(|it| match it {
        Occupant::Person(_) => None,
        Occupant::Engine(level) => Some(level),
    });
    execute(
        connection,
        "INSERT OR REPLACE INTO games (number, ended, room, rule, board, opening, clock, first,
             first_level, first_name, second, second_level, second_name, black, winner, reason,
             rated, weight, private, one_address, move_count, moves, choices, offers)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
             ?19, ?20, ?21, ?22, ?23, ?24)",
        params![
            game.number,
            game.ended,
            game.room.to_string(),
            setup.rule.to_string(),
            setup.size.to_string(),
            setup.opening.to_string(),
            json(&setup.clock)?,
            people[0],
            levels[0],
            game.names[0],
            people[1],
            levels[1],
            game.names[1],
            game.black.map(seat_name),
            game.outcome.winner.map(seat_name),
            game.outcome.reason.name(),
            game.rated,
            game.weight,
            game.private,
            game.one_address,
            game.move_count(),
            game.moves,
            json(&game.choices)?,
            json(&game.offers)?,
        ],
    )
}

/// Removes a name from the actions of administrators.
fn forget_in_audit(connection: &Connection, name: &str) -> Result<(), StoreError> {
    let name = letters(name);
    let mut changed: Vec<(i64, String)> = Vec::new();
    for_each_row(
        connection,
        "SELECT number, action FROM audit",
        [],
        |mut cells| {
            let (number, mut action) = (cells.value()?, cells.json::<Value>()?);
            let mut has_name = false;
            for (_, value) in action.as_object_mut().into_iter().flatten() {
                if value.as_str().is_some_and(|text| letters(text) == name) {
                    *value = FORMER.into();
                    has_name = true;
                }
            }
            if has_name {
                changed.push((number, action.to_string()));
            }
            Ok(())
        },
    )?;
    for (number, action) in changed {
        let update = "UPDATE audit SET action = ?2 WHERE number = ?1";
        execute(connection, update, params![number, action])?;
    }
    Ok(())
}

fn execute(
    connection: &Connection,
    statement: &str,
    parameters: impl Params,
) -> Result<(), StoreError> {
    connection.prepare_cached(statement)?.execute(parameters)?;
    Ok(())
}

fn json(value: &impl Serialize) -> Result<String, StoreError> {
    Ok(serde_json::to_string(value)?)
}
