//! `quincunx board`: the page in the browser.

use super::admin::{self, Admin};
use super::export::export;
use crate::cli::exit::{ensure_usage, usage};
use crate::cli::numbers::{at_least_one, mebibytes, minutes, seconds};
use crate::cli::runs::on_interrupt;
use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use quincunx_board::SearchBounds;
use quincunx_club::rooms::Limits;
use quincunx_engine::engine::Options;
use quincunx_engine::eval::WeightSet;
use quincunx_explorer::Explorer;
use quincunx_web::{BoardSettings, ClubSettings, Server, ServerError, Settings};
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// The port of the page. It does not change, because browsers keep games by address and
/// port.
const PORT: u16 = 5225;

/// The default memory of a board's engine, and the most that may be chosen by default.
const MEMORY_MIB: u32 = 128;
const MOST_MEMORY_MIB: u32 = 1024;

/// The arguments of `quincunx board`.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Board {
    /// The port; 0 is any free port [default: 5225, or a free port if that is taken]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Serve rooms, in which visitors from other machines play each other, on this address;
    /// 0.0.0.0 is every address of this machine. A port may follow: 127.0.0.1:8080
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<Listen>,
    /// Answer requests for this host name too, for instance behind a proxy
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// The address by which visitors reach the page, for invitations and QR codes
    #[arg(long, value_name = "URL", value_parser = page_url)]
    public_url: Option<String>,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Threads of a search, and the most that the page's settings offer [default: 1, and
    /// without rooms the settings offer as many as the machine has]
    #[arg(long, value_name = "N", value_parser = at_least_one::<u16>)]
    threads: Option<u16>,
    /// Memory of each board's engine, and the most that the page's settings offer [default:
    /// 128MiB, and without rooms the settings offer 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = mebibytes::<u32>)]
    memory: Option<u32>,
    /// Largest number of boards, and of rooms, with an engine
    #[arg(long, value_name = "N", default_value_t = 8)]
    engines: u16,
    /// Show played moves beside the analysis, from this file made by quincunx explore build
    #[arg(long, value_name = "FILE")]
    explorer: Option<PathBuf>,
    /// Instead of serving the board, write it with its engine as a folder that any web server
    /// can serve
    #[arg(long, value_name = "FOLDER", requires = "wasm")]
    export: Option<PathBuf>,
    /// Overwrite files in the folder of --export that no earlier export has written
    #[arg(long, requires = "export")]
    force: bool,
    /// The engine for --export, which bindings/wasm/build.sh makes: the folder
    /// bindings/wasm/board
    #[arg(long, value_name = "FOLDER", requires = "export")]
    wasm: Option<PathBuf>,
    #[command(flatten)]
    rooms: Rooms,
    // A file of a game is what people try: it gets an answer that helps.
    #[arg(hide = true)]
    file: Option<PathBuf>,
    #[command(subcommand)]
    action: Option<Action>,
}

/// What --listen names.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Listen {
    address: IpAddr,
    port: Option<u16>,
}

impl FromStr for Listen {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = match text.strip_prefix("localhost") {
            Some(port) => format!("127.0.0.1{port}"),
            None => text.to_owned(),
        };
        if let Ok(address) = numbers.parse::<SocketAddr>() {
            let port = Some(address.port());
            let address = address.ip();
            return Ok(Listen { address, port });
        }
        let address = numbers.parse().map_err(
            |_| "expected an address of this machine, such as 0.0.0.0 or 127.0.0.1:8080",
        )?;
        Ok(Listen {
            address,
            port: None,
        })
    }
}

/// The address of a page, with a slash at its end.
fn page_url(text: &str) -> Result<String, &'static str> {
    let rest = ["http://", "https://"]
        .iter()
        .find_map(|scheme| text.strip_prefix(scheme));
    let is_address = rest.is_some_and(|rest| {
        !rest.trim_end_matches('/').is_empty() && !rest.contains([' ', '#', '?'])
    });
    if !is_address {
        return Err("expected an address such as https://club.example/");
    }
    let is_unspecified = |rest: &str| ["0.0.0.0", "[::]"].iter().any(|it| rest.starts_with(it));
    if rest.is_some_and(is_unspecified) {
        return Err("expected an address that others can open: 0.0.0.0 is only one to listen on");
    }
    Ok(format!("{}/", text.trim_end_matches('/')))
}

#[derive(Subcommand)]
enum Action {
    /// Administer the rooms of a running server
    Admin(Admin),
}

/// What concerns rooms, which there are with --listen or --database.
#[derive(Args)]
#[command(next_help_heading = "Rooms")]
struct Rooms {
    /// Keep rooms, people and ratings in this file
    #[arg(long, value_name = "FILE")]
    database: Option<PathBuf>,
    /// Largest number of rooms
    #[arg(long = "rooms", value_name = "N", default_value_t = 1000)]
    most: usize,
    /// Largest number of rooms that one person has opened or plays in
    #[arg(long, value_name = "N", default_value_t = 5)]
    rooms_per_person: usize,
    /// Largest number of visitors
    #[arg(long, value_name = "N", default_value_t = 2500)]
    visitors: usize,
    /// Largest number of visitors, and of boards, from one address
    #[arg(long, value_name = "N", default_value_t = 50)]
    visitors_per_address: usize,
    /// Largest number of new connections from one address in a minute
    #[arg(long, value_name = "N", default_value_t = 200)]
    visits_per_minute: u32,
    /// Largest number of new people from one address in an hour; players without a name and
    /// new tournaments count too
    #[arg(long, value_name = "N", default_value_t = 100)]
    names_per_hour: u32,
    /// Largest number of tournaments that are open or in progress
    #[arg(long, value_name = "N", default_value_t = 20)]
    tournaments: usize,
    /// Time after which a room closes in which no player waits or plays
    #[arg(long, value_name = "TIME", value_parser = minutes, default_value = "10min")]
    idle: u64,
    /// Time for which the clock of an absent player waits after a restart
    #[arg(long, value_name = "TIME", value_parser = seconds, default_value = "60s")]
    grace: u64,
    /// Largest number of searches at a time for games against the engine
    #[arg(long, value_name = "N", default_value_t = 1)]
    searches: usize,
    /// Take the address of a visitor from the header X-Forwarded-For, which a proxy has to set
    #[arg(long)]
    behind_proxy: bool,
}

impl Rooms {
    fn settings(&self, engines: u16) -> ClubSettings {
        ClubSettings {
            database: self.database.clone(),
            limits: Limits {
                rooms: self.most,
                rooms_of_one: self.rooms_per_person,
                engines: if self.searches == 0 {
                    0
                } else {
                    engines.into()
                },
                tournaments: self.tournaments,
                names_an_hour: self.names_per_hour,
                idle: Duration::from_secs(self.idle),
                grace: Duration::from_secs(self.grace),
            },
            searches: self.searches,
            visitors: self.visitors,
            visitors_of_one: self.visitors_per_address,
            visits_a_minute: self.visits_per_minute,
            behind_proxy: self.behind_proxy,
        }
    }
}

impl Board {
    /// Serves the page until Ctrl-C, or until the page says to stop.
    pub(crate) fn run(&self, weights: &Arc<WeightSet>, output: &mut impl Write) -> Result<()> {
        if let Some(Action::Admin(admin)) = &self.action {
            return admin.run(output);
        }
        if let Some(file) = self.file.as_deref().map(Path::display) {
            return Err(usage(format!(
                "'{file}' is no option: games are opened on the page, with Open, and in the \
                 terminal by 'quincunx play {file}'"
            )));
        }
        if let (Some(folder), Some(wasm)) = (&self.export, &self.wasm) {
            let count = export(folder, wasm, self.public_url.as_deref(), self.force)?;
            writeln!(output, "{count} files in {}", folder.display())?;
            return Ok(());
        }
        let server = self.bind(weights)?;
        if let (Some(database), Some((address, token))) = (&self.rooms.database, server.admin()) {
            admin::introduce(database, address, token)?;
        }
        let shutdown = server.shutdown();
        on_interrupt(move || shutdown.stop())?;
        let url = server.url();
        let mut greeting = format!("Ctrl-C ends the board, which is at {url}\n");
        for url in server.public_urls() {
            greeting += &format!("Others open {url}\n");
        }
        // At once: a program that reads the first line may close the pipe then.
        output.write_all(greeting.as_bytes())?;
        output.flush()?;
        if !self.no_open && webbrowser::open(&url).is_err() {
            writeln!(
                output,
                "No browser could be opened: open the address yourself."
            )?;
        }
        server.run()?;
        Ok(())
    }

    /// What searches may use. Where the boards are those of this machine they may have more
    /// than they begin with.
    fn searches(&self, has_rooms: bool) -> SearchBounds {
        let (threads, memory_mib) = (self.threads.unwrap_or(1), self.memory.unwrap_or(MEMORY_MIB));
        let own_threads = || {
            let count = thread::available_parallelism().map_or(1, NonZero::get);
            u16::try_from(count).unwrap_or(u16::MAX)
        };
        SearchBounds {
            threads,
            most_threads: match self.threads {
                None if !has_rooms => own_threads(),
                _ => threads,
            },
            memory_mib,
            most_memory_mib: match self.memory {
                None if !has_rooms => MOST_MEMORY_MIB,
                _ => memory_mib,
            },
        }
    }

    fn bind(&self, weights: &Arc<WeightSet>) -> Result<Server> {
        let has_rooms = self.listen.is_some() || self.rooms.database.is_some();
        let named = self.listen;
        let listen = named.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |it| it.address);
        let own_port = named.and_then(|it| it.port);
        ensure_usage!(
            own_port.is_none() || self.port.is_none(),
            "the port stands in --listen and in --port"
        );
        let given_port = self.port.or(own_port);
        let explorer = match &self.explorer {
            Some(path) => {
                let context = || format!("can't read {}", path.display());
                let explorer = Explorer::open(path).with_context(context)?;
                Some(Arc::new(explorer))
            }
            None => None,
        };
        let searches = self.searches(has_rooms);
        let settings = |port: u16| Settings {
            address: SocketAddr::new(listen, port),
            hosts: self.host.clone(),
            public_url: self.public_url.clone(),
            boards: BoardSettings {
                options: Options {
                    threads: usize::from(searches.threads),
                    max_memory: Some(u64::from(searches.memory_mib) << 20),
                    ..Options::default()
                },
                searches,
                engines: usize::from(self.engines),
                weights: Arc::clone(weights),
                explorer: explorer.clone(),
            },
            club: has_rooms.then(|| self.rooms.settings(self.engines)),
        };
        let port = given_port.unwrap_or(PORT);
        let bound = match Server::bind(settings(port)) {
            // The error for a port that is taken or reserved depends on the system.
            Err(ServerError::Listen(_)) if given_port.is_none() => Server::bind(settings(0)),
            bound => bound,
        };
        let address = SocketAddr::new(listen, port);
        let context = || match &self.rooms.database {
            Some(file) => format!("can't serve {address} with {}", file.display()),
            None => format!("can't listen on {address}"),
        };
        bound.with_context(context)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Links of invitations once led to `0.0.0.0`.
    #[test]
    fn links_lead_to_addresses_that_others_can_open() {
        for text in [
            "http://0.0.0.0/",
            "http://0.0.0.0:5225",
            "http://[::]:5225/",
            "ftp://a.example",
        ] {
            assert!(page_url(text).is_err(), "{text}");
        }
        for text in [
            "http://10.0.0.0/",
            "http://[::1]:5225",
            "https://club.example",
        ] {
            assert!(page_url(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn addresses_to_listen_on_may_have_a_port() {
        let listen = |text: &str| {
            text.parse::<Listen>()
                .map(|it| (it.address.to_string(), it.port))
        };
        for (text, address, port) in [
            ("0.0.0.0", "0.0.0.0", None),
            ("127.0.0.1:8080", "127.0.0.1", Some(8080)),
            ("localhost", "127.0.0.1", None),
            ("localhost:80", "127.0.0.1", Some(80)),
            ("::", "::", None),
            ("[::1]:5225", "::1", Some(5225)),
        ] {
            assert_eq!(listen(text), Ok((address.to_owned(), port)), "{text}");
        }
        for wrong in ["", "club", "127.0.0.1:", "127.0.0.1:99999", "localhosts"] {
            assert!(listen(wrong).is_err(), "{wrong}");
        }
        assert_eq!(
            page_url("https://club.example").unwrap(),
            "https://club.example/"
        );
        for wrong in ["club.example", "https://", "http://a b/", "ftp://club"] {
            assert!(page_url(wrong).is_err(), "{wrong}");
        }
    }
}
