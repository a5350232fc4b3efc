//! Tables of tournaments to download.

use super::host::ClubHost;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use quincunx_club::rooms::{CSV_HEAD, TournamentId, TournamentTable};
use std::sync::Arc;

/// Answers with a table of a tournament: `standings.csv`, `crosstable.csv`, `pairings.csv` or
/// `games.csv`.
pub(crate) async fn table(
    State(host): State<Option<Arc<ClubHost>>>,
    Path((tournament, file)): Path<(String, String)>,
) -> Response {
    let text = match (host, tournament.parse()) {
        (Some(host), Ok(tournament)) => find(&host, tournament, &file).await,
        _ => None,
    };
    let Some(text) = text else {
        return (StatusCode::NOT_FOUND, "There is no such table.\n").into_response();
    };
    let headers = [
        (CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (
            CONTENT_DISPOSITION,
            format!("attachment; filename=\"{file}\""),
        ),
    ];
    (headers, text).into_response()
}

async fn find(host: &ClubHost, tournament: TournamentId, file: &str) -> Option<String> {
    let table = match file {
        "standings.csv" => TournamentTable::Standings,
        "pairings.csv" => TournamentTable::Pairings,
        "crosstable.csv" => TournamentTable::Crosstable,
        "games.csv" => {
            let numbers = host.with(|club, _| club.tournament_games(tournament))?;
            let games = host.read(move |kept| kept.games(&numbers)).await;
            let lines = games.ok()?.into_iter().map(|game| game.csv());
            return Some(std::iter::once(CSV_HEAD.to_owned()).chain(lines).collect());
        }
        _ => return None,
    };
    host.with(|club, _| club.tournament_table(tournament, table))
}
