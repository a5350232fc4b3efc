//! `quincunx board` as a process, for the tests that need it.

use crate::{PATIENCE, program};
use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A server of the board on a free port. It ends with this value.
pub struct BoardServer {
    child: Child,
    /// Its address and port.
    pub address: String,
}

impl BoardServer {
    /// Starts the program without further arguments.
    pub fn start() -> BoardServer {
        BoardServer::start_with(&[])
    }

    /// Starts the program with arguments.
    pub fn start_with(arguments: &[&str]) -> BoardServer {
        BoardServer::launch(&[], "0", arguments)
    }

    /// Starts the program on this port.
    pub fn start_with_port(port: &str) -> BoardServer {
        BoardServer::launch(&[], port, &[])
    }

    /// Starts the program on this port with arguments.
    pub fn start_at(port: &str, arguments: &[&str]) -> BoardServer {
        BoardServer::launch(&[], port, arguments)
    }

    /// Starts the program through another, such as `env`, with that one's arguments.
    pub fn start_by(starter: &[&str], port: &str, arguments: &[&str]) -> BoardServer {
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

    /// Starts the program. Returns nothing where it ends without the address of its page.
    fn try_launch(starter: &[&str], port: &str, arguments: &[&str]) -> Option<BoardServer> {
        let program = program();
        let mut words = (starter.iter().map(OsStr::new)).chain([program.as_os_str()]);
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
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// The process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the end of the program.
    pub fn wait(&mut self) -> ExitStatus {
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
    pub fn memory(&self) -> u64 {
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
    pub fn memory_falls_below(&self, limit: u64) {
        let end = Instant::now() + PATIENCE;
        while self.memory() >= limit {
            assert!(Instant::now() < end, "{} of {limit} bytes", self.memory());
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Waits until it does nothing for half a second, which has to be soon.
    #[cfg(target_os = "linux")]
    pub fn rests(&self) {
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
    pub fn processor_time(&self) -> u64 {
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
