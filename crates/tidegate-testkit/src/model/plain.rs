//! The map of the model: an array of tiles, the rule of movement written out, and Dijkstra. Nothing of the
//! library is used but the names of the rules and the costs of the two kinds of steps.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tidegate::cost::{DIAGONAL, Factor, STRAIGHT};
use tidegate::{Grid, Movement, Tile};

/// A tile's column and row, as programs write it.
pub type At = (u16, u16);

/// Ordinary ground, in hundredths.
pub(super) const EVEN: u16 = 100;

/// What a letter of a drawn map costs, in hundredths; walls keep the cost of ordinary ground.
const LETTERS: [(char, u16); 5] =
    [('.', EVEN), ('2', 200), ('3', 350), ('9', 900), ('~', u16::MAX)];

/// Which tiles are free and what they cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plain {
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) movement: Movement,
    pub(super) free: Vec<bool>,
    pub(super) factors: Vec<u16>,
}

/// The letter of a tile that costs so many hundredths, if there is one.
pub(super) fn letter(hundredths: u16) -> char {
    LETTERS.iter().find(|(_, factor)| *factor == hundredths).map_or('?', |(letter, _)| *letter)
}

impl Plain {
    pub(super) fn from_rows(rows: &[String], movement: Movement) -> Plain {
        let letters: Vec<char> = rows.iter().flat_map(|row| row.chars()).collect();
        let (width, height) = (rows[0].chars().count() as i32, rows.len() as i32);
        assert_eq!(letters.len() as i32, width * height, "rows of one length: {rows:?}");
        let factor = |letter: &char| LETTERS.iter().find(|(known, _)| known == letter);
        let factors = letters.iter().map(|letter| factor(letter).map_or(EVEN, |&(_, f)| f));
        let free = letters.iter().map(|letter| factor(letter).is_some());
        Plain { width, height, movement, free: free.collect(), factors: factors.collect() }
    }

    /// The library's grid of this map.
    pub(super) fn grid(&self) -> Grid {
        let free = |x: u32, y: u32| self.is_free(x as i32, y as i32);
        let grid = Grid::from_fn(self.width as u32, self.height as u32, self.movement, free);
        let factor = |&f: &u16| Factor::from_hundredths(f).expect("at least one");
        grid.expect("a size that fits").with_factors(self.factors.iter().map(factor).collect())
    }

    /// In what the library's grid differs.
    pub(super) fn compare(&self, grid: &Grid) -> Result<(), String> {
        for (place, tile) in self.tiles().enumerate() {
            let (ours, theirs) = (self.free[place], grid.is_free(tile));
            let factor = grid.factor(tile).hundredths();
            if ours != theirs || self.factors[place] != factor {
                let own = self.factors[place];
                return Err(format!("{tile}: free {theirs}, factor {factor}; not {ours}, {own}"));
            }
        }
        Ok(())
    }

    pub(super) fn contains(&self, (x, y): At) -> bool {
        i32::from(x) < self.width && i32::from(y) < self.height
    }

    pub(super) fn is_free(&self, x: i32, y: i32) -> bool {
        x >= 0 && y >= 0 && x < self.width && y < self.height && self.free[self.place(x, y)]
    }

    pub(super) fn is_free_tile(&self, (x, y): At) -> bool {
        self.is_free(x.into(), y.into())
    }

    /// Whether all ground costs the same.
    pub(super) fn is_even(&self) -> bool {
        self.factors.iter().all(|&factor| factor == EVEN)
    }

    fn place(&self, x: i32, y: i32) -> usize {
        (y * self.width + x) as usize
    }

    pub(super) fn index(&self, (x, y): At) -> usize {
        self.place(x.into(), y.into())
    }

    /// All tiles, in row order.
    pub(super) fn tiles(&self) -> impl Iterator<Item = Tile> + use<> {
        let (width, height) = (self.width as u16, self.height as u16);
        (0..height).flat_map(move |y| (0..width).map(move |x| Tile::new(x, y)))
    }

    /// The cost of a step, or `None` if the rule of movement forbids it.
    pub(super) fn step(&self, (x, y): (i32, i32), (dx, dy): (i32, i32)) -> Option<u64> {
        if !self.is_free(x, y) || !self.is_free(x + dx, y + dy) {
            return None;
        }
        let base = match (dx.abs(), dy.abs()) {
            (1, 0) | (0, 1) => STRAIGHT,
            (1, 1) => {
                let beside = [self.is_free(x + dx, y), self.is_free(x, y + dy)];
                let legal = match self.movement {
                    Movement::NoCornerCutting => beside == [true; 2],
                    Movement::OneSideFree => beside != [false; 2],
                    Movement::FourConnected => false,
                };
                if !legal {
                    return None;
                }
                DIAGONAL
            }
            _ => return None,
        };
        let factor = |x, y| u64::from(self.factors[self.place(x, y)]);
        Some(u64::from(base.get()) * (factor(x, y) + factor(x + dx, y + dy)) / 200)
    }

    /// The least cost from the nearest of these tiles to every tile.
    pub(super) fn flood(&self, from: &[At]) -> Vec<Option<u64>> {
        let mut least: Vec<Option<u64>> = vec![None; self.free.len()];
        let mut open = BinaryHeap::new();
        for &at in from.iter().filter(|&&at| self.is_free_tile(at)) {
            least[self.index(at)] = Some(0);
            open.push(Reverse((0_u64, i32::from(at.0), i32::from(at.1))));
        }
        while let Some(Reverse((cost, x, y))) = open.pop() {
            if least[self.place(x, y)] != Some(cost) {
                continue;
            }
            for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                let Some(step) = self.step((x, y), (dx, dy)) else { continue };
                let (next, sum) = (self.place(x + dx, y + dy), cost + step);
                if least[next].is_none_or(|known| sum < known) {
                    least[next] = Some(sum);
                    open.push(Reverse((sum, x + dx, y + dy)));
                }
            }
        }
        least
    }

    /// The cost of a path, or why it is none.
    pub(super) fn cost_of(&self, path: &[Tile]) -> Result<u64, String> {
        let at = |tile: Tile| (i32::from(tile.x), i32::from(tile.y));
        let first = at(*path.first().ok_or("no path")?);
        if !self.is_free(first.0, first.1) {
            return Err(format!("the path begins in a wall at {first:?}"));
        }
        let mut sum = 0;
        for step in path.windows(2) {
            let (from, to) = (at(step[0]), at(step[1]));
            let cost = self.step(from, (to.0 - from.0, to.1 - from.1));
            sum += cost.ok_or_else(|| format!("no step leads from {from:?} to {to:?}"))?;
        }
        Ok(sum)
    }

    /// The map for one query: blocked tiles are walls, but for where the unit stands; a layer is added.
    pub(super) fn seen(&self, blocked: &[At], start: Option<At>, layer: Option<&[u16]>) -> Plain {
        let mut seen = self.clone();
        for &at in blocked.iter().filter(|&&at| self.contains(at) && start != Some(at)) {
            let place = seen.index(at);
            seen.free[place] = false;
        }
        for (factor, &extra) in seen.factors.iter_mut().zip(layer.into_iter().flatten()) {
            *factor = factor.saturating_add(extra);
        }
        seen
    }

    /// The map of a unit of this size, which stands on the tiles right of and below its own.
    pub(super) fn for_size(&self, size: u8) -> Plain {
        let mut map = self.clone();
        for (place, tile) in self.tiles().enumerate() {
            let (x, y, size) = (i32::from(tile.x), i32::from(tile.y), i32::from(size));
            let under = (y..y + size).flat_map(|y| (x..x + size).map(move |x| (x, y)));
            map.free[place] = under.clone().all(|(x, y)| self.is_free(x, y));
            if map.free[place] {
                let worst = under.map(|(x, y)| self.factors[self.place(x, y)]).max();
                map.factors[place] = worst.unwrap_or(EVEN);
            }
        }
        map
    }

    /// Drawn, `?` where the ground costs what no letter says.
    pub(super) fn rows(&self) -> Vec<String> {
        let tile = |place: usize| match self.free[place] {
            true => letter(self.factors[place]),
            false => '#',
        };
        let width = self.width as usize;
        let row = |y: usize| (y * width..(y + 1) * width).map(tile).collect();
        (0..self.height as usize).map(row).collect()
    }
}
