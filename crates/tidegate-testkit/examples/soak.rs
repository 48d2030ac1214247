//! The model of the library on real maps for a long time: `soak SECONDS`. Random steps with every engine of the
//! library, each answer compared with the model, memory told once a minute. Maps of the benchmark where they
//! are (see `bench_data`), else bundled ones.

use std::time::{Duration, Instant};

use tidegate::Movement;
use tidegate::engine;
use tidegate::grid::TileMap;
use tidegate::rng::Rng;
use tidegate_testkit::bench_data;
use tidegate_testkit::hostile::Bytes;
use tidegate_testkit::model::{Counts, Plant, Program, Runner, Set, Step, Writer};

/// Steps on one map before the next one's turn.
const STEPS: usize = 400;

fn maps() -> Vec<std::path::PathBuf> {
    let real = bench_data::folder("soak").map(|folder| {
        let names = ["sc1/ArcticStation", "dao/brc100d", "sc1/BigGameHunters", "dao/brc204d"];
        let paths = names.map(|name| folder.join("maps").join(format!("{name}.map")));
        paths.into_iter().filter(|path| path.is_file()).collect::<Vec<_>>()
    });
    let bundled = || {
        let folder = bench_data::bundled_suite().join("maps/bundled");
        ["rts-256.map", "caves-256.map"].map(|name| folder.join(name)).to_vec()
    };
    real.filter(|paths| !paths.is_empty()).unwrap_or_else(bundled)
}

/// Megabytes that the process holds, where the system tells.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().split(' ').next()?.parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}

/// Sectors that are fitted to a map take minutes on one of this size; labels of each size of units too.
fn is_too_slow(step: &Step) -> bool {
    let slow = |name: &str| name.starts_with("maat") || name == "dsma";
    match step {
        Step::Prepare(name) | Step::BuildApart(name, _) => slow(name),
        Step::Unit(_, name, ..) => slow(name) || *name == "labels" || *name == "corners",
        _ => false,
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seconds = std::env::args().nth(1).ok_or("usage: soak SECONDS")?.parse()?;
    let (begin, whole) = (Instant::now(), Duration::from_secs(seconds));
    let (mut counts, mut minute, mut round) = (Counts::default(), 0, 0);
    let maps = maps();
    while begin.elapsed() < whole {
        let path = &maps[round % maps.len()];
        let grid = TileMap::parse(&std::fs::read(path)?)?.grid(Movement::default());
        let letter = |x: u32, y: u32| if grid.is_free_at(x as i32, y as i32) { '.' } else { '#' };
        let row = |y: u32| (0..grid.width()).map(|x| letter(x, y)).collect::<String>();
        let rows: Vec<String> = (0..grid.height()).map(row).collect();
        let movement = Movement::ALL[round / maps.len() % 3];
        let engines: Vec<&'static str> = engine::ALL.iter().map(|engine| engine.name()).collect();
        let mut writer = Writer::new(&rows).with_engines(engines.clone());
        let mut runner =
            Runner::new(&Program { movement, rows, steps: Vec::new() }, Plant::Nothing);
        let mut rng = Rng::new(round as u64);
        let prepare = engines.into_iter().map(Step::Prepare);
        let mut steps: Vec<Step> = prepare.collect();
        steps.reverse();
        for n in 0..STEPS {
            let step = steps.pop().unwrap_or_else(|| {
                let bytes: Vec<u8> = (0..200).map(|_| rng.bits() as u8).collect();
                writer.step(&mut Bytes::new(&bytes))
            });
            // Uneven ground, on which some engines rest, in one round of four.
            let uneven = matches!(&step, Step::Edit(sets) if sets.iter().any(|set| matches!(set, Set::Cost(..))));
            if is_too_slow(&step) || uneven && round % 4 != 3 {
                continue;
            }
            runner.step(&step).map_err(|what| {
                format!(
                    "{}, {movement:?}, round {round}, step {n}, {step:?}: {what}",
                    path.display()
                )
            })?;
            if begin.elapsed().as_secs() / 60 > minute {
                minute = begin.elapsed().as_secs() / 60;
                let (memory, scratch) = (resident().unwrap_or(0), runner.scratch_bytes() >> 20);
                let mut all = counts;
                all += runner.counts();
                println!(
                    "{minute} minutes: {} steps, {} edits, {} answers, 0 wrong; {memory} MB, scratch {scratch} MB",
                    all.steps, all.edits, all.answers
                );
            }
            if begin.elapsed() >= whole {
                break;
            }
        }
        counts += runner.counts();
        let (name, seconds) = (path.file_stem().unwrap_or_default(), begin.elapsed().as_secs());
        println!("{seconds} s, {} ({movement:?}): {:?}", name.display(), runner.counts());
        round += 1;
    }
    println!("{counts:?}; {} MB at the end", resident().unwrap_or(0));
    Ok(())
}
