//! Search traces in the format of the Posthoc visualiser, version 1.4.0.

use serde_json::{Value, json};
use tidegate::cost::STRAIGHT;
use tidegate::search::{Event, NO_PARENT};
use tidegate::{CellId, Grid, Query};

/// The events of a search as a trace. Costs are in tiles.
pub fn posthoc(grid: &Grid, query: &Query<'_>, events: &[Event<u32>]) -> Value {
    let length = |cost: u32| f64::from(cost) / f64::from(STRAIGHT);
    let row = |kind: &str, node: u32, parent: Option<u32>, g: u32, h: u32| {
        let tile = grid.tile(CellId::from_index(node as usize));
        json!({
            "type": kind, "id": node, "pId": parent, "x": tile.x, "y": tile.y,
            "f": length(g + h), "g": length(g), "h": length(h),
        })
    };
    let mut rows = Vec::with_capacity(events.len() + 2);
    for (kind, tile) in [("source", query.start), ("destination", query.goal)] {
        let node = grid.cell(tile).map_or(0, |cell| cell.index() as u32);
        rows.push(json!({ "type": kind, "id": node, "x": tile.x, "y": tile.y }));
    }
    let mut open: Option<(u32, u32, u32)> = None;
    for event in events {
        match *event {
            Event::Generate { node, parent, g, h } => {
                let parent = Some(parent).filter(|&p| p != NO_PARENT);
                rows.push(row("generate", node, parent, g, h));
            }
            Event::Expand { node, g, h } => {
                // A node is closed when the next one is taken up.
                if let Some((node, g, h)) = open.replace((node, g, h)) {
                    rows.push(row("close", node, None, g, h));
                }
                rows.push(row("expand", node, None, g, h));
            }
        }
    }
    json!({
        "version": "1.4.0",
        "pivot": { "x": "{{ $.x + 0.5 }}", "y": "{{ $.y + 0.5 }}", "scale": 1 },
        "views": {
            "tile": [{
                "$": "rect", "width": 1, "height": 1,
                "x": "{{ $.x }}", "y": "{{ $.y }}", "fill": "{{ $.color[$.type] }}",
            }],
            "main": [{ "$": "tile" }],
        },
        "events": rows,
    })
}
