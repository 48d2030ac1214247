//! Gates where they pay and landmarks where those do, as [`tune`](super::tune()) finds searches
//! cheapest: what `gateway-consistent` reads.

use std::sync::Arc;

use super::gate_distances::bounds_if;
use super::tune::{TuneOptions, tune_beside};
use super::{ConsistentScratch, GateDistances, TunedEstimate, ZoneDistances};
use crate::artifact::{Reader, WireError, Writer};
use crate::decompose::{Decomposition, Method};
use crate::differential::{LandmarkOptions, Landmarks};
use crate::grid::{CellId, Grid};
use crate::index::{Edit, Index, Refused, Table, TableKind, TableState};

/// The tables, each where it pays; without both the estimate is octile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TunedDistances {
    zones: Option<ZoneDistances>,
    /// What the file tells of gates where there are none.
    origin: (Method, u32),
    landmarks: Option<Landmarks>,
}

impl TunedDistances {
    pub(super) fn new(zones: Option<ZoneDistances>, landmarks: Option<Landmarks>) -> Self {
        TunedDistances { zones, origin: (Method::Given, 0), landmarks }
    }

    /// The distances inside zones and between gates, if there are gates.
    pub fn zones(&self) -> Option<&ZoneDistances> {
        self.zones.as_ref()
    }

    /// The landmarks, if there are any.
    pub fn landmarks(&self) -> Option<&Landmarks> {
        self.landmarks.as_ref()
    }

    /// The estimate towards a goal, a tile of the grid the tables were built for.
    pub fn estimate<'a>(
        &'a self,
        grid: &'a Grid,
        goal: CellId,
        scratch: &'a mut ConsistentScratch,
    ) -> TunedEstimate<'a> {
        TunedEstimate::new(grid, self.zones(), self.landmarks(), goal, scratch)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.zones.as_ref().map_or(0, ZoneDistances::bytes)
            + self.landmarks.as_ref().map_or(0, Landmarks::bytes)
    }
}

impl Table for TunedDistances {
    type Options = TuneOptions;
    const NAME: &'static str = "distances inside zones";
    const TAG: [u8; 4] = *b"cons";
    const RESTS_ON: &'static [&'static TableKind] = &[Decomposition::KIND];

    fn build(index: &Index, options: &TuneOptions) -> Result<Self, Refused> {
        let gateway = index.table::<GateDistances>();
        let (grid, components) = (index.grid(), index.components());
        Ok(tune_beside(grid, components, index.required(), gateway, options)?.tables)
    }

    /// It has zones and gates of its own, those of the map that it was built for.
    fn repair(_: &mut Arc<Self>, _: &Index, edit: &mut Edit) -> TableState {
        bounds_if(edit.only_lengthens())
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    /// The gates, and then the landmarks if there are any: files of before have none.
    fn write(&self, out: &mut Writer) {
        match &self.zones {
            Some(zones) => zones.write(out),
            None => {
                Decomposition::write_no_lines(self.origin, out);
                out.costs(&[]);
                out.costs(&[]);
            }
        }
        if let Some(landmarks) = &self.landmarks {
            landmarks.write(out);
        }
    }

    fn read(from: &mut Reader<'_>, index: &Index, _: &TuneOptions) -> Result<Self, WireError> {
        let zones = ZoneDistances::read(from, index.grid())?;
        let made = zones.decomposition();
        let origin = (made.method(), made.raw_gates());
        let needed = !made.gates().is_empty() || !made.is_numbered_in_order();
        let zones = needed.then_some(zones);
        let landmarks = match from.left() {
            0 => None,
            _ => Some(Landmarks::read(from, index, &LandmarkOptions::default())?),
        };
        Ok(TunedDistances { zones, origin, landmarks })
    }
}
