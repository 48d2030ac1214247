//! Distances to a goal as the studio sends them, against Dijkstra's algorithm on the plain grid.

mod asking;

use asking::{Client, Reply};
use axum::http::StatusCode;
use tidegate::cost::STRAIGHT;
use tidegate::rng::Rng;
use tidegate::{Direction, Grid, Movement, Tile};
use tidegate_testkit::{maps, oracle};

const MAPS: u64 = 40;

/// The map as a file of letters.
fn text(grid: &Grid) -> String {
    let letter = |x, y| if grid.is_free(Tile::new(x as u16, y as u16)) { '.' } else { '#' };
    let row = |y| (0..grid.width()).map(|x| letter(x, y)).chain(['\n']).collect::<String>();
    (0..grid.height()).map(row).collect()
}

/// The distance of a cell in units, and the number of its step.
fn read(reply: &Reply, cell: usize, tiles: usize) -> (u16, u8) {
    let at = 16 + 2 * cell;
    let value = u16::from_le_bytes([reply.body[at], reply.body[at + 1]]);
    (value, reply.body[16 + 2 * tiles + cell])
}

/// Every distance is right, and every way is as long as its distance says.
fn check(grid: &Grid, costs: &Grid, goal: Tile, reply: &Reply) {
    let tiles = grid.tiles();
    assert_eq!(reply.status, StatusCode::OK, "{:?}", reply.body);
    assert_eq!((&reply.body[..4], reply.body.len()), (&b"TGFI"[..], 16 + 3 * tiles));
    let (unit, goal_cell) = (reply.number(4), grid.cell(goal).unwrap());
    assert_eq!(reply.number(12) as usize, goal_cell.index());
    let wanted = oracle::distances(costs, goal);
    let farthest = wanted.iter().flatten().max().copied().unwrap_or(0);
    assert_eq!(u64::from(reply.number(8)), farthest);
    for (cell, wanted) in wanted.iter().enumerate() {
        let (value, step) = read(reply, cell, tiles);
        let Some(wanted) = *wanted else {
            assert_eq!((value, step), (u16::MAX, u8::MAX), "cell {cell}\n{}", text(grid));
            continue;
        };
        assert_eq!(u64::from(value), wanted / u64::from(unit), "cell {cell}\n{}", text(grid));
        let (mut at, mut sum) = (tidegate::CellId::from_index(cell), 0);
        while at != goal_cell {
            let direction = Direction::ALL[usize::from(read(reply, at.index(), tiles).1)];
            let legal = costs.neighbours(at).find(|(_, way)| *way == direction);
            let (next, _) = legal.unwrap_or_else(|| panic!("{direction:?} from {at:?}"));
            sum += u64::from(costs.step_cost(at, next, direction).get());
            at = next;
        }
        assert_eq!(sum, wanted, "the way from cell {cell}\n{}", text(grid));
        assert_eq!(read(reply, at.index(), tiles), (0, u8::MAX), "the goal has no step");
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
            asked += 1;
        }
        let gone = client.ask("DELETE", &format!("/api/maps/{id}"), "").await;
        assert_eq!(gone.status, StatusCode::NO_CONTENT);
    }
    assert!(asked > 3 * MAPS, "{asked} fields");
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
