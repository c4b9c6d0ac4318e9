//! Animations as GIF, written while they are drawn.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use rayon::prelude::*;

use super::palette::{Palette, SAME};
use super::{Animation, GoesOn, without_stub};
use crate::error::PictureError;
use crate::image::Image;
use crate::projector::Projector;

/// Frames from which the colours are chosen.
const LOOKED_AT: usize = 8;

/// Hundredths of a second, in which GIFs count.
const HUNDREDTHS: f64 = 100.0;

/// Writes an animation that starts anew after its end.
///
/// # Errors
/// If there are no frames, the pictures are too large, the file cannot be written, or it is interrupted; what was drawn by
/// then is a whole file.
pub fn write_gif(
    projector: &Projector<'_>,
    animation: &Animation,
    path: &Path,
    goes_on: GoesOn<'_>,
) -> Result<(), PictureError> {
    let failed = |source: io::Error| PictureError::Write { path: path.to_owned(), source };
    let [width, height] = projector.size();
    let (Ok(columns), Ok(rows)) = (u16::try_from(width), u16::try_from(height)) else {
        return Err(PictureError::TooLarge { width, height });
    };
    if animation.frames.is_empty() {
        return Err(PictureError::NoFrames);
    }
    let palette = palette(projector, animation);
    let file = File::create(path).map_err(failed)?;
    let mut out = BufWriter::new(file);
    let encoder = gif::Encoder::new(&mut out, columns, rows, &palette.bytes());
    let mut encoder = encoder.map_err(|error| failed(in_words(error)))?;
    let endless = encoder.set_repeat(gif::Repeat::Infinite);
    endless.map_err(|error| failed(in_words(error)))?;
    let mut last: Vec<u8> = Vec::new();
    let mut number = 0;
    let drawn = animation.each(projector, goes_on, &mut |image| {
        let indices = palette.indices(&image);
        let delay = delay(number, animation.fps);
        number += 1;
        let frame = changed(&indices, &last, [columns, rows], delay);
        last = indices;
        encoder.write_frame(&frame).map_err(|error| failed(in_words(error)))
    });
    // It writes the end of the file, which is one of an animation that was interrupted, too.
    drop(encoder);
    out.flush().map_err(failed)?;
    without_stub(drawn, path)
}

fn in_words(error: gif::EncodingError) -> io::Error {
    match error {
        gif::EncodingError::Io(error) => error,
        other => io::Error::other(other.to_string()),
    }
}

/// Colours for the whole, from some frames of it.
fn palette(projector: &Projector<'_>, animation: &Animation) -> Palette {
    let count = animation.frames.len();
    let step = count.div_ceil(LOOKED_AT).max(1);
    let some: Vec<usize> = animation.frames.iter().step_by(step).copied().collect();
    let draw = |&index: &usize| projector.draw(index, &animation.title);
    projector.on_threads(|| {
        let images: Vec<Image> = some.par_iter().map(draw).collect();
        Palette::of(&images)
    })
}

/// How long a frame is shown, so that the whole takes as long as it should `[s/100]`.
fn delay(number: usize, fps: f64) -> u16 {
    let until = |n: usize| (n as f64 * HUNDREDTHS / fps).round();
    (until(number + 1) - until(number)).clamp(1.0, f64::from(u16::MAX)) as u16
}

/// The part of a picture that differs from the last one.
fn changed(new: &[u8], old: &[u8], [width, height]: [u16; 2], delay: u16) -> gif::Frame<'static> {
    let columns = usize::from(width);
    if old.is_empty() {
        let buffer = Cow::Owned(new.to_vec());
        return gif::Frame { delay, width, height, buffer, ..gif::Frame::default() };
    }
    let differs = |at: &usize| new[*at] != old[*at];
    let (mut left, mut right, mut top, mut bottom) = (columns, 0, usize::from(height), 0);
    for at in (0..new.len()).filter(differs) {
        let (x, y) = (at % columns, at / columns);
        (left, right) = (left.min(x), right.max(x + 1));
        (top, bottom) = (top.min(y), bottom.max(y + 1));
    }
    if left >= right {
        // A frame needs a pixel, and it may say that nothing changed.
        (left, right, top, bottom) = (0, 1, 0, 1);
    }
    let mut buffer = Vec::with_capacity((right - left) * (bottom - top));
    for y in top..bottom {
        for at in y * columns + left..y * columns + right {
            buffer.push(if new[at] == old[at] { SAME } else { new[at] });
        }
    }
    gif::Frame {
        delay,
        dispose: gif::DisposalMethod::Keep,
        transparent: Some(SAME),
        left: left as u16,
        top: top as u16,
        width: (right - left) as u16,
        height: (bottom - top) as u16,
        buffer: Cow::Owned(buffer),
        ..gif::Frame::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_add_up_to_the_time_that_is_shown() {
        for fps in [10.0, 24.0, 30.0, 50.0] {
            let total: u32 = (0..240).map(|number| u32::from(delay(number, fps))).sum();
            assert_eq!(total, (24_000.0 / fps).round() as u32, "{fps}");
        }
    }

    #[test]
    fn only_what_changed_is_written() {
        let old = vec![1; 12];
        let mut new = old.clone();
        new[5] = 2;
        let frame = changed(&new, &old, [4, 3], 4);
        assert_eq!((frame.left, frame.top, frame.width, frame.height), (1, 1, 1, 1));
        assert_eq!(&*frame.buffer, &[2]);
        let still = changed(&old, &old, [4, 3], 4);
        assert_eq!(&*still.buffer, &[SAME]);
    }
}
