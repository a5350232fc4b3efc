//! Sessions without sockets and without an engine: the tests give its answers.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::board::job::Report;
use crate::board::message::{ChoiceName, ColorName, Phase, State};
use crate::engine::{Answer, BestMove, PvInfo, Request, Swap2Step};
use crate::score::Score;
use fastrand::Rng;

/// A session with the page's clock, and what it said last.
struct Table {
    session: Session,
    now: Duration,
    replies: Vec<ServerMessage>,
}

impl Table {
    fn new() -> Table {
        let mut table = Table {
            session: Session::new(Options::default()),
            now: Duration::ZERO,
            replies: Vec::new(),
        };
        let version = VERSION;
        table.say(ClientMessage::Hello {
            version,
            save: None,
        });
        table
    }

    fn with(change: impl FnOnce(&mut Setup)) -> Table {
        let mut table = Table::new();
        let mut setup = table.state().setup;
        change(&mut setup);
        table.say(ClientMessage::NewGame(setup));
        assert_eq!(table.error(), None);
        table
    }

    fn persons() -> Table {
        Table::with(|setup| setup.white = Player::Person)
    }

    fn say(&mut self, message: ClientMessage) {
        self.replies = self.session.handle(self.now, message);
    }

    /// Plays points one after another, each on the board as it is shown.
    fn play(&mut self, points: &[&str]) {
        for point in points {
            let (point, node) = ((*point).to_owned(), self.state().node);
            self.say(ClientMessage::Play { point, node });
            assert_eq!(self.error(), None);
        }
    }

    fn choose(&mut self, choice: ChoiceName) {
        let node = self.state().node;
        self.say(ClientMessage::Choose { choice, node });
        assert_eq!(self.error(), None);
    }

    /// The engine answers the job.
    fn answer(&mut self, answer: Answer) {
        let id = self.session.job().unwrap().id;
        let answer = Some(answer);
        self.replies = self.session.report(
            id,
            Report {
                answer,
                ..Report::default()
            },
        );
    }

    fn answer_move(&mut self, point: &str) {
        self.answer(best(point, None));
    }

    fn state(&self) -> State {
        self.session.state()
    }

    fn error(&self) -> Option<&'static str> {
        self.replies.iter().find_map(|reply| match reply {
            ServerMessage::Error { code, .. } => Some(*code),
            _ => None,
        })
    }

    fn refused(&mut self, message: ClientMessage, expected: &str) {
        let before = self.state();
        self.say(message);
        assert_eq!(self.error(), Some(expected));
        assert_eq!(self.state(), before, "nothing has changed");
    }

    fn stones(&self) -> String {
        let stones = self.state().stones;
        stones
            .iter()
            .map(|stone| stone.point.as_str())
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn purpose(&self) -> Option<Purpose> {
        self.session.job().map(|job| job.purpose)
    }
}

fn best(point: &str, info: Option<PvInfo>) -> Answer {
    Answer::Move(BestMove {
        point: point.parse().unwrap(),
        info,
        from_book: false,
    })
}

fn info(point: &str, score: i32) -> PvInfo {
    PvInfo {
        rank: 0,
        lines: 1,
        depth: 8,
        seldepth: 12,
        score: Score::new(score),
        nodes: 1000,
        elapsed: Duration::from_millis(5),
        pv: vec![point.parse().unwrap()],
    }
}

fn stones(points: &[&str]) -> Answer {
    Answer::Stones(points.iter().map(|point| point.parse().unwrap()).collect())
}

#[test]
fn the_first_message_is_hello() {
    let mut session = Session::new(Options::default());
    let replies = session.handle(Duration::ZERO, ClientMessage::Undo);
    assert!(matches!(
        replies[..],
        [ServerMessage::Error {
            code: "no_hello",
            ..
        }]
    ));
    let version = VERSION + 1;
    let replies = session.handle(
        Duration::ZERO,
        ClientMessage::Hello {
            version,
            save: None,
        },
    );
    assert!(matches!(
        replies[..],
        [ServerMessage::Error {
            code: "version",
            ..
        }]
    ));
    let version = VERSION;
    let save = Some("nonsense".to_owned());
    let replies = session.handle(Duration::ZERO, ClientMessage::Hello { version, save });
    assert!(matches!(
        replies[..],
        [ServerMessage::Welcome(_), ServerMessage::State(_)]
    ));
}

#[test]
fn the_engine_answers_and_the_five_is_told() {
    let mut table = Table::new();
    for (own, reply) in [("a1", "a2"), ("b1", "b2"), ("c1", "c2"), ("d1", "d2")] {
        table.play(&[own]);
        assert_eq!(table.purpose(), Some(Purpose::Step));
        assert!(table.state().thinking);
        table.answer_move(reply);
    }
    table.play(&["e1"]);
    let state = table.state();
    assert_eq!(state.winning, ["a1", "b1", "c1", "d1", "e1"]);
    let winner = Some(ColorName::Black);
    assert_eq!(
        state.phase,
        Phase::Over {
            winner,
            reason: "five"
        }
    );
    assert_eq!((table.purpose(), state.actor), (None, None));
    let node = state.node;
    table.refused(
        ClientMessage::Play {
            point: "o1".to_owned(),
            node,
        },
        "over",
    );
}

#[test]
fn a_late_answer_after_an_undo_is_dropped() {
    let mut table = Table::new();
    table.play(&["h8"]);
    let late = table.session.job().unwrap().id;
    table.say(ClientMessage::Undo);
    assert_eq!((table.stones().as_str(), table.purpose()), ("", None));
    let answer = Some(best("i9", None));
    let report = Report {
        answer,
        ..Report::default()
    };
    assert_eq!(table.session.report(late, report.clone()), []);
    table.play(&["g7"]);
    assert_eq!(table.session.report(late, report), []);
    assert_eq!(table.stones(), "g7");
    table.answer_move("g8");
    assert_eq!(table.stones(), "g7 g8");
}

#[test]
fn undo_takes_back_the_engines_move_too_and_redo_both() {
    let mut table = Table::new();
    table.play(&["h8"]);
    table.answer_move("i9");
    table.play(&["g7"]);
    table.answer_move("f6");
    table.say(ClientMessage::Undo);
    assert_eq!(table.stones(), "h8 i9");
    table.say(ClientMessage::Undo);
    assert_eq!(
        (table.stones().as_str(), table.state().can.undo),
        ("", false)
    );
    table.refused(ClientMessage::Undo, "not_now");
    table.say(ClientMessage::Redo);
    assert_eq!(table.stones(), "h8 i9");
    table.say(ClientMessage::Redo);
    assert_eq!(table.stones(), "h8 i9 g7 f6");
    table.refused(ClientMessage::Redo, "not_now");
    assert_eq!(table.purpose(), None);
}

#[test]
fn an_engine_that_began_keeps_its_first_stone() {
    let mut table = Table::with(|setup| (setup.black, setup.white) = (setup.white, setup.black));
    table.answer_move("h8");
    assert!(!table.state().can.undo);
    table.play(&["i9"]);
    table.answer_move("g7");
    table.say(ClientMessage::Undo);
    assert_eq!(table.stones(), "h8");
    assert_eq!(table.purpose(), None);
}

#[test]
fn a_move_on_an_old_board_is_refused() {
    let mut table = Table::persons();
    table.play(&["h8"]);
    let point = "i9".to_owned();
    table.refused(ClientMessage::Play { point, node: 0 }, "stale");
    for (point, code) in [("h8", "taken"), ("p1", "point"), ("x", "point")] {
        let (point, node) = (point.to_owned(), table.state().node);
        table.refused(ClientMessage::Play { point, node }, code);
    }
    let mut table = Table::new();
    table.play(&["h8"]);
    let (point, node) = ("i9".to_owned(), table.state().node);
    table.refused(ClientMessage::Play { point, node }, "not_your_turn");
}

#[test]
fn renju_refuses_forbidden_points_and_says_why() {
    let mut table = Table::with(|setup| {
        setup.rule = "renju".to_owned();
        setup.white = Player::Person;
    });
    table.play(&["h7", "a1", "h6", "a15", "g8", "o1", "f8", "o15"]);
    let forbidden = table.state().forbidden;
    assert_eq!(forbidden.len(), 1);
    assert_eq!(
        (&*forbidden[0].point, forbidden[0].kind),
        ("h8", "double_three")
    );
    let (point, node) = ("h8".to_owned(), table.state().node);
    table.refused(ClientMessage::Play { point, node }, "forbidden");
}

#[test]
fn swap2_lets_the_engine_choose() {
    let mut table = Table::with(|setup| setup.opening = "swap2".to_owned());
    assert_eq!(
        table.state().phase,
        Phase::Place {
            first: true,
            stones: 3
        }
    );
    table.play(&["h8", "i9", "g7"]);
    let request = table.session.job().unwrap().request;
    assert_eq!(request, Request::Swap2Step(Swap2Step::ChooseOfThree));
    table.answer(stones(&["j10", "f6"]));
    assert_eq!(table.stones(), "h8 i9 g7 j10 f6");
    let options = vec![ChoiceName::Black, ChoiceName::White];
    assert_eq!(
        table.state().phase,
        Phase::Choose {
            first: true,
            options
        }
    );
    let (point, node) = ("a1".to_owned(), table.state().node);
    table.refused(ClientMessage::Play { point, node }, "opens");
    let choice = ChoiceName::TwoStones;
    table.refused(ClientMessage::Choose { choice, node }, "choice");
    table.choose(ChoiceName::Black);
    assert_eq!(
        table.state().players,
        Some([Player::Person, Player::Engine])
    );
    assert_eq!(table.purpose(), Some(Purpose::Step), "white moves");
    table.say(ClientMessage::Undo);
    assert!(
        matches!(table.state().phase, Phase::Choose { .. }),
        "the choice is taken back"
    );
    table.choose(ChoiceName::White);
    assert_eq!(
        table.state().players,
        Some([Player::Engine, Player::Person])
    );
    table.play(&["k11"]);
    assert_eq!(table.purpose(), Some(Purpose::Step));
}

#[test]
fn swap2_asks_the_person_who_did_not_begin() {
    let mut table = Table::with(|setup| {
        setup.opening = "swap2".to_owned();
        (setup.black, setup.white) = (Player::Engine, Player::Person);
    });
    let request = table.session.job().unwrap().request;
    assert_eq!(request, Request::Swap2Step(Swap2Step::Open));
    table.answer(stones(&["h8", "i9", "g7"]));
    table.choose(ChoiceName::TwoStones);
    assert_eq!(
        table.state().phase,
        Phase::Place {
            first: false,
            stones: 2
        }
    );
    table.play(&["j10", "f6"]);
    let request = table.session.job().unwrap().request;
    assert_eq!(request, Request::Swap2Step(Swap2Step::ChooseOfFive));
    table.answer(Answer::Swap { info: None });
    assert_eq!(
        table.state().players,
        Some([Player::Engine, Player::Person])
    );
    assert_eq!(
        (table.state().turn, table.purpose()),
        (ColorName::White, None)
    );
}

/// An engine that may still swap would answer a move with a swap.
#[test]
fn nobody_swaps_after_the_choice() {
    let mut table = Table::with(|setup| setup.opening = "swap1".to_owned());
    table.play(&["h8"]);
    let swaps = |table: &Table| {
        let options = table.session.job().unwrap().options;
        options.may_swap && options.opening == OpeningRule::Swap1
    };
    assert!(swaps(&table));
    table.answer_move("i9");
    let players = [Player::Person, Player::Engine];
    assert_eq!(
        (table.stones().as_str(), table.state().players),
        ("h8 i9", Some(players))
    );
    table.play(&["g7"]);
    assert!(!swaps(&table));

    let mut table = Table::with(|setup| {
        setup.opening = "swap1".to_owned();
        (setup.black, setup.white) = (setup.white, setup.black);
    });
    table.answer(stones(&["h8"]));
    table.choose(ChoiceName::Black);
    assert_eq!(
        table.purpose(),
        Some(Purpose::Step),
        "the engine moves as white"
    );
    assert!(!swaps(&table));
}

#[test]
fn a_choice_counts_only_for_its_stones() {
    let mut table = Table::with(|setup| {
        setup.opening = "swap1".to_owned();
        setup.white = Player::Person;
    });
    table.play(&["h8"]);
    table.choose(ChoiceName::White);
    table.play(&["i9"]);
    table.say(ClientMessage::GoTo { node: 0 });
    table.play(&["a1"]);
    assert!(matches!(table.state().phase, Phase::Choose { .. }));
}

#[test]
fn analysis_follows_the_board_and_ends_when_told() {
    let mut table = Table::persons();
    table.say(ClientMessage::Analyse { lines: 3 });
    let job = table.session.job().unwrap();
    assert_eq!(
        (job.purpose, job.request),
        (Purpose::Analysis, Request::Lines(3))
    );
    let first = job.id;
    table.play(&["h8"]);
    let second = table.session.job().unwrap().id;
    assert_ne!(first, second);
    let lines = vec![info("i9", 200)];
    let report = Report {
        lines,
        ..Report::default()
    };
    let replies = table.session.report(second, report.clone());
    let [ServerMessage::Analysis(analysis)] = &replies[..] else {
        panic!("{replies:?}");
    };
    assert_eq!((analysis.node, analysis.lines[0].chance), (1, 269));
    assert_eq!(table.state().tree[1].chance, Some(269));
    table.say(ClientMessage::StopAnalysis);
    assert_eq!(table.purpose(), None);
    assert_eq!(table.session.report(second, report), []);
    table.say(ClientMessage::Analyse { lines: 1 });
    table.say(ClientMessage::NewGame(table.state().setup));
    assert_eq!((table.purpose(), table.state().analysis), (None, None));
    table.refused(ClientMessage::Analyse { lines: 0 }, "lines");
    table.refused(ClientMessage::Analyse { lines: 9 }, "lines");
}

/// A position that is decided is not searched again and again.
#[test]
fn analysis_that_is_done_rests_until_something_changes() {
    let mut table = Table::persons();
    table.say(ClientMessage::Analyse { lines: 2 });
    table.answer_move("h8");
    assert_eq!((table.purpose(), table.state().analysis), (None, Some(2)));
    table.play(&["h8"]);
    assert_eq!(table.purpose(), Some(Purpose::Analysis));
    assert_eq!(table.stones(), "h8", "an analysis plays nothing");
}

#[test]
fn hints_are_told_and_not_played() {
    let mut table = Table::new();
    table.say(ClientMessage::Hint);
    assert_eq!(table.purpose(), Some(Purpose::Hint));
    table.answer_move("h8");
    let hint =
        |reply: &ServerMessage| matches!(reply, ServerMessage::Hint { point, .. } if point == "h8");
    assert!(table.replies.iter().any(hint));
    assert_eq!((table.stones().as_str(), table.purpose()), ("", None));
    table.play(&["h8"]);
    table.refused(ClientMessage::Hint, "not_now");
}

#[test]
fn an_engine_that_fails_is_not_asked_for_ever() {
    let mut table = Table::new();
    table.play(&["h8"]);
    table.answer_move("h8");
    assert_eq!((table.error(), table.purpose()), (Some("taken"), None));
    assert!(table.state().waiting);
    table.say(ClientMessage::Resume);
    assert_eq!(table.purpose(), Some(Purpose::Step));
    let id = table.session.job().unwrap().id;
    let failed = true;
    table.replies = table.session.report(
        id,
        Report {
            failed,
            ..Report::default()
        },
    );
    assert_eq!((table.error(), table.purpose()), (Some("engine"), None));
}

#[test]
fn positions_that_are_looked_at_wait() {
    let mut table = Table::new();
    table.play(&["h8"]);
    table.answer_move("i9");
    table.play(&["g7"]);
    table.answer_move("f6");
    table.say(ClientMessage::GoTo { node: 1 });
    assert!(table.state().waiting && table.purpose().is_none());
    table.play(&["a1"]);
    assert_eq!(table.stones(), "h8 a1", "the engine's moves can be tried");
    table.play(&["b2"]);
    assert_eq!(table.purpose(), Some(Purpose::Step));
    table.answer_move("c3");
    assert_eq!(table.state().tree.len(), 8);
    table.say(ClientMessage::Delete { node: 2 });
    assert_eq!(
        (table.stones().as_str(), table.state().tree.len()),
        ("h8 a1 b2 c3", 5)
    );
    table.refused(ClientMessage::GoTo { node: 2 }, "no_node");
    table.refused(ClientMessage::Delete { node: 0 }, "not_now");
}

#[test]
fn two_engines_play_until_they_are_paused() {
    let mut table = Table::with(|setup| setup.black = Player::Engine);
    table.answer_move("h8");
    table.answer_move("i9");
    assert_eq!(table.purpose(), Some(Purpose::Step));
    table.say(ClientMessage::Pause);
    assert_eq!(table.purpose(), None);
    table.say(ClientMessage::Undo);
    assert_eq!((table.stones().as_str(), table.purpose()), ("h8", None));
    table.say(ClientMessage::Resume);
    table.answer_move("g7");
    assert_eq!(table.stones(), "h8 g7");
    assert!(!table.state().can.resign);
}

#[test]
fn endings_without_a_move_can_be_taken_back() {
    let mut table = Table::new();
    table.play(&["h8"]);
    table.answer_move("i9");
    table.say(ClientMessage::Resign);
    let winner = Some(ColorName::White);
    assert_eq!(
        table.state().phase,
        Phase::Over {
            winner,
            reason: "resignation"
        }
    );
    table.say(ClientMessage::Undo);
    assert_eq!(
        (table.state().phase, table.stones().as_str()),
        (Phase::Move, "h8 i9")
    );
    table.say(ClientMessage::OfferDraw);
    assert!(
        table.replies.contains(&ServerMessage::DrawDeclined),
        "nothing is known yet"
    );
    table.play(&["g7"]);
    table.answer(best("f6", Some(info("f6", 300))));
    table.say(ClientMessage::OfferDraw);
    assert!(
        table.replies.contains(&ServerMessage::DrawDeclined),
        "the engine is better"
    );
    table.play(&["g9"]);
    table.answer(best("f7", Some(info("f7", -300))));
    table.say(ClientMessage::OfferDraw);
    assert_eq!(
        table.state().phase,
        Phase::Over {
            winner: None,
            reason: "agreement"
        }
    );
    table.say(ClientMessage::Rematch);
    assert_eq!(
        (table.stones().as_str(), table.purpose()),
        ("", Some(Purpose::Step))
    );
}

#[test]
fn clocks_fall_and_go_back() {
    let mut table = Table::with(|setup| {
        setup.white = Player::Person;
        setup.time = Time {
            game_ms: Some(10_000),
            increment_ms: 1_000,
            turn_ms: None,
        };
    });
    table.now += Duration::from_secs(3);
    table.play(&["h8"]);
    table.now += Duration::from_secs(4);
    table.play(&["i9"]);
    let clock = table.state().clock.unwrap();
    assert_eq!(
        (clock.black, clock.white, clock.running),
        (8_000, 7_000, Some(ColorName::Black))
    );
    table.say(ClientMessage::Undo);
    let clock = table.state().clock.unwrap();
    assert_eq!((clock.black, clock.white), (8_000, 10_000));
    assert_eq!(
        table.session.deadline(),
        None,
        "a position with moves after it is looked at"
    );
    table.play(&["a1"]);
    let deadline = table.session.deadline().unwrap();
    assert_eq!(deadline, table.now + Duration::from_secs(8));
    assert_eq!(table.session.tick(deadline - Duration::from_millis(1)), []);
    assert_eq!(table.session.tick(deadline).len(), 1);
    let winner = Some(ColorName::White);
    assert_eq!(
        table.state().phase,
        Phase::Over {
            winner,
            reason: "time"
        }
    );
}

#[test]
fn a_kept_session_goes_on() {
    let mut table = Table::with(|setup| {
        setup.rule = "caro".to_owned();
        setup.size = "20x12".to_owned();
        setup.opening = "swap1".to_owned();
        setup.white = Player::Person;
    });
    table.play(&["h8"]);
    table.choose(ChoiceName::Black);
    table.play(&["i9", "g7"]);
    let node = table.state().node;
    let text = "good ]\\ move".to_owned();
    table.say(ClientMessage::Comment { node, text });
    table.say(ClientMessage::Undo);
    table.play(&["t12"]);
    table.say(ClientMessage::Resign);
    let mut other = Table::new();
    let save = Some(table.state().save);
    other.say(ClientMessage::Hello {
        version: VERSION,
        save,
    });
    assert_eq!(other.state(), table.state());
    assert_eq!(other.replies.len(), 2);
}

#[test]
fn games_go_out_and_come_back() {
    let mut table = Table::with(|setup| {
        setup.rule = "renju".to_owned();
        setup.white = Player::Person;
    });
    table.play(&["h8", "i9", "g7", "f6"]);
    table.say(ClientMessage::GoTo { node: 2 });
    table.play(&["a1", "b2"]);
    let node = table.state().node;
    let text = "a remark (with [brackets]\\".to_owned();
    table.say(ClientMessage::Comment { node, text });
    let tree = |table: &Table| {
        let nodes = table.state().tree.into_iter();
        let mut nodes: Vec<_> = nodes
            .map(|n| (n.number, n.point, n.color as u8, n.comment))
            .collect();
        nodes.sort();
        nodes
    };
    let exported = |table: &mut Table, format| {
        table.say(ClientMessage::Export { format });
        let text = table.replies.iter().find_map(|reply| match reply {
            ServerMessage::Exported { text, .. } => Some(text.clone()),
            _ => None,
        });
        text.unwrap()
    };
    let sgf = exported(&mut table, Format::Sgf);
    let mut other = Table::new();
    other.say(ClientMessage::Open { text: sgf });
    assert_eq!(tree(&other), tree(&table));
    assert_eq!(
        (other.stones().as_str(), &*other.state().setup.rule),
        ("h8 i9 g7 f6", "renju")
    );

    let line = exported(&mut table, Format::Text);
    assert_eq!(line, "15 renju h8i9a1b2");
    let psq = exported(&mut table, Format::Psq);
    assert!(psq.starts_with("Piskvorky 15x15"));
    for text in [line, psq, "h8, i9 a1b2".to_owned()] {
        other.say(ClientMessage::Open { text });
        assert_eq!(
            (other.error(), other.stones().as_str()),
            (None, "h8 i9 a1 b2")
        );
    }
    for text in [
        "",
        "?",
        "(;GM[1])",
        "Piskvorky",
        "15 chess h8",
        "h8h8",
        "(;B[aa]",
    ] {
        let text = text.to_owned();
        other.refused(ClientMessage::Open { text }, "file");
    }
}

#[test]
fn a_position_that_is_set_up_may_start_with_white() {
    let mut table = Table::persons();
    let text = "(;GM[4]SZ[9]AB[ee][dd]AW[cc]PL[W];W[aa];W[bb])".to_owned();
    table.say(ClientMessage::Open { text });
    assert_eq!(table.error(), None);
    let state = table.state();
    assert_eq!(state.stones.len(), 5);
    assert_eq!(state.stones[0].number, None);
    assert_eq!(state.stones[3].number, Some(1));
    assert_eq!(
        (state.stones[3].color, state.turn),
        (ColorName::White, ColorName::Black)
    );
    let mut other = Table::new();
    let save = Some(state.save);
    other.say(ClientMessage::Hello {
        version: VERSION,
        save,
    });
    assert_eq!(other.state().stones, table.state().stones);
}

#[test]
fn wrong_setups_are_refused() {
    let mut table = Table::new();
    type Change = fn(&mut Setup);
    let wrong: [(Change, &str); 6] = [
        (|setup| setup.rule = "chess".to_owned(), "rule"),
        (|setup| setup.size = "4".to_owned(), "size"),
        (|setup| setup.size = "23x15".to_owned(), "size"),
        (|setup| setup.opening = "swap3".to_owned(), "opening"),
        (|setup| setup.level = 101, "level"),
        (|setup| setup.moves = "h8h8".to_owned(), "file"),
    ];
    for (change, code) in wrong {
        let mut setup = table.state().setup;
        change(&mut setup);
        table.refused(ClientMessage::NewGame(setup), code);
    }
}

/// A message of any kind, about half of them possible.
fn random_message(random: &mut Rng, state: &State) -> ClientMessage {
    let node = match random.u8(..4) {
        0 => random.u32(..20),
        _ => state.node,
    };
    let point = format!("{}{}", random.char('a'..='h'), random.u8(1..9));
    let some_node = state.tree[random.usize(..state.tree.len())].id;
    let text = [
        "h8i9",
        "(;SZ[7];B[aa](;W[bb])(;W[cc]))",
        "x",
        "7 renju a1b2",
    ][random.usize(..4)]
    .to_owned();
    match random.u8(..40) {
        0 => {
            let mut setup = state.setup.clone();
            setup.rule = ["freestyle", "renju", "caro", "no"][random.usize(..4)].to_owned();
            setup.size = ["7", "5", "6x8", "4"][random.usize(..4)].to_owned();
            setup.opening = ["free", "swap1", "swap2"][random.usize(..3)].to_owned();
            let players = [Player::Person, Player::Engine];
            setup.black = players[random.usize(..2)];
            setup.white = players[random.usize(..2)];
            ClientMessage::NewGame(setup)
        }
        1..=3 => ClientMessage::Undo,
        4 => ClientMessage::Redo,
        5 => ClientMessage::GoTo { node: some_node },
        6 => ClientMessage::Resume,
        7 => ClientMessage::Pause,
        8 => ClientMessage::Resign,
        9 => ClientMessage::OfferDraw,
        10 => ClientMessage::Rematch,
        11 => ClientMessage::Hint,
        12 => ClientMessage::Analyse {
            lines: random.usize(..10),
        },
        13 => ClientMessage::StopAnalysis,
        14 => ClientMessage::Prove,
        15 => ClientMessage::Comment { node, text },
        16 => ClientMessage::Delete { node: some_node },
        17 => ClientMessage::Promote { node: some_node },
        18 => ClientMessage::Open { text },
        19 => ClientMessage::Export {
            format: [Format::Sgf, Format::Psq, Format::Text][random.usize(..3)],
        },
        20..=24 => {
            let choices = [ChoiceName::Black, ChoiceName::White, ChoiceName::TwoStones];
            let choice = choices[random.usize(..3)];
            ClientMessage::Choose { choice, node }
        }
        25 => ClientMessage::Hello {
            version: VERSION,
            save: Some(state.save.clone()),
        },
        _ => ClientMessage::Play { point, node },
    }
}

/// Whatever is said and searched, the board stays a board.
#[test]
fn any_messages_in_any_order() {
    for seed in 0..40 {
        let mut random = Rng::with_seed(seed);
        let mut table = Table::new();
        for _ in 0..300 {
            table.now += Duration::from_millis(random.u64(..500));
            let message = random_message(&mut random, &table.state());
            table.say(message);
            if random.bool() && table.session.job().is_some() {
                let job = table.session.job().unwrap();
                let empty: Vec<Point> = (job.position.size().iter())
                    .filter(|&point| job.position.is_empty(point))
                    .collect();
                let count = random.usize(1..4).min(empty.len());
                let points = random.choose_multiple(empty, count);
                table.answer(match random.u8(..4) {
                    0 => Answer::Stones(points),
                    1 => Answer::Swap { info: None },
                    _ => best(
                        &points.first().map_or("a1".to_owned(), Point::to_string),
                        None,
                    ),
                });
            }
            check(&table.state());
        }
    }
}

fn check(state: &State) {
    let here = state
        .tree
        .iter()
        .find(|node| node.id == state.node)
        .unwrap();
    let numbered = state
        .stones
        .iter()
        .filter(|stone| stone.number.is_some())
        .count();
    assert!(numbered <= here.number);
    let mut points: Vec<&str> = state.stones.iter().map(|stone| &*stone.point).collect();
    points.sort_unstable();
    points.dedup();
    assert_eq!(points.len(), state.stones.len(), "one stone a point");
    assert!(!state.thinking || state.actor == Some(Player::Engine));
    assert_eq!(
        matches!(state.phase, Phase::Over { .. }),
        state.actor.is_none()
    );
}
