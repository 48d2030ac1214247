//! Small inputs that ask for much: refused or done within the stated memory. The limit is
//! set from outside on the address space, so that one allocation beyond it would end the
//! program with a crash instead of its exit code.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// File, the arguments before it, the address space in MiB, the exit code, part of the
/// message.
type Case = (&'static str, &'static [&'static str], u32, i32, &'static str);

/// The program alone, with its code and its C library, takes some 10 MiB.
const CASES: &[Case] = &[
    // 4 Mi tiles blocked: a few bytes each.
    (
        "wide.map",
        &["path", "--from", "0,2047", "--to", "2047,2047", "--block", "0,0:2047,2000"],
        512,
        0,
        "length 2047",
    ),
    ("claims-2^32.map", &["info"], 64, 2, "is not supported"),
    ("claims-2^28.map", &["info"], 64, 2, "the row has 3 tiles, the map is 65535 wide"),
    ("claims-2^64.map", &["info"], 64, 2, "expected \"height\" and a number"),
    // 2^28 pixels in 32 KB, and 2^32 in 1 KB.
    ("deep.png", &["info"], 128, 2, "more than the 64 MiB"),
    ("huge.png", &["info"], 64, 2, "is not supported"),
    // 64 Mi pixels, as large as a picture may be: the letters and the grid follow.
    ("largest.png", &["info"], 1024, 0, "8192 x 8192 tiles"),
    ("many.scen", &["info"], 512, 2, "line 1048578: at most 1048576 problems"),
    // A hundred million lines.
    ("endless.scen", &["info"], 512, 2, "is too large: at most"),
    ("claims.tide", &["info"], 64, 2, "claims.tide"),
    // An index may be larger than any map: it is read, and refused for what is in it.
    ("large.tide", &["info"], 1024, 2, "format version 0"),
    ("zeros", &["info"], 1024, 2, "is too large: at most"),
    (
        "nested.json",
        &["index", "field.map", "-o", "x.tide", "--decomposition"],
        256,
        2,
        "nested.json",
    ),
    ("gates.json", &["index", "field.map", "-o", "x.tide", "--decomposition"], 256, 2, "overlap"),
];

fn lay_out(folder: &Path) {
    let map = |name: &str, height: &str, width: &str| {
        let text = format!("type octile\nheight {height}\nwidth {width}\nmap\n...\n");
        fs::write(folder.join(name), text).unwrap();
    };
    map("claims-2^32.map", "65535", "65535");
    map("claims-2^28.map", "4096", "65535");
    map("claims-2^64.map", "99999999999999999999", "1");
    map("field.map", "1", "3");
    let rows = format!("{}\n", ".".repeat(2048)).repeat(2048);
    let wide = format!("type octile\nheight 2048\nwidth 2048\nmap\n{rows}");
    fs::write(folder.join("wide.map"), wide).unwrap();
    for (name, width, height) in [("deep.png", 65535, 4096), ("largest.png", 8192, 8192)] {
        let mut out = fs::File::create(folder.join(name)).unwrap();
        let mut encoder = png::Encoder::new(&mut out, width, height);
        encoder.set_depth(png::BitDepth::One);
        encoder.set_compression(png::Compression::High);
        let mut writer = encoder.write_header().unwrap();
        let rows = vec![0xff; (width as usize).div_ceil(8) * height as usize];
        writer.write_image_data(&rows).unwrap();
        writer.finish().unwrap();
    }
    // The same header with other sides: the checksum of the header must be right.
    let mut huge = fs::read(folder.join("deep.png")).unwrap();
    huge.truncate(1024);
    huge[16..24].copy_from_slice(&[0, 0xff, 0xff, 0xff, 0, 0xff, 0xff, 0xff]);
    let sum = crc32fast::hash(&huge[12..29]);
    huge[29..33].copy_from_slice(&sum.to_be_bytes());
    fs::write(folder.join("huge.png"), huge).unwrap();
    let mut scenario = fs::File::create(folder.join("many.scen")).unwrap();
    let line = b"0 a 1 1 0 0 0 0 0\n";
    scenario.write_all(b"version 1\n").unwrap();
    scenario.write_all(&line.repeat(1_200_000)).unwrap();
    let endless = fs::File::create(folder.join("endless.scen")).unwrap();
    endless.set_len(line.len() as u64 * 100_000_000).unwrap();
    // A table of 2^32 sections in a file of 1 KB.
    let mut claims = vec![0xff_u8; 1024];
    claims[..12].copy_from_slice(b"\x89TIDE\r\n\x1a\x01\0\0\0");
    claims[16..24].copy_from_slice(&1024_u64.to_le_bytes());
    fs::write(folder.join("claims.tide"), claims).unwrap();
    let large = fs::File::create(folder.join("large.tide")).unwrap();
    (&large).write_all(b"\x89TIDE\r\n\x1a").unwrap();
    large.set_len(340 << 20).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.join("zeros")).unwrap();
    fs::write(folder.join("nested.json"), "[".repeat(1 << 20)).unwrap();
    let gates = [r#"{"a":[0,0],"b":[2,0]}"#; 20_000].join(",");
    let json = format!(
        r#"{{"version":1,"map":{{"width":3,"height":1}},"method":"water","raw_gates":1,"gates":[{gates}]}}"#
    );
    fs::write(folder.join("gates.json"), json).unwrap();
}

/// Runs a command to its end. Its output, and the peak of its memory in MiB as far as it was
/// seen: the system's own high-water mark, read every millisecond.
fn watched(mut command: Command) -> (Output, u64) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let mark = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let mark = mark.and_then(|mark| mark.trim().trim_end_matches(" kB").parse().ok());
        peak = peak.max(mark.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(1));
    }
    (child.wait_with_output().unwrap(), peak / 1024)
}

#[test]
fn small_inputs_stay_within_the_stated_memory() {
    let folder = TempDir::new().unwrap();
    lay_out(folder.path());
    for &(file, arguments, mebibytes, code, message) in CASES {
        let mut command = Command::new("bash");
        command.current_dir(folder.path());
        command.args(["-c", "ulimit -v $1; shift; exec \"$@\"", "limited"]);
        command.arg((mebibytes * 1024).to_string()).arg(env!("CARGO_BIN_EXE_tidegate"));
        command.args(arguments).arg(file);
        let clock = Instant::now();
        let (output, peak) = watched(command);
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert_eq!(output.status.code(), Some(code), "{file}, {mebibytes} MiB: {text}");
        assert!(text.contains(message), "{file}: {text}");
        let bytes = fs::metadata(folder.path().join(file)).unwrap().len();
        let seconds = clock.elapsed().as_secs_f64();
        println!("{file}: {bytes} bytes, limit {mebibytes} MiB, peak {peak} MiB, {seconds:.1} s");
    }
}
