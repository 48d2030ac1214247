//! Pictures in the manner of the documents' figures, drawn again from a map.

use anyhow::Result;
use tidegate::decompose::{WaterOptions, WaterStages};
use tidegate::draw::{self, DrawOptions};
use tidegate::engine::{self, Engine};
use tidegate::search::Recorder;
use tidegate::{CellId, Index, Movement, Path, Query, Scratch};

use super::html::{Section, p, plots};
use crate::experiment::Lab;
use crate::suite::Case;

/// The map of the thesis's figure 4.1 seems to be AcrosstheCape; others stand in for it.
const WANTED: [&str; 2] = ["sc1/AcrosstheCape", "bundled/rts-256"];

pub(super) fn section(lab: &Lab) -> Result<Option<Section>> {
    let Some(case) = WANTED.iter().find_map(|name| lab.case(name).ok()) else { return Ok(None) };
    let mut figures = Vec::new();
    let grid = case.grid(Movement::default())?;
    let stages = WaterStages::new(&grid, &WaterOptions::default());
    let options = DrawOptions::default();
    let parts = stages.cleaned(&grid);
    figures.push(("The map with its depths", draw::depth(&grid, &stages.depth, 1)?.to_png()?));
    figures.push(("Zones and gates", draw::zones(&grid, &parts, &options)?.to_png()?));
    let mut index = Index::new(grid);
    index.set_decomposition(parts)?;
    if let Some(query) = long_query(&case, &index)? {
        for (caption, engine) in [
            ("Octile: what A* expands", engine::ASTAR),
            ("Gates: what gateway-consistent expands", engine::GATEWAY_CONSISTENT),
        ] {
            index.prepare(engine)?;
            figures.push((caption, searched(&index, engine, &query)?));
        }
    }
    let image = |(caption, png): (&str, Vec<u8>)| {
        let data = base64(&png);
        let img = format!("<img alt=\"{caption}\" src=\"data:image/png;base64,{data}\">");
        (caption.to_string(), img)
    };
    let html = p(&format!(
        "In the manner of the thesis's figures 3.1, 4.1 and 4.3, drawn from {}/{}.",
        case.set, case.map
    )) + &plots(&figures.into_iter().map(image).collect::<Vec<_>>());
    Ok(Some(Section { id: "pictures", title: "Pictures", html }))
}

/// The problem in the middle of the longer half.
fn long_query(case: &Case, index: &Index) -> Result<Option<Query<'static>>> {
    let mut problems = case.problems(index.grid())?;
    problems.sort_by(|a, b| a.length.total_cmp(&b.length));
    let problem = problems.get(problems.len() * 3 / 4);
    Ok(problem.map(|p| Query::new(p.start, p.goal)))
}

fn searched(index: &Index, engine: &dyn Engine, query: &Query<'_>) -> Result<Vec<u8>> {
    let (mut path, mut seen) = (Path::new(), Recorder::new(usize::MAX));
    index.find_observed(engine, query, &mut Scratch::new(), &mut path, Some(&mut seen))?;
    let cells: Vec<CellId> = seen.expanded().map(|n| CellId::from_index(n as usize)).collect();
    Ok(draw::search(index.grid(), &cells, &path, 1)?.to_png()?)
}

/// Bytes as text for a page.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_u32, |word, &b| word << 8 | u32::from(b));
        let word = word << (8 * (3 - chunk.len()));
        for i in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= chunk.len() { letter as char } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn bytes_become_letters() {
        let texts = [&b""[..], b"a", b"ab", b"abc", b"abcd"].map(base64);
        assert_eq!(texts, ["", "YQ==", "YWI=", "YWJj", "YWJjZA=="]);
    }
}
