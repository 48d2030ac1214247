//! What building labels would take, before the work begins. What the labels themselves would take is known
//! when the corners are joined and ranked ([`hubs::Estimate`](crate::hubs::Estimate)).

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
    use super::super::build::{MORE, join};
    use super::super::{Form, LabelOptions, Labels};
    use crate::generate::{Kind, generate};
    use crate::grid::Movement;
    use crate::hubs::{Estimate, order};
    use crate::taut::{Rules, Sight};

    #[test]
    fn estimates_are_within_a_factor_of_two() {
        let movement = Movement::NoCornerCutting;
        for kind in [Kind::Rts, Kind::Rooms, Kind::Caves, Kind::Maze] {
            let grid = generate(kind, 200, 180, 5).unwrap().grid(movement);
            for form in [Form::Fast, Form::Small] {
                let options = LabelOptions { form, effort: 200_000, ..LabelOptions::default() };
                let (graph, mut links) = join(&grid, &options, Rules::of(movement)).unwrap();
                let effort = (options.effort, options.seed);
                let order = order(&grid, &graph, &links, |t, c| graph.to_corner(t, c), effort);
                let graph = graph.renamed(&order);
                links.rename(&order);
                let length = |tile, corner| graph.to_corner(tile, corner);
                let estimate = Estimate::new(&grid, &graph, &links, length, options.seed, MORE);
                let estimate = estimate.plus(Sight::new(&grid).bytes());
                let estimated = estimate.bytes(form.shift()) as f64;
                let made = Labels::build(&grid, &options).unwrap().bytes() as f64;
                println!(
                    "{kind} {form:?}: estimated {estimated}, made {made}, {:.2}",
                    estimated / made
                );
                assert!(
                    estimated < 2.0 * made && made < 2.0 * estimated,
                    "{kind} {form:?}: {estimated} {made}"
                );
            }
        }
    }
}
