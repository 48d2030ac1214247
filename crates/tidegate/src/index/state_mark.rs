//! Whether an index is still what it was: for whoever goes on later with what was begun.

use std::sync::{Arc, Weak};

use super::table::TableMark;
use super::{Base, Index};

/// By which a state of an index is known again: the map at one revision, and the tables. A
/// clone is in the same state until one of the two changes. It keeps no map and no table in
/// memory, and an edit copies nothing because of it.
#[derive(Clone, Debug)]
pub(crate) struct StateMark {
    base: Weak<Base>,
    tables: Vec<TableMark>,
}

impl StateMark {
    pub(crate) fn of(index: &Index) -> StateMark {
        let tables = index.tables.iter().map(|entry| entry.mark()).collect();
        StateMark { base: Arc::downgrade(&index.base), tables }
    }

    /// Whether the index is in that state.
    pub(crate) fn is_of(&self, index: &Index) -> bool {
        std::ptr::eq(Arc::as_ptr(&index.base), self.base.as_ptr())
            && index.tables.len() == self.tables.len()
            && index.tables.iter().zip(&self.tables).all(|(entry, mark)| entry.is_marked(mark))
    }
}
