//! The state of a guest in the rooms of a server, without a connection. It opens a room, waits
//! there for an opponent, plays, and opens the next. It also plays in tournaments.

use super::engine::{Done, Job, Task};
use super::time::time;
use anyhow::Result;
use quincunx_arena::Variant;
use quincunx_engine::rules::{Color, Point};
use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

/// How long to wait after a refusal that names no time.
const PATIENCE: Duration = Duration::from_secs(60);

/// The server does not admit the guest.
#[derive(Debug, thiserror::Error)]
#[error("the server does not let the engine in: {0}")]
pub(crate) struct Unwelcome(String);

/// The activity of the guest in its room.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Activity {
    /// It waits for an opponent in a room that it has opened.
    Offers,
    /// It has come to a tournament game to which its opponent has not.
    Waits,
    /// It plays a game.
    Plays,
}

/// The state of a guest: messages of the server and answers of the engine go in, messages to the
/// server and turns for the engine come out.
pub(crate) struct GuestState {
    /// The games that the guest offers.
    setup: Value,
    /// The ratings of opponents whose challenges are accepted.
    ratings: RangeInclusive<i64>,
    /// The time of a move that is kept in reserve for the connection.
    reserve: Duration,
    /// The seats of the guest, by room.
    seats: HashMap<String, String>,
    /// The room that the guest is in, if it is in one.
    room: Option<(String, Activity)>,
    /// The rooms of games that wait until the current one is over.
    due: VecDeque<String>,
    /// The rooms of tournament games where the guest has been and its opponent has not. No clock
    /// runs there.
    unbegun: Vec<String>,
    /// The last turn that the engine was given.
    asked: Option<((String, u64), usize, Task)>,
    /// The game of the stones that were sent last, and how many it has with them.
    sent: Option<((String, u64), usize)>,
    job: Option<Job>,
    /// The tournament to take part in, once the server has confirmed the account.
    tournament: Option<String>,
    to_send: Vec<Value>,
    reports: Vec<String>,
    games: u32,
    /// When a room may be opened again.
    opens_at: Option<Instant>,
}

impl GuestState {
    pub(crate) fn new(setup: Value, ratings: RangeInclusive<i64>, reserve: Duration) -> Self {
        GuestState {
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
            tournament: None,
            to_send: Vec::new(),
            reports: Vec::new(),
            games: 0,
            opens_at: None,
        }
    }

    /// Begins a connection.
    pub(crate) fn arrive(&mut self, tournament: Option<&str>) {
        self.room = None;
        self.due.clear();
        self.unbegun.clear();
        (self.asked, self.sent) = (None, None);
        self.to_send.clear();
        self.tournament = tournament.map(str::to_owned);
    }

    /// The number of finished games.
    pub(crate) fn games(&self) -> u32 {
        self.games
    }

    /// The messages to send to the server.
    pub(crate) fn outgoing(&mut self) -> Vec<Value> {
        if self.opens_at.is_some_and(|at| Instant::now() >= at) && self.room.is_none() {
            self.opens_at = None;
            self.to_send
                .push(json!({ "type": "create", "setup": self.setup }));
        }
        std::mem::take(&mut self.to_send)
    }

    /// The messages for the user.
    pub(crate) fn reports(&mut self) -> Vec<String> {
        std::mem::take(&mut self.reports)
    }

    /// The next turn for the engine.
    pub(crate) fn job(&mut self) -> Option<Job> {
        self.job.take()
    }

    /// Whether the guest is in the game that the engine was asked about last.
    pub(crate) fn awaits_engine(&self) -> bool {
        (self.asked.as_ref()).is_some_and(|((room, _), ..)| self.is_in(room))
    }

    /// Handles a message of the server.
    pub(crate) fn receive(&mut self, message: &Value) -> Result<()> {
        let text = |field: &str| message[field].as_str().unwrap_or_default().to_owned();
        match message["type"].as_str().unwrap_or_default() {
            "welcome" => self.welcome(message)?,
            "seat" => {
                if let Some(seat) = message["seat"].as_str() {
                    self.sit(text("room"), seat);
                }
            }
            "room" => self.update_room(message),
            "round" => self.go_to(text("room")),
            "your_room" => {
                let is_turn = message["actor"].is_string() && message["actor"] == message["seat"];
                if is_turn {
                    self.go_to(text("room"));
                } else if message["stage"] == "over" {
                    self.remove_due(&text("room"));
                }
            }
            "challenge" => self.receive_challenge(message),
            "closed" => self.close_room(&text("room")),
            "error" => {
                self.receive_error(&text("code"), &text("text"), message["retry_s"].as_u64())?
            }
            _ => {}
        }
        Ok(())
    }

    /// The guest has a seat, for instance in the room that it has opened.
    fn sit(&mut self, room: String, seat: &str) {
        self.seats.insert(room.clone(), seat.to_owned());
        if self.room.is_none() {
            self.reports.push(format!("waits in room {room}"));
            self.room = Some((room, Activity::Offers));
        }
    }

    /// Whether a game is one that the guest offers. An unrated game is one also where it offers
    /// rated ones: opponents without a name play no others.
    fn offers(&self, setup: &Value) -> bool {
        let mut unrated = self.setup.clone();
        unrated["rated"] = json!(false);
        *setup == self.setup || *setup == unrated
    }

    /// Accepts a challenge to a game that the guest offers, by an opponent with an accepted rating,
    /// and declines any other.
    fn receive_challenge(&mut self, message: &Value) {
        let room = message["room"].as_str().unwrap_or_default().to_owned();
        let seats = message["seats"].as_array().into_iter().flatten();
        let mut ratings = seats.filter_map(|seat| seat["rating"].as_i64());
        let is_wanted = ratings.all(|rating| self.ratings.contains(&rating));
        let is_free = matches!(self.room, None | Some((_, Activity::Offers)));
        if is_free && is_wanted && self.offers(&message["setup"]) {
            if self.room.take().is_some() {
                self.to_send.push(json!({ "type": "close" }));
            }
            self.opens_at = None;
            self.to_send
                .push(json!({ "type": "enter", "room": room, "sit": true }));
        } else {
            self.to_send
                .push(json!({ "type": "decline", "room": room }));
        }
    }

    /// A room was closed.
    fn close_room(&mut self, room: &str) {
        self.seats.remove(room);
        self.remove_due(room);
        if self.is_in(room) {
            self.room = None;
            self.next_game();
        }
    }

    fn receive_error(&mut self, code: &str, text: &str, retry_s: Option<u64>) -> Result<()> {
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

    fn welcome(&mut self, message: &Value) -> Result<()> {
        if message["account"] != "engine" {
            let name = message["name"].as_str().unwrap_or_default();
            return Err(Unwelcome(format!(
                "the token is that of {name}, a person, or has a typing error: take the one that \
                 was shown with the engine's account"
            ))
            .into());
        }
        if let Some(tournament) = self.tournament.take() {
            self.to_send.extend([
                json!({ "type": "open_tournament", "tournament": tournament }),
                json!({ "type": "join_tournament" }),
            ]);
        }
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
        self.next_game();
        Ok(())
    }

    fn is_in(&self, room: &str) -> bool {
        self.room.as_ref().is_some_and(|(own, _)| own == room)
    }

    fn is_playing(&self) -> bool {
        matches!(self.room, Some((_, Activity::Plays)))
    }

    /// The guest need not go to this room any more.
    fn remove_due(&mut self, room: &str) {
        self.due.retain(|it| it != room);
        self.unbegun.retain(|it| it != room);
    }

    /// Goes to the room of another game of the guest, once the current game is over.
    fn go_to(&mut self, room: String) {
        if self.is_in(&room) || self.due.contains(&room) {
            return;
        }
        self.due.push_back(room);
        if !self.is_playing() {
            self.next_game();
        }
    }

    /// Goes to the game that has waited longest, or to one whose opponent may still come, or opens
    /// a room.
    fn next_game(&mut self) {
        match self.due.pop_front().or_else(|| self.unbegun.pop()) {
            Some(room) => self.enter(room),
            None => self.open_soon(Duration::ZERO),
        }
    }

    fn open_soon(&mut self, wait: Duration) {
        self.opens_at = Some(Instant::now() + wait);
    }

    /// Goes to another room. A room that the guest has opened is closed.
    fn enter(&mut self, room: String) {
        match self.room.take() {
            Some((_, Activity::Offers)) => self.to_send.push(json!({ "type": "close" })),
            Some((unbegun, Activity::Waits)) => self.unbegun.push(unbegun),
            Some((_, Activity::Plays)) | None => (),
        }
        self.remove_due(&room);
        self.opens_at = None;
        self.to_send.push(json!({ "type": "enter", "room": room }));
        self.room = Some((room, Activity::Plays));
    }

    /// Handles the state of the guest's room.
    fn update_room(&mut self, view: &Value) {
        let room = view["room"].as_str().unwrap_or_default().to_owned();
        if self.is_playing() && !self.is_in(&room) {
            return;
        }
        let stage = view["stage"].as_str().unwrap_or_default();
        // Without a seat the game is over, and the guest is about to leave.
        let Some(seat) = self.seats.get(&room).cloned() else {
            return;
        };
        let activity = match stage {
            "playing" if view["awaits"] == true => Activity::Waits,
            "playing" => Activity::Plays,
            _ => Activity::Offers,
        };
        self.room = Some((room.clone(), activity));
        if activity == Activity::Waits && !self.due.is_empty() {
            self.next_game();
            return;
        }
        if stage == "over" {
            self.seats.remove(&room);
            self.end(view, &seat);
        } else if view["undo_wish"].is_string() && view["undo_wish"] != *seat {
            self.to_send.push(json!({ "type": "decline_undo" }));
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
        self.reports.push(format!("{result} ({reason})"));
        self.games += 1;
        self.room = None;
        self.to_send.push(json!({ "type": "leave" }));
        self.next_game();
    }

    /// Gives the engine its turn, once for every turn.
    fn ask(&mut self, view: &Value, room: String, seat: &str) {
        let Some(job) = self.turn(view, room, seat) else {
            log::error!("an invalid room: {view}");
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
        let allowed = || serde_json::from_value(view["allowed"].clone()).ok();
        let task = match view["phase"]["kind"].as_str()? {
            "place" | "pick" => Task::Place(allowed()?),
            "offer" => Task::Offer(allowed()?),
            "choose" => {
                Task::Choose(serde_json::from_value(view["phase"]["options"].clone()).ok()?)
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

    /// Handles the answer of the engine, if the guest is still in the room. The server refuses
    /// answers that come too late.
    pub(crate) fn receive_answer(&mut self, done: Done) {
        let Done { job, did } = done;
        let is_wanted = self.asked.as_ref().is_some_and(|(game, stones, task)| {
            *game == job.game && *stones == job.stones.len() && *task == job.task
        });
        if !is_wanted || !self.is_in(&job.game.0) {
            return;
        }
        let Some((choice, points)) = did else {
            self.to_send.push(json!({ "type": "resign" }));
            return;
        };
        let ply = job.stones.len();
        // A stone that is offered is not on the board.
        let placed = match job.task {
            Task::Offer(_) => 0,
            _ => points.len(),
        };
        self.sent = Some((job.game, ply + placed));
        if let Some(choice) = choice {
            self.to_send
                .push(json!({ "type": "choose", "choice": choice, "ply": ply }));
        }
        for (ply, point) in (ply..).zip(points) {
            let point = point.to_string();
            self.to_send
                .push(json!({ "type": "play", "point": point, "ply": ply }));
        }
    }
}

#[cfg(test)]
mod tests;
