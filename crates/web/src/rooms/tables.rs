//! Tables of tournaments to download.

use super::games::unread;
use super::host::ClubHost;
use crate::shared::Peer;
use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use quincunx_club::rooms::{BYTE_ORDER_MARK, StoreError, TournamentId, TournamentTable};
use std::net::IpAddr;
use std::sync::Arc;

/// Answers with a table of a tournament: `standings.csv`, `crosstable.csv`, `pairings.csv`,
/// `corrections.csv` or `games.csv`.
pub(crate) async fn table(
    State(host): State<Option<Arc<ClubHost>>>,
    Extension(Peer(from)): Extension<Peer>,
    Path((tournament, file)): Path<(String, String)>,
) -> Response {
    let found = match (host, tournament.parse()) {
        (Some(host), Ok(tournament)) => find(&host, from, tournament, &file).await,
        _ => Ok(None),
    };
    let text = match found {
        Ok(Some(text)) => text,
        Ok(None) => return (StatusCode::NOT_FOUND, "There is no such table.\n").into_response(),
        Err(error) => return unread(&error),
    };
    let headers = [
        (CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (
            CONTENT_DISPOSITION,
            format!("attachment; filename=\"{file}\""),
        ),
    ];
    (headers, format!("{BYTE_ORDER_MARK}{text}")).into_response()
}

async fn find(
    host: &ClubHost,
    from: IpAddr,
    tournament: TournamentId,
    file: &str,
) -> Result<Option<String>, StoreError> {
    let table = match file {
        "standings.csv" => TournamentTable::Standings,
        "pairings.csv" => TournamentTable::Pairings,
        "crosstable.csv" => TournamentTable::Crosstable,
        "corrections.csv" => TournamentTable::Corrections,
        "games.csv" => {
            let Some(table) = host.with(|club, _| club.tournament_games(tournament)) else {
                return Ok(None);
            };
            // Thousands of games are written out where they are read.
            let text = host.read_for(from, move |snapshot| {
                let games = snapshot.games(&table.numbers)?;
                Ok(table.csv(games))
            });
            return text.await.map(Some);
        }
        _ => return Ok(None),
    };
    Ok(host.with(|club, _| club.tournament_table(tournament, table)))
}
