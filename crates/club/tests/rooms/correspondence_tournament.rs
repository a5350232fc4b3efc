//! Tournaments of correspondence games, whose standings an oracle counts from the results of the games.

use crate::club::{START, Tester};
use crate::messages::{create, create_tournament, enter, open_tournament, rated, tournament_setup};
use crate::play;
use crate::tournament::{NAMES, visitor};
use fastrand::Rng;
use quincunx_club::rooms::{
    Action, ClockRule, ClubRequest, Limits, RoomId, RoomSetup, Stage, TournamentId,
    TournamentMessage, TournamentSetup, TournamentStage, TournamentView,
};
use quincunx_pairing::System;
use std::collections::BTreeMap;
use std::time::Duration;
use tempfile::TempDir;

const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(86_400);
const ALL_AT_ONCE: System = System::AllAtOnce { double: false };

fn setup() -> TournamentSetup {
    TournamentSetup {
        setup: RoomSetup {
            clock: ClockRule::Correspondence { days: 3 },
            ..rated()
        },
        days: Some(10),
        ..tournament_setup(ALL_AT_ONCE)
    }
}

/// A club with a tournament of the first so many names, and what its games should have come to.
struct Season {
    folder: TempDir,
    club: Tester,
    now: Duration,
    id: TournamentId,
    players: usize,
    /// The games: players by seats, stones, time used by seats, and the half points of the first seat.
    games: BTreeMap<RoomId, Game>,
}

#[derive(Clone, Debug)]
struct Game {
    players: [usize; 2],
    ply: usize,
    began: Duration,
    used: [Duration; 2],
    score: Option<u32>,
}

impl Season {
    fn begin(players: usize) -> Season {
        let folder = TempDir::new().unwrap();
        let mut club = Tester::open(&folder.path().join("club"), Limits::default());
        for (player, name) in NAMES.iter().enumerate().take(players) {
            club.arrive_as(START, visitor(player), name);
        }
        club.say(visitor(0), &create_tournament(setup()));
        let id = club.tournament(visitor(0)).summary.tournament;
        for player in 0..players {
            club.say(visitor(player), &open_tournament(id));
            club.say(visitor(player), &TournamentMessage::JoinTournament);
        }
        club.say(visitor(0), &TournamentMessage::BeginTournament);
        let mut season = Season {
            folder,
            club,
            now: START,
            id,
            players,
            games: BTreeMap::new(),
        };
        let view = season.view();
        assert_eq!(view.summary.stage, TournamentStage::Running);
        let player = |name: &str| NAMES.iter().position(|it| *it == name).unwrap();
        for pairing in &view.pairings {
            let second = pairing.second.as_ref().unwrap();
            let game = Game {
                players: [player(&pairing.first), player(second)],
                ply: 0,
                began: START,
                used: [Duration::ZERO; 2],
                score: None,
            };
            assert!(season.games.insert(pairing.room.unwrap(), game).is_none());
        }
        assert_eq!(season.games.len(), players * (players - 1) / 2);
        season.leave();
        season
    }

    /// All leave, so that the rooms sleep.
    fn leave(&mut self) {
        for player in 0..self.players {
            self.club.club.leave(self.now, visitor(player));
        }
        self.club.tick(self.now);
        assert_eq!(self.club.club.statistics().awake, 0);
    }

    /// The tournament as a player sees it who comes.
    fn view(&mut self) -> TournamentView {
        self.club.arrive(self.now, visitor(0));
        self.club
            .receive(self.now, visitor(0), &open_tournament(self.id));
        self.club.tournament(visitor(0)).clone()
    }

    /// A player comes into a room, acts and goes.
    fn visit(&mut self, player: usize, room: RoomId, action: &Action) {
        self.club.arrive(self.now, visitor(player));
        self.club.receive(self.now, visitor(player), &enter(room));
        self.club.receive(self.now, visitor(player), action);
        self.club.club.leave(self.now, visitor(player));
        self.club.tick(self.now);
    }

    /// The player to move plays, or somebody resigns.
    fn step(&mut self, room: RoomId, random: &mut Rng) {
        let now = self.now;
        let game = self.games.get_mut(&room).unwrap();
        let seat = game.ply % 2;
        let player = game.players[seat];
        let action = if game.ply >= 2 && random.u8(..8) == 0 {
            game.score = Some(2 * seat as u32);
            Action::Resign
        } else {
            // No five comes of these.
            let point = format!(
                "{}{}",
                (b'a' + (game.ply % 8) as u8) as char,
                1 + game.ply / 8 * 2
            );
            game.used[seat] += now - game.began;
            (game.began, game.ply) = (now, game.ply + 1);
            play(&point, game.ply - 1)
        };
        self.visit(player, room, &action);
    }

    /// Lets flags fall in the ledger.
    fn fall(&mut self) {
        for game in self.games.values_mut().filter(|it| it.score.is_none()) {
            if game.began + 3 * DAY + HOUR / 60 < self.now {
                game.score = Some(if game.ply % 2 == 0 { 0 } else { 2 });
            }
        }
    }

    fn kill(&mut self) {
        self.club.store.heartbeat(self.now).unwrap();
        drop(std::mem::replace(&mut self.club, Tester::nowhere()));
        let path = self.folder.path().join("club");
        self.club = Tester::open(&path, Limits::default());
        self.club.tick(self.now);
    }

    /// Compares the standings with the results of the ledger.
    fn compare(&mut self) {
        let mut half_points = vec![0; self.players];
        for game in self.games.values() {
            if let Some(score) = game.score {
                half_points[game.players[0]] += score;
                half_points[game.players[1]] += 2 - score;
            }
        }
        let view = self.view();
        for place in &view.standings {
            let player = NAMES.iter().position(|it| *it == place.name).unwrap();
            let points = f64::from(half_points[player]) / 2.0;
            assert_eq!(
                place.place.points, points,
                "{}: {:?}",
                place.name, self.games
            );
        }
        let is_over = self.games.values().all(|game| game.score.is_some());
        assert_eq!(view.summary.stage == TournamentStage::Over, is_over);
        self.club.club.leave(self.now, visitor(0));
        self.club.tick(self.now);
    }
}

#[test]
fn games_are_played_at_once_and_the_deadline_decides_the_others() {
    for seed in 0..6 {
        let mut random = Rng::with_seed(seed);
        let mut season = Season::begin(3 + seed as usize % 3);
        let deadline = START + 10 * DAY;
        while season.now + 8 * HOUR < deadline {
            season.now += HOUR.mul_f64(random.f64() * 8.0);
            season.club.tick(season.now);
            season.fall();
            let games = season.games.iter().filter(|(_, game)| game.score.is_none());
            let rooms: Vec<RoomId> = games.map(|(room, _)| *room).collect();
            let Some(room) = random.choice(&rooms).copied() else {
                break;
            };
            season.step(room, &mut random);
            if random.u8(..6) == 0 {
                season.kill();
            }
            if random.u8(..4) == 0 {
                season.compare();
            }
        }
        season.compare();
        season.now = deadline + HOUR / 60;
        season.club.tick(season.now);
        for game in season.games.values_mut().filter(|it| it.score.is_none()) {
            let mut used = game.used;
            used[game.ply % 2] += deadline - game.began;
            game.score = Some(match used[0].cmp(&used[1]) {
                std::cmp::Ordering::Less => 2,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Greater => 0,
            });
        }
        season.compare();
    }
}

#[test]
fn who_withdraws_loses_the_games_that_are_not_over() {
    let mut season = Season::begin(4);
    season.club.arrive(season.now, visitor(2));
    season
        .club
        .receive(season.now, visitor(2), &open_tournament(season.id));
    season
        .club
        .receive(season.now, visitor(2), &TournamentMessage::Withdraw);
    for game in season.games.values_mut() {
        if let Some(seat) = game.players.iter().position(|player| *player == 2) {
            game.score = Some(2 * seat as u32);
        }
    }
    season.club.club.leave(season.now, visitor(2));
    season.club.tick(season.now);
    season.compare();
    let (room, _) = season
        .games
        .iter()
        .find(|(_, it)| it.score.is_none())
        .unwrap();
    let room = *room;
    season.club.arrive(season.now, visitor(0));
    season.club.receive(season.now, visitor(0), &enter(room));
    assert_eq!(season.club.room(visitor(0)).state.stage, Stage::Playing);
}

/// Who takes a vacation before the deadline wins no game by it.
#[test]
fn a_vacation_counts_at_the_deadline() {
    let mut season = Season::begin(2);
    let (room, game) = season.games.pop_first().unwrap();
    let [first, second] = game.players;
    season.now += HOUR;
    season.visit(first, room, &play("h8", 0));
    season.now += 2 * HOUR;
    season.visit(second, room, &play("i9", 1));
    // The first player has used an hour, and stalls.
    season.now = START + 2 * DAY;
    season.club.arrive(season.now, visitor(first));
    season.club.receive(
        season.now,
        visitor(first),
        &ClubRequest::Vacation { days: 14 },
    );
    season.club.club.leave(season.now, visitor(first));
    season.now = START + 10 * DAY + HOUR;
    season.club.tick(season.now);
    let view = season.view();
    assert_eq!(view.summary.stage, TournamentStage::Over);
    assert_eq!(view.standings[0].name, NAMES[second]);
}

#[test]
fn only_round_robins_with_a_deadline_have_correspondence_games() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    club.arrive_as(START, visitor(0), "Anna");
    let live = tournament_setup(System::RoundRobin { double: false });
    for wrong in [
        TournamentSetup {
            days: None,
            ..setup()
        },
        TournamentSetup {
            days: Some(6),
            ..setup()
        },
        TournamentSetup {
            days: Some(366),
            ..setup()
        },
        TournamentSetup {
            system: System::Swiss { rounds: 3 },
            ..setup()
        },
        TournamentSetup {
            system: ALL_AT_ONCE,
            ..live.clone()
        },
        TournamentSetup {
            days: Some(10),
            ..live
        },
    ] {
        club.say(visitor(0), &create_tournament(wrong));
        assert_eq!(club.error(visitor(0)), "tournament");
    }
    // A player who has no place for all of its games does not take part: here tournaments that have
    // not begun take the places.
    for player in 2..9 {
        let maker = visitor(player);
        club.arrive_as(START, maker, &format!("Maker {player}"));
        club.say(maker, &create_tournament(setup()));
        club.say(maker, &TournamentMessage::JoinTournament);
        let id = club.tournament(maker).summary.tournament;
        let before = club.letters.len();
        club.say(visitor(0), &open_tournament(id));
        club.say(visitor(0), &TournamentMessage::JoinTournament);
        let expected = (player == 8).then_some("too_many_of_yours");
        assert_eq!(club.error_since(before, visitor(0)), expected, "{player}");
    }
    for player in 2..9 {
        club.say(visitor(player), &TournamentMessage::EndTournament);
    }

    club.arrive_as(START, visitor(1), "Béla");
    for _ in 0..9 {
        let setup = RoomSetup {
            clock: ClockRule::Correspondence { days: 1 },
            ..rated()
        };
        for pair in [[0, 1], [1, 0]] {
            for _ in 0..5 {
                club.begin_in(START, pair.map(visitor), &create(setup));
            }
        }
    }
    club.say(visitor(0), &create_tournament(setup()));
    let id = club.tournament(visitor(0)).summary.tournament;
    club.say(visitor(1), &open_tournament(id));
    club.say(visitor(1), &TournamentMessage::JoinTournament);
    assert_eq!(club.error(visitor(1)), "too_many_of_yours");
}
