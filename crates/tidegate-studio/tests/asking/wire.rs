//! Requests as bytes, over connections made of memory. Shared by the tests and the fuzz target
//! `http`.

use std::io;
use std::time::Duration;

use axum::Router;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::sync::mpsc;

/// Connections that are handed in instead of listened for.
struct Wires(mpsc::Receiver<DuplexStream>);

impl axum::serve::Listener for Wires {
    type Io = DuplexStream;
    type Addr = ();

    async fn accept(&mut self) -> (DuplexStream, ()) {
        match self.0.recv().await {
            Some(wire) => (wire, ()),
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<()> {
        Ok(())
    }
}

/// A server without sockets; it lives as long as the runtime.
pub(crate) struct Server(mpsc::Sender<DuplexStream>);

impl Server {
    /// Begins to serve.
    pub(crate) fn start(router: Router) -> Server {
        let (connect, wires) = mpsc::channel(4);
        tokio::spawn(axum::serve(Wires(wires), router).into_future());
        Server(connect)
    }

    /// Sends the bytes over a new connection. An answer comes, or the connection is closed;
    /// nothing hangs, nothing breaks down, and what is answered wears its headers. After
    /// `patience` the connection is closed from this side.
    pub(crate) async fn exchange(&self, bytes: &[u8], patience: Duration) -> Vec<u8> {
        let (mut ours, theirs) = tokio::io::duplex(1 << 16);
        self.0.send(theirs).await.unwrap();
        let mut answer = Vec::new();
        let talk = async {
            // The server may hang up before all is written.
            let _ = ours.write_all(bytes).await;
            let _ = ours.read_to_end(&mut answer).await;
        };
        let _ = tokio::time::timeout(patience, talk).await;
        // What is still waited for will not come.
        let _ = ours.shutdown().await;
        let rest = ours.read_to_end(&mut answer);
        let read = tokio::time::timeout(Duration::from_secs(40), rest).await;
        let shown = || String::from_utf8_lossy(bytes).into_owned();
        read.unwrap_or_else(|_| panic!("no end: {}", shown())).unwrap();
        assert!(!answer.starts_with(b"HTTP/1.1 500"), "{}", shown());
        if answer.starts_with(b"HTTP/1.1 2") {
            let text = String::from_utf8_lossy(&answer);
            assert!(text.contains("content-security-policy"), "{}", shown());
        }
        answer
    }
}

/// What a written request stands for: `METHOD PATH`, a line end, the body; dressed as the page
/// would send it. Behind a `!` stand the bytes of a connection as they are.
pub(crate) fn dressed(text: &[u8], host: &str, token: &str) -> Vec<u8> {
    if let Some(raw) = text.strip_prefix(b"!") {
        return raw.to_vec();
    }
    let end = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
    let body = text.get(end + 1..).unwrap_or_default();
    let headers = format!(
        " HTTP/1.1\r\nhost: {host}\r\nx-tidegate-token: {token}\r\nsec-fetch-site: same-origin\r\n\
         content-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    [&text[..end], headers.as_bytes(), body].concat()
}
