//! Endings, and games that are exported, opened and set up.

use super::*;
use quincunx_engine::engine::{Answer, Engine, MonotonicClock, Request};

#[test]
fn endings_without_a_move_can_be_taken_back() {
    let mut table = Table::new();
    table.play(&["h8"]);
    table.answer_move("i9");
    table.say(ClientMessage::Resign);
    let winner = Some(Color::White);
    assert_eq!(
        table.state().phase,
        Phase::Over(GameResult {
            winner,
            termination: Termination::Resignation
        })
    );
    table.say(ClientMessage::Undo);
    assert_eq!(
        (table.state().phase, table.stones().as_str()),
        (Phase::Move, "h8 i9")
    );
    table.say(ClientMessage::OfferDraw);
    assert!(table.declined(DrawRefusal::Early), "nothing is known yet");
    table.play(&["g7"]);
    table.answer(best("f6", Some(info("f6", 300))));
    table.say(ClientMessage::OfferDraw);
    assert!(table.declined(DrawRefusal::Better), "the engine is better");
    table.play(&["g9"]);
    table.answer(best("f7", Some(info("f7", -300))));
    table.say(ClientMessage::OfferDraw);
    assert!(
        table.declined(DrawRefusal::Early),
        "the game has just begun"
    );
    table.play(&["j3"]);
    table.answer(best("f8", Some(info("f8", -500))));
    table.say(ClientMessage::OfferDraw);
    assert_eq!(
        table.state().phase,
        Phase::Over(GameResult {
            winner: None,
            termination: Termination::Agreement
        })
    );
    table.say(ClientMessage::Rematch);
    assert_eq!(
        (table.stones().as_str(), table.purpose()),
        ("", Some(Purpose::Step))
    );
}

/// The game as a file of this kind.
pub(super) fn exported(table: &mut Table, format: Format) -> String {
    table.say(ClientMessage::export(format));
    let text = table.replies.iter().find_map(|reply| match reply {
        ServerMessage::Exported { text, .. } => Some(text.clone()),
        _ => None,
    });
    text.unwrap()
}

/// The moves of a game that the engine plays against itself after two random ones.
fn own_game(rule: Rule, random: &mut Rng) -> Vec<Point> {
    let mut engine = Engine::new(MonotonicClock::system());
    engine.options_mut().hash_size = Some(1 << 20);
    engine.options_mut().max_node = Some(50);
    engine.set_rule(rule);
    for _ in 0..2 {
        let point = Point::new(random.usize(5..=9), random.usize(5..=9));
        // The second may be the first again.
        _ = engine.play(point);
    }
    while !engine.position().won() {
        match engine.answer(Request::Move, &mut |_| ()) {
            Ok(Answer::Move(best)) if engine.play(best.point).is_ok() => {}
            _ => break,
        }
    }
    engine.position().moves().map(|(_, point)| point).collect()
}

/// A hundred games of the engine and a hundred random ones, under every rule and on
/// boards of many sizes, go out in every format and come back the same.
#[test]
fn a_hundred_games_survive_every_format() {
    let mut random = Rng::with_seed(9);
    for number in 0..200 {
        let rule = Rule::ALL[number % 5];
        let is_own = number % 2 == 0;
        let size = if is_own {
            BoardSize::default()
        } else {
            BoardSize::new(random.usize(5..=15), random.usize(5..=15)).unwrap()
        };
        let mut points: Vec<Point> = size.iter().collect();
        if is_own {
            points = own_game(rule, &mut random);
            assert!(points.len() >= 9);
        } else {
            random.shuffle(&mut points);
            points.truncate(random.usize(..120));
        }
        let rule = rule.name().to_owned();
        let mut table = Table::with(|setup| {
            (setup.rule, setup.size) = (rule.clone(), size.to_string());
            setup.white = Player::Person;
        });
        for point in points {
            let (point, node) = (point.to_string(), table.state().node);
            // Forbidden points, and all once the game is over, are refused.
            table.say(ClientMessage::Play { point, node });
        }
        for format in [Format::Sgf, Format::Psq, Format::Text, Format::Renlib] {
            let text = exported(&mut table, format);
            let mut other = Table::with(|setup| {
                (setup.rule, setup.size) = (rule.clone(), size.to_string());
                setup.white = Player::Person;
            });
            other.say(ClientMessage::open(text));
            assert_eq!(other.error(), None, "{format:?}");
            assert_eq!(other.state().stones, table.state().stones, "{format:?}");
            assert_eq!(other.state().phase, table.state().phase, "{format:?}");
            assert_eq!(other.state().setup.size, size.to_string());
            assert_eq!(
                exported(&mut other, format),
                exported(&mut table, format),
                "{format:?}"
            );
        }
    }
}

/// Moves after the end of a game are left out with what follows, which is remarked; a move
/// on a stone is an error with its byte.
#[test]
fn libraries_may_hold_moves_that_nobody_could_play() {
    use base64::Engine as _;
    use quincunx_records::renlib::{LibraryMove, write};
    let at = |depth, point: &str| LibraryMove {
        depth,
        point: point.parse().ok(),
        comment: format!("{depth}"),
        ..LibraryMove::default()
    };
    let url = |moves: &[LibraryMove]| {
        let bytes = base64::engine::general_purpose::STANDARD.encode(write(moves));
        format!("data:;base64,{bytes}")
    };
    let won = "a1 a15 b1 b15 c1 c15 d1 d15 e1 e15";
    let mut moves: Vec<LibraryMove> = won.split(' ').zip(1..).map(|(p, d)| at(d, p)).collect();
    moves.insert(0, at(0, ""));
    moves.push(at(2, "i9"));
    let mut table = Table::persons();
    table.say(ClientMessage::open(url(&moves)));
    let said = |reply: &ServerMessage| match reply {
        ServerMessage::Opened { remarks, games: 1 } => {
            remarks[0].text == "left out 1 moves after the end of a game"
        }
        _ => false,
    };
    assert!(table.replies.iter().any(said));
    assert_eq!(table.state().tree.len(), 11);
    assert_eq!(table.state().tree[10].comment, "2");
    let twice = [at(0, ""), at(1, "h8"), at(2, "h8")];
    table.refused(ClientMessage::open(url(&twice)), "file");
    for text in ["data:", "data:;base64,!", "data:;base64,aGVsbG8="] {
        table.refuses_file(text);
    }
    let mut large = Table::with(|setup| setup.size = "16".to_owned());
    let format = Format::Renlib;
    large.refused(ClientMessage::export(format), "no_library");
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
    let mut other = Table::with(|setup| setup.rule = "renju".to_owned());
    for format in [Format::Sgf, Format::Renlib] {
        let text = exported(&mut table, format);
        other.say(ClientMessage::open(text));
        assert_eq!(other.error(), None);
        assert_eq!(tree(&other), tree(&table));
        assert_eq!(
            (other.stones().as_str(), &*other.state().setup.rule),
            ("h8 i9 g7 f6", "renju")
        );
    }

    let line = exported(&mut table, Format::Text);
    assert_eq!(line, "15 renju h8i9a1b2");
    let psq = exported(&mut table, Format::Psq);
    assert!(psq.starts_with("Piskvorky 15x15"));
    for text in [line, psq, "h8, i9 a1b2".to_owned()] {
        other.say(ClientMessage::open(text));
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
        "(;B[aa",
    ] {
        other.refuses_file(text);
    }
    let text = String::new();
    other.refused(ClientMessage::open(text), "file_unknown");
    for (start, code) in [
        ("UEsDBBQAAAAIAA==", "file_archive"),
        ("R0lGODlhDwAPAA==", "file_foreign"),
    ] {
        let url = format!("data:application/octet-stream;base64,{start}");
        other.refused(ClientMessage::open(url), code);
    }
}

/// After stones that were set up the other side was once to move when the text was opened.
#[test]
fn text_has_the_side_to_move() {
    let mut table = Table::persons();
    for file in [
        "(;GM[4]SZ[15]AB[hh][gf]AW[ig]PL[W])",
        "(;GM[4]SZ[15]AB[hh]AW[ig]PL[W])",
        "(;GM[4]SZ[15]AB[hh]AW[ig]PL[B])",
        "(;GM[4]SZ[15]AB[hh]AW[ig]PL[W];W[aa])",
        "(;GM[4]SZ[15]AW[hh];B[ig])",
        "(;GM[4]SZ[15]PL[W])",
    ] {
        table.say(ClientMessage::open(file));
        let turn = table.state().turn;
        let text = exported(&mut table, Format::Text);
        table.say(ClientMessage::open(text.as_str()));
        assert_eq!((table.error(), table.state().turn), (None, turn), "{text}");
    }
    // Black was to move when this was opened again as PSQ.
    table.say(ClientMessage::open("(;GM[4]SZ[15]AB[hh]AW[ig]PL[W])"));
    table.refused(ClientMessage::export(Format::Psq), "no_psq");
}

/// The result was once that of the position that was shown.
#[test]
fn a_file_has_the_result_of_its_main_line() {
    let mut table = Table::persons();
    table.play(&["h8", "a1"]);
    // White wins in a variation.
    table.say(ClientMessage::GoTo { node: 1 });
    table.play(&["b1", "h9", "b2", "h10", "b3", "o15", "b4", "o13", "b5"]);
    assert_eq!(table.state().winning.len(), 5);
    assert!(!exported(&mut table, Format::Sgf).contains("RE["));
    let node = table.state().node;
    table.say(ClientMessage::Promote { node });
    table.say(ClientMessage::GoTo { node: 0 });
    assert!(exported(&mut table, Format::Sgf).contains("RE[W+]"));

    let mut table = Table::persons();
    table.play(&["h8", "i9"]);
    table.say(ClientMessage::Resign);
    table.say(ClientMessage::GoTo { node: 1 });
    assert!(exported(&mut table, Format::Sgf).contains("RE[W+R]"));
    // An earlier position is not the end of the game.
    table.refused(ClientMessage::Resign, "not_now");
    table.say(ClientMessage::GoTo { node: 0 });
    assert!(exported(&mut table, Format::Sgf).contains("RE[W+R]"));
    table.say(ClientMessage::GoTo { node: 2 });
    assert_eq!(table.error(), None);
    assert_eq!(table.stones(), "h8 i9");
}

/// Moves that were taken back once stayed in the exported game, and those that were played instead
/// were a variation, so that the file had neither the game nor its result.
#[test]
fn moves_that_are_taken_back_are_a_variation() {
    let mut table = Table::persons();
    table.play(&["a1", "a2", "b1", "b2", "c1", "c2", "o1"]);
    for _ in 0..3 {
        table.say(ClientMessage::Undo);
    }
    table.play(&["c1", "o2"]);
    table.say(ClientMessage::Undo);
    table.play(&["c2", "d1", "d2", "e1"]);
    let text = exported(&mut table, Format::Sgf);
    assert!(
        text.contains("RE[B+]") && text.contains("(;B[oo])"),
        "{text}"
    );
    assert_eq!(table.state().summary.unwrap().moves, 9);
    // What is tried where the game is over, or where one only looks at it, is no part of it.
    table.say(ClientMessage::Undo);
    table.play(&["e2"]);
    table.say(ClientMessage::GoTo { node: 1 });
    table.play(&["h8"]);
    assert_eq!(
        exported(&mut table, Format::Sgf).matches("RE[B+]").count(),
        1
    );
}

/// What the page shows and the command line says of a file is the same.
#[test]
fn files_are_read_as_everywhere_else() {
    let mut table = Table::with(|setup| setup.rule = "renju".to_owned());
    let state = table.state();
    for (text, code) in [
        ("(;GM[4]SZ[15];B[hh](;W[ii])(;W[hh]))", "file_taken"),
        ("(;GM[4]SZ[15];B[hh](;W[ii])(;W[zz]))", "file_off_board"),
        ("(;GM[4]SZ[15];B[hh](;W[ii])(;W[jj];AB[aa]))", "file_set_up"),
        ("(;GM[4]SZ[15];W[ee]B[dd])", "file_unclear"),
        ("Piskvorky 15x15, 0:0, 0\n8,8\nA\n9,9\n", "file"),
        // A list of moves that leaves one out.
        ("1. h8 i9 3. g10", "file_unclear"),
    ] {
        table.refused(ClientMessage::open(text), code);
        assert_eq!(table.state().stones, state.stones, "{text}");
    }
    let japanese = b"(;GM[4]CA[Shift_JIS]SZ[15]PB[\x95\x5C];B[hh]W[ii];B[hi])";
    table.say(ClientMessage::open_file("a.sgf", japanese));
    assert_eq!(table.stones(), "h8 i7 h7");
    // The rule of the game before is taken, and said.
    assert_eq!(table.state().setup.rule, "renju");
    let said = |reply: &ServerMessage| match reply {
        ServerMessage::Opened { remarks, .. } => {
            remarks[0].text.contains("no rule: renju is taken")
        }
        _ => false,
    };
    assert!(table.replies.iter().any(said));
    // A rule that is not known is not that of the game before.
    table.say(ClientMessage::open("(;GM[4]SZ[15]RU[Klingon];B[hh])"));
    assert_eq!(table.state().setup.rule, "freestyle");
    let said = |reply: &ServerMessage| match reply {
        ServerMessage::Opened { remarks, .. } => remarks[0].text.contains("Klingon"),
        _ => false,
    };
    assert!(table.replies.iter().any(said));
    let two = "(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15];B[aa])";
    table.say(ClientMessage::Open {
        text: two.to_owned(),
        name: None,
        encoding: None,
        game: 2,
    });
    assert_eq!(table.stones(), "a15");
    table.say(ClientMessage::open_file("a.REC", b"A\nB\n7,7,0\n-1\n"));
    assert_eq!((table.stones().as_str(), table.state().width), ("h13", 20));
}

/// What the program does not know of a file is there when the game goes out again.
#[test]
fn unknown_properties_survive() {
    let text = "(;GM[4]SZ[15]EV[cup]RO[3]PC[Tallinn]DT[2020-05]BR[5d]WR[4d]TM[3600]X1[a][b];\
                B[hh]N[start]LB[aa:A][bb:B]TR[cc]MA[dd];W[ig](;B[aa]TR[aa])(;B[bb]))";
    let mut table = Table::persons();
    table.say(ClientMessage::open(text));
    assert_eq!(table.error(), None);
    for table in [&mut table.resumed(), &mut table] {
        let text = exported(table, Format::Sgf);
        for kept in [
            "EV[cup]RO[3]PC[Tallinn]DT[2020-05]BR[5d]WR[4d]TM[3600]X1[a][b]",
            ";B[hh]N[start]LB[aa:A][bb:B]TR[cc]MA[dd]",
            "(;B[aa]TR[aa])(;B[bb])",
        ] {
            assert!(text.contains(kept), "{text}");
        }
    }
}

/// Labels of SGF were once left out of libraries, and marks of libraries were remarks.
#[test]
fn labels_go_to_libraries_and_back() {
    let text = "(;GM[4]SZ[15]RU[freestyle]LB[hh:A];B[hh]LB[ig:B][aa:x][ba:]TR[oo](;W[ig])(;W[ih]))";
    let mut table = Table::persons();
    table.say(ClientMessage::open(text));
    assert_eq!(table.error(), None);
    let library = exported(&mut table, Format::Renlib);
    table.say(ClientMessage::open(library));
    assert_eq!(table.error(), None);
    let text = exported(&mut table, Format::Sgf);
    let moves = ";B[hh]LB[aa:x][oo:△][ig:B](;W[ig])(;W[ih])";
    assert!(text.contains("LB[hh:A]") && text.contains(moves), "{text}");
}

#[test]
fn variations_of_a_file_are_played_from_where_they_begin() {
    let mut table = Table::persons();
    let text = "(;GM[4]SZ[15]AB[ee]AW[dd];B[hh](;W[ii];B[jj])(;B[aa];W[bb])\
                (;C[!];W[kk]))";
    let text = text.to_owned();
    table.say(ClientMessage::open(text));
    assert_eq!(table.error(), None);
    let tree = table.state().tree;
    let nodes = tree.iter().map(|node| (node.parent, node.point.as_str()));
    let expected = [
        (None, "--"),
        (Some(0), "h8"),
        (Some(1), "i7"),
        (Some(2), "j6"),
        (Some(1), "--"),
        (Some(4), "a15"),
        (Some(5), "b14"),
        (Some(1), "k5"),
    ];
    assert_eq!(nodes.collect::<Vec<_>>(), expected);
    assert_eq!(tree[7].comment, "!");
}

#[test]
fn a_promoted_variation_comes_first_for_whoever_looks_and_comes_back() {
    let mut table = Table::persons();
    table.play(&["h8", "i9"]);
    table.say(ClientMessage::GoTo { node: 1 });
    table.play(&["i7"]);
    let ranks = |table: &Table| {
        let tree = table.state().tree;
        let ranks = tree.iter().map(|node| (node.point.clone(), node.rank));
        ranks.skip(2).collect::<Vec<_>>()
    };
    assert_eq!(ranks(&table), [("i9".to_owned(), 0), ("i7".to_owned(), 1)]);
    table.say(ClientMessage::Promote { node: 3 });
    let promoted = [("i9".to_owned(), 1), ("i7".to_owned(), 0)];
    assert_eq!(ranks(&table), promoted);
    assert_eq!(ranks(&table.resumed()), promoted);
}

#[test]
fn a_position_that_is_set_up_may_start_with_white() {
    let mut table = Table::persons();
    let text = "(;GM[4]SZ[9]AB[ee][dd]AW[cc]PL[W];W[aa];W[bb])".to_owned();
    table.say(ClientMessage::open(text));
    assert_eq!(table.error(), None);
    let state = table.state();
    assert_eq!(state.stones.len(), 5);
    assert_eq!(state.stones[0].number, None);
    assert_eq!(state.stones[3].number, Some(1));
    assert_eq!(
        (state.stones[3].color, state.turn),
        (Color::White, Color::Black)
    );
    let other = table.resumed();
    assert_eq!(other.state().stones, table.state().stones);
}

#[test]
fn wrong_setups_are_refused() {
    let mut table = Table::new();
    type Change = fn(&mut Setup);
    let wrong: [(Change, &str); 13] = [
        (|setup| setup.rule = "chess".to_owned(), "rule"),
        (|setup| setup.size = "4".to_owned(), "size"),
        (|setup| setup.size = "23x15".to_owned(), "size"),
        (|setup| setup.opening = "swap3".to_owned(), "opening"),
        (|setup| setup.level = 101, "level"),
        (|setup| setup.levels = Some([0, 101]), "level"),
        (|setup| setup.moves = "h8h8".to_owned(), "file"),
        (|setup| setup.handicap = 6, "handicap"),
        (
            |setup| setup.stones = set_up("a1 b1 c1 d1 e1", "a9"),
            "set_up_won",
        ),
        (|setup| setup.stones = set_up("a1", "a1"), "taken"),
        (|setup| setup.stones = set_up("a1", "p1"), "point"),
        (|setup| setup.stones = set_up("a1", "77"), "point"),
        (
            |setup| {
                setup.opening = "swap2".to_owned();
                setup.handicap = 2;
            },
            "opening_moves",
        ),
    ];
    for (change, code) in wrong {
        let mut setup = table.state().setup;
        change(&mut setup);
        table.refused(ClientMessage::NewGame(setup), code);
    }
}

/// Stones on points that blanks separate, with white to move.
pub(super) fn set_up(black: &str, white: &str) -> Option<Stones> {
    let points = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    Some(Stones {
        black: points(black),
        white: points(white),
        first: Color::White,
    })
}

/// The engine moves first in a position that was set up, with either colour; the same
/// stones are there in the rematch.
#[test]
fn a_game_begins_with_stones_that_are_set_up() {
    let mut table = Table::with(|setup| setup.stones = set_up("h8 i8 j8", "a1"));
    let state = table.state();
    assert_eq!((state.stones.len(), state.turn), (4, Color::White));
    assert_eq!(table.purpose(), Some(Purpose::Step));
    table.answer_move("k8");
    assert_eq!(table.stones(), "h8 i8 j8 a1 k8");
    assert_eq!(table.state().stones[4].number, Some(1));
    table.say(ClientMessage::Undo);
    assert_eq!(table.error(), Some("not_now"), "the stones stay");
    let other = table.resumed();
    assert_eq!(other.state(), table.state());
    table.say(ClientMessage::Rematch);
    assert_eq!(table.stones(), "h8 i8 j8 a1");
    assert_eq!(table.purpose(), None, "the person has white now");
}

#[test]
fn a_handicap_gives_white_the_first_move() {
    let table = Table::with(|setup| setup.handicap = 3);
    let state = table.state();
    assert_eq!((state.stones.len(), state.turn), (3, Color::White));
    assert!(state.stones.iter().all(|it| it.color == Color::Black));
    assert_eq!(table.purpose(), Some(Purpose::Step), "white moves");
}

/// The search of the old game once went on where both games were at the same node.
#[test]
fn another_game_is_searched_anew() {
    let mut table = Table::with(|setup| setup.black = Player::Engine);
    let before = table.session.job().unwrap().id;
    let mut setup = table.state().setup;
    setup.rule = "renju".to_owned();
    table.say(ClientMessage::NewGame(setup));
    let job = table.session.job().unwrap();
    assert_ne!(job.id, before);
    assert_eq!(job.position.rule(), Rule::Renju);
}

/// A game of two others once came out as one of a person against the engine.
#[test]
fn names_of_an_opened_game_stay() {
    let mut table = Table::new();
    let open = |text: &str| ClientMessage::open(text.to_owned());
    let exported = |table: &mut Table| {
        table.say(ClientMessage::export(Format::Sgf));
        match &table.replies[0] {
            ServerMessage::Exported { text, .. } => text.clone(),
            reply => panic!("{reply:?}"),
        }
    };
    table.say(open("(;GM[4]SZ[15]PB[Ann]PW[Bob];B[hh];W[ii])"));
    assert_eq!(table.state().players, Some([Player::Person; 2]));
    assert_eq!(
        table.state().setup.names,
        Some(Box::new(["Ann", "Bob"].map(str::to_owned)))
    );
    assert!(exported(&mut table).contains("PB[Ann]PW[Bob]"));
    assert_eq!(
        table.resumed().state().setup.names,
        table.state().setup.names
    );
    table.say(ClientMessage::Rematch);
    assert!(exported(&mut table).contains("PB[Bob]PW[Ann]"));
    // The engine once had a part in every game without names.
    table.say(open("(;GM[4]SZ[15];B[hh];W[ii])"));
    assert!(!exported(&mut table).contains("Quincunx, level"));
    table.say(ClientMessage::Rematch);
    assert!(table.state().setup.names.is_none());
    // What was exported from a game here has the seats of the game here.
    let mut table = Table::new();
    let own = exported(&mut table);
    table.say(open(&own));
    let players = Some([Player::Person, Player::Engine]);
    assert_eq!(
        (table.state().players, table.state().setup.names),
        (players, None)
    );
}

/// Files called both persons `Person`, which readers took for a name.
#[test]
fn persons_without_names_have_none_in_files() {
    let mut table = Table::new();
    let sgf = |table: &mut Table| {
        table.say(ClientMessage::export(Format::Sgf));
        match &table.replies[0] {
            ServerMessage::Exported { text, .. } => text.clone(),
            other => panic!("{other:?}"),
        }
    };
    let text = sgf(&mut table);
    assert!(
        !text.contains("PB[") && text.contains("PW[Quincunx, level"),
        "{text}"
    );
    for (game, games) in [(1, 2), (2, 2)] {
        let two = "(;GM[4]SZ[15]PB[Person]PW[Person];B[hh])(;GM[4]SZ[15];B[ii])";
        let mut message = ClientMessage::open(two);
        if let ClientMessage::Open { game: number, .. } = &mut message {
            *number = game;
        }
        table.say(message);
        let is_told = |reply: &ServerMessage| matches!(reply, ServerMessage::Opened { games: count, .. } if *count == games);
        assert!(table.replies.iter().any(is_told), "{:?}", table.replies);
    }
}
