//! A visitor whose server may be killed at any time: the connection is lost without a word,
//! and made anew.

use serde_json::{Value, json};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

/// How long a server may take to be back.
const BACK_WITHIN: Duration = Duration::from_secs(60);

/// How long a message may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// The connection is lost.
#[derive(Debug)]
pub(crate) struct Lost;

pub(crate) struct Line {
    address: String,
    key: String,
    socket: Option<WebSocket<TcpStream>>,
    /// The rooms that the last welcome told of.
    pub(crate) rooms: Value,
}

impl Line {
    /// A visitor with this key, who is connected.
    pub(crate) fn to(address: &str, key: &str) -> Line {
        let mut line = Line {
            address: address.to_owned(),
            key: key.to_owned(),
            socket: None,
            rooms: Value::Null,
        };
        line.connect();
        line
    }

    /// Connects anew, as often as it takes.
    pub(crate) fn connect(&mut self) {
        let end = Instant::now() + BACK_WITHIN;
        while Instant::now() < end {
            if self.try_connect().is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the server does not come back");
    }

    fn try_connect(&mut self) -> Result<(), Lost> {
        let stream = TcpStream::connect(&self.address).map_err(|_| Lost)?;
        stream.set_nodelay(true).map_err(|_| Lost)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(|_| Lost)?;
        let url = format!("ws://{}/rooms/socket", self.address);
        let (socket, _) = tungstenite::client(url, stream).map_err(|_| Lost)?;
        self.socket = Some(socket);
        self.send(&json!({ "type": "hello", "version": 1, "key": self.key }))?;
        let welcome = self.until(|message| message["type"] == "welcome")?;
        self.rooms = welcome["rooms"].clone();
        Ok(())
    }

    pub(crate) fn send(&mut self, message: &Value) -> Result<(), Lost> {
        let socket = self.socket.as_mut().ok_or(Lost)?;
        let sent = socket.send(Message::text(message.to_string()));
        sent.map_err(|_| Lost)
    }

    /// The next message.
    pub(crate) fn receive(&mut self) -> Result<Value, Lost> {
        loop {
            let socket = self.socket.as_mut().ok_or(Lost)?;
            match socket.read() {
                Ok(Message::Text(text)) => return Ok(serde_json::from_str(&text).unwrap()),
                Ok(_) => {}
                Err(_) => {
                    self.socket = None;
                    return Err(Lost);
                }
            }
        }
    }

    /// The next message for which `found` is true.
    pub(crate) fn until(&mut self, found: impl Fn(&Value) -> bool) -> Result<Value, Lost> {
        loop {
            let message = self.receive()?;
            if found(&message) {
                return Ok(message);
            }
        }
    }

    /// How the room that the visitor is in is shown next with at least so many stones.
    pub(crate) fn stones(&mut self, count: usize) -> Result<Value, Lost> {
        self.until(|message| message["type"] == "room" && stones(message) >= count)
    }

    /// Goes into a room, and sees it.
    pub(crate) fn enter(&mut self, room: &str) -> Result<Value, Lost> {
        self.send(&json!({ "type": "enter", "room": room }))?;
        self.until(|message| message["type"] == "room" && message["room"] == *room)
    }
}

/// The number of stones in a room.
fn stones(room: &Value) -> usize {
    room["stones"].as_array().map_or(0, Vec::len)
}
