//! What a guest does in rooms: it opens a room and waits for an opponent, plays there and in
//! tournaments, and begins anew.

use super::engine::{Done, Job, Task};
use super::time::time;
use anyhow::Result;
use quincunx_arena::Variant;
use quincunx_board::ChoiceName;
use quincunx_engine::game::swap::Choice;
use quincunx_engine::rules::{Color, Point};
use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

/// How long to wait after a refusal that names no time.
const PATIENCE: Duration = Duration::from_secs(60);

/// The server does not let the guest in.
#[derive(Debug, thiserror::Error)]
#[error("the server does not let the engine in: {0}")]
pub(super) struct Unwelcome(String);

/// What the guest does in the room that it is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Doing {
    /// It waits in a room of its own for an opponent.
    Offers,
    /// It has come to a game of a tournament, and its opponent has not.
    Waits,
    /// It plays.
    Plays,
}

pub(super) struct Table {
    /// What is offered.
    setup: Value,
    /// The ratings of opponents whose challenges are accepted.
    ratings: RangeInclusive<i64>,
    /// The time of a move that is kept for the way.
    reserve: Duration,
    /// The seats of the guest, by rooms.
    seats: HashMap<String, String>,
    /// The room that the guest is in.
    room: Option<(String, Doing)>,
    /// The rooms of other games that wait until this one is over.
    due: VecDeque<String>,
    /// The rooms of games of tournaments where the guest has been and its opponent has not: no
    /// clock runs there.
    unbegun: Vec<String>,
    /// What the engine was asked for last.
    asked: Option<((String, u64), usize, Task)>,
    /// The game of the stones that were sent last, and how many it has with them.
    sent: Option<((String, u64), usize)>,
    job: Option<Job>,
    letters: Vec<Value>,
    news: Vec<String>,
    games: u32,
    /// When a room may be opened again.
    opens_at: Option<Instant>,
}

impl Table {
    pub(super) fn new(setup: Value, ratings: RangeInclusive<i64>, reserve: Duration) -> Table {
        Table {
            setup,
            ratings,
            reserve,
            seats: HashMap::new(),
            room: None,
            due: VecDeque::new(),
            unbegun: Vec::new(),
            asked: None,
            sent: None,
            job: None,
            letters: Vec::new(),
            news: Vec::new(),
            games: 0,
            opens_at: None,
        }
    }

    /// A connection begins.
    pub(super) fn arrive(&mut self, tournament: Option<&str>) {
        self.room = None;
        self.due.clear();
        self.unbegun.clear();
        (self.asked, self.sent) = (None, None);
        self.letters.clear();
        if let Some(tournament) = tournament {
            self.letters.extend([
                json!({ "type": "open_tournament", "tournament": tournament }),
                json!({ "type": "join_tournament" }),
            ]);
        }
    }

    /// How many games are over.
    pub(super) fn games(&self) -> u32 {
        self.games
    }

    /// What is to be said to the server.
    pub(super) fn letters(&mut self) -> Vec<Value> {
        if self.opens_at.is_some_and(|at| Instant::now() >= at) && self.room.is_none() {
            self.opens_at = None;
            self.letters
                .push(json!({ "type": "create", "setup": self.setup }));
        }
        std::mem::take(&mut self.letters)
    }

    /// The messages for the user who started the guest.
    pub(super) fn news(&mut self) -> Vec<String> {
        std::mem::take(&mut self.news)
    }

    /// What the engine is to do.
    pub(super) fn job(&mut self) -> Option<Job> {
        self.job.take()
    }

    /// Whether the guest is in the game that the engine was asked about last.
    pub(super) fn awaits_engine(&self) -> bool {
        (self.asked.as_ref()).is_some_and(|((room, _), ..)| self.is_in(room))
    }

    /// Follows what the server says.
    pub(super) fn hear(&mut self, message: &Value) -> Result<()> {
        let text = |field: &str| message[field].as_str().unwrap_or_default().to_owned();
        match message["type"].as_str().unwrap_or_default() {
            "welcome" => self.welcome(message),
            "seat" => {
                if let Some(seat) = message["seat"].as_str() {
                    self.sit(text("room"), seat);
                }
            }
            "room" => self.see(message),
            "round" => self.go_to(text("room")),
            "your_room" => {
                let is_turn = message["actor"].is_string() && message["actor"] == message["seat"];
                if is_turn {
                    self.go_to(text("room"));
                } else if message["stage"] == "over" {
                    self.strike(&text("room"));
                }
            }
            "challenge" => self.hear_challenge(message),
            "closed" => self.forget(&text("room")),
            "error" => {
                self.hear_error(&text("code"), &text("text"), message["retry_s"].as_u64())?
            }
            _ => {}
        }
        Ok(())
    }

    /// The guest has a seat, as in the room that it has opened.
    fn sit(&mut self, room: String, seat: &str) {
        self.seats.insert(room.clone(), seat.to_owned());
        if self.room.is_none() {
            self.news.push(format!("waits in room {room}"));
            self.room = Some((room, Doing::Offers));
        }
    }

    /// Accepts a challenge to what the guest offers itself, from an opponent whose rating is
    /// wanted, and declines any other.
    fn hear_challenge(&mut self, message: &Value) {
        let room = message["room"].as_str().unwrap_or_default().to_owned();
        let seats = message["seats"].as_array().into_iter().flatten();
        let mut ratings = seats.filter_map(|seat| seat["rating"].as_i64());
        let is_wanted = ratings.all(|rating| self.ratings.contains(&rating));
        let is_free = matches!(self.room, None | Some((_, Doing::Offers)));
        if is_free && is_wanted && message["setup"] == self.setup {
            if self.room.take().is_some() {
                self.letters.push(json!({ "type": "close" }));
            }
            self.opens_at = None;
            self.letters
                .push(json!({ "type": "enter", "room": room, "sit": true }));
        } else {
            self.letters
                .push(json!({ "type": "decline", "room": room }));
        }
    }

    /// A room is gone.
    fn forget(&mut self, room: &str) {
        self.seats.remove(room);
        self.strike(room);
        if self.is_in(room) {
            self.room = None;
            self.go_on();
        }
    }

    fn hear_error(&mut self, code: &str, text: &str, retry_s: Option<u64>) -> Result<()> {
        log::info!("refused: {code} {text}");
        match code {
            "banned" | "key" | "old_key" | "version" | "rule" | "clock" | "opening" | "message" => {
                return Err(Unwelcome(text.to_owned()).into());
            }
            // The board has changed, and is shown again.
            "stale" | "over" | "not_your_turn" => {}
            _ if self.room.is_none() => {
                self.open_soon(retry_s.map_or(PATIENCE, Duration::from_secs));
            }
            _ => {}
        }
        Ok(())
    }

    fn welcome(&mut self, message: &Value) {
        let rooms = message["rooms"].as_array().map(Vec::as_slice);
        let rooms = rooms.unwrap_or_default();
        for room in rooms {
            let name = |field: &str| room[field].as_str().unwrap_or_default().to_owned();
            self.seats.insert(name("room"), name("seat"));
        }
        let of_stage = |stage: &str| {
            let rooms = rooms.iter().filter(|room| room["stage"] == stage);
            let numbers = rooms.filter_map(|room| room["room"].as_str());
            numbers.map(str::to_owned).collect::<VecDeque<String>>()
        };
        self.due = of_stage("playing");
        if self.due.is_empty() {
            self.due = of_stage("waiting");
            self.due.truncate(1);
        }
        self.go_on();
    }

    fn is_in(&self, room: &str) -> bool {
        self.room.as_ref().is_some_and(|(own, _)| own == room)
    }

    fn is_playing(&self) -> bool {
        matches!(self.room, Some((_, Doing::Plays)))
    }

    /// A room where the guest need not go any more.
    fn strike(&mut self, room: &str) {
        self.due.retain(|it| it != room);
        self.unbegun.retain(|it| it != room);
    }

    /// Goes to the room of another game of the guest, when the one under way is over.
    fn go_to(&mut self, room: String) {
        if self.is_in(&room) || self.due.contains(&room) {
            return;
        }
        self.due.push_back(room);
        if !self.is_playing() {
            self.go_on();
        }
    }

    /// Goes to the game that has waited longest, or to one where its opponent may come yet, or
    /// opens a room.
    fn go_on(&mut self) {
        match self.due.pop_front().or_else(|| self.unbegun.pop()) {
            Some(room) => self.enter(room),
            None => self.open_soon(Duration::ZERO),
        }
    }

    fn open_soon(&mut self, wait: Duration) {
        self.opens_at = Some(Instant::now() + wait);
    }

    /// Goes to another room. The own one is not left open meanwhile.
    fn enter(&mut self, room: String) {
        match self.room.take() {
            Some((_, Doing::Offers)) => self.letters.push(json!({ "type": "close" })),
            Some((unbegun, Doing::Waits)) => self.unbegun.push(unbegun),
            Some((_, Doing::Plays)) | None => (),
        }
        self.strike(&room);
        self.opens_at = None;
        self.letters.push(json!({ "type": "enter", "room": room }));
        self.room = Some((room, Doing::Plays));
    }

    /// Sees how its room stands.
    fn see(&mut self, view: &Value) {
        let room = view["room"].as_str().unwrap_or_default().to_owned();
        if self.is_playing() && !self.is_in(&room) {
            return;
        }
        let stage = view["stage"].as_str().unwrap_or_default();
        // Where it has no seat the game is over, and the guest is about to leave.
        let Some(seat) = self.seats.get(&room).cloned() else {
            return;
        };
        let doing = match stage {
            "playing" if view["awaits"] == true => Doing::Waits,
            "playing" => Doing::Plays,
            _ => Doing::Offers,
        };
        self.room = Some((room.clone(), doing));
        if doing == Doing::Waits && !self.due.is_empty() {
            self.go_on();
            return;
        }
        if stage == "over" {
            self.seats.remove(&room);
            self.end(view, &seat);
        } else if view["undo_wish"].is_string() && view["undo_wish"] != *seat {
            self.letters.push(json!({ "type": "decline_undo" }));
        }
        if view["actor"] == *seat && view["runs"] == true {
            self.ask(view, room, &seat);
        }
    }

    fn end(&mut self, view: &Value, seat: &str) {
        let outcome = &view["outcome"];
        let result = match outcome["winner"].as_str() {
            None => "drew or ended",
            Some(winner) if winner == seat => "won",
            Some(_) => "lost",
        };
        let reason = outcome["reason"].as_str().unwrap_or_default();
        self.news.push(format!("{result} ({reason})"));
        self.games += 1;
        self.room = None;
        self.letters.push(json!({ "type": "leave" }));
        self.go_on();
    }

    /// Has the engine asked, once for every turn.
    fn ask(&mut self, view: &Value, room: String, seat: &str) {
        let Some(job) = self.turn(view, room, seat) else {
            log::error!("a room that makes no sense: {view}");
            return;
        };
        // An answer in an opening may be a choice and several stones, which come one by one.
        let sent = self.sent.as_ref().filter(|(game, _)| *game == job.game);
        let are_to_come = sent.is_some_and(|(_, stones)| job.stones.len() < *stones);
        let asked = (job.game.clone(), job.stones.len(), job.task.clone());
        if !are_to_come && self.asked.as_ref() != Some(&asked) {
            self.asked = Some(asked);
            self.job = Some(job);
        }
    }

    fn turn(&self, view: &Value, room: String, seat: &str) -> Option<Job> {
        let setup = &view["setup"];
        let stone = |stone: &Value| {
            let color = match stone["color"].as_str()? {
                "black" => Color::Black,
                _ => Color::White,
            };
            Some((color, stone["point"].as_str()?.parse::<Point>().ok()?))
        };
        let stones = view["stones"]
            .as_array()?
            .iter()
            .map(stone)
            .collect::<Option<_>>()?;
        let task = match view["phase"]["kind"].as_str()? {
            "place" => Task::Open(Vec::new()),
            "choose" => {
                let names: Vec<ChoiceName> =
                    serde_json::from_value(view["phase"]["options"].clone()).ok()?;
                Task::Open(names.into_iter().map(Choice::from).collect())
            }
            _ if view["black"] == *seat => Task::Move(Color::Black),
            _ => Task::Move(Color::White),
        };
        let own = usize::from(seat == "second");
        Some(Job {
            game: (room, view["games"].as_u64()?),
            variant: Variant {
                rule: setup["rule"].as_str()?.parse().ok()?,
                size: setup["size"].as_str()?.parse().ok()?,
            },
            opening: setup["opening"].as_str()?.parse().ok()?,
            stones,
            task,
            time: time(&setup["clock"], &view["clock"][own], self.reserve)?,
        })
    }

    /// Does what the engine has answered, while the guest is in the room. The server refuses what
    /// comes too late there.
    pub(super) fn hear_engine(&mut self, done: Done) {
        let Done { job, did } = done;
        let is_wanted = self.asked.as_ref().is_some_and(|(game, stones, task)| {
            *game == job.game && *stones == job.stones.len() && *task == job.task
        });
        if !is_wanted || !self.is_in(&job.game.0) {
            return;
        }
        let Some((choice, points)) = did else {
            self.letters.push(json!({ "type": "resign" }));
            return;
        };
        let ply = job.stones.len();
        self.sent = Some((job.game, ply + points.len()));
        if let Some(choice) = choice {
            let choice = ChoiceName::from(choice);
            self.letters
                .push(json!({ "type": "choose", "choice": choice, "ply": ply }));
        }
        for (ply, point) in (ply..).zip(points) {
            let point = point.to_string();
            self.letters
                .push(json!({ "type": "play", "point": point, "ply": ply }));
        }
    }
}

#[cfg(test)]
mod tests;
