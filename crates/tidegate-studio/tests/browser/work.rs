//! Work that must not be lost: saved, restarted and saved again; killed, crashed and restored.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;
use tidegate::grid::TileMap;
use tidegate::{Index, Movement};
use tidegate_studio::{Address, Opened};

use crate::desk::{Desk, SMALL};

/// Three rooms in a row, 12 x 18 tiles each, with openings of four between them.
fn three_rooms(folder: &Path) -> Vec<Opened> {
    let rows: Vec<String> = (0..20)
        .map(|y| match y {
            0 | 19 => "@".repeat(40),
            8..12 => format!("@{}@", ".".repeat(38)),
            _ => format!("@{0}@{0}@{0}@", ".".repeat(12)),
        })
        .collect();
    let map = TileMap::parse_text(rows.join("\n").as_bytes()).expect("a map");
    let index = Index::new(map.grid(Movement::default()));
    vec![Opened { name: "rooms".into(), folder: folder.into(), index, problems: Vec::new() }]
}

fn open() -> Option<(Desk, TempDir)> {
    let folder = TempDir::new().expect("a folder");
    Some((Desk::with(SMALL, three_rooms(folder.path()), "")?, folder))
}

fn zones(desk: &Desk) -> usize {
    desk.js("studio.state.doc.zones.length")
}

/// Merges the two rooms on the left.
fn merge(desk: &Desk) {
    let before: u64 = desk.js("studio.state.doc.version");
    desk.key("3");
    desk.click_tile((5, 3));
    desk.click_tile((18, 3));
    desk.until(&format!("studio.state.doc.version > {before}"));
    desk.key("Escape");
    desk.key("1");
    desk.settle();
}

fn notices(desk: &Desk) -> Vec<String> {
    desk.js("[...document.querySelectorAll('.notice')].map((n) => n.dataset.notice + ': ' + n.textContent)")
}

/// Where `TIDEGATE_PICTURES` names a folder, a picture for the eye.
fn picture(desk: &Desk, name: &str) {
    if let Some(folder) = std::env::var_os("TIDEGATE_PICTURES") {
        std::fs::write(Path::new(&folder).join(format!("{name}.png")), desk.picture()).unwrap();
    }
}

#[test]
fn saved_restarted_and_saved_again() {
    let Some((mut desk, folder)) = open() else { return };
    let file = folder.path().join("rooms.zones.json");
    assert_eq!((zones(&desk), notices(&desk)), (3, vec![]));
    merge(&desk);
    desk.key("Ctrl+s");
    desk.until("!studio.state.doc.dirty");
    let saved = std::fs::read_to_string(&file).expect("the saved file");

    desk.restart(three_rooms(folder.path()));
    assert_eq!(zones(&desk), 2, "the merged zones are back");
    let shown = notices(&desk);
    assert!(
        shown[0].starts_with("loaded: Loaded rooms.zones.json: 2 zones and 1 gate."),
        "{shown:?}"
    );
    picture(&desk, "loaded");
    assert!(!desk.js::<bool>("studio.state.doc.dirty"));
    desk.click("[data-notice=loaded] button.quiet");
    assert_eq!(notices(&desk), Vec::<String>::new(), "read and closed");

    // The page loaded the file, so it may replace it without a question.
    desk.key("2");
    desk.drag((2, 14), (10, 14));
    desk.until("studio.state.doc.dirty");
    desk.key("Ctrl+s");
    desk.until("!studio.state.doc.dirty");
    assert!(!desk.js::<bool>("document.querySelector('#ask').open"));
    let second = std::fs::read_to_string(&file).expect("the saved file");
    assert_ne!(second, saved);

    // Somebody else changes the file: now the page asks, and no means no.
    std::fs::write(&file, &saved).unwrap();
    desk.key("Ctrl+z");
    desk.until("studio.state.doc.dirty");
    desk.key("2");
    desk.drag((28, 14), (36, 14));
    desk.until("studio.state.doc.undo > 0");
    desk.key("Ctrl+s");
    desk.until("document.querySelector('#ask').open");
    let asked: String = desk.js("document.querySelector('#ask').textContent");
    assert!(asked.contains("rooms.zones.json was changed by another program"), "{asked}");
    picture(&desk, "replace");
    desk.click("#ask button:not(.main)");
    desk.until("!document.querySelector('#ask').open");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), saved, "theirs");
    assert!(desk.js::<bool>("studio.state.doc.dirty"));
    desk.key("Ctrl+s");
    desk.until("document.querySelector('#ask').open");
    desk.click("#ask button.main");
    desk.until("!studio.state.doc.dirty");
    assert_ne!(std::fs::read_to_string(&file).unwrap(), saved, "ours");
    // A refusal shows in the console as 409.
    desk.forgive("409");
    desk.close();
}

#[test]
fn a_file_that_does_not_fit_is_told_and_left_alone() {
    let Some((mut desk, folder)) = open() else { return };
    let file = folder.path().join("rooms.zones.json");
    std::fs::write(&file, "{}").unwrap();
    desk.restart(three_rooms(folder.path()));
    let shown = notices(&desk);
    assert!(shown[0].starts_with("unfit: rooms.zones.json was not loaded"), "{shown:?}");
    assert!(shown[0].contains("missing field"), "{shown:?}");
    picture(&desk, "unfit");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{}");
    desk.close();
}

const CHILD: &str = "TIDEGATE_STUDIO_CHILD";

/// A studio in a process of its own, killed as by `kill -9` when it is dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a studio that can be killed; the address of its page.
fn studio(folder: &Path) -> (Process, String) {
    let mut child = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "work::unsaved_work_outlives_a_killed_studio", "--nocapture"])
        .env(CHILD, folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("a studio");
    let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let mut urls = lines
        .map_while(Result::ok)
        .filter_map(|line| line.find("http://127.0.0.1").map(|at| line[at..].to_owned()));
    let url = urls.next().expect("an address");
    (Process(child), url)
}

#[test]
fn unsaved_work_outlives_a_killed_studio() {
    if let Some(folder) = std::env::var_os(CHILD) {
        let folder = Path::new(&folder);
        let state = Some(folder.join("state"));
        let ready = |url: &str| println!("{url}");
        tidegate_studio::serve(
            three_rooms(folder),
            folder.into(),
            state,
            Address::default(),
            ready,
        )
        .expect("it serves");
        return;
    }
    let Some((mut desk, folder)) = open() else { return };
    let (process, url) = studio(folder.path());
    desk.visit(url);
    assert_eq!(zones(&desk), 3);
    merge(&desk);
    let asked = desk.asked();

    // A browser that crashes loses nothing: the studio has the work.
    desk.crash_browser(SMALL);
    assert_eq!((zones(&desk), desk.js::<bool>("studio.state.doc.dirty")), (2, true));

    // Killed as by `kill -9`, with the page open.
    drop(process);
    let (process, url) = studio(folder.path());
    desk.visit(url);
    assert_eq!(zones(&desk), 3, "as the map is");
    let shown = notices(&desk);
    assert!(shown[0].starts_with("recovery: There is unsaved work on this map from"), "{shown:?}");
    picture(&desk, "recovery");

    // Until that is decided, nothing can be changed that would take its place.
    desk.key("3");
    desk.click_tile((5, 3));
    desk.click_tile((18, 3));
    desk.until("/restore or discard/.test(document.querySelector('#toast').textContent)");
    assert_eq!(zones(&desk), 3);
    desk.click("#restore");
    desk.until("studio.state.doc.zones.length === 2");
    assert_eq!(notices(&desk), Vec::<String>::new());
    assert!(desk.js::<bool>("studio.state.doc.dirty && studio.state.doc.autosaved"));
    desk.reload();
    assert_eq!((zones(&desk), desk.asked()), (2, asked), "a reload loses and asks nothing");

    // Killed again, and this time the work is thrown away.
    drop(process);
    let (process, url) = studio(folder.path());
    desk.visit(url);
    desk.click("#discard");
    desk.until("document.querySelector('#ask').open");
    desk.click("#ask button.main");
    desk.until("!studio.state.doc.recovery");
    assert_eq!((zones(&desk), notices(&desk)), (3, vec![]));
    drop(process);
    for expected in ["ERR_CONNECTION_REFUSED", "409"] {
        desk.forgive(expected);
    }
    desk.close();
}

#[test]
fn leaving_asks_only_where_work_is_not_kept() {
    let Some((desk, _folder)) = open() else { return };
    merge(&desk);
    desk.reload();
    assert_eq!(desk.asked(), 0, "kept");
    std::fs::remove_dir_all(desk.state.path()).unwrap();
    let before: u64 = desk.js("studio.state.doc.version");
    desk.key("2");
    desk.drag((28, 14), (36, 14));
    desk.until(&format!("studio.state.doc.version > {before}"));
    let shown = notices(&desk);
    assert!(
        shown[0].starts_with("autosave: Unsaved changes are lost if the program ends"),
        "{shown:?}"
    );
    picture(&desk, "not-kept");
    desk.reload();
    assert_eq!(desk.asked(), 1, "not kept");
    desk.close();
}

#[test]
fn numbers_stay_and_a_gate_that_separates_nothing_is_told() {
    let Some((desk, _folder)) = open() else { return };
    let look = |x: u32| -> (u64, String) {
        desk.js(&format!(
            "(() => {{ const z = studio.state.doc.zones[studio.map.placeOf([{x}, 3]).id]; return [z.number, z.colour]; }})()"
        ))
    };
    let before = [18, 33].map(look);
    // The first room is divided; the library's numbers of the others shift, these do not.
    desk.key("2");
    desk.drag((2, 14), (10, 14));
    desk.until("studio.state.doc.zones.length === 4");
    assert_eq!([18, 33].map(look), before);
    let v: u64 = desk.js("studio.state.doc.version");
    // Drawn in the middle of the last room, too short to be meant for its walls.
    desk.drag((33, 14), (33, 16));
    desk.until(&format!("studio.state.doc.version > {v}"));
    desk.until("/separates nothing/.test(document.querySelector('#toast').textContent)");
    let said: String = desk.js("document.querySelector('#toast').textContent");
    assert!(said.contains(&format!("zone {} is on all sides", before[1].0)), "{said}");
    desk.key("i");
    desk.click("#list-gates");
    desk.until("/separates nothing/.test(document.querySelector('#regions').textContent)");
    picture(&desk, "separates-nothing");
    desk.close();
}

#[test]
fn errors_name_the_file() {
    let Some((desk, _folder)) = open() else { return };
    for name in ["broken.map", "broken.scen", "broken.zones.json"] {
        desk.run(&format!(
            "const box = document.querySelector('#file'); const bag = new DataTransfer();
             bag.items.add(new File(['no such thing'], '{name}')); box.files = bag.files;
             box.dispatchEvent(new Event('change'))"
        ));
        desk.until(&format!("document.querySelector('#toast').textContent.startsWith('{name}: ')"));
    }
    desk.forgive("422");
    desk.close();
}

#[test]
fn times_and_verdicts_say_what_they_are() {
    let Some((desk, _folder)) = open() else { return };
    desk.run("studio.set({ chosen: ['astar', 'labels'], start: [2, 2], goal: [36, 16] })");
    desk.until("studio.state.results.every((r) => r?.status === 'found' && r.goal !== 0) && studio.state.results[1].engine === 'labels'");
    let verdict: String = desk.js("document.querySelector('#verdict').textContent");
    assert!(verdict.starts_with("labels answers without a search; astar expands"), "{verdict}");
    let title: String = desk.js("document.querySelector('#card-0 .number:last-child').title");
    assert!(title.starts_with("Median of ") && title.contains("half of them took"), "{title}");
    picture(&desk, "times");

    // What an edit does not change is not coloured, nor are times that differ within noise.
    desk.key("2");
    desk.drag((2, 14), (10, 14));
    desk.until("document.querySelector('#card-0 .number .none')?.textContent === ' ±0'");
    let alike = |one: &str, two: &str| -> bool {
        desk.js(&format!("(await import('./effect.js')).alike({{ {one} }}, {{ {two} }})"))
    };
    assert!(alike("runs: 7, low: 9, high: 11", "runs: 7, low: 10, high: 13"));
    assert!(!alike("runs: 7, low: 9, high: 11", "runs: 7, low: 12, high: 13"));
    assert!(
        alike("runs: 1, low: 9, high: 9", "runs: 1, low: 99, high: 99"),
        "one run tells nothing"
    );
    desk.close();
}
