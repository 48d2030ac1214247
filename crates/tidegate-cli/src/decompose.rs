//! `tidegate decompose`: zones and gates of a map, as text, JSON and pictures.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use clap::ArgGroup;
use clap::builder::PossibleValuesParser;
use tidegate::decompose::rooms::Rooms;
use tidegate::decompose::{Decomposition, WaterOptions, WaterStages};
use tidegate::draw::{self, DrawOptions};
use tidegate::{Grid, grid::MAX_SIDE};

use crate::load::{self, MapOptions};
use crate::say::{self, note, say};
use crate::{Done, arguments, output, progress};

const EXAMPLES: &str = "\
Examples:
  tidegate decompose my.map --png zones.png --labels --scale 3
  tidegate decompose my.map --json zones.json --svg zones.svg
  tidegate decompose my.map --stages stages.png --film water.png
  tidegate decompose dungeon.map --method rooms --png rooms.png

The water-level method finds the places where a person would see a passage; the rooms method is
for maps of rooms and corridors. --json writes what 'tidegate index --decomposition' reads.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group = ArgGroup::new("labelled").args(["png", "svg"]).multiple(true))]
#[command(group = ArgGroup::new("pictures").args(["png", "svg", "depth", "stages", "film"]).multiple(true))]
pub(crate) struct Args {
    /// The map (.map, .png, .txt)
    map: PathBuf,
    /// How gates are found
    #[arg(long, default_value = "water", value_parser = PossibleValuesParser::new(["water", "rooms"]))]
    method: String,
    /// Let the water rise on a map K times smaller: quicker, and misses some gates
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    lowres: u32,
    /// Gates at both ends of corridors of even width
    #[arg(long)]
    hallways: bool,
    /// All gates of the water where it left them: no cleaning, no doors of small rooms, no moving to
    /// the narrowest line
    #[arg(long)]
    raw: bool,
    /// Write zones and gates as JSON
    #[arg(long, value_name = "FILE", value_parser = arguments::output())]
    json: Option<PathBuf>,
    /// Draw zones and gates
    #[arg(long, value_name = "FILE", value_parser = arguments::output())]
    png: Option<PathBuf>,
    /// Draw zones and gates as SVG, sharp at any size
    #[arg(long, value_name = "FILE", value_parser = arguments::output())]
    svg: Option<PathBuf>,
    /// Draw the depth of every tile (PNG)
    #[arg(long, value_name = "FILE", value_parser = arguments::output())]
    depth: Option<PathBuf>,
    /// Draw map, depth, lakes and zones side by side (PNG)
    #[arg(long, value_name = "FILE", value_parser = arguments::output())]
    stages: Option<PathBuf>,
    /// Draw the rising water, one picture for every level (PNG)
    #[arg(long, value_name = "FILE", value_parser = arguments::output())]
    film: Option<PathBuf>,
    /// Numbers of zones and gates in --png and --svg
    #[arg(long, requires = "labelled")]
    labels: bool,
    /// Pixels along the side of a tile in the pictures [default: 1]
    #[arg(long, value_name = "N", requires = "pictures", value_parser = clap::value_parser!(u32).range(1..=64))]
    scale: Option<u32>,
    #[command(flatten)]
    options: MapOptions,
}

pub(crate) fn run(args: Args) -> Result<Done> {
    let water_only = args.stages.is_some() || args.film.is_some() || args.depth.is_some();
    let settings = args.lowres > 1 || args.hallways || args.raw;
    ensure!(
        args.method == "water" || !(water_only || settings),
        "--lowres, --hallways, --raw, --depth, --stages and --film belong to --method water"
    );
    let written = [&args.json, &args.png, &args.svg, &args.depth, &args.stages, &args.film];
    let written = written.into_iter().flatten();
    arguments::all_different([&*args.map], written.map(PathBuf::as_path))?;
    let grid = load::grid(&args.map, &args.options)?;
    progress::now(format!("finding zones and gates of {} tiles", say::count(grid.tiles() as u64)));
    let clock = Instant::now();
    let (parts, stages) = decompose(&grid, &args);
    let millis = clock.elapsed().as_secs_f64() * 1e3;
    progress::now("checking zones and gates");
    if let Err(violation) = parts.check(&grid) {
        note!("the decomposition is wrong: {violation}");
        return Ok(Done::No);
    }
    say!(
        "{}: {} x {} tiles, {} free",
        args.map.display(),
        grid.width(),
        grid.height(),
        grid.free_tiles()
    );
    let (zones, gates) = (parts.live_zones().count(), parts.gates().len());
    let pockets = match parts.pockets().count() {
        0 => String::new(),
        1 => " and a pocket".into(),
        pockets => format!(" and {pockets} pockets"),
    };
    let found = match &stages {
        Some(_) => format!("{} gate clusters", parts.raw_gates()),
        None => format!("{} rooms", Rooms::fill(&grid).count()),
    };
    say!("{}: {found}, {gates} gates, {zones} zones{pockets} in {millis:.1} ms", args.method);
    if let Some(widest) = parts.gates().iter().map(|gate| gate.width()).max() {
        let mean = parts.gates().iter().map(|gate| f64::from(gate.width())).sum::<f64>();
        let most = parts.zones().iter().map(|zone| zone.gates().len()).max().unwrap_or(0);
        say!(
            "gates are {:.1} tiles wide on average, {widest} at most; a zone has up to {most}",
            mean / gates as f64
        );
    }
    write_files(&grid, &args, &parts, stages.as_ref())?;
    Ok(Done::Yes)
}

fn decompose(grid: &Grid, args: &Args) -> (Decomposition, Option<WaterStages>) {
    if args.method == "rooms" {
        return (Decomposition::rooms(grid), None);
    }
    let start = if args.raw { WaterOptions::raw() } else { WaterOptions::default() };
    let options = start.with_lowres(args.lowres.min(MAX_SIDE)).with_hallways(args.hallways);
    let stages = WaterStages::new(grid, &options);
    (stages.decomposition(grid, &options), Some(stages))
}

fn write_files(
    grid: &Grid,
    args: &Args,
    parts: &Decomposition,
    stages: Option<&WaterStages>,
) -> Result<()> {
    let scale = args.scale.unwrap_or(1);
    let options = DrawOptions::default().with_scale(scale).with_labels(args.labels);
    let write = |path: &Path, bytes: &[u8], what: &str| -> Result<()> {
        output::write(path, bytes)?;
        say::wrote(path, what);
        Ok(())
    };
    let picture = |path: &Path, picture: Result<draw::Picture, draw::DrawError>, what: &str| {
        let png = picture.and_then(|p| p.to_png());
        write(path, &png.with_context(|| path.display().to_string())?, what)
    };
    progress::now("drawing");
    if let Some(path) = &args.json {
        write(path, format!("{}\n", parts.to_json(grid)).as_bytes(), "zones and gates")?;
    }
    if let Some(path) = &args.svg {
        write(path, draw::zones_svg(grid, parts, &options).as_bytes(), "zones and gates")?;
    }
    if let Some(path) = &args.png {
        picture(path, draw::zones(grid, parts, &options), "zones and gates")?;
    }
    let Some(stages) = stages else { return Ok(()) };
    if let Some(path) = &args.depth {
        picture(path, draw::depth(grid, &stages.depth, scale), "the depth of every tile")?;
    }
    if let Some(path) = &args.stages {
        picture(path, draw::stages(grid, stages, parts, scale), "map, depth, lakes and zones")?;
    }
    if let Some(path) = &args.film {
        picture(path, draw::film(grid, stages, scale), "the rising water")?;
    }
    Ok(())
}
