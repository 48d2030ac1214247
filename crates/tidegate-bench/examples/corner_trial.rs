//! trial
use std::time::Instant;
use tidegate::corners::{CornerScratch, Corners};
use tidegate::grid::*;
use tidegate::{Movement, Path, Tile};
fn main() {
    for arg in std::env::args().skip(1) {
        let map = if let Some(side) = arg.strip_prefix("rts:") {
            let side = side.parse().unwrap();
            tidegate::generate::generate(tidegate::generate::Kind::Rts, side, side, 1).unwrap()
        } else {
            TileMap::read_any(&std::fs::read(&arg).unwrap(), "map").unwrap()
        };
        let grid = map.grid(Movement::NoCornerCutting);
        let t = Instant::now();
        let Some(corners) = Corners::build(&grid) else { println!("{arg}: refused after {:?}", t.elapsed()); continue };
        println!("{arg}: build {:?}", t.elapsed());
        let mut rng = tidegate::rng::Rng::new(1);
        let components = component::Components::of(&grid);
        let free: Vec<CellId> = grid.free_cells().collect();
        let mut pairs = vec![];
        while pairs.len() < 2000 {
            let a = *rng.pick(&free).unwrap(); let b = *rng.pick(&free).unwrap();
            if components.connected(a, b) { pairs.push((grid.tile(a), grid.tile(b))); }
        }
        let mut scratch = CornerScratch::new();
        let mut path = Path::new();
        // check
        let jmap = tidegate::jps::JpsMap::new(&grid).unwrap();
        let mut jps = tidegate::jps::Jps::new();
        let mut wrong = 0;
        for &(a, b) in &pairs {
            let d = corners.path(a, b, &mut scratch, &mut path);
            let (end, _) = jps.search(&jmap, &grid, grid.cell(a).unwrap(), grid.cell(b).unwrap(), &mut ()).unwrap();
            let tidegate::search::End::Goal(_, cost) = end else { panic!() };
            if d != Some(cost) || path.check(&grid).ok() != Some(u64::from(cost)) { wrong += 1; if wrong < 4 { println!("{a} {b} {d:?} {cost} {:?}", path.check(&grid)); } }
        }
        scratch.settled = 0; scratch.initial = 0; scratch.pushed = 0;
        let mut best = [f64::MAX; 3];
        for _ in 0..5 {
            let t = Instant::now();
            for &(a, b) in &pairs { std::hint::black_box(corners.distance(a, b, &mut scratch)); }
            best[0] = best[0].min(t.elapsed().as_secs_f64());
            let t = Instant::now();
            for &(a, b) in &pairs { std::hint::black_box(corners.turning_points(a, b, &mut scratch)); }
            best[1] = best[1].min(t.elapsed().as_secs_f64());
            let t = Instant::now();
            for &(a, b) in &pairs { std::hint::black_box(corners.path(a, b, &mut scratch, &mut path)); }
            best[2] = best[2].min(t.elapsed().as_secs_f64());
        }
        let n = pairs.len() as f64;
        let t = Instant::now();
        for &(a, b) in &pairs { std::hint::black_box(jps.search(&jmap, &grid, grid.cell(a).unwrap(), grid.cell(b).unwrap(), &mut ()).unwrap()); }
        let jus = t.elapsed().as_secs_f64()*1e6/n;
        println!("  wrong {wrong} us distance {:.2} turns {:.2} tiles {:.2} settled {:.1} pushed {:.1} initial {:.1} jps {jus:.1}", best[0]*1e6/n, best[1]*1e6/n, best[2]*1e6/n, scratch.settled as f64/15.0/n, scratch.pushed as f64/15.0/n, scratch.initial as f64/15.0/n);
    }
    let _ = Tile::new(0, 0);
}
