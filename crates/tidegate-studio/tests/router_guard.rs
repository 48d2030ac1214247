//! Who may ask: every row of `guard.tsv` through the router, and the headers of all routes.

mod asking;

use asking::{Client, HOST, TOKEN};
use axum::body::Body;
use axum::http::{Request, StatusCode};

/// A dash in the table is nothing; `*N` a body of N bytes.
fn request(row: &[&str]) -> Request<Body> {
    let [method, path, host, origin, site, token, kind, body, ..] = row else {
        panic!("a row has ten columns: {row:?}");
    };
    let mut request = Request::builder().method(*method).uri(*path);
    // Two hosts are two headers.
    for host in host.split(',').filter(|host| *host != "-") {
        request = request.header("host", host);
    }
    for (name, value) in [("origin", origin), ("sec-fetch-site", site), ("content-type", kind)] {
        if *value != "-" {
            request = request.header(name, *value);
        }
    }
    let token = match *token {
        "good" => Some(TOKEN.to_owned()),
        "bad" => Some(TOKEN.replace('0', "1")),
        "short" => Some(TOKEN[1..].to_owned()),
        _ => None,
    };
    if let Some(token) = token {
        request = request.header("x-tidegate-token", token);
    }
    let body = match body.strip_prefix('*') {
        Some(size) => Body::from(vec![b' '; size.parse::<usize>().unwrap()]),
        None if *body == "-" => Body::empty(),
        None => Body::from((*body).to_owned()),
    };
    request.body(body).unwrap()
}

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'";

/// What every answer must carry, and must not.
fn check_headers(what: &str, reply: &asking::Reply) {
    let wanted = [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cache-control", "no-store"),
    ];
    for (name, value) in wanted {
        let found: Vec<_> = reply.headers.get_all(name).iter().collect();
        assert_eq!(found, [value], "{what}: {name}");
    }
    let cors = reply.headers.keys().find(|name| name.as_str().starts_with("access-control"));
    assert_eq!(cors, None, "{what}");
    assert_eq!(reply.headers.get("set-cookie"), None, "{what}");
}

#[tokio::test]
async fn every_row_of_the_table() {
    let client = Client::new();
    let before = client.get("/api").await.json();
    let mut rows = 0;
    for line in include_str!("guard.tsv").lines().filter(|line| !line.starts_with('#')) {
        let row: Vec<&str> = line.split('\t').collect();
        let reply = client.send(request(&row)).await;
        let code = if row[9] == "-" { "" } else { row[9] };
        let shown = String::from_utf8_lossy(&reply.body[..reply.body.len().min(300)]).into_owned();
        assert_eq!(reply.status.as_str(), row[8], "{line}\n{shown}");
        if row[0] != "HEAD" {
            assert_eq!(reply.code(), code, "{line}\n{shown}");
        }
        check_headers(line, &reply);
        rows += 1;
    }
    println!("{rows} rows");
    assert!(rows > 80);
    assert_eq!(client.get("/api").await.json(), before, "nothing of this changed anything");
}

#[tokio::test]
async fn all_routes_carry_the_headers() {
    let client = Client::new();
    let mut asked = 0;
    for (methods, path) in tidegate_studio::routes() {
        let path = path.replace("{id}", "harbour").replace("{n}", "0");
        for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"] {
            for (host, token) in [(HOST, TOKEN), (HOST, "-"), ("evil.example", TOKEN)] {
                let request = Request::builder()
                    .method(method)
                    .uri(&path)
                    .header("host", host)
                    .header("x-tidegate-token", token)
                    .header("accept-encoding", "gzip");
                let reply = client.send(request.body(Body::empty()).unwrap()).await;
                let what = format!("{method} {path} {host} {token}");
                check_headers(&what, &reply);
                assert_ne!(reply.status, StatusCode::INTERNAL_SERVER_ERROR, "{what}");
                if host != HOST {
                    assert_eq!(reply.status, StatusCode::FORBIDDEN, "{what}");
                } else if token == "-" && (path == "/api" || path.starts_with("/api/")) {
                    assert_eq!(reply.status, StatusCode::UNAUTHORIZED, "{what}");
                } else {
                    let listed = methods.contains(if method == "HEAD" { "GET" } else { method });
                    let refused = reply.status == StatusCode::METHOD_NOT_ALLOWED;
                    assert_eq!(refused, !listed, "{what}: {}", reply.status);
                }
                asked += 1;
            }
        }
    }
    println!("{asked} requests");
}

#[tokio::test]
async fn a_token_twice_is_no_token() {
    let client = Client::new();
    let request = Request::get("/api").header("host", HOST);
    let twice = request.header("x-tidegate-token", TOKEN).header("x-tidegate-token", TOKEN);
    let reply = client.send(twice.body(Body::empty()).unwrap()).await;
    assert_eq!(reply.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn answers_are_compressed_where_the_client_can_read_it() {
    let client = Client::new();
    let request = || {
        Request::get("/api/maps/rts-256/zones")
            .header("host", HOST)
            .header("x-tidegate-token", TOKEN)
    };
    let plain = client.send(request().body(Body::empty()).unwrap()).await;
    let packed = request().header("accept-encoding", "gzip").body(Body::empty()).unwrap();
    let packed = client.send(packed).await;
    assert_eq!(plain.body.len(), 16 + 2 * 256 * 256);
    assert_eq!(packed.headers["content-encoding"], "gzip");
    assert!(packed.body.len() * 5 < plain.body.len());
}
