//! Requests to the studio, dressed as the page's own or raw. A panic anywhere ends the run; so
//! do an answer of 500, a hang and zones that are not valid.
#![no_main]

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use tidegate_studio::{Settings, Studio, router};
use tokio::runtime::Runtime;

#[path = "../../../crates/tidegate-studio/tests/asking/wire.rs"]
mod wire;

const HOST: &str = "127.0.0.1:8123";
const TOKEN: &str = "00112233445566778899aabbccddeeff0011223344556677";
/// Requests that a studio has to bear; then the zones are checked and another one opens.
const REQUESTS: u32 = 500;

struct Bench {
    runtime: Runtime,
    studio: Arc<Studio>,
    server: wire::Server,
    asked: u32,
}

impl Bench {
    fn new() -> Bench {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let studio = Studio::new(Settings {
            maps: Vec::new(),
            folder: std::env::temp_dir().join("tidegate-fuzz-http"),
            state: None,
            hosts: vec![HOST.to_owned(), "localhost:8123".to_owned()],
            token: TOKEN.to_owned(),
        })
        .expect("a studio");
        let server = runtime.block_on(async { wire::Server::start(router(Arc::clone(&studio))) });
        Bench { runtime, studio, server, asked: 0 }
    }
}

thread_local!(static BENCH: RefCell<Option<Bench>> = const { RefCell::new(None) });

libfuzzer_sys::fuzz_target!(|text: &[u8]| BENCH.with_borrow_mut(|place| {
    let bench = place.get_or_insert_with(Bench::new);
    let patience = Duration::from_millis(if text.starts_with(b"!") { 2 } else { 1_000 });
    let bytes = wire::dressed(text, HOST, TOKEN);
    bench.runtime.block_on(bench.server.exchange(&bytes, patience));
    bench.asked += 1;
    if bench.asked == REQUESTS {
        bench.studio.check().expect("the zones are valid");
        place.take().expect("a bench").runtime.shutdown_background();
    }
}));
