//! What walks at any angle cost: microseconds a query on the problems of a suite, and how much shorter
//! they are than octile paths and than these pulled tight.
//!
//! ```sh
//! cargo run --profile quick -p tidegate --example anyangle_costs -- SUITE SET [EVERY]
//! ```
//!
//! SUITE is a folder with `maps/SET/*.map` and `scenarios/SET/*.map.scen`.

use std::hint::black_box;
use std::io::Write as _;
use std::path::Path as FilePath;
use std::time::Instant;

use tidegate::anyangle::{AnyAngle, AnyAngleScratch, Walk};
use tidegate::grid::{TileMap, scen_file};
use tidegate::straighten::{LineRule, Sight, Waypoints};
use tidegate::{Index, Movement, Path, Query, Scratch, engine};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [suite, set, rest @ ..] = &arguments[..] else {
        return Err("give a suite's folder and the name of a set".into());
    };
    let every: usize = rest.first().map_or(Ok(10), |text| text.parse())?;
    let folder = FilePath::new(suite).join("maps").join(set);
    let mut files: Vec<_> =
        std::fs::read_dir(&folder)?.map(|file| Ok(file?.path())).collect::<Result<_, Failure>>()?;
    files.sort();
    let (mut all, mut sums, mut bends, mut expanded) = (Vec::new(), [0.0; 3], 0, 0);
    let (mut bytes, mut built) = (0, 0.0);
    let mut maps = 0;
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let scenario =
            FilePath::new(suite).join("scenarios").join(set).join(format!("{name}.scen"));
        let Ok(problems) = std::fs::read(&scenario) else { continue };
        let map = TileMap::parse(&std::fs::read(&file)?)?;
        // Octile paths that may cut half a corner, as a point does.
        let mut index = Index::new(map.grid(Movement::OneSideFree));
        index.prepare(engine::JPS)?;
        let clock = Instant::now();
        let plane = AnyAngle::new(index.grid());
        built += clock.elapsed().as_secs_f64();
        (bytes, maps) = (bytes + plane.bytes(), maps + 1);
        let (mut scratch, mut walk) = (AnyAngleScratch::new(), Walk::default());
        let (mut search, mut path) = (Scratch::new(), Path::new());
        let mut pulled = Waypoints::new();
        for problem in scen_file::parse(&problems)?.iter().step_by(every) {
            let (start, goal) = (problem.start, problem.goal);
            let mut least = f64::INFINITY;
            let mut found = false;
            for _ in 0..3 {
                let clock = Instant::now();
                found = black_box(plane.find_into(start, goal, &mut scratch, &mut walk));
                least = least.min(clock.elapsed().as_secs_f64() * 1e6);
            }
            let answer = index.find(engine::JPS, &Query::new(start, goal), &mut search, &mut path);
            let Ok(answer) = answer else { continue };
            assert_eq!(found, answer.cost().is_some(), "{name}: {start} to {goal}");
            if !found {
                continue;
            }
            Sight::new(index.grid()).with_rule(LineRule::Point).straighten(&path, &mut pulled)?;
            let lengths = [walk.length(), pulled.length(), path.length().value()];
            assert!(lengths[0] <= lengths[1] + 1e-9, "{name}: {start} to {goal}: {lengths:?}");
            sums.iter_mut().zip(lengths).for_each(|(sum, length)| *sum += length);
            bends += walk.points().len() - 2;
            expanded += scratch.expanded();
            all.push(least);
        }
    }
    all.sort_by(f64::total_cmp);
    let count = all.len();
    let mean = all.iter().sum::<f64>() / count as f64;
    writeln!(
        std::io::stdout(),
        "{set}: {maps} maps, {count} problems: mean {mean:.1} µs, median {:.1}, 99 % within {:.1}, \
         most {:.0}; {:.1} corners expanded, {:.1} bends; {:.0} kB and {:.2} ms a map; pulled tight \
         {:.2} % longer, octile {:.2} % longer",
        all[count / 2],
        all[count * 99 / 100],
        all[count - 1],
        expanded as f64 / count as f64,
        bends as f64 / count as f64,
        bytes as f64 / 1e3 / f64::from(maps),
        built * 1e3 / f64::from(maps),
        100.0 * (sums[1] / sums[0] - 1.0),
        100.0 * (sums[2] / sums[0] - 1.0),
    )?;
    Ok(())
}
