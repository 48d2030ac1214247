//! A maze: a random spanning tree of a lattice of corridors, walls one tile thick, and
//! a few walls pulled down so that there are loops to choose between.

use super::canvas::{Canvas, GROUND, WALL};
use crate::rng::Rng;

/// Of a hundred walls between corridors that remain, this many are pulled down.
const LOOPS: u32 = 3;

pub(super) fn draw(width: i32, height: i32, corridor: i32, rng: &mut Rng) -> Canvas {
    let mut canvas = Canvas::new(width, height, WALL);
    let (across, down) = (Axis::new(width, corridor), Axis::new(height, corridor));
    let room = |canvas: &mut Canvas, i: i32, j: i32| {
        let ((x0, x1), (y0, y1)) = (across.span(i), down.span(j));
        canvas.fill(x0, y0, x1, y1, GROUND);
    };
    // Opens the wall after room (i, j), to the right or below.
    let open = |canvas: &mut Canvas, i: i32, j: i32, right: bool| {
        let ((x0, x1), (y0, y1)) = (across.span(i), down.span(j));
        if right {
            canvas.fill(x1, y0, x1 + 1, y1, GROUND);
        } else {
            canvas.fill(x0, y1, x1, y1 + 1, GROUND);
        }
    };
    let mut seen = vec![false; (across.rooms * down.rooms) as usize];
    let at = |i: i32, j: i32| (j * across.rooms + i) as usize;
    let mut stack =
        vec![(rng.below(across.rooms as usize) as i32, rng.below(down.rooms as usize) as i32)];
    while let Some(&(i, j)) = stack.last() {
        if !seen[at(i, j)] {
            seen[at(i, j)] = true;
            room(&mut canvas, i, j);
        }
        let mut ways = [(1, 0), (0, 1), (-1, 0), (0, -1)];
        rng.shuffle(&mut ways);
        let next = ways.into_iter().map(|(di, dj)| (i + di, j + dj)).find(|&(i, j)| {
            (0..across.rooms).contains(&i) && (0..down.rooms).contains(&j) && !seen[at(i, j)]
        });
        match next {
            Some((ni, nj)) => {
                open(&mut canvas, i.min(ni), j.min(nj), i != ni);
                stack.push((ni, nj));
            }
            None => drop(stack.pop()),
        }
    }
    for j in 0..down.rooms {
        for i in 0..across.rooms {
            if i + 1 < across.rooms && rng.chance(LOOPS) {
                open(&mut canvas, i, j, true);
            }
            if j + 1 < down.rooms && rng.chance(LOOPS) {
                open(&mut canvas, i, j, false);
            }
        }
    }
    canvas
}

/// How a side of the map is cut into corridors and walls; the last corridor takes what
/// is left over.
struct Axis {
    side: i32,
    pitch: i32,
    rooms: i32,
}

impl Axis {
    fn new(side: i32, corridor: i32) -> Axis {
        Axis { side, pitch: corridor + 1, rooms: ((side + 1) / (corridor + 1)).max(1) }
    }

    fn span(&self, i: i32) -> (i32, i32) {
        let end = if i + 1 == self.rooms { self.side } else { (i + 1) * self.pitch - 1 };
        (i * self.pitch, end)
    }
}
