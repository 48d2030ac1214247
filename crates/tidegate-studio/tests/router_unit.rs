//! Maps for larger units: what is free there, and paths and distances, against the plain grid.

mod asking;

use asking::Client;
use axum::http::StatusCode;
use serde_json::{Value, json};
use tidegate::rng::Rng;
use tidegate::{CellId, Decomposition, Grid, Movement, Tile};
use tidegate_testkit::{maps, oracle};

const MAPS: u64 = 24;

fn text(grid: &Grid) -> String {
    let letter = |x, y| if grid.is_free(Tile::new(x as u16, y as u16)) { '.' } else { '#' };
    let row = |y| (0..grid.width()).map(|x| letter(x, y)).chain(['\n']).collect::<String>();
    (0..grid.height()).map(row).collect()
}

/// Free is where all tiles of a square are, and the square is in the map.
fn grown(grid: &Grid, size: u32) -> Grid {
    let all = |x: u32, y: u32| {
        let mut tiles =
            (y..y + size).flat_map(|row| (x..x + size).map(move |column| (column, row)));
        tiles.all(|(x, y)| grid.is_free_at(x as i32, y as i32))
    };
    Grid::from_fn(grid.width(), grid.height(), grid.movement(), all).unwrap()
}

/// The tiles that the studio says are free.
async fn free(client: &Client, id: &str) -> Vec<bool> {
    let tiles = client.get(&format!("/api/maps/{id}/tiles")).await;
    assert_eq!(tiles.status, StatusCode::OK, "{:?}", tiles.body);
    let count = (tiles.number(4) * tiles.number(8)) as usize;
    (0..count).map(|i| tiles.body[16 + i / 8] >> (i % 8) & 1 == 1).collect()
}

fn is_free(grid: &Grid) -> Vec<bool> {
    (0..grid.tiles()).map(|i| grid.is_free_cell(CellId::from_index(i))).collect()
}

#[tokio::test]
async fn larger_units_have_maps_of_their_own() {
    let client = Client::new();
    let mut found = 0;
    for (seed, movement) in (0..MAPS).flat_map(|seed| Movement::ALL.map(|rule| (seed, rule))) {
        let plain = maps::small(seed, movement);
        let path = format!("/api/maps?name=small.txt&movement={}", movement.name());
        let made = client.ask("POST", &path, text(&plain)).await.json();
        let map = made["id"].as_str().unwrap();
        for size in 2..=4 {
            let (id, grid) = (format!("{map}~{size}"), grown(&plain, size));
            assert_eq!(free(&client, &id).await, is_free(&grid), "size {size}\n{}", text(&plain));
            let about = client.get(&format!("/api/maps/{id}")).await.json();
            assert_eq!(
                (&about["unit"], &about["movement"]),
                (&json!(size), &json!(movement.name()))
            );
            let parts = Decomposition::water(&grid, &Default::default());
            assert_eq!(about["zones"].as_array().unwrap().len(), parts.zones().len());
            let ends = maps::free_tiles(&grid, 2, &mut Rng::new(seed));
            let [from, to] = ends[..] else { continue };
            let wanted = oracle::distance(&grid, from, to);
            for engine in ["astar", "gateway", "jps", "labels", "auto"] {
                let ask = json!({ "engine": engine, "from": [from.x, from.y], "to": [to.x, to.y] });
                let answer = client.search(&format!("/api/maps/{id}/search"), ask).await.json();
                assert_eq!(answer["cost"].as_u64(), wanted, "{engine}, {size}\n{}", text(&plain));
                found += usize::from(wanted.is_some());
            }
            let route = format!("/api/maps/{id}/field?goal={},{}", to.x, to.y);
            let far = oracle::distances(&grid, to).into_iter().flatten().max();
            assert_eq!(Some(u64::from(client.get(&route).await.number(8))), far);
        }
        client.ask("DELETE", &format!("/api/maps/{map}"), "").await;
        let gone = client.get(&format!("/api/maps/{map}~2/tiles")).await;
        assert_eq!(gone.status, StatusCode::NOT_FOUND);
    }
    assert!(found > 300, "{found} paths");
}

#[tokio::test]
async fn they_follow_the_map_and_are_not_changed() {
    let client = Client::new();
    let rows = ".".repeat(20) + "\n";
    client.ask("POST", "/api/maps?name=open.txt", rows.repeat(12)).await;
    let search = |tables: &'static str| {
        let ask = json!({ "engine": tables, "from": [1, 1], "to": [15, 1] });
        client.search("/api/maps/open~3/search", ask)
    };
    for engine in ["astar", "corners"] {
        assert_eq!(search(engine).await.json()["straight"], 14);
    }
    let walls = |grid: &mut Vec<String>, tiles: &[[usize; 2]], letter: &str| {
        for &[x, y] in tiles {
            grid[y].replace_range(x..=x, letter);
        }
    };
    let mut drawn = vec![".".repeat(20); 12];
    let tiles: Vec<[usize; 2]> = (0..9).map(|y| [10, y]).collect();
    walls(&mut drawn, &tiles, "#");
    let before = client.get("/api/maps/open~3/state").await.json();
    let edit = json!({ "op": "paint", "tiles": tiles, "free": false });
    assert_eq!(client.edit("open", edit).await.status, StatusCode::OK);
    let after = client.get("/api/maps/open~3/state").await.json();
    assert_ne!(before["version"], after["version"]);
    assert_ne!(before["walls"], after["walls"]);
    let grid = grown(&Grid::from_rows(&drawn).unwrap(), 3);
    assert_eq!(free(&client, "open~3").await, is_free(&grid));
    let wanted = oracle::distance(&grid, Tile::new(1, 1), Tile::new(15, 1));
    assert!(wanted.is_some());
    for engine in ["astar", "corners"] {
        assert_eq!(search(engine).await.json()["cost"].as_u64(), wanted, "{engine}");
    }
    assert_eq!(client.edit("open", json!({ "op": "undo" })).await.status, StatusCode::OK);
    assert_eq!(search("astar").await.json()["straight"], 14);

    let refused = |reply: &asking::Reply| {
        let message: Value = reply.json()["error"]["message"].clone();
        assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY, "{message}");
        assert!(message.as_str().unwrap().contains("size 1"), "{message}");
    };
    refused(
        &client.edit("open~3", json!({ "op": "paint", "tiles": [[1, 1]], "free": false })).await,
    );
    refused(&client.edit("open~3", json!({ "op": "decompose", "method": "water" })).await);
    let version = client.version("open~3").await;
    let save = json!({ "version": version, "what": "json" });
    refused(&client.post("/api/maps/open~3/save", save).await);
    refused(&client.ask("DELETE", "/api/maps/open~3", "").await);
    for id in ["open~", "open~0", "open~1", "open~5", "open~02", "open~2~2", "open~-2", "none~2"] {
        let reply = client.get(&format!("/api/maps/{id}/tiles")).await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND, "{id}");
    }
    let listed = client.get("/api/maps").await.json();
    let ids = listed["maps"].as_array().unwrap().iter().map(|map| map["id"].as_str().unwrap());
    assert!(ids.clone().any(|id| id == "open") && !ids.clone().any(|id| id.contains('~')));
}
