//! The studio under load: two pages that edit, four that only look and ask, for as long as told.
//! The state stays consistent, the zones are valid, nothing fails, memory does not grow.
//!
//! `cargo run --release -p tidegate-studio --example studio_load [-- SECONDS]`: in rounds of a thousand
//! edits (some against old versions, which must be refused); the zones are checked after every
//! tenth. At the end of a round everything is taken back: the file of zones must be what it was.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tidegate::rng::Rng;
use tidegate_studio::{Settings, Studio, router};
use tower::ServiceExt as _;

const MAP: &str = "rts-256";
const EDITS: u64 = 1_000;
const EDITORS: u64 = 2;
const READERS: u64 = 4;
/// Engines that are asked; the tables of the others take longer to build than edits leave time.
const ENGINES: [&str; 6] = ["astar", "jps", "gateway", "hpa", "differential", "auto"];
const LAYERS: [&str; 8] =
    ["", "/state", "/tiles", "/zones", "/depth", "/water", "/regions", "/decomposition"];

#[derive(Clone)]
struct Page {
    studio: Arc<Studio>,
    router: Router,
}

impl Page {
    async fn ask(&self, method: &str, path: &str, body: Option<Value>) -> Result<(u16, Vec<u8>)> {
        let request = Request::builder()
            .method(method)
            .uri(format!("/api/maps/{MAP}{path}"))
            .header("host", "127.0.0.1:1")
            .header("x-tidegate-token", "load")
            .header("content-type", "application/json");
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let answer = self.router.clone().oneshot(request.body(body)?).await?;
        let status = answer.status().as_u16();
        Ok((status, answer.into_body().collect().await?.to_bytes().to_vec()))
    }

    async fn json(&self, method: &str, path: &str, body: Option<Value>) -> Result<(u16, Value)> {
        let (status, bytes) = self.ask(method, path, body).await?;
        Ok((status, serde_json::from_slice(&bytes)?))
    }
}

/// One page: edits until all are made. Returns done, refused and stale.
async fn edit(page: Page, seed: u64, made: Arc<AtomicU64>) -> Result<[u64; 3]> {
    let mut rng = Rng::new(seed);
    let mut counts = [0; 3];
    let (_, mut about) = page.json("GET", "", None).await?;
    while made.load(Ordering::Relaxed) < EDITS {
        let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
        let zones = about["zones"].as_array().map_or(1, Vec::len).max(1);
        let gates = about["gate_list"].as_array().map_or(1, Vec::len).max(1);
        let (width, height) = (number(&about["width"]), number(&about["height"]));
        let mut tile = || json!([rng.below(width), rng.below(height)]);
        let (from, to) = (tile(), tile());
        let beside = &about["gate_list"][rng.below(gates)]["zones"];
        // A gate may lead from a zone into itself, or stand among gates only.
        let one = beside.get(0).cloned().unwrap_or(json!(0));
        let other = beside.get(1).unwrap_or(&one);
        let op = match rng.below(10) {
            0 | 1 => json!({ "op": "split_zone", "zone": rng.below(zones) }),
            2 => json!({ "op": "remove_gate", "gate": rng.below(gates) }),
            3 => json!({ "op": "merge_zones", "a": one, "b": other }),
            4 => json!({ "op": "move_end", "gate": rng.below(gates), "end": "a", "to": to }),
            5 => json!({ "op": "add_gate", "from": from, "to": to }),
            6 => json!({ "op": "undo" }),
            7 => json!({ "op": "redo" }),
            _ => {
                let corner = [number(&from[0]), number(&from[1])];
                let side = 1 + rng.below(5);
                let square = (0..side * side).map(|i| [corner[0] + i % side, corner[1] + i / side]);
                let inside = square.filter(|t| t[0] < width && t[1] < height);
                let tiles: Vec<[usize; 2]> = inside.collect();
                json!({ "op": "paint", "tiles": tiles, "free": rng.chance(50) })
            }
        };
        let mut wish = op;
        // Now and then a page that slept through the last changes.
        let now = about["version"].as_u64().unwrap_or(1);
        let old = rng.chance(10) && now > 3;
        wish["version"] = json!(if old { now - 2 } else { now });
        let (status, answer) = page.json("POST", "/edit", Some(wish.clone())).await?;
        ensure!(!(old && status == 200), "a change against an old version was taken: {wish}");
        match status {
            200 => {
                counts[0] += 1;
                let version = answer["version"].as_u64().unwrap_or(0);
                ensure!(version == now + 1, "from version {now} to {version}");
                if made.fetch_add(1, Ordering::Relaxed).is_multiple_of(10) {
                    page.studio.check().map_err(anyhow::Error::msg).context("the zones")?;
                }
            }
            422 => counts[1] += 1,
            409 => counts[2] += 1,
            other => anyhow::bail!("{other} to {wish}: {answer}"),
        }
        about = page.json("GET", "", None).await?.1;
    }
    Ok(counts)
}

/// One page that looks and asks until all edits are made. Returns how often it was answered.
async fn read(page: Page, seed: u64, made: Arc<AtomicU64>) -> Result<u64> {
    let mut rng = Rng::new(seed);
    let mut answered = 0;
    while made.load(Ordering::Relaxed) < EDITS {
        let layer = LAYERS[rng.below(LAYERS.len())];
        let (status, _) = page.ask("GET", layer, None).await?;
        ensure!(status == 200, "{status} to {layer}");
        let mut tile = || json!([rng.below(256), rng.below(256)]);
        let (from, to) = (tile(), tile());
        let engine = ENGINES[rng.below(ENGINES.len())];
        let verb = if rng.chance(20) { "/trace" } else { "/search" };
        let ask = json!({ "engine": engine, "from": from, "to": to });
        let (status, answer) = page.ask("POST", verb, Some(ask.clone())).await?;
        // Answered; tables under way; an end on a wall.
        ensure!(
            [200, 202, 422].contains(&status),
            "{status} to {ask}: {}",
            String::from_utf8_lossy(&answer)
        );
        answered += 2;
    }
    Ok(answered)
}

/// Memory that the process holds, in MiB.
fn resident() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: f64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096.0 / f64::from(1 << 20))
}

#[tokio::main]
async fn main() -> Result<()> {
    let seconds: u64 = std::env::args().nth(1).map_or(Ok(600), |text| text.parse())?;
    let settings = Settings {
        maps: Vec::new(),
        folder: std::env::temp_dir(),
        state: None,
        hosts: vec!["127.0.0.1:1".to_owned()],
        token: "load".to_owned(),
    };
    let studio = Studio::new(settings)?;
    let page = Page { router: router(Arc::clone(&studio)), studio };
    let (_, opened) = page.ask("GET", "/decomposition", None).await?;
    let (clock, mut memory, mut seed) = (Instant::now(), Vec::new(), 0);
    let (mut edits, mut looks) = (0, 0);
    while clock.elapsed() < Duration::from_secs(seconds) {
        let made = Arc::new(AtomicU64::new(0));
        let first = seed;
        seed += EDITORS + READERS;
        let editors: Vec<_> = (first..first + EDITORS)
            .map(|seed| tokio::spawn(edit(page.clone(), seed, Arc::clone(&made))))
            .collect();
        let readers: Vec<_> = (first + EDITORS..seed)
            .map(|seed| tokio::spawn(read(page.clone(), seed, Arc::clone(&made))))
            .collect();
        let mut counts = [0; 3];
        for done in editors {
            let done = done.await??;
            (0..3).for_each(|i| counts[i] += done[i]);
        }
        let mut answered = 0;
        for done in readers {
            answered += done.await??;
        }
        let (_, state) = page.json("GET", "/state", None).await?;
        let wish = json!({ "version": state["version"], "op": "revert" });
        let (status, answer) = page.json("POST", "/edit", Some(wish)).await?;
        ensure!(status == 200 || status == 422, "revert: {answer}");
        let (_, now) = page.ask("GET", "/decomposition", None).await?;
        ensure!(now == opened, "the zones are not those of the map that was opened");
        page.studio.check().map_err(anyhow::Error::msg)?;
        let held = resident().unwrap_or(0.0);
        memory.push(held);
        (edits, looks) = (edits + counts[0], looks + answered);
        println!(
            "{:>4} s: {} edits, {} refused, {} stale, {answered} answers to readers; {held:.0} MiB",
            clock.elapsed().as_secs(),
            counts[0],
            counts[1],
            counts[2],
        );
    }
    // The history is full after two rounds; from then on nothing may grow.
    if let [_, _, third, .., last] = memory[..] {
        ensure!(last < third * 1.15 + 8.0, "memory grew from {third:.0} to {last:.0} MiB");
    }
    println!(
        "{edits} edits, {looks} answers to readers in {} s: state consistent, zones valid, no error, \
         memory does not grow",
        clock.elapsed().as_secs()
    );
    Ok(())
}
