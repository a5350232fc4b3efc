//! One connection: a desk, and the socket between it and the page.

use super::desk::Desk;
use super::processor::measured;
use super::rate_limit::{RateLimit, SharedLimit, paced};
use super::shared::{PING, PONG, Shared, stop_asked};
use axum::extract::ws::{Message, WebSocket};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until, timeout};

/// News of a search are told at most this often, but the first after a message at once.
const NEWS_EVERY: Duration = Duration::from_millis(40);

/// A page that takes no message for so long is gone.
const SEND_WITHIN: Duration = Duration::from_secs(10);

/// The time for which a page is read after `goodbye`.
const PART_WITHIN: Duration = Duration::from_millis(500);

/// The ping interval.
const PING_EVERY: Duration = Duration::from_secs(20);

/// The message to pages when the program ends.
const GOODBYE: &str = r#"{"type":"goodbye"}"#;

/// Why a conversation ends.
struct Over;

/// A desk, and the page at the other end.
struct Connection<D> {
    socket: WebSocket,
    shared: Arc<Shared>,
    desk: D,
    /// The time at which the pending report of a search is sent.
    news_at: Option<Instant>,
    /// News are not told before.
    quiet_until: Instant,
    /// The processor time of this connection, and of all from its address.
    limit: RateLimit,
    shared_limit: SharedLimit,
    /// True if the page has been heard since the last ping.
    is_alive: bool,
    /// Until when the page was not read from, or will not be, because too much was used.
    unread_until: Instant,
}

/// Talks with a page until it is gone or the server stops. What is searched for it
/// ends then, with the desk. `wake` is notified when a search has news.
pub(super) async fn converse(
    socket: WebSocket,
    address: IpAddr,
    shared: Arc<Shared>,
    desk: impl Desk,
    wake: Arc<Notify>,
) {
    let now = Instant::now();
    let mut connection = Connection {
        socket,
        limit: RateLimit::new(now, shared.rate_of_board),
        shared_limit: shared.rates.of(now, address),
        shared,
        desk,
        news_at: None,
        quiet_until: now,
        is_alive: true,
        unread_until: now,
    };
    let Err(Over) = connection.run(&wake).await;
}

impl<D: Desk> Connection<D> {
    async fn run(&mut self, wake: &Notify) -> Result<std::convert::Infallible, Over> {
        let mut stopping = self.shared.stopping();
        let mut ping_at = Instant::now() + PING_EVERY;
        loop {
            let tick_at = (self.desk.deadline()).map(|at| self.shared.instant(at));
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
                    Some(Ok(message)) => self.hear(message).await?,
                    Some(Err(_)) | None => return Err(Over),
                },
                () = wake.notified(), if self.news_at.is_none() => {
                    self.news_at = Some(self.quiet_until);
                }
                () = until(self.news_at) => self.tell_news().await?,
                () = until(tick_at) => {
                    let replies = self.desk.tick();
                    self.tell(replies).await?;
                }
                () = sleep_until(ping_at) => {
                    // A page that was not read from can't have been heard.
                    let was_read = self.unread_until + PING_EVERY < Instant::now();
                    if !std::mem::take(&mut self.is_alive) && was_read {
                        return Err(Over);
                    }
                    ping_at = Instant::now() + PING_EVERY;
                    self.send(Message::Ping(Default::default())).await?;
                }
                () = stop_asked(&mut stopping) => return Err(self.part().await),
            }
        }
    }

    async fn hear(&mut self, message: Message) -> Result<(), Over> {
        self.is_alive = true;
        let text = match message {
            Message::Text(text) => text,
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            // JSON is text; what is not JSON is refused like other nonsense.
            Message::Binary(_) => "".into(),
            Message::Close(_) => return Err(Over),
        };
        if text.as_str() == PING {
            return self.send(Message::text(PONG)).await;
        }
        let (replies, cost) = measured(|| self.desk.hear(text.as_str()));
        let now = Instant::now();
        self.limit.spend(now, cost);
        self.shared_limit.spend(now, cost);
        self.quiet_until = Instant::now();
        self.news_at = self.news_at.map(|_| self.quiet_until);
        self.tell(replies).await
    }

    async fn tell_news(&mut self) -> Result<(), Over> {
        self.news_at = None;
        self.quiet_until = Instant::now() + NEWS_EVERY;
        let replies = self.desk.news();
        self.tell(replies).await
    }

    async fn tell(&mut self, replies: Vec<String>) -> Result<(), Over> {
        for reply in replies {
            self.send(Message::Text(reply.into())).await?;
        }
        Ok(())
    }

    /// Says goodbye. What the page still sends is read: a socket that is closed
    /// with something unread may lose what was sent last.
    async fn part(&mut self) -> Over {
        let goodbye = async {
            self.tell(vec![GOODBYE.to_owned()]).await?;
            self.send(Message::Close(None)).await?;
            while let Some(Ok(_)) = self.socket.recv().await {}
            Ok::<(), Over>(())
        };
        let _ = timeout(PART_WITHIN, goodbye).await;
        Over
    }

    async fn send(&mut self, message: Message) -> Result<(), Over> {
        match timeout(SEND_WITHIN, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Over),
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
