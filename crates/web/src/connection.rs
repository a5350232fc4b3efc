//! The loop of a WebSocket, the same for boards and rooms: messages in and out, pings, and the end.

use super::rate_limit::{SharedLimit, paced};
use super::shared::{PING, PONG, Shared, stop_asked};
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use std::convert::Infallible;
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout};

/// The write timeout.
const SEND_WITHIN: Duration = Duration::from_secs(10);

/// The time for which a page is read after `goodbye`.
const PART_WITHIN: Duration = Duration::from_millis(500);

/// The message to pages when the program ends.
const GOODBYE: &str = r#"{"type":"goodbye"}"#;

/// The error that ends the loop: the page is disconnected.
struct Disconnected;

/// Outgoing messages, each with its receipt.
pub(super) type Outgoing<T> = Vec<(Utf8Bytes, T)>;

/// The handler of a connection's messages: a session of a board, or a visit to the rooms.
pub(super) trait Conversation: Send {
    /// A delivery receipt, handed back once its message is written to the socket.
    type Receipt: Send;

    /// The ping interval.
    const PING_EVERY: Duration;

    /// The silence after which a page counts as disconnected.
    const SILENCE: Duration;

    /// Handles a message, now or soon, and returns the replies.
    fn receive(&mut self, text: Utf8Bytes) -> Outgoing<Self::Receipt>;

    /// Returns true if the inbox is full: reading pauses until it is not.
    fn is_full(&self) -> bool {
        false
    }

    /// Waits for the next messages to the page. `None` ends the connection. The future is cancel
    /// safe.
    fn next(&mut self) -> impl Future<Output = Option<Outgoing<Self::Receipt>>> + Send;

    /// Takes the receipt of a message.
    fn sent(&mut self, _receipt: Self::Receipt) {}

    /// The payload of the next ping.
    fn probe(&mut self) -> Vec<u8> {
        Vec::new()
    }

    /// Handles a pong with its payload.
    fn answered(&mut self, _at: Instant, _probe: &[u8]) {}

    /// Returns true if the page may stay. It is asked with every ping.
    fn may_stay(&self) -> bool {
        true
    }

    /// Waits for the last messages before the connection is closed.
    fn settle(&mut self) -> impl Future<Output = Outgoing<Self::Receipt>> + Send {
        async { Vec::new() }
    }
}

/// A handler, and the socket of its page.
struct Connection<C> {
    socket: WebSocket,
    conversation: C,
    /// The limits of the processor time of reading, since empty frames take time too. If a limit is
    /// used up, what the page sends waits in its socket.
    reading: Vec<SharedLimit>,
    /// The time of the last message.
    received_at: Instant,
    /// The end of the last or present pause of reading, when the page had used too much.
    unread_until: Instant,
    /// The time of the next ping.
    ping_at: Instant,
}

/// Runs a connection until the page disconnects or the server stops. `reading` limits the processor time of
/// reading.
pub(super) async fn converse(
    socket: WebSocket,
    conversation: impl Conversation,
    reading: Vec<SharedLimit>,
    shared: &Shared,
) {
    let now = Instant::now();
    let mut connection = Connection {
        socket,
        conversation,
        reading,
        received_at: now,
        unread_until: now,
        ping_at: now,
    };
    let Err(Disconnected) = connection.run(shared).await;
}

impl<C: Conversation> Connection<C> {
    async fn run(&mut self, shared: &Shared) -> Result<Infallible, Disconnected> {
        let mut stopping = shared.stopping();
        loop {
            let (reading, unread_until) = (&self.reading, &mut self.unread_until);
            let is_full = self.conversation.is_full();
            let message = paced(self.socket.recv(), |cost| {
                let now = Instant::now();
                reading.iter().for_each(|limit| limit.spend(now, cost));
                let read_at = reading.iter().map(SharedLimit::ready_at).max();
                let read_at = read_at.unwrap_or(now);
                if read_at > now {
                    *unread_until = read_at;
                }
                read_at
            });
            tokio::select! {
                message = message, if !is_full => match message {
                    Some(Ok(message)) => self.receive(message).await?,
                    Some(Err(error)) => {
                        log::debug!("event=broken error={error}");
                        return Err(Disconnected);
                    }
                    None => return Err(Disconnected),
                },
                messages = self.conversation.next() => match messages {
                    Some(messages) => self.send_all(messages).await?,
                    None => return Err(Disconnected),
                },
                () = sleep_until(self.ping_at) => self.ping().await?,
                () = stop_asked(&mut stopping) => return Err(self.close().await),
            }
        }
    }

    async fn receive(&mut self, message: Message) -> Result<(), Disconnected> {
        self.received_at = Instant::now();
        let text = match message {
            Message::Text(text) => text,
            Message::Pong(probe) => {
                self.conversation.answered(self.received_at, &probe);
                return Ok(());
            }
            Message::Ping(_) => return Ok(()),
            // Messages are text. The empty text is refused as invalid JSON.
            Message::Binary(_) => "".into(),
            Message::Close(_) => return Err(Disconnected),
        };
        let replies = self.conversation.receive(text);
        self.send_all(replies).await
    }

    /// Sends a ping, or disconnects a page that was silent for too long. While nothing was read
    /// from a page, it does not count as silent.
    async fn ping(&mut self) -> Result<(), Disconnected> {
        let active_at = self.received_at.max(self.unread_until);
        if active_at + C::SILENCE < self.ping_at || !self.conversation.may_stay() {
            return Err(Disconnected);
        }
        self.ping_at = Instant::now() + C::PING_EVERY;
        let probe = self.conversation.probe();
        self.send(Message::Ping(probe.into())).await
    }

    async fn send_all(&mut self, messages: Outgoing<C::Receipt>) -> Result<(), Disconnected> {
        for (text, receipt) in messages {
            self.send(Message::Text(text)).await?;
            self.conversation.sent(receipt);
        }
        Ok(())
    }

    /// Sends the last messages and a close frame, and reads the remaining input: a socket that is
    /// closed with unread input may lose the last messages.
    async fn close(&mut self) -> Disconnected {
        let goodbye = async {
            let messages = self.conversation.settle().await;
            self.send_all(messages).await?;
            self.send(Message::text(GOODBYE)).await?;
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

/// The pong, if a message is the ping of a page.
pub(super) fn pong(text: &str) -> Option<Utf8Bytes> {
    (text == PING).then(|| PONG.into())
}

/// Waits until then, or for ever.
pub(super) async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}
