//! Animations as MP4, by a program that is not part of the project: ffmpeg gets the pictures through a pipe.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::{Animation, GoesOn, without_stub};
use crate::error::PictureError;
use crate::projector::Projector;

/// What ffmpeg is told, for pictures of a size and so many a second.
///
/// Sizes are rounded down to even numbers, which the common form of H.264 needs.
pub fn ffmpeg_arguments([width, height]: [u32; 2], fps: f64, path: &Path) -> Vec<String> {
    let size = format!("{width}x{height}");
    let rate = fps.to_string();
    let crop = format!("crop={}:{}:0:0", width & !1, height & !1);
    let before = ["-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", &size];
    let between = ["-r", &rate, "-i", "-", "-vf", &crop, "-c:v", "libx264", "-crf", "17"];
    let after = ["-pix_fmt", "yuv420p", "-movflags", "+faststart"];
    let words = before.into_iter().chain(between).chain(after).map(str::to_owned);
    words.chain([path.display().to_string()]).collect()
}

/// Writes an animation by running `program`, which is ffmpeg.
///
/// # Errors
/// If there are no frames, the program cannot be run or fails, or it is interrupted.
pub fn write_mp4(
    projector: &Projector<'_>,
    animation: &Animation,
    path: &Path,
    program: &Path,
    goes_on: GoesOn<'_>,
) -> Result<(), PictureError> {
    if animation.frames.is_empty() {
        return Err(PictureError::NoFrames);
    }
    let started = Command::new(program)
        .args(ffmpeg_arguments(projector.size(), animation.fps, path))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    let no_ffmpeg = |source| PictureError::NoFfmpeg { program: program.to_owned(), source };
    let mut child = started.map_err(no_ffmpeg)?;
    let mut pipe = child.stdin.take();
    let written = animation.each(projector, goes_on, &mut |image| {
        let sent = pipe.as_mut().map_or(Ok(()), |pipe| pipe.write_all(image.bytes()));
        sent.map_err(|source| PictureError::Write { path: path.to_owned(), source })
    });
    drop(pipe);
    let ended = ended(child, program);
    match written {
        // A program that fails closes its pipe; what it says is the better reason.
        Err(PictureError::Write { .. }) => ended.and(written),
        Err(other) => without_stub(Err(other), path),
        Ok(()) => ended,
    }
}

fn ended(mut child: Child, program: &Path) -> Result<(), PictureError> {
    let mut said = String::new();
    if let Some(mut stderr) = child.stderr.take() {
        // What cannot be read is not told.
        drop(stderr.read_to_string(&mut said));
    }
    let no_ffmpeg = |source| PictureError::NoFfmpeg { program: program.to_owned(), source };
    let status = child.wait().map_err(no_ffmpeg)?;
    if status.success() {
        return Ok(());
    }
    let message = said.lines().last().unwrap_or("it said nothing").to_owned();
    Err(PictureError::Ffmpeg { program: program.to_owned(), status: status.to_string(), message })
}
