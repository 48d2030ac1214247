//! Tables in programs: built, dropped, built again, written, read, built apart and adopted; and going on with
//! another index.

use tidegate::Index;
use tidegate::anyangle::{AnyAngle, LiveAngleLabels};
use tidegate::decompose::{Decomposition, GateLine, Source};
use tidegate::engine::Engine;
use tidegate::hpa::Hpa;
use tidegate::index::{Table, TableKind, TableState};
use tidegate::labels::LabelOptions;
use tidegate_sectors::ENGINES;

use super::plain::{At, Plain};
use super::run::{Checked, Runner, State, engine, ensure, tile};

/// The engines for ground of one cost: only these refuse a map, and only one with costs.
const UNIFORM: [&str; 3] = ["jps", "corners", "labels"];

/// A table and everything that it rests on.
fn with_below(kind: &'static TableKind, all: &mut Vec<[u8; 4]>) {
    kind.rests_on.iter().for_each(|below| with_below(below, all));
    if !all.contains(&kind.tag) {
        all.push(kind.tag);
    }
}

/// Every kind of table there is.
fn kinds() -> Vec<&'static TableKind> {
    fn add(kind: &'static TableKind, all: &mut Vec<&'static TableKind>) {
        kind.rests_on.iter().for_each(|below| add(below, all));
        all.push(kind);
    }
    let mut all = vec![AnyAngle::KIND, LiveAngleLabels::KIND];
    ENGINES.iter().flat_map(|engine| engine.tables()).for_each(|kind| add(kind, &mut all));
    all
}

impl Runner {
    /// The tables of the index are those of the model.
    pub(super) fn tables_are_right(&self) -> Checked {
        let mut theirs: Vec<[u8; 4]> =
            self.index.table_states().map(|(kind, _)| kind.tag).collect();
        let mut ours = self.state.built.clone();
        theirs.sort_unstable();
        ours.sort_unstable();
        let names = |tags: &[[u8; 4]]| -> Vec<String> {
            tags.iter().map(|tag| String::from_utf8_lossy(tag).into_owned()).collect()
        };
        ensure(ours == theirs, || format!("tables {:?}, not {:?}", names(&theirs), names(&ours)))
    }

    /// Graphs of clusters are those of a fresh build: their answers need not be shortest, so only this tells
    /// whether a repair has left something out.
    pub(super) fn hierarchies_are_right(&self) -> Checked {
        let grid = self.index.grid();
        for engine in ["hpa", "hpa-paper"] {
            let Some(hpa) = Hpa::in_index(&self.index, engine) else { continue };
            let fresh = Hpa::build(grid, hpa.options()).map_err(|error| error.to_string())?;
            ensure(hpa.same_graph(&fresh), || format!("the graph of {engine} is not as built"))?;
        }
        Ok(())
    }

    /// Whether a table cannot be built for this map.
    fn refuses(plain: &Plain, kind: &TableKind) -> bool {
        let needs = |name: &&str| engine(name).tables().iter().any(|own| own.tag == kind.tag);
        !plain.is_even() && UNIFORM.iter().any(needs)
    }

    pub(super) fn prepare(&mut self, engine: &'static dyn Engine) -> Checked {
        let was_ready = engine.is_ready(&self.index);
        let built = self.index.prepare(engine);
        let refuses = !was_ready && !self.state.plain.is_even() && UNIFORM.contains(&engine.name());
        ensure(built.is_err() == refuses, || format!("{built:?}, refuses: {refuses}"))?;
        self.counts.refused += usize::from(refuses);
        let before = self.state.built.len();
        if !was_ready {
            let wanted = if engine.name() == "auto" { super::run::engine("jps") } else { engine };
            let even = self.state.plain.is_even();
            // Only tables of jps are built beside others, and those need uniform ground.
            let beside = wanted.beside().iter().filter(|_| even);
            let kinds = wanted.tables().iter().chain(beside);
            for kind in kinds.filter(|_| engine.name() != "auto" || even) {
                if refuses {
                    // What it rests on may have been built before it refused.
                    let mut below = Vec::new();
                    with_below(kind, &mut below);
                    let is_there = |tag: &[u8; 4]| self.index.tables().any(|kind| kind.tag == *tag);
                    let new = below.into_iter().filter(is_there);
                    let new: Vec<_> = new.filter(|tag| !self.state.built.contains(tag)).collect();
                    self.state.built.extend(new);
                } else {
                    with_below(kind, &mut self.state.built);
                }
            }
        }
        if !was_ready || self.state.built.len() != before {
            self.changed();
        }
        self.tables_are_right()?;
        let ready = !self.index.is_stale(engine) && engine.has_tables(&self.index);
        ensure(refuses || ready, || "prepared, and not ready".to_owned())
    }

    pub(super) fn prepare_walks(&mut self, labels: bool) -> Checked {
        let kind = if labels { LiveAngleLabels::KIND } else { AnyAngle::KIND };
        let built = if labels {
            // With so little effort the labels of a real map are large.
            let options =
                LabelOptions { effort: 1000, budget_bytes: 1 << 30, ..LabelOptions::default() };
            self.index.build::<LiveAngleLabels>(&options)
        } else {
            self.index.build::<AnyAngle>(&())
        };
        built.map_err(|error| error.to_string())?;
        self.replaced(kind);
        with_below(kind, &mut self.state.built);
        self.changed();
        self.tables_are_right()
    }

    /// A table was put in the place of another, or in none: what rested on it is gone, unless it was stale.
    fn replaced(&mut self, kind: &TableKind) {
        let is_there = |tag: &[u8; 4]| self.index.table_states().any(|(kind, _)| kind.tag == *tag);
        let rests = |tag: &[u8; 4]| kinds().iter().any(|k| k.tag == *tag && k.depends_on(kind));
        // A stale one stays what it is: it may be built again.
        let stays = |tag: &[u8; 4]| !rests(tag) || is_there(tag);
        self.state.built.retain(stays);
    }

    pub(super) fn drop_tables(&mut self, tables: &[&'static TableKind]) -> Checked {
        for kind in tables {
            self.index.remove_kind(kind);
            let goes = |tag: &[u8; 4]| {
                *tag == kind.tag || kinds().iter().any(|k| k.tag == *tag && k.depends_on(kind))
            };
            self.state.built.retain(|tag| !goes(tag));
        }
        self.changed();
        self.tables_are_right()
    }

    pub(super) fn rebuild(&mut self) -> Checked {
        let stuck = |kind: &&TableKind| Self::refuses(&self.state.plain, kind);
        let refuses = self.index.want_rebuild().iter().any(stuck);
        let built = self.index.rebuild();
        ensure(built.is_err() == refuses, || format!("{built:?}, refuses: {refuses}"))?;
        self.changed();
        let left = self.index.want_rebuild();
        ensure(refuses || left.is_empty(), || format!("{left:?} still want it"))?;
        self.tables_are_right()
    }

    pub(super) fn decompose_again(&mut self) -> Checked {
        let had = self.state.built.contains(&Decomposition::TAG);
        let matching = self.index.decompose_again();
        ensure(matching.is_some() == had, || format!("{matching:?}, zones: {had}"))?;
        if had {
            self.replaced(Decomposition::KIND);
            self.changed();
        }
        self.zones_are_right()
    }

    pub(super) fn zones_are_right(&self) -> Checked {
        if let Some(zones) = self.index.decomposition() {
            zones.check(self.index.grid()).map_err(|error| error.to_string())?;
        }
        self.tables_are_right()
    }

    pub(super) fn set_gates(&mut self, gates: &[(At, At)]) -> Checked {
        let (grid, mut lines) = (self.index.grid(), Vec::new());
        for &(a, b) in gates {
            lines.push(GateLine::new(tile(a), tile(b), Source::Manual));
            if Decomposition::from_gates(grid, lines.iter().copied()).is_err() {
                lines.pop();
            }
        }
        let parts = Decomposition::from_gates(grid, lines).map_err(|error| error.to_string())?;
        self.index.set_decomposition(parts).map_err(|error| error.to_string())?;
        self.replaced(Decomposition::KIND);
        with_below(Decomposition::KIND, &mut self.state.built);
        self.changed();
        self.zones_are_right()
    }

    pub(super) fn save(&mut self) {
        let mut state = self.state.clone();
        // Left out are those that hold bounds alone, and stale ones.
        let left_out = |tag: &[u8; 4]| {
            let known = self.index.table_states().find(|(kind, _)| kind.tag == *tag);
            known.is_none_or(|(_, state)| matches!(state, TableState::Bounds | TableState::Stale))
        };
        state.built.retain(|tag| !left_out(tag));
        self.saved = Some((self.index.to_bytes(), state));
    }

    pub(super) fn load(&mut self) -> Checked {
        if self.saved.is_none() {
            self.save();
        }
        let Some((bytes, state)) = self.saved.clone() else { return Ok(()) };
        let loaded =
            Index::from_bytes_with(&bytes, ENGINES).map_err(|e| format!("its own bytes: {e}"))?;
        ensure(loaded.to_bytes() == bytes, || "other bytes when written again".to_owned())?;
        self.counts.loaded += 1;
        self.go_on_with(loaded, state)
    }

    pub(super) fn go_back(&mut self) -> Checked {
        let Some((index, state, bytes)) = self.snapshot.clone() else { return Ok(()) };
        ensure(index.to_bytes() == bytes, || "the snapshot has changed".to_owned())?;
        self.counts.returned += 1;
        let version = state.version;
        self.go_on_with(index, state)?;
        self.state.version = version;
        Ok(())
    }

    fn go_on_with(&mut self, index: Index, state: State) -> Checked {
        (self.index, self.state) = (index, state);
        self.changed();
        let (ours, theirs) = (self.state.revision, self.index.revision());
        ensure(ours == theirs, || format!("revision {theirs}, not {ours}"))?;
        // What was found later belongs to a map that is no more.
        self.paths.retain(|(_, found_at)| *found_at <= ours);
        self.state.plain.compare(self.index.grid())?;
        self.tables_are_right()?;
        self.units_follow()?;
        self.judge_paths()
    }

    pub(super) fn build_apart(&mut self, engine: &'static dyn Engine, n: u8) -> Checked {
        let Some(&kind) = engine.tables().get(usize::from(n) % engine.tables().len().max(1)) else {
            return Ok(());
        };
        let (mut index, state) = match &self.snapshot {
            Some((index, state, _)) => (index.clone(), state.clone()),
            None => (self.index.clone(), self.state.clone()),
        };
        let built = index.build_again_apart(kind);
        let refuses = Self::refuses(&state.plain, kind);
        ensure(built.is_err() == refuses, || format!("{built:?}, refuses: {refuses}"))?;
        self.apart = built.ok().map(|built| (built, state));
        Ok(())
    }

    pub(super) fn adopt(&mut self) -> Checked {
        let Some((built, then)) = self.apart.take() else { return Ok(()) };
        let (kind, before) = (built.kind(), self.index.clone());
        let same_map = then.plain == self.state.plain;
        match self.index.adopt(built) {
            Ok(state) => {
                self.counts.adopted.0 += 1;
                self.counts.adopted.1 += usize::from(!same_map);
                let told = self.index.table_state(kind);
                ensure(told == Some(state), || format!("{state}, but {told:?}"))?;
                self.replaced(kind);
                with_below(kind, &mut self.state.built);
                self.changed();
            }
            Err(error) => {
                self.counts.refused += 1;
                let must =
                    same_map && (kind.rests_on.is_empty() || then.version == self.state.version);
                ensure(!must, || format!("{error}, though nothing has changed"))?;
                let differences = self.index.differences(&before);
                ensure(differences.is_empty(), || format!("refused, but {differences:?} changed"))?;
            }
        }
        self.tables_are_right()?;
        self.hierarchies_are_right()?;
        self.state.plain.compare(self.index.grid())
    }
}
