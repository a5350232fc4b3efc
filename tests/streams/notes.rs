//! What a manager does with the position database, and what it is told then.

use crate::board::pick;
use crate::manager::Manager;
use crate::model::ExpectedReply;
use quincunx_engine::rules::BoardSize;
use tempfile::TempDir;

/// What a manager knows of the engine's database.
#[derive(Default)]
pub(crate) struct Notes {
    /// Where its files are, once there are any.
    folder: Option<TempDir>,
    open: bool,
    read_only: bool,
}

impl Manager {
    pub(crate) fn database(&mut self, which: u8, value: u8, points: &[u16]) {
        let stones = self
            .size
            .map_or(" 1,1".to_owned(), |size| stones(points, size));
        let asked = |word: &str| format!("YXQUERYDATABASE{word}{stones} DONE");
        match which % 16 {
            // To open one takes as long as ten searches.
            0 if !self.notes.open || value < 64 => self.open_database(value),
            0..=2 => self.ask_database(&asked("ALL"), "DATABASE DONE"),
            3 => self.ask_database(&asked("ALLT"), "DATABASE TEXT"),
            4 => self.ask_database(&asked("ONE"), "DATABASE ONE"),
            5 => self.ask_database(&asked("TEXT"), "DATABASE TEXT"),
            6 | 7 => {
                let label = b"wlx!d"[usize::from(value % 5)];
                let text = format!("YXEDITTVDDATABASE 3 {label} {value} 1{stones} DONE");
                self.edit_database(&text, Some("DATABASE ONE"));
            }
            8 => {
                let text = format!("YXEDITTVDDATABASE 6 -1 -{value} 9{stones} DONE");
                self.edit_database(&text, Some("DATABASE ONE"));
            }
            9 => self.edit_database(&format!("YXEDITTEXTDATABASE \"t\"{stones} DONE"), None),
            10 => {
                let best = ["SET", "CLEAR"][usize::from(value % 2)];
                self.edit_database(&format!("YX{best}BESTMOVEDATABASE{stones} DONE"), None);
            }
            11 => self.edit_database(&format!("YXDELETEDATABASEONE{stones} DONE"), None),
            12 => {
                let filters = ["", " w", " nonwlrecursive", " wlinstep 9"];
                let filter = filters[usize::from(value % 4)];
                let text = format!("YXDELETEDATABASEALL{filter}{stones} DONE");
                self.wait();
                self.edit_database(&text, Some("DATABASE DONE"));
            }
            13 => self.there_and_back(["LIB", "TXT"][usize::from(value % 2)]),
            14 => self.say(&format!("INFO usedatabase {}", value % 4)),
            _ => {
                self.notes.read_only = value.is_multiple_of(4);
                let read_only = u8::from(self.notes.read_only);
                self.say(&format!("INFO database_readonly {read_only}"));
            }
        }
    }

    fn path(&mut self, name: &str) -> String {
        let folder = &mut self.notes.folder;
        let folder = folder.get_or_insert_with(|| tempfile::tempdir().unwrap());
        folder.path().join(name).display().to_string()
    }

    /// If there is no such file, the one that is open stays so.
    fn open_database(&mut self, value: u8) {
        let (name, there) = match value.is_multiple_of(8) {
            true => ("no/one", false),
            false => ("one", true),
        };
        let path = self.path(name);
        // It would be refused while a move is due.
        self.wait();
        self.say(&format!("YXSETDATABASE\n{path}"));
        self.expected_replies
            .push_back(ExpectedReply::Message("DATABASE LOAD DONE"));
        if there {
            self.notes.open = true;
        } else {
            self.expected_replies.push_back(ExpectedReply::Error);
        }
    }

    /// A question is answered where there are a database and a board.
    fn ask_database(&mut self, text: &str, answer: &'static str) {
        self.say(text);
        match (self.notes.open, self.size) {
            (false, _) => (),
            (true, Some(_)) => self
                .expected_replies
                .push_back(ExpectedReply::Message(answer)),
            (true, None) => self.expected_replies.push_back(ExpectedReply::Error),
        }
    }

    fn edit_database(&mut self, text: &str, answer: Option<&'static str>) {
        self.say(text);
        if !self.notes.open {
        } else if self.notes.read_only || self.size.is_none() {
            self.expected_replies.push_back(ExpectedReply::Error);
        } else {
            self.expected_replies
                .extend(answer.map(ExpectedReply::Message));
        }
    }

    /// To a file and back from it.
    fn there_and_back(&mut self, format: &str) {
        let fits = |size: BoardSize| size.width() <= 15 && size.height() <= 15;
        if !self.notes.open || !self.size.is_some_and(fits) {
            return;
        }
        let path = self.path(format);
        self.wait();
        self.say(&format!("YXDBTO{format}\n{path}\nYX{format}TODB\n{path}"));
        self.expected_replies
            .push_back(ExpectedReply::Message("wrote "));
        self.expected_replies.push_back(match self.notes.read_only {
            true => ExpectedReply::Error,
            false => ExpectedReply::Message("read "),
        });
    }
}

/// Different stones.
fn stones(points: &[u16], size: BoardSize) -> String {
    let mut points: Vec<_> = points.iter().map(|&at| pick(at, size)).collect();
    points.sort_by_key(|point| point.index());
    points.dedup();
    points
        .iter()
        .map(|point| format!(" {},{}", point.x(), point.y()))
        .collect()
}
