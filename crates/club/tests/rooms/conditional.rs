//! Conditional moves: a slow oracle beside random games, and what a club does with them.

use crate::club::{ANNA, BELA, START, Tester};
use crate::messages::{create, create_with_engine, enter, rated, text, unrated};
use crate::{MINUTE, begun, ms, play};
use fastrand::Rng;
use quincunx_club::rooms::{
    Action, ClockRule, ClubMessage, ClubRequest, Limits, Room, RoomSetup, Stage, VisitorId,
};
use quincunx_engine::game::Game;
use quincunx_engine::game::swap::{Choice, OpeningRule, Seat};
use quincunx_engine::rules::{BoardSize, Point, Rule};
use std::time::Duration;
use tempfile::TempDir;

const DAY: Duration = Duration::from_secs(86_400);
const DAYS: ClockRule = ClockRule::Correspondence { days: 3 };
const CARL: VisitorId = VisitorId(3);
const SEATS: [Seat; 2] = [Seat::First, Seat::Second];

/// Games as lists of moves from the first one. An answer is looked up among all lines of a player
/// with all their moves, each time from scratch.
struct Oracle {
    setup: RoomSetup,
    moves: Vec<Point>,
    /// The moves of the game up to the end of each line, by seats.
    lines: [Vec<Vec<Point>>; 2],
    answers: usize,
}

impl Oracle {
    /// The game after these moves, if they can be played.
    fn game(&self, moves: &[Point]) -> Option<Game> {
        let mut game = Game::new(self.setup.rule, self.setup.size).drawn_when_stuck();
        moves
            .iter()
            .all(|it| game.play(*it).is_ok())
            .then_some(game)
    }

    fn to_move(&self) -> usize {
        self.moves.len() % 2
    }

    fn play(&mut self, point: Point) -> bool {
        self.moves.push(point);
        if self.game(&self.moves).is_some() {
            return true;
        }
        self.moves.pop();
        false
    }

    /// The next move of a line that begins with the game so far.
    fn answer(&self, seat: usize) -> Option<Point> {
        let played = self.moves.len();
        let fits = |line: &&Vec<Point>| line.starts_with(&self.moves) && line.len() > played;
        self.lines[seat].iter().find(fits).map(|line| line[played])
    }

    fn answer_all(&mut self) {
        self.answers = 0;
        while let Some(point) = self.answer(self.to_move()) {
            assert!(self.play(point));
            self.answers += 1;
        }
    }

    fn act(&mut self, seat: usize, point: Point, ply: usize) -> bool {
        let is_done = self.to_move() == seat && self.moves.len() == ply && self.play(point);
        if is_done {
            self.answer_all();
        }
        is_done
    }

    fn set(&mut self, seat: usize, point: Option<Point>, ply: usize, lines: &[Vec<Point>]) -> bool {
        let (before, answers) = (self.moves.clone(), self.answers);
        if self.moves.len() != ply || (point.is_some() && self.to_move() != seat) {
            return false;
        }
        let is_played = point.is_none_or(|point| self.play(point));
        if is_played && point.is_some() && self.game(&self.moves).unwrap().is_over() {
            self.answers = 0;
            return true;
        }
        let whole = |line: &Vec<Point>| [&self.moves[..], line].concat();
        let whole: Vec<Vec<Point>> = lines.iter().map(whole).collect();
        // Each move of the opponent is answered in one way.
        let contradict = |one: &Vec<Point>, other: &Vec<Point>| {
            (self.moves.len() + 1..one.len().min(other.len()))
                .step_by(2)
                .any(|at| one[..at] == other[..at] && one[at] != other[at])
        };
        let is_allowed = is_played
            && self.game(&self.moves).is_some_and(|it| !it.is_over())
            && self.to_move() != seat
            && lines.len() <= 20
            && lines
                .iter()
                .all(|it| !it.is_empty() && it.len() % 2 == 0 && it.len() <= 30)
            && whole.iter().all(|it| self.game(it).is_some())
            && !whole
                .iter()
                .any(|one| whole.iter().any(|other| contradict(one, other)));
        if !is_allowed {
            (self.moves, self.answers) = (before, answers);
            return false;
        }
        self.lines[seat] = whole;
        if point.is_some() {
            self.answer_all();
        }
        true
    }

    /// The lines of a seat from the next move on.
    fn rest(&self, seat: usize) -> Vec<String> {
        if self.game(&self.moves).unwrap().is_over() {
            return Vec::new();
        }
        let played = self.moves.len();
        let fits = |line: &&Vec<Point>| line.starts_with(&self.moves) && line.len() > played;
        let lines = self.lines[seat].iter().filter(fits);
        lines.map(|line| text_of(&line[played..])).collect()
    }
}

fn text_of(line: &[Point]) -> String {
    line.iter().map(Point::to_string).collect()
}

/// A few points, so that lines are followed often.
fn random_point(random: &mut Rng, size: BoardSize) -> Point {
    let side = if random.u8(..4) == 0 {
        size.width() + 1
    } else {
        3
    };
    Point::new(
        random.usize(..side),
        random.usize(..size.height().min(side)),
    )
}

/// Lines that share their beginnings, and some that are wrong.
fn random_lines(random: &mut Rng, size: BoardSize) -> Vec<Vec<Point>> {
    let mut lines: Vec<Vec<Point>> = Vec::new();
    for _ in 0..[0, 1, 2, 4, 20, 21][random.usize(..6)] {
        let mut line = match lines.last() {
            Some(last) => last[..random.usize(..=last.len()) / 2 * 2].to_vec(),
            None => Vec::new(),
        };
        let more = [2, 2, 4, 6][random.usize(..4)] + usize::from(random.u8(..60) == 0);
        line.extend((0..more).map(|_| random_point(random, size)));
        lines.push(line);
    }
    lines
}

/// Returns the number of conditional moves that were played.
fn random_game(seed: u64) -> usize {
    let mut random = Rng::with_seed(seed);
    let side = [5, 6, 15][random.usize(..3)];
    let setup = RoomSetup {
        rule: [Rule::Freestyle, Rule::Standard, Rule::Renju][random.usize(..3)],
        size: BoardSize::square(side).unwrap(),
        ..crate::setup(OpeningRule::Free, DAYS)
    };
    let mut room = begun(setup);
    let mut oracle = Oracle {
        setup,
        moves: Vec::new(),
        lines: Default::default(),
        answers: 0,
    };
    let mut answers = 0;
    for step in 0..120 {
        let now = ms(step);
        let seat = random.usize(..2);
        let ply = room.game().ply() + usize::from(random.u8(..30) == 0);
        let mut point = random_point(&mut random, setup.size);
        // The opponent follows a line.
        let line = &oracle.rest(1 - oracle.to_move());
        if let Some(first) = line.first().filter(|_| random.bool()) {
            point = Room::new(setup)
                .game()
                .size()
                .iter()
                .find(|it| {
                    text_of(&[*it])
                        == first[..first[1..].find(|c: char| c.is_alphabetic()).unwrap() + 1]
                })
                .unwrap();
        }
        let (done, expected) = match random.u8(..20) {
            0 => {
                // Both players agree to take a move back.
                let done = SEATS
                    .iter()
                    .all(|it| room.act(now, *it, Action::AskUndo, ms(0)).is_ok());
                if done {
                    // The first asks: their last move is taken back.
                    let count = 1 + usize::from(oracle.to_move() == 0);
                    oracle.moves.truncate(oracle.moves.len() - count);
                    oracle.lines = Default::default();
                    oracle.answers = 0;
                }
                (done, done)
            }
            1..10 => {
                let action = Action::Play { point, ply };
                let done = room.act(now, SEATS[seat], action, ms(0)).is_ok();
                (done, oracle.act(seat, point, ply))
            }
            _ => {
                let point = Some(point).filter(|_| random.bool());
                let mut lines = random_lines(&mut random, setup.size);
                if random.u8(..4) > 0 {
                    // Most lines are right.
                    lines.retain(|it| oracle_allows(&oracle, point, it));
                }
                let texts: Vec<String> = lines.iter().map(|it| text_of(it)).collect();
                let done = room
                    .set_lines(now, SEATS[seat], (point, ply), &texts)
                    .is_ok();
                (done, oracle.set(seat, point, ply, &lines))
            }
        };
        assert_eq!(done, expected, "{seed} {step}");
        let moves: Vec<Point> = room.game().moves().map(|(_, point)| point).collect();
        assert_eq!(moves, oracle.moves, "{seed} {step}");
        assert_eq!(room.answers(), oracle.answers, "{seed} {step}");
        answers += oracle.answers * usize::from(done);
        let record = serde_json::to_string(&room.record()).unwrap();
        room = Room::restore(serde_json::from_str(&record).unwrap()).unwrap();
        for (index, seat) in SEATS.into_iter().enumerate() {
            assert_eq!(room.lines(seat), oracle.rest(index), "{seed} {step}");
        }
        if room.stage() == Stage::Over {
            return answers;
        }
    }
    answers
}

fn oracle_allows(oracle: &Oracle, point: Option<Point>, line: &[Point]) -> bool {
    let first: Vec<Point> = point.into_iter().collect();
    oracle
        .game(&[&oracle.moves[..], &first, line].concat())
        .is_some()
}

#[test]
fn random_games_with_lines_are_what_the_oracle_plays() {
    let answers: usize = (0..400).map(random_game).sum();
    assert!(answers > 1000, "{answers}");
}

fn lines(lines: &[&str], ply: usize) -> ClubRequest {
    ClubRequest::ConditionalMoves {
        lines: lines.iter().map(|it| (*it).to_owned()).collect(),
        point: None,
        ply,
    }
}

/// A move with lines.
fn play_with(point: &str, ply: usize, lines: &[&str]) -> ClubRequest {
    ClubRequest::ConditionalMoves {
        lines: lines.iter().map(|it| (*it).to_owned()).collect(),
        point: Some(point.parse().unwrap()),
        ply,
    }
}

fn folder() -> TempDir {
    TempDir::new().unwrap()
}

fn open(folder: &TempDir) -> Tester {
    Tester::open(&folder.path().join("club"), Limits::default())
}

/// The moves of the room that a visitor was sent last.
fn moves(club: &Tester, visitor: VisitorId) -> String {
    let stones = club.room(visitor).board.stones.iter();
    stones.map(|stone| stone.point.to_string()).collect()
}

/// The lines that a visitor was sent last.
fn own(club: &Tester, visitor: VisitorId) -> Vec<String> {
    let mut sent = club.since(0, visitor).rev();
    let lines = sent.find_map(|it| match it {
        ClubMessage::ConditionalMoves { lines, .. } => Some(lines.clone()),
        _ => None,
    });
    lines.unwrap()
}

#[test]
fn lines_are_played_and_nobody_else_is_sent_them() {
    let folder = folder();
    let mut club = open(&folder);
    let room = club.begin(START, DAYS);
    club.arrive(START, CARL);
    club.receive(START, CARL, &enter(room));
    club.receive(START, ANNA, &play("h8", 0));
    let sent = club.letters.len();
    club.receive(START, ANNA, &lines(&["i9j10k11a1", "i9j10b1b2", "c1c2"], 1));
    // Not even that anything has changed.
    assert_eq!(club.since(sent, BELA).count(), 0);
    assert_eq!(club.since(sent, CARL).count(), 0);
    assert_eq!(own(&club, ANNA), ["i9j10k11a1", "i9j10b1b2", "c1c2"]);
    club.receive(START + DAY, BELA, &play("i9", 1));
    assert_eq!(
        (&*moves(&club, BELA), club.room(BELA).answers),
        ("h8i9j10", 1)
    );
    assert_eq!(own(&club, ANNA), ["k11a1", "b1b2"]);
    // The answer took no time, and Béla has all of hers.
    assert_eq!(club.main_ms(BELA), [3 * 86_400_000; 2]);
    assert_eq!(club.room(BELA).state.actor, Some(Seat::Second));
    let now = START + 2 * DAY;
    club.receive(now, BELA, &play_with("b1", 3, &["n12m13"]));
    assert_eq!(moves(&club, BELA), "h8i9j10b1b2");
    assert_eq!(own(&club, ANNA), Vec::<String>::new());
    assert_eq!(own(&club, BELA), Vec::<String>::new());
    let is_secret = |it: &ClubMessage| match it {
        ClubMessage::ConditionalMoves { lines, .. } => !lines.is_empty(),
        it => text_of_message(it).contains("k11") || text_of_message(it).contains("n12"),
    };
    assert_eq!(club.count(0, CARL, is_secret), 0);
    assert_eq!(club.count(0, BELA, is_secret), 0);
}

fn text_of_message(message: &ClubMessage) -> String {
    serde_json::to_string(message).unwrap()
}

#[test]
fn lines_of_both_players_answer_one_another() {
    let folder = folder();
    let mut club = open(&folder);
    club.begin(START, DAYS);
    club.receive(START, ANNA, &play("h8", 0));
    club.receive(START, ANNA, &lines(&["i9j10k11l12a1a2"], 1));
    club.receive(START, BELA, &play_with("i9", 1, &["j10k11l12b1"]));
    // Béla has another answer to l12 than Anna thought.
    assert_eq!(moves(&club, ANNA), "h8i9j10k11l12b1");
    assert_eq!(club.room(ANNA).answers, 4);
    for visitor in [ANNA, BELA] {
        assert_eq!(own(&club, visitor), Vec::<String>::new());
    }
    assert_eq!(club.room(ANNA).state.actor, Some(Seat::First));
}

#[test]
fn a_sleeping_game_keeps_its_lines_over_kills_and_plays_them_once() {
    let folder = folder();
    let mut club = open(&folder);
    let room = club.begin(START, DAYS);
    club.receive(START, ANNA, &play_with("h8", 0, &["i9j10k11l12"]));
    for visitor in [ANNA, BELA] {
        club.club.leave(START, visitor);
    }
    club.tick(START);
    assert_eq!(club.club.statistics().awake, 0);
    let now = START + DAY;
    let come = |club: &mut Tester, visitor| {
        club.tick(now);
        club.arrive(now, visitor);
        club.receive(now, visitor, &enter(room));
    };
    // The move and the answer are lost together.
    for _ in 0..2 {
        drop(std::mem::replace(&mut club, Tester::nowhere()));
        club = open(&folder);
        come(&mut club, BELA);
        assert_eq!(moves(&club, BELA), "h8");
        club.club.receive(now, BELA, ms(0), &text(&play("i9", 1)));
        assert!(!club.club.take_effects().writes.is_empty());
    }
    drop(std::mem::replace(&mut club, Tester::nowhere()));
    club = open(&folder);
    come(&mut club, BELA);
    club.receive(now, BELA, &play("i9", 1));
    assert_eq!(moves(&club, BELA), "h8i9j10");
    club.club.leave(now, BELA);
    club.tick(now);
    drop(std::mem::replace(&mut club, Tester::nowhere()));
    club = open(&folder);
    come(&mut club, ANNA);
    assert_eq!(
        (moves(&club, ANNA), own(&club, ANNA)),
        ("h8i9j10".to_owned(), vec!["k11l12".to_owned()])
    );
    come(&mut club, BELA);
    club.receive(now, BELA, &play("k11", 3));
    assert_eq!(moves(&club, BELA), "h8i9j10k11l12");
}

#[test]
fn wrong_lines_change_nothing() {
    let folder = folder();
    let mut club = open(&folder);
    club.begin(START, DAYS);
    // Her own move comes first.
    club.receive(START, ANNA, &lines(&["i9j10"], 0));
    assert_eq!(club.error(ANNA), "conditional_turn");
    club.receive(START, BELA, &play_with("h8", 0, &[]));
    assert_eq!(club.error(BELA), "not_your_turn");
    club.receive(START, ANNA, &play("h8", 0));
    club.receive(START, ANNA, &lines(&["i9j10"], 1));
    let long: String = (0..31)
        .map(|it| format!("{}{}", char::from(b'a' + it % 15), 1 + it / 15))
        .collect();
    let (many, huge) = (vec!["a1a2"; 21], "a1 ".repeat(10_000));
    for (wrong, ply, code, text) in [
        (
            &["i9j10", "i9"] as &[&str],
            1,
            "conditional_line",
            "line 2 ",
        ),
        (&[""], 1, "conditional_line", ""),
        (&["i9h8"], 1, "conditional_line", ""),
        (&["i9i9"], 1, "conditional_line", ""),
        (&["i9q1"], 1, "conditional_line", ""),
        (&["i9--"], 1, "conditional_line", ""),
        (&["what"], 1, "conditional_line", ""),
        (&["i9j10", "a1a2", "i9j11"], 1, "contradiction", "line 3 "),
        (&[&long], 1, "too_many_lines", "line 1 is too long"),
        (&[&huge], 1, "too_many_lines", "line 1 is too long"),
        (&many, 1, "too_many_lines", ""),
        (&["a1a2"], 2, "stale", ""),
    ] {
        club.receive(START + DAY, ANNA, &lines(wrong, ply));
        assert_eq!(club.error(ANNA), code, "{wrong:?}");
        assert!(club.error_text(ANNA).contains(text));
        assert_eq!(own(&club, ANNA), ["i9j10"]);
    }
    club.arrive(START, CARL);
    club.receive(START, CARL, &lines(&["i9j10"], 1));
    assert_eq!(club.error(CARL), "watching");
    // A wrong line keeps a move from being played, and a wrong point does.
    club.receive(START + DAY, BELA, &play_with("i9", 1, &["a1a1"]));
    assert_eq!(club.error(BELA), "conditional_line");
    club.receive(START + DAY, BELA, &play_with("h8", 1, &["a1a2"]));
    assert_eq!(club.error(BELA), "taken");
    assert_eq!(moves(&club, BELA), "h8");
    club.receive(START + DAY, BELA, &play("i9", 1));
    assert_eq!(moves(&club, BELA), "h8i9j10");
    // The end of the game drops all.
    club.receive(START + DAY, ANNA, &lines(&["a1a2"], 3));
    club.receive(START + DAY, BELA, &Action::Resign);
    club.receive(START + DAY, ANNA, &lines(&["a1a2"], 3));
    assert_eq!(club.error(ANNA), "conditional");
}

#[test]
fn live_games_and_openings_take_no_lines() {
    let folder = folder();
    let mut club = open(&folder);
    club.begin(START, MINUTE);
    club.receive(START, ANNA, &play("h8", 0));
    club.receive(START, ANNA, &lines(&["i9j10"], 1));
    assert_eq!(club.error(ANNA), "conditional");
    let swap = RoomSetup {
        opening: OpeningRule::Swap2,
        clock: DAYS,
        ..rated()
    };
    club.begin_in(START, [ANNA, BELA], &create(swap));
    club.receive(START, ANNA, &play_with("h8", 0, &["i9j10"]));
    assert_eq!(club.error(ANNA), "conditional");
    for (ply, point) in ["h8", "i9", "a1"].into_iter().enumerate() {
        club.receive(START, ANNA, &play(point, ply));
    }
    club.receive(START, ANNA, &lines(&["b1b2"], 3));
    assert_eq!(club.error(ANNA), "conditional");
    let choice = Choice::White;
    club.receive(START, BELA, &Action::Choose { choice, ply: 3 });
    club.receive(START, ANNA, &lines(&["b1b2"], 3));
    club.receive(START, BELA, &play("b1", 3));
    assert_eq!(moves(&club, BELA), "h8i9a1b1b2");
}

/// Black may not answer with an overline, nor expect one of an opponent with black.
#[test]
fn forbidden_points_are_no_answers() {
    let folder = folder();
    let mut club = open(&folder);
    let renju = RoomSetup {
        rule: Rule::Renju,
        clock: DAYS,
        ..unrated()
    };
    club.begin(START, DAYS);
    club.begin_in(START, [ANNA, BELA], &create(renju));
    let stones = ["a1", "a15", "b1", "c15", "c1", "e15", "e1", "g15", "f1"];
    club.play_stones(START, [ANNA, BELA], &stones);
    club.receive(START, ANNA, &lines(&["i15d1"], 9));
    assert_eq!(club.error(ANNA), "conditional_line");
    club.receive(START, ANNA, &lines(&["i15h8"], 9));
    club.receive(START, BELA, &play_with("i15", 9, &["d1h8"]));
    assert_eq!(club.error(BELA), "conditional_line");
    club.receive(START, BELA, &play("i15", 9));
    assert!(moves(&club, BELA).ends_with("i15h8"));
}

#[test]
fn the_engine_is_answered_and_asked_again() {
    let folder = folder();
    let mut club = open(&folder);
    club.arrive_as(START, ANNA, "Anna");
    let setup = RoomSetup {
        clock: DAYS,
        ..unrated()
    };
    club.receive(START, ANNA, &create_with_engine(setup, 50));
    club.receive(START, ANNA, &play_with("h8", 0, &["i9j10"]));
    let job = club.jobs.remove(0);
    let best = quincunx_engine::engine::BestMove {
        point: "i9".parse().unwrap(),
        info: None,
        from_book: false,
    };
    let answer = (quincunx_engine::engine::Answer::Move(best), Vec::new());
    club.club
        .receive_answer(START, (job.room, job.turn), ms(10), Some(&answer));
    club.settle();
    assert_eq!(moves(&club, ANNA), "h8i9j10");
    assert_eq!(club.jobs.len(), 1);
}

/// Of the messages of a person thirty a minute are looked at.
#[test]
fn a_flood_of_lines_is_refused() {
    let folder = folder();
    let mut club = open(&folder);
    club.begin(START, DAYS);
    club.receive(START, ANNA, &play("h8", 0));
    let point = |it: usize| format!("{}{}", char::from(b'a' + (it % 15) as u8), 1 + it / 15);
    let line = |first: usize| (first..first + 30).map(point).collect::<String>();
    let all: Vec<String> = (0..20).map(|it| line(it * 2)).collect();
    let request = ClubRequest::ConditionalMoves {
        lines: all,
        point: None,
        ply: 1,
    };
    let sent = club.letters.len();
    for _ in 0..10_000 {
        club.receive(START, ANNA, &request);
    }
    let is_taken = |it: &ClubMessage| matches!(it, ClubMessage::ConditionalMoves { .. });
    assert_eq!(club.count(sent, ANNA, is_taken), 30);
    assert_eq!(club.error(ANNA), "too_often");
    assert_eq!(club.retry_s(ANNA), Some(2));
    club.receive(START, BELA, &play("o15", 1));
    assert_eq!(moves(&club, BELA), "h8o15");
}
