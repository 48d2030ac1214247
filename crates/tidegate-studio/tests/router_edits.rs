//! Painted walls: the index follows, engines stay usable, tables are built again in the
//! background, and every stroke can be taken back.

mod asking;

use std::time::Duration;

use asking::{Client, Reply};
use axum::http::StatusCode;
use serde_json::{Value, json};
use tidegate::grid::TileMap;
use tidegate::rng::Rng;
use tidegate::{Grid, Index, Movement, Tile};

const MAP: &str = "rts-256";

async fn about(client: &Client) -> Value {
    client.get(&format!("/api/maps/{MAP}")).await.json()
}

async fn paint(client: &Client, tiles: &[[u64; 2]], free: bool) -> Reply {
    client.edit(MAP, json!({ "op": "paint", "tiles": tiles, "free": free })).await
}

/// The map as it can be downloaded.
async fn grid(client: &Client) -> Grid {
    let map = client.get(&format!("/api/maps/{MAP}/map")).await;
    TileMap::parse(&map.body).unwrap().grid(Movement::default())
}

async fn build(client: &Client, engines: &[&str]) {
    for engine in engines {
        client.result(MAP, json!({ "kind": "build", "engine": engine })).await;
    }
}

/// Waits until nothing is left to be built again.
async fn settled(client: &Client) -> Value {
    loop {
        let state = client.get(&format!("/api/maps/{MAP}/state")).await.json();
        if state["background"]["pending"] == false {
            return state;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn states(facts: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let tables = facts["tables"].as_array().unwrap().iter();
    tables.map(|table| (text(&table["name"]), text(&table["state"]))).collect()
}

/// Every engine answers at once, and as A* does on the map as it is.
async fn all_answer(client: &Client, engines: &[&str]) {
    let facts = about(client).await;
    let ends = &facts["sample"];
    let tile =
        |end: &Value| Tile::new(end[0].as_u64().unwrap() as u16, end[1].as_u64().unwrap() as u16);
    let index = Index::new(grid(client).await);
    let path = index.path(tile(&ends["from"]), tile(&ends["to"]));
    let best = path.unwrap().map(|path| path.check(index.grid()).unwrap());
    for engine in engines {
        let ask = json!({ "engine": engine, "from": ends["from"], "to": ends["to"] });
        let reply = client.post(&format!("/api/maps/{MAP}/search"), ask).await;
        assert_eq!(reply.status, StatusCode::OK, "{engine} answers at once");
        let answer = reply.json();
        assert_eq!(answer["cost"].as_u64(), best, "{engine}: {answer}");
        assert!(answer["answered_by"].is_string());
    }
}

const ENGINES: [&str; 4] = ["jps", "corners", "gateway-consistent", "differential"];

#[tokio::test]
async fn a_stroke_repairs_tables_and_says_what_it_took() {
    let client = Client::new();
    build(&client, &ENGINES).await;
    let before = about(&client).await;
    let deep = before["zones"][0]["deepest"].as_array().unwrap();
    let (x, y) = (deep[0].as_u64().unwrap(), deep[1].as_u64().unwrap());
    let reply = paint(&client, &[[x, y], [x, y], [x + 1, y]], false).await;
    assert_eq!(reply.status, StatusCode::OK, "{:?}", reply.body);
    let answer = reply.json();
    let edit = &answer["edit"];
    assert_eq!((&edit["tiles"], &edit["revision"]), (&json!(2), &json!(1)), "{answer}");
    assert!(edit["micros"].as_f64().unwrap() > 0.0);
    for list in ["came", "went", "split", "merged", "gates_came", "gates_went"] {
        assert_eq!(edit[list], json!([]), "{list}: a wall inside a zone leaves zones");
    }
    let after = states(&answer);
    let state = |name: &str| &after.iter().find(|(table, _)| table == name).unwrap().1;
    assert_eq!(state("rows of bits"), "current", "{after:?}");
    assert_eq!(state("distances inside zones"), "bounds");
    assert_eq!(state("landmarks"), "bounds");
    assert_eq!(answer["background"]["pending"], true);
    all_answer(&client, &ENGINES).await;

    let state = settled(&client).await;
    assert!(states(&state).iter().all(|(_, state)| state == "current"), "{state}");
    assert_eq!(states(&state).len(), after.len(), "nothing got lost");
    assert!(state["background"]["round"].as_u64() >= Some(1));
    let built = state["background"]["built"].as_array().unwrap();
    assert!(built.contains(&json!("gateway-consistent")), "{built:?}");
    assert_eq!(state["version"], answer["version"], "no change for anyone who draws");
    all_answer(&client, &ENGINES).await;
}

#[tokio::test]
async fn zones_that_a_stroke_does_not_touch_keep_number_and_colour() {
    let client = Client::new();
    let looks = |facts: &Value| -> Vec<Value> {
        let zones = facts["zones"].as_array().unwrap().iter();
        zones.map(|zone| json!([zone["number"], zone["colour"], zone["area"]])).collect()
    };
    let before = about(&client).await;
    // A wall over a whole gate and beyond: two zones are parted.
    let gates = before["gate_list"].as_array().unwrap();
    let middle =
        |gate: &Value| (gate["middle"][0].as_u64().unwrap(), gate["middle"][1].as_u64().unwrap());
    // One that the stroke covers, as far from the others as can be.
    let away = |gate: &&Value| {
        let (x, y) = middle(gate);
        let others = gates.iter().filter(|other| other != gate).map(middle);
        others.map(|other| x.abs_diff(other.0).max(y.abs_diff(other.1))).min()
    };
    let narrow = |gate: &&Value| (3..9).contains(&gate["width"].as_u64().unwrap());
    let gate = gates.iter().filter(narrow).max_by_key(away).unwrap();
    let (x, y) = middle(gate);
    let square = |r: u64| -> Vec<[u64; 2]> {
        (x - r..=x + r).flat_map(|x| (y - r..=y + r).map(move |y| [x, y])).collect()
    };
    let shut = paint(&client, &square(5), false).await.json();
    assert_eq!(shut["edit"]["gates_went"], json!([gate["number"]]), "{shut}");
    let open = paint(&client, &square(5), true).await.json();
    let after = about(&client).await;
    let (old, new) = (looks(&before), looks(&after));
    let changed = old.iter().filter(|zone| !new.contains(zone)).count();
    assert!(changed <= 2, "only the zones beside the gate: {changed}; {open}");
    client.studio.check().unwrap();
}

#[tokio::test]
async fn strokes_while_tables_are_built_lose_nothing() {
    let client = Client::new();
    build(&client, &ENGINES).await;
    let tables = states(&about(&client).await).len();
    let mut rng = Rng::new(19);
    for round in 0..12 {
        let (x, y) = (20 + rng.below(210) as u64, 20 + rng.below(210) as u64);
        let tiles: Vec<[u64; 2]> = (0..6).map(|i| [x + i, y + i / 2]).collect();
        let reply = paint(&client, &tiles, rng.below(2) == 0).await;
        assert!(reply.status == StatusCode::OK || reply.code() == "refused", "{:?}", reply.body);
        all_answer(&client, &ENGINES).await;
        // Long enough now and then that building has begun when the next stroke comes.
        let pause = if round % 3 == 2 { 700 } else { 5 };
        tokio::time::sleep(Duration::from_millis(pause)).await;
        client.get(&format!("/api/maps/{MAP}/state")).await;
    }
    let state = settled(&client).await;
    assert_eq!(states(&state).len(), tables);
    assert!(states(&state).iter().all(|(_, state)| state == "current"), "{state}");
    all_answer(&client, &ENGINES).await;
    client.studio.check().unwrap();
}

/// Walls, zones, gates, numbers and colours, all that a person sees.
async fn seen(client: &Client) -> Vec<Value> {
    let facts = about(client).await;
    let map = client.get(&format!("/api/maps/{MAP}/map")).await;
    let zones = client.get(&format!("/api/maps/{MAP}/decomposition")).await;
    let text = |reply: Reply| String::from_utf8(reply.body.to_vec()).unwrap();
    vec![facts["zones"].clone(), facts["gate_list"].clone(), text(map).into(), text(zones).into()]
}

#[tokio::test]
async fn every_stroke_can_be_taken_back_and_made_again() {
    let client = Client::new();
    build(&client, &["jps", "gateway"]).await;
    let mut rng = Rng::new(7);
    let mut all = vec![seen(&client).await];
    while all.len() < 14 {
        let facts = about(&client).await;
        let gates = facts["gate_list"].as_array().unwrap();
        let near = &gates[rng.below(gates.len())]["middle"];
        let at = |i: usize| near[i].as_u64().unwrap();
        let (wide, high) = (1 + rng.below(9) as u64, 1 + rng.below(9) as u64);
        let (x, y) = (at(0).saturating_sub(wide / 2), at(1).saturating_sub(high / 2));
        let tiles: Vec<[u64; 2]> = (x..(x + wide).min(256))
            .flat_map(|x| (y..(y + high).min(256)).map(move |y| [x, y]))
            .collect();
        let reply = match rng.below(5) {
            0 => {
                client
                    .edit(MAP, json!({ "op": "remove_gate", "gate": rng.below(gates.len()) }))
                    .await
            }
            n => paint(&client, &tiles, n % 2 == 0).await,
        };
        if reply.status == StatusCode::OK {
            all.push(seen(&client).await);
        }
        client.studio.check().unwrap();
    }
    // More steps than states are kept, so inverse edits are made too; there and back and there.
    for step in 0..all.len() - 1 {
        let back = client.edit(MAP, json!({ "op": "undo" })).await;
        assert_eq!(back.status, StatusCode::OK, "{:?}", back.body);
        let wanted = &all[all.len() - 2 - step];
        assert!(seen(&client).await == *wanted, "step {step} back");
        client.studio.check().unwrap();
    }
    for (step, wanted) in all.iter().enumerate().skip(1) {
        client.edit(MAP, json!({ "op": "redo" })).await;
        assert!(seen(&client).await == *wanted, "step {step} forth");
    }
    settled(&client).await;
    all_answer(&client, &["jps", "gateway"]).await;
    assert!(client.edit(MAP, json!({ "op": "revert" })).await.status == StatusCode::OK);
    assert!(seen(&client).await == all[0]);
    all_answer(&client, &["jps", "gateway"]).await;
}

#[tokio::test]
async fn painted_work_outlives_a_studio_that_is_killed() {
    let (folder, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let first = Client::at(folder.path(), Some(state.path()));
    build(&first, &["gateway"]).await;
    for y in 40..60 {
        paint(&first, &[[100, y], [101, y]], y % 3 == 0).await;
    }
    let mine = seen(&first).await;
    drop(first);

    let second = Client::at(folder.path(), Some(state.path()));
    assert_eq!(about(&second).await["recovery"]["walls_differ"], true);
    let restored =
        second.post(&format!("/api/maps/{MAP}/recovery"), json!({ "version": 1 })).await.json();
    assert_eq!(restored["autosaved"], true, "{restored}");
    assert!(seen(&second).await == mine);
    let save = json!({ "version": 2, "what": "json" });
    assert_eq!(second.post(&format!("/api/maps/{MAP}/save"), save).await.status, StatusCode::OK);
    drop(second);

    let third = Client::at(folder.path(), Some(state.path()));
    let facts = about(&third).await;
    assert_eq!((&facts["dirty"], &facts["recovery"]), (&json!(false), &Value::Null));
    let [.., walls, zones] = &seen(&third).await[..] else { panic!() };
    assert_eq!((walls, zones), (&mine[2], &mine[3]), "saved walls and zones");
}

#[tokio::test]
async fn strokes_that_cannot_be_made_change_nothing() {
    let client = Client::new();
    about(&client).await;
    assert_eq!(paint(&client, &[[3, 3], [256, 3]], false).await.code(), "refused");
    assert_eq!(paint(&client, &[], false).await.code(), "refused");
    let many = vec![[3, 3]; 65_537];
    assert_eq!(paint(&client, &many, false).await.code(), "refused");
    let facts = about(&client).await;
    assert_eq!((&facts["version"], &facts["revision"]), (&json!(1), &json!(0)));
}
