//! Decomposition: the tables 2.1 and 3.1 of the thesis, and what a person would not draw.

use anyhow::Result;

use super::html::{Section, Sheet, deviation, folded, h3, num, p, percent, plots, table};
use super::printed::{GATES, ROOMS};
use crate::experiment::{gates, regions, rooms};
use crate::notebook::Notebook;
use crate::plot::{Axis, Plot, Series};

pub(super) fn section(notebook: &Notebook) -> Result<Option<Section>> {
    let mut html = String::new();
    if let Some(record) = notebook.read("gates")? {
        html += &water(&record.rows()?);
    }
    if let Some(record) = notebook.read("regions")? {
        let rows: Vec<regions::Row> = record.rows()?;
        html += &h3("What a person would not draw, without cleaning and by default");
        html += &by_set(&rows).html();
        html += &p(WORST);
        html += &worst(&rows).html();
    }
    if let Some(record) = notebook.read("rooms")? {
        html += &heuristics(&record.rows()?);
    }
    let title = "Zones and gates";
    Ok((!html.is_empty()).then_some(Section { id: "zones", title, html }))
}

fn mean<T>(rows: &[T], value: impl Fn(&T) -> f64) -> f64 {
    rows.iter().map(value).sum::<f64>() / rows.len().max(1) as f64
}

fn printed(map: &str) -> Option<&'static Printed> {
    GATES.iter().find(|(name, ..)| *name == map)
}

fn water(rows: &[gates::Row]) -> String {
    let (known, others): (Vec<_>, Vec<_>) = rows.iter().partition(|r| printed(&r.map).is_some());
    let mut html = h3("Table 3.1: gates and times of the water-level decomposition");
    if !known.is_empty() {
        html += &p(&off(&known));
        html += &sheet(&known).html();
    }
    html += &p(&all(rows));
    let mut figures = vec![times(rows)];
    if !known.is_empty() {
        figures.insert(0, scatter(&known));
    }
    html += &plots(&figures);
    if !others.is_empty() {
        let summary = format!("{} more maps", others.len());
        html += &folded(&summary, &sheet(&others).html());
    }
    html
}

/// The maps of table 3.1, and what holds for all maps; for documents.
pub(super) fn known(rows: &[gates::Row]) -> String {
    let known: Vec<&gates::Row> = rows.iter().filter(|r| printed(&r.map).is_some()).collect();
    format!("{}\n{}\n\n{}\n", sheet(&known).markdown(), off(&known), all(rows))
}

fn off(known: &[&gates::Row]) -> String {
    let off = |r: &&gates::Row| {
        let theirs = printed(&r.map).map_or(f64::NAN, |t| t.1);
        (r.clusters as f64 / theirs - 1.0).abs() * 100.0
    };
    let mean = mean(known, off);
    format!("Mean deviation from table 3.1 of the thesis over {} maps: {mean:.1} %.", known.len())
}

fn all(rows: &[gates::Row]) -> String {
    format!(
        "Over {} maps a map takes {} ms on average, {} ms of it for the depth map (a plain scan: {} ms, \
         with the same result) and {} ms for the water. The thesis counts clusters before they become \
         straight gates and before cleaning. At a quarter of the resolution {} of the gates are found \
         again.",
        rows.len(),
        num(mean(rows, |r| r.ms)),
        num(mean(rows, |r| r.depth_ms)),
        num(mean(rows, |r| r.naive_depth_ms)),
        num(mean(rows, |r| r.water_ms)),
        percent(
            rows.iter().map(|r| r.found_again).sum::<usize>() as f64
                / rows.iter().map(|r| r.gates).sum::<usize>().max(1) as f64
        ),
    )
}

fn sheet(rows: &[&gates::Row]) -> Sheet {
    let line = |r: &&gates::Row| {
        let theirs = printed(&r.map);
        let value = |of: fn(&Printed) -> f64| theirs.map_or(f64::NAN, of);
        vec![
            format!("{}/{}", r.set, r.map),
            format!("{} x {}", r.width, r.height),
            num(value(|t| t.1)),
            r.clusters.to_string(),
            deviation(value(|t| t.1), r.clusters as f64),
            r.gates.to_string(),
            r.zones.to_string(),
            num(value(|t| t.2) * 1e3),
            num(r.ms),
            format!("{} x", num(value(|t| t.2) * 1e3 / r.ms)),
            num(r.low_ms),
            percent(r.found_again as f64 / r.gates as f64),
        ]
    };
    let header = vec![
        "map",
        "size",
        "gates, thesis",
        "clusters here",
        "deviation",
        "gates after cleaning",
        "zones",
        "thesis ms",
        "ms here",
        "thesis / here",
        "low resolution ms",
        "gates found again there",
    ];
    Sheet { header, lines: rows.iter().map(line).collect() }
}

type Printed = (&'static str, f64, f64, f64);

const WORST: &str = "The ten maps with the largest share of small zones and of gates that are of no \
                     prominence, longer than a zone behind them is deep, or away from the narrowest \
                     line; of maps with at least ten gates, by default:";

/// What a person would not draw, by set and on the worst maps; for documents.
pub(super) fn undrawn(rows: &[regions::Row]) -> String {
    format!("{}\n{WORST}\n\n{}", by_set(rows).markdown(), worst(rows).markdown())
}

fn by_set(rows: &[regions::Row]) -> Sheet {
    let has_rows = |set: &&str| rows.iter().any(|r| r.set == *set);
    let sets: Vec<&'static str> = regions::SETS.into_iter().filter(has_rows).collect();
    type Value = fn(&regions::Row) -> usize;
    let measures: [(&str, Value); 7] = [
        ("zones", |r| r.zones),
        ("zones below 100 tiles", |r| r.small),
        ("gates", |r| r.gates),
        ("gates of no prominence", |r| r.flat),
        ("gates longer than a zone behind them is deep", |r| r.shallow),
        ("gates more than two tiles longer than the narrowest line nearby", |r| r.long),
        ("gates more than two tiles away from it, if it is a tile shorter", |r| r.away),
    ];
    let of = |set: &str, options: &str| -> Vec<&regions::Row> {
        rows.iter().filter(|r| r.set == set && r.options == options).collect()
    };
    let mut lines: Vec<Vec<String>> = Vec::new();
    for (what, value) in measures {
        let mut line = vec![what.to_string()];
        for set in &sets {
            let sum = |options| of(set, options).into_iter().map(value).sum::<usize>() as f64;
            line.push(format!("{} → {}", num(sum(regions::RAW)), num(sum(regions::DEFAULT))));
        }
        lines.push(line);
    }
    let mut line = vec!["ms a map".to_string()];
    for set in &sets {
        let ms = |options| mean(&of(set, options), |r| r.ms);
        line.push(format!("{} → {}", num(ms(regions::RAW)), num(ms(regions::DEFAULT))));
    }
    lines.push(line);
    let mut header = vec!["raw → default"];
    header.extend(&sets);
    Sheet { header, lines }
}

fn worst(rows: &[regions::Row]) -> Sheet {
    let mut shown: Vec<&regions::Row> =
        rows.iter().filter(|r| r.options == regions::DEFAULT && r.gates >= 10).collect();
    shown.sort_by(|a, b| b.share_of_faults().total_cmp(&a.share_of_faults()));
    let line = |r: &&regions::Row| {
        let counts = [r.zones, r.small, r.gates, r.flat, r.shallow, r.away];
        let mut line = vec![format!("{}/{}", r.set, r.map)];
        line.extend(counts.map(|count| count.to_string()));
        line.push(percent(r.share_of_faults()));
        line
    };
    let header =
        vec!["map", "zones", "small", "gates", "no prominence", "shallow", "away", "share"];
    Sheet { header, lines: shown.iter().take(10).map(line).collect() }
}

fn scatter(known: &[&gates::Row]) -> (String, String) {
    let title = "Gates a map: thesis against here".to_string();
    let points = known.iter().filter_map(|r| Some((printed(&r.map)?.1, r.clusters as f64)));
    let series = Series {
        points: points.collect(),
        words: known.iter().map(|r| r.map.clone()).collect(),
        ..Series::default()
    };
    let plot = Plot {
        title: title.clone(),
        x: Axis::linear("gates in table 3.1"),
        y: Axis::linear("clusters here"),
        series: vec![series],
    };
    (title, plot.dots_on_diagonal())
}

fn times(rows: &[gates::Row]) -> (String, String) {
    let title = "Milliseconds of a decomposition by tiles of the map".to_string();
    let series = |name: &str, colour, value: fn(&gates::Row) -> f64| {
        let at = |r: &gates::Row| (f64::from(r.width) * f64::from(r.height), value(r));
        let words = rows.iter().map(|r| r.map.clone()).collect();
        let points = rows.iter().map(at).collect();
        Series { name: name.into(), colour, points, words, joined: false }
    };
    let mut series = vec![series("full", 0, |r| r.ms), series("low resolution", 1, |r| r.low_ms)];
    // Words of nearly equal points would cover each other; they show under the pointer.
    series.iter_mut().for_each(|s| s.words.clear());
    let plot = Plot { title: title.clone(), x: Axis::log("tiles"), y: Axis::log("ms"), series };
    (title, plot.dots())
}

fn heuristics(rows: &[rooms::Row]) -> String {
    let engines = ["astar", "dead-end", "gateway"];
    type Value = fn(&rooms::Row) -> f64;
    let measures: [(&str, Value); 4] = [
        ("path cost", |r| r.cost),
        ("estimate", |r| r.estimate),
        ("nodes", |r| r.nodes),
        ("time", |r| r.us),
    ];
    let mut lines = Vec::new();
    for (selection, measure, theirs) in ROOMS {
        let Some((_, value)) = measures.iter().find(|(name, _)| *name == measure) else { continue };
        let ours = engines.map(|engine| {
            let of: Vec<&rooms::Row> =
                rows.iter().filter(|r| r.selection == selection && r.engine == engine).collect();
            mean(&of, |r| value(r))
        });
        let unit = if measure == "time" { " (ms; here µs)" } else { "" };
        let mut line = vec![format!("{selection}: {measure}{unit}")];
        line.extend(theirs.map(num));
        line.extend(ours.map(num));
        let saved = |of: [f64; 3]| percent(1.0 - of[2] / of[0]);
        let compared = matches!(measure, "nodes" | "time");
        line.push(if compared { saved(theirs) } else { String::new() });
        line.push(if compared { saved(ours) } else { String::new() });
        lines.push(line);
    }
    let header = [
        "searches: measure",
        "octile, paper",
        "dead-end, paper",
        "gateway, paper",
        "octile",
        "dead-end",
        "gateway",
        "gateway saves, paper",
        "here",
    ];
    let mut maps: Vec<&str> = rows.iter().map(|r| r.map.as_str()).collect();
    maps.dedup();
    h3("Table 2.1: the heuristics of 2006 over rooms")
        + &p(&format!(
            "The paper does not name its nine game maps, so this is the same experiment in kind: \
             {} maps, the rooms decomposition, random searches and the longest tenth of ten times as \
             many. Costs are 100 a tile. Absolute numbers depend on the maps; compare the savings.",
            maps.len()
        ))
        + &table("", &header, &lines)
}
