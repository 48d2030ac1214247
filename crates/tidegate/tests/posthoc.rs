//! Traces for Posthoc: what its parser (search trace format 1.4.0) asks for.
#![cfg(feature = "draw")]

use std::collections::HashMap;

use serde_json::Value;
use tidegate::cost::Cost;
use tidegate::search::{NO_PARENT, Observer as _, Recorder};
use tidegate::{Grid, Index, Path, Query, Scratch, Tile, draw, engine};

const MAP: [&str; 5] = [".......@..", "..@@@..@..", "..@....@..", "..@.@@@@..", "......@..."];

/// The trace of a search by A* and what it cost, if there was a way.
fn trace(from: (u16, u16), to: (u16, u16), limit: usize) -> (Value, Option<Cost>) {
    let index = Index::new(Grid::from_rows(&MAP).unwrap());
    let query = Query::new(Tile::new(from.0, from.1), Tile::new(to.0, to.1)).with_partial();
    let (mut scratch, mut path, mut seen) = (Scratch::new(), Path::new(), Recorder::new(limit));
    let answer =
        index.find_observed(engine::ASTAR, &query, &mut scratch, &mut path, Some(&mut seen));
    let (mut file, mut progress) = (Vec::new(), 0);
    let ends = (query.start, query.goal);
    draw::posthoc(&mut file, index.grid(), ends, &seen, |done| progress = done).unwrap();
    assert_eq!(progress, seen.events.len(), "progress ends at the end");
    (serde_json::from_slice(&file).unwrap(), answer.unwrap().cost())
}

fn events(trace: &Value) -> &[Value] {
    trace["events"].as_array().unwrap()
}

fn of_type<'a>(trace: &'a Value, kind: &str) -> Vec<&'a Value> {
    events(trace).iter().filter(|event| event["type"] == kind).collect()
}

#[test]
fn expressions_are_posthoc_s() {
    let (trace, _) = trace((0, 0), (6, 2), 1000);
    assert_eq!(trace["version"], "1.4.0");
    let view = &trace["views"]["main"][0];
    assert_eq!(view["$"], "rect");
    let expressions =
        [&view["x"], &view["y"], &view["fill"], &trace["pivot"]["x"], &trace["pivot"]["y"]];
    for text in expressions.map(|value| value.as_str().unwrap()) {
        // One expression and nothing around it: else the value is a text and not a number.
        let inner = text.strip_prefix("${{ ").and_then(|rest| rest.strip_suffix(" }}"));
        assert!(inner.is_some_and(|inner| !inner.contains("}}")), "{text}");
    }
    assert_eq!(trace["cut"], Value::Null);
}

/// Posthoc draws the way from the current node back over the parents' ids; it stops at an id
/// that JavaScript takes for false.
#[test]
fn parents_lead_from_every_node_back_to_the_start() {
    let (trace, cost) = trace((0, 0), (6, 2), 1000);
    assert!(cost.is_some());
    let mut parents: HashMap<&str, &str> = HashMap::new();
    let mut known = Vec::new();
    for event in events(&trace) {
        let id = event["id"].as_str().expect("ids are texts");
        let kind = event["type"].as_str().unwrap();
        match event["pId"].as_str() {
            Some(parent) => {
                assert!(known.contains(&parent), "{kind} {id}: parent {parent} came before");
                parents.insert(id, parent);
            }
            None => assert_eq!(id, if kind == "destination" { "6,2" } else { "0,0" }, "{kind}"),
        }
        if ["expand", "close"].contains(&kind) {
            let mut at = id;
            for _ in 0..known.len() {
                at = parents.get(at).copied().unwrap_or(at);
            }
            assert_eq!(at, "0,0", "{kind} {id}");
        }
        known.push(id);
    }
    let (expanded, closed) = (of_type(&trace, "expand"), of_type(&trace, "close"));
    assert_eq!(expanded.last().map(|last| &last["id"]), Some(&"6,2".into()));
    assert_eq!(closed.len() + 1, expanded.len(), "all but the goal are closed");
}

#[test]
fn a_search_without_a_way_closes_all_it_expanded() {
    let (trace, cost) = trace((0, 0), (9, 0), 1000);
    assert_eq!(cost, None);
    let expanded = of_type(&trace, "expand").len();
    assert!(expanded > 0);
    assert_eq!(of_type(&trace, "close").len(), expanded);
}

/// Engines that plan over clusters begin with nodes that were reached from the start before.
#[test]
fn a_search_that_begins_at_a_cost_hangs_on_the_start() {
    let grid = Grid::from_rows(&MAP).unwrap();
    let mut seen = Recorder::new(1000);
    let (g, h) = (Cost::new(300), Cost::new(200));
    seen.generate(0, NO_PARENT, Cost::ZERO, g + h);
    seen.generate(3, NO_PARENT, g, h);
    let _ = seen.expand(3, g, h);
    let mut file = Vec::new();
    let ends = (Tile::new(0, 0), Tile::new(5, 0));
    draw::posthoc(&mut file, &grid, ends, &seen, |_| ()).unwrap();
    let trace: Value = serde_json::from_slice(&file).unwrap();
    let parents: Vec<&Value> = of_type(&trace, "generate").iter().map(|e| &e["pId"]).collect();
    assert_eq!(parents, [&Value::Null, &"0,0".into()]);
    for kind in ["expand", "close"] {
        assert_eq!(of_type(&trace, kind)[0]["pId"], "0,0");
    }
}

#[test]
fn a_cut_trace_says_so() {
    let (whole, _) = trace((0, 0), (6, 2), 1000);
    let all = of_type(&whole, "generate").len() + of_type(&whole, "expand").len();
    let (cut, _) = trace((0, 0), (6, 2), 7);
    assert_eq!(cut["cut"]["written"], 7);
    assert_eq!(cut["cut"]["of"], all);
    let last = events(&cut).last().unwrap();
    assert_eq!(last["type"], "cut");
    assert!(last["message"].as_str().unwrap().contains(&format!("first 7 of {all} events")));
    assert!(last["x"].is_number() && last["y"].is_number(), "Posthoc draws every event");
    assert!(of_type(&whole, "cut").is_empty());
}
