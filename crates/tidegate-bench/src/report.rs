//! One page with every table and figure of the five documents that can be redrawn, drawn
//! from a notebook: self-contained, readable in light and dark, on a phone and on a desk.

mod anyangle;
mod better;
mod blocks;
mod changes;
mod checks;
mod corners;
mod growth;
mod hpa;
mod html;
mod labels;
mod leaderboard;
mod pictures;
mod printed;
mod sectors;
mod thesis;
mod zones;

use std::fmt::Write as _;

use anyhow::{Context as _, Result, ensure};

use crate::experiment::{ALL, Lab, peers};
use crate::machine::{COMMIT, today};
use crate::notebook::{Head, Notebook, Record};
use crate::plot::escape;
use html::{Section, folded, num, p, table};

const STYLE: &str = include_str!("report/style.css");

/// The page made of what is in the notebook. Pictures are drawn from the lab's maps.
pub fn page(notebook: &Notebook, lab: Option<&Lab>) -> Result<String> {
    let mut sections = Vec::new();
    let findings = better::findings(notebook)?;
    if !findings.is_empty() {
        let html = better::findings_table(&findings);
        sections.push(Section { id: "better", title: "What was done better, and how", html });
    }
    if let Some(record) = notebook.read("engines")? {
        sections.push(leaderboard::section(&record)?);
        sections.push(thesis::section(&record, notebook)?);
    }
    sections.extend(zones::section(notebook)?);
    sections.extend(lab.map(pictures::section).transpose()?.flatten());
    sections.extend(hpa::section(notebook)?);
    type Draw = fn(&Record) -> Result<Section>;
    let rest: [(&str, Draw); 8] = [
        ("sectors", sectors::section),
        ("labels", labels::section),
        ("corner-growth", corners::section),
        ("anyangle", anyangle::section),
        ("growth", growth::section),
        ("map-edits", changes::section),
        (peers::NAME, checks::peers_section),
        ("properties", checks::properties_section),
    ];
    for (name, section) in rest {
        if let Some(record) = notebook.read(name)? {
            sections.push(section(&record)?);
        }
    }
    let heads = heads(notebook)?;
    ensure!(
        !heads.is_empty(),
        "there are no records in {}; 'tidegate report --quick' makes some in less than two minutes",
        notebook.folder().display()
    );
    sections.push(records(&heads));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Tidegate: the evaluation</title>\n<style>\n{STYLE}</style>\n\
         <h1>Tidegate: the evaluation</h1>\n"
    );
    page += &p(
        "The experiments of five documents on map decomposition and pathfinding, run again: their \
         numbers beside ours. A deviation says how far ours lies from theirs.",
    );
    page += &opening(&heads);
    page.push_str("<div class=\"cards\">");
    for f in &findings {
        let (what, ours, theirs) = (escape(f.what), escape(&f.ours), escape(&f.theirs));
        // A figure and its unit have no plain space between them.
        let (big, small) = ours.split_once(' ').unwrap_or((&ours, ""));
        let big = big.trim_end_matches(',');
        let _ = write!(
            page,
            "<div class=\"card\">{what}<b>{big}</b>{small}<div class=\"soft\">documents: {theirs}</div></div>"
        );
    }
    page.push_str("</div>\n<nav>");
    for s in &sections {
        let _ = write!(page, "<a href=\"#{}\">{}</a>", s.id, escape(s.title));
    }
    page.push_str("</nav>\n");
    for s in &sections {
        let _ = writeln!(page, "<h2 id=\"{}\">{}</h2>\n{}", s.id, escape(s.title), s.html);
    }
    Ok(page + "</html>\n")
}

fn heads(notebook: &Notebook) -> Result<Vec<Head>> {
    let mut heads = Vec::new();
    for name in ALL.iter().map(|e| e.name()).chain([peers::NAME]) {
        heads.extend(notebook.read(name)?.map(|record| record.head));
    }
    Ok(heads)
}

/// What made the page.
fn opening(heads: &[Head]) -> String {
    let mut machines: Vec<String> = Vec::new();
    let mut scales: Vec<&str> = Vec::new();
    for head in heads {
        let m = &head.machine;
        let checks = if m.optimised { "" } else { ", built without full optimisation" };
        let machine = format!("{}, {} threads, {}{checks}", m.processor, m.threads, m.system);
        if !machines.contains(&machine) {
            machines.push(machine);
        }
        if !scales.contains(&head.scale.as_str()) {
            scales.push(&head.scale);
        }
    }
    let partial: Vec<&str> =
        heads.iter().filter(|h| !h.complete).map(|h| h.experiment.as_str()).collect();
    let mut html = format!(
        "<p class=\"soft\">Machine: {}. What was run: {}. Page drawn {} by commit {COMMIT}.",
        escape(&machines.join("; ")),
        escape(&scales.join("; ")),
        today()
    );
    if !partial.is_empty() {
        let _ = write!(html, " Not yet complete: {}.", escape(&partial.join(", ")));
    }
    html + "</p>"
}

/// Where every number comes from.
fn records(heads: &[Head]) -> Section {
    let line = |h: &Head| {
        let about = ALL.iter().find(|e| e.name() == h.experiment).map_or("", |e| e.about());
        vec![
            format!("{}.csv", h.experiment),
            about.to_string(),
            h.scale.clone(),
            num(h.done.len() as f64),
            if h.complete { "yes" } else { "no" }.to_string(),
            h.date.clone(),
            h.commits.join(", "),
        ]
    };
    let lines: Vec<Vec<String>> = heads.iter().map(line).collect();
    let header =
        ["record", "what it shows", "what was run", "units", "complete", "begun", "commit"];
    let documents = "<ul><li>K. Halldórsson, <i>Using Map Decomposition to Improve Pathfinding</i>, \
        thesis, Reykjavík University, 2015</li><li>Y. Björnsson, K. Halldórsson, <i>Improved Heuristics \
        for Optimal Pathfinding on Game Maps</i>, AIIDE 2006</li><li>K. Halldórsson, Y. Björnsson, \
        <i>Automated Decomposition of Game Maps</i>, AIIDE 2015</li><li>A. Botea, M. Müller, J. \
        Schaeffer, <i>Near Optimal Hierarchical Path-Finding</i>, Journal of Game Development, \
        2004</li><li>S. Bhattacharjee, S. D. Goodwin, <i>Map Abstraction with Adjustable Time \
        Bounds</i></li></ul>";
    let html = p(
        "Every number on this page is worked out from these files. Each names the machine, the commit and \
         the seed in its first line; 'tidegate report' draws the page from them without running anything.",
    ) + &table("", &header, &lines)
        + &folded("The documents", documents);
    Section { id: "records", title: "Where the numbers come from", html }
}

/// Puts fresh figures into a text: whatever stands between `<!-- record: NAME -->` and
/// `<!-- /record -->` is replaced. A name is that of a record, or `findings`.
pub fn refresh(text: &str, notebook: &Notebook) -> Result<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<!-- record: ") {
        let (name, after) = after.split_once(" -->").context("a record mark that has no end")?;
        let (_, after) =
            after.split_once("<!-- /record -->").context("a record block that has no end")?;
        let block = blocks::block(name, notebook)?;
        let _ = write!(out, "{before}<!-- record: {name} -->\n\n{block}\n<!-- /record -->");
        rest = after;
    }
    ensure!(!out.is_empty(), "no mark <!-- record: NAME --> to put figures behind");
    Ok(out + rest)
}
