//! Ctrl-C: files that are half written go away, then the program ends as it would have.

/// From now on the signals that ask the program to end (not those that kill it) also remove
/// the temporary files of what is being written. Systems other than Unix have no such signals:
/// there a hidden `.tidegate-*.tmp` may stay.
pub(crate) fn remove_files_on_signals() {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGINT, SIGTERM};
        let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else {
            return;
        };
        std::thread::spawn(move || {
            for signal in signals.forever() {
                tidegate::artifact::NewFile::remove_unfinished();
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        });
    }
}
