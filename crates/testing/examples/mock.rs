//! An engine for tests: plays random points, and misbehaves as its arguments
//! say. `mock BEHAVIOUR [SEED]`. Where MOCK_STAMPS names a folder, it writes
//! down when it heard and said what, to measure the program that runs the game.

use std::fs::File;
use std::io::{self, BufRead, Write};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

struct Mock {
    behaviour: String,
    seed: u64,
    width: usize,
    height: usize,
    taken: Vec<(usize, usize)>,
    /// Stones of earlier games, which `keep-stones` takes for those of this one.
    kept: Vec<(usize, usize)>,
    moves: usize,
    /// True before the first move.
    unready: bool,
    /// The time for a turn.
    turn: Duration,
    hoard: Vec<Vec<u8>>,
    stamps: Option<File>,
    /// The time of the last answer.
    answered: Option<Instant>,
    /// Milliseconds worked since the last move.
    ticks: Arc<AtomicU64>,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let behaviour = arguments.next().unwrap_or_else(|| "fair".into());
    let seed = arguments.next().and_then(|seed| seed.parse().ok());
    let mut mock = Mock {
        behaviour,
        seed: seed.unwrap_or(1),
        width: 0,
        height: 0,
        taken: Vec::new(),
        kept: Vec::new(),
        moves: 0,
        unready: true,
        turn: Duration::ZERO,
        hoard: Vec::new(),
        stamps: std::env::var("MOCK_STAMPS").ok().and_then(|folder| {
            let name = format!("{folder}/{}", std::process::id());
            File::create(name).ok()
        }),
        ticks: Arc::default(),
        answered: None,
    };
    if mock.is("ponder") {
        let ticks = Arc::clone(&mock.ticks);
        std::thread::spawn(move || {
            loop {
                sleep(Duration::from_millis(1));
                ticks.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    if mock.is("crash-at-once") {
        return ExitCode::from(3);
    }
    if mock.is("deaf") {
        forever();
    }
    if mock.is("greet") {
        sleep(Duration::from_millis(500));
        say("Welcome");
    }
    let mut board = None::<bool>;
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let mut line = line.trim();
        // What comes right after an answer loses its first word.
        let is_soon = |at: Instant| at.elapsed() < Duration::from_millis(15);
        if mock.is("lose-word") && mock.answered.take().is_some_and(is_soon) {
            line = line.split_once(' ').map_or("", |(_, rest)| rest);
        }
        if let Some(code) = mock.obey(line, &mut board) {
            return code;
        }
    }
    if mock.is("ignore-end") {
        forever();
    }
    mock.leave()
}

fn forever() -> ! {
    loop {
        sleep(Duration::from_secs(1000));
    }
}

fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

impl Mock {
    fn is(&self, behaviour: &str) -> bool {
        self.behaviour == behaviour
    }

    /// Does what the line asks; an exit code ends the program.
    fn obey(&mut self, line: &str, board: &mut Option<bool>) -> Option<ExitCode> {
        if let Some(swap2) = *board {
            if line == "DONE" {
                *board = None;
                if swap2 {
                    self.swap2();
                    return None;
                }
                return self.answer();
            }
            let mut numbers = line.split(',').filter_map(|n| n.parse().ok());
            self.taken.push((numbers.next()?, numbers.next()?));
            return None;
        }
        self.stamp(line);
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "START" | "RECTSTART" => return self.start(rest),
            "BEGIN" => return self.answer(),
            "TURN" => {
                let (x, y) = rest.split_once(',')?;
                let point = (x.parse().ok()?, y.parse().ok()?);
                if self.kept.contains(&point) {
                    say("ERROR taken");
                    return None;
                }
                self.taken.push(point);
                return self.answer();
            }
            "BOARD" => {
                self.taken.clear();
                *board = Some(false);
            }
            "SWAP2BOARD" if self.behaviour.starts_with("swap2") => {
                self.taken.clear();
                *board = Some(true);
            }
            "PLAY" => say(rest),
            "INFO" if self.is("one-rule") && rest.starts_with("rule ") && rest != "rule 0" => {
                sleep(Duration::from_millis(300));
                say("ERROR no such rule");
            }
            "INFO" => {
                let turn = rest.strip_prefix("timeout_turn ")?;
                self.turn = Duration::from_millis(turn.parse().ok()?);
            }
            "ABOUT" if !self.is("silent") => say("name=\"Mock\", version=\"1.0\""),
            "END" if !self.is("ignore-end") => return Some(self.leave()),
            _ if self.is("swapless") => say("UNKNOWN command"),
            _ => {}
        }
        None
    }

    /// Ends the program.
    fn leave(&self) -> ExitCode {
        match self.behaviour.as_str() {
            "crash-at-end" => std::process::abort(),
            "fail-at-end" => ExitCode::from(101),
            _ => ExitCode::SUCCESS,
        }
    }

    /// A step of the swap2 opening; `swap2-two-white` puts two stones where it may,
    /// and takes white in the end.
    fn swap2(&mut self) {
        let stones = self.taken.len();
        let two = self.behaviour.contains("two") && stones == 3;
        match stones {
            0 if self.behaviour.contains("four") => say("7,7 8,8 9,9 1,1"),
            0 => say("7,7 8,8 6,9"),
            _ if self.behaviour.contains("taken") => say("7,7 1,1"),
            _ if two => say("2,2 3,3"),
            _ if self.behaviour.contains("white") => self.play(),
            _ => say("SWAP"),
        }
    }

    fn start(&mut self, size: &str) -> Option<ExitCode> {
        match self.behaviour.as_str() {
            "crash-at-start" => return Some(ExitCode::from(4)),
            "hang-at-start" => forever(),
            "refuse" => {
                say("ERROR no such board");
                return None;
            }
            // It takes a fresh process for every game.
            "refuse-again" if self.width > 0 => {
                say("ERROR Unknown command: 15");
                return None;
            }
            _ => {}
        }
        let (width, height) = size.split_once(',').unwrap_or((size, size));
        (self.width, self.height) = (width.parse().ok()?, height.parse().ok()?);
        if self.is("keep-stones") {
            self.kept.append(&mut self.taken);
        }
        self.taken.clear();
        self.moves = 0;
        say("OK");
        None
    }

    fn answer(&mut self) -> Option<ExitCode> {
        self.moves += 1;
        // `nodes=5000` searches for a tenth of its time, as many nodes a second.
        if let Some(Ok(speed)) = self.behaviour.strip_prefix("nodes=").map(str::parse::<f64>) {
            let begin = Instant::now();
            sleep(self.turn / 10);
            let nodes = speed * begin.elapsed().as_secs_f64();
            say(&format!("MESSAGE depth 5 nodes {nodes:.0}"));
        }
        match self.behaviour.as_str() {
            "crash" if self.moves == 3 => std::process::abort(),
            "panic" if self.moves == 2 => {
                let _ = writeln!(io::stderr(), "a reason to stop");
                return Some(ExitCode::from(101));
            }
            "hang" if self.moves == 3 => forever(),
            "late" if self.moves == 3 => sleep(Duration::from_millis(400)),
            "garbage" => {
                say("the move is h8, 9\u{fffd}9\n\n7;7\nMOVE 3,3\n1,2,3");
                return None;
            }
            "give-up" if self.moves == 2 => {
                say("MESSAGE depth 1\nERROR I give up");
                return None;
            }
            "flood" => loop {
                say("MESSAGE all work and no play makes an engine a dull program");
            },
            "endless-line" => loop {
                let _ = io::stdout().write_all(&[b'x'; 65536]);
            },
            "complain" => {
                let _ = io::stderr().write_all(&[b'e'; 200_000]);
            }
            "mutter" => {
                let _ = writeln!(io::stderr(), "thinking");
            }
            "taken" if self.moves == 2 => {
                let (x, y) = self.taken[0];
                say(&format!("{x},{y}"));
                return None;
            }
            "off-board" if self.moves == 2 => {
                say("99,-4");
                return None;
            }
            "leak" => {
                self.hoard.push(vec![self.moves as u8 | 1; 40 << 20]);
                sleep(Duration::from_millis(20));
            }
            // Works while it is not to move, and says how much.
            "ponder" => {
                let ticks = self.ticks.load(Ordering::Relaxed);
                say(&format!("MESSAGE depth 1 nodes {ticks}"));
            }
            // It gets ready when it moves for the first time, and takes longer the more time
            // it has.
            "load" if std::mem::take(&mut self.unready) => sleep(self.turn / 25),
            "sleepy" => sleep(Duration::from_millis(40)),
            "slow" => sleep(Duration::from_millis(10)),
            "busy" => {
                let begin = Instant::now();
                while begin.elapsed() < Duration::from_millis(5) {}
            }
            "fork" if self.moves == 2 => return Some(self.fork()),
            _ => {}
        }
        self.play();
        self.ticks.store(0, Ordering::Relaxed);
        None
    }

    fn play(&mut self) {
        let free: Vec<(usize, usize)> = (0..self.height)
            .flat_map(|y| (0..self.width).map(move |x| (x, y)))
            .filter(|point| !self.taken.contains(point))
            .collect();
        // The same position always gets the same answer.
        let mut hash = self.seed;
        for &(x, y) in &self.taken {
            hash = (hash ^ (x * 32 + y) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash ^= hash >> 29;
        }
        let choice = (hash >> 33) as usize % free.len().max(1);
        let (x, y) = free[choice];
        self.taken.push((x, y));
        if self.is("suggest") {
            say(&format!("SUGGEST {x},{y}"));
            return;
        }
        if self.is("talk") {
            say(&format!("MESSAGE depth 3 | Eval {choice} | pv h8"));
            say("DEBUG thinking\nOK\nUNKNOWN what\nname=\"Mock\"");
        }
        // `eval=600` says so before every move.
        if let Some(evaluation) = self.behaviour.strip_prefix("eval=") {
            say(&format!("MESSAGE depth 5 ev {evaluation} pv"));
        }
        self.answered = Some(Instant::now());
        say(&format!("{x},{y}"));
        self.stamp(&format!("{x},{y}"));
    }

    fn stamp(&mut self, text: &str) {
        if let Some(file) = &mut self.stamps {
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            let nanoseconds = now.map_or(0, |elapsed| elapsed.as_nanos());
            let _ = writeln!(file, "{nanoseconds} {text}");
        }
    }

    /// Leaves a child behind that holds all pipes open.
    fn fork(&self) -> ExitCode {
        if let Ok(program) = std::env::current_exe() {
            let _ = Command::new(program).arg("deaf").spawn();
        }
        ExitCode::from(5)
    }
}
