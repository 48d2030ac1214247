//! Walks at any angle of an index that is edited, saved and built again, against a search on the map as it is.

use tidegate::anyangle::{
    AnyAngle, AnyAngleScratch, LiveAngleLabels, Point, Walk, WalkError, WalkQuery,
};
use tidegate::index::Change;
use tidegate::labels::{Form, LabelOptions};
use tidegate::rng::Rng;
use tidegate::{Blocked, Grid, Index, Scratch};

use super::Bytes;

/// The most things done to one index.
const STEPS: usize = 24;

pub(super) fn run(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let mut index = Index::new(bytes.grid(10));
    let (mut scratch, mut walk) = (Scratch::new(), Walk::default());
    for _ in 0..STEPS {
        if bytes.is_empty() {
            break;
        }
        match bytes.below(8) {
            0 => index.build::<AnyAngle>(&()).map(drop).expect("it is never refused"),
            1 => {
                let form = Form::ALL[bytes.below(3)];
                let options = LabelOptions { form, effort: 1000, ..LabelOptions::default() };
                index.build::<LiveAngleLabels>(&options).map(drop).expect("a small map");
            }
            2 | 3 => {
                let tile = bytes.tile(index.grid());
                let is_free = index.grid().is_free(tile);
                let change = if is_free { Change::wall(tile) } else { Change::free(tile) };
                // Outside the map it is refused, and nothing is changed.
                assert_eq!(index.edit([change]).is_ok(), index.grid().contains(tile));
            }
            4 => index = Index::from_bytes(&index.to_bytes()).expect("its own bytes"),
            _ => ask(&index, &mut bytes, &mut scratch, &mut walk),
        }
    }
    ask(&index, &mut bytes, &mut scratch, &mut walk);
}

pub(super) fn seeds() -> Vec<Vec<u8>> {
    let seed = |n: u64| {
        let mut rng = Rng::new(n);
        let mut bytes: Vec<u8> = (0..120).map(|_| rng.bits() as u8).collect();
        // Mostly free tiles, then labels.
        bytes[3..21].iter_mut().for_each(|b| *b &= rng.bits() as u8);
        bytes[21] = 1;
        bytes
    };
    (0..12).map(seed).collect()
}

/// The centre of a tile, or a point in it, on its edge or beyond.
fn point(grid: &Grid, bytes: &mut Bytes<'_>) -> Point {
    let (tile, kind) = (bytes.tile(grid), bytes.below(4));
    let centre = Point::from(tile);
    let mut part = || match kind {
        0 | 1 => 0,
        2 => [-128, 0, 128][bytes.below(3)],
        _ => i32::from(bytes.next()) - 128,
    };
    Point::new(centre.x + part(), centre.y + part())
}

/// One question, compared with a search that knows nothing but the walls.
fn ask(index: &Index, bytes: &mut Bytes<'_>, scratch: &mut Scratch, walk: &mut Walk) {
    let grid = index.grid();
    let (start, goal) = (point(grid, bytes), point(grid, bytes));
    let blocked: Vec<_> = (0..bytes.below(3)).map(|_| bytes.tile(grid)).collect();
    let mut walls = grid.clone();
    for &tile in blocked.iter().filter(|&&tile| grid.contains(tile)) {
        walls.set_free(tile, false);
    }
    let blocked = Blocked::new(blocked);
    let query = WalkQuery::new(start, goal).with_blocked(&blocked);
    let found = index.find_walk(&query, scratch, walk);
    let (before, now) = (AnyAngle::new(grid), AnyAngle::new(&walls));
    let wanted = now.find(start, goal, &mut AnyAngleScratch::new());
    let about = || format!("{query:?}: {found:?}, {wanted:?}\n{walls:?}");
    match &found {
        Ok(Some(_)) => {
            let wanted = wanted.as_ref().unwrap_or_else(|| panic!("{}", about()));
            assert!((walk.length() - wanted.length()).abs() < 1e-9, "{walk:?}: {}", about());
            let ends = (walk.points().first(), walk.points().last());
            assert_eq!(ends, (Some(&start), Some(&goal)), "{}", about());
            assert!(walk.is_free(&now), "{walk:?}: {}", about());
        }
        Ok(None) => {
            assert!(walk.points().is_empty() && wanted.is_none(), "{}", about());
            assert!(now.is_free(start) && now.is_free(goal), "{}", about());
        }
        Err(WalkError::Outside { point, .. } | WalkError::Wall { point, .. }) => {
            assert!(!before.is_free(*point), "{}", about());
        }
        Err(WalkError::Blocked { point, .. }) => {
            assert!(before.is_free(*point) && !now.is_free(*point), "{}", about());
        }
        Err(other) => panic!("{other}: {}", about()),
    }
}
