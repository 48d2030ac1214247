//! Batches: the same answers as one by one, in the same order, whoever works on them.

use tidegate::batch::Batch;
use tidegate::rng::Rng;
use tidegate::{Grid, Index, Movement, Path, Query, QueryError, Scratch, Tile, engine};
use tidegate_testkit::maps;

#[test]
fn a_batch_answers_as_one_by_one() {
    let mut batches = [1, 2, 8, 0].map(Batch::with_threads);
    let mut asked = 0;
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut index = Index::new(maps::small(seed, Movement::ALL[seed as usize % 3]));
        for engine in tidegate_sectors::ENGINES {
            index.prepare(*engine).unwrap();
            let ends = maps::free_tiles(index.grid(), 2 * rng.below(90), &mut rng);
            let mut queries: Vec<Query<'_>> =
                ends.chunks_exact(2).map(|pair| Query::new(pair[0], pair[1])).collect();
            // One that is an error, in the middle.
            let wrong = Query::new(Tile::new(60_000, 0), Tile::new(0, 0));
            queries.insert(queries.len() / 2, wrong);
            for batch in &mut batches {
                index.find_batch(*engine, &queries, batch);
                let (mut scratch, mut path) = (Scratch::new(), Path::new());
                assert_eq!(
                    (batch.len(), batch.offsets().len()),
                    (queries.len(), queries.len() + 1)
                );
                for (n, query) in queries.iter().enumerate() {
                    let answer = index.find(*engine, query, &mut scratch, &mut path);
                    let learned = engine.info().adapts;
                    assert!(learned || batch.answers()[n] == answer, "{} {seed}", engine.name());
                    assert!(learned || batch.path(n) == path.tiles(), "{} {seed}", engine.name());
                    assert_eq!(
                        answer.is_err(),
                        n == (queries.len() - 1) / 2 && batch.path(n).is_empty()
                    );
                    asked += 1;
                }
                assert_eq!(batch.offsets().last(), Some(&batch.tiles().len()));
            }
        }
    }
    println!("{asked} asked");
    assert!(asked > 20_000);
    let mut empty = Batch::new();
    Index::new(maps::small(1, Movement::default())).find_batch(engine::ASTAR, &[], &mut empty);
    assert!(empty.is_empty() && empty.tiles().is_empty());
}

/// What does not fit is refused as a whole, whichever thread came to the limit first.
#[test]
fn a_batch_that_would_hold_too_much_is_refused() {
    let index = Index::new(Grid::from_fn(40, 1, Movement::default(), |_, _| true).unwrap());
    let queries = vec![Query::new((0, 0), (39, 0)); 200];
    for threads in 1..4 {
        for (most, fits) in [(8000, true), (7999, false), (40, false), (0, false)] {
            let mut batch = Batch::with_threads(threads).holding_at_most(most);
            index.find_batch(engine::ASTAR, &queries, &mut batch);
            let refused = Err(QueryError::TooManyTiles { most });
            assert_eq!(batch.answers().iter().all(|answer| *answer == refused), !fits);
            assert_eq!((batch.len(), batch.offsets().len()), (200, 201));
            assert_eq!(batch.tiles().len(), if fits { 8000 } else { 0 });
            // It can be used again.
            index.find_batch(engine::ASTAR, &queries[..usize::from(most >= 40)], &mut batch);
            assert!(batch.answers().iter().all(Result::is_ok));
        }
    }
}
