//! Games that are over: each at an address of its own, and found by player, rule and date.

use super::host::ClubHost;
use crate::refusal::log_refusal;
use crate::shared::Peer;
use axum::extract::{Extension, Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use quincunx_club::rooms::{GameFilter, GamePage, StoreError};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The query of a search for games.
#[derive(Deserialize)]
pub(crate) struct Search {
    /// The name of a player.
    player: Option<String>,
    /// The name of a rule.
    rule: Option<String>,
    /// Games that ended from this time on, in seconds since 1970.
    from: Option<u64>,
    /// Games that ended before this time.
    to: Option<u64>,
    /// Games before this number.
    before: Option<u64>,
}

/// Answers with a page of the games that are looked for.
pub(crate) async fn games(
    State(host): State<Option<Arc<ClubHost>>>,
    Extension(Peer(from)): Extension<Peer>,
    Query(search): Query<Search>,
) -> Response {
    let Some(host) = host else {
        return (StatusCode::NOT_FOUND, "There are no rooms here.\n").into_response();
    };
    let Some(filter) = filter(&host, &search) else {
        let nothing = GamePage {
            games: Vec::new(),
            before: None,
        };
        return json(&nothing);
    };
    let found = host.read_for(from, move |snapshot| {
        snapshot.find_games(&filter, search.before)
    });
    match found.await {
        Ok(found) => json(&found),
        Err(error) => unread(&error),
    }
}

/// The filter of a search, or `None` for an unknown name, which has no games.
fn filter(host: &ClubHost, search: &Search) -> Option<GameFilter> {
    let name = search.player.as_deref().filter(|name| !name.is_empty());
    let player = match name {
        Some(name) => Some(host.with(|club, _| club.person_of_name(name))?),
        None => None,
    };
    let rule = search.rule.as_deref().filter(|rule| !rule.is_empty());
    let rule = match rule {
        Some(rule) => Some(rule.parse().ok()?),
        None => None,
    };
    Some(GameFilter {
        player,
        rule,
        from: search.from,
        to: search.to,
    })
}

/// Answers with a public game.
pub(crate) async fn game(
    State(host): State<Option<Arc<ClubHost>>>,
    Extension(Peer(from)): Extension<Peer>,
    Path(number): Path<u64>,
) -> Response {
    let Some(host) = host else {
        return (StatusCode::NOT_FOUND, "There are no rooms here.\n").into_response();
    };
    let found = host.read_for(from, move |snapshot| Ok(snapshot.games(&[number])?.pop()));
    let game = match found.await {
        Ok(game) => game.filter(|it| !it.private),
        Err(error) => return unread(&error),
    };
    let view = game.and_then(|game| Some((game.room, game.view()?)));
    let Some((room, mut view)) = view else {
        return (StatusCode::NOT_FOUND, "There is no such game.\n").into_response();
    };
    view.corrections = host.with(|club, _| club.corrections_of_game(room));
    json(&view)
}

/// Answers that nothing could be read.
pub(super) fn unread(error: &StoreError) -> Response {
    log_refusal(format_args!("event=unread error={error}"));
    let text = "Too much is being read: try again in a minute.\n";
    (StatusCode::SERVICE_UNAVAILABLE, text).into_response()
}

fn json(value: &impl Serialize) -> Response {
    // Nothing that is listed has maps with other keys than text.
    let text = serde_json::to_string(value).unwrap_or_default();
    ([(CONTENT_TYPE, "application/json")], text).into_response()
}
