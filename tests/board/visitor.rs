//! A visitor of the rooms: a client that has said hello with a key.

use crate::board_server::BoardServer;
use crate::client::Client;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// A server with rooms, which are kept in a file.
pub(crate) struct RoomServer {
    folder: TempDir,
    port: String,
    arguments: Vec<String>,
    server: Option<BoardServer>,
}

impl RoomServer {
    pub(crate) fn start() -> RoomServer {
        RoomServer::start_with(&[])
    }

    /// Starts the program with more arguments.
    pub(crate) fn start_with(arguments: &[&str]) -> RoomServer {
        let mut server = RoomServer {
            folder: TempDir::new().unwrap(),
            port: "0".to_owned(),
            arguments: Vec::new(),
            server: None,
        };
        server.arguments = arguments.iter().map(|it| (*it).to_owned()).collect();
        server.launch(&[]);
        server.remember_port();
        server
    }

    /// Has another program become the server, such as `env` with arguments.
    pub(crate) fn start_by(starter: &[&str]) -> RoomServer {
        let mut server = RoomServer {
            folder: TempDir::new().unwrap(),
            port: "0".to_owned(),
            arguments: Vec::new(),
            server: None,
        };
        server.launch(starter);
        server.remember_port();
        server
    }

    /// Has the server start at the same port again.
    fn remember_port(&mut self) {
        let address = self.get().address.clone();
        self.port = address.rsplit(':').next().unwrap().to_owned();
    }

    /// Starts the program with a copy of this database.
    pub(crate) fn start_from(database: &Path) -> RoomServer {
        let mut server = RoomServer {
            folder: TempDir::new().unwrap(),
            port: "0".to_owned(),
            arguments: Vec::new(),
            server: None,
        };
        std::fs::copy(database, server.database()).unwrap();
        server.launch(&[]);
        server
    }

    /// The file of the database.
    pub(crate) fn database(&self) -> PathBuf {
        self.folder.path().join("club.redb")
    }

    fn launch(&mut self, starter: &[&str]) {
        let database = self.database();
        let database = database.to_str().unwrap();
        let mut all = vec!["--database", database];
        all.extend(self.arguments.iter().map(|it| &**it));
        self.server = Some(BoardServer::start_by(starter, &self.port, &all));
    }

    pub(crate) fn get(&self) -> &BoardServer {
        self.server.as_ref().unwrap()
    }

    /// Kills the program (-9) and starts it again at the same address, as it was started.
    pub(crate) fn kill_and_start(&mut self) {
        drop(self.server.take());
        self.launch(&[]);
    }

    pub(crate) fn visitor(&self, key: u128) -> Visitor {
        Visitor::greeted(self.get(), key)
    }
}

pub(crate) struct Visitor {
    pub(crate) client: Client,
    pub(crate) welcome: Value,
}

impl Visitor {
    /// A visitor with this key who has heard the welcome.
    pub(crate) fn greeted(server: &BoardServer, key: u128) -> Visitor {
        let mut client = Client::at(server, "rooms/socket");
        client.send(&json!({ "type": "hello", "version": 1, "key": format!("{key:032x}") }));
        let welcome = client.until(|message| message["type"] == "welcome");
        Visitor { client, welcome }
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.client.send(message);
    }

    /// The next message of a type.
    pub(crate) fn next(&mut self, kind: &str) -> Value {
        self.client.until(|message| message["type"] == kind)
    }

    /// The whole lobby, as soon as it is found to be as it should.
    pub(crate) fn lobby(&mut self, found: impl Fn(&Value) -> bool) -> Value {
        loop {
            self.send(&json!({ "type": "leave" }));
            let lobby = self.next("lobby");
            if found(&lobby) {
                return lobby;
            }
        }
    }

    /// The code of the next error.
    pub(crate) fn error(&mut self) -> String {
        self.next("error")["code"].as_str().unwrap().to_owned()
    }

    /// The next state of the room with so many stones.
    pub(crate) fn stones(&mut self, count: usize) -> Value {
        let has = |message: &Value| {
            message["stones"]
                .as_array()
                .is_some_and(|stones| stones.len() == count)
        };
        self.client
            .until(|message| message["type"] == "room" && has(message))
    }

    /// Opens a room and returns its number.
    pub(crate) fn create(&mut self, more: &Value) -> String {
        let mut message = json!({
            "type": "create", "seat": "first",
            "setup": {
                "rule": "freestyle", "size": "15", "opening": "free", "rated": false,
                "clock": { "kind": "sudden_death", "main_ms": 60_000 },
            },
        });
        for (key, value) in more.as_object().unwrap() {
            match message["setup"].get_mut(key) {
                Some(setup) => *setup = value.clone(),
                None => message[key] = value.clone(),
            }
        }
        self.send(&message);
        self.next("room")["room"].as_str().unwrap().to_owned()
    }

    /// Takes a name.
    pub(crate) fn rename(&mut self, name: &str) {
        self.send(&json!({ "type": "rename", "name": name }));
        self.next("name");
    }

    pub(crate) fn enter(&mut self, room: &str) -> Value {
        self.send(&json!({ "type": "enter", "room": room }));
        self.next("room")
    }

    pub(crate) fn sit(&mut self) {
        self.send(&json!({ "type": "sit" }));
        self.client
            .until(|message| message["type"] == "seat" && !message["seat"].is_null());
    }

    pub(crate) fn play(&mut self, point: &str, ply: usize) {
        self.send(&json!({ "type": "play", "point": point, "ply": ply }));
    }
}

/// Two people in a room, where the first has sat down on the first seat. They have names if the game
/// is to be rated.
pub(crate) fn pair(server: &RoomServer, more: &Value) -> (Visitor, Visitor, String) {
    let (mut anna, mut bela) = (server.visitor(1), server.visitor(2));
    if more["rated"] == true {
        anna.rename("Anna");
        bela.rename("Bela");
    }
    let room = anna.create(more);
    bela.enter(&room);
    bela.sit();
    (anna, bela, room)
}

/// What the players of a game by sudden death have used of their time.
pub(crate) fn time_used(room: &Value, main: Duration) -> [Duration; 2] {
    [0, 1].map(|seat: usize| {
        let left = room["clock"][seat]["main"].as_u64().unwrap();
        main.saturating_sub(Duration::from_millis(left))
    })
}

/// How far the clocks are from what was used of the main time.
pub(crate) fn clock_error(room: &Value, main: Duration, used: [Duration; 2]) -> Duration {
    let [first, second] = time_used(room, main);
    first.abs_diff(used[0]).max(second.abs_diff(used[1]))
}
