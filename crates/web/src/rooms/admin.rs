//! Commands of the administrator, authorised by a token that only they can read.

use super::delivery::READ_ONLY;
use super::host::ClubHost;
use crate::refusal::log_refusal;
use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::AUTHORIZATION;
use axum::response::{IntoResponse, Response};
use quincunx_club::rooms::{
    AdminCommand, BYTE_ORDER_MARK, CSV_HEAD, StoreError, StoreReader, Suspicion, json_lines,
};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The largest request in bytes.
const LARGEST_REQUEST: usize = 1 << 16;

/// The longest time for the body of a request.
const BODY_WITHIN: Duration = Duration::from_secs(10);

/// The answer to an administrator when a change can't be written.
const NOT_STORED: &str = "done, but not kept yet: the server's disk is full or broken; \
                        repeat it when there is room";

/// The refusal of a command.
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
    let command: AdminCommand = serde_json::from_slice(body).map_err(refused)?;
    let unavailable = |text: String| (StatusCode::SERVICE_UNAVAILABLE, text);
    let is_change = command.audit_entry().is_some();
    if is_change && host.is_read_only() {
        return Err(unavailable(format!("{}\n", READ_ONLY.text)));
    }
    let done = host.with(|club, now| club.administer(now, &command));
    let Some(done) = done.map_err(refused)? else {
        return read(host, command).await.map_err(refused);
    };
    if is_change && !host.is_stored().await {
        return Err(unavailable(format!("{NOT_STORED}\n{done}")));
    }
    if command.changes_ratings() {
        rate_anew(host).await.map_err(refused)?;
    }
    Ok(done)
}

fn refused(error: impl std::error::Error) -> Refusal {
    (StatusCode::BAD_REQUEST, format!("{error}\n"))
}

/// Answers a command from the store.
async fn read(host: &ClubHost, command: AdminCommand) -> Result<String, StoreError> {
    match command {
        AdminCommand::Suspicious => {
            let suspicion = host.read(|snapshot| {
                let mut suspicion = Suspicion::default();
                snapshot.for_each_game(0, |game| suspicion.add(&game))?;
                Ok(suspicion)
            });
            let suspicion = suspicion.await?;
            Ok(json_lines(host.with(|club, _| club.suspicious(&suspicion))))
        }
        AdminCommand::Audit => Ok(json_lines(host.read(StoreReader::audit).await?)),
        AdminCommand::Check => {
            let errors = host.read(StoreReader::check).await?;
            match &*errors {
                [] => Ok("The database is sound.\n".to_owned()),
                errors => Ok(errors.join("\n") + "\n"),
            }
        }
        AdminCommand::Backup { file } => {
            let to = file.clone();
            host.read(move |snapshot| snapshot.back_up(&to)).await?;
            Ok(format!("The club is copied to {}.\n", file.display()))
        }
        AdminCommand::Export => {
            let export = host.read(|snapshot| {
                let mut text = format!("{BYTE_ORDER_MARK}{CSV_HEAD}");
                snapshot.for_each_game(0, |game| text += &game.csv())?;
                Ok(text)
            });
            export.await
        }
        _ => Ok(String::new()),
    }
}

/// Recomputes all ratings from all games. The thread of the reader does it while rooms go on.
async fn rate_anew(host: &ClubHost) -> Result<(), StoreError> {
    let mut behind = Some(host.with(|club, _| club.recomputation()));
    while let Some(mut recomputation) = behind {
        let read = host.read(move |snapshot| {
            snapshot.for_each_game(recomputation.next(), |game| recomputation.add(&game))?;
            Ok(recomputation)
        });
        let recomputation = read.await?;
        behind = host.with(|club, _| club.take_over(recomputation));
    }
    Ok(())
}
