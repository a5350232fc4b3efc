//! The program in a terminal of its own: keys and clicks in, the screen out.

use portable_pty::{
    Child, CommandBuilder, ExitStatus, MasterPty, PtySize, SlavePty, native_pty_system,
};
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use vt100::MouseProtocolMode;

/// No test waits longer for anything.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) const ENTER: &str = "\r";
pub(crate) const ESCAPE: &str = "\x1b";
pub(crate) const CTRL_C: &str = "\x03";

/// What the program has written.
struct Written {
    parser: vt100::Parser,
    bytes: Vec<u8>,
    /// The screen as it was last complete.
    frame: String,
}

impl Written {
    /// Hears bytes of the program. While it is in the middle of drawing, the last frame
    /// stays.
    fn receive(&mut self, bytes: &[u8]) {
        self.parser.process(bytes);
        self.bytes.extend(bytes);
        let last = |code: &[u8]| {
            let mut places = self.bytes.windows(code.len());
            places.rposition(|place| place == code)
        };
        if last(b"\x1b[?2026l") >= last(b"\x1b[?2026h") {
            let contents = self.parser.screen().contents();
            let lines: Vec<&str> = contents.lines().map(str::trim_end).collect();
            self.frame = lines.join("\n");
        }
    }
}

/// A program in a terminal.
pub(crate) struct Terminal {
    master: Box<dyn MasterPty + Send>,
    /// Held so that the terminal stays when the program has left.
    _slave: Box<dyn SlavePty + Send>,
    child: Box<dyn Child + Send + Sync>,
    writer: Box<dyn Write + Send>,
    written: Arc<Mutex<Written>>,
    /// The modes of the terminal before the program was started.
    modes: String,
}

fn number(size: u16) -> NonZeroU16 {
    NonZeroU16::new(size).unwrap()
}

impl Terminal {
    /// `quincunx play` with these arguments, in 24 lines of 80 columns.
    pub(crate) fn play(arguments: &str) -> Terminal {
        Terminal::with_variables(arguments, &[])
    }

    /// The same with these environment variables.
    pub(crate) fn with_variables(arguments: &str, variables: &[(&str, &str)]) -> Terminal {
        let mut command = Terminal::command(arguments);
        for (name, value) in variables {
            command.env(name, value);
        }
        Terminal::start(command)
    }

    /// `quincunx play` with these arguments.
    pub(crate) fn command(arguments: &str) -> CommandBuilder {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_quincunx"));
        command.arg("play");
        command.args(arguments.split_whitespace());
        command.env_remove("RUST_LOG");
        command.env_remove("NO_COLOR");
        // No configuration of the user who runs the tests.
        command.env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR"));
        command
    }

    /// Any program.
    pub(crate) fn start(mut command: CommandBuilder) -> Terminal {
        let size = PtySize {
            rows: 24,
            cols: 80,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let modes = format!("{:?}", pair.master.get_termios());
        command.env("TERM", "xterm-256color");
        let child = pair.slave.spawn_command(command).unwrap();
        let written = Arc::new(Mutex::new(Written {
            parser: vt100::Parser::new(number(24), number(80), 0),
            bytes: Vec::new(),
            frame: String::new(),
        }));
        let (mut reader, heard) = (pair.master.try_clone_reader().unwrap(), written.clone());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                heard.lock().unwrap().receive(&bytes[..count]);
            }
        });
        Terminal {
            writer: pair.master.take_writer().unwrap(),
            master: pair.master,
            _slave: pair.slave,
            child,
            written,
            modes,
        }
    }

    /// Types this.
    pub(crate) fn send(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    /// Clicks a point of a board with so many rows.
    pub(crate) fn click(&mut self, point: &str, rows: u16) {
        let column = u16::from(point.as_bytes()[0] - b'a') * 2 + 3;
        let row = rows - point[1..].parse::<u16>().unwrap();
        let (column, row) = (column + 1, row + 1);
        self.send(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
    }

    /// The lines of the screen without blanks at their ends.
    pub(crate) fn screen(&self) -> String {
        self.written.lock().unwrap().frame.clone()
    }

    /// All that the program has written so far.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.written.lock().unwrap().bytes.clone()
    }

    /// How often the bell has rung.
    pub(crate) fn bells(&self) -> usize {
        self.bytes().iter().filter(|byte| **byte == 7).count()
    }

    /// Waits until the screen is so, and returns it.
    pub(crate) fn until(&self, what: &str, is_so: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if is_so(&screen) {
                return screen;
            }
            let late = start.elapsed() > PATIENCE;
            assert!(!late, "never {what}:\n{screen}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until this is on the screen.
    pub(crate) fn sees(&self, text: &str) -> String {
        self.until(text, |screen| screen.contains(text))
    }

    /// Waits until this is no longer on the screen.
    pub(crate) fn loses(&self, text: &str) -> String {
        self.until(&format!("without {text}"), |screen| !screen.contains(text))
    }

    /// Makes the terminal so large.
    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        let mut written = self.written.lock().unwrap();
        written.parser.set_size(number(rows), number(columns));
        let size = PtySize {
            rows,
            cols: columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        self.master.resize(size).unwrap();
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Waits until the program has left.
    fn exit(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            let late = start.elapsed() > PATIENCE;
            assert!(!late, "has not left:\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until the program has left with this exit code, and the terminal is as it
    /// was before.
    pub(crate) fn leaves(&mut self, code: u32) {
        assert_eq!(self.exit().exit_code(), code, "{}", self.screen());
        let modes = format!("{:?}", self.master.get_termios());
        assert_eq!(modes, self.modes, "the modes of the terminal");
        // What was written last may still be on its way.
        self.until("the terminal as it was", |_| {
            let written = self.written.lock().unwrap();
            let screen = written.parser.screen();
            let has_mouse = screen.mouse_protocol_mode() != MouseProtocolMode::None;
            let is_taken = has_mouse || screen.bracketed_paste();
            !screen.alternate_screen() && !screen.hide_cursor() && !is_taken
        });
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
