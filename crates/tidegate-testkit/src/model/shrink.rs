//! Makes a failing program as small as it can while it still fails.

use super::plain::At;
use super::program::{Ask, Paint, Program, Set, Step};

/// The most programs that are tried.
const TRIES: usize = 6000;

struct Shrinker<F> {
    best: Program,
    fails: F,
    tries: usize,
}

impl Program {
    /// A smaller program that still fails: fewer steps first, then a smaller map, then plainer steps and
    /// smaller numbers. `fails` must hold for the program itself.
    pub fn shrunk(&self, fails: impl Fn(&Program) -> bool) -> Program {
        let mut shrinker = Shrinker { best: self.clone(), fails, tries: 0 };
        loop {
            let before = shrinker.best.clone();
            shrinker.drop_steps();
            shrinker.simplify_steps();
            shrinker.shrink_map();
            if shrinker.best == before || shrinker.tries > TRIES {
                break;
            }
        }
        shrinker.best
    }
}

impl<F: Fn(&Program) -> bool> Shrinker<F> {
    /// Takes a program if it still fails.
    fn attempt(&mut self, program: Program) -> bool {
        self.tries += 1;
        let better = self.tries <= TRIES && program != self.best && (self.fails)(&program);
        if better {
            self.best = program;
        }
        better
    }

    fn drop_steps(&mut self) {
        let mut length = self.best.steps.len();
        while length > 0 {
            let mut at = 0;
            while at < self.best.steps.len() {
                let mut program = self.best.clone();
                program.steps.drain(at..(at + length).min(program.steps.len()));
                if !self.attempt(program) {
                    at += length;
                }
            }
            length /= 2;
        }
    }

    fn simplify_steps(&mut self) {
        for at in 0..self.best.steps.len() {
            // As long as one of the plainer steps still fails, from that one on.
            while plainer(&self.best.steps[at]).into_iter().any(|step| {
                let mut program = self.best.clone();
                program.steps[at] = step;
                self.attempt(program)
            }) {}
        }
    }

    fn shrink_map(&mut self) {
        let mut y = 0;
        while y < self.best.rows.len() {
            if self.best.rows.len() == 1 || !self.attempt(self.best.without_row(y)) {
                y += 1;
            }
        }
        let mut x = 0;
        while x < self.best.rows[0].len() {
            if self.best.rows[0].len() == 1 || !self.attempt(self.best.without_column(x)) {
                x += 1;
            }
        }
        for y in 0..self.best.rows.len() {
            for x in 0..self.best.rows[0].len() {
                let mut program = self.best.clone();
                program.rows[y].replace_range(x..=x, ".");
                self.attempt(program);
            }
        }
        if let Some(&first) = tidegate::Movement::ALL.first() {
            self.attempt(Program { movement: first, ..self.best.clone() });
        }
    }
}

impl Program {
    fn without_row(&self, y: usize) -> Program {
        let mut program = self.clone();
        program.rows.remove(y);
        program.move_tiles(|(x, row)| (x, row - u16::from(usize::from(row) > y)));
        let edge = y as i32 * 256;
        program.move_points(|(x, row)| (x, if row > edge { (row - 256).max(edge) } else { row }));
        program
    }

    fn without_column(&self, x: usize) -> Program {
        let mut program = self.clone();
        program.rows.iter_mut().for_each(|row| {
            row.remove(x);
        });
        program.move_tiles(|(column, y)| (column - u16::from(usize::from(column) > x), y));
        let edge = x as i32 * 256;
        program.move_points(|(at, y)| (if at > edge { (at - 256).max(edge) } else { at }, y));
        program
    }

    fn move_tiles(&mut self, to: impl Fn(At) -> At) {
        self.steps.iter_mut().flat_map(Step::tiles_mut).for_each(|at| *at = to(*at));
    }

    fn move_points(&mut self, to: impl Fn((i32, i32)) -> (i32, i32)) {
        self.steps.iter_mut().flat_map(Step::points_mut).for_each(|at| *at = to(*at));
    }
}

/// The lists that are one element shorter.
fn shorter<T: Clone>(list: &[T]) -> Vec<Vec<T>> {
    let without = |n: usize| [&list[..n], &list[n + 1..]].concat();
    (0..list.len()).map(without).collect()
}

fn plainer_ask(ask: &Ask) -> Vec<Ask> {
    let mut asks: Vec<Ask> =
        shorter(&ask.blocked).into_iter().map(|blocked| Ask { blocked, ..ask.clone() }).collect();
    asks.push(Ask { costs: false, ..ask.clone() });
    asks.push(Ask { partial: false, ..ask.clone() });
    asks.push(Ask { budget: None, ..ask.clone() });
    asks.push(Ask { strict: false, ..ask.clone() });
    asks.push(Ask { engine: "astar", ..ask.clone() });
    asks.retain(|other| other != ask);
    asks
}

/// Steps that do less than this one, and the same with smaller coordinates.
fn plainer(step: &Step) -> Vec<Step> {
    let mut steps: Vec<Step> = match step {
        Step::Edit(sets) => {
            let mut all: Vec<Step> = shorter(sets).into_iter().map(Step::Edit).collect();
            for (n, set) in sets.iter().enumerate() {
                if let Set::Cost(at, cost) = *set
                    && cost != 200
                {
                    let mut sets = sets.clone();
                    sets[n] = Set::Cost(at, 200);
                    all.push(Step::Edit(sets));
                }
            }
            all
        }
        Step::Gates(gates) => shorter(gates).into_iter().map(Step::Gates).collect(),
        Step::Layer(paints) => {
            let mut all: Vec<Step> = shorter(paints).into_iter().map(Step::Layer).collect();
            for (n, paint) in paints.iter().enumerate() {
                if let Paint::Add(at, radius, cost) = *paint
                    && (radius, cost) != (0, 100)
                {
                    let mut paints = paints.clone();
                    paints[n] = Paint::Add(at, 0, 100);
                    all.push(Step::Layer(paints));
                }
            }
            all
        }
        Step::Find(ask) => plainer_ask(ask).into_iter().map(Step::Find).collect(),
        Step::Batch(asks) => {
            let one =
                asks.iter().map(|ask| Step::Find(Ask { engine: asks[0].engine, ..ask.clone() }));
            one.chain(shorter(asks).into_iter().map(Step::Batch)).collect()
        }
        Step::Begin(ask, slice, runs) => {
            let plainer = plainer_ask(ask).into_iter();
            let mut all = vec![Step::Find(ask.clone())];
            all.extend(plainer.map(|ask| Step::Begin(ask, *slice, *runs)));
            all
        }
        Step::Goals(start, goals, blocked) => {
            let fewer = shorter(goals).into_iter().map(|g| Step::Goals(*start, g, blocked.clone()));
            let free = shorter(blocked).into_iter().map(|b| Step::Goals(*start, goals.clone(), b));
            fewer.chain(free).collect()
        }
        Step::Within(start, range, blocked) => {
            shorter(blocked).into_iter().map(|b| Step::Within(*start, *range, b)).collect()
        }
        Step::Approach(start, target, range, blocked) => {
            let all = shorter(blocked).into_iter();
            all.map(|b| Step::Approach(*start, *target, *range, b)).collect()
        }
        Step::Order(units, goal, blocked, costs) => {
            let fewer = shorter(units).into_iter();
            let fewer = fewer.map(|u| Step::Order(u, *goal, blocked.clone(), *costs));
            let free = shorter(blocked).into_iter();
            let free = free.map(|b| Step::Order(units.clone(), *goal, b, *costs));
            let plain = Step::Order(units.clone(), *goal, blocked.clone(), false);
            fewer.chain(free).chain([plain]).collect()
        }
        Step::Field(goals, until, blocked, costs) => {
            let fewer = shorter(goals).into_iter();
            let fewer = fewer.map(|g| Step::Field(g, until.clone(), blocked.clone(), *costs));
            let free = shorter(blocked).into_iter();
            let free = free.map(|b| Step::Field(goals.clone(), until.clone(), b, *costs));
            let whole = Step::Field(goals.clone(), None, blocked.clone(), *costs);
            let plain = Step::Field(goals.clone(), until.clone(), blocked.clone(), false);
            fewer.chain(free).chain([whole, plain]).collect()
        }
        Step::Walk(start, goal, blocked) => {
            let mut all: Vec<Step> =
                shorter(blocked).into_iter().map(|b| Step::Walk(*start, *goal, b)).collect();
            let centre =
                |(x, y): (i32, i32)| (x.div_euclid(256) * 256 + 128, y.div_euclid(256) * 256 + 128);
            all.push(Step::Walk(centre(*start), *goal, blocked.clone()));
            all.push(Step::Walk(*start, centre(*goal), blocked.clone()));
            all
        }
        Step::PrepareWalks(true) => vec![Step::PrepareWalks(false)],
        Step::Unit(size, engine, start, goal) if *size > 1 => {
            vec![Step::Unit(size - 1, engine, *start, *goal)]
        }
        _ => Vec::new(),
    };
    // Smaller coordinates, one at a time.
    let count = step.clone().tiles_mut().len();
    for n in 0..count {
        for by in [(1, 0), (0, 1)] {
            let mut nearer = step.clone();
            if let Some(at) = nearer.tiles_mut().into_iter().nth(n)
                && at.0 >= by.0
                && at.1 >= by.1
            {
                *at = (at.0 - by.0, at.1 - by.1);
                steps.push(nearer);
            }
        }
    }
    steps.retain(|other| other != step);
    steps
}
