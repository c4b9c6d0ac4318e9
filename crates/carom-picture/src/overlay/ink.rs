//! A pen: lines with round ends and smooth edges, with a light halo so that they are seen on everything.

use glam::DVec2;

use super::font::{CAPITAL, strokes};
use crate::image::Image;

/// The colour of words.
pub(crate) const INK: [u8; 3] = [0x24, 0x2a, 0x33];

/// The halo around them.
const HALO: [u8; 3] = [0xf4, 0xf6, 0xf8];

/// Thickness of strokes by the height of capitals.
const WEIGHT: f64 = 0.135;

/// How strong the halo is.
const HALO_SHARE: f64 = 0.6;

/// And around words, which may lie half on dark and half on light.
const WORD_HALO_SHARE: f64 = 0.9;

/// Words on what is darker than this are light.
const DARK: f64 = 135.0;

/// Width of a text whose capitals are so high `[px]`.
pub(crate) fn text_width(text: &str, height: f64) -> f64 {
    strokes(text).1 * height / CAPITAL
}

/// How much of each pixel of a rectangle is covered.
#[derive(Debug)]
pub(crate) struct Ink {
    left: i64,
    top: i64,
    width: usize,
    covered: Vec<f32>,
    halo: Vec<f32>,
    halo_width: f64,
}

impl Ink {
    /// A text with its line's left end at a place of the picture and capitals so high `[px]`.
    pub(crate) fn text(text: &str, at: DVec2, height: f64) -> Self {
        let scale = height / CAPITAL;
        let (strokes, _) = strokes(text);
        let place = |point: DVec2| at + scale * DVec2::new(point.x, -point.y);
        let lines: Vec<Vec<DVec2>> =
            strokes.into_iter().map(|line| line.into_iter().map(place).collect()).collect();
        Self::lines(&lines, (WEIGHT * height).max(1.15), (0.17 * height).max(1.2))
    }

    /// Lines through points, so thick and with a halo so wide beyond `[px]`.
    pub(crate) fn lines(lines: &[Vec<DVec2>], thickness: f64, halo_width: f64) -> Self {
        let reach = 0.5 * thickness + halo_width + 1.0;
        let points = || lines.iter().flatten().filter(|point| point.is_finite());
        let low = points().fold(DVec2::splat(f64::INFINITY), |a, b| a.min(*b)) - reach;
        let high = points().fold(DVec2::splat(f64::NEG_INFINITY), |a, b| a.max(*b)) + reach;
        let size = high - low;
        // Whoever draws beyond all pictures sees nothing of it.
        if !(size.x > 0.0 && size.y > 0.0 && size.max_element() < 16_384.0) {
            let (covered, halo) = (Vec::new(), Vec::new());
            return Self { left: 0, top: 0, width: 0, covered, halo, halo_width };
        }
        let (left, top) = (low.x.floor() as i64, low.y.floor() as i64);
        let (width, height) = (size.x.ceil() as usize + 1, size.y.ceil() as usize + 1);
        let count = width * height;
        let (covered, halo) = (vec![0.0; count], vec![0.0; count]);
        let mut ink = Self { left, top, width, covered, halo, halo_width };
        for line in lines {
            for pair in line.windows(2) {
                ink.stroke(pair[0], pair[1], 0.5 * thickness);
            }
        }
        ink
    }

    fn stroke(&mut self, from: DVec2, to: DVec2, radius: f64) {
        let reach = radius + self.halo_width + 1.0;
        let low = from.min(to) - reach;
        let high = from.max(to) + reach;
        let rows = self.covered.len() / self.width.max(1);
        // The conversions saturate, so what begins before the rectangle begins with it.
        let range = |low: f64, high: f64, start: i64, end: usize| {
            let start = start as f64;
            (low.floor() - start) as usize..((high.ceil() - start + 1.0) as usize).min(end)
        };
        let along = to - from;
        let length_sq = along.length_squared();
        for y in range(low.y, high.y, self.top, rows) {
            for x in range(low.x, high.x, self.left, self.width) {
                let middle =
                    DVec2::new(self.left as f64 + x as f64 + 0.5, self.top as f64 + y as f64 + 0.5);
                let share =
                    if length_sq > 0.0 { (middle - from).dot(along) / length_sq } else { 0.0 };
                let distance = middle.distance(from + along * share.clamp(0.0, 1.0));
                let index = y * self.width + x;
                let ink = (radius + 0.5 - distance).clamp(0.0, 1.0) as f32;
                self.covered[index] = self.covered[index].max(ink);
                let beyond = 1.0 - (distance - radius) / self.halo_width;
                self.halo[index] = self.halo[index].max(beyond.clamp(0.0, 1.0) as f32);
            }
        }
    }

    /// Puts it on a picture as words: dark on light, and light on dark.
    pub(crate) fn onto_readable(&self, image: &mut Image) {
        let (mut sum, mut count) = (0.0, 0.0);
        for (index, _) in self.halo.iter().enumerate().filter(|(_, halo)| **halo > 0.0) {
            let (x, y) = self.place(index);
            let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { continue };
            if let Some([r, g, b]) = image.pixel(x, y) {
                sum += 0.3 * f64::from(r) + 0.6 * f64::from(g) + 0.1 * f64::from(b);
                count += 1.0;
            }
        }
        let is_dark = sum < DARK * count;
        let [ink, halo] = if is_dark { [HALO, INK] } else { [INK, HALO] };
        self.put(image, ink, halo, WORD_HALO_SHARE);
    }

    /// Puts it on a picture.
    pub(crate) fn onto(&self, image: &mut Image, color: [u8; 3]) {
        self.put(image, color, HALO, HALO_SHARE);
    }

    fn place(&self, index: usize) -> (i64, i64) {
        let (x, y) = (index % self.width, index / self.width);
        (self.left.saturating_add_unsigned(x as u64), self.top.saturating_add_unsigned(y as u64))
    }

    fn put(&self, image: &mut Image, color: [u8; 3], around: [u8; 3], share: f64) {
        for (index, (covered, halo)) in self.covered.iter().zip(&self.halo).enumerate() {
            let (x, y) = self.place(index);
            if *halo > 0.0 {
                image.blend(x, y, around, share * f64::from(*halo));
            }
            if *covered > 0.0 {
                image.blend(x, y, color, f64::from(*covered));
            }
        }
    }
}
