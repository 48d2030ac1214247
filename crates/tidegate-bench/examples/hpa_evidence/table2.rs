//! Table 2 of the paper: mean sizes of the graphs of the 120 Baldur's Gate maps.

use anyhow::Result;
use tidegate::Movement;
use tidegate::hpa::{Hpa, Options, Placement};

use crate::Run;

/// Nodes, inter-edges and intra-edges that are on level 1, 2 and 3.
const PAPER: [[f64; 3]; 3] = [[367.0, 198.0, 722.0], [181.0, 98.0, 662.0], [89.0, 48.0, 462.0]];

pub(crate) fn show(run: &Run) -> Result<()> {
    let letter =
        Options { placement: Placement::MiddleOrEnds { wide: 6, inset: 0 }, ..Options::paper() };
    let readings = [("hpa-paper", Options::paper()), ("by the letter", letter)];
    let cases = run.suite.cases(&["bgmaps".into()], &[])?;
    let mut csv = "reading,level,what,paper,ours,percent\n".to_string();
    for (name, options) in readings {
        let mut sums = [[0.0; 3]; 3];
        let (mut free, mut steps) = (0.0, 0.0);
        for case in &cases {
            let grid = case.grid(Movement::OneSideFree)?;
            free += grid.free_tiles() as f64;
            steps +=
                grid.free_cells().map(|c| grid.moves(c).count_ones() as f64).sum::<f64>() / 2.0;
            let hpa = Hpa::build(&grid, &Options { levels: Some(3), ..options })?;
            for (sum, size) in sums.iter_mut().zip(hpa.sizes()) {
                sum[0] += size.nodes as f64;
                sum[1] += size.inter_edges as f64;
                sum[2] += size.intra_edges as f64;
            }
        }
        let maps = cases.len() as f64;
        println!(
            "{name}: {} maps, {:.0} tiles (paper 4469), {:.0} edges (paper 16420)",
            cases.len(),
            free / maps,
            steps / maps
        );
        for (level, (sum, paper)) in sums.iter().zip(PAPER).enumerate() {
            for (i, what) in ["nodes", "inter-edges", "intra-edges"].into_iter().enumerate() {
                let ours = sum[i] / maps;
                let percent = (ours / paper[i] - 1.0) * 100.0;
                println!(
                    "  level {} {what:12} paper {:6.0}  ours {ours:7.1}  {percent:+.1} %",
                    level + 1,
                    paper[i]
                );
                csv +=
                    &format!("{name},{},{what},{},{ours:.2},{percent:.2}\n", level + 1, paper[i]);
            }
        }
    }
    run.write("table2.csv", &csv)
}
