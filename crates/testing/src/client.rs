//! A client of the server: a WebSocket that speaks JSON, and plain requests.

use crate::PATIENCE;
use crate::server::BoardServer;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Instant;
use tungstenite::{Message, WebSocket};

/// A page without a browser.
pub struct Client {
    /// The connection.
    pub socket: WebSocket<TcpStream>,
}

impl Client {
    /// Connects to the board.
    pub fn connect(server: &BoardServer) -> Client {
        Client::at(server, "socket")
    }

    /// Connects to the socket with this path.
    pub fn at(server: &BoardServer, path: &str) -> Client {
        let stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let url = format!("ws://{}/{path}", server.address);
        let (socket, _) = tungstenite::client(url, stream).unwrap();
        Client { socket }
    }

    /// Connects, sends the hello, and receives the welcome and the first state.
    pub fn greeted(server: &BoardServer) -> Client {
        let mut client = Client::connect(server);
        client.send(&json!({ "type": "hello", "version": 1 }));
        assert_eq!(client.receive()["type"], json!("welcome"));
        client.state();
        client
    }

    /// Sends a message.
    pub fn send(&mut self, message: &Value) {
        self.socket
            .send(Message::text(message.to_string()))
            .unwrap();
    }

    /// Receives the next message.
    pub fn receive(&mut self) -> Value {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Message::Text(text) = self.socket.read().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
        panic!("no message in time");
    }

    /// Receives messages until one for which `found` is true.
    pub fn until(&mut self, mut found: impl FnMut(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            let message = self.receive();
            if found(&message) {
                return message;
            }
        }
        panic!("no such message in time");
    }

    /// Receives the next state of the board.
    pub fn state(&mut self) -> Value {
        self.until(|message| message["type"] == "state")
    }
}

/// Sends a GET request. Returns the head and the body of the response.
pub fn get(server: &BoardServer, path: &str, headers: &[(&str, &str)]) -> (String, String) {
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

/// Sends a POST request. Returns the response.
pub fn post(server: &BoardServer, path: &str, body: &str) -> String {
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
