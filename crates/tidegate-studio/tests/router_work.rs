//! Saved and unsaved work over restarts: what is loaded, what is asked, what is never lost.

mod asking;

use std::fs;
use std::path::PathBuf;

use asking::Client;
use axum::http::StatusCode;
use serde_json::{Value, json};

const MAP: &str = "/api/maps/harbour";

/// The folders of a studio that is started again and again.
struct Folders {
    folder: tempfile::TempDir,
    state: tempfile::TempDir,
}

impl Folders {
    fn new() -> Folders {
        Folders { folder: tempfile::tempdir().unwrap(), state: tempfile::tempdir().unwrap() }
    }

    /// A studio that starts here. One that was dropped before is gone as if killed: nothing is
    /// written when it goes.
    fn start(&self) -> Client {
        Client::at(self.folder.path(), Some(self.state.path()))
    }

    fn zones_file(&self) -> PathBuf {
        self.folder.path().join("harbour.zones.json")
    }

    /// Files of kept work.
    fn kept(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(self.state.path()).unwrap().flatten().map(|file| file.path());
        files.filter(|path| path.extension().is_some_and(|end| end == "json")).collect()
    }
}

async fn about(client: &Client) -> Value {
    client.get(MAP).await.json()
}

async fn zones(client: &Client) -> Vec<u8> {
    client.get(&format!("{MAP}/decomposition")).await.body.to_vec()
}

async fn split(client: &Client) -> Value {
    let reply = client.edit("harbour", json!({ "op": "split_zone", "zone": 0 })).await;
    assert_eq!(reply.status, StatusCode::OK, "{:?}", reply.body);
    reply.json()
}

async fn save(client: &Client, replace: bool) -> asking::Reply {
    let version = client.version("harbour").await;
    let order = json!({ "version": version, "what": "json", "replace": replace });
    client.post(&format!("{MAP}/save"), order).await
}

#[tokio::test]
async fn saved_work_is_loaded_at_the_next_start() {
    let place = Folders::new();
    let first = place.start();
    assert_eq!(about(&first).await["saved"], json!({ "loaded": null, "unfit": null }));
    let written = fs::read_dir(place.folder.path()).unwrap().count() + place.kept().len();
    assert_eq!(written, 0, "looking writes nothing");
    split(&first).await;
    let mine = zones(&first).await;
    assert_eq!(save(&first, false).await.status, StatusCode::OK);
    drop(first);

    let second = place.start();
    let facts = about(&second).await;
    assert_eq!(zones(&second).await, mine, "what was saved is what is shown");
    let loaded = &facts["saved"]["loaded"];
    assert_eq!(loaded["files"], json!([place.zones_file().display().to_string()]));
    assert_eq!(loaded["zones"], facts["zones"].as_array().unwrap().len());
    assert_eq!((&facts["dirty"], &facts["version"]), (&json!(false), &json!(1)));
    assert_eq!(facts["recovery"], Value::Null);

    // The file was loaded here, so saving over it asks nothing; nor does saving again.
    split(&second).await;
    assert_eq!(save(&second, false).await.status, StatusCode::OK);
    second.edit("harbour", json!({ "op": "undo" })).await;
    assert_eq!(save(&second, false).await.status, StatusCode::OK);
    assert_eq!(fs::read(place.zones_file()).unwrap(), [mine, b"\n".to_vec()].concat());
    assert_eq!(place.kept().len(), 0, "nothing is unsaved");
}

#[tokio::test]
async fn painted_walls_come_back_with_their_zones() {
    let place = Folders::new();
    let first = place.start();
    let facts = about(&first).await;
    let tile = facts["zones"][0]["deepest"].clone();
    let paint = json!({ "op": "paint", "tiles": [tile], "free": false });
    assert_eq!(first.edit("harbour", paint).await.status, StatusCode::OK);
    let (walls, mine) = (first.get(&format!("{MAP}/map")).await.body, zones(&first).await);
    assert_eq!(save(&first, false).await.status, StatusCode::OK);
    drop(first);

    let second = place.start();
    let facts = about(&second).await;
    let files = facts["saved"]["loaded"]["files"].as_array().unwrap();
    assert_eq!(files.len(), 2, "{files:?}");
    assert_eq!(second.get(&format!("{MAP}/map")).await.body, walls);
    assert_eq!(zones(&second).await, mine);
    // The map as its file has it is one step away, and can be left again.
    let original = second.edit("harbour", json!({ "op": "original" })).await;
    assert_eq!(original.status, StatusCode::OK, "{:?}", original.body);
    assert_ne!(second.get(&format!("{MAP}/map")).await.body, walls);
    second.edit("harbour", json!({ "op": "undo" })).await;
    assert_eq!(second.get(&format!("{MAP}/map")).await.body, walls);
}

/// Paints the deepest tile of a zone and saves; the files of walls and zones that this makes.
async fn paint_and_save(place: &Folders, client: &Client, zone: usize) -> [Vec<u8>; 2] {
    let tile = about(client).await["zones"][zone]["deepest"].clone();
    let paint = json!({ "op": "paint", "tiles": [tile], "free": false });
    let painted = client.edit("harbour", paint).await;
    assert_eq!(painted.status, StatusCode::OK, "{:?}", painted.json());
    assert_eq!(save(client, false).await.status, StatusCode::OK);
    let walls = place.folder.path().join("harbour.edited.map");
    [fs::read(walls).unwrap(), fs::read(place.zones_file()).unwrap()]
}

#[tokio::test]
async fn a_save_that_ends_between_walls_and_zones_leaves_both_old_or_both_new() {
    let place = Folders::new();
    let [walls, next] = ["edited.map", "edited.next.map"]
        .map(|ending| place.folder.path().join(format!("harbour.{ending}")));
    let client = place.start();
    let old = paint_and_save(&place, &client, 0).await;
    let new = paint_and_save(&place, &client, 1).await;
    assert!(old[0] != new[0] && old[1] != new[1] && !next.exists());
    drop(client);
    // Killed when the new walls were written, and when their zones were.
    for (zones, wanted) in [(&old[1], &old), (&new[1], &new)] {
        fs::write(&walls, &old[0]).unwrap();
        fs::write(&next, &new[0]).unwrap();
        fs::write(place.zones_file(), zones).unwrap();
        let client = place.start();
        let facts = about(&client).await;
        assert_eq!(facts["saved"]["unfit"], Value::Null);
        assert_eq!(facts["saved"]["loaded"]["files"].as_array().unwrap().len(), 2);
        assert_eq!(client.get(&format!("{MAP}/map")).await.body, wanted[0]);
        assert_eq!([fs::read(&walls).unwrap(), fs::read(place.zones_file()).unwrap()], *wanted);
        // What is there can be saved over without a question, and another save is not in its way.
        let _ = paint_and_save(&place, &client, 2).await;
        assert!(!next.exists());
    }
}

#[tokio::test]
async fn a_file_of_something_else_is_left_alone_and_replaced_only_when_told() {
    let other =
        r#"{"version":1,"map":{"width":3,"height":2},"method":"given","raw_gates":0,"gates":[]}"#;
    for (text, why) in [("no JSON at all", "expected"), (other, "3 x 2 tiles")] {
        let place = Folders::new();
        fs::write(place.zones_file(), text).unwrap();
        let client = place.start();
        let facts = about(&client).await;
        let unfit = &facts["saved"]["unfit"];
        assert_eq!(unfit["file"], place.zones_file().display().to_string());
        assert!(unfit["why"].as_str().unwrap().contains(why), "{unfit}");
        split(&client).await;
        let refused = save(&client, false).await;
        assert_eq!((refused.status, refused.code().as_str()), (StatusCode::CONFLICT, "exists"));
        let message = refused.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.contains("harbour.zones.json was not loaded"), "{message}");
        assert_eq!(fs::read_to_string(place.zones_file()).unwrap(), text, "untouched");
        assert_eq!(about(&client).await["dirty"], true);
        assert_eq!(save(&client, true).await.status, StatusCode::OK);
        assert_ne!(fs::read_to_string(place.zones_file()).unwrap(), text);
    }
}

#[tokio::test]
async fn a_file_that_changed_since_is_replaced_only_when_told() {
    let place = Folders::new();
    let client = place.start();
    about(&client).await;
    split(&client).await;
    assert_eq!(save(&client, false).await.status, StatusCode::OK);
    let theirs = fs::read_to_string(place.zones_file()).unwrap().replace("\"raw", " \"raw");
    fs::write(place.zones_file(), &theirs).unwrap();
    split(&client).await;
    let refused = save(&client, false).await;
    assert_eq!((refused.status, refused.code().as_str()), (StatusCode::CONFLICT, "exists"));
    assert!(String::from_utf8_lossy(&refused.body).contains("changed by another program"));
    assert_eq!(fs::read_to_string(place.zones_file()).unwrap(), theirs);
    assert_eq!(save(&client, true).await.status, StatusCode::OK);
    split(&client).await;
    assert_eq!(save(&client, false).await.status, StatusCode::OK, "ours again");
    // The index is saved by a job, under the same rule.
    fs::write(place.folder.path().join("harbour.tide"), "theirs").unwrap();
    let mut order = json!({ "kind": "tide", "engines": ["astar"], "save": true });
    let started = client.post(&format!("{MAP}/jobs"), order.clone()).await.json();
    let job = client.job(started["job"].as_u64().unwrap()).await;
    assert_eq!(job["state"], "failed");
    assert!(job["message"].as_str().unwrap().contains("harbour.tide"), "{job}");
    order["replace"] = json!(true);
    client.result("harbour", order).await;
}

#[tokio::test]
async fn unsaved_work_is_offered_at_the_next_start() {
    let place = Folders::new();
    let first = place.start();
    let untouched = zones(&first).await;
    let answer = split(&first).await;
    assert_eq!((&answer["dirty"], &answer["autosaved"]), (&json!(true), &json!(true)));
    let tile = about(&first).await["zones"][3]["deepest"].clone();
    let paint = json!({ "op": "paint", "tiles": [tile], "free": false });
    assert_eq!(first.edit("harbour", paint).await.status, StatusCode::OK);
    let (mine, facts) = (zones(&first).await, about(&first).await);
    drop(first);

    let second = place.start();
    let offered = about(&second).await;
    let recovery = &offered["recovery"];
    assert_eq!(recovery["walls_differ"], true);
    assert_eq!(recovery["zones"], facts["zones"].as_array().unwrap().len());
    assert!(recovery["time"].as_u64().unwrap() > 1_600_000_000);
    assert_eq!(zones(&second).await, untouched, "it is offered, not forced on anyone");
    // Until it is decided on, nothing that would take its place can be done.
    let refused = second.edit("harbour", json!({ "op": "split_zone", "zone": 1 })).await;
    assert_eq!((refused.status, refused.code().as_str()), (StatusCode::CONFLICT, "recovery"));
    assert_eq!(place.kept().len(), 1);

    let route = format!("{MAP}/recovery");
    let stale = second.post(&route, json!({ "version": 7 })).await;
    assert_eq!(stale.code(), "stale");
    let restored = second.post(&route, json!({ "version": 1 })).await;
    assert_eq!(restored.status, StatusCode::OK, "{:?}", restored.body);
    assert_eq!((&restored.json()["dirty"], &restored.json()["undo"]), (&json!(true), &json!(1)));
    assert_eq!(zones(&second).await, mine);
    let after = about(&second).await;
    assert_eq!(after["recovery"], Value::Null);
    for field in ["zones", "gate_list"] {
        assert_eq!(after[field], facts[field], "numbers and colours too");
    }
    second.studio.check().unwrap();
    drop(second);

    // It is still not saved, so it is offered once more; this time nobody wants it.
    let third = place.start();
    assert!(about(&third).await["recovery"].is_object());
    assert_eq!(third.ask("DELETE", &route, "").await.status, StatusCode::NO_CONTENT);
    assert_eq!(third.ask("DELETE", &route, "").await.code(), "nothing");
    assert_eq!(third.post(&route, json!({ "version": 1 })).await.code(), "nothing");
    assert_eq!(place.kept().len(), 0);
    assert_eq!(zones(&third).await, untouched);
    split(&third).await;
}

#[tokio::test]
async fn what_is_saved_or_taken_back_is_not_offered() {
    let place = Folders::new();
    let client = place.start();
    about(&client).await;
    split(&client).await;
    assert_eq!(place.kept().len(), 1);
    client.edit("harbour", json!({ "op": "undo" })).await;
    assert_eq!(place.kept().len(), 0, "taken back");
    client.edit("harbour", json!({ "op": "redo" })).await;
    let kept = fs::read(&place.kept()[0]).unwrap();
    let path = place.kept()[0].clone();
    assert_eq!(save(&client, false).await.status, StatusCode::OK);
    assert_eq!(place.kept().len(), 0, "saved");
    drop(client);
    // As if killed after the file was saved and before the kept work was forgotten.
    fs::write(&path, kept).unwrap();
    let next = place.start();
    assert_eq!(about(&next).await["recovery"], Value::Null, "it is what the file has");
    split(&next).await;
}

#[tokio::test]
async fn studios_that_run_do_not_take_each_other_s_work() {
    let place = Folders::new();
    let (one, two) = (place.start(), place.start());
    about(&one).await;
    split(&one).await;
    assert_eq!(about(&two).await["recovery"], Value::Null, "somebody is still doing it");
    two.edit("harbour", json!({ "op": "remove_gate", "gate": 0 })).await;
    assert_eq!(place.kept().len(), 2);
    drop((one, two));
    // Both are gone; both are offered, one after the other.
    let three = place.start();
    let route = format!("{MAP}/recovery");
    assert!(about(&three).await["recovery"].is_object());
    assert_eq!(three.ask("DELETE", &route, "").await.status, StatusCode::NO_CONTENT);
    assert!(about(&three).await["recovery"].is_object());
    let restored = three.post(&route, json!({ "version": 1 })).await;
    assert_eq!(restored.status, StatusCode::OK, "{:?}", restored.body);
    assert_eq!(about(&three).await["recovery"], Value::Null);
    assert_eq!(place.kept().len(), 1, "the work of now");
}

#[tokio::test]
async fn damaged_records_are_passed_over() {
    let place = Folders::new();
    let first = place.start();
    about(&first).await;
    split(&first).await;
    drop(first);
    let path = place.kept()[0].clone();
    let whole = fs::read_to_string(&path).unwrap();
    let damaged = [
        whole[..whole.len() / 2].to_owned(),
        String::new(),
        whole.replace("\"toggled\":[]", "\"toggled\":[[4294967295,9]]"),
        whole.replace("\"toggled\":[]", "\"toggled\":[[0,4294967295]]"),
        whole.replace("\"fingerprint\":\"", "\"fingerprint\":\"0"),
        whole.replace("\"method\":\"water\"", "\"method\":\"magic\""),
        whole.replace("\"gates\":[[[", "\"gates\":[[[9999,9999],[9999,9999],true],[["),
    ];
    for text in damaged {
        assert_ne!(text, whole);
        fs::write(&path, &text).unwrap();
        let next = place.start();
        assert_eq!(about(&next).await["recovery"], Value::Null, "{}", &text[..text.len().min(80)]);
        split(&next).await;
        next.studio.check().unwrap();
    }
    // Numbers that do not fit are made again; the work itself is there.
    let text = whole.replace("\"next_zone\":", "\"next_zone\":0,\"was\":");
    fs::write(&path, text).unwrap();
    let next = place.start();
    assert!(about(&next).await["recovery"].is_object());
}

#[tokio::test]
async fn work_that_cannot_be_kept_is_told() {
    let place = Folders::new();
    let off = Client::at(place.folder.path(), None);
    assert!(about(&off).await["autosave_error"].is_string());
    assert_eq!(split(&off).await["autosaved"], false);

    let client = place.start();
    assert_eq!(about(&client).await["autosave_error"], Value::Null);
    fs::remove_dir_all(place.state.path()).unwrap();
    let answer = split(&client).await;
    assert_eq!((&answer["dirty"], &answer["autosaved"]), (&json!(true), &json!(false)));
    let why = about(&client).await["autosave_error"].as_str().unwrap().to_owned();
    assert!(why.contains(&place.state.path().display().to_string()), "{why}");
    fs::create_dir(place.state.path()).unwrap();
    assert_eq!(split(&client).await["autosaved"], true, "the next change tries again");
}

#[tokio::test]
async fn numbers_and_colours_stay_through_edits() {
    let client = Client::new();
    let looks = |facts: &Value| -> Vec<(Value, Value, Value)> {
        let zones = facts["zones"].as_array().unwrap().iter();
        zones.map(|z| (z["deepest"].clone(), z["number"].clone(), z["colour"].clone())).collect()
    };
    let before = about(&client).await;
    let edit = json!({ "op": "split_zone", "zone": 0 });
    client.edit("harbour", edit).await;
    let after = about(&client).await;
    let (old, new) = (looks(&before), looks(&after));
    assert_eq!(new.len(), old.len() + 1);
    let kept = old.iter().filter(|zone| new.contains(zone)).count();
    assert!(kept >= old.len() - 1, "only the divided zone may look different: {new:?}");
    let numbers: Vec<&Value> = new.iter().map(|zone| &zone.1).collect();
    assert!(numbers.contains(&&json!(old.len())), "the new part has a new number");
    client.edit("harbour", json!({ "op": "undo" })).await;
    assert_eq!(looks(&about(&client).await), old);
    client.edit("harbour", json!({ "op": "redo" })).await;
    assert_eq!(looks(&about(&client).await), new);
    let gates = |facts: &Value| -> Vec<(Value, Value)> {
        let gates = facts["gate_list"].as_array().unwrap().iter();
        gates.map(|g| (g["a"].clone(), g["number"].clone())).collect()
    };
    client.edit("harbour", json!({ "op": "remove_gate", "gate": 0 })).await;
    assert_eq!(gates(&about(&client).await), gates(&after)[1..], "the others keep their numbers");
}

#[tokio::test]
async fn a_gate_that_separates_nothing_is_told() {
    let client = Client::new();
    let map = format!("{}\n", ".".repeat(60)).repeat(30);
    client.ask("POST", "/api/maps?name=open.txt", map).await;
    let across = json!({ "op": "add_gate", "from": [9, 1], "to": [9, 28] });
    assert_eq!(client.edit("open", across).await.json()["gate"]["separates"], true);
    let stump = json!({ "op": "add_gate", "from": [34, 14], "to": [36, 14] });
    let answer = client.edit("open", stump).await.json();
    assert_eq!(answer["gate"]["separates"], false, "{answer}");
}

#[tokio::test]
async fn times_are_medians_of_repeats() {
    let client = Client::new();
    let facts = about(&client).await;
    let (from, to) = (&facts["sample"]["from"], &facts["sample"]["to"]);
    let ask = json!({ "engine": "astar", "from": from, "to": to });
    let answer = client.search(&format!("{MAP}/search"), ask).await.json();
    assert!(answer["runs"].as_u64().unwrap() >= 5, "{answer}");
    let [low, median, high] = ["low", "micros", "high"].map(|name| answer[name].as_f64().unwrap());
    assert!(0.0 < low && low <= median && median <= high);
    split(&client).await;
    let order = json!({ "kind": "samples", "engine": "astar", "against": "previous", "count": 9 });
    let result = client.result("harbour", order).await;
    for side in ["before", "after"] {
        assert_eq!(result[side]["runs"], 7);
        assert!(result[side]["low"].as_f64() <= result[side]["high"].as_f64());
    }
    assert_eq!(result["same"], 9, "zones are nothing to astar");
}
