//! One visitor's connection to the club.

use super::host::{ClubHost, Handed};
use super::lag::Lag;
use crate::processor::measured;
use crate::rate_limit::{Rate, RateLimit, SharedLimit, paced};
use crate::refusal::refuse;
use crate::shared::{PING, PONG, Peer, Shared, stop_asked};
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use axum::extract::{Extension, State, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use quincunx_club::rooms::VisitorId;
use std::collections::VecDeque;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout};

/// The largest message in bytes.
const LARGEST_MESSAGE: usize = 4096;

/// The size of the read buffer in bytes. The library's default would be most of a visitor's memory.
const READ_BUFFER: usize = 4096;

/// A page that takes no message for so long is gone.
const SEND_WITHIN: Duration = Duration::from_secs(10);

/// The ping interval, at which the round trip is measured too.
const PING_EVERY: Duration = Duration::from_secs(5);

/// A page that has not been heard for so long is gone.
const SILENCE: Duration = Duration::from_secs(20);

/// A page that has not said hello for so long has no use for its place.
const HELLO_WITHIN: Duration = Duration::from_secs(10);

/// The time for which a page is read after `goodbye`.
const PART_WITHIN: Duration = Duration::from_millis(500);

/// The processor time that every visit may use, whatever others from the same address do:
/// a player needs less. Beyond it a visit uses what all visits from its address share.
const OF_VISIT: Rate = Rate {
    burst: Duration::from_millis(20),
    seconds_for_one: 100,
};

/// The processor time that reading from a connection may take: frames that say nothing, and parts
/// of messages that never end, are never followed.
const OF_READING: Rate = Rate {
    burst: Duration::from_millis(100),
    seconds_for_one: 200,
};

/// The rate limit of bytes to a visitor, as time on a line of this many bytes a second. A player
/// needs about 20,000 bytes a second in a fast game. Beyond it the visitor's messages wait.
const LINE: u32 = 65_536;
const OF_LINE: Rate = Rate {
    burst: Duration::from_secs(8),
    seconds_for_one: 1,
};

/// The cost of receiving and answering a message, beside that of its effects.
const MESSAGE: Duration = Duration::from_micros(500);

/// The processor time that is charged for beginning a game. Games are archived for ever, and this
/// limits how fast they can fill the disk.
const GAME: Duration = Duration::from_millis(20);

/// The most messages of a visitor that wait. What comes then waits in the socket.
const INBOX: usize = 64;

/// Why a visit ends.
struct Over;

/// Begins a visit, if there is room for one more.
pub(crate) async fn begin(
    State(host): State<Option<Arc<ClubHost>>>,
    State(shared): State<Arc<Shared>>,
    Extension(Peer(address)): Extension<Peer>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some(host) = host else {
        return (StatusCode::NOT_FOUND, "There are no rooms here.\n").into_response();
    };
    let (id, letters) = match host.arrive(address) {
        Ok(arrived) => arrived,
        Err(refusal) => return refuse(upgrade, refusal),
    };
    let shared_limit = host.rates.of(Instant::now(), address);
    // A visitor who never comes leaves too.
    let guest = Guest { host, id };
    upgrade
        .max_message_size(LARGEST_MESSAGE)
        .max_frame_size(LARGEST_MESSAGE)
        .read_buffer_size(READ_BUFFER)
        .on_upgrade(move |socket| async move {
            let now = Instant::now();
            let mut visit = Visit {
                socket,
                inbox: VecDeque::new(),
                limit: RateLimit::new(now, OF_VISIT),
                shared_limit,
                reading: RateLimit::new(now, OF_READING),
                line: RateLimit::new(now, OF_LINE),
                came_at: now,
                heard_at: now,
                asked_at: now,
                lag: Lag::default(),
                guest: &guest,
            };
            let Err(Over) = visit.run(letters, &shared).await;
        })
}

/// The address of a visitor that a proxy names, of which some add a port. Only what it wrote itself
/// counts, which comes last.
pub(crate) fn address(headers: &HeaderMap, behind_proxy: bool) -> Option<IpAddr> {
    let named = headers.get_all("x-forwarded-for").iter().next_back();
    let named = named.filter(|_| behind_proxy)?.to_str().ok()?;
    let address = named.rsplit(',').next()?.trim();
    let bare = address
        .strip_prefix('[')
        .and_then(|it| it.strip_suffix(']'));
    let with_port = || Some(address.parse::<SocketAddr>().ok()?.ip());
    (bare.unwrap_or(address).parse().ok()).or_else(with_port)
}

/// A visitor who leaves when this value is dropped.
struct Guest {
    host: Arc<ClubHost>,
    id: VisitorId,
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.host.leave(self.id);
    }
}

/// A message that waits.
struct Waiting {
    /// The time of the club at which it came.
    came_at: Duration,
    /// The moment at which it came.
    received: Instant,
    text: Utf8Bytes,
}

impl Waiting {
    /// The time from which the message counts for the clock of its sender. What it waits for the
    /// server is not charged; what it waits because its sender has used too much is.
    fn counts_from(&self, ready_at: Instant) -> Duration {
        self.came_at + ready_at.saturating_duration_since(self.received)
    }
}

struct Visit<'g> {
    socket: WebSocket,
    /// Messages that wait.
    inbox: VecDeque<Waiting>,
    /// The processor time of this visit, and of all from its address.
    limit: RateLimit,
    shared_limit: SharedLimit,
    /// The processor time of reading.
    reading: RateLimit,
    /// The bytes that are sent.
    line: RateLimit,
    came_at: Instant,
    /// The time of the last message.
    heard_at: Instant,
    /// The time of the last ping.
    asked_at: Instant,
    /// The round-trip estimator.
    lag: Lag,
    guest: &'g Guest,
}

impl Visit<'_> {
    async fn run(
        &mut self,
        mut letters: mpsc::Receiver<Handed>,
        shared: &Shared,
    ) -> Result<std::convert::Infallible, Over> {
        let mut stopping = shared.stopping();
        self.ask().await?;
        loop {
            let ready_at = self.limit.ready_at().min(self.shared_limit.ready_at());
            let ready_at = ready_at.max(self.line.ready_at());
            let reading = &mut self.reading;
            let message = paced(self.socket.recv(), |cost| {
                reading.spend(Instant::now(), cost);
                reading.ready_at()
            });
            tokio::select! {
                message = message, if self.inbox.len() < INBOX => match message {
                    Some(Ok(message)) => self.receive(message)?,
                    Some(Err(error)) => {
                        log::info!("visitor={} event=broken error={error}", self.guest.id.0);
                        return Err(Over);
                    }
                    None => return Err(Over),
                },
                () = sleep_until(ready_at), if !self.inbox.is_empty() => self.follow().await?,
                letter = letters.recv() => match letter {
                    Some(letter) => self.hand_on(letter).await?,
                    // Shut out for being too slow.
                    None => return Err(Over),
                },
                () = sleep_until(self.asked_at + PING_EVERY) => {
                    let Guest { host, id } = self.guest;
                    let is_late = self.came_at.elapsed() > HELLO_WITHIN;
                    if self.heard_at.elapsed() > SILENCE || is_late && !host.is_greeted(*id) {
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
        let probe = self.lag.ask(self.asked_at);
        self.send(Message::Ping(probe.to_vec().into())).await
    }

    /// Notes when a message came. It may wait then.
    fn receive(&mut self, message: Message) -> Result<(), Over> {
        self.heard_at = Instant::now();
        let text = match message {
            Message::Text(text) => text,
            Message::Pong(probe) => {
                self.lag.hear(self.heard_at, &probe);
                return Ok(());
            }
            Message::Ping(_) => return Ok(()),
            // JSON is text; what is not JSON is refused like other nonsense.
            Message::Binary(_) => "".into(),
            Message::Close(_) => return Err(Over),
        };
        self.inbox.push_back(Waiting {
            came_at: self.guest.host.now(),
            received: self.heard_at,
            text,
        });
        Ok(())
    }

    /// Follows the message that has waited longest.
    async fn follow(&mut self) -> Result<(), Over> {
        let Some(waiting) = self.inbox.pop_front() else {
            return Ok(());
        };
        let ready_at = self.limit.ready_at().min(self.shared_limit.ready_at());
        let counts_from = waiting.counts_from(ready_at);
        let text = waiting.text;
        let Guest { host, id } = self.guest;
        let lag = self.lag.estimate();
        let is_ping = text.as_str() == PING;
        let hear = || host.hear(counts_from, *id, lag, text.as_str());
        let (begins, cost) = if is_ping {
            (false, Duration::ZERO)
        } else {
            measured(hear)
        };
        let (now, cost) = (Instant::now(), cost + MESSAGE + GAME * u32::from(begins));
        if self.limit.ready_at() <= now {
            self.limit.spend(now, cost);
        } else {
            self.shared_limit.spend(now, cost);
        }
        if is_ping {
            self.send(Message::text(PONG)).await?;
        }
        Ok(())
    }

    /// Sends a letter. A turn that it tells of begins once it is written.
    async fn hand_on(&mut self, letter: Handed) -> Result<(), Over> {
        let bytes = u32::try_from(letter.text.len()).unwrap_or(u32::MAX);
        let time = Duration::from_secs(1) * bytes / LINE;
        self.line.spend(Instant::now(), time);
        self.send(Message::text(&*letter.text)).await?;
        if let Some((turn, handed_at)) = letter.turn {
            self.guest.host.told(self.guest.id, turn, handed_at);
        }
        Ok(())
    }

    /// Says what was still to be said, and goodbye.
    async fn part(&mut self, mut letters: mpsc::Receiver<Handed>) -> Over {
        let goodbye = async {
            self.guest.host.settle().await;
            while let Ok(letter) = letters.try_recv() {
                self.hand_on(letter).await?;
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
    fn waiting_for_the_own_limit_is_charged() {
        let (received, came_at) = (Instant::now(), Duration::from_secs(1_700_000_000));
        let waiting = Waiting {
            came_at,
            received,
            text: "".into(),
        };
        let second = Duration::from_secs(1);
        assert_eq!(waiting.counts_from(received - second), came_at);
        assert_eq!(waiting.counts_from(received + second), came_at + second);
    }

    #[test]
    fn only_the_proxy_is_believed() {
        let mut headers = HeaderMap::new();
        assert_eq!(address(&headers, true), None);
        headers.append("x-forwarded-for", "10.0.0.1, 192.0.2.7".parse().unwrap());
        assert_eq!(address(&headers, true), "192.0.2.7".parse().ok());
        headers.append("x-forwarded-for", "192.0.2.8".parse().unwrap());
        assert_eq!(address(&headers, true), "192.0.2.8".parse().ok());
        assert_eq!(address(&headers, false), None);
        for (text, expected) in [
            ("192.0.2.7:51234", Some("192.0.2.7")),
            ("[2001:db8::7]", Some("2001:db8::7")),
            ("10.0.0.1, [2001:db8::7]:443", Some("2001:db8::7")),
            ("2001:db8::7", Some("2001:db8::7")),
            ("192.0.2.7:", None),
            ("192.0.2.7:99999", None),
            ("[192.0.2.7", None),
            ("unknown", None),
            ("", None),
        ] {
            headers.append("x-forwarded-for", text.parse().unwrap());
            let expected = expected.map(|it| it.parse().unwrap());
            assert_eq!(address(&headers, true), expected, "{text}");
        }
    }
}
