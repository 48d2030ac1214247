//! Walks at any angle as the studio sends them, on maps that are edited, against a search over every
//! corner of tiles.

mod asking;

use asking::Client;
use axum::http::StatusCode;
use serde_json::{Value, json};
use tidegate::anyangle::Point;
use tidegate::rng::Rng;
use tidegate::{Grid, Movement, Tile};
use tidegate_testkit::{maps, visibility};

/// The map as a file of letters.
fn text(grid: &Grid) -> String {
    let letter = |x, y| if grid.is_free(Tile::new(x as u16, y as u16)) { '.' } else { '#' };
    let row = |y| (0..grid.width()).map(|x| letter(x, y)).chain(['\n']).collect::<String>();
    (0..grid.height()).map(row).collect()
}

fn point(pair: &Value) -> Point {
    Point::from_tiles(pair[0].as_f64().unwrap(), pair[1].as_f64().unwrap()).unwrap()
}

/// Asks for the walk between all pairs of some tiles; how many there are.
async fn compare(client: &Client, base: &str, grid: &Grid, tiles: &[Tile]) -> usize {
    let centres: Vec<Point> = tiles.iter().map(|&tile| tile.into()).collect();
    let least = visibility::lengths(grid, &centres);
    let mut found = 0;
    for (a, from) in tiles.iter().enumerate() {
        for (b, to) in tiles.iter().enumerate() {
            let route = format!("{base}/walk?from={},{}&to={},{}", from.x, from.y, to.x, to.y);
            let reply = client.get(&route).await;
            let about = format!("{from} to {to}\n{}", text(grid));
            assert_eq!(reply.status, StatusCode::OK, "{about}");
            let answer = reply.json();
            let points: Vec<Point> =
                answer["points"].as_array().unwrap().iter().map(point).collect();
            if least[a][b].is_infinite() {
                assert_eq!(answer["status"], "unreachable", "{about}");
                assert!(points.is_empty() && answer["length"].is_null(), "{about}");
                continue;
            }
            assert_eq!(answer["status"], "found", "{about}");
            let length = answer["length"].as_f64().unwrap();
            assert!((length - least[a][b]).abs() < 1e-9, "{length}, not {}: {about}", least[a][b]);
            assert_eq!(
                (points.first(), points.last()),
                (centres.get(a), centres.get(b)),
                "{about}"
            );
            let legal = |line: &[Point]| visibility::is_walk(grid, line[0], line[1]);
            assert!(points.windows(2).all(legal), "{points:?}: {about}");
            found += 1;
        }
    }
    found
}

/// Walks are the oracle's, before and right after walls were painted.
#[tokio::test]
async fn walks_are_right_on_maps_that_are_edited() {
    let client = Client::new();
    let mut found = 0;
    for (seed, movement) in (0..20).flat_map(|seed| Movement::ALL.map(|rule| (seed, rule))) {
        let mut grid = maps::small(seed, movement);
        let mut rng = Rng::new(seed);
        let path = format!("/api/maps?name=small.txt&movement={}", movement.name());
        let made = client.ask("POST", &path, text(&grid)).await.json();
        let id = made["id"].as_str().unwrap().to_owned();
        let base = format!("/api/maps/{id}");
        for _ in 0..3 {
            let tiles = maps::free_tiles(&grid, 3, &mut rng);
            found += compare(&client, &base, &grid, &tiles).await;
            let at = |side: u32, rng: &mut Rng| rng.below(side as usize) as u16;
            let tile = Tile::new(at(grid.width(), &mut rng), at(grid.height(), &mut rng));
            let free = !grid.is_free(tile);
            let edit = json!({ "op": "paint", "tiles": [[tile.x, tile.y]], "free": free });
            assert_eq!(client.edit(&id, edit).await.status, StatusCode::OK);
            grid.set_free(tile, free);
        }
        client.ask("DELETE", &base, "").await;
    }
    assert!(found > 500, "{found} walks");
}

#[tokio::test]
async fn odd_ends_are_refused() {
    let client = Client::new();
    client.ask("POST", "/api/maps?name=two.txt", "..\n.#\n").await;
    for (query, status) in [
        ("", StatusCode::BAD_REQUEST),
        ("?from=0,0", StatusCode::BAD_REQUEST),
        ("?from=0&to=0,1", StatusCode::BAD_REQUEST),
        ("?from=0.5,0&to=0,1", StatusCode::BAD_REQUEST),
        ("?from=0,0&to=-1,1", StatusCode::BAD_REQUEST),
        ("?from=0,0&to=1,1", StatusCode::UNPROCESSABLE_ENTITY),
        ("?from=65535,65535&to=0,0", StatusCode::UNPROCESSABLE_ENTITY),
        ("?from=0,0&to=0,1", StatusCode::OK),
    ] {
        let reply = client.get(&format!("/api/maps/two/walk{query}")).await;
        assert_eq!(reply.status, status, "{query}: {:?}", reply.body);
    }
    assert_eq!(
        client.get("/api/maps/none/walk?from=0,0&to=0,1").await.status,
        StatusCode::NOT_FOUND
    );
}
