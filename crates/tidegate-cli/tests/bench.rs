//! The contract of `tidegate bench`, on the suite inside the program.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const COLUMNS: &str = "set,map,problem,start_x,start_y,goal_x,goal_y,engine,reference,length,\
                       straight,diagonal,expanded,reexpanded,generated,nanos,status";

fn bench(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tidegate")).arg("bench").args(arguments).output().unwrap()
}

/// One map of its own, with problems as lines of goal and length: `.` free, `@` wall.
fn own_map(folder: &Path, row: &str, problems: &[(u16, &str)]) -> String {
    let file = folder.join("a.map");
    let width = row.len();
    fs::write(&file, format!("type octile\nheight 1\nwidth {width}\nmap\n{row}\n")).unwrap();
    let mut scenario = "version 1\n".to_string();
    for (goal, length) in problems {
        scenario += &format!("0\ta.map\t{width}\t1\t0\t0\t{goal}\t0\t{length}\n");
    }
    fs::write(folder.join("a.map.scen"), scenario).unwrap();
    file.to_string_lossy().into_owned()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn at(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_string_lossy().into_owned()
}

#[test]
fn rows_paths_and_summary_keep_the_contract() {
    let folder = TempDir::new().unwrap();
    let (csv, paths, json) =
        (at(&folder, "rows.csv"), at(&folder, "paths.jsonl"), at(&folder, "summary.json"));
    let output = bench(&[
        "--map",
        "harbour",
        "--map",
        "caves-333x67",
        "--every",
        "7",
        "--engine",
        "astar",
        "--engine",
        "jps",
        "--csv",
        &csv,
        "--paths",
        &paths,
        "--json",
        &json,
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));

    let rows = fs::read_to_string(&csv).unwrap();
    let mut lines = rows.lines();
    assert_eq!(lines.next(), Some(COLUMNS));
    let lines: Vec<Vec<&str>> = lines.map(|l| l.split(',').collect()).collect();
    assert!(!lines.is_empty() && lines.len().is_multiple_of(2));
    for row in &lines {
        assert_eq!(row.len(), 17);
        assert_eq!(row[16], "optimal");
        assert_eq!(row[2].parse::<usize>().unwrap() % 7, 0, "every 7th problem");
        let (straight, diagonal): (f64, f64) = (row[10].parse().unwrap(), row[11].parse().unwrap());
        let length = format!("{:.8}", straight + diagonal * std::f64::consts::SQRT_2);
        assert_eq!(row[9], length, "the length is that of the two counts, with 8 decimals");
        assert!(row[15].parse::<u64>().unwrap() > 0);
    }

    let paths = fs::read_to_string(&paths).unwrap();
    assert_eq!(paths.lines().count(), lines.len());
    for (line, row) in paths.lines().zip(&lines) {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!((value["set"].as_str(), value["map"].as_str()), (Some(row[0]), Some(row[1])));
        assert_eq!(value["engine"].as_str(), Some(row[7]));
        assert_eq!(value["problem"].to_string(), row[2]);
        let tiles = value["path"].as_array().unwrap();
        let steps: usize = row[10].parse::<usize>().unwrap() + row[11].parse::<usize>().unwrap();
        assert_eq!(tiles.len(), steps + 1, "every tile of the path");
        assert_eq!(tiles[0].to_string(), format!("[{},{}]", row[3], row[4]));
        assert_eq!(tiles[steps].to_string(), format!("[{},{}]", row[5], row[6]));
    }

    let summary: Vec<serde_json::Value> =
        serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(summary.len(), 6, "two maps and the whole set, two engines each");
    for key in [
        "problems",
        "mean_length",
        "mean_expanded",
        "mean_reexpanded",
        "mean_nanos",
        "p50_nanos",
        "p99_nanos",
        "max_nanos",
        "build_seconds",
        "index_bytes",
        "share_optimal",
        "mean_ratio",
    ] {
        assert!(summary.iter().all(|s| s[key].is_number()), "{key}");
    }
    assert!(summary.iter().all(|s| s["share_optimal"] == 1.0));
}

/// References that our answers contradict, and what the command says of them.
#[test]
fn a_wrong_answer_fails_the_command() {
    let folder = TempDir::new().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("maps/s")).unwrap();
    fs::create_dir_all(root.join("scenarios/s")).unwrap();
    fs::write(root.join("maps/s/a.map"), "type octile\nheight 1\nwidth 4\nmap\n..@.\n").unwrap();
    // A length of 0 between different tiles means "no way": right for tile 3, wrong for 1.
    for (goal, length, code, word) in [
        (1, "1.0", 0, "1 optimal"),
        (1, "1.5", 1, "1 shorter"),
        (1, "0.5", 1, "1 longer"),
        (3, "0", 0, "1 unreachable"),
        (1, "0", 1, "1 invalid"),
        (3, "3.0", 1, "1 invalid"),
    ] {
        let scenario = format!("version 1\n0\ta.map\t4\t1\t0\t0\t{goal}\t0\t{length}\n");
        fs::write(root.join("scenarios/s/a.map.scen"), scenario).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tidegate"));
        let output = command.args(["bench", "--engine", "astar", "--suite"]).arg(root).output();
        let output = output.unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(code), "{text}");
        assert!(text.contains(word), "{text}");
    }
}

/// The thesis's reading differs from exact costs in expansions, never in lengths.
#[test]
fn the_thesis_reading_is_optimal_too() {
    let output = bench(&["--map", "harbour", "--like-thesis", "--engine", "astar"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("like-thesis"), "{text}");
}

/// An installed program has its maps with it.
#[test]
fn the_bundled_maps_need_no_files() {
    let folder = TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tidegate"));
    command.args(["bench", "--map", "rts-256", "--every", "10", "--engine", "jps"]);
    let output = command.current_dir(folder.path()).env_clear().output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("15 optimal"), "{}", text(&output.stdout));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
    let unknown = bench(&["--map", "rts-257"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("rts-256"), "{}", text(&unknown.stderr));
}

/// The first reasons are printed, all of them are in the file.
#[test]
fn every_verdict_has_its_reason() {
    let folder = TempDir::new().unwrap();
    let reasons = at(&folder, "reasons.csv");
    let mut problems = vec![(1, "1.0"), (1, "1.5"), (1, "0.5"), (1, "0"), (3, "3.0")];
    problems.extend([(1, "1.5"); 3]);
    let map = own_map(folder.path(), "..@.", &problems);
    let output = bench(&[&map, "--engine", "astar", "--reasons", &reasons]);
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output.stderr);
    let lines: Vec<&str> = printed.lines().collect();
    let begin = "files/a, problem 1 from 0,0 to 1,0, astar: shorter: length 1.00000";
    assert!(lines[0].starts_with(begin), "{printed}");
    assert!(lines[1].contains("longer: length 1.00000, longer than the reference 0.50000"));
    assert!(lines[2].contains("invalid: a legal path of length 1.00000"), "{printed}");
    assert!(lines[3].contains("invalid: no path was found"), "{printed}");
    assert_eq!(
        (lines.len(), lines[5]),
        (6, "and 2 more; --reasons FILE has them all"),
        "{printed}"
    );

    let file = fs::read_to_string(&reasons).unwrap();
    let columns = "set,map,problem,start_x,start_y,goal_x,goal_y,engine,status,reason";
    assert_eq!(file.lines().next(), Some(columns));
    assert_eq!(file.lines().count(), 8, "seven of eight have one: {file}");
    assert!(file.contains("files,a,1,0,0,1,0,astar,shorter,"), "{file}");
}

/// A run in which an engine answers nothing is no success; errors among answers are.
#[test]
fn nothing_but_errors_fails_the_command() {
    let folder = TempDir::new().unwrap();
    let map = own_map(folder.path(), "..@@", &[(2, "1.0"), (3, "1.0")]);
    let output = bench(&[&map, "--engine", "astar"]);
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output.stdout);
    assert!(printed.contains("FAILED astar: every answer is an error (2 of 2)"), "{printed}");
    assert!(text(&output.stderr).contains("problem 0 from 0,0 to 2,0, astar: error: "));

    let map = own_map(folder.path(), "..@@", &[(2, "1.0"), (1, "1.0")]);
    let output = bench(&[&map, "--engine", "astar"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(text(&output.stderr).is_empty());

    let map = own_map(folder.path(), "..@@", &[]);
    let output = bench(&[&map, "--engine", "astar"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("nothing was measured"), "{}", text(&output.stdout));
}

#[test]
fn the_table_is_no_wider_than_80_where_there_is_no_terminal() {
    let output = bench(&["--every", "50", "--maps", "--engine", "astar", "--engine", "hpa"]);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}");
    let widest = printed.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(80), "{widest:?}\n{printed}");
    assert!(printed.contains("mean µs") && printed.contains("answers"), "{printed}");
}
