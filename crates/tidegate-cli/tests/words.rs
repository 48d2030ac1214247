//! What the program says: of engines, of files, of what it checked, and of options that would
//! do nothing.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

fn run(folder: &Path, arguments: &str) -> Output {
    let words = arguments.split_whitespace();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tidegate"));
    command.args(words).current_dir(folder).env_remove("CARGO").output().unwrap()
}

/// The exit code and what was said, on both streams.
fn said(folder: &Path, arguments: &str) -> (i32, String) {
    let output = run(folder, arguments);
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&text).into_owned())
}

/// A folder with a map of rooms, `my.map`.
fn rooms() -> TempDir {
    let folder = TempDir::new().unwrap();
    let (code, text) =
        said(folder.path(), "generate rooms --size 60x60 --seed 3 -o my.map --problems 20");
    assert_eq!(code, 0, "{text}");
    folder
}

#[test]
fn help_and_completions_know_the_engines() {
    let folder = TempDir::new().unwrap();
    for arguments in ["--help", "path --help", "index --help", "bench --help"] {
        let (code, text) = said(folder.path(), arguments);
        assert_eq!(code, 0);
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for engine in tidegate_sectors::ENGINES {
            assert!(words.contains(engine.about()), "{arguments}: {}: {text}", engine.name());
        }
    }
    for shell in ["bash", "zsh", "fish"] {
        let (_, script) = said(folder.path(), &format!("completions {shell}"));
        for name in tidegate_sectors::ENGINES.iter().map(|e| e.name()).chain(["four-connected"]) {
            assert!(script.contains(name), "{shell} does not know {name}");
        }
    }
}

#[test]
fn written_files_are_told() {
    let folder = rooms();
    let place = folder.path();
    for (arguments, files) in [
        ("convert my.map my.png --scale 2", &["my.png"][..]),
        ("generate maze --size 21x21 -o m.map --problems 3", &["m.map", "m.map.scen"]),
        (
            "decompose my.map --json z.json --png z.png --svg z.svg --depth d.png --stages s.png --film f.png",
            &["z.json", "z.png", "z.svg", "d.png", "s.png", "f.png"],
        ),
        ("index my.map -o my.tide --engine jps", &["my.tide"]),
    ] {
        let (code, text) = said(place, arguments);
        assert_eq!(code, 0, "{arguments}: {text}");
        for file in files {
            assert!(text.contains(&format!("wrote {file}: ")), "{arguments}: {file}: {text}");
        }
    }
}

#[test]
fn a_path_tells_its_engine_its_tables_and_folds_its_lists() {
    let folder = TempDir::new().unwrap();
    let place = folder.path();
    // A snake: every other row has one gap, left and right in turn.
    let rows: Vec<String> = (0..41)
        .map(|y| match y % 4 {
            1 => format!("{}.", "@".repeat(20)),
            3 => format!(".{}", "@".repeat(20)),
            _ => ".".repeat(21),
        })
        .collect();
    fs::write(place.join("snake.txt"), rows.join("\n")).unwrap();
    let ask = "path snake.txt --from 0,0 --to 0,40";
    let (code, text) = said(place, ask);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("jps (chosen by auto): "), "{text}");
    assert!(text.contains("the tables of auto were built first, in "), "{text}");
    assert!(text.contains("more (--turns shows all)"), "{text}");
    assert!(text.lines().all(|line| line.len() < 120), "{text}");
    let (_, turns) = said(place, &format!("{ask} --turns"));
    assert!(turns.contains("turning points: ") && !turns.contains("more"), "{turns}");
    let (_, tiles) = said(place, &format!("{ask} --tiles"));
    let listed = tiles.lines().find_map(|line| line.strip_prefix("tiles: ")).unwrap();
    let (_, json) = said(place, &format!("{ask} --json"));
    let answer: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(listed.split_whitespace().count(), answer["path"].as_array().unwrap().len());
    assert_eq!(
        (answer["engine"].as_str(), answer["answered_by"].as_str()),
        (Some("auto"), Some("jps"))
    );
    // From an index nothing is built, and labels answer if they are there.
    assert_eq!(said(place, "index snake.txt -o snake.tide --engine labels").0, 0);
    let (_, text) = said(place, "path snake.tide --from 0,0 --to 0,40 --png p.png --trace t.json");
    assert!(text.contains("labels (chosen by auto): ") && !text.contains("built first"), "{text}");
    assert!(text.contains("wrote p.png: ") && text.contains("wrote t.json: "), "{text}");
    let (_, text) = said(place, "path snake.txt --from 0,0 --to 0,40 --engine astar");
    assert!(text.contains("\nastar: ") && !text.contains("built first"), "{text}");
}

#[test]
fn info_is_for_people_and_its_json_for_programs() {
    let folder = rooms();
    let place = folder.path();
    let (_, text) = said(place, "info my.map");
    assert!(text.starts_with("my.map: a map of 60 x 60 tiles\nfree tiles   "), "{text}");
    assert!(text.contains("movement     no-corner-cutting; all tiles cost the same"), "{text}");
    let (_, json) = said(place, "info my.map --json");
    let facts: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((facts["kind"].as_str(), facts["width"].as_u64()), (Some("map"), Some(60)));
    let (_, text) = said(place, "info my.map.scen");
    assert!(text.starts_with("my.map.scen: a scenario of 20 problems on my.map\n"), "{text}");
    fs::write(place.join("empty.scen"), "version 1\n").unwrap();
    assert_eq!(said(place, "info empty.scen").1, "empty.scen: a scenario without problems\n");
    let (_, json) = said(place, "info empty.scen --json");
    assert!(!json.contains("-0"), "{json}");
    // An index tells its tables.
    assert_eq!(said(place, "index my.map -o my.tide --engine jps").0, 0);
    let (_, text) = said(place, "info my.tide");
    assert!(text.contains("an index of") && text.contains("\ntables for\n  jps  "), "{text}");
}

/// Optimal engines are compared with the oracle; of approximate ones the command says how far off.
#[test]
fn verify_tells_what_it_checked() {
    let folder = TempDir::new().unwrap();
    let place = folder.path();
    assert_eq!(said(place, "generate rts --size 128x128 --seed 7 -o my.map").0, 0);
    let engines = "--engine jps --engine maat --engine hpa --engine dsma";
    assert_eq!(said(place, &format!("index my.map -o my.tide {engines}")).0, 0);
    let (code, text) = said(place, "verify my.tide --queries 60");
    assert_eq!(code, 0, "{text}");
    for name in ["astar", "jps", "auto"] {
        let line = format!("{name}: 60 answers, all legal and as short as the oracle's");
        assert!(text.contains(&line), "{text}");
    }
    let mut longer_in_all = 0;
    for name in ["maat", "hpa", "dsma"] {
        let start = format!("{name}: 60 answers, all legal; ");
        let words = text.lines().find_map(|line| line.strip_prefix(&start));
        let words = words.unwrap_or_else(|| panic!("{name}: {text}")).split_whitespace();
        let numbers: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
        let [longer, mean, worst] = numbers[..] else { panic!("{name}: {text}") };
        assert!((longer > 0.0) == (worst > 1.0) && mean <= worst && longer <= 60.0, "{text}");
        longer_in_all += longer as u64;
    }
    assert!(longer_in_all > 0, "some answers are longer here: {text}");
    // An index that was made with other costs can be compared with its map.
    assert_eq!(said(place, "index my.map -o costly.tide --engine hpa --costs .=2").0, 0);
    let (code, text) = said(place, "verify costly.tide my.map --costs .=2 --queries 5");
    assert_eq!(code, 0, "{text}");
    let (code, text) = said(place, "verify costly.tide my.map --queries 5");
    assert_eq!((code, text.contains("is not the map of this index")), (2, true), "{text}");
    // Numbers that no machine can do are refused, and nothing wraps.
    for number in ["2000000000", "9223372036854775808", "-1"] {
        let (code, text) = said(place, &format!("verify my.tide --queries={number}"));
        assert_eq!(code, 2, "{number}: {text}");
        assert!(text.contains("--queries"), "{number}: {text}");
    }
}

#[test]
fn options_that_would_do_nothing_are_refused() {
    let folder = rooms();
    let place = folder.path();
    fs::write(place.join("open.txt"), format!("{}\n", ".".repeat(12)).repeat(12)).unwrap();
    assert_eq!(said(place, "index open.txt -o my.tide --engine labels").0, 0);
    assert_eq!(said(place, "path my.tide --from 0,0 --to 9,9").0, 0);
    for (arguments, words) in [
        ("path my.tide --from 0,0 --to 9,9 --movement four-connected", "leave out --movement"),
        ("path my.tide --from 0,0 --to 9,9 --movement no-corner-cutting", "leave out --movement"),
        ("path my.tide --from 0,0 --to 9,9 --costs S=2", "leave out --costs"),
        ("info my.tide --movement four-connected", "leave out --movement"),
        ("info my.map.scen --movement four-connected", "leave out --movement"),
        ("index my.tide -o x.tide --movement four-connected", "leave out --movement"),
        ("index my.tide -o x.tide --label-form small", "leave out --label-form"),
        ("index my.tide -o x.tide --label-memory 9", "leave out --label-memory"),
        (
            "index my.map -o x.tide --engine jps --label-form small",
            "--label-form is for the engine",
        ),
        ("convert my.map x.txt --scale 3", "--scale is for pictures"),
        ("path my.map --from 0,0 --to 9,9 --scale 3", "--png"),
        ("decompose my.map --scale 3", "--png"),
        ("decompose my.map --depth d.png --labels", "--png"),
        ("generate rooms --size 20x20 -o x.map --percent 30", "--percent is for random maps"),
        ("generate random --size 20x20 -o x.map --corridor 3", "--corridor is for maze maps"),
    ] {
        let (code, text) = said(place, arguments);
        assert_eq!(code, 2, "{arguments}: {text}");
        assert!(text.contains(words), "{arguments}: {text}");
    }
    for file in ["x.tide", "x.txt", "x.map", "d.png"] {
        assert!(!place.join(file).exists(), "{file}");
    }
}

#[test]
fn a_map_without_problems_is_told() {
    let folder = TempDir::new().unwrap();
    let place = folder.path();
    let walls = "generate random --size 20x20 --percent 100 -o x.map";
    let (code, text) = said(place, &format!("{walls} --problems 5"));
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("there are no problems on this map"), "{text}");
    assert!(!place.join("x.map").exists() && !place.join("x.map.scen").exists());
    assert_eq!(said(place, walls).0, 0);
}

/// What the demo says to try next begins with the studio and works where the demo was run.
#[test]
fn what_the_demo_says_to_try_next_works_anywhere() {
    let folder = TempDir::new().unwrap();
    let (code, text) = said(folder.path(), "demo");
    assert_eq!(code, 0, "{text}");
    let next: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("  tidegate ")).collect();
    assert!(next.len() >= 5 && next[0] == "studio", "{next:?}");
    for command in next {
        // The studio does not end by itself, and the report takes a minute: tests of their own
        // run them; that there is such a command is seen here.
        let command = match command {
            "studio" | "report --quick" => &format!("{command} --help"),
            other => other,
        };
        let (code, text) = said(folder.path(), command);
        assert_eq!(code, 0, "{command}: {text}");
    }
}
