//! Odd requests by the thousand: never a breakdown, always the headers, the zones are valid after.
//!
//! A short run belongs to the tests; `TIDEGATE_FUZZ_SECONDS=120 cargo test -p tidegate-studio
//! --test router_fuzz -- --nocapture` runs as long as it says.

mod asking;

use std::time::{Duration, Instant};

use asking::wire::{self, Server};
use asking::{Client, HOST, TOKEN};
use axum::body::Body;
use axum::http::{Method, Request, Uri};
use tidegate::rng::Rng;
use tidegate_testkit::hostile;

const SEED: u64 = 20_061;
/// Small maps, so that thousands of requests can be asked.
const MAPS: [&str; 4] = ["harbour", "small", "nothing", "..%2f"];
const ROUTES: [&str; 34] = [
    "",
    "/state",
    "/tiles",
    "/zones",
    "/depth",
    "/water",
    "/field?goal=2,2",
    "/field?goal=9,9&costs=2,2,3,1.5;9,1,2,0.5",
    "/regions",
    "/hpa?engine=hpa",
    "/sectors?engine=maat",
    "/tile?x=3&y=4",
    "/zones/0",
    "/gates/0",
    "/route?from=1,1&to=9,9",
    "/walk?from=1,1&to=9,9",
    "/search",
    "/trace",
    "/posthoc",
    "/edit",
    "/edit",
    "/edit",
    "/edit",
    "/load?version=1",
    "/decomposition",
    "/map",
    "/svg?labels=true&path=1,1;2,2",
    "/save",
    "/problems",
    "/problems?generate=5",
    "/jobs",
    "/hpa?engine=hpa-paper",
    "/sectors?engine=maat-zones",
    "/zones/9999999999999999999999",
];
const BODIES: [&str; 24] = [
    "",
    "{}",
    r#"{"engine":"astar","from":[1,1],"to":[30,10]}"#,
    r#"{"engine":"gateway","from":[1,1],"to":[30,10],"budget":5}"#,
    r#"{"engine":"astar","from":[1,1],"to":[30,10],"costs":[[9,9,4,2.5],[3,3,0.5,655.35]]}"#,
    r#"{"engine":"auto","from":[1,1],"to":[30,10],"costs":[[65535,9,1e300,-1]]}"#,
    r#"{"engine":"hpa","from":[2,2],"to":[20,12]}"#,
    r#"{"engine":"labels","from":[2,2],"to":[20,12]}"#,
    r#"{"engine":"maat","from":[2,2],"to":[20,12]}"#,
    r#"{"version":VERSION,"op":"undo"}"#,
    r#"{"version":VERSION,"op":"redo"}"#,
    r#"{"version":VERSION,"op":"revert"}"#,
    r#"{"version":VERSION,"op":"add_gate","from":[3,3],"to":[9,9]}"#,
    r#"{"version":VERSION,"op":"add_gate","from":[1,5],"to":[60000,5],"dry":true}"#,
    r#"{"version":VERSION,"op":"move_end","gate":0,"end":"b","to":[5,5]}"#,
    r#"{"version":VERSION,"op":"remove_gate","gate":1}"#,
    r#"{"version":VERSION,"op":"merge_zones","a":0,"b":1}"#,
    r#"{"version":VERSION,"op":"split_zone","zone":0}"#,
    r#"{"version":VERSION,"op":"paint","tiles":[[1,1],[2,1],[3,1],[4,4]],"free":false}"#,
    r#"{"version":VERSION,"op":"paint","tiles":[[0,0],[1,1],[2,1],[5,5]],"free":true}"#,
    r#"{"version":VERSION,"op":"decompose","method":"rooms"}"#,
    r#"{"version":VERSION,"what":"json"}"#,
    r#"{"kind":"samples","engine":"gateway","against":"previous","count":3}"#,
    r#"{"kind":"judge","engine":"astar","every":30}"#,
];

fn pick<'a>(rng: &mut Rng, list: &[&'a str]) -> &'a str {
    list[rng.below(list.len())]
}

/// Bytes changed, doubled or taken away here and there.
fn mutate(rng: &mut Rng, bytes: &mut Vec<u8>) {
    for _ in 0..rng.below(4) {
        let at = rng.below(bytes.len() + 1);
        match rng.below(4) {
            0 => bytes.insert(at, rng.below(256) as u8),
            1 if at < bytes.len() => bytes[at] = rng.below(256) as u8,
            2 if at < bytes.len() => {
                bytes.remove(at);
            }
            _ => {
                let tail = bytes[at..].to_vec();
                bytes.extend(tail.into_iter().take(40));
            }
        }
    }
}

struct Case {
    method: &'static str,
    path: Vec<u8>,
    headers: Vec<(&'static str, Vec<u8>)>,
    body: Vec<u8>,
}

fn case(rng: &mut Rng, version: u64) -> Case {
    let method =
        pick(rng, &["GET", "GET", "POST", "POST", "POST", "DELETE", "PUT", "HEAD", "BREW"]);
    let mut path = match rng.below(12) {
        0 => "/api/jobs/1".to_owned(),
        1 => "/api/maps?name=small.txt".to_owned(),
        2 => "/index.html".to_owned(),
        _ => format!("/api/maps/{}{}", pick(rng, &MAPS), pick(rng, &ROUTES)),
    }
    .into_bytes();
    let mut body = pick(rng, &BODIES).replace("VERSION", &version.to_string()).into_bytes();
    if rng.below(8) == 0 {
        body =
            pick(rng, &["...\n.#.\n...\n", "type octile\nheight 2\nwidth 2\nmap\n..\n..\n"]).into();
    }
    if rng.below(3) == 0 {
        mutate(rng, &mut path);
    }
    if rng.below(2) == 0 {
        mutate(rng, &mut body);
    }
    let mut headers = vec![
        ("host", HOST.as_bytes().to_vec()),
        ("x-tidegate-token", TOKEN.as_bytes().to_vec()),
        ("content-type", b"application/json".to_vec()),
        ("sec-fetch-site", b"same-origin".to_vec()),
        ("accept-encoding", b"gzip".to_vec()),
    ];
    if rng.below(6) == 0 {
        let which = rng.below(headers.len());
        mutate(rng, &mut headers[which].1);
    }
    Case { method, path, headers, body }
}

impl Case {
    /// The request, if these bytes can be one at all.
    fn request(&self) -> Option<Request<Body>> {
        let mut request = Request::builder()
            .method(Method::from_bytes(self.method.as_bytes()).ok()?)
            .uri(Uri::try_from(&self.path[..]).ok()?);
        for (name, value) in &self.headers {
            request = request.header(*name, &value[..]);
        }
        request.body(Body::from(self.body.clone())).ok()
    }

    /// The request as it comes over a wire, with an honest or a wrong length.
    fn wire(&self, rng: &mut Rng) -> Vec<u8> {
        let mut out = [self.method.as_bytes(), b" ", &self.path, b" HTTP/1.1\r\n"].concat();
        for (name, value) in &self.headers {
            out.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
        }
        let length = if rng.below(4) == 0 { rng.below(100) } else { self.body.len() };
        out.extend(format!("content-length: {length}\r\nconnection: close\r\n\r\n").as_bytes());
        out.extend(&self.body);
        mutate(rng, &mut out);
        out
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn odd_requests_break_nothing() {
    let seconds = std::env::var("TIDEGATE_FUZZ_SECONDS").ok().and_then(|s| s.parse::<u64>().ok());
    let end = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let client = Client::new();
    let small = ["..........\n"; 10].concat();
    client.ask("POST", "/api/maps?name=small.txt", small).await;
    let server = Server::start(client.router.clone());
    let mut rng = Rng::new(SEED);
    let (mut routed, mut wired, mut statuses) = (0, 0, std::collections::BTreeMap::new());
    loop {
        let over = match end {
            Some(end) => Instant::now() >= end,
            None => routed + wired >= 1_500,
        };
        if over {
            break;
        }
        let version = if rng.below(10) == 0 { 1 } else { client.version("harbour").await };
        let case = case(&mut rng, version);
        if rng.below(3) == 0 {
            let bytes = case.wire(&mut rng);
            server.exchange(&bytes, Duration::from_millis(100)).await;
            wired += 1;
            continue;
        }
        let Some(request) = case.request() else { continue };
        let reply = client.send(request).await;
        let shown = || format!("{} {}", case.method, String::from_utf8_lossy(&case.path));
        assert_ne!(reply.status.as_u16(), 500, "{}: {:?}", shown(), reply.body);
        assert_eq!(reply.headers["x-content-type-options"], "nosniff", "{}", shown());
        *statuses.entry(reply.status.as_u16()).or_insert(0) += 1;
        routed += 1;
        if routed % 200 == 0 {
            tidy(&client).await;
        }
    }
    tidy(&client).await;
    println!("{routed} requests to the router, {wired} over wires; by status: {statuses:?}");
    assert!(statuses.len() > 5, "the requests reach far: {statuses:?}");
}

/// The seeds of the fuzz target `http`, and what it found.
#[tokio::test]
async fn written_requests_are_answered() {
    let client = Client::new();
    let server = Server::start(client.router.clone());
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/http");
    let mut seeds: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    seeds.sort();
    assert!(seeds.len() > 20);
    let mut welcome = 0;
    for seed in &seeds {
        let bytes = wire::dressed(&std::fs::read(seed).unwrap(), HOST, TOKEN);
        let answer = server.exchange(&bytes, Duration::from_secs(20)).await;
        welcome += usize::from(answer.starts_with(b"HTTP/1.1 2"));
    }
    assert!(welcome * 4 > seeds.len() * 3, "{welcome} of {} seeds are welcome", seeds.len());
    for text in hostile::kept("http").unwrap() {
        let bytes = wire::dressed(&text, HOST, TOKEN);
        server.exchange(&bytes, Duration::from_secs(1)).await;
    }
    client.studio.check().unwrap();
}

/// The zones are valid; maps that were uploaded on the way are closed.
async fn tidy(client: &Client) {
    client.studio.check().unwrap();
    let maps = client.get("/api/maps").await.json();
    for map in maps["maps"].as_array().unwrap().iter().filter(|m| m["origin"] == "upload").skip(1) {
        client.ask("DELETE", &format!("/api/maps/{}", map["id"].as_str().unwrap()), "").await;
    }
}
