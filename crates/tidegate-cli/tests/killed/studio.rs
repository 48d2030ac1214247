//! The studio, which keeps unsaved work after every change: what was answered as done is there
//! at the next start, and the one change that was under way is there or not.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tidegate::rng::Rng;

use crate::{Count, tidegate, unfinished};

/// Tiles that are painted, each on a row of its own.
const TILES: usize = 16;
/// How long a studio runs at most before it is killed.
const LONGEST: Duration = Duration::from_millis(400);

/// How long it is waited for a write.
const PATIENCE: Duration = Duration::from_secs(5);

/// The map's rows with some of the tiles painted.
fn rows(painted: u32) -> Vec<String> {
    let letter = |x: usize, y: usize| match (x, y) {
        (0 | 39, _) | (_, 0 | 35) => '@',
        (13 | 26, y) if !(14..20).contains(&y) => '@',
        (5, y) if (1..=TILES).contains(&y) && painted >> (y - 1) & 1 == 1 => '@',
        _ => '.',
    };
    (0..36).map(|y| (0..40).map(|x| letter(x, y)).collect()).collect()
}

/// A studio that runs, and the way to ask it.
struct Page {
    host: String,
    token: String,
}

fn start(folder: &Path) -> (Child, Page) {
    let mut command = tidegate(folder, "studio rooms.txt --no-open");
    let command = command.env("XDG_STATE_HOME", folder.join("state")).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let line = lines.find_map(|line| line.split_once("http://").map(|(_, url)| url.to_owned()));
    let url = line.expect("the address of the page");
    let (host, token) = url.split_once("/#token=").expect("a token");
    (child, Page { host: host.to_owned(), token: token.trim().to_owned() })
}

impl Page {
    /// The answer, unless the studio is gone before it has given a whole one.
    fn ask(&self, method: &str, path: &str, body: Option<Value>) -> Option<(u16, String)> {
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let Page { host, token } = self;
        let request = format!(
            "{method} /api/maps/rooms{path} HTTP/1.1\r\nhost: {host}\r\nx-tidegate-token: {token}\r\n\
             connection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        let mut stream = TcpStream::connect(host).ok()?;
        stream.write_all(request.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "))?;
        let is_whole = body.len() == length.parse::<usize>().unwrap();
        let status = head.split(' ').nth(1)?.parse().ok()?;
        is_whole.then(|| (status, body.to_owned()))
    }

    fn done(&self, method: &str, path: &str, body: Option<Value>) -> Option<Value> {
        let (status, text) = self.ask(method, path, body)?;
        assert_eq!(status, 200, "{method} {path}: {text}");
        Some(serde_json::from_str(&text).unwrap())
    }

    /// What is there at the start: what is shown, or the unsaved work that is offered.
    fn found(&self, count: &mut Found) -> Option<u32> {
        let about = self.done("GET", "", None)?;
        assert_eq!(about["saved"]["unfit"], Value::Null);
        if about["recovery"].is_object() {
            let version = json!({ "version": about["version"] });
            self.done("POST", "/recovery", Some(version))?;
            count.offered += 1;
        }
        let (_, map) = self.ask("GET", "/map", None)?;
        let found: Vec<&str> = map.lines().skip_while(|line| *line != "map").skip(1).collect();
        let painted = (0..TILES).filter(|n| found[n + 1].as_bytes()[5] != b'.');
        let painted = painted.fold(0, |all, n| all | 1 << n);
        assert_eq!(found, rows(painted), "walls that nobody has painted");
        let zones = self.done("GET", "/decomposition", None)?;
        assert!(zones["gates"].is_array());
        count.checked += 1;
        Some(painted)
    }
}

#[derive(Default)]
struct Found {
    /// Starts at which everything was looked at before the next kill.
    checked: usize,
    /// Starts at which unsaved work was offered and taken up.
    offered: usize,
    changes: usize,
    saves: usize,
    /// Changes under way at a kill that were found done at the next start.
    under_way: usize,
}

/// Changes the map until the studio is gone. `state` is what was answered last; what a change
/// that was not answered would have made comes back.
fn work(page: &Page, state: &mut u32, count: &mut Found, rng: &mut Rng) -> Option<u32> {
    loop {
        let version = page.done("GET", "", None)?["version"].clone();
        if rng.chance(10) {
            let save = json!({ "version": version, "what": "json", "replace": true });
            page.done("POST", "/save", Some(save))?;
            count.saves += 1;
            continue;
        }
        let tile = rng.below(TILES);
        let free = *state >> tile & 1 == 1;
        let paint =
            json!({ "version": version, "op": "paint", "tiles": [[5, tile + 1]], "free": free });
        let wanted = *state ^ 1 << tile;
        let Some(answer) = page.done("POST", "/edit", Some(paint)) else { return Some(wanted) };
        assert_eq!(answer["autosaved"], answer["dirty"], "{answer}");
        *state = wanted;
        count.changes += 1;
    }
}

#[test]
fn a_killed_studio_loses_nothing_that_it_has_answered() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let kept = &folder.join("state/tidegate");
    fs::write(folder.join("rooms.txt"), rows(0).join("\n") + "\n").unwrap();
    let (mut rng, mut count, mut found) = (Rng::new(11), Count::default(), Found::default());
    // What was answered last, and what a change under way would have made.
    let (mut state, mut wanted) = (0, None);
    while count.goes_on() {
        let (mut child, page) = start(folder);
        let (at_a_write, moment) =
            (rng.chance(50), LONGEST.mul_f64(rng.below(1000) as f64 / 1000.0));
        std::thread::scope(|scope| {
            let child = &mut child;
            scope.spawn(move || {
                let clock = Instant::now();
                let is_early = || {
                    let begun = !at_a_write || !unfinished(&[folder, kept]).is_empty();
                    clock.elapsed() < moment || (!begun && clock.elapsed() < PATIENCE)
                };
                while is_early() {
                    std::thread::yield_now();
                }
                child.kill().unwrap();
                child.wait().unwrap();
            });
            let Some(now) = page.found(&mut found) else { return };
            assert!(now == state || Some(now) == wanted, "{now:b}, not {state:b} or {wanted:?}");
            found.under_way += usize::from(now != state);
            state = now;
            wanted = work(&page, &mut state, &mut found, &mut rng);
        });
        count.add(true, &[folder, kept]);
    }
    let Found { checked, offered, changes, saves, under_way } = found;
    count.tell("studio", &format!("{changes} changes and {saves} saves answered, none lost or torn; \
        {checked} starts looked at, unsaved work offered at {offered}, {under_way} changes under way found done"));
    assert!(offered > 0 && changes > 0);
}
