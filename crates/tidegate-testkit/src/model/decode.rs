//! Programs from bytes: every string of bytes is one, so a fuzzer and a random generator make them alike.

use tidegate::Movement;
use tidegate::rng::Rng;
use tidegate_sectors::ENGINES;

use super::plain::{At, letter};
use super::program::{Ask, Paint, Program, Set, Step};
use crate::hostile::Bytes;
use crate::maps;

/// The most steps of a program.
const STEPS: usize = 40;

/// A map of at most 8 x 8 tiles, a bit for each; sometimes long and narrow.
fn tiny_map(bytes: &mut Bytes<'_>) -> Vec<String> {
    let (width, height) = match bytes.below(16) {
        0 => (1 + bytes.below(40), 1 + bytes.below(3)),
        1 => (1 + bytes.below(3), 1 + bytes.below(40)),
        _ => (1 + bytes.below(8), 1 + bytes.below(8)),
    };
    let (costs, mut bits) = (bytes.below(8) == 7, 0);
    let mut tile = |place: usize| {
        if place.is_multiple_of(8) {
            bits = bytes.next();
        }
        match (bits >> (place % 8) & 1, costs) {
            (1, _) => '#',
            (_, true) => letter([100, 100, 200, 350, 900, 65_535][bytes.below(6)]),
            _ => '.',
        }
    };
    (0..height).map(|y| (0..width).map(|x| tile(y * width + x)).collect()).collect()
}

/// An engine; those whose sectors are fitted to the map, which takes longest by far, seldom.
fn one_engine(bytes: &mut Bytes<'_>) -> &'static str {
    let name = ENGINES[bytes.below(ENGINES.len())].name();
    if name.starts_with("maat") && bytes.below(8) > 0 { "dsma" } else { name }
}

impl Program {
    /// A tiny map, the tables of one engine, and one or two questions: for a fuzzer that wants to try many.
    pub fn questions_from_bytes(bytes: &[u8]) -> Program {
        let mut bytes = Bytes::new(bytes);
        let movement = Movement::ALL[bytes.below(3)];
        let rows = tiny_map(&mut bytes);
        let mut writer = Writer::new(&rows);
        let engine = one_engine(&mut bytes);
        writer.prepared = vec![engine];
        let mut steps = Vec::new();
        match bytes.below(8) {
            0 => steps.push(writer.gates(&mut bytes)),
            1 => steps.push(writer.layer(&mut bytes)),
            _ => {}
        }
        steps.push(Step::Prepare(engine));
        steps.push(writer.question(&mut bytes));
        if !bytes.is_empty() {
            steps.push(writer.question(&mut bytes));
        }
        Program { movement, rows, steps }
    }

    /// A tiny map, the tables of one engine, and a few edits with what happens between them; a question after
    /// each.
    pub fn edits_from_bytes(bytes: &[u8]) -> Program {
        let mut bytes = Bytes::new(bytes);
        let movement = Movement::ALL[bytes.below(3)];
        let rows = tiny_map(&mut bytes);
        let mut writer = Writer::new(&rows);
        let engine = one_engine(&mut bytes);
        writer.prepared = vec![engine];
        let mut steps = vec![Step::Prepare(engine)];
        for _ in 0..3 {
            match bytes.below(12) {
                0 => steps.push(Step::Load),
                1 => steps.extend([Step::BuildApart(engine, bytes.below(2) as u8), Step::Snapshot]),
                2 => steps.push(Step::Adopt),
                3 => steps.push(Step::Rebuild),
                4 => steps.push(Step::Return),
                _ => {}
            }
            steps.push(Step::Edit(writer.sets(&mut bytes)));
            steps.push(Step::Find(writer.ask(&mut bytes)));
            if bytes.is_empty() {
                break;
            }
        }
        steps.extend([Step::Adopt, writer.question(&mut bytes)]);
        Program { movement, rows, steps }
    }

    /// The program that these bytes are.
    pub fn from_bytes(bytes: &[u8]) -> Program {
        let mut bytes = Bytes::new(bytes);
        let movement = Movement::ALL[bytes.below(3)];
        let rows = map(&mut bytes);
        let mut writer = Writer::new(&rows);
        let mut steps = Vec::new();
        while !bytes.is_empty() && steps.len() < STEPS {
            steps.push(writer.step(&mut bytes));
        }
        Program { movement, rows, steps }
    }
}

/// A map, mostly of at most 14 x 14 tiles, sometimes of 40 x 40, or a row or column: each tile by a bit, or a
/// shape by a seed. One in eight has costs.
fn map(bytes: &mut Bytes<'_>) -> Vec<String> {
    let kind = bytes.below(8);
    let (width, height) = match bytes.below(8) {
        0 => (1 + bytes.below(40), 1 + bytes.below(2)),
        1 => (1 + bytes.below(2), 1 + bytes.below(40)),
        2 => (10 + bytes.below(30), 10 + bytes.below(30)),
        _ => (1 + bytes.below(14), 1 + bytes.below(14)),
    };
    let costs = bytes.below(8) == 0;
    let seed = u64::from(bytes.next()) << 8 | u64::from(bytes.next());
    let shape = maps::small(seed, Movement::default());
    let (mut rng, mut bits) = (Rng::new(seed ^ 0xC057), 0);
    let mut tile = |x: usize, y: usize| {
        let place = y * width + x;
        if kind == 0 && place.is_multiple_of(8) {
            bits = bytes.next();
        }
        let free = match kind {
            0 => bits >> (place % 8) & 1 == 0,
            1 | 2 => !rng.chance(22),
            // The small maps hold walls beyond their border too.
            _ => shape.is_free_at(
                (x % shape.width() as usize) as i32,
                (y % shape.height() as usize) as i32,
            ),
        };
        match (free, costs) {
            (false, _) => '#',
            (true, false) => '.',
            (true, true) => letter([100, 100, 100, 200, 350, 900, 65_535][rng.below(7)]),
        }
    };
    (0..height).map(|y| (0..width).map(|x| tile(x, y)).collect()).collect()
}

/// What is known while a program is written: where ends are likely to be free, which engines were prepared.
#[derive(Debug)]
pub struct Writer {
    width: usize,
    height: usize,
    free: Vec<At>,
    prepared: Vec<&'static str>,
}

impl Writer {
    /// For programs on a drawn map.
    pub fn new<S: AsRef<str>>(rows: &[S]) -> Writer {
        let free = rows.iter().enumerate().flat_map(|(y, row)| {
            let letters = row.as_ref().chars().enumerate();
            letters.filter(|(_, l)| *l != '#').map(move |(x, _)| (x as u16, y as u16))
        });
        let free = free.collect();
        let width = rows.first().map_or(1, |row| row.as_ref().chars().count());
        Writer { width, height: rows.len(), free, prepared: vec!["astar"] }
    }

    /// Asks these engines from the beginning.
    pub fn with_engines(self, prepared: Vec<&'static str>) -> Writer {
        Writer { prepared, ..self }
    }

    /// The step that the next bytes are.
    pub fn step(&mut self, bytes: &mut Bytes<'_>) -> Step {
        match bytes.below(64) {
            0..8 => Step::Edit(self.sets(bytes)),
            8..15 => {
                let engine = ENGINES[bytes.below(ENGINES.len())].name();
                self.prepared.push(engine);
                Step::Prepare(engine)
            }
            15 => Step::Drop(self.engine(bytes)),
            16 => Step::PrepareWalks(bytes.below(2) == 1),
            17 if bytes.below(4) == 0 => Step::DropWalks,
            17 => Step::DecomposeAgain,
            18 => Step::Rebuild,
            19 => self.gates(bytes),
            20 => Step::Save,
            21 => Step::Load,
            22 | 23 => Step::Snapshot,
            24 => Step::Return,
            25..28 => Step::BuildApart(self.engine(bytes), bytes.below(3) as u8),
            28..31 => Step::Adopt,
            31 | 32 => self.layer(bytes),
            _ => self.question(bytes),
        }
    }

    /// A question of any kind.
    fn question(&mut self, bytes: &mut Bytes<'_>) -> Step {
        match bytes.below(31) {
            0..13 => Step::Find(self.ask(bytes)),
            13 => Step::Batch((0..bytes.below(5)).map(|_| self.ask(bytes)).collect()),
            14..17 => {
                let (ask, slice) = (self.ask(bytes), 1 + bytes.below(12) as u8);
                Step::Begin(ask, slice, bytes.below(4) as u8)
            }
            17 | 18 => Step::Go(1 + bytes.below(64) as u8),
            19 | 20 => {
                let start = self.end(bytes);
                let goals = (0..bytes.below(5)).map(|_| self.end(bytes)).collect();
                Step::Goals(start, goals, self.blocked(bytes))
            }
            21 => Step::Within(self.end(bytes), bytes.below(12) as u8, self.blocked(bytes)),
            22 => {
                let (start, target) = (self.end(bytes), self.any(bytes));
                Step::Approach(start, target, bytes.below(4) as u8, self.blocked(bytes))
            }
            23 | 24 => {
                let units = (0..bytes.below(5)).map(|_| self.end(bytes)).collect();
                let (goal, blocked) = (self.end(bytes), self.blocked(bytes));
                Step::Order(units, goal, blocked, bytes.below(3) == 0)
            }
            25 | 26 => {
                let goals = (0..1 + bytes.below(3)).map(|_| self.end(bytes)).collect();
                let until = (bytes.below(2) == 1)
                    .then(|| (0..bytes.below(3)).map(|_| self.end(bytes)).collect());
                let blocked = self.blocked(bytes);
                Step::Field(goals, until, blocked, bytes.below(3) == 0)
            }
            27 | 28 => {
                let (start, goal) = (self.point(bytes), self.point(bytes));
                Step::Walk(start, goal, self.blocked(bytes))
            }
            _ => {
                let size = 1 + bytes.below(3) as u8;
                Step::Unit(size, self.engine(bytes), self.end(bytes), self.end(bytes))
            }
        }
    }

    fn gates(&self, bytes: &mut Bytes<'_>) -> Step {
        Step::Gates((0..bytes.below(5)).map(|_| (self.any(bytes), self.any(bytes))).collect())
    }

    fn layer(&self, bytes: &mut Bytes<'_>) -> Step {
        Step::Layer((0..=bytes.below(3)).map(|_| self.paint(bytes)).collect())
    }

    /// Mostly an engine that was prepared.
    fn engine(&self, bytes: &mut Bytes<'_>) -> &'static str {
        let choice = bytes.next();
        match choice % 16 {
            0 => ENGINES[usize::from(choice / 16) % ENGINES.len()].name(),
            1 => ENGINES[ENGINES.len() - 1 - usize::from(choice / 16) % ENGINES.len()].name(),
            _ => self.prepared[usize::from(choice) % self.prepared.len()],
        }
    }

    /// A tile of the map or just beyond it.
    fn any(&self, bytes: &mut Bytes<'_>) -> At {
        (bytes.below(self.width + 1) as u16, bytes.below(self.height + 1) as u16)
    }

    /// A tile of the map that was free in the beginning, or any.
    fn end(&self, bytes: &mut Bytes<'_>) -> At {
        if bytes.below(8) == 0 || self.free.is_empty() {
            return self.any(bytes);
        }
        self.free[bytes.below(self.free.len())]
    }

    fn blocked(&self, bytes: &mut Bytes<'_>) -> Vec<At> {
        match bytes.below(4) {
            0 => (0..=bytes.below(6)).map(|_| self.end(bytes)).collect(),
            1 => self.line(bytes),
            _ => Vec::new(),
        }
    }

    /// Some tiles in a row or column.
    fn line(&self, bytes: &mut Bytes<'_>) -> Vec<At> {
        let ((x, y), length, down) = (self.any(bytes), 2 + bytes.below(8) as u16, bytes.below(2));
        let along = |n: u16| if down == 0 { (x + n, y) } else { (x, y + n) };
        let inside = |&(x, y): &At| usize::from(x) < self.width && usize::from(y) < self.height;
        (0..length).map(along).filter(inside).collect()
    }

    fn sets(&self, bytes: &mut Bytes<'_>) -> Vec<Set> {
        let set = |at: At, free: bool| if free { Set::Free(at) } else { Set::Wall(at) };
        match bytes.below(8) {
            0..3 => {
                let at = self.end(bytes);
                vec![set(at, bytes.below(3) == 0)]
            }
            3 | 4 => {
                (0..=bytes.below(6)).map(|_| set(self.any(bytes), bytes.below(2) == 0)).collect()
            }
            5 | 6 => {
                let free = bytes.below(2) == 0;
                self.line(bytes).into_iter().map(|at| set(at, free)).collect()
            }
            _ => {
                let cost = |bytes: &mut Bytes<'_>| [100, 100, 100, 150, 333, 1000][bytes.below(6)];
                (0..=bytes.below(3)).map(|_| Set::Cost(self.end(bytes), cost(bytes))).collect()
            }
        }
    }

    fn paint(&self, bytes: &mut Bytes<'_>) -> Paint {
        let (centre, radius) = (self.any(bytes), bytes.below(4) as u8);
        match bytes.below(6) {
            0..3 => Paint::Add(centre, radius, [1, 50, 300, 65_535][bytes.below(4)]),
            3 => Paint::Raise(centre, radius, 200),
            4 => Paint::Fade(bytes.below(17) as u8),
            _ => Paint::Clear,
        }
    }

    fn ask(&self, bytes: &mut Bytes<'_>) -> Ask {
        let mut ask = Ask::new(self.engine(bytes), self.end(bytes), self.end(bytes));
        let kind = bytes.next();
        if kind & 1 != 0 {
            ask.blocked = self.blocked(bytes);
        }
        ask.costs = kind & 2 != 0 && kind & 4 != 0;
        ask.partial = kind & 8 != 0;
        ask.budget = (kind & 0x30 == 0x30).then(|| bytes.below(60) as u64);
        ask.strict = kind & 0xc0 == 0xc0;
        ask
    }

    /// The centre of a tile, or a point in it, on its edge or beyond, in 256ths of tiles.
    fn point(&self, bytes: &mut Bytes<'_>) -> (i32, i32) {
        let ((x, y), kind) = (self.end(bytes), bytes.below(4));
        let mut part = || match kind {
            0 | 1 => 128,
            2 => [0, 128, 256][bytes.below(3)],
            _ => i32::from(bytes.next()),
        };
        (i32::from(x) * 256 + part(), i32::from(y) * 256 + part())
    }
}
