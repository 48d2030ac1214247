//! Which pieces of a component are still connected after some of its tiles became wall: a
//! search from each of them in turn, until all but one have met another or come to an end.

use std::collections::VecDeque;

use super::Components;

impl Components {
    /// Finds out which of these pieces of one number are still connected. One group keeps
    /// the number, the others get new ones.
    pub(super) fn separate(&mut self, seeds: &[u32]) {
        let mut searches: Vec<Search> = Vec::with_capacity(seeds.len());
        for &seed in seeds {
            self.pieces[seed as usize].mark = searches.len() as u32 + 1;
            searches.push(Search { joined: searches.len(), open: [seed].into(), done: Vec::new() });
        }
        let mut turns: VecDeque<usize> = (0..searches.len()).collect();
        let mut running = searches.len();
        let mut ended = Vec::new();
        let mut linked = Vec::new();
        while running > 1
            && let Some(turn) = turns.pop_front()
        {
            if searches[turn].joined != turn {
                continue;
            }
            let Some(piece) = searches[turn].open.pop_front() else {
                ended.push(turn);
                running -= 1;
                continue;
            };
            searches[turn].done.push(piece);
            self.for_linked(piece, |next| linked.push(next));
            for next in linked.drain(..) {
                let mark = &mut self.pieces[next as usize].mark;
                if *mark == 0 {
                    *mark = turn as u32 + 1;
                    searches[turn].open.push_back(next);
                } else {
                    running -= usize::from(join(&mut searches, turn, *mark as usize - 1));
                }
            }
            turns.push_back(turn);
        }
        for &search in &ended {
            let number = self.new_number();
            for i in 0..searches[search].done.len() {
                self.set_number(searches[search].done[i], number);
            }
        }
        for search in &searches {
            for &piece in search.done.iter().chain(&search.open) {
                self.pieces[piece as usize].mark = 0;
            }
        }
    }
}

/// One of several searches over the pieces of a component.
struct Search {
    /// The search that took this one over, or itself.
    joined: usize,
    open: VecDeque<u32>,
    done: Vec<u32>,
}

/// Two searches have met: the one whose turn it is takes the other over, unless it has
/// done so before.
fn join(searches: &mut [Search], turn: usize, mut other: usize) -> bool {
    while searches[other].joined != other {
        let above = searches[other].joined;
        searches[other].joined = searches[above].joined;
        other = above;
    }
    if other != turn {
        let (open, done) =
            (std::mem::take(&mut searches[other].open), std::mem::take(&mut searches[other].done));
        searches[other].joined = turn;
        searches[turn].open.extend(open);
        searches[turn].done.extend(done);
    }
    other != turn
}
