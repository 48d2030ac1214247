//! Doing independent pieces of work, on all cores if the `parallel` feature is on.
//! The results come back in the order of the pieces, whoever did them.

/// Below this much work, waking other threads costs more than it saves.
#[cfg(feature = "parallel")]
const LITTLE: usize = 4096;

/// `work(0)`, `work(1)`, ... `work(count - 1)`, where `size` is roughly how many things
/// each piece looks at. Every worker makes one workspace and reuses it; what a piece
/// gives must not depend on what the workspace was used for before.
pub(crate) fn map<S, T: Send>(
    count: usize,
    size: usize,
    space: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize) -> T + Sync + Send,
) -> Vec<T> {
    #[cfg(feature = "parallel")]
    if count > 1 && count.saturating_mul(size) >= LITTLE {
        use rayon::prelude::*;
        return (0..count).into_par_iter().map_init(space, |s, n| work(s, n)).collect();
    }
    let _ = size;
    let mut workspace = space();
    (0..count).map(|n| work(&mut workspace, n)).collect()
}

/// How many threads there are.
pub(crate) fn count() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// `work` for every worker, side by side.
pub(crate) fn each<W: Send>(workers: &mut [W], work: impl Fn(&mut W) + Sync) {
    #[cfg(feature = "parallel")]
    if workers.len() > 1 {
        let work = &work;
        rayon::scope(|scope| workers.iter_mut().for_each(|w| scope.spawn(move |_| work(w))));
        return;
    }
    workers.iter_mut().for_each(work);
}
