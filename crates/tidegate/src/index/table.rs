//! What an engine worked out in advance for a map, and everything that is asked of it.
//!
//! A [`Table`] says how it is built, what it rests on, how it is written and read. The
//! index holds tables without knowing their types: the library's own and those of other
//! crates have the same rights.

use std::any::{Any, TypeId};
use std::fmt::Debug;
use std::sync::{Arc, Weak};

use super::{Edit, Index};
use crate::artifact::{Reader, WireError, Writer};

/// The settings that a table is built with. They are kept with it, in the file too.
pub trait TableOptions: Clone + Debug + Default + PartialEq + Send + Sync + 'static {
    /// Writes everything that [`TableOptions::read`] needs.
    fn write(&self, out: &mut Writer);

    /// Reads the settings. No bytes may make it panic.
    fn read(from: &mut Reader<'_>) -> Result<Self, WireError>;
}

/// For tables without settings.
impl TableOptions for () {
    fn write(&self, _: &mut Writer) {}

    fn read(_: &mut Reader<'_>) -> Result<(), WireError> {
        Ok(())
    }
}

/// Why a table cannot be built for a map, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);

impl Refused {
    /// The reason, from an error or a text.
    pub fn because(why: impl std::fmt::Display) -> Refused {
        Refused(why.to_string())
    }
}

/// How a table stands to the map of its index after [edits](Index::edit). Optimal engines
/// are exact with every one of these; what differs is the time they take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum TableState {
    /// It is a table of the map as it is now: built for it, or repaired.
    Current,
    /// Repaired again and again, it has become larger and slower than a new one would be.
    Aged,
    /// It is a table of an earlier map, and what differs lies over it: where the
    /// difference matters, another engine is asked.
    Overlay,
    /// It is a table of an earlier map on which no way was longer, so it holds lower
    /// bounds: answers are exact, searches larger.
    Bounds,
    /// It is not used until it is built again.
    Stale,
}

impl TableState {
    /// Whether the table would be faster if it were built again.
    pub fn wants_rebuild(self) -> bool {
        self != TableState::Current
    }
}

impl std::fmt::Display for TableState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            TableState::Current => "current",
            TableState::Aged => "aged",
            TableState::Overlay => "overlay",
            TableState::Bounds => "bounds",
            TableState::Stale => "stale",
        })
    }
}

/// What an engine worked out in advance for a map.
///
/// While queries run a table never changes; an [edit](Index::edit) of the map
/// [repairs](Table::repair) it. It is handed an index that has everything it
/// [rests on](Table::RESTS_ON).
pub trait Table: Clone + Debug + Send + Sync + Sized + 'static {
    /// How it is built.
    type Options: TableOptions;

    /// What it is called in messages.
    const NAME: &'static str;

    /// Four letters that name its section in the file. No two tables share them.
    const TAG: [u8; 4];

    /// The tables that this one is worked out from, besides the map. They are built
    /// first; when one of them is replaced or dropped, this one is dropped too.
    const RESTS_ON: &'static [&'static TableKind] = &[];

    /// This table without its type: what engines and files know it by.
    const KIND: &'static TableKind = &TableKind::of::<Self>();

    /// The options that it is built with where nobody says otherwise.
    fn usual_options() -> Self::Options {
        Self::Options::default()
    }

    /// Works it out.
    fn build(index: &Index, options: &Self::Options) -> Result<Self, Refused>;

    /// Brings it up to date after an edit, and says how it then stands to the map. `index`
    /// has the map as it is now, and what the table rests on, up to date. A table that is
    /// shared with a snapshot is copied by [`Arc::make_mut`], so one that need not change
    /// costs nothing.
    ///
    /// Where this is left out, every edit makes the table [stale](TableState::Stale).
    fn repair(table: &mut Arc<Self>, index: &Index, edit: &mut Edit) -> TableState {
        let _ = (table, index, edit);
        TableState::Stale
    }

    /// Bytes held.
    fn bytes(&self) -> usize;

    /// Writes everything that [`Table::read`] needs besides the map and the options.
    fn write(&self, out: &mut Writer);

    /// Reads the table and checks its meaning against the map and what it rests on. No
    /// bytes may make it panic, and a table that is returned must be safe to query.
    fn read(
        from: &mut Reader<'_>,
        index: &Index,
        options: &Self::Options,
    ) -> Result<Self, WireError>;
}

/// A kind of [`Table`] as a value.
#[derive(Clone, Copy)]
pub struct TableKind {
    /// What it is called in messages.
    pub name: &'static str,
    /// Its section in the file.
    pub tag: [u8; 4],
    /// What it rests on.
    pub rests_on: &'static [&'static TableKind],
    id: fn() -> TypeId,
    build: fn(&Index) -> Result<Entry, Refused>,
    read: fn(&mut Reader<'_>, &Index) -> Result<Entry, WireError>,
}

impl Debug for TableKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TableKind({})", self.name)
    }
}

impl TableKind {
    const fn of<T: Table>() -> TableKind {
        TableKind {
            name: T::NAME,
            tag: T::TAG,
            rests_on: T::RESTS_ON,
            id: TypeId::of::<T>,
            build: |index| {
                let options = T::usual_options();
                T::build(index, &options).map(|table| Entry::new(table, options))
            },
            read: |from, index| {
                let options = T::Options::read(from)?;
                let table = T::read(from, index, &options)?;
                Ok(Entry::new(table, options))
            },
        }
    }

    /// Whether such a table is dropped when one of the `other` kind is replaced: it rests on
    /// it, or on something that does.
    ///
    /// ```
    /// use tidegate::gateway::GateDistances;
    /// use tidegate::index::Table;
    /// use tidegate::Decomposition;
    /// assert!(GateDistances::KIND.depends_on(Decomposition::KIND));
    /// assert!(!Decomposition::KIND.depends_on(GateDistances::KIND));
    /// ```
    pub fn depends_on(&self, other: &TableKind) -> bool {
        self.rests_on.iter().any(|below| below.id() == other.id() || below.depends_on(other))
    }

    pub(super) fn id(&self) -> TypeId {
        (self.id)()
    }

    pub(super) fn build(&self, index: &Index) -> Result<Entry, Refused> {
        (self.build)(index)
    }

    pub(super) fn read(&self, from: &mut Reader<'_>, index: &Index) -> Result<Entry, WireError> {
        (self.read)(from, index)
    }

    /// Where it stands in the file: behind everything it rests on.
    pub(super) fn order(&self) -> (usize, [u8; 4]) {
        let below = self.rests_on.iter().map(|kind| kind.order().0 + 1);
        (below.max().unwrap_or(0), self.tag)
    }
}

/// A table with the options it was built with.
#[derive(Clone, Debug)]
struct Held<T: Table> {
    table: Arc<T>,
    options: T::Options,
}

/// What the index asks of a table whose type it does not know.
trait AnyTable: Any + Debug + Send + Sync {
    fn kind(&self) -> &'static TableKind;
    fn bytes(&self) -> usize;
    fn write(&self, out: &mut Writer);
    fn options(&self) -> Arc<dyn AnyOptions>;
    fn repair(&mut self, index: &Index, edit: &mut Edit) -> TableState;
    /// The same table, shared, in a place of its own.
    fn share(&self) -> Arc<dyn AnyTable>;
    fn as_any(&self) -> &dyn Any;
}

impl<T: Table> AnyTable for Held<T> {
    fn kind(&self) -> &'static TableKind {
        T::KIND
    }

    fn bytes(&self) -> usize {
        self.table.bytes()
    }

    fn write(&self, out: &mut Writer) {
        self.options.write(out);
        self.table.write(out);
    }

    fn options(&self) -> Arc<dyn AnyOptions> {
        Arc::new(OptionsOf::<T>(self.options.clone()))
    }

    fn repair(&mut self, index: &Index, edit: &mut Edit) -> TableState {
        T::repair(&mut self.table, index, edit)
    }

    fn share(&self) -> Arc<dyn AnyTable> {
        Arc::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The options of a table, without the table.
#[derive(Debug)]
struct OptionsOf<T: Table>(T::Options);

/// What the index asks of options whose table it does not know.
trait AnyOptions: Debug + Send + Sync {
    fn kind(&self) -> &'static TableKind;
    fn build(&self, index: &Index) -> Result<Entry, Refused>;
}

impl<T: Table> AnyOptions for OptionsOf<T> {
    fn kind(&self) -> &'static TableKind {
        T::KIND
    }

    fn build(&self, index: &Index) -> Result<Entry, Refused> {
        T::build(index, &self.0).map(|table| Entry::new(table, self.0.clone()))
    }
}

/// How a table was built: all that is kept of one that an edit has made stale.
#[derive(Clone, Debug)]
pub(super) struct BuildOptions(Arc<dyn AnyOptions>);

impl BuildOptions {
    pub(super) fn kind(&self) -> &'static TableKind {
        self.0.kind()
    }

    /// The table with these options, for an index.
    pub(super) fn build(&self, index: &Index) -> Result<Entry, Refused> {
        self.0.build(index)
    }
}

/// By which a table is known again. It keeps neither the table nor a repair from working in
/// place, only the address from being used again.
#[derive(Clone, Debug)]
pub(super) struct TableMark(Weak<dyn AnyTable>);

/// A table in an index. A clone shares it.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    id: TypeId,
    held: Arc<dyn AnyTable>,
    /// Shared by all that a table has become by repairs.
    origin: Arc<()>,
    pub(super) state: TableState,
    /// Whether it was repaired, and so may differ from a table that is built now.
    pub(super) was_repaired: bool,
}

impl Entry {
    pub(super) fn new<T: Table>(table: T, options: T::Options) -> Entry {
        Entry {
            id: TypeId::of::<T>(),
            held: Arc::new(Held { table: Arc::new(table), options }),
            origin: Arc::default(),
            state: TableState::Current,
            was_repaired: false,
        }
    }

    /// Brings the table up to date after an edit.
    pub(super) fn repair(&mut self, index: &Index, edit: &mut Edit) -> TableState {
        if Arc::get_mut(&mut self.held).is_none() {
            self.held = self.held.share();
        }
        let held = Arc::get_mut(&mut self.held).expect("nobody else has it");
        self.state = held.repair(index, edit);
        self.was_repaired = true;
        self.state
    }

    /// Whether both are, or have come by repairs from, one table.
    pub(super) fn has_origin_of(&self, other: &Entry) -> bool {
        Arc::ptr_eq(&self.origin, &other.origin)
    }

    #[inline]
    pub(super) fn id(&self) -> TypeId {
        self.id
    }

    pub(super) fn kind(&self) -> &'static TableKind {
        self.held.kind()
    }

    pub(super) fn bytes(&self) -> usize {
        self.held.bytes()
    }

    pub(super) fn write(&self, out: &mut Writer) {
        self.held.write(out);
    }

    /// How it was built.
    pub(super) fn build_options(&self) -> BuildOptions {
        BuildOptions(self.held.options())
    }

    /// The same table with the same options, built again for an index.
    pub(super) fn rebuild(&self, index: &Index) -> Result<Entry, Refused> {
        self.build_options().build(index)
    }

    #[inline]
    pub(super) fn table<T: Table>(&self) -> Option<(&T, &T::Options)> {
        let held = self.held.as_any().downcast_ref::<Held<T>>()?;
        Some((&held.table, &held.options))
    }

    pub(super) fn is_same(&self, other: &Entry) -> bool {
        Arc::ptr_eq(&self.held, &other.held)
    }

    pub(super) fn mark(&self) -> TableMark {
        TableMark(Arc::downgrade(&self.held))
    }

    /// Whether it is the table that was marked, and not repaired since.
    pub(super) fn is_marked(&self, mark: &TableMark) -> bool {
        std::ptr::addr_eq(Arc::as_ptr(&self.held), mark.0.as_ptr())
    }
}
