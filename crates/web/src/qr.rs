//! Links as QR codes, for telephones.

use super::shared::{Peer, Shared};
use axum::body::to_bytes;
use axum::extract::{Extension, Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use qrcode::QrCode;
use qrcode::render::svg;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::time::{Instant, timeout};

/// The longest text in bytes.
const LONGEST: usize = 300;

/// The longest time for the body of a request.
const BODY_WITHIN: Duration = Duration::from_secs(10);

/// The side of the picture in pixels at the least.
const SIDE: u32 = 180;

/// Answers with the body of the request as a QR code in SVG. The text comes in the body, because
/// a link may hold a secret and logs keep the addresses of requests. A code takes milliseconds to
/// draw, so a thread of the boards does it, out of the boards' allowance of the visitor.
pub(super) async fn qr(
    State(shared): State<Arc<Shared>>,
    State(boards): State<Handle>,
    Extension(Peer(address)): Extension<Peer>,
    request: Request,
) -> Response {
    let body = to_bytes(request.into_body(), LONGEST);
    let Ok(Ok(text)) = timeout(BODY_WITHIN, body).await else {
        return (StatusCode::BAD_REQUEST, "The text is too long.\n").into_response();
    };
    let limit = shared.rates.of(Instant::now(), address);
    limit.ready().await;
    let drawn = boards.spawn(async move { limit.charge(async { draw(&text) }).await });
    match drawn.await.ok().flatten() {
        Some(picture) => ([(CONTENT_TYPE, "image/svg+xml")], picture).into_response(),
        None => (StatusCode::BAD_REQUEST, "This can't be a QR code.\n").into_response(),
    }
}

fn draw(text: &[u8]) -> Option<String> {
    let code = QrCode::new(text).ok()?;
    let mut picture = code.render::<svg::Color<'_>>();
    Some(picture.min_dimensions(SIDE, SIDE).build())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn links_are_drawn() {
        let link = format!("http://192.168.100.100:5225/#tournament/{}", "0".repeat(16));
        let picture = draw(link.as_bytes()).unwrap();
        assert!(
            picture.contains("<svg") && picture.len() < 20_000,
            "{}",
            picture.len()
        );
        assert_ne!(draw(b"one").unwrap(), draw(b"two").unwrap());
        assert!(draw(&[b'x'; LONGEST]).is_some());
    }
}
