//! The server: its address, its routes, and how it ends.

use super::connection::converse;
use super::desk::{BoardDesk, Desk, GravityDesk};
use super::guard::{Guard, guard};
use super::page;
use super::shared::{MOST_CONNECTIONS, Shared, Stopper, stop_asked};
use crate::engine::Options;
use crate::eval::WeightSet;
use axum::Router;
use axum::extract::{State, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

/// The largest message in bytes.
const LARGEST_MESSAGE: usize = 1 << 20;

/// How long the server waits for connections to end.
const PATIENCE: Duration = Duration::from_secs(1);

/// How a [`Server`] is set up.
#[derive(Clone)]
pub struct Settings {
    /// The address and port to listen on; port 0 is any that is free.
    pub address: SocketAddr,
    /// Host names that the server answers to, besides addresses and `localhost`.
    pub hosts: Vec<String>,
    /// What every search begins with: threads and memory.
    pub options: Options,
    /// The most connections that have an engine at a time.
    pub engines: usize,
    /// What positions are evaluated with.
    pub weights: Arc<WeightSet>,
}

/// A server that listens already and answers once it runs.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    guard: Guard,
    shared: Arc<Shared>,
}

impl Server {
    /// Listens on the address.
    ///
    /// # Errors
    /// When the address can't be listened on.
    pub fn bind(settings: Settings) -> io::Result<Server> {
        let listener = TcpListener::bind(settings.address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let may_be_stopped = address.ip().is_loopback();
        let shared = Shared::new(
            settings.weights,
            settings.options,
            settings.engines,
            may_be_stopped,
        );
        Ok(Server {
            listener,
            address,
            guard: Guard::new(&settings.hosts),
            shared: Arc::new(shared),
        })
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// What ends the server.
    pub fn stopper(&self) -> Stopper {
        self.shared.stopper()
    }

    /// Serves until it is stopped.
    ///
    /// # Errors
    /// When the system gives no sockets.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(self.serve())
    }

    async fn serve(self) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let router = Router::new()
            .route("/socket", get(board))
            .route("/gravity/socket", get(gravity))
            .fallback(page::file)
            .layer(axum::middleware::from_fn_with_state(self.guard, guard))
            .with_state(Arc::clone(&self.shared));
        let mut stopping = self.shared.stopping();
        let mut stopping_too = stopping.clone();
        let stopped = async move {
            stop_asked(&mut stopping).await;
        };
        let served = axum::serve(listener, router).with_graceful_shutdown(stopped);
        let too_late = async move {
            stop_asked(&mut stopping_too).await;
            tokio::time::sleep(PATIENCE).await;
        };
        tokio::select! {
            result = served => result?,
            () = too_late => (),
        }
        // Every page gets its goodbye, unless it does not listen.
        let everybody = self.shared.seats.acquire_many(MOST_CONNECTIONS as u32);
        let _ = tokio::time::timeout(PATIENCE, everybody).await;
        Ok(())
    }
}

/// Begins a conversation about Gomoku.
async fn board(State(shared): State<Arc<Shared>>, upgrade: WebSocketUpgrade) -> Response {
    begin(shared, upgrade, BoardDesk::new)
}

/// Begins a conversation about four in a row.
async fn gravity(State(shared): State<Arc<Shared>>, upgrade: WebSocketUpgrade) -> Response {
    begin(shared, upgrade, GravityDesk::new)
}

/// Begins a conversation, if there is room for one more.
fn begin<D: Desk + 'static>(
    shared: Arc<Shared>,
    upgrade: WebSocketUpgrade,
    desk: fn(Arc<Shared>, Arc<Notify>) -> D,
) -> Response {
    let Ok(seat) = Arc::clone(&shared.seats).try_acquire_owned() else {
        return (
            StatusCode::SERVICE_UNAVAILABLE,
            "There are too many boards.\n",
        )
            .into_response();
    };
    upgrade
        .max_message_size(LARGEST_MESSAGE)
        .max_frame_size(LARGEST_MESSAGE)
        .on_upgrade(move |socket| async move {
            let wake = Arc::new(Notify::new());
            let desk = desk(Arc::clone(&shared), Arc::clone(&wake));
            converse(socket, shared, desk, wake).await;
            drop(seat);
        })
}
