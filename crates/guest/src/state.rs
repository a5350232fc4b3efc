//! The state of a guest in the rooms of a server, without a connection. It opens a room, waits
//! there for an opponent, plays, and opens the next. It also plays in tournaments.

use super::engine::{Done, Job, Task};
use super::time::time;
use anyhow::Result;
use quincunx_arena::Variant;
use quincunx_board::Phase;
use quincunx_club::rooms::{
    Account, Action, ClubMessage, ClubRequest, ClubWelcome, NewRoom, RoomId, RoomSetup,
    RoomSummary, RoomView, Stage, TournamentMessage, VisitorMessage,
};
use quincunx_engine::game::swap::Seat;
use quincunx_engine::rules::Color;
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
    setup: RoomSetup,
    /// The ratings of opponents whose challenges are accepted.
    ratings: RangeInclusive<i64>,
    /// The time of a move that is kept in reserve for the connection.
    reserve: Duration,
    /// The seats of the guest, by room.
    seats: HashMap<RoomId, Seat>,
    /// The room that the guest is in, if it is in one.
    room: Option<(RoomId, Activity)>,
    /// The rooms of games that wait until the current one is over.
    due: VecDeque<RoomId>,
    /// The rooms of tournament games where the guest has been and its opponent has not. No clock
    /// runs there.
    unbegun: Vec<RoomId>,
    /// The last turn that the engine was given.
    asked: Option<((RoomId, u32), usize, Task)>,
    /// The game of the stones that were sent last, and how many it has with them.
    sent: Option<((RoomId, u32), usize)>,
    job: Option<Job>,
    /// The tournament to take part in, once the server has confirmed the account.
    tournament: Option<String>,
    to_send: Vec<VisitorMessage>,
    reports: Vec<String>,
    games: u32,
    /// When a room may be opened again.
    opens_at: Option<Instant>,
}

impl GuestState {
    pub(crate) fn new(setup: RoomSetup, ratings: RangeInclusive<i64>, reserve: Duration) -> Self {
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
    pub(crate) fn outgoing(&mut self) -> Vec<VisitorMessage> {
        if self.opens_at.is_some_and(|at| Instant::now() >= at) && self.room.is_none() {
            self.opens_at = None;
            self.request(ClubRequest::Create(NewRoom::of(self.setup)));
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
        (self.asked.as_ref()).is_some_and(|((room, _), ..)| self.is_in(*room))
    }

    /// Handles a message of the server.
    pub(crate) fn receive(&mut self, message: ClubMessage) -> Result<()> {
        match message {
            ClubMessage::Welcome(welcome) => self.welcome(&welcome)?,
            ClubMessage::Seat {
                room,
                seat: Some(seat),
            } => self.sit(room, seat),
            ClubMessage::Room(view) => self.update_room(&view),
            ClubMessage::Round { room, .. } => self.go_to(room),
            ClubMessage::YourRoom(own) => {
                if own.state.actor == Some(own.seat) {
                    self.go_to(own.state.room);
                } else if own.state.stage == Stage::Over {
                    self.remove_due(own.state.room);
                }
            }
            ClubMessage::Challenge(challenge) => self.receive_challenge(&challenge),
            ClubMessage::Closed { room } => self.close_room(room),
            ClubMessage::Error {
                code,
                text,
                retry_s,
            } => self.receive_error(&code, text, retry_s)?,
            _ => {}
        }
        Ok(())
    }

    fn request(&mut self, request: ClubRequest) {
        self.to_send.push(VisitorMessage::Club(request));
    }

    /// The guest has a seat, for instance in the room that it has opened.
    fn sit(&mut self, room: RoomId, seat: Seat) {
        self.seats.insert(room, seat);
        if self.room.is_none() {
            self.reports.push(format!("waits in room {room}"));
            self.room = Some((room, Activity::Offers));
        }
    }

    /// Whether a game is one that the guest offers. An unrated game is one also where it offers
    /// rated ones: opponents without a name play no others.
    fn offers(&self, setup: RoomSetup) -> bool {
        let unrated = RoomSetup {
            rated: false,
            ..self.setup
        };
        setup == self.setup || setup == unrated
    }

    /// Accepts a challenge to a game that the guest offers, by an opponent with an accepted rating,
    /// and declines any other.
    fn receive_challenge(&mut self, challenge: &RoomSummary) {
        let mut ratings = (challenge.seats.iter().flatten()).filter_map(|player| player.rating);
        let is_wanted = ratings.all(|rating| self.ratings.contains(&rating));
        let is_free = matches!(self.room, None | Some((_, Activity::Offers)));
        let room = challenge.room.to_string();
        if is_free && is_wanted && self.offers(challenge.setup) {
            if self.room.take().is_some() {
                self.request(ClubRequest::Close);
            }
            self.opens_at = None;
            self.request(ClubRequest::Enter { room, sit: true });
        } else {
            self.request(ClubRequest::Decline { room });
        }
    }

    /// A room was closed.
    fn close_room(&mut self, room: RoomId) {
        self.seats.remove(&room);
        self.remove_due(room);
        if self.is_in(room) {
            self.room = None;
            self.next_game();
        }
    }

    fn receive_error(&mut self, code: &str, text: String, retry_s: Option<u64>) -> Result<()> {
        log::info!("refused: {code} {text}");
        match code {
            "banned" | "key" | "old_key" | "version" | "rule" | "clock" | "opening" | "message" => {
                return Err(Unwelcome(text).into());
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

    fn welcome(&mut self, welcome: &ClubWelcome) -> Result<()> {
        if welcome.account != Account::Engine {
            return Err(Unwelcome(format!(
                "the token is that of {}, a person, or has a typing error: take the one that was \
                 shown with the engine's account",
                welcome.name
            ))
            .into());
        }
        if let Some(tournament) = self.tournament.take() {
            let messages = [
                TournamentMessage::OpenTournament { tournament },
                TournamentMessage::JoinTournament,
            ];
            self.to_send
                .extend(messages.map(VisitorMessage::Tournament));
        }
        let rooms = &welcome.rooms;
        self.seats
            .extend(rooms.iter().map(|own| (own.state.room, own.seat)));
        let of_stage = |stage: Stage| {
            let rooms = rooms.iter().filter(|own| own.state.stage == stage);
            rooms
                .map(|own| own.state.room)
                .collect::<VecDeque<RoomId>>()
        };
        self.due = of_stage(Stage::Playing);
        if self.due.is_empty() {
            self.due = of_stage(Stage::Waiting);
            self.due.truncate(1);
        }
        self.next_game();
        Ok(())
    }

    fn is_in(&self, room: RoomId) -> bool {
        self.room.is_some_and(|(own, _)| own == room)
    }

    fn is_playing(&self) -> bool {
        matches!(self.room, Some((_, Activity::Plays)))
    }

    /// The guest need not go to this room any more.
    fn remove_due(&mut self, room: RoomId) {
        self.due.retain(|it| *it != room);
        self.unbegun.retain(|it| *it != room);
    }

    /// Goes to the room of another game of the guest, once the current game is over.
    fn go_to(&mut self, room: RoomId) {
        if self.is_in(room) || self.due.contains(&room) {
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
    fn enter(&mut self, room: RoomId) {
        match self.room.take() {
            Some((_, Activity::Offers)) => self.request(ClubRequest::Close),
            Some((unbegun, Activity::Waits)) => self.unbegun.push(unbegun),
            Some((_, Activity::Plays)) | None => (),
        }
        self.remove_due(room);
        self.opens_at = None;
        self.request(ClubRequest::Enter {
            room: room.to_string(),
            sit: false,
        });
        self.room = Some((room, Activity::Plays));
    }

    /// Handles the state of the guest's room.
    fn update_room(&mut self, view: &RoomView) {
        let RoomView { state, .. } = view;
        let room = state.room;
        if self.is_playing() && !self.is_in(room) {
            return;
        }
        // Without a seat the game is over, and the guest is about to leave.
        let Some(&seat) = self.seats.get(&room) else {
            return;
        };
        let activity = match state.stage {
            Stage::Playing if view.awaits => Activity::Waits,
            Stage::Playing => Activity::Plays,
            Stage::Waiting | Stage::Over => Activity::Offers,
        };
        self.room = Some((room, activity));
        if activity == Activity::Waits && !self.due.is_empty() {
            self.next_game();
            return;
        }
        if state.stage == Stage::Over {
            self.seats.remove(&room);
            self.end(view, seat);
        } else if state.undo_wish == Some(seat.other()) {
            self.to_send.push(VisitorMessage::Game(Action::DeclineUndo));
        }
        if state.actor == Some(seat) && view.runs {
            self.ask(view, seat);
        }
    }

    fn end(&mut self, view: &RoomView, seat: Seat) {
        let outcome = view.state.outcome;
        let result = match outcome.and_then(|outcome| outcome.winner) {
            None => "drew or ended",
            Some(winner) if winner == seat => "won",
            Some(_) => "lost",
        };
        let reason = outcome.map_or("", |outcome| outcome.reason.name());
        self.reports.push(format!("{result} ({reason})"));
        self.games += 1;
        self.room = None;
        self.request(ClubRequest::Leave);
        self.next_game();
    }

    /// Gives the engine its turn, once for every turn.
    fn ask(&mut self, view: &RoomView, seat: Seat) {
        let job = self.turn(view, seat);
        // An answer in an opening may be a choice and several stones, which come one by one.
        let sent = self.sent.filter(|(game, _)| *game == job.game);
        let are_to_come = sent.is_some_and(|(_, stones)| job.stones.len() < stones);
        let asked = (job.game, job.stones.len(), job.task.clone());
        if !are_to_come && self.asked.as_ref() != Some(&asked) {
            self.asked = Some(asked);
            self.job = Some(job);
        }
    }

    fn turn(&self, view: &RoomView, seat: Seat) -> Job {
        let RoomSetup {
            rule,
            size,
            opening,
            clock,
            ..
        } = view.state.setup;
        let own = match seat {
            Seat::First => 0,
            Seat::Second => 1,
        };
        let stones = view.board.stones.iter();
        Job {
            game: (view.state.room, view.games),
            variant: Variant { rule, size },
            opening,
            stones: stones.map(|stone| (stone.color, stone.point)).collect(),
            task: match &view.phase {
                Phase::Place { .. } | Phase::Pick { .. } => Task::Place(view.allowed.clone()),
                Phase::Offer { .. } => Task::Offer(view.allowed.clone()),
                Phase::Choose { options, .. } => Task::Choose(options.clone()),
                Phase::Move | Phase::Over(_) if view.black == Some(seat) => {
                    Task::Move(Color::Black)
                }
                Phase::Move | Phase::Over(_) => Task::Move(Color::White),
            },
            time: time(clock.control(), view.clock[own], self.reserve),
        }
    }

    /// Handles the answer of the engine, if the guest is still in the room. The server refuses
    /// answers that come too late.
    pub(crate) fn receive_answer(&mut self, done: Done) {
        let Done { job, did } = done;
        let is_wanted = self.asked.as_ref().is_some_and(|(game, stones, task)| {
            *game == job.game && *stones == job.stones.len() && *task == job.task
        });
        if !is_wanted || !self.is_in(job.game.0) {
            return;
        }
        let Some((choice, points)) = did else {
            self.to_send.push(VisitorMessage::Game(Action::Resign));
            return;
        };
        let ply = job.stones.len();
        // A stone that is offered is not on the board.
        let placed = match job.task {
            Task::Offer(_) => 0,
            _ => points.len(),
        };
        self.sent = Some((job.game, ply + placed));
        let choice = choice.map(|choice| Action::Choose { choice, ply });
        let plays = (ply..).zip(points);
        let plays = plays.map(|(ply, point)| Action::Play { point, ply });
        let actions = choice.into_iter().chain(plays);
        self.to_send.extend(actions.map(VisitorMessage::Game));
    }
}

#[cfg(test)]
mod tests;
