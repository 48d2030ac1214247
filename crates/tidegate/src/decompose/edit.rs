//! Editing a decomposition: gates added, moved and taken away, zones merged and split.
//!
//! Every edit is a change of the list of gate lines, and everything else follows from the
//! list; so undoing an edit puts the old lines back and gives the very same decomposition.
//! In debug builds every edit ends with [`Decomposition::check`].

use super::gate::{GateLine, LineError};
use super::{Decomposition, GateError, GateId, ZoneId, snap};
use crate::grid::{Grid, OtherMap, Tile};

/// Why an edit was refused. The decomposition stays as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// There is no such gate.
    #[error("there is no gate {0}")]
    NoGate(GateId),
    /// There is no such zone.
    #[error("there is no zone {0}")]
    NoZone(ZoneId),
    /// No gate lies between the two zones.
    #[error("no gate lies between zones {0} and {1}")]
    NotNeighbours(ZoneId, ZoneId),
    /// No line fits where it was asked for.
    #[error(transparent)]
    Line(#[from] LineError),
    /// No straight line divides the zone.
    #[error("no straight line divides zone {0}")]
    Undividable(ZoneId),
    /// The gates would not make a decomposition.
    #[error(transparent)]
    Gates(#[from] GateError),
}

/// One end of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GateEnd {
    /// The first in row order.
    A,
    /// The last in row order.
    B,
}

/// A stretch of the list of lines, as it was and as it became.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Change {
    at: usize,
    before: Vec<GateLine>,
    after: Vec<GateLine>,
}

/// A decomposition being edited, with everything needed to go back.
///
/// ```
/// use tidegate::decompose::{Decomposition, Editor};
/// use tidegate::{Grid, Tile};
/// let grid = Grid::from_rows(&[".....", "#...#", "....."]).unwrap();
/// let plain = Decomposition::from_gates(&grid, []).unwrap();
/// let mut editor = Editor::new(&grid, plain.clone()).unwrap();
/// editor.add_gate(Tile::new(1, 1), Tile::new(3, 1)).unwrap();
/// assert_eq!(editor.decomposition().zones().len(), 2);
/// editor.undo();
/// assert_eq!(*editor.decomposition(), plain);
/// ```
#[derive(Clone, Debug)]
pub struct Editor<'g> {
    grid: &'g Grid,
    current: Decomposition,
    done: Vec<Change>,
    undone: Vec<Change>,
}

impl<'g> Editor<'g> {
    /// Begins to edit a decomposition of this grid; one of another grid is an error. Numbers
    /// are those that the lines give from now on: after edits of the map see
    /// [`Decomposition::numbered_in_order`] for what becomes of the old ones.
    pub fn new(grid: &'g Grid, decomposition: Decomposition) -> Result<Editor<'g>, OtherMap> {
        decomposition.belongs_to(grid)?;
        let current = match decomposition.is_numbered_in_order() {
            true => decomposition,
            false => decomposition.numbered_in_order().0,
        };
        Ok(Editor { grid, current, done: Vec::new(), undone: Vec::new() })
    }

    /// What it is now.
    pub fn decomposition(&self) -> &Decomposition {
        &self.current
    }

    /// Ends the editing.
    pub fn into_decomposition(self) -> Decomposition {
        self.current
    }

    /// Adds a gate about where a person drew it: on the nearest row, column or diagonal,
    /// grown to the walls or gates at its ends. Returns its number.
    pub fn add_gate(&mut self, from: Tile, to: Tile) -> Result<GateId, EditError> {
        let line = snap::to_line(self.grid, &self.current, from, to)?;
        let mut lines = self.lines();
        lines.push(line);
        self.apply(lines)?;
        Ok(GateId::from_index(self.current.gates.len() - 1))
    }

    /// Moves one end of a gate; the line stays straight and stops at walls.
    pub fn move_end(&mut self, gate: GateId, end: GateEnd, to: Tile) -> Result<(), EditError> {
        let mut lines = self.lines();
        let line = lines.get_mut(gate.index()).ok_or(EditError::NoGate(gate))?;
        let fixed = if end == GateEnd::A { line.b() } else { line.a() };
        *line = snap::towards(self.grid, fixed, to)?;
        self.apply(lines)
    }

    /// Takes a gate away.
    pub fn remove_gate(&mut self, gate: GateId) -> Result<(), EditError> {
        let mut lines = self.lines();
        if gate.index() >= lines.len() {
            return Err(EditError::NoGate(gate));
        }
        lines.remove(gate.index());
        self.apply(lines)
    }

    /// Makes one zone of two by taking away all gates between them.
    pub fn merge_zones(&mut self, a: ZoneId, b: ZoneId) -> Result<(), EditError> {
        for zone in [a, b] {
            if zone.index() >= self.current.zones.len() {
                return Err(EditError::NoZone(zone));
            }
        }
        let between = |zones: &[ZoneId]| a != b && zones.contains(&a) && zones.contains(&b);
        let gates = self.current.gates.iter();
        let kept: Vec<GateLine> =
            gates.filter(|gate| !between(&gate.zones)).map(|gate| gate.line).collect();
        if kept.len() == self.current.gates.len() {
            return Err(EditError::NotNeighbours(a, b));
        }
        self.apply(kept)
    }

    /// Divides a zone by the line that is shortest for the ground it cuts off. Returns
    /// the number of the new gate.
    pub fn split_zone(&mut self, zone: ZoneId) -> Result<GateId, EditError> {
        if zone.index() >= self.current.zones.len() {
            return Err(EditError::NoZone(zone));
        }
        let line = snap::dividing_line(self.grid, &self.current, zone)
            .ok_or(EditError::Undividable(zone))?;
        let mut lines = self.lines();
        lines.push(line);
        self.apply(lines)?;
        Ok(GateId::from_index(self.current.gates.len() - 1))
    }

    /// Takes the last edit back. Returns whether there was one.
    pub fn undo(&mut self) -> bool {
        let Some(change) = self.done.pop() else { return false };
        self.replay(change.at, change.after.len(), &change.before);
        self.undone.push(change);
        true
    }

    /// Does an edit again that was taken back. Returns whether there was one.
    pub fn redo(&mut self) -> bool {
        let Some(change) = self.undone.pop() else { return false };
        self.replay(change.at, change.before.len(), &change.after);
        self.done.push(change);
        true
    }

    /// How many edits can be taken back, and how many done again.
    pub fn history(&self) -> (usize, usize) {
        (self.done.len(), self.undone.len())
    }

    fn lines(&self) -> Vec<GateLine> {
        self.current.lines().collect()
    }

    fn replay(&mut self, at: usize, old: usize, new: &[GateLine]) {
        let mut lines = self.lines();
        lines.splice(at..at + old, new.iter().copied());
        self.current = rederived(self.grid, &self.current, &lines)
            .expect("these lines made a decomposition before");
    }

    /// Takes on new lines and remembers the change.
    fn apply(&mut self, lines: Vec<GateLine>) -> Result<(), EditError> {
        let next = rederived(self.grid, &self.current, &lines)?;
        debug_assert_eq!(next.check(self.grid), Ok(()));
        let old = self.lines();
        let same = |(a, b): &(&GateLine, &GateLine)| a == b;
        let at = old.iter().zip(&lines).take_while(same).count();
        let rest = old[at..].iter().rev().zip(lines[at..].iter().rev()).take_while(same).count();
        self.done.push(Change {
            at,
            before: old[at..old.len() - rest].to_vec(),
            after: lines[at..lines.len() - rest].to_vec(),
        });
        self.undone.clear();
        self.current = next;
        Ok(())
    }
}

/// The decomposition of a map by new lines, made like one by other lines.
fn rederived(
    grid: &Grid,
    old: &Decomposition,
    lines: &[GateLine],
) -> Result<Decomposition, GateError> {
    let claims = Decomposition::claim(grid, lines)?;
    Ok(Decomposition::derive(grid, lines, claims, old.method, old.raw_gates))
}
