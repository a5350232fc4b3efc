//! What is drawn, as plain text.

use quincunx_board::{Player, Report, SearchReport, Setup};
use quincunx_engine::engine::{Line, Options};
use quincunx_engine::score::Score;
use quincunx_terminal::{Action, App, Appearance, Effect, Exit, draw};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Color;
use std::time::Duration;

const PLAIN: Appearance = Appearance {
    ascii: false,
    color: false,
};

const ASCII: Appearance = Appearance {
    ascii: true,
    color: false,
};

/// Two persons' game with these moves.
fn game(appearance: Appearance, size: &str, rule: &str, moves: &str) -> App {
    let setup = Setup {
        rule: rule.to_owned(),
        size: size.to_owned(),
        white: Player::Person,
        moves: moves.to_owned(),
        ..Setup::default()
    };
    App::new(setup, Options::default(), appearance).unwrap()
}

fn backend(app: &App, width: u16, height: u16) -> TestBackend {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(app, frame)).unwrap();
    terminal.backend().clone()
}

/// The lines of the screen without blanks at their ends.
fn screen(app: &App, width: u16, height: u16) -> Vec<String> {
    let backend = backend(app, width, height);
    let cells = backend.buffer().content();
    let rows = cells.chunks(usize::from(width));
    let text = |row: &[ratatui::buffer::Cell]| {
        let text: String = row.iter().map(|cell| cell.symbol()).collect();
        text.trim_end().to_owned()
    };
    let mut lines: Vec<String> = rows.map(text).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

#[track_caller]
fn shows(app: &App, size: (u16, u16), expected: &str) {
    let lines = screen(app, size.0, size.1);
    let expected: Vec<&str> = expected.trim_matches('\n').lines().collect();
    assert!(lines == expected, "\n<<<\n{}\n>>>", lines.join("\n"));
}

fn act(app: &mut App, actions: &[Action]) {
    for action in actions {
        assert_eq!(app.act(Duration::ZERO, *action), [], "{action:?}");
    }
}

#[test]
fn wide() {
    let app = game(PLAIN, "9", "freestyle", "e5f6d4");
    shows(
        &app,
        (60, 14),
        "
 9 · · · · · · · · ·   Quincunx 0.2.0
 8 · · · · · · · · ·   freestyle, 9x9
 7 · · + · · · + · ·
 6 · · · · · ○ · · ·   ● Black: person
 5 · · · ·[●]· · · ·   ○ White: person
 4 · · ·(●)· · · · ·
 3 · · + · · · + · ·   White to move
 2 · · · · · · · · ·   e5: black, move 1
 1 · · · · · · · · ·
   a b c d e f g h i     1 e5    2 f6    3 d4



? keys  q quit  u undo  n new  h hint  a analyse  r redo
",
    );
}

#[test]
fn narrow() {
    let app = game(PLAIN, "9x7", "caro", "e5f6d4");
    shows(
        &app,
        (32, 18),
        "
 7 · · · · · · · · ·
 6 · · · · · ○ · · ·
 5 · · · · ● · · · ·
 4 · · ·(●[+]· · · ·
 3 · · · · · · · · ·
 2 · · · · · · · · ·
 1 · · · · · · · · ·
   a b c d e f g h i
White to move
e4: empty
● Black: person  ○ White: person

  1 e5    2 f6    3 d4




? keys  q quit  u undo  n new
",
    );
}

#[test]
fn ascii_has_nothing_else() {
    let mut app = game(ASCII, "9", "renju", "e5f6d4");
    act(&mut app, &[Action::ToggleThreats, Action::Help]);
    for size in [(60, 14), (32, 24), (80, 40)] {
        let lines = screen(&app, size.0, size.1);
        assert!(lines.iter().all(|line| line.is_ascii()), "{lines:#?}");
    }
    act(&mut app, &[Action::Cancel]);
    shows(
        &app,
        (60, 14),
        "
 9 . . . . . . . . .   Quincunx 0.2.0
 8 . . . . . . . . .   renju, 9x9
 7 . . + . . . + . .
 6 . . . . . o . . .   x Black: person
 5 . . . .[x]. . . .   o White: person
 4 . . .(x). . . . .
 3 . . + . . . + . .   White to move
 2 . . . . . . . . .   e5: black, move 1
 1 . . . . . . . . .   no strong threats
   a b c d e f g h i
                         1 e5    2 f6    3 d4


? keys  q quit  u undo  n new  h hint  a analyse  r redo
",
    );
}

/// Black would make a double three at j8.
#[test]
fn forbidden_points_are_marked_and_refused() {
    let mut app = game(PLAIN, "15", "renju", "h8a1i8a3j9a5j10o15");
    let point = "j8".parse().unwrap();
    act(&mut app, &[Action::PlayAt(point)]);
    shows(
        &app,
        (80, 18),
        "
15 · · · · · · · · · · · · · ·(○)  Quincunx 0.2.0
14 · · · · · · · · · · · · · · ·   renju, 15x15
13 · · · · · · · · · · · · · · ·
12 · · · + · · · · · · · + · · ·   ● Black: person
11 · · · · · · · · · · · · · · ·   ○ White: person
10 · · · · · · · · · ● · · · · ·
 9 · · · · · · · · · ● · · · · ·   Black to move
 8 · · · · · · · ● ●[×]· · · · ·   j8 is forbidden to black: double three
 7 · · · · · · · · · · · · · · ·   j8: forbidden, double three
 6 · · · · · · · · · · · · · · ·
 5 ○ · · · · · · · · · · · · · ·     1 h8    2 a1    3 i8    4 a3    5 j9
 4 · · · + · · · · · · · + · · ·     6 a5    7 j10   8 o15
 3 ○ · · · · · · · · · · · · · ·
 2 · · · · · · · · · · · · · · ·
 1 ○ · · · · · · · · · · · · · ·
   a b c d e f g h i j k l m n o

? keys  q quit  u undo  n new  h hint  a analyse  r redo  s save  o open
",
    );
}

#[test]
fn the_end_of_a_game() {
    let mut app = game(PLAIN, "9", "freestyle", "e5a1e6a2e7a3e8a4");
    let point = "e9".parse().unwrap();
    assert_eq!(
        app.act(Duration::ZERO, Action::PlayAt(point)),
        [Effect::Bell]
    );
    act(&mut app, &[Action::ToggleNumbers]);
    shows(
        &app,
        (80, 14),
        "
 9 ·   ·   ·   ·  [◆9 ]·   ·   ·   ·     Quincunx 0.2.0
 8 ·   ·   ·   ·   ◆7  ·   ·   ·   ·     freestyle, 9x9
 7 ·   ·   +   ·   ◆5  ·   +   ·   ·
 6 ·   ·   ·   ·   ◆3  ·   ·   ·   ·     ● Black: person
 5 ·   ·   ·   ·   ◆1  ·   ·   ·   ·     ○ White: person
 4 ○8  ·   ·   ·   ·   ·   ·   ·   ·
 3 ○6  ·   +   ·   ·   ·   +   ·   ·     Black wins: five in a row
 2 ○4  ·   ·   ·   ·   ·   ·   ·   ·     e9: black, move 9
 1 ○2  ·   ·   ·   ·   ·   ·   ·   ·
   a   b   c   d   e   f   g   h   i       1 e5    2 a1    3 e6    4 a2
                                           5 e7    6 a3    7 e8    8 a4
                                           9 e9

? keys  q quit  u undo  n new  h hint  a analyse  r redo  s save  o open
",
    );
    act(&mut app, &[Action::ToggleNumbers]);
    shows(
        &app,
        (60, 14),
        "
 9 · · · ·[◆]· · · ·   Quincunx 0.2.0
 8 · · · · ◆ · · · ·   freestyle, 9x9
 7 · · + · ◆ · + · ·
 6 · · · · ◆ · · · ·   ● Black: person
 5 · · · · ◆ · · · ·   ○ White: person
 4 ○ · · · · · · · ·
 3 ○ · + · · · + · ·   Black wins: five in a row
 2 ○ · · · · · · · ·   e9: black, move 9
 1 ○ · · · · · · · ·
   a b c d e f g h i     1 e5    2 a1    3 e6    4 a2
                         5 e7    6 a3    7 e8    8 a4
                         9 e9

? keys  q quit  u undo  n new  h hint  a analyse  r redo
",
    );
    // A game that is over needs no question.
    let left = app.act(Duration::ZERO, Action::Quit);
    assert_eq!(left, [Effect::Leave(Exit::Left)]);
}

#[test]
fn clocks_fall_and_end_the_game() {
    let setup = Setup {
        white: Player::Person,
        time: "1m".parse().unwrap(),
        ..Setup::default()
    };
    let mut app = App::new(setup, Options::default(), PLAIN).unwrap();
    assert_eq!(app.tick(Duration::from_secs(20)), []);
    let lines = screen(&app, 80, 24);
    assert!(lines[3].ends_with("● Black: person 0:40"), "{lines:#?}");
    assert!(lines[4].ends_with("○ White: person 1:00"), "{lines:#?}");
    assert_eq!(app.deadline(), Some(Duration::from_secs(60)));
    assert_eq!(app.tick(Duration::from_secs(60)), [Effect::Bell]);
    let lines = screen(&app, 80, 24);
    assert!(lines[6].ends_with("White wins: time is up"), "{lines:#?}");
}

#[test]
fn an_opening_asks_for_a_choice() {
    let mut app = game(PLAIN, "9", "freestyle", "");
    let setup = Setup {
        opening: "swap2".to_owned(),
        ..app.state().setup.clone()
    };
    app = App::new(setup, Options::default(), PLAIN).unwrap();
    for point in ["e5", "f6", "a1"] {
        act(&mut app, &[Action::PlayAt(point.parse().unwrap())]);
    }
    shows(
        &app,
        (64, 16),
        "
 9 · · · · · · · · ·   Quincunx 0.2.0
 8 · · · · · · · · ·   freestyle, 9x9, swap2
 7 · · + · · · + · ·
 6 · · · · · ○ · · ·   first: person
 5 · · · · ● · · · ·   second: person
 4 · · · · · · · · ·   ● Black ○ White
 3 · · + · · · + · ·
 2 · · · · · · · · ·   Opening: choose
 1[●]· · · · · · · ·   1: take black
   a b c d e f g h i   2: take white
                       3: put two more stones
                       Three stones are on the board. Take the
                       colour that stands better, or put two
                       more stones and let the other player
                       choose.
1 2 3 choose  ? keys  q quit  u undo  n new
",
    );
    // The choices have room on the narrowest screen.
    let lines = screen(&app, 30, 17);
    assert_eq!(lines[13], "3: put two more stones", "{lines:#?}");
    act(&mut app, &[Action::Choose(1)]);
    let lines = screen(&app, 64, 16);
    assert!(lines[6].contains("White to move"), "{lines:#?}");
}

/// Two lines that a search has found.
fn report() -> Report {
    let line = |(rank, units, pv): (usize, i32, &str)| Line {
        rank,
        lines: 2,
        depth: 12,
        seldepth: 20,
        score: Score::from_units(units),
        nodes: 1_234_567,
        elapsed: Duration::from_millis(820),
        pv: pv.split(' ').map(|point| point.parse().unwrap()).collect(),
    };
    Report::Search(SearchReport {
        lines: [(0, 100, "f5 d6 g7"), (1, -50, "c3 d6 e7")]
            .map(line)
            .to_vec(),
        ..SearchReport::default()
    })
}

#[test]
fn an_analysis_marks_the_best_moves() {
    let mut app = game(PLAIN, "9", "freestyle", "e5f6d4e4");
    act(&mut app, &[Action::AnalyseLines(2)]);
    let job = app.jobs()[0].id();
    assert_eq!(app.report(Duration::ZERO, job, report()), []);
    shows(
        &app,
        (60, 18),
        "
 9 · · · · · · · · ·   Quincunx 0.2.0
 8 · · · · · · · · ·   freestyle, 9x9
 7 · · + · · · + · ·
 6 · · · · · ○ · · ·   ● Black: person
 5 · · · ·[●]1 · · ·   ○ White: person
 4 · · · ●(○)· · · ·
 3 · · 2 · · · + · ·   Black to move
 2 · · · · · · · · ·   e5: black, move 1
 1 · · · · · · · · ·   Black 62% [######----]
   a b c d e f g h i   depth 12-20, 1234k nodes, 0.8 s
                       1: 62% f5 d6 g7
                       2: 44% c3 d6 e7

                         1 e5    2 f6    3 d4    4 e4



? keys  q quit  u undo  n new  h hint  a analyse  r redo
",
    );
}

#[test]
fn the_engine_rings_and_nobody_sees_its_thoughts_unasked() {
    let setup = Setup {
        black: Player::Engine,
        white: Player::Person,
        ..Setup::default()
    };
    let mut app = App::new(setup, Options::default(), PLAIN).unwrap();
    let job = app.jobs()[0].id();
    app.report(Duration::ZERO, job, report());
    let lines = screen(&app, 80, 24).join("\n");
    assert!(!lines.contains("depth"), "{lines}");
    act(&mut app, &[Action::ToggleEvaluation]);
    let lines = screen(&app, 80, 24).join("\n");
    assert!(lines.contains("depth 12-20, 1234k nodes, 0.8 s"), "{lines}");
}

#[test]
fn dialogs_lie_above_the_board() {
    let mut app = game(PLAIN, "9", "freestyle", "e5");
    act(
        &mut app,
        &[Action::NewGame, Action::Down(-2), Action::Change(1)],
    );
    shows(
        &app,
        (60, 14),
        "
 9 · · · · · · · · ·   Quincunx 0.2.0
 8 · · ·┌ New game ────────────────────────────────┐
 7 · · +│   Rule     freestyle                     │
 6 · · ·│   Size     9                             │
 5 · · ·│   Opening  free                          │
 4 · · ·│   Black    person                        │
 3 · · +│   White    person                        │
 2 · · ·│ > Level    club (40)_                    │
 1 · · ·│   Time     1s                            │
   a b c│                                          │
        │ of the engine, from 0 to 100             │
        └──────────────────────────────────────────┘

Enter start  Esc cancel  arrows choose
",
    );
    act(&mut app, &[Action::Cancel, Action::Resign]);
    let lines = screen(&app, 60, 14);
    assert!(lines.iter().any(|line| line.contains("Resign this game?")));
    let over = app.act(Duration::ZERO, Action::Accept);
    assert_eq!(over, [Effect::Bell]);
}

#[test]
fn a_screen_without_room_says_so() {
    let app = game(PLAIN, "22", "freestyle", "");
    shows(
        &app,
        (40, 10),
        "
The terminal is too small: it has 40 x
10, the board needs 47 x 30, or 79 x 24
",
    );
    for (width, height) in [(1, 1), (3, 2), (20, 5), (200, 60)] {
        screen(&app, width, height);
    }
}

/// Every screen that there may be is drawn without a panic, whatever is shown.
#[test]
fn every_size_of_board_and_screen_is_drawn() {
    for (size, moves) in [
        ("5", "c3d4"),
        ("22x5", "c3d4"),
        ("5x22", "c3d22"),
        ("22", ""),
    ] {
        let mut app = game(ASCII, size, "renju", moves);
        let dialogs = [
            Action::Help,
            Action::NewGame,
            Action::Save,
            Action::ToggleNumbers,
        ];
        for dialog in dialogs {
            act(&mut app, &[dialog]);
            for width in (1..120).step_by(7) {
                for height in (1..50).step_by(5) {
                    screen(&app, width, height);
                }
            }
            act(&mut app, &[Action::Cancel]);
        }
    }
}

#[test]
fn colours_are_only_there_where_they_are_wanted() {
    let colors = |appearance: Appearance| {
        let app = game(appearance, "9", "renju", "e5f6d4");
        let backend = backend(&app, 60, 14);
        let cells = backend.buffer().content().iter();
        let colored = cells.filter(|cell| (cell.fg, cell.bg) != (Color::Reset, Color::Reset));
        colored.count()
    };
    let appearance = |color| Appearance { ascii: true, color };
    assert!(colors(appearance(true)) > 81);
    assert_eq!(colors(appearance(false)), 0);
}

/// A rematch in mid-game once began at once, and so did another game and what a file has. The
/// name of a file could only be erased letter by letter.
#[test]
fn a_game_that_is_not_saved_is_left_after_a_question() {
    let setup = Setup {
        white: Player::Person,
        ..Setup::default()
    };
    let mut app = App::new(setup, Options::default(), PLAIN).unwrap();
    let sees = |app: &App, text: &str| screen(app, 80, 24).iter().any(|line| line.contains(text));
    act(&mut app, &[Action::Play]);
    for action in [Action::NewGame, Action::Open, Action::Rematch] {
        act(&mut app, &[action]);
        assert!(sees(&app, "Leave a game that is not saved?"));
        act(&mut app, &[Action::Cancel]);
    }
    assert_eq!(app.state().stones.len(), 1);
    act(&mut app, &[Action::Open, Action::Accept]);
    assert!(sees(&app, "Open SGF"));
    act(&mut app, &[Action::Cancel]);
    act(&mut app, &[Action::Rematch, Action::Accept]);
    assert_eq!(app.state().stones.len(), 0);
    act(&mut app, &[Action::Save]);
    assert!(sees(&app, "game.sgf"));
    act(&mut app, &[Action::EraseAll, Action::Type('a')]);
    assert!(!sees(&app, "game.sgf"));
}
