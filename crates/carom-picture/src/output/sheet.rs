//! Contact sheets: several times in one picture, all seen by the same camera.

use glam::DVec2;

use super::{Animation, GoesOn};
use crate::error::PictureError;
use crate::image::Image;
use crate::overlay::{INK, Ink};
use crate::projector::{Projector, paper, shortened};

/// Panels row by row.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Which frames of the film, in order.
    pub frames: Vec<usize>,
    /// Panels side by side.
    pub columns: usize,
    /// What stands above all.
    pub title: String,
}

/// Between panels, and around them `[px]`.
const GAP: u32 = 6;

impl Sheet {
    /// How many panels stand side by side for so many in all: 2 of 4, 3 of 6.
    pub fn columns_for(panels: usize) -> usize {
        (1..=panels).find(|columns| columns * columns >= panels).unwrap_or(1)
    }

    /// Where each panel begins and the size of the whole, for panels of a size `[px]`.
    fn layout(&self, [width, height]: [u32; 2]) -> (Vec<[u32; 2]>, [u32; 2], u32) {
        let columns = self.columns.clamp(1, self.frames.len().max(1)) as u32;
        let rows = (self.frames.len() as u32).div_ceil(columns).max(1);
        let header = if self.title.is_empty() { 0 } else { (height / 9).max(20) };
        let place = |index: u32| {
            let (column, row) = (index % columns, index / columns);
            [GAP + column * (width + GAP), header.max(GAP) + row * (height + GAP)]
        };
        let places = (0..self.frames.len() as u32).map(place).collect();
        let size = [GAP + columns * (width + GAP), header.max(GAP) + rows * (height + GAP)];
        (places, size, header)
    }

    /// Draws the sheet.
    ///
    /// # Errors
    /// If it is interrupted.
    pub fn image(
        &self,
        projector: &Projector<'_>,
        goes_on: GoesOn<'_>,
    ) -> Result<Image, PictureError> {
        let (places, size, header) = self.layout(projector.size());
        let mut sheet = Image::filled(size, paper());
        let mut places = places.into_iter();
        let panels = Animation { frames: self.frames.clone(), fps: 1.0, title: String::new() };
        let drawn = panels.each(projector, goes_on, &mut |panel| {
            if let Some([left, top]) = places.next() {
                sheet.paste(&panel, left, top);
            }
            Ok(())
        });
        drawn.map_err(|error| match error {
            PictureError::Interrupted { .. } => PictureError::Interrupted { pictures: 0 },
            other => other,
        })?;
        if header > 0 {
            let text = f64::from(header) * 0.34;
            let edge = f64::from(GAP) + 0.5 * text;
            let title = shortened(&self.title, f64::from(size[0]) - 2.0 * edge, text);
            let line = DVec2::new(edge, 0.5 * f64::from(header) + 0.5 * text);
            Ink::text(&title, line, text).onto(&mut sheet, INK);
        }
        Ok(sheet)
    }

    /// Left, top, width and height of each panel `[px]`.
    pub fn panels(&self, projector: &Projector<'_>) -> Vec<[u32; 4]> {
        let [width, height] = projector.size();
        let (places, ..) = self.layout([width, height]);
        places.into_iter().map(|[left, top]| [left, top, width, height]).collect()
    }
}
