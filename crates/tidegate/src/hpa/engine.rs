//! `hpa` and `hpa-paper`: the hierarchy of clusters, tuned and as published.

use std::sync::Arc;

use super::{Halt, Hpa, HpaScratch, Options, Placement, Smoothing, layered};
use crate::artifact::{Reader, WireError, Writer};
use crate::grid::Tile;
use crate::index::{
    Answer, Edit, Engine, EngineInfo, EngineScratch, FindContext, FindResult, Index, Outcome,
    QueryError, QueryObserver, Refused, ResolvedQuery, Table, TableKind, TableOptions, TableState,
    replace_detour,
};

/// The graph of `hpa`.
#[derive(Clone, Debug)]
pub struct HpaTuned(pub(crate) Hpa);

/// The graph of `hpa-paper`.
#[derive(Clone, Debug)]
pub struct HpaPaper(pub(crate) Hpa);

impl TableOptions for Options {
    fn write(&self, out: &mut Writer) {
        out.u32(self.cluster);
        out.u32(self.factor);
        out.u32(self.levels.unwrap_or(0));
        let (kind, wide, gap) = match self.placement {
            Placement::MiddleOrEnds { wide, inset } => (0, wide, inset),
            Placement::Spread { wide, gap } => (1, wide, gap),
        };
        out.u8(kind);
        out.u32(wide);
        out.u32(gap);
        let (kind, reach, margin) = match self.smoothing {
            Smoothing::Off => (0, 0, 0),
            Smoothing::Lines { reach } => (1, reach, 0),
            Smoothing::Windows { reach, margin } => (2, reach, margin),
        };
        out.u8(kind);
        out.u32(reach);
        out.u32(margin);
        for flag in [self.prune, self.keep_ways, self.adjacent] {
            out.u8(flag.into());
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Options, WireError> {
        let (cluster, factor) = (from.u32("cluster")?, from.u32("factor")?);
        let levels = Some(from.u32("levels")?).filter(|&levels| levels > 0);
        let kind = from.u8("placement")?;
        let (wide, gap) = (from.u32("placement")?, from.u32("placement")?);
        let placement = match kind {
            0 => Placement::MiddleOrEnds { wide, inset: gap },
            1 => Placement::Spread { wide, gap },
            _ => return Err(WireError::meaning("unknown placement of transitions")),
        };
        let kind = from.u8("smoothing")?;
        let (reach, margin) = (from.u32("smoothing")?, from.u32("smoothing")?);
        let smoothing = match (kind, reach, margin) {
            (0, 0, 0) => Smoothing::Off,
            (1, reach, 0) => Smoothing::Lines { reach },
            (2, reach, margin) => Smoothing::Windows { reach, margin },
            _ => return Err(WireError::meaning("unknown smoothing")),
        };
        let mut flag = || match from.u8("flag")? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(WireError::meaning("a flag is 0 or 1")),
        };
        let (prune, keep_ways, adjacent) = (flag()?, flag()?, flag()?);
        Ok(Options { cluster, factor, levels, placement, prune, keep_ways, adjacent, smoothing })
    }
}

/// The two graphs differ in their usual options and their place in the index alone.
macro_rules! graph {
    ($graph:ident, $name:literal, $tag:literal, $usual:expr) => {
        impl Table for $graph {
            type Options = Options;
            const NAME: &'static str = $name;
            const TAG: [u8; 4] = *$tag;

            fn usual_options() -> Options {
                $usual
            }

            fn build(index: &Index, options: &Options) -> Result<$graph, Refused> {
                Hpa::build(index.grid(), options).map($graph).map_err(Refused::because)
            }

            fn repair(table: &mut Arc<Self>, index: &Index, edit: &mut Edit) -> TableState {
                let changed: Vec<Tile> = edit.tiles().collect();
                Arc::make_mut(table).0.repair(index.grid(), &changed);
                TableState::Current
            }

            fn bytes(&self) -> usize {
                self.0.bytes()
            }

            fn write(&self, out: &mut Writer) {
                self.0.write(out);
            }

            fn read(
                from: &mut Reader<'_>,
                index: &Index,
                options: &Options,
            ) -> Result<$graph, WireError> {
                options.check().map_err(|error| WireError::meaning(error.to_string()))?;
                Hpa::read(from, index.grid(), options).map($graph)
            }
        }

        impl std::ops::Deref for $graph {
            type Target = Hpa;

            fn deref(&self) -> &Hpa {
                &self.0
            }
        }
    };
}

graph!(HpaTuned, "graph of clusters", b"hpa ", Options::default());
graph!(HpaPaper, "graph of clusters as published", b"hpap", Options::paper());

impl EngineScratch for HpaScratch {
    fn bytes(&self) -> usize {
        self.bytes()
    }
}

#[derive(Debug)]
pub(crate) struct HpaEngine {
    info: EngineInfo,
    tables: &'static [&'static TableKind],
    graph: fn(&Index) -> Option<&Hpa>,
}

/// HPA*, tuned.
pub(crate) static HPA: HpaEngine = HpaEngine {
    info: EngineInfo::approximate("hpa", "near-optimal paths over a hierarchy of clusters")
        .with_costs(),
    tables: &[HpaTuned::KIND],
    graph: |index| index.table::<HpaTuned>().map(|graph| &graph.0),
};

/// HPA* as published.
pub(crate) static HPA_PAPER: HpaEngine = HpaEngine {
    info: EngineInfo::approximate(
        "hpa-paper",
        "HPA* with the settings of its paper, for comparison",
    )
    .with_costs(),
    tables: &[HpaPaper::KIND],
    graph: |index| index.table::<HpaPaper>().map(|graph| &graph.0),
};

impl Hpa {
    /// The graph of `hpa` or `hpa-paper`, if the index has it.
    pub fn in_index<'a>(index: &'a Index, engine: &str) -> Option<&'a Hpa> {
        let engine = [&HPA, &HPA_PAPER].into_iter().find(|e| e.info.name == engine)?;
        (engine.graph)(index)
    }
}

impl Engine for HpaEngine {
    fn info(&self) -> &EngineInfo {
        &self.info
    }

    fn tables(&self) -> &'static [&'static TableKind] {
        self.tables
    }

    /// A partial path, where the budget runs out, is what was refined until then.
    fn find(&self, resolved: &ResolvedQuery<'_>, context: FindContext<'_>) -> FindResult {
        let FindContext { scratch, path, observer } = context;
        let (grid, query) = (resolved.index.grid(), resolved.query);
        let hpa = (self.graph)(resolved.index).ok_or_else(|| self.not_built())?;
        let planner = hpa.planner(grid);
        let (start, goal) = (query.start, query.goal);
        let (tiles, scratch) = scratch.split::<HpaScratch>();
        let mut observer = QueryObserver::new(resolved, observer);
        let found = if observer.is_unobserved(query) {
            planner.find_watched(start, goal, scratch, path, &mut ())
        } else {
            planner.find_watched(start, goal, scratch, path, &mut observer)
        };
        let mut stats = scratch.effort().total();
        let layer = query.costs.filter(|layer| !layer.is_empty());
        let outcome = match (found, layer) {
            (Ok(_), Some(layer)) => {
                let clusters = hpa.shape.layer(0);
                let open = &mut scratch.open;
                let (cost, work) =
                    layered::improve(resolved, layer, clusters, open, &mut observer, tiles, path);
                stats += work;
                Outcome::Found(cost.ok_or(QueryError::TooFar)?)
            }
            // On uniform ground the graph itself sees to it that no detour is long.
            (Ok(cost), None) if grid.factors().is_none() => Outcome::Found(cost),
            (Ok(cost), None) => {
                let (better, work) = replace_detour(resolved, cost, &mut observer, tiles, path);
                stats += work;
                Outcome::Found(better.unwrap_or(cost))
            }
            (Err(Halt::Stopped), _) => {
                if query.partial {
                    scratch.refined().iter().for_each(|&tile| path.push(tile));
                }
                Outcome::Stopped
            }
            // The ends are connected, so there is a way: only its cost cannot be counted.
            (Err(Halt::NoWay), _) => return Err(QueryError::TooFar),
        };
        Ok(Answer { outcome, stats })
    }
}
