//! Bad input: every case with its message and exit code. The table is the test.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// Arguments (`{}` is the folder), exit code, and a part of the message that must appear.
type Case = (&'static [&'static str], i32, &'static str);

const CASES: &[Case] = &[
    // Map files.
    (&["info", "{}/empty.map"], 2, "the map is empty"),
    (&["info", "{}/blank.map"], 2, "the map is empty"),
    (&["info", "{}/header.map"], 2, "line 1: expected \"type octile\", found \"typo octile\""),
    (
        &["info", "{}/no-height.map"],
        2,
        "line 2: expected \"height\" and a number, found \"width 3\"",
    ),
    (&["info", "{}/word-height.map"], 2, "line 2: expected \"height\" and a number, found \"two\""),
    (&["info", "{}/negative.map"], 2, "line 2: expected \"height\" and a number, found \"-2\""),
    (&["info", "{}/huge-height.map"], 2, "a map of 3 x 99999999999 tiles is not supported"),
    (&["info", "{}/huge-both.map"], 2, "a map of 65535 x 65535 tiles is not supported"),
    (&["info", "{}/overflow.map"], 2, "line 2: expected \"height\" and a number"),
    (&["info", "{}/zero.map"], 2, "a map of 0 x 0 tiles is not supported"),
    (&["info", "{}/no-map.map"], 2, "line 4: expected \"map\", found \"...\""),
    (&["info", "{}/short-row.map"], 2, "line 6, column 3: the row has 2 tiles, the map is 3 wide"),
    (&["info", "{}/long-row.map"], 2, "line 5, column 4: the row has 4 tiles, the map is 3 wide"),
    (&["info", "{}/few-rows.map"], 2, "line 6: the map has 1 rows, its header says 2"),
    (&["info", "{}/many-rows.map"], 2, "line 7: the map has 3 rows, its header says 2"),
    (&["info", "{}/letter.map"], 2, "line 6, column 2: unknown tile 'x'"),
    (&["info", "{}/nul.map"], 2, "line 5, column 2: unknown tile byte 0x00"),
    (&["info", "{}/utf8.map"], 2, "line 5, column 1: unknown tile byte 0xc3"),
    (&["info", "{}/ragged.txt"], 2, "line 2, column 3: the row has 2 tiles, the map is 3 wide"),
    (&["info", "{}"], 2, "is a folder, not a file"),
    (&["info", "{}/missing.map"], 2, "No such file"),
    // Tolerated.
    (&["info", "{}/crlf.map"], 0, "3 x 2 tiles"),
    (&["info", "{}/no-newline.map"], 0, "3 x 2 tiles"),
    (&["info", "{}/trailing.map"], 0, "free tiles   5 (83 %)"),
    // Images.
    (&["info", "{}/not-a.png"], 2, "not-a.png"),
    (&["info", "{}/cut.png"], 2, "cut.png"),
    // Scenarios.
    (&["info", "{}/empty.scen"], 2, "the scenario is empty"),
    (&["info", "{}/version.scen"], 2, "line 1: expected \"version 1\", found \"version 7\""),
    (
        &["info", "{}/few-fields.scen"],
        2,
        "line 2, column 18: expected the goal's row, found \"the end of the line\"",
    ),
    (&["info", "{}/word.scen"], 2, "line 2, column 13: expected the start's column, found \"x\""),
    (&["info", "{}/extra.scen"], 2, "line 2, column 27: expected the end of the line, found \"9\""),
    (&["info", "{}/nan.scen"], 2, "line 2, column 21: expected the optimal length, found \"nan\""),
    (&["bench", "--suite", "{}/outside"], 2, "problem 0: goal 3,0 lies outside the map"),
    (
        &["bench", "--suite", "{}/other-size"],
        2,
        "the problem is for a map of 4 x 2, this one is 3 x 2",
    ),
    (&["bench", "--suite", "{}/other-map"], 2, "the problem is for map \"b\", not \"a\""),
    (&["bench", "--suite", "{}/nothing"], 2, "is not a suite: it has no folder maps/"),
    (&["bench", "--suite", "{}/outside", "--set", "nope"], 2, "no set \"nope\" here; there are: s"),
    (&["bench", "--suite", "{}/outside", "--map", "nope"], 2, "no map \"nope\" in these sets"),
    (&["bench", "{}/none.map"], 2, "none.map: its problems are missing, there is no"),
    (&["bench", "--every", "0"], 2, "--every"),
    // Queries.
    (
        &["path", "{}/good.map", "--from", "9,0", "--to", "0,0"],
        2,
        "start 9,0 lies outside the map of 3 x 2 tiles",
    ),
    (&["path", "{}/good.map", "--from", "1,0", "--to", "0,0"], 2, "start 1,0 is a wall"),
    (&["path", "{}/good.map", "--from", "0,0", "--to", "1,0"], 2, "goal 1,0 is a wall"),
    (&["path", "{}/split.map", "--from", "0,0", "--to", "2,0"], 1, "no way"),
    (&["path", "{}/good.map", "--from", "0", "--to", "1,0"], 2, "expected column and row as X,Y"),
    (
        &["path", "{}/good.map", "--from", "0,-1", "--to", "1,0"],
        2,
        "expected column and row as X,Y",
    ),
    (
        &["path", "{}/good.map", "--from", "0,0", "--to", "2,0", "--engine", "warp"],
        2,
        "[possible values: astar, dead-end, gateway,",
    ),
    (
        &["path", "{}/good.map", "--from", "0,0", "--to", "2,0", "--movement", "fly"],
        2,
        "[possible values: no-corner-cutting, one-side-free, four-connected]",
    ),
    (
        &["path", "{}/good.map", "--from", "0,0", "--to", "2,0", "--costs", "S=0.5"],
        2,
        "cost \"S=0.5\" is not of the form",
    ),
    (
        &["path", "{}/good.map", "--from", "0,0", "--to", "2,0", "--costs", "Z=2"],
        2,
        "cost \"Z=2\" is not of the form",
    ),
    // Writing.
    (&["convert", "{}/good.map", "{}/out.gif"], 2, "unknown ending \"gif\""),
    (&["convert", "{}/good.map", "{}/missing/out.map"], 2, "cannot write"),
    (&["convert", "{}/letter.map", "{}/kept.map"], 2, "unknown tile 'x'"),
    (
        &["generate", "rts", "--size", "0x5", "-o", "{}/out.map"],
        2,
        "a map of 0 x 5 tiles is not supported",
    ),
    (
        &["generate", "rts", "--size", "70000x5", "-o", "{}/out.map"],
        2,
        "a map of 70000 x 5 tiles is not supported",
    ),
    (
        &["generate", "rts", "--size", "big", "-o", "{}/out.map"],
        2,
        "expected columns and rows as WxH",
    ),
    (&["generate", "moon", "--size", "5x5", "-o", "{}/out.map"], 2, "invalid value 'moon'"),
    (&["frobnicate"], 2, "unrecognized subcommand"),
];

fn lay_out(folder: &Path) {
    let head = "type octile\nheight 2\nwidth 3\nmap\n";
    let map = |name: &str, text: String| fs::write(folder.join(name), text).unwrap();
    let body = |name: &str, rows: &str| map(name, format!("{head}{rows}"));
    map("empty.map", String::new());
    map("blank.map", "\n \n".into());
    map("header.map", "typo octile\nheight 2\nwidth 3\nmap\n...\n...\n".into());
    map("no-height.map", "type octile\nwidth 3\nheight 2\nmap\n...\n...\n".into());
    map("word-height.map", "type octile\nheight two\nwidth 3\nmap\n...\n...\n".into());
    map("negative.map", "type octile\nheight -2\nwidth 3\nmap\n...\n...\n".into());
    map("huge-height.map", "type octile\nheight 99999999999\nwidth 3\nmap\n...\n".into());
    map("huge-both.map", "type octile\nheight 65535\nwidth 65535\nmap\n...\n".into());
    map("overflow.map", "type octile\nheight 99999999999999999999999\nwidth 3\nmap\n...\n".into());
    map("zero.map", "type octile\nheight 0\nwidth 0\nmap\n".into());
    map("no-map.map", "type octile\nheight 2\nwidth 3\n...\n...\n".into());
    body("short-row.map", "...\n..\n");
    body("long-row.map", "....\n...\n");
    body("few-rows.map", "...\n");
    body("many-rows.map", "...\n...\n...\n");
    body("letter.map", "...\n.x.\n");
    body("nul.map", ".\0.\n...\n");
    body("utf8.map", "é.\n...\n");
    body("good.map", ".@.\n...\n");
    body("kept.map", "@@@\n@@@\n");
    body("split.map", ".@.\n.@.\n");
    body("no-newline.map", ".@.\n...");
    body("trailing.map", ".@.  \n...\t\n\n\n");
    map("crlf.map", format!("{head}.@.\n...\n").replace('\n', "\r\n"));
    map("ragged.txt", "...\n..\n".into());
    map("not-a.png", "this is no picture".into());
    fs::write(folder.join("cut.png"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0").unwrap();
    map("empty.scen", String::new());
    map("version.scen", "version 7\n".into());
    map("few-fields.scen", "version 1\n0 a.map 3 2 0 0 0\n".into());
    map("word.scen", "version 1\n0 a.map 3 2 x 0 0 0 1\n".into());
    map("extra.scen", "version 1\n0 a.map 3 2 0 0 0 1 1.000 9\n".into());
    map("nan.scen", "version 1\n0 a.map 3 2 0 0 0 1 nan\n".into());
    for (suite, line) in [
        ("outside", "0 a.map 3 2 0 0 3 0 2.0"),
        ("other-size", "0 a.map 4 2 0 0 2 0 2.0"),
        ("other-map", "0 b.map 3 2 0 0 2 0 2.0"),
    ] {
        let root = folder.join(suite);
        fs::create_dir_all(root.join("maps/s")).unwrap();
        fs::create_dir_all(root.join("scenarios/s")).unwrap();
        fs::write(root.join("maps/s/a.map"), format!("{head}.@.\n...\n")).unwrap();
        fs::write(root.join("scenarios/s/a.map.scen"), format!("version 1\n{line}\n")).unwrap();
    }
}

fn tidegate(arguments: &[String]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tidegate")).args(arguments).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn every_bad_input_gets_its_message_and_exit_code() {
    let folder = TempDir::new().unwrap();
    lay_out(folder.path());
    let place = folder.path().to_string_lossy().into_owned();
    let mut wrong = Vec::new();
    for (arguments, code, message) in CASES {
        let arguments: Vec<String> = arguments.iter().map(|a| a.replace("{}", &place)).collect();
        let (found, text) = tidegate(&arguments);
        if found != *code || !text.contains(message) {
            wrong.push(format!(
                "tidegate {}\n  wanted {code}: {message}\n  got {found}: {text}",
                arguments.join(" ")
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), CASES.len(), wrong.join("\n"));
    // Nothing was lost, and nothing half-written lies about.
    let kept = fs::read_to_string(folder.path().join("kept.map")).unwrap();
    assert!(kept.ends_with("@@@\n@@@\n"));
    assert!(!folder.path().join("out.map").exists());
    let left = fs::read_dir(folder.path()).unwrap().flatten();
    assert_eq!(
        left.filter(|e| e.file_name().to_string_lossy().starts_with(".tidegate")).count(),
        0
    );
}

/// Someone who may read everything (an administrator) cannot be refused; then there is
/// nothing to see here, and the test says so.
#[cfg(unix)]
#[test]
fn a_file_without_permission_is_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("secret.map");
    fs::write(&file, "type octile\nheight 1\nwidth 1\nmap\n.\n").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&file).is_ok() {
        eprintln!("a_file_without_permission_is_named: skipped, this user may read everything");
        return;
    }
    let (code, text) = tidegate(&["info".into(), file.to_string_lossy().into_owned()]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("secret.map") && text.contains("denied"), "{text}");
}

/// `tidegate … | head` closes the pipe early: that is success, not an error.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_success() {
    let command = format!(
        "{} path --help > /dev/null; {} bench --help | true; exit ${{PIPESTATUS[0]:-0}}",
        env!("CARGO_BIN_EXE_tidegate"),
        env!("CARGO_BIN_EXE_tidegate")
    );
    let output = Command::new("bash").arg("-c").arg(command).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}
