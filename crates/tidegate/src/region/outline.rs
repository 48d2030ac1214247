//! The outer border of a set of tiles as a polygon.
//!
//! The walk keeps the set on its right hand. Where two tiles of the set touch only at a
//! corner it turns left, so the border runs around both: a set that is connected over
//! eight neighbours has one outer border.

/// Follows the border clockwise from the top left corner of `first`, which must be the
/// first tile of the set in row order. Returns the corners where it turns.
pub(super) fn trace(first: (i32, i32), inside: impl Fn(i32, i32) -> bool) -> Vec<(u16, u16)> {
    // East, south, west, north: the step to the next corner, and the tiles ahead of it
    // on the left and on the right, from the corner's own coordinates.
    const STEP: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
    const LEFT: [(i32, i32); 4] = [(0, -1), (0, 0), (-1, 0), (-1, -1)];
    const RIGHT: [(i32, i32); 4] = [(0, 0), (-1, 0), (-1, -1), (0, -1)];
    let start = first;
    let (mut corner, mut heading) = (start, 0);
    let mut turns = vec![(start.0 as u16, start.1 as u16)];
    loop {
        corner = (corner.0 + STEP[heading].0, corner.1 + STEP[heading].1);
        let at = |offset: (i32, i32)| inside(corner.0 + offset.0, corner.1 + offset.1);
        let next = match (at(LEFT[heading]), at(RIGHT[heading])) {
            (true, _) => (heading + 3) % 4,
            (false, true) => heading,
            (false, false) => (heading + 1) % 4,
        };
        if corner == start && next == 0 {
            return turns;
        }
        if next != heading {
            turns.push((corner.0 as u16, corner.1 as u16));
        }
        heading = next;
    }
}

#[cfg(test)]
mod tests {
    use super::trace;

    fn of(rows: &[&str]) -> Vec<(u16, u16)> {
        let at = |x: i32, y: i32| {
            let row = usize::try_from(y).ok().and_then(|y| rows.get(y));
            let letter = usize::try_from(x).ok().and_then(|x| row?.as_bytes().get(x));
            letter == Some(&b'x')
        };
        let y = rows.iter().position(|row| row.contains('x')).unwrap();
        trace((rows[y].find('x').unwrap() as i32, y as i32), at)
    }

    #[test]
    fn a_tile_has_four_corners() {
        assert_eq!(of(&["..", ".x"]), [(1, 1), (2, 1), (2, 2), (1, 2)]);
    }

    #[test]
    fn a_bend_has_six() {
        assert_eq!(of(&["xx", "x."]), [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]);
    }

    #[test]
    fn tiles_that_touch_at_a_corner_have_one_border() {
        let border = of(&["x.", ".x"]);
        assert_eq!(border.len(), 8);
        assert_eq!(border.iter().filter(|&&c| c == (1, 1)).count(), 2);
    }

    #[test]
    fn holes_are_not_part_of_the_outer_border() {
        assert_eq!(of(&["xxx", "x.x", "xxx"]).len(), 4);
    }
}
