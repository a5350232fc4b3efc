//! `quincunx board admin`: looking after rooms while their server runs.

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use quincunx_club::rooms::{AddressRange, AdminMessage, RoomId, TournamentId};
use std::fs;
use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long the server may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The arguments of `quincunx board admin`.
#[derive(Args)]
#[command(
    after_long_help = "Example: quincunx board admin --database club.redb backup club-monday.redb"
)]
pub(crate) struct Admin {
    /// The file of --database of the server, which must be running
    #[arg(long, value_name = "FILE")]
    database: PathBuf,
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Print every room, one JSON object per line
    List,
    /// End the game of a room; it does not count
    End {
        /// The room's number
        room: RoomId,
    },
    /// Print every tournament, one JSON object per line
    Tournaments,
    /// End a tournament; games in progress do not count
    EndTournament {
        /// The tournament's number
        tournament: TournamentId,
    },
    /// Begin a tournament in the place of its organiser, or stop holding its rounds
    ContinueTournament {
        /// The tournament's number
        tournament: TournamentId,
    },
    /// Close the entry of a tournament: only its organiser adds players
    CloseEntry {
        /// The tournament's number
        tournament: TournamentId,
    },
    /// Open the entry of a tournament again
    OpenEntry {
        /// The tournament's number
        tournament: TournamentId,
    },
    /// Ban a player, and rate all games anew
    Ban {
        /// The player's name
        name: String,
    },
    /// Lift the ban of a player, and rate all games anew
    Unban {
        /// The player's name
        name: String,
    },
    /// Ban all visitors from these addresses
    BanAddress {
        /// An address, or a range such as 192.0.2.0/24
        range: AddressRange,
    },
    /// Lift the ban of these addresses
    UnbanAddress {
        /// The address or the range, as it was banned
        range: AddressRange,
    },
    /// Print the banned addresses
    Bans,
    /// Print the visitors with their addresses, one JSON object per line
    Visitors,
    /// Give a person another name
    Rename {
        /// The person's name
        name: String,
        /// The new name
        to: String,
    },
    /// Close a room; a game in progress there is not rated
    Close {
        /// The room's number
        room: RoomId,
    },
    /// Make an account for an engine, and print its token
    Bot {
        /// The engine's name
        name: String,
    },
    /// Give a person who has lost their key a new one, and print it; the lost one is no longer
    /// valid
    Key {
        /// The person's name
        name: String,
    },
    /// Forget a person: only games remain, by a former player
    Forget {
        /// The person's name
        name: String,
    },
    /// Print pairs and people whose rated games look arranged, one JSON object per line
    Suspicious,
    /// Print what these commands have changed, one JSON object per line
    Audit,
    /// Copy the database to a new file while the server runs
    Backup {
        /// The new file
        file: PathBuf,
    },
    /// Print every finished game, as CSV
    Export,
}

impl Admin {
    /// Sends the command to the server.
    pub(crate) fn run(&self, output: &mut impl Write) -> Result<()> {
        let message = match &self.task {
            Task::List => AdminMessage::List,
            Task::End { room } => AdminMessage::End { room: *room },
            Task::Tournaments => AdminMessage::Tournaments,
            Task::EndTournament { tournament } => AdminMessage::EndTournament {
                tournament: *tournament,
            },
            Task::ContinueTournament { tournament } => AdminMessage::ContinueTournament {
                tournament: *tournament,
            },
            Task::CloseEntry { tournament } => AdminMessage::CloseEntry {
                tournament: *tournament,
                closed: true,
            },
            Task::OpenEntry { tournament } => AdminMessage::CloseEntry {
                tournament: *tournament,
                closed: false,
            },
            Task::Ban { name } => AdminMessage::Ban {
                name: name.clone(),
                banned: true,
            },
            Task::Unban { name } => AdminMessage::Ban {
                name: name.clone(),
                banned: false,
            },
            Task::BanAddress { range } => AdminMessage::BanAddresses {
                range: *range,
                banned: true,
            },
            Task::UnbanAddress { range } => AdminMessage::BanAddresses {
                range: *range,
                banned: false,
            },
            Task::Bans => AdminMessage::Bans,
            Task::Visitors => AdminMessage::Visitors,
            Task::Rename { name, to } => AdminMessage::Rename {
                name: name.clone(),
                to: to.clone(),
            },
            Task::Close { room } => AdminMessage::Close { room: *room },
            Task::Bot { name } => AdminMessage::Bot { name: name.clone() },
            Task::Key { name } => AdminMessage::Key { name: name.clone() },
            Task::Forget { name } => AdminMessage::Forget { name: name.clone() },
            Task::Suspicious => AdminMessage::Suspicious,
            Task::Audit => AdminMessage::Audit,
            Task::Backup { file } => AdminMessage::Backup {
                path: std::path::absolute(file)?,
            },
            Task::Export => AdminMessage::Export,
        };
        let path = introduction(&self.database);
        let no_server = || format!("no server runs with {}", self.database.display());
        let text = fs::read_to_string(&path).with_context(no_server)?;
        let (address, token) = text.trim().split_once(' ').with_context(no_server)?;
        let address: SocketAddr = address.parse().with_context(no_server)?;
        let stream = TcpStream::connect(address).with_context(no_server)?;
        let answer = ask(stream, address, token, &serde_json::to_string(&message)?)?;
        output.write_all(answer.as_bytes())?;
        Ok(())
    }
}

/// The file beside the database that has the address and the token of its server.
fn introduction(database: &Path) -> PathBuf {
    let mut path = database.as_os_str().to_owned();
    path.push(".admin");
    path.into()
}

/// Writes the address and the token of the server to a file that only its owner may read.
pub(crate) fn introduce(database: &Path, address: SocketAddr, token: &str) -> Result<()> {
    let path = introduction(database);
    let mut address = address;
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        });
    }
    // A new file, which was never readable by others.
    let _ = fs::remove_file(&path);
    let mut options = fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&path);
    let written = written.and_then(|mut file| writeln!(file, "{address} {token}"));
    written.with_context(|| format!("can't write {}", path.display()))
}

/// Asks the server, and returns its answer.
fn ask(mut stream: TcpStream, address: SocketAddr, token: &str, body: &str) -> Result<String> {
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(
        stream,
        "POST /admin HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (head, body) = answer.split_once("\r\n\r\n").context("no answer")?;
    match head.split(' ').nth(1) {
        Some("200") => Ok(body.to_owned()),
        _ => bail!("{}", body.trim()),
    }
}
