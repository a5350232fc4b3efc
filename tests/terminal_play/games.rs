//! Whole games at the terminal, by keys and by clicks.

use super::pty::{ENTER, ESCAPE, Terminal};
use std::fs;

/// The stones on a board in ASCII, and its empty points from the bottom left.
fn board(screen: &str, side: usize) -> (usize, Vec<String>) {
    let (mut stones, mut empty) = (0, Vec::new());
    for (row, line) in screen.lines().take(side).enumerate() {
        let points = line.chars().skip(3).step_by(2).take(side);
        for (x, sign) in points.enumerate() {
            match sign {
                'x' | 'o' | 'X' | 'O' => stones += 1,
                _ => empty.push(format!("{}{}", (b'a' + x as u8) as char, side - row)),
            }
        }
    }
    (stones, empty)
}

fn is_over(screen: &str) -> bool {
    screen.contains(" wins: ") || screen.contains("Draw: ")
}

#[test]
fn two_persons_play_take_back_and_win() {
    let arguments = "--black person --white person --size 9 --ascii";
    let mut terminal = Terminal::play(arguments);
    terminal.sees("Black to move");
    // e5 by keys, then back.
    terminal.send(ENTER);
    terminal.sees("White to move");
    terminal.send("u");
    terminal.sees("Black to move");
    terminal.send("r");
    terminal.sees("White to move");
    terminal.send("\x1b[A\x1b[C ");
    let screen = terminal.sees("f6: white, move 2");
    assert_eq!(board(&screen, 9).0, 2, "{screen}");
    // White passes, and takes it back.
    terminal.send("u");
    terminal.sees("White to move");
    terminal.send("-");
    let screen = terminal.sees("Black to move");
    assert_eq!(board(&screen, 9).0, 1, "{screen}");
    assert!(screen.contains("--"), "{screen}");
    terminal.send("u");
    terminal.sees("White to move");
    terminal.send("\x1b[B\x1b[A ");
    terminal.sees("Black to move");
    for points in [["d5", "a1"], ["c5", "b1"], ["b5", "c1"]] {
        terminal.click(points[0], 9);
        terminal.sees("White to move");
        terminal.click(points[1], 9);
        terminal.sees("Black to move");
    }
    // There is a stone already.
    terminal.click("c1", 9);
    terminal.sees("c1 is taken");
    assert_eq!(terminal.bells(), 0);
    terminal.click("a5", 9);
    let screen = terminal.sees("Black wins: five in a row");
    let stones = screen.lines().take(9).flat_map(str::chars);
    assert_eq!(stones.filter(|sign| *sign == 'X').count(), 5, "{screen}");
    terminal.until("rung", |_| terminal.bells() == 1);
    terminal.click("i9", 9);
    terminal.sees("the game is over");
    terminal.send("q");
    terminal.leaves(0);
}

/// Moves and lines were taken for files, and a time in milliseconds for none.
#[test]
fn positions_in_words_are_opened() {
    let persons = "--black person --white person --ascii --time 500ms";
    for (word, rule) in [("h8i9", "freestyle"), ("15 renju h8i9", "renju")] {
        let mut command = Terminal::command(persons);
        command.arg(word);
        let mut terminal = Terminal::start(command);
        let screen = terminal.sees("Black to move");
        assert_eq!(board(&screen, 15).0, 2, "{screen}");
        assert!(screen.contains(rule), "{screen}");
        assert!(screen.contains(" h8i9"), "{screen}");
        terminal.send("q");
        terminal.leaves(0);
    }
    for (word, expected, code) in [
        ("h8h8", "h8 is taken", 1),
        ("15 chess h8", "15 chess h8", 1),
        ("nosuch.sgf", "No such file", 1),
        ("-", "reads keys from", 2),
    ] {
        let mut command = Terminal::command(persons);
        command.arg(word);
        let mut terminal = Terminal::start(command);
        terminal.sees(expected);
        terminal.leaves(code);
    }
}

#[test]
fn a_person_plays_the_engine_to_the_end() {
    let mut terminal = Terminal::play("--size 5 --level 0 --time 0s --ascii --no-color");
    loop {
        let turn = |screen: &str| screen.contains("Black to move") || is_over(screen);
        let screen = terminal.until("a person's turn", turn);
        if is_over(&screen) {
            break;
        }
        let (stones, empty) = board(&screen, 5);
        terminal.click(&empty[0], 5);
        terminal.until("a stone", |screen| board(screen, 5).0 > stones);
    }
    assert!(terminal.bells() > 3, "the engine's moves are heard");
    // Another game, with the colours swapped: the engine begins.
    terminal.send("c");
    let screen = terminal.sees("White to move");
    assert_eq!(board(&screen, 5).0, 1, "{screen}");
    assert!(screen.contains("x Black: engine"), "{screen}");
}

#[test]
fn engines_play_each_other_and_can_be_paused() {
    let arguments = "--size 5 --black engine --white engine --time 0s --ascii --opening swap2";
    let mut terminal = Terminal::play(arguments);
    terminal.until("the end", is_over);
    terminal.until("rung", |_| terminal.bells() == 1);
    // Taken back, it waits until it is told to go on.
    terminal.send("u");
    terminal.sees("the engine waits");
    terminal.send("p");
    terminal.until("the end", is_over);
    terminal.send("q");
    terminal.leaves(0);
}

#[test]
fn a_move_is_taken_back_while_the_engine_thinks() {
    let mut terminal = Terminal::play("--time 60s --level 100 --ascii");
    terminal.sees("Black to move");
    terminal.send(ENTER);
    terminal.sees("The engine is thinking");
    terminal.send("u");
    let screen = terminal.sees("Black to move");
    assert_eq!(board(&screen, 15).0, 0, "{screen}");
    terminal.click("a1", 15);
    let screen = terminal.sees("The engine is thinking");
    assert!(screen.contains("1 a1"), "{screen}");
    // What it thinks is shown as it thinks.
    terminal.send("e");
    terminal.sees("depth ");
    // Leaving a game asks first.
    terminal.send("q");
    terminal.sees("Leave a game that is not saved?");
    terminal.send("y");
    terminal.leaves(0);
}

#[test]
fn a_person_chooses_in_an_opening() {
    let arguments = "--opening swap2 --black engine --white person --time 0.05s --ascii";
    let mut terminal = Terminal::play(arguments);
    let screen = terminal.sees("3: put two more stones");
    assert_eq!(board(&screen, 15).0, 3, "{screen}");
    let empty = board(&screen, 15).1;
    terminal.click(&empty[0], 15);
    terminal.sees("an opening step is due");
    terminal.send("3");
    terminal.sees("put a white stone (2 to go)");
    terminal.click(&empty[0], 15);
    terminal.sees("put a black stone (1 to go)");
    terminal.click(&empty[1], 15);
    // The engine chooses a colour, and moves if that is white.
    let settled = |screen: &str| screen.contains("person") && screen.contains("to move");
    let screen = terminal.until("settled", settled);
    assert!(board(&screen, 15).0 >= 5, "{screen}");
}

#[test]
fn analysis_hints_and_forced_wins_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("position.txt");
    // Black has an open three.
    fs::write(&path, "15 freestyle h8a1i8a3j8o15").unwrap();
    let arguments = format!("{} --white person --ascii", path.display());
    let mut terminal = Terminal::play(&arguments);
    terminal.sees("Black to move");
    terminal.send("f");
    terminal.sees("Black wins by force in ");
    terminal.send("h");
    terminal.sees("Hint: ");
    terminal.send("2");
    terminal.sees("1: win ");
    terminal.sees("Black 100% [##########]");
    terminal.send("a");
    terminal.loses("1: win ");
}

#[test]
fn a_game_is_saved_and_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.sgf");
    let mut terminal = Terminal::play("--white person --size 9x7 --rule caro --ascii");
    terminal.sees("Black to move");
    terminal.send("s");
    terminal.sees("game.sgf_");
    terminal.send(ESCAPE);
    terminal.loses("game.sgf_");
    for point in ["c3", "d4", "e5"] {
        terminal.click(point, 7);
        terminal.sees(&format!(" {point}"));
    }
    terminal.send("s");
    terminal.sees("game.sgf_");
    terminal.send(&"\x7f".repeat("game.sgf".len()));
    terminal.send(&format!("{}{ENTER}", path.display()));
    terminal.sees("Saved in ");
    // What was saved can be left without a question.
    terminal.send("q");
    terminal.leaves(0);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("(;FF[4]"), "{text}");

    let mut terminal = Terminal::play(&format!("{} --ascii --time 5m", path.display()));
    let screen = terminal.sees("3 e5");
    assert!(screen.contains("without clocks"), "{screen}");
    assert!(screen.contains("caro, 9x7"), "{screen}");
    assert_eq!(board(&screen, 7).0, 3, "{screen}");
    // The engine has white, and waits.
    terminal.sees("the engine waits");
    terminal.send("o");
    terminal.sees("Open SGF, PSQ or text");
    terminal.send(&format!(
        "{}{ENTER}",
        folder.path().join("none.sgf").display()
    ));
    terminal.sees("No such file");
    let other = folder.path().join("other.psq");
    fs::write(&other, "nonsense").unwrap();
    terminal.send(&"\x7f".repeat("none.sgf".len()));
    terminal.send(&format!("other.psq{ENTER}"));
    terminal.sees("line 1: expected a line such as");
    terminal.send(ESCAPE);
    terminal.loses("Open SGF");
    // No file is replaced unasked.
    terminal.send("s");
    terminal.sees(".sgf_");
    terminal.send(&"\x7f".repeat("game.sgf".len()));
    terminal.send(&format!("other.psq{ENTER}"));
    terminal.sees("Enter replaces it");
    assert_eq!(fs::read_to_string(&other).unwrap(), "nonsense");
    terminal.send(ENTER);
    terminal.sees("Saved in ");
    assert!(
        fs::read_to_string(&other)
            .unwrap()
            .starts_with("Piskvorky 9x7")
    );
}

#[test]
fn a_new_game_is_filled_in() {
    let mut terminal = Terminal::play("--white person --ascii");
    terminal.sees("freestyle, 15x15");
    terminal.send("n");
    terminal.sees("> Rule");
    // Renju, 99: there is no such board.
    terminal.send("\x1b[C\x1b[C\t99");
    terminal.sees("99_");
    terminal.send(ENTER);
    terminal.sees("is not supported");
    terminal.send("\x7f\x7f7x5");
    terminal.sees("7x5_");
    terminal.send(ENTER);
    let screen = terminal.sees("renju, 7x5");
    assert_eq!(screen.lines().nth(5), Some("   a b c d e f g"));
}

/// Text that was pasted on the board were once keys: these two resigned the game.
#[test]
fn what_is_pasted_on_the_board_is_no_keys() {
    let mut terminal = Terminal::play("--black person --white person --size 9 --ascii");
    terminal.sees("Black to move");
    // The terminal is asked to say what is pasted.
    let asked = b"\x1b[?2004h";
    terminal.until("asked", |_| {
        let bytes = terminal.bytes();
        bytes.windows(asked.len()).any(|window| window == asked)
    });
    terminal.send("\x1b[200~xy\x1b[201~");
    terminal.send(ENTER);
    terminal.sees("White to move");
    terminal.send("q");
    terminal.sees("Leave a game that is not saved?");
    terminal.send("y");
    terminal.leaves(0);
}
