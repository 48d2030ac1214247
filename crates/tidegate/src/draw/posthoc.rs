//! Searches as traces for the Posthoc visualiser, search trace format 1.4.0.
//!
//! What Posthoc asks for: expressions are written `${{ … }}`; every event has an `id`; the `pId`
//! of an event is the id of the node it was reached from, and without it on expanded and closed
//! nodes no path is drawn; a path ends at an id that counts as false, so ids are `"x,y"` and not
//! numbers from 0; a rectangle without a colour draws nothing, and its colours are named
//! `expanding`, `generating`, `closing`.

use std::collections::HashMap;
use std::io::{self, Write};

use serde_json::json;

use crate::cost::Cost;
use crate::grid::{CellId, Grid, Tile};
use crate::search::{Event, NO_PARENT, Recorder};

/// Which of Posthoc's colours an event has; grey for the mark of a cut trace.
const FILL: &str = "${{ color[{ expand: 'expanding', generate: 'generating', close: 'closing' }\
                    [$.type] ?? $.type] ?? '#808080' }}";
/// Events between two calls of `progress`.
const STEP: usize = 10_000;

/// Writes a recorded search from `start` to `goal` as a trace for Posthoc. Costs are in tiles.
///
/// Where the recorder ran full, the file says so twice: `"cut"` beside the events tells how many
/// there were, and a last event of type `cut` tells it to who plays the trace. `progress` is called with
/// now and then how many of the recorded events are written.
///
/// ```
/// use tidegate::search::Recorder;
/// use tidegate::{Grid, Index, Path, Query, Scratch, Tile, draw, engine};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let index = Index::new(Grid::from_rows(&["....", ".@..", "...."])?);
/// let query = Query::new(Tile::new(0, 0), Tile::new(3, 2));
/// let (mut scratch, mut path, mut seen) = (Scratch::new(), Path::new(), Recorder::new(1000));
/// index.find_observed(engine::ASTAR, &query, &mut scratch, &mut path, Some(&mut seen))?;
/// let mut file = Vec::new();
/// draw::posthoc(&mut file, index.grid(), (query.start, query.goal), &seen, |_| ())?;
/// assert!(file.starts_with(br#"{"version":"1.4.0""#));
/// # Ok(())
/// # }
/// ```
pub fn posthoc(
    out: &mut impl Write,
    grid: &Grid,
    (start, goal): (Tile, Tile),
    search: &Recorder<Cost>,
    mut progress: impl FnMut(usize),
) -> io::Result<()> {
    let head = json!({
        "pivot": { "x": "${{ $.x + 0.5 }}", "y": "${{ $.y + 0.5 }}", "scale": 1 },
        "views": { "main": [{
            "$": "rect", "width": 1, "height": 1, "x": "${{ $.x }}", "y": "${{ $.y }}", "fill": FILL,
        }] },
    });
    // The version first, for people who look into the file.
    write!(out, "{{\"version\":\"1.4.0\",\"pivot\":{},\"views\":{}", head["pivot"], head["views"])?;
    let (kept, all) = (search.events.len(), search.seen);
    let is_cut = (kept as u64) < all;
    if is_cut {
        write!(out, ",\"cut\":{}", json!({ "written": kept, "of": all }))?;
    }
    write!(out, ",\"events\":[")?;
    let end = |kind, tile| json!({ "type": kind, "id": id(tile), "x": tile.x, "y": tile.y });
    write!(out, "\n{},\n{}", end("source", start), end("destination", goal))?;
    let mut rows = Rows { out, grid };
    let first = grid.cell(start).map_or(NO_PARENT, |cell| cell.index() as u32);
    let mut parents: HashMap<u32, u32> = HashMap::new();
    let mut open: Option<Node> = None;
    for (i, event) in search.events.iter().enumerate() {
        match *event {
            Event::Generate { node, parent, g, h } => {
                // A search that begins at a cost (over clusters) goes on from the start.
                let parent = if parent == NO_PARENT && g > Cost::ZERO { first } else { parent };
                parents.insert(node, parent);
                rows.write("generate", Node { node, parent, g, h })?;
            }
            Event::Expand { node, g, h } => {
                let parent = parents.get(&node).copied().unwrap_or(NO_PARENT);
                let node = Node { node, parent, g, h };
                // A node is closed when the next one is taken up.
                if let Some(last) = open.replace(node) {
                    rows.write("close", last)?;
                }
                rows.write("expand", node)?;
            }
        }
        if (i + 1).is_multiple_of(STEP) {
            progress(i + 1);
        }
    }
    let at_goal = |last: &Node| grid.tile(CellId::from_index(last.node as usize)) == goal;
    if is_cut {
        let message = format!("cut: the first {kept} of {all} events; the search went on");
        let mark = json!({
            "type": "cut", "id": "cut", "x": goal.x, "y": goal.y, "message": message,
        });
        write!(rows.out, ",\n{mark}")?;
    } else if let Some(last) = open.filter(|last| !at_goal(last)) {
        rows.write("close", last)?;
    }
    write!(rows.out, "\n]}}")?;
    progress(kept);
    Ok(())
}

/// A node as it was when something happened to it.
#[derive(Clone, Copy)]
struct Node {
    node: u32,
    parent: u32,
    g: Cost,
    h: Cost,
}

struct Rows<'a, W> {
    out: &'a mut W,
    grid: &'a Grid,
}

impl<W: Write> Rows<'_, W> {
    fn write(&mut self, kind: &str, Node { node, parent, g, h }: Node) -> io::Result<()> {
        let tile = |node: u32| self.grid.tile(CellId::from_index(node as usize));
        let (at, parent) = (tile(node), (parent != NO_PARENT).then(|| id(tile(parent))));
        let row = json!({
            "type": kind, "id": id(at), "pId": parent, "x": at.x, "y": at.y,
            "f": (g + h).tiles(), "g": g.tiles(), "h": h.tiles(),
        });
        write!(self.out, ",\n{row}")
    }
}

fn id(tile: Tile) -> String {
    format!("{},{}", tile.x, tile.y)
}
