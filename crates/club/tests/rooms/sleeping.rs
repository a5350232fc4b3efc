//! A club whose correspondence rooms sleep does what one does that has all of them in memory.

use crate::club::{FROM, START};
use crate::ms;
use fastrand::Rng;
use quincunx_club::rooms::{
    Admission, Club, ClubStore, Effects, EngineJob, Limits, RoomQuery, StoredClub, VisitorId,
};
use quincunx_engine::engine::{Answer, BestMove};
use quincunx_engine::rules::Point;
use serde_json::{Value, json};
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
    messages: BTreeMap<VisitorId, Vec<Value>>,
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
        let mut stored = self.store.load().unwrap();
        stored.heartbeat = Some(heartbeat);
        let ahead = stored.set_back_to(now);
        self.store.set_back(ahead).unwrap();
        if !self.sleeps {
            let rooms = stored.sleeping.take().unwrap();
            stored
                .rooms
                .extend(rooms.find(RoomQuery::Due(Duration::MAX), usize::MAX));
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
            let text: Value = serde_json::from_str(&message.text).unwrap();
            for to in &message.to {
                self.messages.entry(*to).or_default().push(text.clone());
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

    /// The stored correspondence rooms.
    fn rooms(&self) -> Vec<String> {
        let reader = self.store.reader().unwrap();
        let all = RoomQuery::Due(Duration::MAX);
        let rooms = quincunx_club::rooms::SleepingRooms::find(&reader, all, usize::MAX);
        let text = |(id, room)| format!("{id} {}", serde_json::to_string(&room).unwrap());
        rooms.into_iter().map(text).collect()
    }
}

/// Two clubs with the same visitors, one of which sleeps.
struct Twins {
    sides: [Side; 2],
    now: Duration,
    random: Rng,
    here: Vec<VisitorId>,
    /// The rooms that were mentioned, and the last view of a room that each visitor was sent.
    rooms: Vec<String>,
    views: BTreeMap<VisitorId, Value>,
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

impl Twins {
    fn new(seed: u64) -> Twins {
        let mut twins = Twins {
            sides: [Side::new(true), Side::new(false)],
            now: START,
            random: Rng::with_seed(seed),
            here: Vec::new(),
            rooms: Vec::new(),
            views: BTreeMap::new(),
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
            twins.say(id, &json!({ "type": "rename", "name": name }));
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
            .max(self.sides[1].club.awake() - self.sides[0].club.awake());
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
                self.accepted += usize::from(message["type"] == "room");
                if let Some(room) = message["room"].as_str() {
                    if !self.rooms.iter().any(|it| it == room) {
                        self.rooms.push(room.to_owned());
                    }
                    if message["type"] == "room" {
                        self.views.insert(*id, message.clone());
                    }
                }
            }
        }
    }

    fn say(&mut self, id: VisitorId, message: &Value) {
        let now = self.now;
        let text = message.to_string();
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
        let key = format!("{:032x}", id.0);
        self.log.push(format!("{now:?} {} arrives", id.0));
        let hello = json!({ "type": "hello", "version": 1, "key": key }).to_string();
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
        let view = self.views.get(&id).cloned().unwrap_or_default();
        let ply = view["stones"].as_array().map_or(0, Vec::len);
        let room = match self.rooms.is_empty() {
            true => "0".repeat(16),
            false => {
                let last = self.rooms.len().saturating_sub(8);
                self.rooms[random.usize(last..self.rooms.len())].clone()
            }
        };
        let clock = match random.u8(..8) {
            0 => json!({ "kind": "sudden_death", "main_ms": 60_000 }),
            1..5 => json!({ "kind": "correspondence", "days": 1 }),
            _ => json!({ "kind": "correspondence", "days": 3 }),
        };
        let setup = json!({
            "rule": "freestyle", "size": (["5", "15"][random.usize(..2)]),
            "opening": (["free", "free", "swap2"][random.usize(..3)]),
            "clock": clock, "rated": (random.bool()),
        });
        let name = ["Person A", "Person Be", "Person Cee", "Person Dora"][random.usize(..4)];
        let message = match random.u8(..100) {
            0..8 => json!({ "type": "create", "setup": setup, "private": random.u8(..6) == 0 }),
            8..12 => json!({ "type": "create", "setup": setup, "opponent": name }),
            12..15 => json!({ "type": "create", "setup": setup, "engine": 50 }),
            15..18 => json!({ "type": "quick", "setup": setup }),
            18..38 => json!({ "type": "enter", "room": room, "sit": random.bool() }),
            38..43 => json!({ "type": "leave" }),
            43..44 => json!({ "type": "close" }),
            44..45 => json!({ "type": "decline", "room": room }),
            45..47 => json!({ "type": "profile", "name": name }),
            47..51 => json!({ "type": "correspondence" }),
            51..52 => {
                json!({ "type": "ratings", "rule": "freestyle", "correspondence": random.bool() })
            }
            52..53 => json!({ "type": "block", "name": name, "blocked": random.bool() }),
            53..54 => json!({ "type": "contacts", "policy": (["all", "none"][random.usize(..2)]) }),
            54..55 => json!({ "type": "claim" }),
            55..57 => json!({ "type": (["resign", "abort"][random.usize(..2)]) }),
            57..63 => {
                let offers = [
                    "offer_draw",
                    "decline_draw",
                    "ask_undo",
                    "decline_undo",
                    "rematch",
                ];
                json!({ "type": (offers[random.usize(..offers.len())]) })
            }
            63..68 => {
                let choice = ["black", "white", "two_stones"][random.usize(..3)];
                json!({ "type": "choose", "choice": choice, "ply": ply })
            }
            _ => {
                let point = Point::new(random.usize(..5), random.usize(..5)).to_string();
                json!({ "type": "play", "point": point, "ply": ply })
            }
        };
        self.say(id, &message);
    }
}

/// Runs a random evening. Returns the most rooms that slept, and the views of rooms that were sent.
fn evening(seed: u64, steps: usize) -> (usize, usize) {
    let mut twins = Twins::new(seed);
    for _ in 0..steps {
        twins.step();
    }
    twins.sides.iter_mut().for_each(|side| side.commit(0));
    let [sleeping, awake] = &twins.sides;
    assert_eq!(sleeping.rooms(), awake.rooms(), "{seed}");
    // Nothing but rooms with visitors and searches stays in memory.
    let searched = sleeping.jobs.len();
    assert!(
        sleeping.club.awake() <= twins.here.len() + searched,
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
