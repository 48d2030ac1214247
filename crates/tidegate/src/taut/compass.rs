//! The sixteen classes of directions: eight rays and the eight open octants between.
//!
//! Every rule of the taut corner graph depends on a direction only through its class,
//! so a set of directions is a `u16` and a rule is a small table.
//!
//! ```text
//!            12            even: the rays N, NE, E, SE, S, SW, W, NW
//!         11  |  13        odd:  what lies strictly between two rays
//!     10   \  |  /   14
//!       9   \ | /   15
//!    8 -------+------- 0   classes are counted clockwise from the east;
//!       7   / | \   1      rows grow downwards, as on the map
//!      6   /  |  \   2
//!         5   |   3
//!             4
//! ```

/// One direction of each class, in the order of the classes.
pub(crate) const SAMPLES: [(i32, i32); 16] = [
    (1, 0),
    (2, 1),
    (1, 1),
    (1, 2),
    (0, 1),
    (-1, 2),
    (-1, 1),
    (-2, 1),
    (-1, 0),
    (-2, -1),
    (-1, -1),
    (-1, -2),
    (0, -1),
    (1, -2),
    (1, -1),
    (2, -1),
];

/// The class of a direction other than (0, 0).
#[inline]
pub(crate) fn class(dx: i32, dy: i32) -> usize {
    let (ax, ay) = (dx.unsigned_abs(), dy.unsigned_abs());
    // Within a quadrant: 0 on the ray where it begins, then 1, 2 (diagonal), 3.
    let (quadrant, along, across) = match (dx > 0, dy > 0) {
        (true, _) if dy >= 0 => (0, ax, ay),
        (_, true) => (4, ay, ax),
        _ if dx < 0 => (8, ax, ay),
        _ => (12, ay, ax),
    };
    quadrant
        + if across == 0 {
            0
        } else {
            match across.cmp(&along) {
                std::cmp::Ordering::Less => 1,
                std::cmp::Ordering::Equal => 2,
                std::cmp::Ordering::Greater => 3,
            }
        }
}

/// The class of the way back.
#[inline]
pub(crate) const fn opposite(class: usize) -> usize {
    (class + 8) & 15
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_agree_with_the_angle() {
        for dy in -9..=9_i32 {
            for dx in -9..=9_i32 {
                if (dx, dy) == (0, 0) {
                    continue;
                }
                let c = class(dx, dy);
                assert_eq!(class(-dx, -dy), opposite(c), "{dx},{dy}");
                let turn = (f64::from(dy).atan2(f64::from(dx)) / std::f64::consts::FRAC_PI_4)
                    .rem_euclid(8.0);
                let on_ray = dx == 0 || dy == 0 || dx.abs() == dy.abs();
                let expected =
                    if on_ray { turn.round() as usize % 8 * 2 } else { turn as usize * 2 + 1 };
                assert_eq!(c, expected, "{dx},{dy}");
            }
        }
        for (c, &(dx, dy)) in SAMPLES.iter().enumerate() {
            assert_eq!(class(dx, dy), c);
        }
    }
}
