//! A season of correspondence games on a virtual clock, with vacations, kills and a day of outage. A
//! ledger knows when each player plays, and when each flag has to fall: nobody loses anything else.

use crate::club::{START, Tester};
use crate::messages::{create, enter, enter_and_sit, hello, key_of, rated, rename};
use crate::play;
use fastrand::Rng;
use quincunx_club::rooms::{
    Action, Admission, ClockRule, ClubRequest, Limits, Outcome, RoomId, RoomSetup, Stage, VisitorId,
};
use quincunx_engine::game::swap::Seat;
use quincunx_engine::game::{Game, Termination};
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;
use tempfile::TempDir;

const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(86_400);

/// A season.
struct Plan {
    people: usize,
    games: usize,
    days: u32,
    /// The time between two ticks of the club.
    tick: Duration,
}

/// A game in the ledger.
struct Entry {
    room: RoomId,
    players: [usize; 2],
    /// The time for a move.
    limit: Duration,
    game: Game,
    /// The start of this turn.
    since: Duration,
    outcome: Option<Outcome>,
}

impl Entry {
    /// The time when the flag falls, without an outage.
    fn due(&self) -> Duration {
        self.since + self.limit
    }

    /// The seat to move.
    fn seat(&self) -> Seat {
        match self.game.side() {
            Color::Black => Seat::First,
            Color::White => Seat::Second,
        }
    }

    /// The outcome when the flag falls now.
    fn loss_by_time(&self) -> Outcome {
        Outcome {
            winner: Some(self.seat().other()),
            reason: Termination::Time,
        }
    }
}

/// The next event of a game, or of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// The game with this number begins.
    Begin(usize),
    /// The player to move acts.
    Act(usize),
    /// A person leaves the server.
    Leave(usize),
    /// A person begins a vacation, or ends it early.
    Vacation(usize),
}

/// A club, the ledger of its games, and the events to come.
struct Season {
    club: Tester,
    folder: TempDir,
    random: Rng,
    now: Duration,
    /// No flag falls before.
    grace: Duration,
    entries: BTreeMap<usize, Entry>,
    events: BinaryHeap<Reverse<(Duration, Event)>>,
    connected: HashSet<usize>,
    /// The end of each person's vacation.
    vacations: BTreeMap<usize, Duration>,
    /// The number of vacations that were begun, and ended early.
    taken: [usize; 2],
    /// The number of archived games that agree with the ledger, and of those lost by time.
    archived: u64,
    flags: usize,
}

impl Season {
    fn new() -> Season {
        let folder = TempDir::new().unwrap();
        Season {
            club: Tester::open(&folder.path().join("club"), Limits::default()),
            folder,
            random: Rng::with_seed(7),
            now: START,
            grace: START,
            entries: BTreeMap::new(),
            events: BinaryHeap::new(),
            connected: HashSet::new(),
            vacations: BTreeMap::new(),
            taken: [0; 2],
            archived: 0,
            flags: 0,
        }
    }

    fn visitor(person: usize) -> VisitorId {
        VisitorId(person as u64 + 1)
    }

    fn arrive(&mut self, person: usize) {
        if self.connected.insert(person) {
            let [high, low] = u16::try_from(person).unwrap().to_be_bytes();
            let from = IpAddr::V4(Ipv4Addr::new(10, 0, high, low));
            let visitor = Season::visitor(person);
            self.club.club.arrive(visitor, from, Admission::All);
            self.club
                .receive(self.now, visitor, &hello(&key_of(visitor)));
        }
    }

    fn leave(&mut self, person: usize) {
        if self.connected.remove(&person) {
            let visitor = Season::visitor(person);
            self.club.club.leave(self.now, visitor);
            self.club.settle();
            self.club.letters.retain(|(to, _)| *to != visitor);
        }
    }

    /// Most people go at once, some stay for hours.
    fn leave_later(&mut self, person: usize) {
        if self.random.u32(..20) > 0 {
            self.leave(person);
        } else {
            let until = self.now + HOUR.mul_f64(self.random.f64() * 3.0);
            self.events.push(Reverse((until, Event::Leave(person))));
        }
    }

    /// The beginning of a turn of a person now.
    fn begin_of_turn(&self, person: usize) -> Duration {
        let vacation = self.vacations.get(&person).copied();
        self.now.max(vacation.unwrap_or_default())
    }

    /// Begins or ends a vacation: the clocks of all turns of the person stand until its end.
    fn vacation(&mut self, person: usize) {
        self.arrive(person);
        let until = self
            .vacations
            .remove(&person)
            .filter(|until| *until > self.now);
        let days = if until.is_some() {
            0
        } else {
            self.random.u32(3..8)
        };
        let visitor = Season::visitor(person);
        let before = self.club.letters.len();
        self.club
            .receive(self.now, visitor, &ClubRequest::Vacation { days });
        if self.club.error_since(before, visitor).is_none() {
            let (now, end) = (self.now, self.now + DAY * days);
            self.taken[usize::from(days == 0)] += 1;
            if days > 0 {
                self.vacations.insert(person, end);
                let at = now + DAY.mul_f64(self.random.f64() * 10.0);
                self.events.push(Reverse((at, Event::Vacation(person))));
            }
            let turns = self.entries.values_mut().filter(|it| it.outcome.is_none());
            for entry in turns.filter(|it| it.players[it.seat() as usize] == person) {
                match until {
                    Some(until) => entry.since -= until - now,
                    None => entry.since += end - now,
                }
            }
        }
        self.leave_later(person);
    }

    /// Plans when the player to move acts; some never do.
    fn plan(&mut self, number: usize) {
        let entry = &self.entries[&number];
        if entry.game.ply() >= 2 && self.random.u32(..40) == 0 {
            return;
        }
        let share = self.random.f64().powi(2) * 0.98;
        let at = self.now + entry.limit.mul_f64(share) + SECOND;
        self.events.push(Reverse((at, Event::Act(number))));
    }

    fn begin(&mut self, number: usize, players: [usize; 2]) {
        let days = [1, 1, 2, 3, 5][self.random.usize(..5)];
        let clock = ClockRule::Correspondence { days };
        players.into_iter().for_each(|person| self.arrive(person));
        let [first, second] = players.map(Season::visitor);
        let create = create(RoomSetup { clock, ..rated() });
        self.club.receive(self.now, first, &create);
        let room = self.club.room(first).state.room;
        self.club.receive(self.now, second, &enter_and_sit(room));
        assert_eq!(self.club.room(second).state.stage, Stage::Playing);
        let game = Game::new(Rule::Freestyle, BoardSize::square(15).unwrap());
        let entry = Entry {
            room,
            players,
            limit: Duration::from_secs(86_400 * days),
            game,
            since: self.begin_of_turn(players[0]),
            outcome: None,
        };
        assert!(self.entries.insert(number, entry).is_none());
        for person in players {
            self.leave_later(person);
        }
        self.plan(number);
    }

    /// The player to move comes and plays, or resigns.
    fn act(&mut self, number: usize) {
        let entry = &self.entries[&number];
        // The player had planned it for a time when the server was down, and came too late.
        if entry.outcome.is_some() {
            return;
        }
        let (room, seat, ply) = (entry.room, entry.seat(), entry.game.ply());
        let person = entry.players[seat as usize];
        let visitor = Season::visitor(person);
        let resigns = ply >= 8 && self.random.u32(..25) == 0;
        let near = |point: &Point| {
            let (x, y) = (point.x().abs_diff(7), point.y().abs_diff(7));
            x.max(y) <= 3 && entry.game.position().is_empty(*point)
        };
        let points: Vec<Point> = entry.game.size().iter().filter(near).collect();
        let point = self.random.choice(&points).copied();
        self.arrive(person);
        self.club.receive(self.now, visitor, &enter(room));
        let before: Vec<Point> = self.stones(visitor);
        let entry = self.entries.get_mut(&number).unwrap();
        let moves = entry.game.position().moves();
        assert!(before.into_iter().eq(moves.map(|(_, point)| point)));
        match point.filter(|_| !resigns) {
            Some(point) => {
                self.club
                    .receive(self.now, visitor, &play(&point.to_string(), ply));
                entry.game.play(point).unwrap();
                let next = entry.players[entry.seat() as usize];
                let since = self.begin_of_turn(next);
                self.entries.get_mut(&number).unwrap().since = since;
            }
            None => {
                self.club.receive(self.now, visitor, &Action::Resign);
                entry.game.resign(entry.game.side());
            }
        }
        let entry = self.entries.get_mut(&number).unwrap();
        entry.outcome = entry.game.result().map(|result| Outcome {
            winner: result.winner.map(|color| match color {
                Color::Black => Seat::First,
                Color::White => Seat::Second,
            }),
            reason: result.termination,
        });
        let (ply, outcome) = (entry.game.ply(), entry.outcome);
        let view = self.club.room(visitor);
        assert_eq!(
            (view.board.stones.len(), view.state.outcome),
            (ply, outcome)
        );
        if outcome.is_none() {
            self.plan(number);
        }
        self.leave_later(person);
    }

    fn stones(&self, visitor: VisitorId) -> Vec<Point> {
        let stones = self.club.room(visitor).board.stones.iter();
        stones.map(|stone| stone.point).collect()
    }

    fn tick(&mut self, tick: Duration) {
        self.club.tick(self.now);
        self.flag(tick);
    }

    /// Compares the flags that have fallen with the ledger.
    fn flag(&mut self, tick: Duration) {
        // A server has a little time for its own lag.
        let late = tick + SECOND;
        for entry in self.entries.values_mut() {
            let falls = entry.due().max(self.grace);
            if entry.outcome.is_none() && falls + late < self.now {
                entry.outcome = Some(entry.loss_by_time());
                self.flags += 1;
            }
        }
    }

    /// Compares the archive with the ledger: the same games are over in both. A flag may have fallen
    /// since the last tick.
    fn compare(&mut self, tick: Duration) {
        let by_room: BTreeMap<RoomId, usize> = self
            .entries
            .iter()
            .map(|(number, it)| (it.room, *number))
            .collect();
        let reader = self.club.store.reader().unwrap();
        let mut seen = HashSet::new();
        let mut games = 0;
        reader
            .for_each_game(0, |game| {
                games += 1;
                let entry = self.entries.get_mut(&by_room[&game.room]).unwrap();
                assert!(seen.insert(game.room), "archived twice");
                assert_eq!(game.moves, entry.game.position().move_text());
                match entry.outcome {
                    Some(outcome) => assert_eq!(game.outcome, outcome),
                    None => {
                        let falls = entry.due().max(self.grace);
                        assert!(falls <= self.now && self.now <= falls + tick + SECOND);
                        assert_eq!(game.outcome, entry.loss_by_time());
                        entry.outcome = Some(game.outcome);
                        self.flags += 1;
                    }
                }
            })
            .unwrap();
        for entry in self.entries.values().filter(|it| it.outcome.is_some()) {
            assert!(seen.contains(&entry.room), "{} is not archived", entry.room);
        }
        self.archived = games;
    }

    /// The server is killed, and starts again after this time.
    fn kill(&mut self, outage: Duration) {
        self.club.store.heartbeat(self.now).unwrap();
        self.connected.clear();
        drop(std::mem::replace(&mut self.club, Tester::nowhere()));
        self.now += outage;
        self.grace = self.grace.max(self.now + outage);
        self.club = Tester::open(&self.folder.path().join("club"), Limits::default());
        self.club.tick(self.now);
        assert_eq!(self.club.club.statistics().awake, 0);
        // Those who would have come meanwhile come in the time that is given for it.
        let mut events = Vec::new();
        while self
            .events
            .peek()
            .is_some_and(|Reverse((at, _))| *at <= self.now)
        {
            let Reverse((_, event)) = self.events.pop().unwrap();
            if !matches!(event, Event::Leave(_)) {
                let at = self.now + outage.mul_f64(self.random.f64() * 0.9);
                events.push(Reverse((at, event)));
            }
        }
        self.events.extend(events);
    }
}

fn play_season(plan: &Plan) -> Season {
    let mut season = Season::new();
    for person in 0..plan.people {
        season.arrive(person);
        let visitor = Season::visitor(person);
        let name = rename(&format!("Person {person}"));
        season.club.receive(season.now, visitor, &name);
        season.leave(person);
    }
    let end = START + DAY * plan.days;
    for number in 0..plan.games {
        let at = START + (DAY * plan.days / 3).mul_f64(season.random.f64());
        season.events.push(Reverse((at, Event::Begin(number))));
    }
    for person in (0..plan.people).step_by(2) {
        let at = START + (DAY * plan.days).mul_f64(season.random.f64());
        season.events.push(Reverse((at, Event::Vacation(person))));
    }
    // Two kills, and a day of outage between them.
    let mut outages = [(4, 10 * SECOND), (2, DAY), (1, 10 * SECOND)]
        .map(|(part, outage)| (START + DAY * plan.days * (5 - part) / 6, outage))
        .into_iter()
        .peekable();
    let mut next_tick = START;
    while season.now < end {
        let event = season.events.peek().map_or(end, |Reverse((at, _))| *at);
        season.now = season.now.max(event.min(next_tick));
        if season.now >= next_tick {
            season.tick(plan.tick);
            next_tick = season.now + plan.tick;
            if let Some((_, outage)) = outages.next_if(|(at, _)| *at <= season.now) {
                season.compare(plan.tick);
                season.kill(outage);
                season.compare(plan.tick);
                next_tick = season.now + plan.tick;
            }
        } else if let Some(Reverse((_, event))) = season.events.pop() {
            match event {
                Event::Begin(number) => {
                    // Everybody plays as many games, against changing opponents.
                    let first = number % plan.people;
                    let step = 1 + number / plan.people % (plan.people - 1);
                    season.begin(number, [first, (first + step) % plan.people]);
                }
                Event::Act(number) => season.act(number),
                Event::Leave(person) => season.leave(person),
                Event::Vacation(person) => season.vacation(person),
            }
        }
    }
    assert!(outages.next().is_none());
    season.compare(plan.tick);
    // The games that go on have all their stones.
    season.arrive(0);
    let going_on: Vec<usize> = season
        .entries
        .iter()
        .filter(|(_, it)| it.outcome.is_none())
        .map(|(number, _)| *number)
        .collect();
    for number in going_on {
        let visitor = Season::visitor(0);
        let entry = &season.entries[&number];
        season.club.receive(season.now, visitor, &enter(entry.room));
        let moves = entry.game.position().moves().map(|(_, point)| point);
        assert!(season.stones(visitor).into_iter().eq(moves));
    }
    season
}

#[test]
fn in_a_season_everybody_loses_only_what_they_lost() {
    let season = play_season(&Plan {
        people: 8,
        games: 50,
        days: 24,
        tick: 5 * 60 * SECOND,
    });
    let outcomes = season.entries.values().filter_map(|it| it.outcome);
    let won = outcomes.filter(|it| it.reason == Termination::Five).count();
    let [taken, ended] = season.taken;
    assert!(
        season.archived > 30 && season.flags > 5 && won > 0,
        "{} {} {won}",
        season.archived,
        season.flags
    );
    assert!(taken > 2 && ended > 0, "{taken} {ended}");
}

/// Prints the numbers of a large season.
#[test]
#[ignore = "takes some minutes"]
fn a_season_of_five_thousand_games() {
    let season = play_season(&Plan {
        people: 200,
        games: 5000,
        days: 60,
        tick: 60 * SECOND,
    });
    let moves: usize = season.entries.values().map(|it| it.game.ply()).sum();
    println!(
        "{} games begun, {} archived, {} lost by time, {moves} moves; vacations begun and ended: {:?}",
        season.entries.len(),
        season.archived,
        season.flags,
        season.taken,
    );
}
