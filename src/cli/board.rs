//! `quincunx board`: the page in the browser.

use anyhow::{Context, Result};
use clap::Args;
use quincunx::engine::Options;
use quincunx::eval::WeightSet;
use quincunx::web::{Server, Settings};
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

/// The port of the page. Browsers keep games by address and port, so it is the
/// same every time.
const PORT: u16 = 5225;

/// The arguments of `quincunx board`.
#[derive(Args)]
pub(super) struct Board {
    /// The port; 0 is any that is free [default: 5225, or a free one if that is
    /// taken]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Listen on this address, so that other machines can see the page too;
    /// 0.0.0.0 is every address of this machine
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Answer requests for this host name too, as behind a proxy
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Threads of a search
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: u16,
    /// Memory of each board's engine in megabytes
    #[arg(long, value_name = "MB", default_value_t = 128)]
    memory: u32,
    /// The most boards that have an engine at a time
    #[arg(long, value_name = "N", default_value_t = 8)]
    engines: u16,
}

impl Board {
    /// Serves the page until Ctrl-C, or until the page says to stop.
    pub(super) fn run(&self, weights: &Arc<WeightSet>, output: &mut impl Write) -> Result<()> {
        let server = self.bind(weights)?;
        let stopper = server.stopper();
        ctrlc::set_handler(move || stopper.stop())?;
        let url = server.url();
        writeln!(output, "The board is at {url}. Ctrl-C ends it.")?;
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

    fn bind(&self, weights: &Arc<WeightSet>) -> Result<Server> {
        let settings = |port: u16| Settings {
            address: SocketAddr::new(self.listen, port),
            hosts: self.host.clone(),
            options: Options {
                threads: i64::from(self.threads),
                max_memory: i64::from(self.memory) << 20,
                ..Options::default()
            },
            engines: usize::from(self.engines),
            weights: Arc::clone(weights),
        };
        let port = self.port.unwrap_or(PORT);
        let bound = match Server::bind(settings(port)) {
            Err(error) if self.port.is_none() && error.kind() == io::ErrorKind::AddrInUse => {
                Server::bind(settings(0))
            }
            bound => bound,
        };
        let address = SocketAddr::new(self.listen, port);
        bound.with_context(|| format!("can't listen on {address}"))
    }
}
