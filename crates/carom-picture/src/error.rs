//! What can go wrong with pictures.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why there is no picture.
#[derive(Debug, Error)]
pub enum PictureError {
    /// A file cannot be made or written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is nothing to show.
    #[error("there is nothing to show: no frame lies in the time asked for")]
    NoFrames,
    /// A picture too large for its kind of file.
    #[error("a GIF is at most 65535 pixels wide and high, this one has {width}×{height}")]
    TooLarge {
        /// Width `[px]`.
        width: u32,
        /// Height `[px]`.
        height: u32,
    },
    /// The program that makes videos is not there.
    #[error(
        "cannot run {}: {source}\nhint: MP4 is made by ffmpeg; install it, name it by CAROM_FFMPEG, or write a .gif",
        program.display()
    )]
    NoFfmpeg {
        /// What was tried.
        program: PathBuf,
        /// Why it could not be run.
        source: io::Error,
    },
    /// The program that makes videos failed.
    #[error("{} ended with {status}: {message}", program.display())]
    Ffmpeg {
        /// Which program.
        program: PathBuf,
        /// How it ended.
        status: String,
        /// The last it said.
        message: String,
    },
    /// Whoever asked for the picture does not want it any more.
    #[error("interrupted after {pictures} pictures")]
    Interrupted {
        /// How many pictures of an animation are in its file, which ends there; without any there is no file.
        pictures: usize,
    },
}
