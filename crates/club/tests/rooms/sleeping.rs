//! A club whose correspondence rooms sleep does what one does that has all of them in memory.

use crate::club::{FROM, START};
use crate::messages::{
    Message, challenge, decline, hello, key_of, profile, quick, rename, text, unrated,
};
use crate::ms;
use fastrand::Rng;
use quincunx_club::rooms::{
    Action, Admission, ClockRule, Club, ClubMessage, ClubRequest, ClubStore, ContactPolicy,
    Effects, EngineJob, Limits, NewRoom, RoomId, RoomQuery, RoomSetup, SleepingRooms, StoredClub,
    StoredRoom, VisitorId,
};
use quincunx_engine::engine::{Answer, BestMove};
use quincunx_engine::game::swap::{Choice, OpeningRule};
use quincunx_engine::rules::{BoardSize, Point, Rule};
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// The visitors, each a person with a name.
const VISITORS: u64 = 5;

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(86_400);

/// A club with its store. Its writes are committed some steps later.
struct Side {
    club: Club,
    store: ClubStore,
    sleeps: bool,
    /// The start of the numbers of its rooms, the same for both sides.
    draws: u64,
    uncommitted: VecDeque<Effects>,
    jobs: Vec<EngineJob>,
    /// The messages to each visitor in the last step.
    messages: BTreeMap<VisitorId, Vec<ClubMessage>>,
}

impl Side {
    fn new(sleeps: bool) -> Side {
        Side {
            club: Club::new(Limits::default(), StoredClub::default(), || 0),
            store: ClubStore::open(None).unwrap(),
            sleeps,
            draws: 0,
            uncommitted: VecDeque::new(),
            jobs: Vec::new(),
            messages: BTreeMap::new(),
        }
    }

    /// Starts the club from its store, where it ran until the heartbeat.
    fn start(&mut self, heartbeat: Duration, now: Duration) {
        let ahead = self.store.set_back_to(now).unwrap();
        let mut stored = self.store.load().unwrap();
        stored.heartbeat = Some(heartbeat.saturating_sub(ahead));
        if !self.sleeps {
            let rooms = stored.sleeping.take().unwrap();
            stored.rooms.extend(all(&*rooms));
        }
        self.draws += 1000;
        let mut draws = Rng::with_seed(self.draws);
        self.club = Club::new(Limits::default(), stored, move || draws.u64(..));
        self.jobs.clear();
        self.uncommitted.clear();
        self.club.tick(now);
        self.settle();
    }

    fn settle(&mut self) {
        let mut effects = self.club.take_effects();
        self.jobs.append(&mut effects.jobs);
        for message in effects.messages.drain(..) {
            let content: ClubMessage = serde_json::from_str(&message.text).unwrap();
            for to in &message.to {
                let messages = self.messages.entry(*to).or_default();
                messages.push(content.clone());
            }
            for (to, turn) in message.to.iter().zip(message.turn.iter().cycle()) {
                self.club.turn_sent(Duration::ZERO, *to, *turn);
            }
        }
        self.uncommitted.push_back(effects);
    }

    /// Commits all effects but the last so many.
    fn commit(&mut self, rest: usize) {
        while self.uncommitted.len() > rest {
            let effects = self.uncommitted.pop_front().unwrap();
            self.store.commit(&effects.writes).unwrap();
            self.club.stored(effects.number);
        }
    }

    /// The stored correspondence rooms. A flag that falls before the end of the grace falls then, if
    /// the room was loaded meanwhile or not.
    fn rooms(&mut self) -> BTreeMap<RoomId, Value> {
        let grace = self.store.load().unwrap().grace.as_secs();
        let reader = self.store.reader().unwrap();
        let room = |(id, room)| {
            let mut room = serde_json::to_value(&room).unwrap();
            let due = room["correspondence"]["due"].as_u64().unwrap();
            if room["room"]["stage"] == "playing" && (1..=grace).contains(&due) {
                room["correspondence"]["due"] = grace.into();
                room["room"]["began"].take();
            }
            (id, room)
        };
        all(&reader).into_iter().map(room).collect()
    }
}

/// All correspondence rooms.
fn all(rooms: &dyn SleepingRooms) -> Vec<(RoomId, StoredRoom)> {
    let of_engine = rooms.find(RoomQuery::MoveOfEngine, usize::MAX);
    let others = rooms.find(RoomQuery::Due(Duration::MAX), usize::MAX);
    of_engine.into_iter().chain(others).collect()
}

/// Two clubs with the same visitors, one of which sleeps.
struct Twins {
    sides: [Side; 2],
    now: Duration,
    random: Rng,
    here: Vec<VisitorId>,
    /// The rooms that were mentioned, and the number of stones in the last view of a room that each
    /// visitor was sent.
    rooms: Vec<RoomId>,
    stones: BTreeMap<VisitorId, usize>,
    /// The most rooms that slept, and how many steps did something.
    slept: usize,
    accepted: usize,
    seed: u64,
    /// The steps so far.
    log: Vec<String>,
}

/// Where the clubs differ, the seed and the last steps are printed.
impl Drop for Twins {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let last = self.log.len().saturating_sub(12);
            eprintln!("seed {}: {:#?}", self.seed, &self.log[last..]);
        }
    }
}

/// The room that a message is about.
fn room_of(message: &ClubMessage) -> Option<RoomId> {
    match message {
        ClubMessage::Room(it) => Some(it.state.room),
        ClubMessage::YourRoom(it) => Some(it.state.room),
        ClubMessage::Challenge(it) => Some(it.room),
        ClubMessage::Seat { room, .. }
        | ClubMessage::ChallengeGone { room }
        | ClubMessage::Said { room, .. }
        | ClubMessage::Closed { room }
        | ClubMessage::Round { room, .. } => Some(*room),
        _ => None,
    }
}

/// A setup of games, most of them of days.
fn random_setup(random: &mut Rng) -> RoomSetup {
    let clock = match random.u8(..8) {
        0 => ClockRule::SuddenDeath { main_ms: 60_000 },
        1..5 => ClockRule::Correspondence { days: 1 },
        _ => ClockRule::Correspondence { days: 3 },
    };
    let openings = [OpeningRule::Free, OpeningRule::Free, OpeningRule::Swap2];
    RoomSetup {
        size: BoardSize::square([5, 15][random.usize(..2)]).unwrap(),
        opening: openings[random.usize(..3)],
        clock,
        rated: random.bool(),
        ..unrated()
    }
}

/// An action by a number from 55 to 99.
fn random_action(random: &mut Rng, kind: u8, ply: usize) -> Action {
    match kind {
        55..57 => [Action::Resign, Action::Abort][random.usize(..2)],
        57..63 => {
            let offers = [
                Action::OfferDraw,
                Action::DeclineDraw,
                Action::AskUndo,
                Action::DeclineUndo,
                Action::Rematch,
            ];
            offers[random.usize(..offers.len())]
        }
        63..68 => {
            let choices = [Choice::Black, Choice::White, Choice::TwoStones];
            let choice = choices[random.usize(..3)];
            Action::Choose { choice, ply }
        }
        _ => {
            let point = Point::new(random.usize(..5), random.usize(..5));
            Action::Play { point, ply }
        }
    }
}

impl Twins {
    fn new(seed: u64) -> Twins {
        let mut twins = Twins {
            sides: [Side::new(true), Side::new(false)],
            now: START,
            random: Rng::with_seed(seed),
            here: Vec::new(),
            rooms: Vec::new(),
            stones: BTreeMap::new(),
            slept: 0,
            accepted: 0,
            seed,
            log: Vec::new(),
        };
        twins.restart(START, false);
        for id in (1..=VISITORS).map(VisitorId) {
            twins.arrive(id);
            let name = format!(
                "Person {}",
                ["A", "Be", "Cee", "Dora", "Eefje"][id.0 as usize - 1]
            );
            twins.say(id, &rename(&name));
        }
        twins
    }

    /// Does the same with both, and compares what their visitors are sent.
    fn both(&mut self, act: impl Fn(&mut Side)) {
        for side in &mut self.sides {
            side.messages.clear();
            act(side);
            side.settle();
        }
        self.compare();
        // Writes wait for some steps.
        let rest = [0, 0, 1, 3][self.random.usize(..4)];
        self.sides.iter_mut().for_each(|side| side.commit(rest));
        self.slept = self
            .slept
            .max(self.sides[1].club.statistics().awake - self.sides[0].club.statistics().awake);
    }

    fn compare(&mut self) {
        let [sleeping, awake] = &self.sides;
        assert_eq!(sleeping.messages, awake.messages);
        assert_eq!(sleeping.club.running_games(), awake.club.running_games());
        let rooms = |side: &Side| side.jobs.iter().map(|job| job.room).collect::<Vec<_>>();
        let [mut one, mut other] = [sleeping, awake].map(rooms);
        one.sort();
        other.sort();
        assert_eq!(one, other);
        for (id, messages) in &sleeping.messages {
            for message in messages {
                if let ClubMessage::Room(view) = message {
                    self.accepted += 1;
                    self.stones.insert(*id, view.board.stones.len());
                }
                let room = room_of(message);
                self.rooms
                    .extend(room.filter(|it| !self.rooms.contains(it)));
            }
        }
    }

    fn say(&mut self, id: VisitorId, message: &impl Message) {
        let now = self.now;
        let text = text(message);
        self.log.push(format!("{now:?} {} says {text}", id.0));
        self.both(|side| side.club.receive(now, id, ms(0), &text));
    }

    fn tick(&mut self) {
        let now = self.now;
        self.log.push(format!("{now:?} tick"));
        self.both(|side| side.club.tick(now));
    }

    fn arrive(&mut self, id: VisitorId) {
        let now = self.now;
        self.log.push(format!("{now:?} {} arrives", id.0));
        let hello = text(&hello(&key_of(id)));
        self.both(|side| {
            side.club.arrive(id, FROM, Admission::All);
            side.club.receive(now, id, ms(0), &hello);
        });
        self.here.push(id);
    }

    /// The club ends and goes on, where the clock of the machine shows another time then. A kill
    /// loses the writes that wait.
    fn restart(&mut self, now: Duration, is_killed: bool) {
        let heartbeat = std::mem::replace(&mut self.now, now);
        self.log
            .push(format!("{now:?} restart, killed {is_killed}"));
        self.here.clear();
        for side in &mut self.sides {
            side.messages.clear();
            if !is_killed {
                side.commit(0);
            }
            side.start(heartbeat, now);
        }
        self.compare();
    }

    fn step(&mut self) {
        match self.random.u8(..100) {
            0..8 => {
                let id = VisitorId(self.random.u64(1..=VISITORS));
                if !self.here.contains(&id) {
                    self.arrive(id);
                } else if self.random.bool() {
                    self.here.retain(|it| *it != id);
                    let now = self.now;
                    self.log.push(format!("{now:?} {} leaves", id.0));
                    self.both(|side| side.club.leave(now, id));
                }
            }
            8..20 => {
                let waits = [ms(50), ms(1000), MINUTE, HOUR, 9 * HOUR, DAY, 8 * DAY];
                self.now += waits[self.random.usize(..waits.len())];
                self.tick();
            }
            20..22 => {
                let downs = [ms(0), MINUTE, 10 * HOUR, 3 * DAY];
                let down = downs[self.random.usize(..downs.len())];
                let is_killed = self.random.bool();
                self.restart(self.now + down, is_killed);
            }
            22 => {
                let hours = self.random.u32(1..30);
                self.restart(self.now - HOUR * hours, false);
            }
            23 => {
                let now = self.now;
                self.log.push(format!("{now:?} stop"));
                self.both(|side| side.club.stop_clocks(now));
                self.now += HOUR * self.random.u32(..30);
                self.tick();
            }
            24..30 => self.answer_engine(),
            _ => self.message(),
        }
    }

    /// The engine plays on the first free point, or fails.
    fn answer_engine(&mut self) {
        let now = self.now;
        let fails = self.random.u8(..5) == 0;
        self.log.push(format!("{now:?} engine fails {fails}"));
        self.both(|side| {
            side.jobs.sort_by_key(|job| job.room);
            for job in std::mem::take(&mut side.jobs) {
                let size = job.position.size();
                let mut points = size.iter();
                let free = points.find(|point| job.position.stone(*point).is_none());
                let answer = free.filter(|_| !fails).map(|point| {
                    let best = BestMove {
                        point,
                        info: None,
                        from_book: false,
                    };
                    (Answer::Move(best), Vec::new())
                });
                let turn = (job.room, job.turn);
                side.club.receive_answer(now, turn, ms(10), answer.as_ref());
            }
        });
    }

    fn message(&mut self) {
        if self.here.is_empty() {
            return;
        }
        let random = &mut self.random;
        let id = self.here[random.usize(..self.here.len())];
        let ply = self.stones.get(&id).copied().unwrap_or(0);
        let room = match self.rooms.is_empty() {
            true => RoomId(0),
            false => {
                let last = self.rooms.len().saturating_sub(8);
                self.rooms[random.usize(last..self.rooms.len())]
            }
        };
        let setup = random_setup(random);
        let random_bool = random.bool();
        let name = ["Person A", "Person Be", "Person Cee", "Person Dora"][random.usize(..4)];
        let request = match random.u8(..100) {
            0..8 => ClubRequest::Create(NewRoom {
                private: random.u8(..6) == 0,
                ..NewRoom::of(setup)
            }),
            8..12 => challenge(setup, name),
            12..15 => ClubRequest::Create(NewRoom {
                engine: Some(50),
                ..NewRoom::of(setup)
            }),
            15..18 => quick(setup),
            18..38 => ClubRequest::Enter {
                room: room.to_string(),
                sit: random.bool(),
            },
            38..43 => ClubRequest::Leave,
            43..44 => ClubRequest::Close,
            44..45 => decline(room),
            45..47 => profile(name),
            47..51 => ClubRequest::Correspondence,
            51..52 => ClubRequest::Ratings {
                rule: Rule::Freestyle.name().to_owned(),
                correspondence: random.bool(),
            },
            52..53 => ClubRequest::Block {
                name: name.to_owned(),
                blocked: random.bool(),
            },
            53..54 => ClubRequest::Contacts {
                policy: [ContactPolicy::All, ContactPolicy::None][random.usize(..2)],
            },
            54..55 => ClubRequest::Claim,
            80..90 => {
                let mut point = || Point::new(random.usize(..5), random.usize(..5));
                let own = Some(point()).filter(|_| random_bool);
                let mut line = || format!("{}{}", point(), point());
                ClubRequest::ConditionalMoves {
                    lines: vec![line(), line()],
                    point: own,
                    ply,
                }
            }
            kind => {
                let action = random_action(random, kind, ply);
                return self.say(id, &action);
            }
        };
        self.say(id, &request);
    }
}

/// Runs a random evening. Returns the most rooms that slept, and the views of rooms that were sent.
fn evening(seed: u64, steps: usize) -> (usize, usize) {
    let mut twins = Twins::new(seed);
    for _ in 0..steps {
        twins.step();
    }
    twins.sides.iter_mut().for_each(|side| side.commit(0));
    let [sleeping, awake] = &mut twins.sides;
    assert_eq!(sleeping.rooms(), awake.rooms(), "{seed}");
    // Nothing but rooms with visitors and searches stays in memory.
    let searched = sleeping.jobs.len();
    assert!(
        sleeping.club.statistics().awake <= twins.here.len() + searched,
        "{seed}"
    );
    (twins.slept, twins.accepted)
}

#[test]
fn a_club_that_sleeps_does_what_one_does_that_never_sleeps() {
    let (mut slept, mut views) = (0, 0);
    for seed in 0..60 {
        let (most, sent) = evening(seed, 300);
        slept += most;
        views += sent;
    }
    assert!(slept > 60 && views > 1000, "{slept} {views}");
}
