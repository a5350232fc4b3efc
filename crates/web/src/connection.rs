//! One connection: a host, and the socket between it and the page.

use super::processor::measured;
use super::rate_limit::{RateLimit, SharedLimit, paced};
use super::session_host::SessionHost;
use super::shared::{PING, PONG, Shared, stop_asked};
use axum::extract::ws::{Message, WebSocket};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until, timeout};

/// The shortest interval between reports of a search; the first after a message is sent at once.
const NEWS_EVERY: Duration = Duration::from_millis(40);

/// The write timeout.
const SEND_WITHIN: Duration = Duration::from_secs(10);

/// The time for which a page is read after `goodbye`.
const PART_WITHIN: Duration = Duration::from_millis(500);

/// The ping interval.
const PING_EVERY: Duration = Duration::from_secs(20);

/// The message to pages when the program ends.
const GOODBYE: &str = r#"{"type":"goodbye"}"#;

/// Why a conversation ends.
struct Disconnected;

/// A host, and the page at the other end.
struct Connection<D> {
    socket: WebSocket,
    shared: Arc<Shared>,
    host: D,
    /// The time at which the pending report of a search is sent.
    updates_at: Option<Instant>,
    /// No report is sent before.
    quiet_until: Instant,
    /// The processor time of this connection, and of all from its address.
    limit: RateLimit,
    shared_limit: SharedLimit,
    /// True if anything was received since the last ping.
    is_alive: bool,
    /// Until when the page was not read from, or will not be, because too much was used.
    unread_until: Instant,
}

/// Talks with a page until it is gone or the server stops. What is searched for it
/// ends then, with the host. `wake` is notified when a search has news.
pub(super) async fn converse(
    socket: WebSocket,
    address: IpAddr,
    shared: Arc<Shared>,
    host: impl SessionHost,
    wake: Arc<Notify>,
) {
    let now = Instant::now();
    let mut connection = Connection {
        socket,
        limit: RateLimit::new(now, shared.rate_of_board),
        shared_limit: shared.rates.of(now, address),
        shared,
        host,
        updates_at: None,
        quiet_until: now,
        is_alive: true,
        unread_until: now,
    };
    let Err(Disconnected) = connection.run(&wake).await;
}

impl<D: SessionHost> Connection<D> {
    async fn run(&mut self, wake: &Notify) -> Result<std::convert::Infallible, Disconnected> {
        let mut stopping = self.shared.stopping();
        let mut ping_at = Instant::now() + PING_EVERY;
        loop {
            let tick_at = (self.host.deadline()).map(|at| self.shared.instant(at));
            // Frames that say nothing take time too. What a page sends that has used too much waits
            // in its socket.
            let (limit, shared_limit) = (&mut self.limit, &self.shared_limit);
            let unread_until = &mut self.unread_until;
            let message = paced(self.socket.recv(), |cost| {
                let now = Instant::now();
                limit.spend(now, cost);
                shared_limit.spend(now, cost);
                let read_at = limit.ready_at().max(shared_limit.ready_at());
                if read_at > now {
                    *unread_until = read_at;
                }
                read_at
            });
            tokio::select! {
                message = message => match message {
                    Some(Ok(message)) => self.receive(message).await?,
                    Some(Err(_)) | None => return Err(Disconnected),
                },
                () = wake.notified(), if self.updates_at.is_none() => {
                    self.updates_at = Some(self.quiet_until);
                }
                () = until(self.updates_at) => self.send_updates().await?,
                () = until(tick_at) => {
                    let replies = self.host.tick();
                    self.send_all(replies).await?;
                }
                () = sleep_until(ping_at) => {
                    // A page that was not read from can't have been heard.
                    let was_read = self.unread_until + PING_EVERY < Instant::now();
                    if !std::mem::take(&mut self.is_alive) && was_read {
                        return Err(Disconnected);
                    }
                    ping_at = Instant::now() + PING_EVERY;
                    self.send(Message::Ping(Default::default())).await?;
                }
                () = stop_asked(&mut stopping) => return Err(self.say_goodbye().await),
            }
        }
    }

    async fn receive(&mut self, message: Message) -> Result<(), Disconnected> {
        self.is_alive = true;
        let text = match message {
            Message::Text(text) => text,
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            // JSON is text; what is not JSON is refused like other nonsense.
            Message::Binary(_) => "".into(),
            Message::Close(_) => return Err(Disconnected),
        };
        if text.as_str() == PING {
            return self.send(Message::text(PONG)).await;
        }
        let (replies, cost) = measured(|| self.host.receive(text.as_str()));
        let now = Instant::now();
        self.limit.spend(now, cost);
        self.shared_limit.spend(now, cost);
        self.quiet_until = Instant::now();
        self.updates_at = self.updates_at.map(|_| self.quiet_until);
        self.send_all(replies).await
    }

    async fn send_updates(&mut self) -> Result<(), Disconnected> {
        self.updates_at = None;
        self.quiet_until = Instant::now() + NEWS_EVERY;
        let replies = self.host.updates();
        self.send_all(replies).await
    }

    async fn send_all(&mut self, replies: Vec<String>) -> Result<(), Disconnected> {
        for reply in replies {
            self.send(Message::Text(reply.into())).await?;
        }
        Ok(())
    }

    /// Says goodbye. What the page still sends is read: a socket that is closed
    /// with something unread may lose what was sent last.
    async fn say_goodbye(&mut self) -> Disconnected {
        let goodbye = async {
            self.send_all(vec![GOODBYE.to_owned()]).await?;
            self.send(Message::Close(None)).await?;
            while let Some(Ok(_)) = self.socket.recv().await {}
            Ok::<(), Disconnected>(())
        };
        let _ = timeout(PART_WITHIN, goodbye).await;
        Disconnected
    }

    async fn send(&mut self, message: Message) -> Result<(), Disconnected> {
        match timeout(SEND_WITHIN, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Disconnected),
        }
    }
}

/// Waits until then, or for ever.
async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}
