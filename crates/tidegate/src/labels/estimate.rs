//! What building labels would take, before the work begins. What the labels themselves would take is known
//! when those of corners are made, from some blocks ([`hubs::fit`](crate::hubs::fit)).

use super::blocks::Source;
use super::links::Survey;
use crate::cost::Cost;
use crate::grid::{Grid, Tile};
use crate::hubs::{BlockSource, CornerLabels, Joined, Links};
use crate::taut::{CornerGraph, Rules};
use crate::threads;

/// Paths of steps, by these rules.
pub(super) struct Steps<'a>(pub(super) &'a Rules);

impl Joined for Steps<'_> {
    type Graph = CornerGraph;
    const WINDOW: f64 = 0.5;

    fn corners(&self, grid: &Grid) -> Vec<Tile> {
        Survey::new(grid, self.0).corners.into_iter().map(|(tile, _)| tile).collect()
    }

    fn join(&self, grid: &Grid) -> Option<(CornerGraph, Links)> {
        Survey::new(grid, self.0).join()
    }

    fn renamed(graph: CornerGraph, order: &[u32]) -> CornerGraph {
        graph.renamed(order)
    }

    fn length(graph: &CornerGraph, tile: Tile, corner: u32) -> Cost {
        graph.to_corner(tile, corner)
    }

    fn source<'a>(
        &'a self,
        grid: &'a Grid,
        graph: &'a CornerGraph,
        links: &'a Links,
        labels: &'a CornerLabels<Cost>,
    ) -> Option<impl BlockSource> {
        Some(Source { grid, rules: self.0, graph, links, labels })
    }
}

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
    use std::time::Instant;

    use super::super::{Form, LabelOptions, Labels, LabelsError};
    use super::Steps;
    use crate::generate::{Kind, generate};
    use crate::grid::{Grid, Movement, TileMap};
    use crate::hubs::Estimate;
    use crate::taut::Rules;

    fn map(kind: Kind, side: u32) -> Grid {
        seeded(kind, side, 5)
    }

    fn seeded(kind: Kind, side: u32, seed: u64) -> Grid {
        generate(kind, side, side, seed).unwrap().grid(Movement::NoCornerCutting)
    }

    fn ahead(grid: &Grid, options: &LabelOptions) -> Option<Estimate> {
        let rules = Rules::of(grid.movement());
        Estimate::ahead(grid, &Steps(rules), (options.effort, options.seed))
    }

    /// The estimate over what is built, in both forms.
    fn ratios(grid: &Grid, options: &LabelOptions, estimate: &Estimate) -> [f64; 2] {
        [Form::Fast, Form::Small].map(|form| {
            let made = Labels::build(grid, &LabelOptions { form, ..options.clone() }).unwrap();
            estimate.bytes(form.shift()) as f64 / made.bytes() as f64
        })
    }

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

    /// Windows of a map tell what all of it takes.
    #[test]
    fn estimates_ahead_are_near() {
        let mut worst = Vec::new();
        for (kind, side) in
            [(Kind::Random, 160), (Kind::Rts, 600), (Kind::Caves, 400), (Kind::Rooms, 500)]
        {
            let grid = map(kind, side);
            let options = LabelOptions { effort: 400_000, ..LabelOptions::default() };
            let (steps, by) = (Steps(Rules::of(grid.movement())), (options.effort, options.seed));
            let estimate = Estimate::ahead_from(&grid, &steps, by, 3_000.0).unwrap();
            let ratios = ratios(&grid, &options, &estimate);
            println!("{kind}: {ratios:.2?}");
            worst.extend(ratios);
            assert!(ahead(&grid, &options).is_none(), "few corners are joined first");
        }
        assert!(worst.iter().all(|r| (0.75..1.25).contains(r)), "{worst:.2?}");
    }

    /// However large a map is, knowing that its labels do not fit takes the same work.
    #[test]
    fn refusing_is_bounded() {
        let options = LabelOptions::default();
        let mut known = 0;
        for side in [1024, 2048] {
            let grid = map(Kind::Random, side);
            let estimate = ahead(&grid, &options).expect("a map of many corners");
            let (labelled, bytes) = (estimate.labelled, estimate.bytes(Form::Small.shift()));
            assert!((20_000..28_000).contains(&labelled), "{labelled}");
            assert!(bytes > 4 * known, "{bytes} after {known}");
            known = bytes;
            let budget = options.budget_bytes;
            // An estimate may be a quarter too high: what is that near may fit.
            let with_budget = |share: u64| LabelOptions {
                budget_bytes: bytes / 100 * share,
                form: Form::Small,
                ..options.clone()
            };
            assert_eq!(with_budget(85).refuse(&estimate), Ok(()));
            assert!(with_budget(75).refuse(&estimate).is_err());
            let refused = LabelsError::TooLarge { estimate: bytes, budget };
            assert_eq!(Labels::build(&grid, &options), Err(refused));
        }
    }

    /// Maps by their files, or `kind:side:seed`, from `$LABEL_MAPS`: what is estimated, and how long that takes.
    #[test]
    #[ignore = "builds the labels of real maps, for minutes: LABEL_MAPS='x.map rts:1024:1'"]
    fn estimates_of_real_maps_are_within_a_quarter() {
        let Ok(list) = std::env::var("LABEL_MAPS") else { panic!("no LABEL_MAPS") };
        let options = LabelOptions { budget_bytes: 16 << 30, ..LabelOptions::default() };
        let mut wrong = Vec::new();
        for name in list.split_whitespace() {
            let grid = match name.split_once(':') {
                Some((kind, side)) => {
                    let (side, seed) = side.split_once(':').unwrap_or((side, "1"));
                    let kind = Kind::ALL.into_iter().find(|k| k.name() == kind).unwrap();
                    seeded(kind, side.parse().unwrap(), seed.parse().unwrap())
                }
                None => {
                    let bytes = std::fs::read(name).unwrap();
                    TileMap::parse(&bytes).unwrap().grid(Movement::NoCornerCutting)
                }
            };
            let clock = Instant::now();
            let ahead = ahead(&grid, &options);
            let seconds = clock.elapsed().as_secs_f64();
            if let Some(ahead) = &ahead {
                let bytes = [2, 3].map(|shift| ahead.bytes(shift) / 1_000_000);
                println!("{name}: ahead {bytes:?} MB in {seconds:.2} s");
                if std::env::var_os("AHEAD_ONLY").is_some() {
                    continue;
                }
                let ratios = ratios(&grid, &options, ahead);
                println!("{name}: ahead {ratios:.2?}");
                wrong.extend(ratios.iter().filter(|r| !(0.75..1.25).contains(*r)).map(|_| name));
            }
        }
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
