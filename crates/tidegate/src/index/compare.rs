//! Whether the tables of an index are those of its map: what checksums cannot tell.
//!
//! A checksum shows damage, not intent. A file that someone made up, with checksums to
//! fit, is refused or gives legal paths of the cost stated, or an error. That the paths are
//! the *shortest* rests, for `gateway`, `gateway-2way`, `portal` and `labels`, on who
//! built the tables: to check them is as much work as to build them. Because building
//! is deterministic, the check is to build them again.

use super::{BuildError, Index, Refused, Table};
use crate::artifact::Writer;
use crate::decompose::Decomposition;

impl Index {
    /// The same map and zones with the same tables, all built again with the options
    /// that they were built with. Those that [edits](Index::edit) have repaired are taken
    /// as they are.
    pub fn rebuilt(&self) -> Result<Index, BuildError> {
        let mut fresh = Index { tables: Vec::new(), stale: Vec::new(), ..self.clone() };
        for entry in &self.tables {
            let table = entry.kind().name;
            let refused = |error: Refused| BuildError::Table { table, why: error.0 };
            // Zones may have been drawn by hand: they are given, not worked out. What edits
            // have repaired need not be what is built now.
            let given = entry.kind().tag == Decomposition::TAG || entry.was_repaired;
            let again =
                if given { entry.clone() } else { entry.rebuild(&fresh).map_err(refused)? };
            fresh.insert(again);
        }
        Ok(fresh)
    }

    /// The tables that edits have repaired since they were built, by name.
    pub fn repaired(&self) -> Vec<&'static str> {
        let repaired = self.tables.iter().filter(|entry| entry.was_repaired);
        repaired.map(|entry| entry.kind().name).collect()
    }

    /// The tables in which two indexes differ, by name. Between an index and
    /// [`Index::rebuilt`] there is none, unless tables were built by another version, or
    /// made up.
    pub fn differences(&self, other: &Index) -> Vec<&'static str> {
        let one_sided = |ours: &Index, theirs: &Index| -> Vec<&'static str> {
            let differs = |entry: &&super::Entry| match theirs.entry(entry.id()) {
                Some(theirs) => !entry.is_same(theirs) && bytes_of(entry) != bytes_of(theirs),
                None => true,
            };
            ours.tables.iter().filter(differs).map(|entry| entry.kind().name).collect()
        };
        let mut names = one_sided(self, other);
        if self.grid() != other.grid() {
            names.push("map");
        }
        names.extend(one_sided(other, self));
        names.sort_unstable();
        names.dedup();
        names
    }
}

fn bytes_of(entry: &super::Entry) -> Vec<u8> {
    let mut out = Writer::new();
    entry.write(&mut out);
    out.into_bytes()
}
