//! What building labels would take, before the work begins. What the labels themselves would take is known
//! when those of corners are made, from some blocks ([`hubs::fit`](crate::hubs::fit)).

use super::links::Survey;
use crate::threads;

/// Corners whose connections are sampled.
const CORNERS: usize = 256;

/// The least memory, in bytes, that building takes for the connections of tiles.
pub(super) fn before_joining(survey: &Survey<'_>) -> u64 {
    let corners = survey.corners.len();
    let step = corners.div_ceil(CORNERS).max(1);
    let sampled: Vec<usize> = (0..corners).step_by(step).collect();
    let counts =
        threads::map(sampled.len(), 64, || (), |(), n| survey.connections(sampled[n]) as u64);
    // Eight bytes each: once by corner, once by tile.
    8 * counts.iter().sum::<u64>() * step as u64
}

#[cfg(all(test, feature = "generate"))]
mod tests {
    use super::super::{Form, LabelOptions, Labels, LabelsError};
    use crate::generate::{Kind, generate};
    use crate::grid::Movement;

    #[test]
    fn refusals_say_what_labels_would_take() {
        for kind in [Kind::Rts, Kind::Rooms, Kind::Caves, Kind::Maze] {
            let grid = generate(kind, 300, 280, 5).unwrap().grid(Movement::NoCornerCutting);
            for form in [Form::Fast, Form::Small] {
                let options = LabelOptions { form, effort: 200_000, ..LabelOptions::default() };
                let made = Labels::build(&grid, &options).unwrap().bytes() as u64;
                let tight = LabelOptions { budget_bytes: made / 2, ..options };
                let refused = Labels::build(&grid, &tight).unwrap_err();
                let LabelsError::TooLarge { estimate, .. } = refused else { panic!("{refused}") };
                println!("{kind} {form:?}: {:.2}", estimate as f64 / made as f64);
                assert!(
                    estimate * 4 > made * 3 && estimate * 4 < made * 5,
                    "{kind} {form:?}: estimated {estimate}, made {made}"
                );
            }
        }
    }
}
