//! `quincunx board` as a process, for the tests that need it.

#![allow(dead_code)]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long a program may take to end.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server of the board on a free port. It ends with this value.
pub(crate) struct BoardServer {
    child: Child,
    /// Its address and port.
    pub(crate) address: String,
}

impl BoardServer {
    pub(crate) fn start() -> BoardServer {
        BoardServer::start_with(&[])
    }

    /// Starts the program with arguments.
    pub(crate) fn start_with(arguments: &[&str]) -> BoardServer {
        BoardServer::launch(&[], "0", arguments)
    }

    /// Starts the program on this port.
    pub(crate) fn start_with_port(port: &str) -> BoardServer {
        BoardServer::launch(&[], port, &[])
    }

    /// Starts the program on this port with arguments.
    pub(crate) fn start_at(port: &str, arguments: &[&str]) -> BoardServer {
        BoardServer::launch(&[], port, arguments)
    }

    /// Has another program become this one, with its arguments before it, such as `env`.
    pub(crate) fn start_by(starter: &[&str], port: &str, arguments: &[&str]) -> BoardServer {
        BoardServer::launch(starter, port, arguments)
    }

    /// Starts the program. A port that another server has left may be that of a connection
    /// for a moment.
    fn launch(starter: &[&str], port: &str, arguments: &[&str]) -> BoardServer {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(server) = BoardServer::try_launch(starter, port, arguments) {
                return server;
            }
            assert!(port != "0" && Instant::now() < end, "no server at {port}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Starts the program that was just built, or the one that the variable
    /// QUINCUNX names. Returns nothing where it ends without the address of its page.
    fn try_launch(starter: &[&str], port: &str, arguments: &[&str]) -> Option<BoardServer> {
        let built = env!("CARGO_BIN_EXE_quincunx").to_owned();
        let program = std::env::var("QUINCUNX").unwrap_or(built);
        let mut words = starter.iter().copied().chain([&*program]);
        let mut child = Command::new(words.next().unwrap())
            .args(words)
            .args(["board", "--no-open", "--port", port])
            .args(arguments)
            .env_remove("RUST_LOG")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let Some((_, rest)) = line.split_once("http://") else {
            let _ = child.kill();
            child.wait().unwrap();
            return None;
        };
        let (address, _) = rest.split_once('/').unwrap();
        Some(BoardServer {
            child,
            address: address.to_owned(),
        })
    }

    /// The address of the page.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// The process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the end of the program.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the program does not end");
    }

    /// The memory that it has now, in bytes.
    #[cfg(target_os = "linux")]
    pub(crate) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib: u64 = line
            .unwrap()
            .trim()
            .trim_end_matches(" kB")
            .parse()
            .unwrap();
        kib << 10
    }

    /// Waits until it has less memory than this, in bytes.
    #[cfg(target_os = "linux")]
    pub(crate) fn memory_falls_below(&self, limit: u64) {
        let end = Instant::now() + PATIENCE;
        while self.memory() >= limit {
            assert!(Instant::now() < end, "{} of {limit} bytes", self.memory());
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Waits until it does nothing for half a second, which has to be soon.
    #[cfg(target_os = "linux")]
    pub(crate) fn rests(&self) {
        let end = Instant::now() + Duration::from_secs(10);
        loop {
            let before = self.processor_time();
            std::thread::sleep(Duration::from_millis(500));
            if self.processor_time() <= before + 2 {
                return;
            }
            assert!(Instant::now() < end, "the search goes on");
        }
    }

    /// The processor time that it has used, in hundredths of a second.
    #[cfg(target_os = "linux")]
    pub(crate) fn processor_time(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.id())).unwrap();
        let (_, fields) = stat.rsplit_once(')').unwrap();
        let fields: Vec<&str> = fields.split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }
}

impl Drop for BoardServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
