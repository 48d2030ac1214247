//! Which field each tile belongs to, and where fields border on each other. The lower
//! half of the map is the upper one turned, exactly.

use super::{Border, Plan};

/// What is known of each tile: its field, the next field, and how much farther away
/// (in quarters of a tile) the second and third nearest seeds are.
pub(super) struct Fields {
    pub(super) own: Vec<u16>,
    pub(super) next: Vec<u16>,
    pub(super) second: Vec<u8>,
    pub(super) third: Vec<u8>,
}

/// A border between fields `a < b`, with the point in its middle.
pub(super) struct BorderLine {
    pub(super) a: u16,
    pub(super) b: u16,
    pub(super) length: usize,
    pub(super) middle: (f64, f64),
    pub(super) kind: Border,
}

impl Plan {
    /// Finds the field of every tile. The lower half is the upper one turned.
    pub(super) fn survey(&self) -> Fields {
        let tiles = self.width as usize * self.height as usize;
        let mut fields = Fields {
            own: vec![0; tiles],
            next: vec![0; tiles],
            second: vec![0; tiles],
            third: vec![0; tiles],
        };
        let last = (self.nx * self.ny - 1) as u16;
        for i in 0..tiles.div_ceil(2) {
            let x = (i % self.width as usize) as f64 + 0.5;
            let y = (i / self.width as usize) as f64 + 0.5;
            let bend = |salt: u64| {
                let large = 0.5 * self.odd(salt, x, y, self.pitch * 1.1);
                (large + 0.16 * self.odd(salt + 2, x, y, self.pitch * 0.3)) * self.pitch
            };
            let (qx, qy) = (x + bend(11), y + bend(12));
            let near = self.nearest(qx, qy);
            let quarter = |k: usize| ((near[k].0 - near[0].0) * 4.0).min(255.0) as u8;
            let j = tiles - 1 - i;
            (fields.own[i], fields.next[i]) = (near[0].1, near[1].1);
            (fields.own[j], fields.next[j]) = (last - near[0].1, last - near[1].1);
            (fields.second[i], fields.third[i]) = (quarter(1), quarter(2));
            (fields.second[j], fields.third[j]) = (quarter(1), quarter(2));
        }
        fields
    }

    /// The three nearest seeds with their distances, nearest first. On a map with
    /// fewer, the last ones are infinitely far.
    fn nearest(&self, x: f64, y: f64) -> [(f64, u16); 3] {
        let mut best = [(f64::INFINITY, 0); 3];
        let ci = (x / f64::from(self.width) * f64::from(self.nx)).floor() as i32;
        let cj = (y / f64::from(self.height) * f64::from(self.ny)).floor() as i32;
        for j in (cj - 2).max(0)..=(cj + 2).min(self.ny - 1) {
            for i in (ci - 2).max(0)..=(ci + 2).min(self.nx - 1) {
                let k = (j * self.nx + i) as u16;
                let (sx, sy) = self.seeds[usize::from(k)];
                let d =
                    ((sx - x) * (sx - x) + (sy - y) * (sy - y)).sqrt() - self.bonus[usize::from(k)];
                if d < best[2].0 {
                    best[2] = (d, k);
                    if d < best[1].0 {
                        best.swap(1, 2);
                    }
                    if d < best[0].0 {
                        best.swap(0, 1);
                    }
                }
            }
        }
        best
    }
}

impl Fields {
    /// All borders in order of their fields, with the tile of each that lies nearest
    /// to its mean.
    pub(super) fn borders(&self, plan: &Plan) -> Vec<BorderLine> {
        let width = plan.width as usize;
        let mut found: Vec<(u16, u16, u32)> = Vec::new();
        for i in 0..self.own.len() {
            let right = (i % width + 1 < width).then_some(i + 1);
            let below = (i + width < self.own.len()).then_some(i + width);
            for j in [right, below].into_iter().flatten() {
                let (a, b) = (self.own[i], self.own[j]);
                if a != b {
                    found.push((a.min(b), a.max(b), i as u32));
                }
            }
        }
        found.sort_unstable();
        let place = |i: u32| (f64::from(i % plan.width as u32), f64::from(i / plan.width as u32));
        let mut lines: Vec<BorderLine> = Vec::new();
        for group in found.chunk_by(|p, q| (p.0, p.1) == (q.0, q.1)) {
            let sum =
                group.iter().map(|g| place(g.2)).fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
            let mean = (sum.0 / group.len() as f64, sum.1 / group.len() as f64);
            let far = |g: &&(u16, u16, u32)| {
                let p = place(g.2);
                (p.0 - mean.0) * (p.0 - mean.0) + (p.1 - mean.1) * (p.1 - mean.1)
            };
            let Some(at) = group.iter().min_by(|p, q| far(p).total_cmp(&far(q))) else { continue };
            let (x, y) = place(at.2);
            let (a, b) = (group[0].0, group[0].1);
            lines.push(BorderLine {
                a,
                b,
                length: group.len(),
                middle: (x + 0.5, y + 0.5),
                kind: Border::Cliff,
            });
        }
        // The middle of a border and that of its counterpart must agree to the last bit.
        let last = (plan.nx * plan.ny - 1) as u16;
        for k in 0..lines.len() {
            let (a, b) = (lines[k].a, lines[k].b);
            let twin = lines.binary_search_by_key(&(last - b, last - a), |l| (l.a, l.b));
            if let Some(twin) = twin.ok().filter(|&twin| twin > k) {
                lines[twin].middle = plan.turned(lines[k].middle.0, lines[k].middle.1);
            }
        }
        lines
    }
}
