//! The one flood: everything that hangs together with a first tile.

/// Enters `first`, then whatever lies `beside` something entered, and returns how many were
/// entered: none if `first` is not. `enter` says whether a node belongs to the flood and
/// was not entered before, and remembers it. The stack comes empty and is left empty.
pub(crate) fn flood<N: Copy, B: Iterator<Item = N>>(
    stack: &mut Vec<N>,
    first: N,
    beside: impl Fn(N) -> B,
    mut enter: impl FnMut(N) -> bool,
) -> u32 {
    let mut entered = 0;
    stack.extend(Some(first).filter(|&first| enter(first)));
    while let Some(node) = stack.pop() {
        entered += 1;
        stack.extend(beside(node).filter(|&next| enter(next)));
    }
    entered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::component::Components;
    use crate::grid::{Grid, Movement};
    use crate::rng::Rng;

    /// Floods from every tile in turn find the components, and each tile once.
    #[test]
    fn floods_find_the_components() {
        for seed in 0..60 {
            let mut rng = Rng::new(seed);
            let movement = Movement::ALL[rng.below(3)];
            let grid = Grid::from_fn(15, 11, movement, |_, _| !rng.chance(40)).unwrap();
            let (components, mut stack) = (Components::of(&grid), Vec::new());
            let (mut number, mut sizes) = (vec![None; grid.tiles()], Vec::new());
            for cell in grid.free_cells() {
                let next = sizes.len() as u32;
                let enter = |cell: crate::CellId| {
                    number[cell.index()].is_none() && number[cell.index()].replace(next).is_none()
                };
                let beside = |cell| grid.neighbours(cell).map(|(next, _)| next);
                let size = flood(&mut stack, cell, beside, enter);
                sizes.extend(Some(size).filter(|&size| size > 0));
                assert!(stack.is_empty());
            }
            assert_eq!(sizes, components.sizes(), "seed {seed}");
            for cell in grid.free_cells() {
                assert_eq!(number[cell.index()], components.number(cell), "seed {seed}");
            }
        }
    }
}
