//! Tables that are built apart from the index that will use them, on a thread of the
//! caller's, while the index goes on answering and being edited.

use super::table::Entry;
use super::{BuildError, Edit, Index, Mismatch, Refused, Table, TableKind, TableState};
use crate::decompose::Decomposition;

/// A table that was [built apart](Index::build_apart) from the index it is meant for, with
/// what it was built on, so that [`Index::adopt`] can tell whether it belongs there.
#[derive(Clone, Debug)]
pub struct Built {
    pub(super) entry: Entry,
    pub(super) made_for: Index,
}

impl Built {
    /// The kind of table.
    pub fn kind(&self) -> &'static TableKind {
        self.entry.kind()
    }
}

impl Index {
    /// Builds a table for an index that goes on answering meanwhile: call it on a
    /// [clone](Clone), on any thread, and hand the result to [`Index::adopt`].
    ///
    /// ```
    /// use tidegate::index::Change;
    /// use tidegate::jps::JpsMap;
    /// use tidegate::{Grid, Index};
    /// let mut index = Index::new(Grid::from_rows(&["....", ".##.", "...."]).unwrap());
    /// let mut snapshot = index.clone();
    /// let built = snapshot.build_apart::<JpsMap>(&()).unwrap();
    /// // What changes meanwhile is carried over.
    /// index.edit([Change::wall((0, 1))]).unwrap();
    /// index.adopt(built).unwrap();
    /// assert_eq!(index.path((0, 0), (0, 2)).unwrap().unwrap().len(), 9);
    /// ```
    pub fn build_apart<T: Table>(&mut self, options: &T::Options) -> Result<Built, BuildError> {
        let entry = self.work_out::<T>(options)?;
        Ok(Built { entry, made_for: self.clone() })
    }

    /// The same for a table that is there already, or is stale, with the options that it
    /// was built with.
    pub fn build_again_apart(&mut self, kind: &'static TableKind) -> Result<Built, BuildError> {
        let refused = |error: Refused| BuildError::Table { table: kind.name, why: error.0 };
        self.prepare_below(kind).map_err(refused)?;
        let entry = match (self.entry(kind.id()), self.stale_table(kind)) {
            (Some(entry), _) => entry.rebuild(self),
            (None, Some(options)) => options.build(self),
            (None, None) => kind.build(self),
        };
        Ok(Built { entry: entry.map_err(refused)?, made_for: self.clone() })
    }

    /// A table of this index for another one to [adopt](Index::adopt), such as a clone that
    /// went its own way since. It is shared, not copied. `None` if there is none that can be
    /// used.
    ///
    /// ```
    /// use tidegate::index::{Change, Table};
    /// use tidegate::jps::JpsMap;
    /// use tidegate::{engine, Grid, Index};
    /// let mut index = Index::new(Grid::from_rows(&["....", ".##.", "...."]).unwrap());
    /// let mut other = index.clone();
    /// index.prepare(engine::JPS).unwrap();
    /// other.edit([Change::wall((0, 1))]).unwrap();
    /// other.adopt(index.built(JpsMap::KIND).unwrap()).unwrap();
    /// assert_eq!(other.path((0, 0), (0, 2)).unwrap().unwrap().len(), 9);
    /// ```
    pub fn built(&self, kind: &TableKind) -> Option<Built> {
        let entry = self.entry(kind.id())?.clone();
        Some(Built { entry, made_for: self.clone() })
    }

    /// Takes a table that was built apart, in place of the one that is there. Edits made
    /// since are carried over to it. Refused if it was built for another map, if it cannot
    /// follow what was edited since, or if it was built on other tables than those that
    /// are here now.
    pub fn adopt(&mut self, built: Built) -> Result<TableState, Mismatch> {
        let Built { mut entry, made_for } = built;
        let kind = entry.kind();
        let refuse = |why: String| Err(Mismatch { what: kind.name, why });
        let mut edit = match Edit::between(made_for.grid(), self.grid()) {
            Ok(edit) => edit,
            Err(error) => return refuse(error.to_string()),
        };
        let mut adopted = self.clone();
        for below in kind.rests_on {
            match (self.entry(below.id()), made_for.entry(below.id())) {
                (None, Some(theirs)) => {
                    let mut theirs = theirs.clone();
                    if adopted.repair_entry(&mut theirs, &mut edit) == TableState::Stale {
                        return refuse(format!("the {} cannot follow the edits", below.name));
                    }
                    adopted.insert(theirs);
                }
                (Some(ours), Some(theirs)) if ours.has_origin_of(theirs) => {
                    let zones = (theirs.table::<Decomposition>(), ours.table::<Decomposition>());
                    if let (Some((theirs, _)), Some((ours, _))) = zones {
                        edit.compare_zones(theirs, ours);
                    }
                }
                _ => return refuse(format!("the {} differ", below.name)),
            }
        }
        if adopted.repair_entry(&mut entry, &mut edit) == TableState::Stale {
            return refuse("the map was edited since in a way that it cannot follow".to_owned());
        }
        let state = entry.state;
        adopted.insert(entry);
        *self = adopted;
        Ok(state)
    }
}
