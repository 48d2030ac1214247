//! The sheet a map is drawn on. Outside is wall; [`Canvas::connect`] leaves one
//! connected piece of ground.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::grid::flood;
use crate::grid::map_file::is_free_letter;
use crate::rng::Rng;

/// Ground, wall: the letters every kind uses.
pub(super) const GROUND: u8 = b'.';
pub(super) const WALL: u8 = b'@';

const SIDES: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

pub(super) struct Canvas {
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) letters: Vec<u8>,
}

impl Canvas {
    pub(super) fn new(width: i32, height: i32, letter: u8) -> Canvas {
        Canvas { width, height, letters: vec![letter; width as usize * height as usize] }
    }

    fn contains(&self, x: i32, y: i32) -> bool {
        x >= 0 && y >= 0 && x < self.width && y < self.height
    }

    #[inline]
    pub(super) fn index(&self, x: i32, y: i32) -> usize {
        y as usize * self.width as usize + x as usize
    }

    /// The letter of a tile; outside the map is wall.
    #[inline]
    pub(super) fn at(&self, x: i32, y: i32) -> u8 {
        if self.contains(x, y) { self.letters[self.index(x, y)] } else { WALL }
    }

    #[inline]
    pub(super) fn is_free(&self, x: i32, y: i32) -> bool {
        is_free_letter(self.at(x, y))
    }

    /// Draws a letter; outside the map nothing happens.
    #[inline]
    pub(super) fn set(&mut self, x: i32, y: i32, letter: u8) {
        if self.contains(x, y) {
            let i = self.index(x, y);
            self.letters[i] = letter;
        }
    }

    /// Draws the rectangle x0 <= x < x1, y0 <= y < y1.
    pub(super) fn fill(&mut self, x0: i32, y0: i32, x1: i32, y1: i32, letter: u8) {
        for y in y0.max(0)..y1.min(self.height) {
            for x in x0.max(0)..x1.min(self.width) {
                self.set(x, y, letter);
            }
        }
    }

    /// A map without a single free tile helps nobody: then all of it becomes ground.
    pub(super) fn never_all_wall(&mut self) {
        if !self.letters.iter().any(|&l| is_free_letter(l)) {
            self.letters.fill(GROUND);
        }
    }

    /// Labels the 4-connected pieces of free ground (the pieces of every rule of
    /// movement that forbids squeezing between corners), from 1; walls are 0. Gives
    /// labels and the size of each piece; piece 0 is empty.
    pub(super) fn pieces(&self) -> (Vec<u32>, Vec<usize>) {
        let mut labels = vec![0u32; self.letters.len()];
        let mut sizes = vec![0];
        let mut stack = Vec::new();
        for y in 0..self.height {
            for x in 0..self.width {
                let label = sizes.len() as u32;
                let enter = |(x, y)| {
                    let fresh = self.is_free(x, y) && labels[self.index(x, y)] == 0;
                    if fresh {
                        labels[self.index(x, y)] = label;
                    }
                    fresh
                };
                let beside = |(x, y)| SIDES.into_iter().map(move |(dx, dy)| (x + dx, y + dy));
                let size = flood(&mut stack, (x, y), beside, enter) as usize;
                sizes.extend(Some(size).filter(|&size| size > 0));
            }
        }
        (labels, sizes)
    }

    /// Leaves one connected piece: pieces of at least `keep` tiles get an easy
    /// tunnel to the largest one, smaller ones are filled up. With `turned`, every
    /// tunnel is dug a second time on the map turned by 180 degrees, so that a
    /// symmetric map stays symmetric.
    pub(super) fn connect(&mut self, keep: usize, brush: i32, turned: bool) {
        let (labels, sizes) = self.pieces();
        let largest = sizes.iter().copied().max().unwrap_or(0);
        let Some(main) = sizes.iter().position(|&s| s == largest && s > 0) else { return };
        // Fill first: a tunnel may then cross where a small piece was.
        for (letter, &label) in self.letters.iter_mut().zip(&labels) {
            let size = sizes[label as usize];
            if label != 0 && size < keep && size != largest {
                *letter = WALL;
            }
        }
        let kept = |l: u32| {
            l as usize != main
                && l != 0
                && (sizes[l as usize] >= keep || sizes[l as usize] == largest)
        };
        let mut left = (0..sizes.len()).filter(|&l| kept(l as u32)).count();
        if left == 0 {
            return;
        }
        // Cheapest first from the main piece through everything; `back` leads home. Rock
        // is harder here and softer there, so that tunnels wind.
        let mut back = vec![u8::MAX; labels.len()];
        let mut open = BinaryHeap::new();
        for (i, &label) in labels.iter().enumerate() {
            if label as usize == main {
                back[i] = 4;
                let (x, y) = ((i % self.width as usize) as i32, (i / self.width as usize) as i32);
                if SIDES.into_iter().any(|(dx, dy)| !self.is_free(x + dx, y + dy)) {
                    open.push(Reverse((0u64, i)));
                }
            }
        }
        let mut reached = vec![false; sizes.len()];
        while left > 0 {
            let Some(Reverse((cost, i))) = open.pop() else { break };
            let (x, y) = ((i % self.width as usize) as i32, (i / self.width as usize) as i32);
            let label = labels[i];
            if kept(label) && !reached[label as usize] {
                reached[label as usize] = true;
                left -= 1;
                self.tunnel(x, y, &back, brush, turned);
            }
            for (way, (dx, dy)) in SIDES.into_iter().enumerate() {
                let (x, y) = (x + dx, y + dy);
                if self.contains(x, y) && back[self.index(x, y)] == u8::MAX {
                    let i = self.index(x, y);
                    back[i] = way as u8;
                    open.push(Reverse((cost + 2 + Rng::new((i / 2) as u64).below(9) as u64, i)));
                }
            }
        }
    }

    fn tunnel(&mut self, mut x: i32, mut y: i32, back: &[u8], brush: i32, turned: bool) {
        while let Some((dx, dy)) = SIDES.get(back[self.index(x, y)] as usize) {
            (x, y) = (x - dx, y - dy);
            for (x, y) in [(x, y), (self.width - 1 - x, self.height - 1 - y)]
                .into_iter()
                .take(1 + usize::from(turned))
            {
                for dy in -brush..=brush {
                    for dx in -brush..=brush {
                        let (x, y) = (x + dx, y + dy);
                        if dx * dx + dy * dy <= brush * brush && !self.is_free(x, y) {
                            self.set(x, y, GROUND);
                        }
                    }
                }
            }
        }
    }
}
