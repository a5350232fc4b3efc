//! What can be done where a game was ended without a move, what searches have proved, and
//! lines that are played into the tree.

use super::*;
use crate::message::ProofStatus;
use quincunx_engine::threats::{ForcedWin, Solution};

fn resigned() -> Table {
    let mut table = Table::new();
    table.play(&["h8"]);
    table.answer_move("i9");
    table.say(ClientMessage::Resign);
    table
}

fn analyse() -> ClientMessage {
    ClientMessage::Analyse {
        lines: 3,
        mode: AnalysisMode::Best,
    }
}

/// A game that was resigned, or whose file says who won, could once not be searched.
#[test]
fn the_last_position_is_a_position_like_any_other() {
    let mut table = resigned();
    assert_eq!(table.purpose(), None);
    table.say(analyse());
    assert_eq!(table.purpose(), Some(Purpose::Analysis));
    assert!(table.state().can.hint);
    table.say(ClientMessage::Prove);
    assert_eq!(table.purpose(), Some(Purpose::Proof));
    let mut table = Table::persons();
    let text = "(;GM[4]SZ[15]RE[B+R];B[hh];W[ii])".to_owned();
    table.say(ClientMessage::open(text));
    assert!(matches!(table.state().phase, Phase::Over { .. }));
    table.say(analyse());
    assert_eq!(table.purpose(), Some(Purpose::Analysis));
}

#[test]
fn five_in_a_row_is_not_searched() {
    let mut table = Table::persons();
    table.play(&["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1"]);
    table.say(analyse());
    assert_eq!(table.purpose(), None);
    table.refused(ClientMessage::Hint, "not_now");
    let node = table.state().node;
    let point = "h8".to_owned();
    table.refused(ClientMessage::Play { point, node }, "over");
}

/// A position with forbidden points only was once over where it was played, and not where it
/// was opened: there a hint was a forbidden point.
#[test]
fn a_position_without_a_legal_move_is_over() {
    let moves = "c5c4b3d5f4a2f1c3b2c2d3a3e1e2d2e3d4e4a1g5e5f5f2g2f3g3c1g4b4b5b1a4g1a5";
    let mut table = Table::persons();
    table.say(ClientMessage::open(format!("7x5 renju {moves}")));
    let over = Phase::Over(GameResult {
        winner: None,
        termination: Termination::BoardFull,
    });
    assert_eq!(table.state().phase, over);
    table.refused(ClientMessage::Hint, "not_now");
    table.say(ClientMessage::Undo);
    assert_eq!(table.state().stones.len(), 33);
    table.play(&["a5"]);
    assert_eq!(table.state().phase, over);
    table.say(ClientMessage::Undo);
    assert_eq!(table.state().phase, Phase::Move);
    // Black passed there, and white took the last point.
    table.say(ClientMessage::open(format!("7x5 renju {moves}--d1")));
    assert_eq!(table.error(), None);
    assert_eq!(table.state().stones.len(), 35);
}

#[test]
fn a_person_goes_on_from_the_end_only_in_an_analysis() {
    let mut table = resigned();
    let (point, node) = ("g7".to_owned(), table.state().node);
    let play = ClientMessage::Play { point, node };
    table.refused(play.clone(), "over");
    table.say(analyse());
    assert!(table.state().can.go_on);
    let taken = "h8".to_owned();
    table.refused(ClientMessage::Play { point: taken, node }, "taken");
    table.say(play);
    assert_eq!(table.stones(), "h8 i9 g7");
    assert!(table.state().waiting, "the engine is not in this");
    table.say(ClientMessage::GoTo { node });
    assert!(
        matches!(table.state().phase, Phase::Over { .. }),
        "the result stays"
    );
}

#[test]
fn a_line_is_played_into_the_tree() {
    let mut table = Table::new();
    table.play(&["h8"]);
    table.answer_move("i9");
    let node = table.state().node;
    let line = |points: &[&str]| ClientMessage::Line {
        node,
        points: points.iter().map(|point| (*point).to_owned()).collect(),
    };
    table.refused(line(&["h8"]), "taken");
    table.refused(line(&["nonsense"]), "point");
    table.refused(line(&[]), "not_now");
    // The first point was once played all the same.
    table.refused(line(&["g7", "nonsense"]), "point");
    table.say(line(&["g7", "f6", "g7", "e5"]));
    assert_eq!(table.stones(), "h8 i9 g7");
    assert!(table.state().waiting, "it is only looked at");
    assert_eq!(
        table.state().tree.len(),
        5,
        "as far as the line is possible"
    );
    table.refused(line(&["g7"]), "stale");
}

/// An analysis had proved a win, and the search for one said that there was none.
#[test]
fn what_the_analysis_has_proved_is_a_forced_win() {
    let mut table = Table::persons();
    table.play(&["h8", "h9", "i9", "g7"]);
    let none = || Solution {
        win: ForcedWin::None,
        nodes: 7,
    };
    let found = |table: &mut Table| {
        table.say(ClientMessage::Prove);
        table.report(SearchReport {
            solution: Some((&none()).into()),
            ..SearchReport::default()
        });
        let proof = table.replies.iter().find_map(|reply| match reply {
            ServerMessage::Proof(proof) => Some(proof.clone()),
            _ => None,
        });
        let proof = proof.unwrap();
        (proof.found, proof.plies, proof.win.map(|win| win.point))
    };
    assert_eq!(found(&mut table), (ProofStatus::NoThreats, 0, None));
    table.say(analyse());
    let mut line = info("j10", 0);
    line.score = Score::win_at(15);
    line.pv.push("k11".parse().unwrap());
    line.pv.push("i8".parse().unwrap());
    table.report(SearchReport {
        lines: vec![line],
        ..SearchReport::default()
    });
    assert_eq!(
        found(&mut table),
        (ProofStatus::Line, 15, Some("j10".to_owned()))
    );
    table.play(&["j10"]);
    assert_eq!(
        found(&mut table),
        (ProofStatus::NoThreats, 0, None),
        "another position"
    );
}

#[test]
fn late_in_a_game_an_engine_that_is_no_better_takes_a_draw() {
    let mut table = Table::with(|setup| setup.size = "6".to_owned());
    let mut free =
        (1..=6).flat_map(|row| "abcdef".chars().map(move |column| format!("{column}{row}")));
    while table.state().stones.len() < 14 {
        let point = free.next().unwrap();
        table.play(&[&point]);
        let answer = free.next().unwrap();
        table.answer(best(&answer, Some(info(&answer, 1))));
    }
    table.say(ClientMessage::OfferDraw);
    assert!(table.declined(DrawRefusal::Better));
    let (point, answer) = (free.next().unwrap(), free.next().unwrap());
    table.play(&[&point]);
    table.answer(best(&answer, Some(info(&answer, -1))));
    table.say(ClientMessage::OfferDraw);
    let drawn = Phase::Over(GameResult::draw(Termination::Agreement));
    assert_eq!(table.state().phase, drawn);
}

/// A program that lost by an illegal move is a reason that boards do not keep: such a game,
/// opened from a file, once came back empty.
#[test]
fn a_game_that_a_fault_ended_is_saved() {
    let mut table = Table::persons();
    let text = "Piskvorky 15x15, 0:0, 0\n8,8,100\n9,9,100\na\nb\n3\n".to_owned();
    table.say(ClientMessage::open(text));
    assert!(matches!(table.state().phase, Phase::Over { .. }));
    let kept = table.resumed();
    assert!(matches!(kept.state().phase, Phase::Over { .. }));
    assert_eq!(kept.state().stones, table.state().stones);
}

/// Opens a file and goes back and forth in it as buttons and messages allow.
#[test]
fn the_result_of_a_file_stays_as_it_is() {
    let resigned = "(;GM[4]SZ[15]RE[W+R];B[hh];W[ii];B[jj];W[kk])";
    let five = "(;GM[4]SZ[15];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea])";
    for (names, file) in [
        ("", resigned),
        ("PB[Ann]PW[Bob]", resigned),
        ("", five),
        ("PB[Ann]PW[Bob]", five),
    ] {
        let mut table = Table::new();
        table.say(ClientMessage::open(file.replacen(
            ";B",
            &format!("{names};B"),
            1,
        )));
        let end = table.state();
        assert!(matches!(end.phase, Phase::Over { .. }));
        assert!(end.opened && !end.can.resign && !end.can.draw && end.can.undo);
        let result = |table: &mut Table| {
            table.say(ClientMessage::export(Format::Sgf));
            let ServerMessage::Exported { text, .. } = table.replies[0].clone() else {
                panic!("{:?}", table.replies);
            };
            let at = text.find("RE[").expect("a result");
            text[at..].split(']').next().unwrap().to_owned()
        };
        let before = result(&mut table);
        // Undo steps, move by move, and the result stays.
        table.say(ClientMessage::Undo);
        assert_eq!(table.state().stones.len(), end.stones.len() - 1);
        table.refused(ClientMessage::Resign, "not_now");
        table.refused(ClientMessage::OfferDraw, "not_now");
        assert!(!table.state().can.resign && !table.state().can.draw);
        table.say(ClientMessage::Redo);
        assert_eq!(table.state().phase, end.phase);
        for _ in 0..3 {
            table.say(ClientMessage::Undo);
        }
        assert_eq!(table.state().stones.len(), end.stones.len() - 3);
        table.refused(ClientMessage::Resign, "not_now");
        assert_eq!(result(&mut table), before);
        assert_eq!(result(&mut table.resumed()), before);
    }
}

/// In one's own game too, the end of a variation that is looked at is not the end of the game, and
/// an end that was made earlier is not taken back by stepping.
#[test]
fn an_own_game_is_resigned_at_its_end_only() {
    let mut table = resigned();
    assert!(table.state().can.undo);
    table.say(ClientMessage::GoTo { node: 0 });
    table.refused(ClientMessage::Resign, "not_now");
    table.say(ClientMessage::GoTo { node: 2 });
    assert!(matches!(table.state().phase, Phase::Over { .. }));
    table.say(ClientMessage::Undo);
    assert_eq!(table.stones(), "");
    table.say(ClientMessage::Redo);
    assert!(
        matches!(table.state().phase, Phase::Over { .. }),
        "the end is still there"
    );
    // Undo right after the end takes it back.
    let mut table = resigned();
    table.say(ClientMessage::Undo);
    assert_eq!(
        (table.state().phase, table.stones().as_str()),
        (Phase::Move, "h8 i9")
    );
    table.say(ClientMessage::GoTo { node: 1 });
    table.refused(ClientMessage::OfferDraw, "not_now");
    // A game that was opened and is played on is resigned at its new end.
    let mut table = Table::new();
    table.say(ClientMessage::open("15 freestyle h8i9"));
    table.refused(ClientMessage::Resign, "not_now");
    table.play(&["g7"]);
    table.answer_move("f6");
    table.say(ClientMessage::Resign);
    assert_eq!(table.error(), None);
    assert!(!table.state().opened);
}

/// A file that names no players once made its result that of the person: "You win".
#[test]
fn the_seats_of_a_file_are_those_it_names() {
    let seats = |text: &str| {
        let mut table = Table::new();
        table.say(ClientMessage::open(text));
        let state = table.state();
        (
            state.players.unwrap(),
            state.levels,
            state.setup.names.is_some(),
        )
    };
    let (person, engine) = (Player::Person, Player::Engine);
    let won = "RE[B+R];B[hh];W[ii]";
    let of = |names: &str, rest: &str| seats(&format!("(;GM[4]SZ[15]{names}{rest})"));
    assert_eq!(of("", won).0, [person, person]);
    assert_eq!(of("PB[Ann]", won).0, [person, person]);
    // To be played on.
    assert_eq!(of("", ";B[hh];W[ii]").0, [person, engine]);
    let own = "PB[Quincunx, level 80]PW[]";
    assert_eq!(of(own, won), ([engine, person], [80, 80], false));
    let two = "PB[Quincunx, level 10]PW[Quincunx, level 90]";
    assert_eq!(of(two, won), ([engine, engine], [10, 90], false));
    assert_eq!(of("PB[Quincunx, level 80]PW[Bob]", won).0, [person, person]);
}
