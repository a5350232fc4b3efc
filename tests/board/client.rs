//! A client of the server: a WebSocket that speaks JSON, and plain requests.

use crate::board_server::BoardServer;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

/// No test waits longer for anything.
const PATIENCE: Duration = Duration::from_secs(60);

/// A page without a browser.
pub(crate) struct Client {
    pub(crate) socket: WebSocket<TcpStream>,
}

impl Client {
    pub(crate) fn connect(server: &BoardServer) -> Client {
        Client::at(server, "socket")
    }

    /// A client of the socket with this path.
    pub(crate) fn at(server: &BoardServer, path: &str) -> Client {
        let stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let url = format!("ws://{}/{path}", server.address);
        let (socket, _) = tungstenite::client(url, stream).unwrap();
        Client { socket }
    }

    /// A client that has said hello and heard the welcome.
    pub(crate) fn greeted(server: &BoardServer) -> Client {
        let mut client = Client::connect(server);
        client.send(&json!({ "type": "hello", "version": 1 }));
        assert_eq!(client.receive()["type"], json!("welcome"));
        client.state();
        client
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.socket
            .send(Message::text(message.to_string()))
            .unwrap();
    }

    pub(crate) fn receive(&mut self) -> Value {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Message::Text(text) = self.socket.read().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
        panic!("no message in time");
    }

    /// The next message for which `found` is true.
    pub(crate) fn until(&mut self, mut found: impl FnMut(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            let message = self.receive();
            if found(&message) {
                return message;
            }
        }
        panic!("no such message in time");
    }

    pub(crate) fn state(&mut self) -> Value {
        self.until(|message| message["type"] == "state")
    }
}

/// The head and the body of the answer to a plain request.
pub(crate) fn get(server: &BoardServer, path: &str, headers: &[(&str, &str)]) -> (String, String) {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut request = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n");
    if !headers.iter().any(|(name, _)| *name == "Host") {
        request += &format!("Host: {}\r\n", server.address);
    }
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    stream
        .write_all(format!("{request}\r\n").as_bytes())
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}

/// The answer to a request with a body.
pub(crate) fn post(server: &BoardServer, path: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let (address, length) = (&server.address, body.len());
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Length: {length}\r\n\r\n"
    );
    stream
        .write_all(format!("{head}{body}").as_bytes())
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}
