//! Distances to a goal as the studio sends them, and paths around danger, against Dijkstra's
//! algorithm on the plain grid.

mod asking;

use asking::{Client, Reply};
use axum::http::StatusCode;
use serde_json::{Value, json};
use tidegate::cost::{Cost, Factor, STRAIGHT};
use tidegate::engine::Promise;
use tidegate::rng::Rng;
use tidegate::{Direction, Grid, Movement, Path, Tile};
use tidegate_testkit::{maps, oracle};

const MAPS: u64 = 40;

/// The map as a file of letters.
fn text(grid: &Grid) -> String {
    let letter = |x, y| if grid.is_free(Tile::new(x as u16, y as u16)) { '.' } else { '#' };
    let row = |y| (0..grid.width()).map(|x| letter(x, y)).chain(['\n']).collect::<String>();
    (0..grid.height()).map(row).collect()
}

/// The distance of every cell in units, and the number of its step.
fn read(reply: &Reply, tiles: usize) -> Vec<(u16, u8)> {
    let (distances, steps) = reply.body[16..].split_at(2 * tiles);
    let mut value = 0u16;
    let add = |(bytes, &step): (&[u8], &u8)| {
        value = value.wrapping_add(u16::from_le_bytes([bytes[0], bytes[1]]));
        (value, step)
    };
    distances.chunks_exact(2).zip(steps).map(add).collect()
}

/// Every distance is right, and every way is as long as its distance says.
fn check(grid: &Grid, costs: &Grid, goal: Tile, reply: &Reply) {
    let tiles = grid.tiles();
    assert_eq!(reply.status, StatusCode::OK, "{:?}", reply.body);
    assert_eq!((&reply.body[..4], reply.body.len()), (&b"TGFI"[..], 16 + 3 * tiles));
    let field = read(reply, tiles);
    let (unit, goal_cell) = (reply.number(4), grid.cell(goal).unwrap());
    assert_eq!(reply.number(12) as usize, goal_cell.index());
    let wanted = oracle::distances(costs, goal);
    let farthest = wanted.iter().flatten().max().copied().unwrap_or(0);
    assert_eq!(u64::from(reply.number(8)), farthest);
    for (cell, wanted) in wanted.iter().enumerate() {
        let (value, step) = field[cell];
        let Some(wanted) = *wanted else {
            assert_eq!((value, step), (u16::MAX, u8::MAX), "cell {cell}\n{}", text(grid));
            continue;
        };
        assert_eq!(u64::from(value), wanted / u64::from(unit), "cell {cell}\n{}", text(grid));
        let (mut at, mut sum) = (tidegate::CellId::from_index(cell), 0);
        while at != goal_cell {
            let direction = Direction::ALL[usize::from(field[at.index()].1)];
            let legal = costs.neighbours(at).find(|(_, way)| *way == direction);
            let (next, _) = legal.unwrap_or_else(|| panic!("{direction:?} from {at:?}"));
            sum += u64::from(costs.step_cost(at, next, direction).get());
            at = next;
        }
        assert_eq!(sum, wanted, "the way from cell {cell}\n{}", text(grid));
        assert_eq!(field[at.index()], (0, u8::MAX), "the goal has no step");
    }
}

/// Some discs of danger, and the map with what they add, worked out tile by tile.
fn danger(grid: &Grid, seed: u64) -> (Vec<(u16, u16, f64, f64)>, Grid) {
    let mut rng = Rng::new(seed ^ 77);
    let discs: Vec<(u16, u16, f64, f64)> = (0..1 + rng.below(4))
        .map(|_| {
            let (x, y) = (rng.below(grid.width() as usize), rng.below(grid.height() as usize));
            let (radius, more) = (rng.below(13) as f64 / 2.0, rng.below(900) as f64 / 100.0);
            (x as u16, y as u16, radius, more)
        })
        .collect();
    let factor = |cell: usize| {
        let tile = grid.tile(tidegate::CellId::from_index(cell));
        let reaches = |&&(x, y, radius, _): &&(u16, u16, f64, f64)| {
            let (dx, dy) = (f64::from(x) - f64::from(tile.x), f64::from(y) - f64::from(tile.y));
            dx * dx + dy * dy <= radius * radius
        };
        let more: f64 = discs.iter().filter(reaches).map(|disc| disc.3).sum();
        Factor::new(1.0 + more).unwrap()
    };
    let costs = grid.clone().with_factors((0..grid.tiles()).map(factor).collect());
    (discs, costs)
}

fn tile(pair: &Value) -> Tile {
    Tile::new(pair[0].as_u64().unwrap() as u16, pair[1].as_u64().unwrap() as u16)
}

/// Engines that go by costs answer what the oracle says; the others say why they do not.
#[tokio::test]
async fn paths_go_by_danger() {
    let client = Client::new();
    let (mut found, mut refused) = (0, 0);
    for (seed, movement) in (0..16).flat_map(|seed| Movement::ALL.map(|rule| (seed, rule))) {
        let grid = maps::small(seed, movement);
        let ends = maps::free_tiles(&grid, 2, &mut Rng::new(seed));
        let [from, to] = ends[..] else { continue };
        let path = format!("/api/maps?name=small.txt&movement={}", movement.name());
        let made = client.ask("POST", &path, text(&grid)).await.json();
        let base = format!("/api/maps/{}", made["id"].as_str().unwrap());
        let (discs, costs) = danger(&grid, seed);
        let is_empty = discs.iter().all(|disc| disc.3 == 0.0);
        for engine in tidegate_sectors::ENGINES {
            let ask = json!({ "engine": engine.name(), "from": [from.x, from.y],
                              "to": [to.x, to.y], "costs": discs });
            let reply = client.search(&format!("{base}/search"), ask.clone()).await;
            let name = engine.name();
            if !engine.info().respects_costs && !is_empty {
                assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY, "{name}");
                let why = reply.json()["error"]["message"].as_str().unwrap().to_owned();
                refused += usize::from(why.contains("cost layer"));
                continue;
            }
            let answer = reply.json();
            let wanted = oracle::distance(&costs, from, to);
            let cost = answer["cost"].as_u64();
            if engine.promise() == Promise::Optimal {
                assert_eq!(cost, wanted, "{name}, seed {seed}\n{}", text(&grid));
            }
            assert_eq!(cost.is_some(), wanted.is_some(), "{name}");
            let Some(cost) = cost else { continue };
            let tiles = answer["path"].as_array().unwrap().iter().map(tile).collect();
            let cost = Cost::try_from(cost).unwrap();
            Path::from_tiles(tiles).check_answer(&costs, from, to, cost).unwrap();
            let trace = client.search(&format!("{base}/trace"), ask).await;
            assert_eq!(&trace.body[..4], b"TGTR", "{name}");
            found += 1;
        }
        client.ask("DELETE", &base, "").await;
    }
    assert!(found > 100 && refused > 100, "{found} found, {refused} refused");
}

#[tokio::test]
async fn odd_danger_is_refused() {
    let client = Client::new();
    let about = client.get("/api/maps/harbour").await.json();
    let (from, to) = (&about["sample"]["from"], &about["sample"]["to"]);
    let many = vec![json!([1, 1, 2, 1]); 257];
    for (costs, status) in [
        (json!([[1, 1, 2]]), StatusCode::BAD_REQUEST),
        (json!([[1, -1, 2, 1]]), StatusCode::BAD_REQUEST),
        (json!([[1, 1, -2, 1]]), StatusCode::UNPROCESSABLE_ENTITY),
        (json!([[1, 1, 257, 1]]), StatusCode::UNPROCESSABLE_ENTITY),
        (json!([[1, 1, 2, -1]]), StatusCode::UNPROCESSABLE_ENTITY),
        (json!([[1, 1, 2, 656]]), StatusCode::UNPROCESSABLE_ENTITY),
        (json!(many), StatusCode::UNPROCESSABLE_ENTITY),
        (json!([[60000, 1, 2, 1]]), StatusCode::OK),
    ] {
        let ask = json!({ "engine": "astar", "from": from, "to": to, "costs": costs });
        let reply = client.post("/api/maps/harbour/search", ask).await;
        assert_eq!(reply.status, status, "{costs}: {:?}", reply.body);
    }
    for (costs, status) in [
        ("1,1,2", StatusCode::BAD_REQUEST),
        ("1,1,2,1,1", StatusCode::BAD_REQUEST),
        ("1,1,NaN,1", StatusCode::UNPROCESSABLE_ENTITY),
        ("1,1,2,inf", StatusCode::UNPROCESSABLE_ENTITY),
        (";", StatusCode::OK),
    ] {
        let goal = format!("{},{}", from[0], from[1]);
        let route = format!("/api/maps/harbour/field?goal={goal}&costs={costs}");
        assert_eq!(client.get(&route).await.status, status, "{costs}");
    }
}

#[tokio::test]
async fn fields_are_right_on_random_maps() {
    let client = Client::new();
    let mut asked = 0;
    let rules = |seed| Movement::ALL.map(|movement| (seed, movement));
    for (seed, movement) in (0..MAPS).flat_map(rules) {
        let grid = maps::small(seed, movement);
        let goals = maps::free_tiles(&grid, 2, &mut Rng::new(seed));
        if goals.is_empty() {
            continue;
        }
        let path = format!("/api/maps?name=small.txt&movement={}", movement.name());
        let made = client.ask("POST", &path, text(&grid)).await;
        assert_eq!(made.status, StatusCode::CREATED, "{:?}", made.body);
        let id = made.json()["id"].as_str().unwrap().to_owned();
        for goal in goals {
            let route = format!("/api/maps/{id}/field?goal={},{}", goal.x, goal.y);
            check(&grid, &grid, goal, &client.get(&route).await);
            let (discs, costs) = danger(&grid, seed);
            let written: Vec<String> = discs
                .iter()
                .map(|(x, y, radius, more)| format!("{x},{y},{radius},{more}"))
                .collect();
            let route = format!("{route}&costs={}", written.join(";"));
            check(&grid, &costs, goal, &client.get(&route).await);
            asked += 2;
        }
        let gone = client.ask("DELETE", &format!("/api/maps/{id}"), "").await;
        assert_eq!(gone.status, StatusCode::NO_CONTENT);
    }
    assert!(asked > 8 * MAPS, "{asked} fields");
}

/// A corridor so long that a tenth of a tile does not count it: the unit grows.
#[tokio::test]
async fn far_goals_are_told_in_larger_units() {
    let client = Client::new();
    let rows: Vec<String> = (0..257)
        .map(|y| match y % 4 {
            0 | 2 => ".".repeat(64),
            1 => format!("{}.", "#".repeat(63)),
            _ => format!(".{}", "#".repeat(63)),
        })
        .collect();
    let map = rows.join("\n");
    client.ask("POST", "/api/maps?name=snake.txt", map).await;
    let reply = client.get("/api/maps/snake/field?goal=0,0").await;
    let grid = Grid::from_rows(&rows).unwrap();
    check(&grid, &grid, Tile::new(0, 0), &reply);
    assert!(reply.number(8) > 8000 * STRAIGHT.get(), "{}", reply.number(8));
    assert!(reply.number(4) > STRAIGHT.get() / 10, "{}", reply.number(4));
}

#[tokio::test]
async fn odd_goals_are_refused() {
    let client = Client::new();
    let field = |query: &str| format!("/api/maps/harbour/field{query}");
    for (query, status) in [
        ("", StatusCode::BAD_REQUEST),
        ("?goal=", StatusCode::BAD_REQUEST),
        ("?goal=1", StatusCode::BAD_REQUEST),
        ("?goal=-1,0", StatusCode::BAD_REQUEST),
        ("?goal=65535,65535", StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let reply = client.get(&field(query)).await;
        assert_eq!(reply.status, status, "{query}: {:?}", reply.body);
    }
    assert_eq!(client.get("/api/maps/none/field?goal=1,1").await.status, StatusCode::NOT_FOUND);
}
