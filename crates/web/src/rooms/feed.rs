//! The feeds of correspondence games, each under a secret address.

use super::games::unread;
use super::host::ClubHost;
use crate::shared::Peer;
use axum::extract::{Extension, Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HOST, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// The number of hexadecimal digits of a secret.
const SECRET: usize = 32;

/// Answers with a feed, if there is one with the secret of the address.
pub(crate) async fn feed(
    State(host): State<Option<Arc<ClubHost>>>,
    Extension(Peer(from)): Extension<Peer>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Response {
    let nothing = (StatusCode::NOT_FOUND, "There is no such feed.\n");
    let is_secret = |it: &&str| it.len() == SECRET && it.bytes().all(|b| b.is_ascii_hexdigit());
    let secret = file.strip_suffix(".atom").filter(is_secret);
    let (Some(host), Some(secret)) = (host, secret.map(str::to_owned)) else {
        return nothing.into_response();
    };
    let header = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let asked = header(HOST).map(|host| format!("http://{host}"));
    let Some(address) = host.address().map(str::to_owned).or(asked) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let address = format!("{}/", address.trim_end_matches('/'));
    let found = host.read_for(from, move |snapshot| snapshot.feed(&secret, &address));
    let text = match found.await {
        Ok(Some(text)) => text,
        Ok(None) => return nothing.into_response(),
        Err(error) => return unread(&error),
    };
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let tag = format!("\"{:016x}\"", hasher.finish());
    let is_known = header(IF_NONE_MATCH).is_some_and(|tags| tags.contains(&tag));
    let tagged = [(ETAG, &*tag), (CACHE_CONTROL, "private, no-cache")];
    match is_known {
        true => (StatusCode::NOT_MODIFIED, tagged).into_response(),
        false => (tagged, [(CONTENT_TYPE, "application/atom+xml")], text).into_response(),
    }
}
