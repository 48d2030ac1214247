//! A skirmish: scouts and tanks, walls built by clicking, an order to all.
//!
//! Left button: build walls, with Shift: break them. Right button: everyone goes there. Z: zones and gates. P: paths.
//!
//! `--headless N` plays N ticks without a window, with walls and orders of its own, and tells what happened.
//! `--picture FILE` plays the same with a window, takes a picture of it and ends.

mod game;
mod window;

use std::process::ExitCode;

const USAGE: &str = "usage: skirmish [--headless TICKS | --picture FILE]";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => window::play(None),
        ["--picture", file] => window::play(Some(file.into())),
        ["--headless", ticks] => match ticks.parse() {
            Ok(ticks) => game::play_headless(ticks),
            Err(error) => {
                eprintln!("{ticks} ticks: {error}\n{USAGE}");
                ExitCode::from(2)
            }
        },
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}
