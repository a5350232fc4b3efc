//! The dialogues of soosorv and of the other rules with regions or offers.

use super::games::exported;
use super::*;

fn soosorv(change: impl FnOnce(&mut Setup)) -> Table {
    Table::with(|setup| {
        setup.rule = "renju".to_owned();
        setup.opening = "soosorv".to_owned();
        change(setup);
    })
}

#[test]
fn two_persons_go_through_the_dialogue() {
    let mut table = soosorv(|setup| setup.white = Player::Person);
    assert_eq!(table.state().allowed, Some(vec!["h8".to_owned()]));
    let play = |point: &str, node| ClientMessage::Play {
        point: point.to_owned(),
        node,
    };
    table.refused(play("a1", 0), "opening_point");
    table.play(&["h8"]);
    table.refused(play("h10", 1), "opening_point");
    table.play(&["h9"]);
    table.refused(play("h11", 2), "opening_point");
    table.play(&["h10"]);
    table.refused(play("a1", 3), "opens");
    // The second player takes black: the first puts the fourth stone.
    table.choose(Choice::Black);
    let phase = |first, stones| Phase::Place { first, stones };
    assert_eq!(table.state().phase, phase(true, 1));
    table.play(&["a8"]);
    let options = (1..=8).map(Choice::Offers).collect();
    assert_eq!(
        table.state().phase,
        Phase::Choose {
            first: true,
            options
        }
    );
    table.choose(Choice::Offers(2));
    assert!(table.chooses_color(false));
    table.choose(Choice::White);
    let offer = |stones| Phase::Offer {
        first: true,
        stones,
    };
    assert_eq!(table.state().phase, offer(2));
    table.play(&["g7"]);
    assert_eq!(
        (table.state().offers, table.state().phase),
        (vec!["g7".to_owned()], offer(1))
    );
    let node = table.state().node;
    table.refused(play("g7", node), "opening_point");
    table.say(ClientMessage::Undo);
    assert_eq!(table.state().phase, offer(2));
    table.play(&["i9", "b8"]);
    assert_eq!(table.state().phase, Phase::Pick { first: false });
    table.refused(play("c3", node), "opening_point");
    table.refused(ClientMessage::Hint, "not_now");
    let mut other = Table::new();
    other.say(hello(table.state().save));
    assert_eq!(other.state(), table.state());
    table.play(&["b8"]);
    assert_eq!(table.stones(), "h8 h9 h10 a8 b8");
    assert_eq!(
        (table.state().phase, table.state().turn),
        (Phase::Move, Color::White)
    );
    assert_eq!(table.state().allowed, None);
    // The fifth stone is taken back, and another one put.
    table.say(ClientMessage::Undo);
    table.play(&["i9"]);
    assert_eq!(table.stones(), "h8 h9 h10 a8 i9");
}

/// Stones that make the same position, turned or mirrored, are one offer.
#[test]
fn offers_that_are_alike_are_refused() {
    let mut table = soosorv(|setup| setup.white = Player::Person);
    table.play(&["h8", "h9", "h10"]);
    table.choose(Choice::White);
    table.play(&["h11"]);
    table.choose(Choice::Offers(2));
    table.choose(Choice::Black);
    table.play(&["g8"]);
    let node = table.state().node;
    let point = "i8".to_owned();
    table.refused(ClientMessage::Play { point, node }, "opening_point");
    table.play(&["i9"]);
    assert_eq!(table.state().phase, Phase::Pick { first: false });
}

#[test]
fn the_engine_answers_every_question() {
    let mut table = soosorv(|_| ());
    table.play(&["h8", "h9", "h10"]);
    let answer_lines = |table: &mut Table, lines: &[(&str, i32)]| {
        let (id, first) = (table.session.job().unwrap().id, lines[0].0);
        let infos = (0..).zip(lines).map(|(rank, &(point, score))| Line {
            rank,
            ..info(point, score)
        });
        let report = Report::Search(SearchReport {
            lines: infos.collect(),
            answer: Some(best(first, None)),
            ..SearchReport::default()
        });
        table.replies = table.session.report(table.now, id, report);
        assert_eq!(table.error(), None);
    };
    assert_eq!(
        (table.state().players, table.state().acting),
        (None, Some(1))
    );
    // White is behind: the engine takes black, and the person puts the fourth stone.
    answer_lines(&mut table, &[("g9", -100)]);
    let state = table.state();
    let owners = Some([Player::Engine, Player::Person]);
    assert_eq!((state.players, state.acting), (owners, Some(1)));
    let chosen = ChosenView {
        first: false,
        player: Player::Engine,
        choice: Choice::Black,
    };
    assert_eq!(state.chosen, [chosen]);
    assert!(!state.can.resign, "the colours may change again");
    assert_eq!(
        table.state().phase,
        Phase::Place {
            first: true,
            stones: 1
        }
    );
    table.play(&["g7"]);
    table.choose(Choice::Offers(2));
    // With the second best fifth stone black is still ahead.
    assert_eq!(table.session.job().unwrap().request, Request::Lines(2));
    answer_lines(&mut table, &[("g9", 90), ("i9", 10)]);
    assert_eq!(
        table.state().phase,
        Phase::Offer {
            first: false,
            stones: 2
        }
    );
    answer_lines(&mut table, &[("g9", 90), ("i9", 10), ("a1", 0)]);
    assert_eq!(table.state().offers, ["g9", "i9"]);
    assert_eq!(table.state().phase, Phase::Pick { first: true });
    table.play(&["i9"]);
    table.answer_move_if_due("f9");

    // The engine begins, and is white in the end.
    let mut table = soosorv(|setup| (setup.black, setup.white) = (Player::Engine, Player::Person));
    let excluded = table.session.job().unwrap().excluded;
    assert_eq!(excluded.len(), 224);
    table.answer(stones(&["h8"]));
    table.answer(stones(&["i9"]));
    table.answer(stones(&["j9"]));
    table.choose(Choice::Black);
    table.answer(stones(&["g7"]));
    table.answer_move("a1");
    assert!(table.chooses_color(false), "one stone is asked for");
    table.choose(Choice::Black);
    table.play(&["h10"]);
    let excluded = table.session.job().unwrap().excluded;
    assert_eq!(excluded.len(), 224, "only what was offered");
    answer_lines(&mut table, &[("h10", 5)]);
    assert_eq!(table.stones(), "h8 i9 j9 g7 h10");
    assert_eq!(table.purpose(), Some(Purpose::Step), "white moves");
}

/// A table where engines play by an opening rule.
fn engines(rule: OpeningRule) -> Table {
    Table::with(|setup| {
        setup.rule = "renju".to_owned();
        setup.opening = rule.name().to_owned();
        (setup.black, setup.white) = (Player::Engine, Player::Engine);
    })
}

/// Engines complete every dialogue with random search results.
#[test]
fn engines_go_through_every_dialogue() {
    // Swap2 has requests and tests of its own.
    let rules = OpeningRule::ALL.into_iter();
    let rules = rules.filter(|rule| *rule != OpeningRule::Swap2);
    for (rule, seed) in rules.flat_map(|rule| (0..8).map(move |seed| (rule, seed))) {
        let mut random = Rng::with_seed(seed);
        let mut table = engines(rule);
        let mut steps = 0;
        while !matches!(table.state().phase, Phase::Move) {
            steps += 1;
            assert!(steps < 25, "{rule} ends");
            let job = table.session.job().unwrap();
            let (id, request) = (job.id, job.request);
            let taken = job.position.occupied().union(&job.excluded);
            let free = job.position.board().difference(&taken);
            let mut points: Vec<String> = free.iter().map(|point| point.to_string()).collect();
            random.shuffle(&mut points);
            let first = points[0].as_str();
            let answer = match request {
                Request::Balance { .. } => stones(&[first]),
                _ => best(first, None),
            };
            let lines = (0..).zip(points.iter().take(20)).map(|(rank, point)| Line {
                rank,
                ..info(point, random.i32(-300..300))
            });
            let report = Report::Search(SearchReport {
                lines: lines.collect(),
                answer: Some(answer),
                ..SearchReport::default()
            });
            table.replies = table.session.report(table.now, id, report);
            assert_eq!(table.error(), None, "{rule}");
            assert_file_keeps_dialogue(&mut table);
        }
    }
}

/// The dialogue was lost in files: a game in the middle of it went on as a free one.
fn assert_file_keeps_dialogue(table: &mut Table) {
    let file = exported(table, Format::Sgf);
    let mut other = Table::persons();
    other.say(ClientMessage::open(file.clone()));
    let (state, opened) = (table.state(), other.state());
    assert_eq!(opened.setup.opening, state.setup.opening, "{file}");
    assert_eq!(opened.phase, state.phase, "{file}");
    assert_eq!(opened.allowed, state.allowed, "{file}");
    assert_eq!(other.session.dialogue(), table.session.dialogue(), "{file}");
    // Only settled colours are in the file.
    if file.contains("PB[") || file.contains("PW[") {
        assert_eq!(opened.players, state.players, "{file}");
        assert_eq!(opened.levels, state.levels, "{file}");
    }
    assert_eq!(exported(&mut other, Format::Sgf), file);
}

/// A dialogue that is not one of the rule with the moves of the file once left a game where nothing
/// could be played.
#[test]
fn impossible_dialogues_of_files_are_kept_as_text() {
    let stones = ";B[hh];W[hg];B[ig];W[jj]";
    for (root, moves) in [
        ("OPENINGRULE[rif][white]5A[hh][hg]", stones),
        ("OPENINGRULE[rif][white]5A[aa][aa]", stones),
        ("OPENINGRULE[rif][white]5A[aa][bc][de]", stones),
        ("OPENINGRULE[rif][white]5A[zz][bc]", stones),
        ("OPENINGRULE[rif]5A[aa][bc]", stones),
        (
            "OPENINGRULE[rif][white]5A[aa][bc]",
            ";B[hh];W[hg];B[ig];W[jj];B[kk]",
        ),
        ("OPENINGRULE[rif][white]", ";B[hh];W[aa];B[ig];W[jj]"),
        ("OPENINGRULE[swap2]", ";B[hh];W[hg];B[ig];W[jj];B[kk]"),
        ("OPENINGRULE[swap2][black]", ";B[hh];W[hg]"),
        ("OPENINGRULE[swap2][black]", ";B[hh];W[hg];B[];W[jj]"),
        ("OPENINGRULE[swap2][grey]", ";B[hh];W[hg];B[ig]"),
        ("OPENINGRULE[swap3][black]", ";B[hh];W[hg];B[ig]"),
        ("OPENINGRULE[yamaguchi][9]", ";B[hh];W[hg];B[ig]"),
        ("AB[hh]AW[hg]OPENINGRULE[swap2]", ""),
        ("PL[W]OPENINGRULE[swap1]", ""),
    ] {
        let mut table = Table::persons();
        let file = format!("(;GM[4]SZ[15]RU[renju]{root}{moves})");
        table.say(ClientMessage::open(file));
        assert_eq!(table.state().setup.opening, "free", "{root}");
        assert_eq!(table.state().offers, Vec::<String>::new(), "{root}");
        let kept = root.split("OPENINGRULE").nth(1).unwrap();
        assert!(exported(&mut table, Format::Sgf).contains(kept), "{root}");
    }
}

/// The dialogue gives the players of files their colours.
#[test]
fn seats_of_files_follow_the_dialogue() {
    let mut table = Table::with(|setup| {
        setup.opening = "swap2".to_owned();
        setup.level = 30;
    });
    table.play(&["h8", "i9", "g7"]);
    table.answer(Answer::Swap { info: None });
    assert_file_keeps_dialogue(&mut table);
    let file = exported(&mut table, Format::Sgf);
    assert!(file.contains("OPENINGRULE[swap2][black]"), "{file}");
    let mut other = Table::persons();
    other.say(ClientMessage::open(file.clone()));
    assert_eq!(other.state().players, table.state().players);
    assert_eq!(other.state().levels, table.state().levels);
    let wrong = file.replace("[swap2][black]", "[swap2][black][white]");
    other.say(ClientMessage::open(wrong));
    assert_eq!(other.state().setup.opening, "free");
    assert!(exported(&mut other, Format::Sgf).contains("OPENINGRULE[swap2][black][white]"));
}

#[test]
fn yamaguchi_announces_before_the_colours() {
    let mut table = Table::with(|setup| {
        setup.rule = "renju".to_owned();
        setup.opening = "yamaguchi".to_owned();
        setup.white = Player::Person;
    });
    table.play(&["h8", "h9", "h10"]);
    table.choose(Choice::Offers(2));
    assert!(table.chooses_color(false));
    table.choose(Choice::White);
    table.play(&["a8", "g7", "i9"]);
    assert_eq!(table.state().phase, Phase::Pick { first: false });
    table.play(&["i9"]);
    assert_eq!(table.state().phase, Phase::Move);
    assert_eq!(table.stones(), "h8 h9 h10 a8 i9");
}

#[test]
fn pro_keeps_the_third_stone_away_from_the_centre() {
    let mut table = Table::with(|setup| {
        setup.opening = "pro".to_owned();
        setup.white = Player::Person;
    });
    table.play(&["h8", "a1"]);
    let near = ClientMessage::Play {
        point: "j10".to_owned(),
        node: table.state().node,
    };
    table.refused(near, "opening_point");
    table.play(&["k8", "h9"]);
    assert_eq!(table.stones(), "h8 a1 k8 h9");
}
