//! Health and metrics of the server, for monitoring.

use super::host::ClubHost;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Answers that the server is there.
pub(crate) async fn health() -> &'static str {
    "ok\n"
}

/// Answers with numbers in the text format of Prometheus.
pub(crate) async fn metrics(State(host): State<Option<Arc<ClubHost>>>) -> Response {
    let Some(host) = host else {
        return (StatusCode::NOT_FOUND, "There are no rooms here.\n").into_response();
    };
    let (club, waiting) = host.statistics();
    let outbox = host.outbox().statistics();
    let count = |count: usize| count as f64;
    let total = |total: u64| total as f64;
    let commits = total(outbox.commits.load(Ordering::Relaxed));
    let changes = total(outbox.changes.load(Ordering::Relaxed));
    let seconds = total(outbox.microseconds.load(Ordering::Relaxed)) / 1e6;
    let gauge = |name, help, value| ("gauge", name, help, value);
    let counter = |name, help, value| ("counter", name, help, value);
    let text = [
        gauge("visitors", "Connections now", count(club.visitors)),
        gauge(
            "rooms_waiting",
            "Rooms with a free seat",
            count(club.waiting),
        ),
        gauge(
            "rooms_playing",
            "Games that are being played",
            count(club.playing),
        ),
        gauge(
            "tournaments",
            "Tournaments that are being played",
            count(club.tournaments),
        ),
        gauge(
            "rooms_over",
            "Rooms with a game that is over",
            count(club.over),
        ),
        gauge(
            "correspondence_rooms_in_memory",
            "Rooms of correspondence games that do not sleep",
            count(club.awake),
        ),
        gauge("people", "People that are known", count(club.people)),
        gauge(
            "engine_jobs_waiting",
            "Searches that wait for an engine",
            count(waiting),
        ),
        counter("moves_total", "Stones that were put", total(club.moves)),
        counter("games_total", "Games that are over", total(club.games)),
        counter(
            "refused_total",
            "Messages that were refused",
            total(club.refused),
        ),
        counter("commits_total", "Times that changes were written", commits),
        counter("changes_total", "Changes that were written", changes),
        counter("commit_seconds_total", "Time that writing took", seconds),
    ]
    .map(|(kind, name, help, value)| {
        let name = format!("quincunx_{name}");
        format!("# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n")
    })
    .concat();
    (
        [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")],
        text,
    )
        .into_response()
}
