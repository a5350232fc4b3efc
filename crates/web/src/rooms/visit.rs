//! One visitor's connection to the club.

use super::host::ClubHost;
use crate::allowance::Allowance;
use crate::shared::{PING, PONG, Peer, Shared, stop_asked};
use axum::extract::ws::{Message, WebSocket};
use axum::extract::{Extension, State, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use quincunx_club::rooms::VisitorId;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout};

/// The largest message in bytes.
const LARGEST_MESSAGE: usize = 4096;

/// What is read from a socket at once in bytes. The library's default would be most of
/// a visitor's memory.
const READ_BUFFER: usize = 4096;

/// A page that takes no message for so long is gone.
const SEND_WITHIN: Duration = Duration::from_secs(10);

/// How often the page is asked whether it is still there, which also measures how
/// long messages travel.
const PING_EVERY: Duration = Duration::from_secs(5);

/// A page that has not been heard for so long is gone.
const SILENCE: Duration = Duration::from_secs(20);

/// How long a page that was told goodbye is listened to.
const PART_WITHIN: Duration = Duration::from_millis(500);

/// The number of messages that may come at once, and the time for one more.
const BURST: u32 = 40;
const REFILL: Duration = Duration::from_millis(50);

/// Why a visit ends.
struct Over;

/// Begins a visit, if there is room for one more.
pub(crate) async fn begin(
    State(host): State<Option<Arc<ClubHost>>>,
    State(shared): State<Arc<Shared>>,
    Extension(Peer(peer)): Extension<Peer>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some(host) = host else {
        return (StatusCode::NOT_FOUND, "There are no rooms here.\n").into_response();
    };
    let address = address(&headers, host.settings.behind_proxy).unwrap_or(peer);
    let Some((id, letters)) = host.arrive(address) else {
        return (
            StatusCode::SERVICE_UNAVAILABLE,
            "There are too many visitors.\n",
        )
            .into_response();
    };
    // Whoever never comes leaves too.
    let guest = Guest { host, id };
    upgrade
        .max_message_size(LARGEST_MESSAGE)
        .max_frame_size(LARGEST_MESSAGE)
        .read_buffer_size(READ_BUFFER)
        .on_upgrade(move |socket| async move {
            let now = Instant::now();
            let mut visit = Visit {
                socket,
                allowance: Allowance::new(now, BURST, REFILL),
                heard_at: now,
                asked_at: now,
                lag: Duration::ZERO,
                guest: &guest,
            };
            let Err(Over) = visit.run(letters, &shared).await;
        })
}

/// The address of a visitor that a proxy names. Only what it wrote itself counts, which
/// comes last.
pub(crate) fn address(headers: &HeaderMap, behind_proxy: bool) -> Option<IpAddr> {
    let named = headers.get_all("x-forwarded-for").iter().next_back();
    let named = named.filter(|_| behind_proxy)?.to_str().ok()?;
    named.rsplit(',').next()?.trim().parse().ok()
}

/// Somebody who leaves when this value is dropped.
struct Guest {
    host: Arc<ClubHost>,
    id: VisitorId,
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.host.leave(self.id);
    }
}

struct Visit<'g> {
    socket: WebSocket,
    allowance: Allowance,
    /// When the page was heard last.
    heard_at: Instant,
    /// When the page was asked last whether it is there.
    asked_at: Instant,
    /// How long messages travel, there and back.
    lag: Duration,
    guest: &'g Guest,
}

impl Visit<'_> {
    async fn run(
        &mut self,
        mut letters: mpsc::Receiver<Arc<str>>,
        shared: &Shared,
    ) -> Result<std::convert::Infallible, Over> {
        let mut stopping = shared.stopping();
        self.ask().await?;
        loop {
            tokio::select! {
                message = self.socket.recv() => match message {
                    Some(Ok(message)) => self.hear(message).await?,
                    Some(Err(error)) => {
                        log::info!("visitor={} event=broken error={error}", self.guest.id.0);
                        return Err(Over);
                    }
                    None => return Err(Over),
                },
                letter = letters.recv() => match letter {
                    Some(text) => self.send(Message::text(&*text)).await?,
                    // Shut out for being too slow.
                    None => return Err(Over),
                },
                () = sleep_until(self.asked_at + PING_EVERY) => {
                    if self.heard_at.elapsed() > SILENCE {
                        return Err(Over);
                    }
                    self.ask().await?;
                }
                () = stop_asked(&mut stopping) => return Err(self.part(letters).await),
            }
        }
    }

    /// Asks the page whether it is there.
    async fn ask(&mut self) -> Result<(), Over> {
        self.asked_at = Instant::now();
        self.send(Message::Ping(Default::default())).await
    }

    async fn hear(&mut self, message: Message) -> Result<(), Over> {
        self.heard_at = Instant::now();
        let text = match message {
            Message::Text(text) => text,
            Message::Pong(_) => {
                self.lag = self.asked_at.elapsed();
                return Ok(());
            }
            Message::Ping(_) => return Ok(()),
            // JSON is text; what is not JSON is refused like other nonsense.
            Message::Binary(_) => "".into(),
            Message::Close(_) => return Err(Over),
        };
        sleep_until(self.allowance.take(Instant::now())).await;
        if text.as_str() == PING {
            return self.send(Message::text(PONG)).await;
        }
        let Guest { host, id } = self.guest;
        host.with(|club, now| club.hear(now, *id, self.lag, text.as_str()));
        Ok(())
    }

    /// Says what was still to be said, and goodbye.
    async fn part(&mut self, mut letters: mpsc::Receiver<Arc<str>>) -> Over {
        let goodbye = async {
            self.guest.host.settle().await;
            while let Ok(text) = letters.try_recv() {
                self.send(Message::text(&*text)).await?;
            }
            self.send(Message::text(r#"{"type":"goodbye"}"#)).await?;
            self.send(Message::Close(None)).await?;
            while let Some(Ok(_)) = self.socket.recv().await {}
            Ok::<(), Over>(())
        };
        _ = timeout(PART_WITHIN, goodbye).await;
        Over
    }

    async fn send(&mut self, message: Message) -> Result<(), Over> {
        match timeout(SEND_WITHIN, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Over),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_the_proxy_is_believed() {
        let mut headers = HeaderMap::new();
        assert_eq!(address(&headers, true), None);
        headers.append("x-forwarded-for", "10.0.0.1, 192.0.2.7".parse().unwrap());
        assert_eq!(address(&headers, true), "192.0.2.7".parse().ok());
        headers.append("x-forwarded-for", "192.0.2.8".parse().unwrap());
        assert_eq!(address(&headers, true), "192.0.2.8".parse().ok());
        assert_eq!(address(&headers, false), None);
    }
}
