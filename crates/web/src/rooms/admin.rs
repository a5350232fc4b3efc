//! Commands of the administrator, authorised by a token that only they can read.

use super::host::{ClubHost, READ_ONLY};
use crate::refusal::log_refusal;
use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::AUTHORIZATION;
use axum::response::{IntoResponse, Response};
use quincunx_club::rooms::{
    AdminMessage, BYTE_ORDER_MARK, CSV_HEAD, Snapshot, Stage, StoreError, Suspicion,
};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The largest request in bytes.
const LARGEST_REQUEST: usize = 1 << 16;

/// The longest time for the body of a request.
const BODY_WITHIN: Duration = Duration::from_secs(10);

/// The answer to an administrator when a change can't be written.
const NOT_KEPT: &str = "done, but not kept yet: the server's disk is full or broken; \
                        repeat it when there is room";

/// Why something is not done.
type Refusal = (StatusCode, String);

/// Answers a request with the token.
pub(crate) async fn admin(State(host): State<Option<Arc<ClubHost>>>, request: Request) -> Response {
    let Some(host) = host else {
        return (StatusCode::NOT_FOUND, "There are no rooms here.\n").into_response();
    };
    let given = request
        .headers()
        .get(AUTHORIZATION)
        .map(|value| value.as_bytes());
    let expected = format!("Bearer {}", host.token);
    // Hashes, so that the time it takes to compare says nothing of the token.
    let is_admin = given.is_some_and(|given| Sha256::digest(given) == Sha256::digest(&expected));
    if !is_admin {
        log_refusal(format_args!("event=admin_refused"));
        return (StatusCode::FORBIDDEN, "This is not for you.\n").into_response();
    }
    let body = to_bytes(request.into_body(), LARGEST_REQUEST);
    let Ok(Ok(body)) = timeout(BODY_WITHIN, body).await else {
        return (StatusCode::BAD_REQUEST, "No request came.\n").into_response();
    };
    // What has begun ends, also where the administrator does not wait for it.
    let following = tokio::spawn(async move { follow(&host, &body).await });
    match following.await {
        Ok(Ok(text)) => text.into_response(),
        Ok(Err(refusal)) => refusal.into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

async fn follow(host: &ClubHost, body: &[u8]) -> Result<String, Refusal> {
    let refused = |error: &dyn std::error::Error| (StatusCode::BAD_REQUEST, format!("{error}\n"));
    let message: AdminMessage = serde_json::from_slice(body).map_err(|error| refused(&error))?;
    let noted = message
        .changes()
        .then(|| serde_json::to_string(&message.noted()).unwrap_or_default());
    let unavailable = |text: String| (StatusCode::SERVICE_UNAVAILABLE, text);
    if noted.is_some() && host.is_read_only() {
        return Err(unavailable(format!("{}\n", READ_ONLY.text)));
    }
    let changes_ratings = matches!(message, AdminMessage::Ban { .. });
    let done = obey(host, message).await?;
    if let Some(noted) = noted {
        host.with(|club, now| club.audit(now, noted));
        if !host.is_stored().await {
            return Err(unavailable(format!("{NOT_KEPT}\n{done}")));
        }
    }
    if changes_ratings {
        rate_anew(host).await.map_err(|error| refused(&error))?;
    }
    Ok(done)
}

async fn obey(host: &ClubHost, message: AdminMessage) -> Result<String, Refusal> {
    let refused = |error: &dyn std::error::Error| (StatusCode::BAD_REQUEST, format!("{error}\n"));
    match message {
        AdminMessage::List => Ok(lines(&host.with(|club, now| club.list_rooms(now)))),
        AdminMessage::End { room } => {
            let done = host.with(|club, now| club.end_room(now, room));
            Ok(match done.map_err(|error| refused(&error))? {
                Stage::Waiting => format!("Room {room} waited for a player, and is closed.\n"),
                _ => format!("The game of room {room} has ended without a result.\n"),
            })
        }
        AdminMessage::Tournaments => Ok(lines(
            &host.with(|club, _| club.list_tournaments(usize::MAX)),
        )),
        AdminMessage::EndTournament { tournament } => {
            let done = host.with(|club, now| club.end_tournament(now, tournament));
            done.map_err(|error| refused(&error))?;
            Ok(format!("Tournament {tournament} has ended.\n"))
        }
        AdminMessage::ContinueTournament { tournament } => {
            let done = host.with(|club, now| club.continue_tournament(now, tournament));
            done.map_err(|error| refused(&error))?;
            Ok(format!(
                "Tournament {tournament} goes on: its rounds begin by themselves.\n"
            ))
        }
        AdminMessage::CloseEntry { tournament, closed } => {
            let done = host.with(|club, now| club.close_entry(now, tournament, closed));
            done.map_err(|error| refused(&error))?;
            let state = if closed { "closed" } else { "open" };
            Ok(format!(
                "The entry of tournament {tournament} is {state}.\n"
            ))
        }
        AdminMessage::Ban { name, banned } => {
            let done = host.with(|club, _| club.ban(&name, banned));
            let accounts = done.map_err(|error| refused(&error))?;
            let state = if banned { "banned" } else { "let in again" };
            Ok(format!(
                "{} {state}, and all games are rated anew.\n",
                listed(&accounts)
            ))
        }
        AdminMessage::BanAddresses { range, banned } => {
            let count = host.with(|club, _| club.ban_addresses(range, banned));
            Ok(if banned {
                format!("{range} is banned; connections ended: {count}.\n")
            } else {
                format!("{range} is let in again.\n")
            })
        }
        AdminMessage::Bans => Ok(lines(&host.with(|club, _| club.list_bans()))),
        AdminMessage::Visitors => Ok(lines(&host.with(|club, _| club.list_visitors()))),
        AdminMessage::Rename { name, to } => {
            let done = host.with(|club, now| club.rename_person(now, &name, &to));
            let [before, after] = done.map_err(|error| refused(&error))?;
            Ok(format!("{before} is called {after} now.\n"))
        }
        AdminMessage::Close { room } => {
            let done = host.with(|club, now| club.close_room(now, room));
            done.map_err(|error| refused(&error))?;
            Ok(format!("Room {room} is closed.\n"))
        }
        AdminMessage::Bot { name } => {
            let made = host.with(|club, _| club.make_bot(&name, None));
            Ok(made.map_err(|error| refused(&error))? + "\n")
        }
        AdminMessage::Key { name } => {
            let given = host.with(|club, _| club.replace_key(&name));
            Ok(given.map_err(|error| refused(&error))? + "\n")
        }
        AdminMessage::Forget { name } => {
            let done = host.with(|club, now| club.forget_person(now, &name));
            done.map_err(|error| refused(&error))?;
            Ok(format!("{name} is forgotten.\n"))
        }
        AdminMessage::Suspicious => {
            let found = suspicious(host).await;
            found.map_err(|error| refused(&error))
        }
        AdminMessage::Audit => {
            let entries = host.read(Snapshot::audit).await;
            Ok(lines(&entries.map_err(|error| refused(&error))?))
        }
        AdminMessage::Backup { path } => {
            let to = path.clone();
            let copied = host.read(move |kept| kept.back_up(&to)).await;
            copied.map_err(|error| refused(&error))?;
            Ok(format!("The club is copied to {}.\n", path.display()))
        }
        AdminMessage::Export => {
            let export = host.read(|kept| {
                let mut text = format!("{BYTE_ORDER_MARK}{CSV_HEAD}");
                kept.for_each_game(0, |game| text += &game.csv())?;
                Ok(text)
            });
            export.await.map_err(|error| refused(&error))
        }
    }
}

/// Lists rated games that look arranged.
async fn suspicious(host: &ClubHost) -> Result<String, StoreError> {
    let guard = host.read(|kept| {
        let mut suspicion = Suspicion::default();
        kept.for_each_game(0, |game| suspicion.add(&game))?;
        Ok(suspicion)
    });
    let guard = guard.await?;
    Ok(lines(&host.with(|club, _| club.suspicious(&guard))))
}

/// Recomputes all ratings by all games. They are read and rated on the thread of the reader,
/// and rooms go on meanwhile.
async fn rate_anew(host: &ClubHost) -> Result<(), StoreError> {
    let mut behind = Some(host.with(|club, _| club.recomputation()));
    while let Some(mut recomputation) = behind {
        let read = host.read(move |kept| {
            kept.for_each_game(recomputation.next(), |game| recomputation.add(&game))?;
            Ok(recomputation)
        });
        let recomputation = read.await?;
        behind = host.with(|club, _| club.take_over(recomputation));
    }
    Ok(())
}

/// A JSON value a line.
fn lines(values: &[impl Serialize]) -> String {
    let line = |value| serde_json::to_string(value).unwrap_or_default() + "\n";
    values.iter().map(line).collect()
}

/// Names in a sentence, with the verb that follows.
fn listed(names: &[String]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", names.join(", "))
}
