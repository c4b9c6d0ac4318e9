//! Pictures as files: PNG, contact sheets, GIF, and MP4 through ffmpeg.

mod gif_file;
mod palette;
mod sheet;
mod video;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use rayon::prelude::*;

pub use gif_file::write_gif;
pub use sheet::Sheet;
pub use video::{ffmpeg_arguments, write_mp4};

use crate::error::PictureError;
use crate::image::Image;
use crate::projector::Projector;

/// Frames one after the other.
#[derive(Clone, Debug)]
pub struct Animation {
    /// Which frames of the film, in order.
    pub frames: Vec<usize>,
    /// How many are shown in a second.
    pub fps: f64,
    /// What stands above every picture.
    pub title: String,
}

/// Whether to go on, asked with the number of pictures that are done and of all.
pub type GoesOn<'a> = &'a mut dyn FnMut(usize, usize) -> bool;

impl Animation {
    /// Draws the pictures, some at a time on all threads, and hands them over in order.
    fn each(
        &self,
        projector: &Projector<'_>,
        goes_on: GoesOn<'_>,
        take: &mut dyn FnMut(Image) -> Result<(), PictureError>,
    ) -> Result<(), PictureError> {
        let mut done = 0;
        for batch in self.frames.chunks(projector.batch()) {
            if !goes_on(done, self.frames.len()) {
                return Err(PictureError::Interrupted { pictures: done });
            }
            let images: Vec<Image> = projector.on_threads(|| {
                batch.par_iter().map(|&index| projector.draw(index, &self.title)).collect()
            });
            for image in images {
                take(image)?;
            }
            done += batch.len();
        }
        goes_on(done, self.frames.len());
        Ok(())
    }
}

/// Takes away the file of an animation that was interrupted before it had a picture.
fn without_stub(drawn: Result<(), PictureError>, path: &Path) -> Result<(), PictureError> {
    if matches!(drawn, Err(PictureError::Interrupted { pictures: 0 })) {
        // One that cannot be removed is told of as one that is not written.
        drop(std::fs::remove_file(path));
    }
    drawn
}

/// Writes a picture as PNG.
///
/// # Errors
/// If the file cannot be written.
pub fn write_png(image: &Image, path: &Path) -> Result<(), PictureError> {
    let written = File::create(path).and_then(|file| encode_png(image, BufWriter::new(file)));
    written.map_err(|source| PictureError::Write { path: path.to_owned(), source })
}

fn encode_png(image: &Image, mut out: impl Write) -> io::Result<()> {
    let [width, height] = image.size();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(image.bytes())?;
    writer.finish()?;
    out.flush()
}
