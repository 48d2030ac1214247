//! Zones and gates as a table of the index: the gate engines rest on them.

use std::sync::Arc;

use super::table::Entry;
use super::{Edit, Index, Refused, Table, TableState};
use crate::artifact::{Reader, WireError, Writer};
use crate::decompose::{Decomposition, Matching, WaterOptions};
use crate::grid::OtherMap;

impl Table for Decomposition {
    type Options = ();
    const NAME: &'static str = "zones and gates";
    const TAG: [u8; 4] = *b"zone";

    fn build(index: &Index, (): &()) -> Result<Decomposition, Refused> {
        Ok(Decomposition::water(index.grid(), &WaterOptions::default()))
    }

    fn repair(table: &mut Arc<Self>, index: &Index, edit: &mut Edit) -> TableState {
        if !edit.walls().is_empty() {
            edit.set_zones(Arc::make_mut(table).follow(index.grid(), edit.walls()));
        }
        TableState::Current
    }

    fn bytes(&self) -> usize {
        self.places_bytes()
    }

    fn write(&self, out: &mut Writer) {
        self.write_lines(out);
    }

    fn read(from: &mut Reader<'_>, index: &Index, (): &()) -> Result<Decomposition, WireError> {
        Decomposition::read_lines(from, index.grid())
    }
}

impl Index {
    /// The zones and gates for people and bots, if they were made.
    pub fn decomposition(&self) -> Option<&Decomposition> {
        self.table()
    }

    /// Makes zones and gates by rising water, unless they are there already.
    pub fn decompose(&mut self) -> &Decomposition {
        if self.decomposition().is_none() {
            let made = Decomposition::water(self.grid(), &WaterOptions::default());
            self.insert(Entry::new(made, ()));
        }
        self.decomposition().expect("zones were made")
    }

    /// Makes zones and gates again from scratch, by the method that made them, and says
    /// what has become of those that there were. After many edits this gives what a person
    /// would draw on the map as it is now; tables that were built on the old ones are
    /// dropped. `None` if there are no zones.
    pub fn decompose_again(&mut self) -> Option<Matching> {
        let (made, matching) = self.decomposition()?.rebuild(self.grid(), &WaterOptions::default());
        self.insert(Entry::new(made, ()));
        Some(matching)
    }

    /// Takes these zones and gates in place of others. Tables that were built on the
    /// others are dropped. Zones of another map, or of this one before an edit, are an
    /// error and change nothing.
    pub fn set_decomposition(&mut self, decomposition: Decomposition) -> Result<(), OtherMap> {
        decomposition.belongs_to(self.grid())?;
        self.insert(Entry::new(decomposition, ()));
        Ok(())
    }
}
