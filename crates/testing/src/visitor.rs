//! A visitor of the rooms: a client that has said hello with a key.

use crate::client::Client;
use crate::server::BoardServer;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// A server with rooms, which are kept in a file.
pub struct RoomServer {
    folder: TempDir,
    port: String,
    arguments: Vec<String>,
    server: Option<BoardServer>,
}

impl RoomServer {
    /// Starts the program without further arguments.
    pub fn start() -> RoomServer {
        RoomServer::start_with(&[])
    }

    /// Starts the program with more arguments.
    pub fn start_with(arguments: &[&str]) -> RoomServer {
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

    /// Starts the program through another, such as `env` with arguments.
    pub fn start_by(starter: &[&str]) -> RoomServer {
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

    /// Makes later starts use the same port.
    fn remember_port(&mut self) {
        let address = self.get().address.clone();
        self.port = address.rsplit(':').next().unwrap().to_owned();
    }

    /// Starts the program with a copy of this database.
    pub fn start_from(database: &Path) -> RoomServer {
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
    pub fn database(&self) -> PathBuf {
        self.folder.path().join("club.db")
    }

    fn launch(&mut self, starter: &[&str]) {
        let database = self.database();
        let database = database.to_str().unwrap();
        let mut all = vec!["--database", database];
        all.extend(self.arguments.iter().map(|it| &**it));
        self.server = Some(BoardServer::start_by(starter, &self.port, &all));
    }

    /// The running server.
    pub fn get(&self) -> &BoardServer {
        self.server.as_ref().unwrap()
    }

    /// Kills the program (-9) and starts it again at the same address, as it was started.
    pub fn kill_and_start(&mut self) {
        drop(self.server.take());
        self.launch(&[]);
    }

    /// Connects a visitor with this key.
    pub fn visitor(&self, key: u128) -> Visitor {
        Visitor::greeted(self.get(), key)
    }
}

/// A connected visitor of the rooms.
pub struct Visitor {
    /// The connection.
    pub client: Client,
    /// The message that welcomed the visitor.
    pub welcome: Value,
}

impl Visitor {
    /// Connects a visitor with this key, who receives the welcome.
    pub fn greeted(server: &BoardServer, key: u128) -> Visitor {
        let mut client = Client::at(server, "rooms/socket");
        client.send(&json!({ "type": "hello", "version": 1, "key": format!("{key:032x}") }));
        let welcome = client.until(|message| message["type"] == "welcome");
        Visitor { client, welcome }
    }

    /// Sends a message.
    pub fn send(&mut self, message: &Value) {
        self.client.send(message);
    }

    /// The next message of a type.
    pub fn next(&mut self, kind: &str) -> Value {
        self.client.until(|message| message["type"] == kind)
    }

    /// The whole lobby, as soon as it is found to be as it should.
    pub fn lobby(&mut self, found: impl Fn(&Value) -> bool) -> Value {
        loop {
            self.send(&json!({ "type": "leave" }));
            let lobby = self.next("lobby");
            if found(&lobby) {
                return lobby;
            }
        }
    }

    /// The code of the next error.
    pub fn error(&mut self) -> String {
        self.next("error")["code"].as_str().unwrap().to_owned()
    }

    /// The next state of the room with so many stones.
    pub fn stones(&mut self, count: usize) -> Value {
        let has = |message: &Value| {
            message["stones"]
                .as_array()
                .is_some_and(|stones| stones.len() == count)
        };
        self.client
            .until(|message| message["type"] == "room" && has(message))
    }

    /// Opens a room and returns its number.
    pub fn create(&mut self, more: &Value) -> String {
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
    pub fn rename(&mut self, name: &str) {
        self.send(&json!({ "type": "rename", "name": name }));
        self.next("name");
    }

    /// Enters a room. Returns its first state.
    pub fn enter(&mut self, room: &str) -> Value {
        self.send(&json!({ "type": "enter", "room": room }));
        self.next("room")
    }

    /// Takes the free seat.
    pub fn sit(&mut self) {
        self.send(&json!({ "type": "sit" }));
        self.client
            .until(|message| message["type"] == "seat" && !message["seat"].is_null());
    }

    /// Plays a point as the move of this ply.
    pub fn play(&mut self, point: &str, ply: usize) {
        self.send(&json!({ "type": "play", "point": point, "ply": ply }));
    }
}

/// Two people in a room, where the first has sat down on the first seat. They have names if the game
/// is to be rated.
pub fn pair(server: &RoomServer, more: &Value) -> (Visitor, Visitor, String) {
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

/// Has the first of two players resign, and both begin another game.
pub fn resign_and_rematch(players: [&mut Visitor; 2]) {
    let [resigns, other] = players;
    resigns.send(&json!({ "type": "resign" }));
    for visitor in [&mut *resigns, &mut *other] {
        visitor.client.until(|it| it["stage"] == "over");
        visitor.send(&json!({ "type": "rematch" }));
    }
    for visitor in [resigns, other] {
        visitor.client.until(|it| it["stage"] == "playing");
    }
}

/// The time that the players of a game by sudden death have used.
pub fn time_used(room: &Value, main: Duration) -> [Duration; 2] {
    [0, 1].map(|seat: usize| {
        let left = room["clock"][seat]["main"].as_u64().unwrap();
        main.saturating_sub(Duration::from_millis(left))
    })
}

/// The larger difference of the clocks from the time that was used.
pub fn clock_error(room: &Value, main: Duration, used: [Duration; 2]) -> Duration {
    let [first, second] = time_used(room, main);
    first.abs_diff(used[0]).max(second.abs_diff(used[1]))
}
