//! What the studio answers, checked against the library.

mod asking;

use asking::Client;
use axum::http::StatusCode;
use serde_json::{Value, json};
use tidegate::cost::Cost;
use tidegate::decompose::Place;
use tidegate::grid::TileMap;
use tidegate::{CellId, Decomposition, Grid, Movement, Path, Tile};

fn bundled(name: &str) -> Grid {
    let found = tidegate_bench::suite::bundled().iter().find(|(n, ..)| *n == name).unwrap();
    TileMap::parse(found.1).unwrap().grid(Movement::default())
}

#[tokio::test]
async fn layers_are_those_of_the_library() {
    let client = Client::new();
    let grid = bundled("rooms-200x150");
    let parts = Decomposition::water(&grid, &Default::default());
    let base = "/api/maps/rooms-200x150";

    let tiles = client.get(&format!("{base}/tiles")).await;
    assert_eq!(&tiles.body[..4], b"TGTI");
    assert_eq!((tiles.number(4), tiles.number(8)), (200, 150));
    assert_eq!(tiles.number(12) as usize, grid.free_tiles());
    let free = |i: usize| tiles.body[16 + i / 8] >> (i % 8) & 1 == 1;
    assert!((0..grid.tiles()).all(|i| free(i) == grid.is_free_cell(CellId::from_index(i))));
    assert_eq!(tiles.headers["x-tidegate-version"], "1");

    let zones = client.get(&format!("{base}/zones")).await;
    let (count, gates) = (parts.zones().len(), parts.gates().len());
    assert_eq!(&zones.body[..4], b"TGZO");
    assert_eq!(
        [zones.number(4), zones.number(8), zones.number(12)],
        [2, count as u32, gates as u32]
    );
    for i in 0..grid.tiles() {
        let code = u16::from_le_bytes([zones.body[16 + 2 * i], zones.body[17 + 2 * i]]);
        let wanted = match parts.place(CellId::from_index(i)) {
            Place::Wall => 0,
            Place::Zone(zone) => zone.index() + 1,
            Place::Gate(gate) => count + gate.index() + 1,
        };
        assert_eq!(usize::from(code), wanted, "tile {i}");
    }

    let depth = client.get(&format!("{base}/depth")).await;
    assert_eq!(depth.body.len(), 16 + 2 * grid.tiles());
    let water = client.get(&format!("{base}/water")).await;
    let stages = tidegate::decompose::WaterStages::new(&grid, &Default::default());
    assert_eq!(water.number(4), u32::from(stages.depth.max_level()));
    assert_eq!(water.number(8), stages.water.lakes());
    let (n, bytes) = (grid.tiles(), water.number(12) as usize);
    assert_eq!(water.body.len(), 16 + n.next_multiple_of(4) + n * bytes + n.div_ceil(8));
    assert_eq!(&water.body[16..16 + n], stages.depth.levels());
}

#[tokio::test]
async fn all_engines_answer_and_are_traced() {
    let client = Client::new();
    let grid = bundled("harbour");
    let about = client.get("/api/maps/harbour").await.json();
    let (from, to) = (about["sample"]["from"].clone(), about["sample"]["to"].clone());
    let mut lengths = Vec::new();
    for engine in tidegate_sectors::ENGINES {
        let ask = json!({ "engine": engine.name(), "from": from, "to": to });
        let reply = client.search("/api/maps/harbour/search", ask.clone()).await;
        assert_eq!(reply.status, StatusCode::OK, "{}: {:?}", engine.name(), reply.body);
        let answer = reply.json();
        assert_eq!(answer["status"], "found", "{}", engine.name());
        let tiles = answer["path"].as_array().unwrap().iter();
        let tile = |pair: &Value| {
            Tile::new(pair[0].as_u64().unwrap() as u16, pair[1].as_u64().unwrap() as u16)
        };
        let path = Path::from_tiles(tiles.map(tile).collect());
        let cost = Cost::try_from(answer["cost"].as_u64().unwrap()).unwrap();
        path.check_answer(&grid, tile(&from), tile(&to), cost).unwrap();
        if answer["promise"] == "optimal" {
            lengths.push(cost);
        }
        let walk = path.straightened(&grid).unwrap();
        let waypoints = answer["waypoints"].as_array().unwrap();
        assert_eq!(waypoints.iter().map(tile).collect::<Vec<_>>(), walk.tiles());
        assert!(answer["walk"].as_f64().unwrap() <= answer["length"].as_f64().unwrap());
        let trace = client.search("/api/maps/harbour/trace", ask.clone()).await;
        assert_eq!(&trace.body[..4], b"TGTR");
        let events = trace.number(4) as usize;
        assert_eq!(trace.body.len(), 32 + 16 * events);
        let kinds: Vec<u32> = (0..events).map(|i| trace.number(32 + 16 * i) >> 28).collect();
        let expanded = kinds.iter().filter(|&&k| k == 1 || k == 2).count() as u64;
        if engine.name() == "astar" {
            assert_eq!(expanded, answer["expanded"].as_u64().unwrap());
        }
        assert!(kinds.iter().all(|&k| k < 4));
        let is_hpa = engine.name().starts_with("hpa");
        assert_eq!(answer["hpa"].is_object(), is_hpa, "{}", engine.name());
        let has_sectors = ["dsma", "maat", "maat-zones"].contains(&engine.name());
        assert_eq!(answer["sectors"].is_object(), has_sectors, "{}", engine.name());
        let posthoc = client.search("/api/maps/harbour/posthoc", ask).await.json();
        assert_eq!(posthoc["version"], "1.4.0");
    }
    assert!(lengths.windows(2).all(|pair| pair[0] == pair[1]), "{lengths:?}");
}

/// A long search is cut, and file and headers say so; a short one is whole.
#[tokio::test]
async fn a_cut_trace_for_posthoc_says_so() {
    let client = Client::new();
    let count = |answer: &asking::Reply, name: &str| -> u64 {
        answer.headers[name].to_str().unwrap().parse().unwrap()
    };
    let ask = json!({ "engine": "astar", "from": [465, 101], "to": [103, 495] });
    let long = client.search("/api/maps/rts-512/posthoc", ask).await;
    let (kept, all) = (count(&long, "x-tidegate-events"), count(&long, "x-tidegate-all-events"));
    assert_eq!(kept, 200_000);
    assert!(all > kept, "{all}");
    let file = long.json();
    assert_eq!(file["cut"], json!({ "written": kept, "of": all }));
    assert_eq!(file["events"].as_array().unwrap().last().unwrap()["type"], "cut");

    let ask = json!({ "engine": "astar", "from": [465, 101], "to": [465, 102] });
    let short = client.search("/api/maps/rts-512/posthoc", ask).await;
    assert_eq!(count(&short, "x-tidegate-events"), count(&short, "x-tidegate-all-events"));
    assert_eq!(short.json()["cut"], Value::Null);
}

#[tokio::test]
async fn overlays_and_inspectors_tell_what_is_there() {
    let client = Client::new();
    let base = "/api/maps/rts-256";
    let about = client.get(base).await.json();
    for engine in ["hpa", "hpa-paper", "dsma", "maat", "maat-zones"] {
        client.result("rts-256", json!({ "kind": "build", "engine": engine })).await;
    }
    let hpa = client.get(&format!("{base}/hpa?engine=hpa")).await.json();
    let level = &hpa["levels"][0];
    let nodes = level["nodes"].as_array().unwrap();
    assert!(!nodes.is_empty() && !level["inter"].as_array().unwrap().is_empty());
    for engine in ["dsma", "maat", "maat-zones"] {
        let sectors = client.get(&format!("{base}/sectors?engine={engine}")).await.json();
        let list = sectors["sectors"].as_array().unwrap();
        assert!(list.iter().all(|s| s["polygons"][0].as_array().unwrap().len() >= 3), "{engine}");
    }
    let regions = client.get(&format!("{base}/regions")).await.json();
    assert!(!regions["edges"].as_array().unwrap().is_empty());
    let zones = about["zones"].as_array().unwrap();
    for (i, zone) in zones.iter().enumerate() {
        let more = client.get(&format!("{base}/zones/{i}")).await.json();
        assert_eq!(more["area"], zone["area"]);
        assert!(more["outline"].as_array().unwrap().len() >= 4);
        for other in more["neighbours"].as_array().unwrap() {
            let other = &zones[other["zone"].as_u64().unwrap() as usize];
            assert_ne!(other["colour"], zone["colour"], "neighbours differ");
        }
    }
    let gate = client.get(&format!("{base}/gates/0")).await.json();
    assert!(gate["bridge"].is_boolean());
    for far in gate["distances"].as_array().unwrap() {
        assert!(far["length"].as_f64().unwrap() > 0.0);
    }
    let deepest = &zones[0]["deepest"];
    let tile = client.get(&format!("{base}/tile?x={}&y={}", deepest[0], deepest[1])).await.json();
    assert_eq!((&tile["place"], &tile["zone"]), (&json!("zone"), &json!(0)));
    assert_eq!(tile["altitude"], zones[0]["altitude"]);
    let to = &zones[zones.len() - 1]["deepest"];
    let ends = format!("from={},{}&to={},{}", deepest[0], deepest[1], to[0], to[1]);
    let route = client.get(&format!("{base}/route?{ends}")).await.json();
    assert!(route["gates"].is_array());
    let svg = client.get(&format!("{base}/svg?labels=true&path=1,1;5,5;9,5")).await;
    let svg = String::from_utf8(svg.body.to_vec()).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("<polyline"));
}

/// A picture carries the numbers that the studio shows, not the library's ids, which an edit shifts.
#[tokio::test]
async fn pictures_have_the_numbers_that_are_shown() {
    let client = Client::new();
    let base = "/api/maps/rts-256";
    assert_eq!(client.edit("rts-256", json!({ "op": "remove_gate", "gate": 0 })).await.status, 200);
    let about = client.get(base).await.json();
    let svg = client.get(&format!("{base}/svg?labels=true")).await;
    let svg = String::from_utf8(svg.body.to_vec()).unwrap();
    for (list, what) in [("zones", "zone"), ("gate_list", "gate")] {
        let listed = about[list].as_array().unwrap().iter().map(|one| one["number"].as_u64());
        let listed: Vec<u64> = listed.map(Option::unwrap).collect();
        let title = format!("<title>{what} ");
        let titles = svg.split(title.as_str()).skip(1);
        let drawn: Vec<u64> =
            titles.map(|rest| rest.split_once(':').unwrap().0.parse().unwrap()).collect();
        assert_eq!(drawn, listed, "{what}");
        assert!(!listed.iter().copied().eq(0..listed.len() as u64), "{what}: the ids themselves");
        let texts = listed.iter().filter(|number| svg.contains(&format!(">{number}</text>")));
        assert_eq!(texts.count(), listed.len(), "{what}");
    }
}

#[tokio::test]
async fn edits_raise_the_version_and_can_be_taken_back() {
    let client = Client::new();
    let map = "rts-256";
    let zones_file = || async { client.get(&format!("/api/maps/{map}/decomposition")).await.body };
    let as_opened = zones_file().await;
    let about = client.get(&format!("/api/maps/{map}")).await.json();
    assert_eq!((&about["version"], &about["dirty"]), (&json!(1), &json!(false)));

    let dry = client.edit(map, json!({ "op": "remove_gate", "gate": 0, "dry": true })).await;
    assert_eq!((dry.status, dry.json()["version"].as_u64()), (StatusCode::OK, Some(1)));
    let refused = client.edit(map, json!({ "op": "remove_gate", "gate": 9999, "dry": true })).await;
    assert!(refused.json()["refused"].is_string());
    let refused = client.edit(map, json!({ "op": "remove_gate", "gate": 9999 })).await;
    assert_eq!(refused.code(), "refused");
    assert_eq!(client.edit(map, json!({ "op": "undo" })).await.code(), "nothing");

    let mut files = vec![as_opened.clone()];
    for i in 0..6 {
        let now = client.get(&format!("/api/maps/{map}")).await.json();
        let between = &now["gate_list"][3]["zones"];
        let edit = match i {
            0 => json!({ "op": "remove_gate", "gate": 0 }),
            1 => json!({ "op": "split_zone", "zone": 0 }),
            2 => json!({ "op": "merge_zones", "a": between[0], "b": between[1] }),
            3 => json!({ "op": "decompose", "method": "rooms" }),
            4 => json!({ "op": "paint", "tiles": stroke(&about), "free": false }),
            _ => json!({ "op": "revert" }),
        };
        let reply = client.edit(map, edit.clone()).await;
        assert_eq!(reply.status, StatusCode::OK, "{edit}: {:?}", reply.body);
        assert_eq!(reply.json()["version"], i + 2);
        assert_eq!(reply.json()["undo"], i + 1);
        client.studio.check().unwrap();
        files.push(zones_file().await);
    }
    assert_eq!(files.last(), files.first(), "reverted");
    assert_eq!(client.get(&format!("/api/maps/{map}/state")).await.json()["dirty"], false);
    for file in files.iter().rev().skip(1) {
        assert_eq!(client.edit(map, json!({ "op": "undo" })).await.status, StatusCode::OK);
        assert_eq!(zones_file().await, file);
        client.studio.check().unwrap();
    }
    for file in &files[1..] {
        assert_eq!(client.edit(map, json!({ "op": "redo" })).await.status, StatusCode::OK);
        assert_eq!(zones_file().await, file);
    }
    assert_eq!(client.edit(map, json!({ "op": "redo" })).await.code(), "nothing");
}

/// The tiles of the first gate and those around it.
fn stroke(about: &Value) -> Vec<[u64; 2]> {
    let middle = &about["gate_list"][1]["middle"];
    let (x, y) = (middle[0].as_u64().unwrap(), middle[1].as_u64().unwrap());
    (x - 1..=x + 1).flat_map(|x| (y - 1..=y + 1).map(move |y| [x, y])).collect()
}

#[tokio::test]
async fn a_gate_is_drawn_dragged_and_seen_in_searches() {
    let client = Client::new();
    let map: String = ["....................\n"; 9].concat();
    let made = client.ask("POST", "/api/maps?name=open.txt", map).await;
    assert_eq!((made.status, made.json()["id"].as_str()), (StatusCode::CREATED, Some("open")));
    let draw = json!({ "op": "add_gate", "from": [9, 1], "to": [10, 7] });
    let drawn = client.edit("open", draw).await.json();
    assert_eq!(drawn["gate"]["a"][1], 0, "grown to the walls: {drawn}");
    assert_eq!(drawn["gate"]["b"][1], 8);
    assert_eq!((&drawn["zones"], &drawn["gate"]["source"]), (&json!(2), &json!("manual")));
    let ask = json!({ "engine": "gateway", "from": [0, 4], "to": [19, 4] });
    let answer = client.search("/api/maps/open/search", ask.clone()).await.json();
    assert_eq!(answer["gates"], json!([0]));
    let dragged =
        client.edit("open", json!({ "op": "move_end", "gate": 0, "end": "b", "to": [9, 5] }));
    assert_eq!(dragged.await.json()["gate"]["b"][1], 5);
    let wall: Vec<[u16; 2]> = (0..9).map(|y| [15, y]).collect();
    let painted = client.edit("open", json!({ "op": "paint", "tiles": wall, "free": false })).await;
    assert_eq!(painted.status, StatusCode::OK, "{:?}", painted.body);
    let answer = client.search("/api/maps/open/search", ask).await.json();
    assert_eq!(answer["status"], "unreachable");
    client.studio.check().unwrap();
    assert_eq!(client.ask("DELETE", "/api/maps/open", "").await.status, StatusCode::NO_CONTENT);
    assert_eq!(client.get("/api/maps/open").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn two_pages_cannot_overwrite_each_other() {
    let client = Client::new();
    let path = "/api/maps/harbour/edit";
    let edit = |version: u64, op: Value| {
        let mut edit = op;
        edit["version"] = json!(version);
        client.post(path, edit)
    };
    client.get("/api/maps/harbour").await;
    let first = edit(1, json!({ "op": "split_zone", "zone": 0 })).await;
    assert_eq!(first.status, StatusCode::OK, "{:?}", first.body);
    let second = edit(1, json!({ "op": "split_zone", "zone": 1 })).await;
    assert_eq!((second.status, second.code().as_str()), (StatusCode::CONFLICT, "stale"));
    assert_eq!(second.json()["error"]["version"], 2);
    assert_eq!(client.version("harbour").await, 2);
    let together = tokio::join!(
        edit(2, json!({ "op": "undo" })),
        edit(2, json!({ "op": "split_zone", "zone": 0 }))
    );
    let done = [together.0.status, together.1.status];
    assert!(done.contains(&StatusCode::OK) && done.contains(&StatusCode::CONFLICT), "{done:?}");
    assert_eq!(client.version("harbour").await, 3);
}

#[tokio::test]
async fn work_is_saved_and_loaded() {
    let client = Client::new();
    let map = "harbour";
    client.get("/api/maps/harbour").await;
    let edited = client.edit(map, json!({ "op": "split_zone", "zone": 0 })).await.json();
    assert_eq!(edited["dirty"], true);
    let path = "/api/maps/harbour/save";
    assert_eq!(client.post(path, json!({ "version": 1, "what": "json" })).await.code(), "stale");
    let saved = client.post(path, json!({ "version": 2, "what": "json" })).await.json();
    assert_eq!(saved["dirty"], false);
    let file = client.folder.path().join("harbour.zones.json");
    assert_eq!(saved["file"], file.display().to_string());
    let text = std::fs::read_to_string(&file).unwrap();
    let grid = bundled(map);
    let parts = Decomposition::from_json(&grid, &text).unwrap();
    assert_eq!(parts.gates().len() as u64, edited["gate_count"].as_u64().unwrap());

    client.edit(map, json!({ "op": "undo" })).await;
    assert_eq!(client.get("/api/maps/harbour/state").await.json()["dirty"], true);
    let loaded = client.ask("POST", "/api/maps/harbour/load?version=3", text).await;
    assert_eq!(loaded.json()["gate_count"], edited["gate_count"]);
    let bad = client.ask("POST", "/api/maps/harbour/load?version=4", "{}").await;
    assert_eq!(bad.code(), "refused");

    let order = json!({ "kind": "tide", "engines": ["gateway", "jps"], "save": true });
    let tide = client.result(map, order).await;
    let bytes = std::fs::read(client.folder.path().join("harbour.tide")).unwrap();
    assert_eq!(tide["bytes"], bytes.len());
    let loaded = client.ask("POST", "/api/maps/harbour/load?version=4", bytes.clone()).await;
    assert_eq!(loaded.code(), "refused", "the same zones change nothing: {:?}", loaded.body);
    let uploaded = client.ask("POST", "/api/maps?name=kept.tide", bytes).await.json();
    let about = client.get(&format!("/api/maps/{}", uploaded["id"].as_str().unwrap())).await.json();
    let ready = about["engines"].as_array().unwrap().iter().filter(|e| e["ready"] == true);
    let ready: Vec<&str> = ready.map(|e| e["name"].as_str().unwrap()).collect();
    assert!(ready.contains(&"gateway") && ready.contains(&"jps"), "{ready:?}");
    let left = std::fs::read_dir(client.folder.path()).unwrap().count();
    assert_eq!(left, 2, "no temporary files are left");
}

/// A map is measured before anything is built of it, and so are all uploads together.
#[tokio::test]
async fn uploads_have_so_many_tiles_at_most() {
    let client = Client::new();
    let walls = |side: u32| {
        let map = Grid::from_fn(side, side, Movement::default(), |x, _| x == 0).unwrap();
        tidegate::Index::new(map).to_bytes()
    };
    let refused = client.ask("POST", "/api/maps?name=large.tide", walls(4097)).await;
    assert_eq!(refused.code(), "refused", "{:?}", refused.body);
    let largest = walls(4096);
    let mut ids = Vec::new();
    for _ in 0..4 {
        let uploaded = client.ask("POST", "/api/maps?name=large.tide", largest.clone()).await;
        ids.push(uploaded.json()["id"].as_str().unwrap().to_owned());
    }
    let busy = client.ask("POST", "/api/maps?name=small.txt", "..\n..\n").await;
    assert_eq!(busy.code(), "busy", "{:?}", busy.body);
    client.ask("DELETE", &format!("/api/maps/{}", ids[0]), "").await;
    let fits = client.ask("POST", "/api/maps?name=small.txt", "..\n..\n").await;
    assert_eq!(fits.status, StatusCode::CREATED);
}

/// Pockets are zones that say so, and counts of zones leave them out.
#[tokio::test]
async fn pockets_are_told_apart() {
    let client = Client::new();
    let mut map = "type octile\nheight 20\nwidth 20\nmap\n".to_string();
    let wall = |x: u32, y: u32| (3..=5).contains(&x) && (3..=5).contains(&y) && (x, y) != (4, 4);
    for y in 0..20 {
        map.extend((0..20).map(|x| if wall(x, y) { '@' } else { '.' }).chain(['\n']));
    }
    let uploaded = client.ask("POST", "/api/maps?name=hut.map", map).await.json();
    let about = client.get(&format!("/api/maps/{}", uploaded["id"].as_str().unwrap())).await.json();
    let zones = about["zones"].as_array().unwrap().iter();
    let found: Vec<_> = zones.map(|zone| (zone["area"].clone(), zone["pocket"].clone())).collect();
    assert_eq!(found, [(json!(391), json!(false)), (json!(1), json!(true))]);
}

#[tokio::test]
async fn a_save_that_fails_says_so_and_loses_nothing() {
    let client = Client::new();
    client.get("/api/maps/harbour").await;
    client.edit("harbour", json!({ "op": "split_zone", "zone": 0 })).await;
    // A folder stands where the file should be.
    std::fs::create_dir(client.folder.path().join("harbour.zones.json")).unwrap();
    let save = json!({ "version": 2, "what": "json" });
    let reply = client.post("/api/maps/harbour/save", save).await;
    assert_eq!(reply.code(), "refused", "{:?}", reply.body);
    assert_eq!(client.get("/api/maps/harbour/state").await.json()["dirty"], true);
}

#[tokio::test]
async fn problems_are_judged_and_sampled() {
    let client = Client::new();
    let map = "rooms-200x150";
    let problems = client.get(&format!("/api/maps/{map}/problems")).await.json();
    let count = problems["problems"].as_array().unwrap().len();
    let judged = client.result(map, json!({ "kind": "judge", "engine": "gateway" })).await;
    assert_eq!(judged["rows"].as_array().unwrap().len(), count);
    assert_eq!((&judged["optimal"], &judged["wrong"]), (&json!(count), &json!(0)));
    let hpa = client.result(map, json!({ "kind": "judge", "engine": "hpa", "every": 4 })).await;
    assert_eq!(hpa["rows"].as_array().unwrap().len(), count.div_ceil(4));
    assert_eq!(hpa["wrong"], 0);

    let order =
        json!({ "kind": "samples", "engine": "gateway", "against": "previous", "count": 20 });
    let same = client.result(map, order.clone()).await;
    assert_eq!((&same["same"], &same["better"]), (&json!(20), &json!(0)));
    // One gate after the other, until one matters to these problems.
    let mut removed = same;
    for gate in 0..12 {
        client.edit(map, json!({ "op": "remove_gate", "gate": gate })).await;
        removed = client.result(map, order.clone()).await;
        if removed["before"]["expanded"] != removed["after"]["expanded"] {
            break;
        }
    }
    let (before, after) = (&removed["before"]["expanded"], &removed["after"]["expanded"]);
    assert_ne!(before, after);
    client.edit(map, json!({ "op": "undo" })).await;
    client.edit(map, json!({ "op": "redo" })).await;
    let again = client.result(map, order).await;
    assert_eq!((before, after), (&again["before"]["expanded"], &again["after"]["expanded"]));

    let made =
        client.ask("POST", &format!("/api/maps/{map}/problems?generate=12&seed=3"), "").await;
    assert_eq!(made.json()["problems"], 12);
    let bad = client.ask("POST", &format!("/api/maps/{map}/problems"), "version 1\nnonsense").await;
    assert_eq!(bad.code(), "refused");
}

#[tokio::test]
async fn jobs_can_be_cancelled() {
    let client = Client::new();
    let order = json!({ "kind": "judge", "engine": "astar" });
    let started = client.post("/api/maps/rts-512/jobs", order).await.json();
    let number = started["job"].as_u64().unwrap();
    let gone = client.ask("DELETE", &format!("/api/jobs/{number}"), "").await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT);
    assert_eq!(client.job(number).await["state"], "cancelled");
    assert_eq!(client.get("/api/maps/rts-512/state").await.json()["jobs"], json!([]));
    assert_eq!(client.get(&format!("/api/jobs/{number}/file")).await.code(), "not_found");
}

#[tokio::test]
async fn a_budget_ends_a_search() {
    let client = Client::new();
    let about = client.get("/api/maps/rts-512").await.json();
    let (from, to) = (&about["sample"]["from"], &about["sample"]["to"]);
    let ask = json!({ "engine": "astar", "from": from, "to": to, "budget": 10 });
    let answer = client.search("/api/maps/rts-512/search", ask).await.json();
    assert_eq!((&answer["status"], &answer["expanded"]), (&json!("stopped"), &json!(10)));
}
