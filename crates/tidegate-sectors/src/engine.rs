//! `dsma`, `maat` and `maat-zones`: sectors that adapt to the time queries take.
//!
//! The index holds the state to begin with; each scratch holds a planner that answers
//! and adapts. The clock is that of expansions, so that a fresh scratch gives the same
//! answers to the same queries everywhere.

use std::fmt::Debug;
use std::sync::Arc;

use super::{Ask, BuildError, Engine, Observe, Promise};
use crate::artifact::{Part, Reader, WireError, Writer};
use crate::decompose::{Decomposition, WaterOptions};
use crate::index::{Answer, Index, QueryError, Scratch};
use crate::path::Path;
use crate::sector::{
    Bounds, Cover, Dsma, Expansions, Ground, Maat, Planner, Policy, Preparation, Tally,
    TrianglesError, Trip, prepare,
};

/// How often a quarter of the map may be halved: the paper's most.
const LEVELS: u8 = 4;

/// What distinguishes one engine on sectors from another.
pub(crate) trait Kind: Debug + Sync + Sized + 'static {
    type Policy: Policy + Debug + Send + Sync + 'static;
    const NAME: &'static str;
    const ABOUT: &'static str;
    const TAG: [u8; 4];

    /// The sectors of a map.
    fn ground(index: &Index) -> Result<Ground, TrianglesError> {
        Ground::triangles(index.grid(), LEVELS)
    }

    /// The state to begin with.
    fn begin(index: &Index, ground: Arc<Ground>) -> Planner<Self::Policy>;

    /// Where that state is kept.
    fn start(index: &Index) -> &Option<Start<Self>>;
    fn start_mut(index: &mut Index) -> &mut Option<Start<Self>>;

    /// Where the planner of a thread is kept.
    fn seat(planners: &Planners) -> &Option<Seat<Self>>;
    fn seat_mut(planners: &mut Planners) -> &mut Option<Seat<Self>>;
}

/// The state that an engine begins with.
#[derive(Debug)]
pub(crate) struct Start<K: Kind>(Arc<Planner<K::Policy>>);

impl<K: Kind> Clone for Start<K> {
    fn clone(&self) -> Start<K> {
        Start(Arc::clone(&self.0))
    }
}

/// A planner and the state it began with. Another index, another beginning.
#[derive(Debug)]
pub(crate) struct Seat<K: Kind> {
    began: Start<K>,
    planner: Planner<K::Policy>,
}

impl<K: Kind> Clone for Seat<K> {
    fn clone(&self) -> Seat<K> {
        Seat { began: self.began.clone(), planner: self.planner.clone() }
    }
}

/// The planners of one thread, by engine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Planners {
    dsma: Option<Seat<ByDemand>>,
    maat: Option<Seat<ByTime>>,
    maat_zones: Option<Seat<ByTimeOnZones>>,
}

impl Planners {
    pub(crate) fn bytes(&self) -> usize {
        fn seat<K: Kind>(planners: &Planners) -> usize {
            K::seat(planners).as_ref().map_or(0, |seat| seat.planner.bytes())
        }
        seat::<ByDemand>(self) + seat::<ByTime>(self) + seat::<ByTimeOnZones>(self)
    }
}

/// `dsma`.
#[derive(Debug)]
pub(crate) struct ByDemand;

/// `maat`.
#[derive(Debug)]
pub(crate) struct ByTime;

/// `maat-zones`.
#[derive(Debug)]
pub(crate) struct ByTimeOnZones;

fn fitted(index: &Index, ground: Arc<Ground>) -> Planner<Maat> {
    prepare(index, ground, &Preparation::default(), &mut Expansions)
}

impl Kind for ByDemand {
    type Policy = Dsma;
    const NAME: &'static str = "dsma";
    const ABOUT: &'static str =
        "triangular sectors split and merged by demand to keep queries within bounds of time";
    const TAG: [u8; 4] = *b"dsma";

    fn begin(_: &Index, ground: Arc<Ground>) -> Planner<Dsma> {
        Planner::dsma(ground, Bounds::default())
    }
    fn start(index: &Index) -> &Option<Start<ByDemand>> {
        &index.dsma
    }
    fn start_mut(index: &mut Index) -> &mut Option<Start<ByDemand>> {
        &mut index.dsma
    }
    fn seat(planners: &Planners) -> &Option<Seat<ByDemand>> {
        &planners.dsma
    }
    fn seat_mut(planners: &mut Planners) -> &mut Option<Seat<ByDemand>> {
        &mut planners.dsma
    }
}

impl Kind for ByTime {
    type Policy = Maat;
    const NAME: &'static str = "maat";
    const ABOUT: &'static str =
        "triangular sectors fitted to the map, split and merged by time within fitted bounds";
    const TAG: [u8; 4] = *b"maat";

    fn begin(index: &Index, ground: Arc<Ground>) -> Planner<Maat> {
        fitted(index, ground)
    }
    fn start(index: &Index) -> &Option<Start<ByTime>> {
        &index.maat
    }
    fn start_mut(index: &mut Index) -> &mut Option<Start<ByTime>> {
        &mut index.maat
    }
    fn seat(planners: &Planners) -> &Option<Seat<ByTime>> {
        &planners.maat
    }
    fn seat_mut(planners: &mut Planners) -> &mut Option<Seat<ByTime>> {
        &mut planners.maat
    }
}

impl Kind for ByTimeOnZones {
    type Policy = Maat;
    const NAME: &'static str = "maat-zones";
    const ABOUT: &'static str =
        "like maat, with zones for sectors and gates for sub-goals: quicker, and shorter paths";
    const TAG: [u8; 4] = *b"mtzn";

    /// The zones of the index, or those of rising water.
    fn ground(index: &Index) -> Result<Ground, TrianglesError> {
        let grid = index.grid();
        Ok(match index.decomposition() {
            Some(zones) => Ground::zones(grid, zones),
            None => Ground::zones(grid, &Decomposition::water(grid, &WaterOptions::default())),
        })
    }
    fn begin(index: &Index, ground: Arc<Ground>) -> Planner<Maat> {
        fitted(index, ground).tidied()
    }
    fn start(index: &Index) -> &Option<Start<ByTimeOnZones>> {
        &index.maat_zones
    }
    fn start_mut(index: &mut Index) -> &mut Option<Start<ByTimeOnZones>> {
        &mut index.maat_zones
    }
    fn seat(planners: &Planners) -> &Option<Seat<ByTimeOnZones>> {
        &planners.maat_zones
    }
    fn seat_mut(planners: &mut Planners) -> &mut Option<Seat<ByTimeOnZones>> {
        &mut planners.maat_zones
    }
}

/// The ground is worked out from the map again; the state must fit it.
impl<K: Kind> Part for Start<K> {
    const TAG: [u8; 4] = K::TAG;

    fn write(&self, out: &mut Writer) {
        self.0.write(out);
    }

    fn read(from: &mut Reader<'_>, index: &Index) -> Result<Start<K>, WireError> {
        let ground = K::ground(index).map_err(|error| WireError::meaning(error.to_string()))?;
        Ok(Start(Arc::new(Planner::read(Arc::new(ground), from)?)))
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

fn look<P: Policy>(planner: &Planner<P>) -> SectorState<'_> {
    let (ground, cover) = (planner.ground(), planner.cover());
    let (tally, trip) = (planner.tally(), planner.last_trip());
    SectorState { ground, cover, bounds: planner.bounds(), tally, trip }
}

impl Scratch {
    /// The sectors of `dsma`, `maat` or `maat-zones` as the queries answered with this
    /// scratch have left them; `None` before the first.
    pub fn sectors(&self, engine: &str) -> Option<SectorState<'_>> {
        fn seat<K: Kind>(planners: &Planners) -> Option<SectorState<'_>> {
            K::seat(planners).as_ref().map(|seat| look(&seat.planner))
        }
        match engine {
            ByDemand::NAME => seat::<ByDemand>(&self.sectors),
            ByTime::NAME => seat::<ByTime>(&self.sectors),
            ByTimeOnZones::NAME => seat::<ByTimeOnZones>(&self.sectors),
            _ => None,
        }
    }
}

impl Index {
    /// The sectors that `dsma`, `maat` or `maat-zones` begin with; `None` if not built.
    pub fn sectors(&self, engine: &str) -> Option<SectorState<'_>> {
        match engine {
            ByDemand::NAME => self.dsma.as_ref().map(|start| look(&start.0)),
            ByTime::NAME => self.maat.as_ref().map(|start| look(&start.0)),
            ByTimeOnZones::NAME => self.maat_zones.as_ref().map(|start| look(&start.0)),
            _ => None,
        }
    }
}

impl<K: Kind> Engine for K {
    fn name(&self) -> &'static str {
        K::NAME
    }

    fn about(&self) -> &'static str {
        K::ABOUT
    }

    fn promise(&self) -> Promise {
        Promise::Approximate
    }

    fn is_ready(&self, index: &Index) -> bool {
        K::start(index).is_some()
    }

    fn build(&self, index: &mut Index) -> Result<(), BuildError> {
        let refuse =
            |why: TrianglesError| BuildError::Unsupported { engine: K::NAME, why: why.to_string() };
        let ground = K::ground(index).map_err(refuse)?;
        let start = K::begin(index, Arc::new(ground));
        *K::start_mut(index) = Some(Start(Arc::new(start)));
        Ok(())
    }

    fn bytes(&self, index: &Index) -> usize {
        let start = K::start(index).as_ref();
        start.map_or(0, |Start(start)| start.state_bytes() + start.ground().bytes())
    }

    fn respects_blocked(&self) -> bool {
        true
    }

    fn adapts(&self) -> bool {
        true
    }

    fn find(
        &self,
        ask: &Ask<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
        watch: Option<&mut Observe<'_>>,
    ) -> Result<Answer, QueryError> {
        let start = K::start(ask.index).as_ref();
        let start = start.ok_or(QueryError::NotBuilt { engine: K::NAME })?;
        let seat = K::seat_mut(&mut scratch.sectors).take();
        let same = seat.filter(|seat| Arc::ptr_eq(&seat.began.0, &start.0));
        let fresh = || Seat { began: start.clone(), planner: (*start.0).clone() };
        let mut seat = same.unwrap_or_else(fresh);
        let answer = seat.planner.answer(ask, &mut Expansions, scratch, path, watch);
        *K::seat_mut(&mut scratch.sectors) = Some(seat);
        answer
    }
}
