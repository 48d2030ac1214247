//! `tidegate studio`: maps, zones, gates and searches in the browser.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use tidegate::grid::scen_file;
use tidegate_bench::suite;
use tidegate_studio::{Address, Opened};

use crate::load::{self, MapOptions};
use crate::say::{note, say};
use crate::{Done, arguments, progress};

const EXAMPLES: &str = "\
Examples:
  tidegate studio
  tidegate studio my.map other.tide
  tidegate studio my.map --scen my.map.scen --save-dir work --no-open

The page is served to this machine alone. Ctrl-C ends it.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Maps (.map, .png, .txt) and indexes (.tide) to open besides the bundled ones
    maps: Vec<PathBuf>,
    /// Problems (.scen) for the first map; by default NAME.scen beside each map, if there
    #[arg(long, value_name = "FILE", requires = "maps")]
    scen: Option<PathBuf>,
    /// Where work is saved; by default beside the map given, else in this folder
    #[arg(long, value_name = "DIR", value_parser = arguments::output())]
    save_dir: Option<PathBuf>,
    /// The port; by default any free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// Print the address and do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Serve another address than 127.0.0.1: others may then reach the studio
    #[arg(long, value_name = "ADDR")]
    listen: Option<IpAddr>,
    #[command(flatten)]
    options: MapOptions,
}

pub(crate) fn run(args: Args) -> Result<Done> {
    if let Some(folder) = &args.save_dir {
        ensure!(folder.is_dir(), "--save-dir {} is not a folder", folder.display());
    }
    let mut maps = Vec::new();
    for (i, path) in args.maps.iter().enumerate() {
        maps.push(open(path, args.scen.as_deref().filter(|_| i == 0), &args)?);
    }
    let mut address = Address { port: args.port, ..Address::default() };
    if let Some(ip) = args.listen {
        address.ip = ip;
        if !ip.is_loopback() {
            note!(
                "warning: listening on {ip}: whoever reaches this address and knows the token can \
                 change maps and write files into the save folder; nothing is encrypted"
            );
        }
    }
    let folder = args.save_dir.unwrap_or_else(|| PathBuf::from("."));
    progress::end();
    tidegate_studio::serve(maps, folder, tidegate_studio::state_folder(), address, |url| {
        say!(
            "The studio is at {url}
Ctrl-C ends it."
        );
        if !args.no_open {
            open_browser(url);
        }
    })?;
    Ok(Done::Yes)
}

fn open(path: &Path, scen: Option<&Path>, args: &Args) -> Result<Opened> {
    let index = load::index(path, &args.options)?;
    let beside = arguments::with_more(path, ".scen");
    let file = scen.map(Path::to_path_buf).or_else(|| beside.is_file().then_some(beside));
    let mut problems = Vec::new();
    if let Some(file) = file {
        let shown = || file.display().to_string();
        problems = scen_file::parse(&suite::read(&file)?).with_context(shown)?;
        for problem in &problems {
            problem.check(index.grid()).with_context(shown)?;
        }
    }
    let folder = match (&args.save_dir, path.parent()) {
        (Some(folder), _) => folder.clone(),
        (None, Some(folder)) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
        (None, _) => PathBuf::from("."),
    };
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Opened { name, folder, index, problems })
}

/// Hands the address to the system's browser. If there is none, it was printed anyway.
fn open_browser(url: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(target_os = "windows") {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else {
        Command::new("xdg-open")
    };
    let silent = command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = silent.spawn();
}
