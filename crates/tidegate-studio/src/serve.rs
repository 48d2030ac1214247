//! Listening, and stopping in good order.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use tokio::net::TcpListener;

use crate::app::{Settings, Studio, cores, router};
use crate::documents::Opened;

/// How long answers under way are waited for when the program ends.
const GRACE: Duration = Duration::from_secs(2);

/// Where to listen.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    /// This machine alone, unless told otherwise.
    pub ip: IpAddr,
    /// 0 for any free one.
    pub port: u16,
}

impl Default for Address {
    fn default() -> Address {
        Address { ip: IpAddr::V4(Ipv4Addr::LOCALHOST), port: 0 }
    }
}

/// Serves the studio until the process is told to stop (Ctrl-C, or SIGTERM on Unix). `ready`
/// gets the address of the page once it can be opened. Unsaved work is kept in `state`.
pub fn serve(
    maps: Vec<Opened>,
    folder: PathBuf,
    state: Option<PathBuf>,
    address: Address,
    ready: impl FnOnce(&str),
) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(2 * cores() + 8)
        .enable_all()
        .build()?;
    let served = runtime.block_on(async {
        let wanted = SocketAddr::new(address.ip, address.port);
        let listener = TcpListener::bind(wanted).await;
        let listener = listener.with_context(|| format!("cannot listen on {wanted}"))?;
        let at = listener.local_addr()?;
        let token = new_token()?;
        let url = format!("http://{at}/#token={token}");
        let studio = Studio::new(Settings { maps, folder, state, hosts: hosts(at), token })?;
        ready(&url);
        let service = router(Arc::clone(&studio));
        let (stopping, stopped) = tokio::sync::oneshot::channel::<()>();
        let stop = async move {
            told_to_stop().await;
            drop(stopping);
        };
        // Answers under way may finish, but nobody waits long for them.
        let late = async move {
            let _ = stopped.await;
            tokio::time::sleep(GRACE).await;
        };
        tokio::select! {
            served = axum::serve(listener, service).with_graceful_shutdown(stop) => served?,
            () = late => {}
        }
        Ok(())
    });
    // A file being written is finished or never gets its name; nothing else is worth waiting for.
    runtime.shutdown_timeout(GRACE);
    served
}

/// What requests may call this server.
fn hosts(at: SocketAddr) -> Vec<String> {
    let port = at.port();
    let mut hosts: Vec<String> =
        ["127.0.0.1", "[::1]", "localhost"].map(|name| format!("{name}:{port}")).to_vec();
    if !at.ip().is_unspecified() {
        hosts.push(at.to_string());
    }
    hosts
}

/// 24 random bytes as hex digits.
fn new_token() -> Result<String> {
    let mut bytes = [0u8; 24];
    getrandom::fill(&mut bytes).map_err(|e| anyhow::anyhow!("no random numbers: {e}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

async fn told_to_stop() {
    let interrupt = async {
        let _ = tokio::signal::ctrl_c().await;
    };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! { () = interrupt => {}, _ = terminate.recv() => {} }
            return;
        }
    }
    interrupt.await;
}
