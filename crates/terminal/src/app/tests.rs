//! Files, questions and other games, without a terminal.

use super::*;
use quincunx_board::SearchReport;
use quincunx_engine::engine::{Answer, BestMove, Line};
use quincunx_engine::score::Score;

fn app(white: Player) -> App {
    let setup = Setup {
        white,
        ..Setup::default()
    };
    let appearance = Appearance {
        ascii: true,
        color: false,
    };
    App::new(setup, Options::default(), appearance).unwrap()
}

/// Saves the game in a file of this name, and returns what is said of it.
fn saved(app: &mut App, name: &str) -> String {
    app.act(Duration::ZERO, Action::Save);
    app.act(Duration::ZERO, Action::EraseAll);
    app.paste(Duration::ZERO, name);
    let effects = app.act(Duration::ZERO, Action::Accept);
    let [Effect::Save { path, .. }] = &effects[..] else {
        panic!("{effects:?}");
    };
    app.saved(path, Ok(()));
    app.notice().unwrap().to_owned()
}

/// Returns true if saving under the offered name may replace a file.
fn replaces(app: &mut App) -> bool {
    app.act(Duration::ZERO, Action::Save);
    let effects = app.act(Duration::ZERO, Action::Accept);
    let [Effect::Save { replace, .. }] = effects[..] else {
        panic!("{effects:?}");
    };
    app.act(Duration::ZERO, Action::Cancel);
    replace
}

/// A file of three games was once replaced by the one that had been opened from it.
#[test]
fn only_a_file_that_was_written_here_is_replaced_without_a_question() {
    let mut app = app(Player::Person);
    let path = Path::new("many.sgf");
    let games = "(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15];B[gg])".to_owned();
    app.open(path, ClientMessage::open(games)).unwrap();
    // That there are more games was once told by the page alone.
    assert_eq!(app.notice(), Some("Opened many.sgf: game 1 of 2"));
    assert!(!replaces(&mut app));
    app.act(Duration::ZERO, Action::Save);
    app.saved(path, Err(SaveError::Exists));
    let effects = app.act(Duration::ZERO, Action::Accept);
    assert!(matches!(effects[..], [Effect::Save { replace: true, .. }]));
    app.saved(path, Ok(()));
    assert!(replaces(&mut app));
    // A rematch is another game.
    app.act(Duration::ZERO, Action::Rematch);
    assert!(!replaces(&mut app));
}

/// A library once was replaced by SGF under its name.
#[test]
fn no_file_of_a_format_that_is_only_read_is_saved() {
    let mut app = app(Player::Person);
    let path = Path::new("old.REC");
    let open = ClientMessage::open_file("old.REC", b"A\nB\n7,7,0\n-1\n");
    app.open(path, open).unwrap();
    app.act(Duration::ZERO, Action::Save);
    let effects = app.act(Duration::ZERO, Action::Accept);
    let [Effect::Save { path, text, .. }] = &effects[..] else {
        panic!("{effects:?}");
    };
    assert!(
        path == Path::new("old.sgf") && text.starts_with("(;"),
        "{effects:?}"
    );
    // A picture was once asked for, and SGF was written.
    for name in ["openings.lib", "board.png"] {
        app.act(Duration::ZERO, Action::EraseAll);
        app.paste(Duration::ZERO, name);
        assert!(app.act(Duration::ZERO, Action::Accept).is_empty(), "{name}");
        let Some(Dialog::FileName(asked)) = app.dialog() else {
            panic!("the name is asked for again");
        };
        let error = asked.error.as_deref();
        assert_eq!(
            error,
            Some("The name has to end in .sgf, .psq or .txt"),
            "{name}"
        );
    }
    app.act(Duration::ZERO, Action::Cancel);
    assert_eq!(saved(&mut app, "game"), "Saved in game");
}

/// Later moves and variations were once lost with a game that was taken for saved.
#[test]
fn a_game_is_saved_by_a_file_that_has_all_of_it() {
    let mut app = app(Player::Person);
    for point in ["h8", "i9"] {
        app.act(Duration::ZERO, Action::PlayAt(point.parse().unwrap()));
    }
    app.act(Duration::ZERO, Action::Undo);
    assert_eq!(
        saved(&mut app, "game.psq"),
        "Saved in game.psq without later moves"
    );
    assert!(app.act(Duration::ZERO, Action::Quit).is_empty());
    app.act(Duration::ZERO, Action::Cancel);
    app.act(Duration::ZERO, Action::Redo);
    assert_eq!(saved(&mut app, "game.psq"), "Saved in game.psq");
    let effects = app.act(Duration::ZERO, Action::Quit);
    assert_eq!(effects, [Effect::Leave(Exit::Left)]);
}

/// Labels, properties and names of a file were once lost with a game that was taken for saved.
#[test]
fn features_that_a_format_cannot_hold_are_shown() {
    let mut app = app(Player::Person);
    let game = "(;GM[4]SZ[15]RU[renju]PB[Ann]PW[Bob];B[hh]LB[aa:x]TR[bb](;W[ig]C[!])(;W[ih]))";
    let path = Path::new("game.sgf");
    app.open(path, ClientMessage::open(game)).unwrap();
    app.act(Duration::ZERO, Action::PlayAt("g10".parse().unwrap()));
    for (name, without) in [
        (
            "game.psq",
            " without variations, remarks, labels and the rule",
        ),
        ("game.txt", " without variations, remarks, labels and names"),
    ] {
        assert_eq!(saved(&mut app, name), format!("Saved in {name}{without}"));
        assert!(app.act(Duration::ZERO, Action::Quit).is_empty());
        app.act(Duration::ZERO, Action::Cancel);
    }
    assert_eq!(saved(&mut app, "game.sgf"), "Saved in game.sgf");
    let effects = app.act(Duration::ZERO, Action::Quit);
    assert_eq!(effects, [Effect::Leave(Exit::Left)]);
}

#[test]
fn a_draw_that_is_declined_leaves_a_saved_game_saved() {
    let mut app = app(Player::Engine);
    app.saved(Path::new("game.sgf"), Ok(()));
    app.act(Duration::ZERO, Action::OfferDraw);
    assert_eq!(app.notice(), Some("The engine plays on"));
    let effects = app.act(Duration::ZERO, Action::Quit);
    assert_eq!(effects, [Effect::Leave(Exit::Left)]);
}

/// Pasted text was once taken for keys, which could resign a game.
#[test]
fn pasted_text_is_written_where_something_is_written() {
    let mut app = app(Player::Person);
    app.paste(Duration::ZERO, "xy\n");
    assert_eq!((app.mode(), app.is_over()), (Mode::Board, false));
    app.act(Duration::ZERO, Action::Open);
    app.paste(Duration::ZERO, "games/a b.sgf\r\n");
    let Some(Dialog::FileName(name)) = app.dialog() else {
        panic!("the name is not taken yet");
    };
    assert_eq!(name.text, "games/a b.sgf");
}

/// Findings in the first position of a game were once shown in that of the next one.
#[test]
fn what_was_found_in_another_game_is_not_shown() {
    let mut app = app(Player::Person);
    app.act(Duration::ZERO, Action::ToggleEvaluation);
    app.act(Duration::ZERO, Action::Hint);
    let point: Point = "h8".parse().unwrap();
    let line = Line {
        rank: 0,
        lines: 1,
        depth: 8,
        seldepth: 12,
        score: Score::ZERO,
        nodes: 1000,
        elapsed: Duration::ZERO,
        pv: vec![point],
    };
    let best = BestMove {
        point,
        info: Some(line.clone()),
        from_book: false,
    };
    let report = Report::Search(SearchReport {
        lines: vec![line],
        answer: Some(Answer::Move(best)),
        ..SearchReport::default()
    });
    let id = app.jobs()[0].id();
    app.report(Duration::ZERO, id, report);
    assert!(app.hint() == Some(point) && app.analysis().is_some());
    app.act(Duration::ZERO, Action::Rematch);
    assert!(app.hint().is_none() && app.analysis().is_none());
}
