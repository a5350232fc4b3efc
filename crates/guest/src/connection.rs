//! The connection of a guest: JSON over a WebSocket.

use anyhow::{Context as _, Result, bail};
use quincunx_club::rooms::{ClubMessage, VisitorMessage};
use std::io::ErrorKind;
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::{Error, Message, WebSocket};

/// How long the guest waits for a message before it checks its engine.
const GLANCE: Duration = Duration::from_millis(10);

/// The timeout of sending a message, and of the server's first answer.
const SEND_WITHIN: Duration = Duration::from_secs(10);

/// A server that is silent for this long is disconnected, because it sends a ping every five
/// seconds. Nothing else shows that the connection is broken.
const SILENCE: Duration = Duration::from_secs(20);

/// How the addresses begin that a guest connects to.
const SCHEME: &str = "http://";

/// Parses the address of a page with rooms.
///
/// # Errors
/// Returns an error for any other text.
pub fn page_url(text: &str) -> Result<String, &'static str> {
    match text.strip_prefix(SCHEME) {
        Some(rest) if !rest.trim_end_matches('/').is_empty() => Ok(text.to_owned()),
        _ => Err("expected http://HOST:PORT/ of the server, not of a proxy"),
    }
}

/// A connection to the rooms of a server.
pub(crate) struct Connection {
    socket: WebSocket<TcpStream>,
    received_at: Instant,
}

impl Connection {
    /// Connects to the server of a page.
    pub(crate) fn open(url: &str) -> Result<Connection> {
        let rest = url.strip_prefix(SCHEME).unwrap_or(url);
        let rest = rest.trim_end_matches('/');
        let host = rest.split('/').next().unwrap_or_default();
        let has_port = host
            .rsplit_once(':')
            .is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let address = if has_port {
            host.to_owned()
        } else {
            format!("{host}:80")
        };
        let stream =
            TcpStream::connect(&address).with_context(|| format!("can't reach {address}"))?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(SEND_WITHIN))?;
        stream.set_read_timeout(Some(SEND_WITHIN))?;
        let (socket, _) = tungstenite::client(format!("ws://{rest}/rooms/socket"), stream)
            .map_err(|error| anyhow::anyhow!("there are no rooms at {url}: {error}"))?;
        socket.get_ref().set_read_timeout(Some(GLANCE))?;
        let received_at = Instant::now();
        Ok(Connection {
            socket,
            received_at,
        })
    }

    /// The next message, if one arrives within a few milliseconds. Messages that this version does
    /// not know are ignored.
    pub(crate) fn receive(&mut self) -> Result<Option<ClubMessage>> {
        let read = self.socket.read();
        if read.is_ok() {
            self.received_at = Instant::now();
        }
        match read {
            Ok(Message::Text(text)) => Ok(serde_json::from_str(&text)
                .inspect_err(|error| log::warn!("{error} in {text}"))
                .ok()),
            Ok(Message::Close(_)) => bail!("the server has closed the connection"),
            Ok(_) => {
                // Answers to the server's probes are written with the next message.
                self.socket.flush()?;
                Ok(None)
            }
            // A signal that ends the guest interrupts its wait.
            Err(Error::Io(error))
                if matches!(
                    error.kind(),
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                ) =>
            {
                if self.received_at.elapsed() > SILENCE {
                    bail!("the server does not answer");
                }
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) fn send(&mut self, message: &VisitorMessage) -> Result<()> {
        let text = serde_json::to_string(message)?;
        self.socket.send(Message::text(text))?;
        Ok(())
    }
}
