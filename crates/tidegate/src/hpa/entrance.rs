//! Where clusters touch: entrances, and the transitions chosen on them.
//!
//! An entrance is a maximal run along the border of two neighbouring clusters that is
//! free on both sides. Its tiles are connected inside either cluster, so one transition
//! per entrance is enough to keep everything reachable. Straight transitions are enough
//! under every rule of movement: a legal diagonal step has a free tile beside it, and the
//! two straight steps over that tile are legal too.
//!
//! What lies on a border depends on that border alone and is the same seen from both
//! sides, so a change of a tile inside a cluster touches no entrance.

use super::shape::{Rect, Shape};
use crate::grid::{Direction, Grid, Tile};

/// Where transitions are put on an entrance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// The paper's rule: an entrance narrower than `wide` gets one transition in its
    /// middle, a wider one gets two at its ends.
    MiddleOrEnds {
        /// The least width of an entrance with two transitions.
        wide: u32,
        /// The second of two stands so many tiles before the end.
        inset: u32,
    },
    /// An entrance narrower than `wide` gets one in its middle; a wider one gets both
    /// ends and so many between them that neighbours are at most `gap` apart.
    Spread {
        /// The least width of an entrance with more than one transition.
        wide: u32,
        /// The most tiles between neighbouring transitions.
        gap: u32,
    },
}

impl Placement {
    /// No border of so many tiles has more transitions than this.
    pub(crate) fn most(self, length: u32) -> u32 {
        let (Placement::MiddleOrEnds { wide, .. } | Placement::Spread { wide, .. }) = self;
        let close = matches!(self, Placement::Spread { gap, .. } if gap < 3);
        // From a width of 3 on, an entrance and the wall after it have two tiles for every
        // transition; narrower ones have one transition on at least two tiles.
        if wide >= 3 && !close { length.div_ceil(2) } else { length }
    }

    /// Calls `put` with the positions of the transitions on an entrance from `first` to
    /// `last`, both included.
    fn choose(self, first: u32, last: u32, mut put: impl FnMut(u32)) {
        let width = last - first + 1;
        let (Placement::MiddleOrEnds { wide, .. } | Placement::Spread { wide, .. }) = self;
        if width < wide.max(2) {
            return put((first + last) / 2);
        }
        match self {
            Placement::MiddleOrEnds { inset, .. } => {
                put(first);
                put(last.saturating_sub(inset).max(first + 1));
            }
            Placement::Spread { gap, .. } => {
                let (span, pieces) = (width - 1, (width - 1).div_ceil(gap.max(1)));
                for i in 0..=pieces {
                    put(first + (u64::from(span) * u64::from(i) / u64::from(pieces)) as u32);
                }
            }
        }
    }
}

/// The four borders in the order in which transitions are listed.
const SIDES: [Direction; 4] = [Direction::E, Direction::S, Direction::W, Direction::N];

/// Calls `put(inside, outside)` for every transition of a cluster of the lowest level.
pub(crate) fn transitions(
    grid: &Grid,
    shape: &Shape,
    cluster: u32,
    placement: Placement,
    mut put: impl FnMut(Tile, Tile),
) {
    let rect = shape.rect(0, cluster);
    for side in SIDES {
        let Some(border) = Border::new(grid, &rect, side) else { continue };
        let mut first = None;
        for at in border.from..=border.to {
            let (inside, outside) = border.pair(at);
            let open = at < border.to && grid.is_free(inside) && grid.is_free(outside);
            match (open, first) {
                (true, None) => first = Some(at),
                (false, Some(begin)) => {
                    placement.choose(begin, at - 1, |at| {
                        let (inside, outside) = border.pair(at);
                        put(inside, outside);
                    });
                    first = None;
                }
                _ => {}
            }
        }
    }
}

/// One side of a cluster: the line of its own tiles and the line beyond.
struct Border {
    horizontal: bool,
    inside: u32,
    outside: u32,
    from: u32,
    to: u32,
}

impl Border {
    /// `None` at the edge of the map.
    fn new(grid: &Grid, rect: &Rect, side: Direction) -> Option<Border> {
        let horizontal = matches!(side, Direction::N | Direction::S);
        let (from, to) = if horizontal { (rect.x0, rect.x1) } else { (rect.y0, rect.y1) };
        let (inside, outside) = match side {
            Direction::E => (rect.x1 - 1, rect.x1),
            Direction::S => (rect.y1 - 1, rect.y1),
            Direction::W => (rect.x0, rect.x0.wrapping_sub(1)),
            _ => (rect.y0, rect.y0.wrapping_sub(1)),
        };
        let end = if horizontal { grid.height() } else { grid.width() };
        (outside < end).then_some(Border { horizontal, inside, outside, from, to })
    }

    /// The tiles at a position, inside and outside.
    fn pair(&self, at: u32) -> (Tile, Tile) {
        let tile = |line: u32| {
            if self.horizontal {
                Tile::new(at as u16, line as u16)
            } else {
                Tile::new(line as u16, at as u16)
            }
        };
        (tile(self.inside), tile(self.outside))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(placement: Placement, first: u32, last: u32) -> Vec<u32> {
        let mut at = Vec::new();
        placement.choose(first, last, |x| at.push(x));
        at
    }

    #[test]
    fn the_papers_rule() {
        let ends = Placement::MiddleOrEnds { wide: 6, inset: 0 };
        assert_eq!(chosen(ends, 3, 3), [3]);
        assert_eq!(chosen(ends, 3, 7), [5]);
        assert_eq!(chosen(ends, 3, 8), [3, 8]);
        let inset = Placement::MiddleOrEnds { wide: 2, inset: 1 };
        assert_eq!(chosen(inset, 3, 8), [3, 7]);
        assert_eq!(chosen(inset, 3, 4), [3, 4]);
    }

    #[test]
    fn spread_transitions_are_never_further_apart_than_asked() {
        let spread = Placement::Spread { wide: 3, gap: 4 };
        assert_eq!(chosen(spread, 0, 1), [0]);
        assert_eq!(chosen(spread, 0, 9), [0, 3, 6, 9]);
        for last in 2..60 {
            let at = chosen(spread, 0, last);
            assert_eq!((at[0], *at.last().unwrap()), (0, last));
            assert!(at.windows(2).all(|w| w[1] - w[0] <= 4 && w[0] < w[1]), "{at:?}");
        }
    }

    #[test]
    fn no_border_has_more_transitions_than_there_can_be() {
        let spread = |wide, gap| Placement::Spread { wide, gap };
        let ends = |wide, inset| Placement::MiddleOrEnds { wide, inset };
        let all = [ends(0, 0), ends(3, 2), ends(8, 1), spread(1, 1), spread(3, 2), spread(3, 3)];
        let mut reached = 0;
        for (i, placement) in all.into_iter().chain([spread(8, 16), spread(5, 4)]).enumerate() {
            let mut rng = crate::rng::Rng::new(i as u64);
            for _ in 0..3000 {
                let (length, walls) = (1 + rng.below(40) as u32, 5 + rng.below(60) as u32);
                let mut line = (0..length).map(|_| !rng.chance(walls)).collect::<Vec<_>>();
                line.push(false);
                let (mut count, mut first) = (0, 0);
                for at in (0..=length).filter(|&at| !line[at as usize]) {
                    if at > first {
                        placement.choose(first, at - 1, |_| count += 1);
                    }
                    first = at + 1;
                }
                assert!(count <= placement.most(length), "{placement:?} {line:?}");
                reached += u32::from(count == placement.most(length));
            }
        }
        assert!(reached > 100, "{reached}");
    }

    /// Both clusters of a border see the same transitions.
    #[test]
    fn borders_look_the_same_from_both_sides() {
        let rows = ["..#....", "...#...", ".......", "#.#.#..", "......."];
        let grid = Grid::from_rows(&rows).unwrap();
        let shape = Shape::new(&grid, 3, 2, 1);
        let placement = Placement::MiddleOrEnds { wide: 2, inset: 0 };
        let mut all = Vec::new();
        for cluster in 0..shape.layer(0).clusters() as u32 {
            transitions(&grid, &shape, cluster, placement, |a, b| {
                assert_eq!(shape.layer(0).cluster_of(a), cluster);
                assert!(grid.is_legal_step(a, b));
                all.push((a, b));
            });
        }
        assert!(!all.is_empty());
        assert!(all.iter().all(|&(a, b)| all.contains(&(b, a))));
    }
}
