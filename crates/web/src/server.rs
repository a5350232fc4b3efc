//! The server: its address, its routes, and how it ends.

use super::board_settings::BoardSettings;
use super::connection_limit::ConnectionLimit;
use super::half_open::{HalfOpen, Holder};
use super::host_policy::{HostPolicy, guard};
use super::page;
use super::qr::qr;
use super::rate_limit::{AddressLimits, Rate};
use super::reach::reachable;
use super::refusal::{Refusal, log_refusal, refuse};
use super::rooms::{self, ClubHost, ClubSettings};
use super::session_host::{ServedSession, SessionHost};
use super::shared::{LARGEST_MESSAGE, MOST_CONNECTIONS, Peer, Shared, ShutdownHandle, stop_asked};
use axum::Router;
use axum::extract::{self, Extension, FromRef, Request, WebSocketUpgrade};
use axum::http::{HeaderMap, Uri};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::{get, post};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use quincunx_board::Session;
use quincunx_board::gravity::GravitySession;
use quincunx_board::training::TrainingSession;
use quincunx_club::rooms::{StoreError, give_way};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::runtime::{self, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until};

/// The longest time for connections to end.
const PATIENCE: Duration = Duration::from_secs(1);

/// The longest time for the head of a request, and between two requests of a connection.
const HEAD_WITHIN: Duration = Duration::from_secs(10);

/// The most connections of pages that are loading, besides those of visitors.
const LOADING: usize = 256;

/// The most connections of one address besides those of its visitors.
const LOADING_OF_ONE: usize = 64;

/// The longest head of a request in bytes.
const LONGEST_HEAD: usize = 1 << 15;

/// The rate limit of an address on the thread that serves rooms, and the fixed cost of receiving
/// and answering a request besides the measured time. A class that loads the page at the same time
/// has a few dozen requests each.
const OF_REQUESTS: Rate = Rate {
    burst: Duration::from_millis(600),
    seconds_for_one: 50,
};
const REQUEST: Duration = Duration::from_micros(200);

/// The retry interval of a board that found no place.
const NO_BOARD: Duration = Duration::from_secs(30);

/// The retry interval when the system gives no socket.
const NO_SOCKET: Duration = Duration::from_millis(100);

/// The settings of a [`Server`].
#[derive(Clone)]
pub struct Settings {
    /// The address and port to listen on; port 0 is any that is free.
    pub address: SocketAddr,
    /// Host names that the server answers to, besides addresses and `localhost`.
    pub hosts: Vec<String>,
    /// The address of the page as others know it, as behind a proxy.
    pub public_url: Option<String>,
    /// The settings of boards, and of the engine in rooms.
    pub boards: BoardSettings,
    /// Rooms where visitors play each other, if there are any.
    pub club: Option<ClubSettings>,
}

/// Why a server can't serve.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The address can't be listened on.
    #[error(transparent)]
    Listen(io::Error),
    /// Another system resource is missing.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The store of the rooms failed.
    #[error("can't keep the rooms: {0}")]
    Store(#[from] StoreError),
}

/// The state of the request handlers.
#[derive(Clone)]
struct State {
    shared: Arc<Shared>,
    club: Option<Arc<ClubHost>>,
    /// The rate limits of requests of each address.
    requests: Arc<AddressLimits>,
    /// The threads of boards.
    boards: runtime::Handle,
}

impl State {
    /// The address of the client, which a proxy may name.
    fn address(&self, headers: &HeaderMap, peer: Peer) -> IpAddr {
        let club = self.club.as_ref();
        let behind_proxy = club.is_some_and(|club| club.settings.behind_proxy);
        rooms::address(headers, behind_proxy).unwrap_or(peer.0)
    }
}

impl FromRef<State> for runtime::Handle {
    fn from_ref(state: &State) -> runtime::Handle {
        state.boards.clone()
    }
}

impl FromRef<State> for Arc<Shared> {
    fn from_ref(state: &State) -> Arc<Shared> {
        Arc::clone(&state.shared)
    }
}

impl FromRef<State> for Option<Arc<ClubHost>> {
    fn from_ref(state: &State) -> Option<Arc<ClubHost>> {
        state.club.clone()
    }
}

/// A server that listens already and answers once it runs.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    guard: HostPolicy,
    public_urls: Vec<String>,
    state: State,
    boards: Arc<Runtime>,
    /// The most connections.
    connections: usize,
    /// The most of them from one address.
    connections_of_one: usize,
}

impl Server {
    /// Listens on the address.
    ///
    /// # Errors
    /// When the address can't be listened on, or the rooms can't be kept.
    pub fn bind(settings: Settings) -> Result<Server, ServerError> {
        let listener = TcpListener::bind(settings.address).map_err(ServerError::Listen)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let may_be_stopped = address.ip().is_loopback() && settings.club.is_none();
        let visitors = settings.club.as_ref().map_or(0, |club| club.visitors);
        // Without rooms the boards are those of this machine.
        let boards_of_one = settings.club.as_ref();
        let boards_of_one = boards_of_one.map_or(usize::MAX, |club| club.visitors_of_one);
        let shared = Arc::new(Shared::new(
            &settings.boards,
            boards_of_one,
            settings.club.is_some(),
            may_be_stopped,
        ));
        // Behind a proxy all visitors come from one address.
        let limit = settings.club.as_ref().filter(|club| !club.behind_proxy);
        let connections_of_one =
            limit.map_or(usize::MAX, |club| club.most_of_one() + LOADING_OF_ONE);
        let host = |club| {
            let shutdown = shared.shutdown();
            ClubHost::start(
                club,
                &settings.boards.weights,
                settings.boards.options,
                shutdown,
            )
        };
        let requests = if settings.club.is_some() {
            OF_REQUESTS
        } else {
            Rate::UNLIMITED
        };
        let club = settings.club.map(host).transpose()?;
        let public_urls: Vec<String> = match &settings.public_url {
            Some(url) => vec![url.clone()],
            None => (reachable(address).iter())
                .map(|address| format!("http://{address}/"))
                .collect(),
        };
        if let Some(club) = &club {
            club.set_address(public_urls.first().cloned());
        }
        let named = settings.public_url.as_deref().and_then(host_of);
        let hosts: Vec<String> = (settings.hosts.iter().cloned()).chain(named).collect();
        page::prepare();
        let boards = runtime::Builder::new_multi_thread()
            .thread_name("boards")
            .on_thread_start(give_way)
            .enable_all()
            .build()?;
        let boards = Arc::new(boards);
        Ok(Server {
            listener,
            address,
            guard: HostPolicy::new(&hosts),
            public_urls,
            state: State {
                shared,
                club,
                requests: Arc::new(AddressLimits::new(requests)),
                boards: boards.handle().clone(),
            },
            boards,
            connections: visitors + MOST_CONNECTIONS + LOADING,
            connections_of_one,
        })
    }

    /// The address of the page at this machine.
    pub fn url(&self) -> String {
        let mut address = self.address;
        match address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
            IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
            _ => {}
        }
        format!("http://{address}/")
    }

    /// The addresses by which other machines can open the page, the best first.
    pub fn public_urls(&self) -> &[String] {
        &self.public_urls
    }

    /// The address of the server, and the token of the rooms' administrator;
    /// without rooms there is nothing to run.
    pub fn admin(&self) -> Option<(SocketAddr, &str)> {
        let club = self.state.club.as_ref()?;
        Some((self.address, &club.token))
    }

    /// The shutdown handle of the server.
    pub fn shutdown(&self) -> ShutdownHandle {
        self.state.shared.shutdown()
    }

    /// Serves until it is stopped.
    ///
    /// # Errors
    /// When the system gives no sockets, or the rooms can't be kept any more.
    pub fn run(self) -> io::Result<()> {
        let runtime = runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let boards = Arc::clone(&self.boards);
        let served = runtime.block_on(self.serve());
        // A board in the middle of a long job is not waited for.
        if let Some(boards) = Arc::into_inner(boards) {
            boards.shutdown_background();
        }
        served
    }

    async fn serve(self) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let State { shared, club, .. } = self.state.clone();
        let router = Router::new()
            .route("/socket", get(begin::<Session>))
            .route("/gravity/socket", get(begin::<GravitySession>))
            .route("/training/socket", get(begin::<TrainingSession>))
            .route("/rooms/socket", get(rooms::begin))
            .route("/health", get(rooms::health))
            .route("/metrics", get(rooms::metrics))
            .route("/admin", post(rooms::admin))
            .route("/qr", post(qr))
            .route("/games", get(rooms::games))
            .route("/games/{number}", get(rooms::game))
            .route("/feed/{file}", get(rooms::feed))
            .route("/tournaments/{tournament}/{file}", get(rooms::table))
            .fallback(page::file)
            .layer(middleware::from_fn_with_state(self.guard, guard))
            .layer(middleware::from_fn_with_state(self.state.clone(), pace))
            .with_state(self.state);
        if let Some(club) = &club {
            tokio::spawn(Arc::clone(club).run(Arc::clone(&shared)));
        }
        let mut stopping = shared.stopping();
        let connections = Arc::new(Semaphore::new(self.connections));
        let limit = ConnectionLimit::new(self.connections_of_one);
        let half_open = Arc::<HalfOpen>::default();
        loop {
            let accepted = tokio::select! {
                accepted = accept(&listener, &connections) => accepted,
                () = stop_asked(&mut stopping) => break,
            };
            let Some((stream, address, permit)) = accepted else {
                tokio::time::sleep(NO_SOCKET).await;
                continue;
            };
            let ip = address.ip();
            let guard = limit.admit(ip).or_else(|| half_open.take_oldest(ip));
            let Some(guard) = guard else {
                log_refusal(format_args!("event=too_many_connections address={address}"));
                continue;
            };
            let holder = Arc::new(half_open.hold(ip, guard));
            let router = router.clone().layer(Extension(Arc::clone(&holder)));
            let connection = answer(stream, router.layer(Extension(Peer(ip))));
            tokio::spawn(async move {
                tokio::select! {
                    () = connection => {}
                    () = holder.taken() => {}
                }
                drop((permit, holder));
            });
        }
        // Every page gets its goodbye, unless it does not listen.
        let all_seats = shared.seats.acquire_many(MOST_CONNECTIONS as u32);
        let _ = tokio::time::timeout(PATIENCE, all_seats).await;
        if let Some(club) = club {
            let _ = tokio::time::timeout(PATIENCE, club.part()).await;
        }
        if shared.has_failed() {
            return Err(io::Error::other("the rooms could not be kept"));
        }
        Ok(())
    }
}

/// The name of the host in the address of a page.
fn host_of(url: &str) -> Option<String> {
    let uri: Uri = url.parse().ok()?;
    uri.host().map(str::to_owned)
}

/// Accepts the next connection once there is a permit. `None` if the system has no resources for
/// one.
async fn accept(
    listener: &tokio::net::TcpListener,
    connections: &Arc<Semaphore>,
) -> Option<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let permit = Arc::clone(connections).acquire_owned().await.ok()?;
    let (stream, address) = listener.accept().await.ok()?;
    // Moves are small and should not wait for more to send.
    let _ = stream.set_nodelay(true);
    Some((stream, address, permit))
}

/// Answers the requests of a connection until it ends or becomes a WebSocket.
async fn answer(stream: TcpStream, router: Router) {
    let service = TowerToHyperService::new(router);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WITHIN)
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    if let Err(error) = connection.await {
        log::debug!("event=connection_ended error={error}");
    }
}

/// Finds the address of a request, and delays the request if its address has exceeded the rate
/// limit, because rooms are served on the same thread.
async fn pace(
    extract::State(state): extract::State<State>,
    Extension(peer): Extension<Peer>,
    Extension(holder): Extension<Arc<Holder>>,
    mut request: Request,
    next: Next,
) -> Response {
    holder.keep();
    let address = state.address(request.headers(), peer);
    request.extensions_mut().insert(Peer(address));
    let limit = state.requests.of(Instant::now(), address);
    limit.spend(Instant::now(), REQUEST);
    sleep_until(limit.ready_at()).await;
    limit.charge(next.run(request)).await
}

/// Opens a connection with a session, if there is room for one more, and for one more from this
/// address.
async fn begin<S: ServedSession>(
    extract::State(state): extract::State<State>,
    Extension(Peer(address)): Extension<Peer>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let (shared, boards) = (Arc::clone(&state.shared), state.boards.clone());
    let seat = Arc::clone(&shared.seats).try_acquire_owned().ok();
    let Some(place) = seat.zip(shared.boards.admit(address)) else {
        log_refusal(format_args!("event=too_many_boards address={address}"));
        let refusal = Refusal {
            code: "too_many_boards",
            text: "too many boards are open: close one, or try again in half a minute",
            retry: NO_BOARD,
        };
        return refuse(upgrade, refusal);
    };
    upgrade
        .max_message_size(LARGEST_MESSAGE)
        .max_frame_size(LARGEST_MESSAGE)
        .on_upgrade(move |socket| async move {
            // The threads of a search have the priority of the thread that starts them.
            let conversation = boards.spawn(async move {
                let host = SessionHost::<S>::new(shared, address);
                host.converse(socket).await;
                drop(place);
            });
            let _ = conversation.await;
        })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_board::SearchBounds;
    use quincunx_engine::engine::Options;

    fn server() -> Server {
        let settings = Settings {
            address: "127.0.0.1:0".parse().unwrap(),
            hosts: Vec::new(),
            public_url: None,
            boards: BoardSettings {
                options: Options::default(),
                searches: SearchBounds::of(&Options::default()),
                engines: 1,
                weights: Arc::default(),
                explorer: None,
            },
            club: None,
        };
        Server::bind(settings).unwrap()
    }

    /// A service is started again only where the program says that it has failed.
    #[test]
    fn only_a_failed_store_is_a_failure() {
        let stopped = server();
        stopped.shutdown().stop();
        stopped.run().unwrap();
        let failed = server();
        failed.shutdown().fail();
        assert!(failed.run().is_err());
    }
}
