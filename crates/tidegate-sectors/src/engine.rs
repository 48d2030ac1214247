//! `dsma`, `maat` and `maat-zones`: sectors that adapt to the time queries take.
//!
//! The index holds the state to begin with; each scratch holds a planner that answers
//! and adapts. The clock is that of expansions, so that a fresh scratch gives the same
//! answers to the same queries everywhere.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::{
    Bounds, Cover, Dsma, Expansions, Ground, Maat, Policy, Preparation, SectorPlanner, Tally,
    TrianglesError, Trip, prepare,
};
use tidegate::artifact::{Reader, WireError, Writer};
use tidegate::index::{
    Engine, EngineInfo, EngineScratch, FindContext, FindResult, Index, Refused, ResolvedQuery,
    Scratch, Table, TableKind,
};
use tidegate::{Decomposition, engine};

/// How often a quarter of the map may be halved: the paper's most.
const LEVELS: u8 = 4;

/// Sectors split and merged by demand.
pub const DSMA: &dyn Engine = &Sectors::<ByDemand>(PhantomData);

/// Sectors fitted to the map, split and merged by time.
pub const MAAT: &dyn Engine = &Sectors::<ByTime>(PhantomData);

/// The same with zones for sectors and gates for sub-goals.
pub const MAAT_ZONES: &dyn Engine = &Sectors::<ByTimeOnZones>(PhantomData);

/// The engines of this crate.
pub const ALL: &[&dyn Engine] = &[DSMA, MAAT, MAAT_ZONES];

/// The engines of the library and of this crate, for programs that offer them all.
pub const ENGINES: &[&dyn Engine] = &{
    const LIBRARY: usize = engine::ALL.len();
    let mut all = [DSMA; LIBRARY + ALL.len()];
    let mut n = 0;
    while n < all.len() {
        all[n] = if n < LIBRARY { engine::ALL[n] } else { ALL[n - LIBRARY] };
        n += 1;
    }
    all
};

/// The engine of this name, of the library or of this crate.
pub fn by_name(name: &str) -> Option<&'static dyn Engine> {
    ENGINES.iter().copied().find(|engine| engine.name() == name)
}

/// What distinguishes one engine on sectors from another.
trait SectorEngine: Debug + Send + Sync + Sized + 'static {
    type Policy: Policy + Debug + Send + Sync + 'static;
    const INFO: &'static EngineInfo;
    const TAG: [u8; 4];
    const RESTS_ON: &'static [&'static TableKind] = &[];

    /// The sectors of a map.
    fn ground(index: &Index) -> Result<Ground, TrianglesError> {
        Ground::triangles(index.grid(), LEVELS)
    }

    /// The state to begin with.
    fn begin(index: &Index, ground: Arc<Ground>) -> SectorPlanner<Self::Policy>;
}

/// The state that an engine begins with.
#[derive(Debug)]
struct InitialSectors<E: SectorEngine>(Arc<SectorPlanner<E::Policy>>);

impl<E: SectorEngine> Clone for InitialSectors<E> {
    fn clone(&self) -> Self {
        InitialSectors(Arc::clone(&self.0))
    }
}

/// The planner of a thread. Another index, another beginning.
#[derive(Debug)]
struct ThreadPlanner<E: SectorEngine> {
    planner: Option<Begun<E::Policy>>,
}

/// A planner and the state it began with.
type Begun<P> = (Arc<SectorPlanner<P>>, SectorPlanner<P>);

impl<E: SectorEngine> Default for ThreadPlanner<E> {
    fn default() -> ThreadPlanner<E> {
        ThreadPlanner { planner: None }
    }
}

impl<E: SectorEngine> EngineScratch for ThreadPlanner<E> {
    fn bytes(&self) -> usize {
        self.planner.as_ref().map_or(0, |(_, planner)| planner.bytes())
    }
}

/// `dsma`.
#[derive(Debug)]
struct ByDemand;

/// `maat`.
#[derive(Debug)]
struct ByTime;

/// `maat-zones`.
#[derive(Debug)]
struct ByTimeOnZones;

fn fitted(index: &Index, ground: Arc<Ground>) -> SectorPlanner<Maat> {
    prepare(index, ground, &Preparation::default(), &mut Expansions)
}

impl SectorEngine for ByDemand {
    type Policy = Dsma;
    const INFO: &'static EngineInfo = &EngineInfo::approximate(
        "dsma",
        "triangular sectors split and merged by demand to keep queries within bounds of time",
    )
    .with_blocked()
    .adapting();
    const TAG: [u8; 4] = *b"dsma";

    fn begin(_: &Index, ground: Arc<Ground>) -> SectorPlanner<Dsma> {
        SectorPlanner::dsma(ground, Bounds::default())
    }
}

impl SectorEngine for ByTime {
    type Policy = Maat;
    const INFO: &'static EngineInfo = &EngineInfo::approximate(
        "maat",
        "triangular sectors fitted to the map, split and merged by time within fitted bounds",
    )
    .with_blocked()
    .adapting();
    const TAG: [u8; 4] = *b"maat";

    fn begin(index: &Index, ground: Arc<Ground>) -> SectorPlanner<Maat> {
        fitted(index, ground)
    }
}

impl SectorEngine for ByTimeOnZones {
    type Policy = Maat;
    const INFO: &'static EngineInfo = &EngineInfo::approximate(
        "maat-zones",
        "like maat, with zones for sectors and gates for sub-goals: quicker, and shorter paths",
    )
    .with_blocked()
    .adapting();
    const TAG: [u8; 4] = *b"mtzn";
    const RESTS_ON: &'static [&'static TableKind] = &[Decomposition::KIND];

    fn ground(index: &Index) -> Result<Ground, TrianglesError> {
        Ok(Ground::zones(index.grid(), index.required()))
    }

    fn begin(index: &Index, ground: Arc<Ground>) -> SectorPlanner<Maat> {
        fitted(index, ground).tidied()
    }
}

/// The ground is worked out from the map again; the state must fit it.
impl<E: SectorEngine> Table for InitialSectors<E> {
    type Options = ();
    const NAME: &'static str = E::INFO.name;
    const TAG: [u8; 4] = E::TAG;
    const RESTS_ON: &'static [&'static TableKind] = E::RESTS_ON;

    fn build(index: &Index, (): &()) -> Result<Self, Refused> {
        let ground = E::ground(index).map_err(Refused::because)?;
        Ok(InitialSectors(Arc::new(E::begin(index, Arc::new(ground)))))
    }

    fn bytes(&self) -> usize {
        self.0.state_bytes() + self.0.ground().bytes()
    }

    fn write(&self, out: &mut Writer) {
        self.0.write(out);
    }

    fn read(from: &mut Reader<'_>, index: &Index, (): &()) -> Result<Self, WireError> {
        let ground = E::ground(index).map_err(|error| WireError::meaning(error.to_string()))?;
        Ok(InitialSectors(Arc::new(SectorPlanner::read(Arc::new(ground), from)?)))
    }
}

/// The state of an engine's sectors, for those who want to look.
#[derive(Clone, Copy, Debug)]
pub struct SectorState<'a> {
    /// All sectors there may be.
    pub ground: &'a Ground,
    /// Those in use.
    pub cover: &'a Cover,
    /// The bounds in force.
    pub bounds: Bounds,
    /// What was done so far.
    pub tally: &'a Tally,
    /// The last query, sector by sector.
    pub trip: &'a Trip,
}

fn state_of<P: Policy>(planner: &SectorPlanner<P>) -> SectorState<'_> {
    let (ground, cover) = (planner.ground(), planner.cover());
    let (tally, trip) = (planner.tally(), planner.last_trip());
    SectorState { ground, cover, bounds: planner.bounds(), tally, trip }
}

/// The sectors of `dsma`, `maat` or `maat-zones` as the queries answered with this
/// scratch have left them; `None` before the first.
pub fn sectors<'a>(scratch: &'a Scratch, engine: &str) -> Option<SectorState<'a>> {
    fn last<E: SectorEngine>(scratch: &Scratch) -> Option<SectorState<'_>> {
        let slot: &ThreadPlanner<E> = scratch.last()?;
        slot.planner.as_ref().map(|(_, planner)| state_of(planner))
    }
    match engine {
        "dsma" => last::<ByDemand>(scratch),
        "maat" => last::<ByTime>(scratch),
        "maat-zones" => last::<ByTimeOnZones>(scratch),
        _ => None,
    }
}

/// The sectors that `dsma`, `maat` or `maat-zones` begin with; `None` if not built.
pub fn initial_sectors<'a>(index: &'a Index, engine: &str) -> Option<SectorState<'a>> {
    fn first<E: SectorEngine>(index: &Index) -> Option<SectorState<'_>> {
        index.table::<InitialSectors<E>>().map(|InitialSectors(planner)| state_of(planner))
    }
    match engine {
        "dsma" => first::<ByDemand>(index),
        "maat" => first::<ByTime>(index),
        "maat-zones" => first::<ByTimeOnZones>(index),
        _ => None,
    }
}

/// An engine on sectors.
struct Sectors<E>(PhantomData<E>);

impl<E: SectorEngine> Engine for Sectors<E> {
    fn info(&self) -> &EngineInfo {
        E::INFO
    }

    fn tables(&self) -> &'static [&'static TableKind] {
        const { &[InitialSectors::<E>::KIND] }
    }

    fn find(&self, query: &ResolvedQuery<'_>, context: FindContext<'_>) -> FindResult {
        let FindContext { scratch, path, observer } = context;
        let initial: &InitialSectors<E> = query.index.table().ok_or_else(|| self.not_built())?;
        let slot = &mut scratch.slot::<ThreadPlanner<E>>().planner;
        let same = slot.take().filter(|(began, _)| Arc::ptr_eq(began, &initial.0));
        let fresh = || (Arc::clone(&initial.0), (*initial.0).clone());
        let (began, mut planner) = same.unwrap_or_else(fresh);
        let answer = planner.answer(query, &mut Expansions, scratch, path, observer);
        scratch.slot::<ThreadPlanner<E>>().planner = Some((began, planner));
        answer
    }
}
