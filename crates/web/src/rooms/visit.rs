//! One visitor's connection to the club.

use super::delivery::{QueuedMessage, SentTurn};
use super::host::{ClubHost, Received};
use super::round_trip::RoundTripEstimator;
use crate::connection::{Conversation, Outgoing, converse, pong};
use crate::processor::measured;
use crate::rate_limit::{Rate, RateLimit, SharedLimit};
use crate::refusal::refuse;
use crate::shared::{Peer, Shared};
use axum::extract::ws::Utf8Bytes;
use axum::extract::{Extension, State, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use quincunx_club::rooms::VisitorId;
use std::collections::VecDeque;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

/// The largest message in bytes.
const LARGEST_MESSAGE: usize = 4096;

/// The size of the read buffer in bytes. The library's default would be most of a visitor's memory.
const READ_BUFFER: usize = 4096;

/// The longest time for the hello of a page.
const HELLO_WITHIN: Duration = Duration::from_secs(10);

/// The processor time of each visit, whatever other visits from the address use. It is more than a
/// player needs. Beyond it, the visits of an address share more.
const OF_VISIT: Rate = Rate {
    burst: Duration::from_millis(20),
    seconds_for_one: 100,
};

/// The processor time of reading from a connection, which limits empty frames and messages that
/// never end.
const OF_READING: Rate = Rate {
    burst: Duration::from_millis(100),
    seconds_for_one: 200,
};

/// The rate limit of the bytes that answer a visitor's messages, as time on a line of this many
/// bytes a second. An engine that moves every 40 ms is sent about 100,000 bytes a second. Beyond it
/// the visitor's messages wait, at the expense of the visitor's clock. Messages that others cause
/// use none of it.
const LINE: u32 = 131_072;
const OF_LINE: Rate = Rate {
    burst: Duration::from_secs(8),
    seconds_for_one: 1,
};

/// The cost of receiving and answering a message, besides that of its effects.
const MESSAGE: Duration = Duration::from_micros(500);

/// The processor time that is charged for beginning a game. Games are archived for ever, and this
/// limits how fast they can fill the disk.
const GAME: Duration = Duration::from_millis(20);

/// The capacity of the inbox. Further messages wait in the socket.
const INBOX: usize = 64;

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
    let (id, messages) = match host.arrive(address) {
        Ok(arrived) => arrived,
        Err(refusal) => return refuse(upgrade, refusal),
    };
    let shared_limit = host.rates.of(Instant::now(), address);
    // A visitor who never comes leaves too.
    let visitor = VisitorGuard { host, id };
    upgrade
        .max_message_size(LARGEST_MESSAGE)
        .max_frame_size(LARGEST_MESSAGE)
        .read_buffer_size(READ_BUFFER)
        .on_upgrade(move |socket| async move {
            let now = Instant::now();
            let visit = Visit {
                messages,
                inbox: VecDeque::new(),
                limit: RateLimit::new(now, OF_VISIT),
                shared_limit,
                line: RateLimit::new(now, OF_LINE),
                came_at: now,
                round_trip: RoundTripEstimator::default(),
                visitor,
            };
            let reading = vec![SharedLimit::new(now, OF_READING)];
            converse(socket, visit, reading, &shared).await;
        })
}

/// The address of a visitor as the proxy reports it, to which some proxies add a port. Only the
/// last entry counts, since the proxy itself wrote it.
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
struct VisitorGuard {
    host: Arc<ClubHost>,
    id: VisitorId,
}

impl Drop for VisitorGuard {
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
    /// The time at which the message counts for the clock of its sender. Delays by the server are
    /// not charged. Delays by the sender's own rate limit are.
    fn counts_from(&self, ready_at: Instant) -> Duration {
        self.came_at + ready_at.saturating_duration_since(self.received)
    }
}

struct Visit {
    /// The queued messages to the visitor.
    messages: mpsc::Receiver<QueuedMessage>,
    /// Messages that wait.
    inbox: VecDeque<Waiting>,
    /// The processor time of this visit, and of all from its address.
    limit: RateLimit,
    shared_limit: SharedLimit,
    /// The bytes that answer the visitor's messages.
    line: RateLimit,
    came_at: Instant,
    /// The round-trip estimator.
    round_trip: RoundTripEstimator,
    visitor: VisitorGuard,
}

impl Visit {
    /// The earliest time at which the limits allow the next message.
    fn ready_at(&self) -> Instant {
        let processor = self.limit.ready_at().min(self.shared_limit.ready_at());
        processor.max(self.line.ready_at())
    }

    /// Handles the message that has waited longest.
    fn follow(&mut self) -> Outgoing<Option<SentTurn>> {
        let Some(waiting) = self.inbox.pop_front() else {
            return Vec::new();
        };
        let counts_from = waiting.counts_from(self.ready_at());
        let text = waiting.text;
        let VisitorGuard { host, id } = &self.visitor;
        let lag = self.round_trip.estimate();
        let pong = pong(&text);
        let (received, cost) = match pong {
            Some(_) => (Received::default(), Duration::ZERO),
            None => measured(|| host.receive(counts_from, *id, lag, &text)),
        };
        let (now, game) = (Instant::now(), GAME * u32::from(received.begins));
        let cost = cost + MESSAGE + game;
        let answered = u32::try_from(received.answered).unwrap_or(u32::MAX);
        self.line
            .spend(now, Duration::from_secs(1) * answered / LINE);
        if self.limit.ready_at() <= now {
            self.limit.spend(now, cost);
        } else {
            self.shared_limit.spend(now, cost);
        }
        pong.into_iter().map(|text| (text, None)).collect()
    }
}

/// A queued message, and the turn that begins once it is written.
fn outgoing(message: QueuedMessage) -> (Utf8Bytes, Option<SentTurn>) {
    ((&*message.text).into(), message.turn)
}

impl Conversation for Visit {
    type Receipt = Option<SentTurn>;
    /// The ping interval. Every ping also measures the round trip.
    const PING_EVERY: Duration = Duration::from_secs(5);
    const SILENCE: Duration = Duration::from_secs(20);

    /// Queues a message with the time at which it was received.
    fn receive(&mut self, text: Utf8Bytes) -> Outgoing<Option<SentTurn>> {
        self.inbox.push_back(Waiting {
            came_at: self.visitor.host.now(),
            received: Instant::now(),
            text,
        });
        Vec::new()
    }

    fn is_full(&self) -> bool {
        self.inbox.len() >= INBOX
    }

    async fn next(&mut self) -> Option<Outgoing<Option<SentTurn>>> {
        tokio::select! {
            () = sleep_until(self.ready_at()), if !self.inbox.is_empty() => Some(self.follow()),
            // A visitor who is shut out for being too slow has no queue.
            message = self.messages.recv() => Some(vec![outgoing(message?)]),
        }
    }

    /// The turn of a message begins once it is written.
    fn sent(&mut self, turn: Option<SentTurn>) {
        if let Some((turn, queued_at)) = turn {
            let VisitorGuard { host, id } = &self.visitor;
            host.turn_sent(*id, turn, queued_at);
        }
    }

    fn probe(&mut self) -> Vec<u8> {
        self.round_trip.probe(Instant::now()).to_vec()
    }

    fn answered(&mut self, at: Instant, probe: &[u8]) {
        self.round_trip.receive(at, probe);
    }

    fn may_stay(&self) -> bool {
        let VisitorGuard { host, id } = &self.visitor;
        self.came_at.elapsed() <= HELLO_WITHIN || host.is_authenticated(*id)
    }

    async fn settle(&mut self) -> Outgoing<Option<SentTurn>> {
        self.visitor.host.settle().await;
        std::iter::from_fn(|| self.messages.try_recv().ok().map(outgoing)).collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::host::tests::{Silent, game, host};
    use super::*;
    use serde_json::json;

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

    /// Bytes that others caused were once charged to a player's clock.
    #[test]
    fn a_visitor_pays_for_the_answers_to_their_own_messages() {
        let host = host();
        let (mut anna, mut bela) = game(&host);
        let play = |visitor: &Silent, point: &str, ply: usize| {
            let play = json!({ "type": "play", "point": point, "ply": ply }).to_string();
            host.receive(host.now(), visitor.id, Duration::ZERO, &play)
        };
        let received = play(&anna, "h8", 0);
        let [own, others] = [&mut anna, &mut bela].map(|it| it.stones(1).to_string().len());
        // The state of the game in the lobby comes with it.
        assert!(
            (own..2 * own + 1000).contains(&received.answered),
            "{received:?} {own}"
        );
        assert!(others > 0 && !received.begins);
        assert!(play(&anna, "h8", 1).answered > 0, "an error");
    }
}
