//! The borders of a set of tiles as polygons.
//!
//! A walk keeps the set on its right hand, so outer borders run clockwise and those of
//! holes anticlockwise. Where two tiles of the set touch only at a corner it turns left,
//! so the border runs around both: a set that is connected over eight neighbours has one
//! outer border.

/// Follows a border from the top left corner of `first`, a tile of the set with none
/// above it, eastwards, until it comes back. Returns the corners where it turns; `east`
/// is called with every tile whose upper side was walked along.
pub(super) fn trace(
    first: (i32, i32),
    inside: impl Fn(i32, i32) -> bool,
    mut east: impl FnMut(i32, i32),
) -> Vec<(u16, u16)> {
    // East, south, west, north: the step to the next corner, and the tiles ahead of it
    // on the left and on the right, from the corner's own coordinates.
    const STEP: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
    const LEFT: [(i32, i32); 4] = [(0, -1), (0, 0), (-1, 0), (-1, -1)];
    const RIGHT: [(i32, i32); 4] = [(0, 0), (-1, 0), (-1, -1), (0, -1)];
    let start = first;
    let (mut corner, mut heading) = (start, 0);
    let mut turns = Vec::new();
    loop {
        if heading == 0 {
            east(corner.0, corner.1);
        }
        corner = (corner.0 + STEP[heading].0, corner.1 + STEP[heading].1);
        let at = |offset: (i32, i32)| inside(corner.0 + offset.0, corner.1 + offset.1);
        let next = match (at(LEFT[heading]), at(RIGHT[heading])) {
            (true, _) => (heading + 3) % 4,
            (false, true) => heading,
            (false, false) => (heading + 1) % 4,
        };
        if next != heading {
            turns.push((corner.0 as u16, corner.1 as u16));
        }
        heading = next;
        if corner == start && heading == 0 {
            break;
        }
    }
    // Begin with the start if the border turns there.
    if turns.last() == Some(&(start.0 as u16, start.1 as u16)) {
        turns.rotate_right(1);
    }
    turns
}

/// All borders, outer ones and those of holes, of the set inside the bounds (left, top,
/// right, bottom, all included).
pub fn borders(
    [left, top, right, bottom]: [i32; 4],
    inside: impl Fn(i32, i32) -> bool,
) -> Vec<Vec<(u16, u16)>> {
    let wide = (right - left + 1).max(0) as usize;
    let high = (bottom - top + 1).max(0) as usize;
    let mut walked = fixedbitset::FixedBitSet::with_capacity(wide * high);
    let index = |x: i32, y: i32| (y - top) as usize * wide + (x - left) as usize;
    let mut out = Vec::new();
    for y in top..=bottom {
        for x in left..=right {
            if inside(x, y) && !inside(x, y - 1) && !walked.contains(index(x, y)) {
                out.push(trace((x, y), &inside, |x, y| walked.insert(index(x, y))));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(rows: &[&str]) -> impl Fn(i32, i32) -> bool {
        let rows: Vec<Vec<u8>> = rows.iter().map(|row| row.as_bytes().to_vec()).collect();
        move |x: i32, y: i32| {
            let row = usize::try_from(y).ok().and_then(|y| rows.get(y));
            usize::try_from(x).ok().and_then(|x| row?.get(x)) == Some(&b'x')
        }
    }

    fn outer(rows: &[&str]) -> Vec<(u16, u16)> {
        let y = rows.iter().position(|row| row.contains('x')).unwrap();
        trace((rows[y].find('x').unwrap() as i32, y as i32), set(rows), |_, _| {})
    }

    #[test]
    fn a_tile_has_four_corners() {
        assert_eq!(outer(&["..", ".x"]), [(1, 1), (2, 1), (2, 2), (1, 2)]);
    }

    #[test]
    fn a_bend_has_six() {
        assert_eq!(outer(&["xx", "x."]), [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]);
    }

    #[test]
    fn tiles_that_touch_at_a_corner_have_one_border() {
        let border = outer(&["x.", ".x"]);
        assert_eq!(border.len(), 8);
        assert_eq!(border.iter().filter(|&&c| c == (1, 1)).count(), 2);
    }

    #[test]
    fn holes_have_borders_of_their_own() {
        let rows = ["xxxxx", "x.x.x", "xxxxx"];
        assert_eq!(outer(&rows).len(), 4);
        let all = borders([0, 0, 4, 2], set(&rows));
        assert_eq!(all.iter().map(Vec::len).collect::<Vec<_>>(), [4, 4, 4]);
    }
}
