//! Changes of the map: ten thousand edits after which the repaired graph must equal a
//! fresh one, and what a repair costs against a rebuild on a large map.

use anyhow::{Result, ensure};
use tidegate::hpa::{Hpa, HpaScratch, Options};
use tidegate::rng::Rng;
use tidegate::{Grid, Movement, Path, Tile};
use tidegate_testkit::{maps, oracle};

use crate::{Run, micros};

const EDITS: usize = 10_000;

pub(crate) fn show(run: &Run) -> Result<()> {
    soak()?;
    let mut csv = "map,width,height,edits,repair_micros,rebuild_micros,ratio\n".to_string();
    let large = |case: &&tidegate_bench::suite::Case| {
        case.grid(Movement::NoCornerCutting)
            .is_ok_and(|grid| (grid.width(), grid.height()) == (1024, 1024))
    };
    let cases = run.suite.cases(&["sc1".into()], &[])?;
    for case in cases.iter().filter(large).take(1) {
        csv += &cost(&case.map, case.grid(Movement::NoCornerCutting)?)?;
    }
    let mut rng = Rng::new(1);
    let scattered = Grid::from_fn(1024, 1024, Movement::NoCornerCutting, |_, _| !rng.chance(20))?;
    csv += &cost("scattered walls 20 %", scattered)?;
    run.write("edits.csv", &csv)
}

/// Maps of several kinds, edited one tile at a time; after every edit the graph equals a
/// fresh one, and a query is answered as the oracle does.
fn soak() -> Result<()> {
    let (mut edits, mut answers, mut seed) = (0, 0, 0);
    let (mut scratch, mut path) = (HpaScratch::new(), Path::new());
    while edits < EDITS {
        seed += 1;
        let movement = Movement::ALL[seed as usize % 3];
        let mut grid = maps::small(seed, movement);
        let mut rng = Rng::new(seed);
        let base = if rng.chance(50) { Options::default() } else { Options::paper() };
        let levels = Some(1 + rng.below(3) as u32);
        let options = Options { cluster: 3 + rng.below(8) as u32, levels, ..base };
        let mut hpa = Hpa::build(&grid, &options)?;
        for _ in 0..50 {
            let (x, y) = (rng.below(grid.width() as usize), rng.below(grid.height() as usize));
            let tile = Tile::new(x as u16, y as u16);
            let free = !grid.is_free(tile);
            grid.set_free(tile, free);
            hpa.repair(&grid, &[tile]);
            edits += 1;
            let fresh = Hpa::build(&grid, &options)?;
            ensure!(hpa.same_graph(&fresh), "seed {seed}: repair differs after {tile}\n{grid:?}");
            let [a, b] = maps::free_tiles(&grid, 2, &mut rng)[..] else { continue };
            let ours = hpa.planner(&grid).find(a, b, &mut scratch, &mut path);
            let least = oracle::distance(&grid, a, b);
            ensure!(ours.is_some() == least.is_some(), "seed {seed}: {a} to {b}\n{grid:?}");
            if let Some(ours) = ours {
                path.check_answer(&grid, a, b, ours)?;
            }
            answers += 1;
        }
    }
    println!(
        "  {edits} edits on {seed} maps: repair equals rebuild; {answers} answers as the oracle's"
    );
    Ok(())
}

/// Mean cost of a repair and of a rebuild.
fn cost(name: &str, mut grid: Grid) -> Result<String> {
    let options = Options::default();
    let (rebuild, hpa) = micros(3, || Hpa::build(&grid, &options));
    let (mut hpa, mut rng, mut sum) = (hpa?, Rng::new(7), 0.0);
    let edits = 100;
    for _ in 0..edits {
        let tile = maps::free_tiles(&grid, 1, &mut rng)[0];
        grid.set_free(tile, false);
        sum += micros(1, || hpa.repair(&grid, &[tile])).0;
    }
    ensure!(hpa.same_graph(&Hpa::build(&grid, &options)?), "repair differs from rebuild");
    let repair = sum / f64::from(edits);
    println!("  {name}: repair {repair:.0} µs, rebuild {rebuild:.0} µs: 1/{:.0}", rebuild / repair);
    let (width, height) = (grid.width(), grid.height());
    Ok(format!(
        "{name},{width},{height},{edits},{repair:.1},{rebuild:.1},{:.6}\n",
        repair / rebuild
    ))
}
