//! `quincunx board admin`: looking after rooms while their server runs.

use anyhow::{Context, Result, bail};
use clap::Args;
use quincunx_club::rooms::AdminCommand;
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
    after_long_help = "Example: quincunx board admin --database club.db backup club-monday.db"
)]
pub(crate) struct Admin {
    /// The file of --database of the server, which must be running
    #[arg(long, value_name = "FILE")]
    database: PathBuf,
    #[command(subcommand)]
    command: AdminCommand,
}

impl Admin {
    /// Sends the command to the server.
    pub(crate) fn run(&self, output: &mut impl Write) -> Result<()> {
        let path = introduction(&self.database);
        let no_server = || format!("no server runs with {}", self.database.display());
        let text = fs::read_to_string(&path).with_context(no_server)?;
        let (address, token) = text.trim().split_once(' ').with_context(no_server)?;
        let address: SocketAddr = address.parse().with_context(no_server)?;
        let stream = TcpStream::connect(address).with_context(no_server)?;
        let command = serde_json::to_string(&self.command)?;
        let answer = ask(stream, address, token, &command)?;
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
