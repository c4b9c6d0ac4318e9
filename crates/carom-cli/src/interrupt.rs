//! Ctrl-C: who works for long asks whether to go on and closes what it writes; elsewhere the program ends at once, and
//! takes away files that are not finished.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Exit status of whoever is interrupted.
pub(crate) const STATUS: u8 = 130;

/// True once Ctrl-C was pressed.
static PRESSED: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(false)));

/// How many are there that ask.
static ASKING: AtomicUsize = AtomicUsize::new(0);

/// What is removed when the program ends at once.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Waits for Ctrl-C from here on.
#[expect(
    clippy::exit,
    reason = "nobody asks whether to go on, or whoever pressed it twice does not want to wait"
)]
pub(crate) fn watch() {
    // Without a handler Ctrl-C ends the program at once, which is no disaster either.
    drop(ctrlc::try_set_handler(|| {
        let again = PRESSED.swap(true, Ordering::SeqCst);
        if !again && ASKING.load(Ordering::SeqCst) > 0 {
            return;
        }
        for path in UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            drop(std::fs::remove_file(path));
        }
        if std::io::stderr().is_terminal() {
            // Below the bar, if there is one.
            crate::output::talk("");
        }
        std::process::exit(i32::from(STATUS));
    }));
}

/// Somebody who asks whether to go on.
pub(crate) struct Asking(Arc<AtomicBool>);

impl Asking {
    /// From here on Ctrl-C only makes the answer no; pressed again it ends the program.
    pub(crate) fn new() -> Self {
        ASKING.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(&PRESSED))
    }

    /// True once Ctrl-C was pressed.
    pub(crate) fn is_pressed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The same, for threads.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        ASKING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Files that are removed if the program is interrupted while this is there.
pub(crate) struct Unfinished;

impl Unfinished {
    pub(crate) fn new(paths: &[&Path]) -> Self {
        let paths = paths.iter().map(|path| path.to_path_buf());
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).extend(paths);
        Self
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
