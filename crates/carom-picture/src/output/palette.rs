//! 255 colours for a whole film, by median cut, and pixels in them with an ordered pattern.
//!
//! The same colours in all frames, and a pattern that belongs to the place and not to the time: what stands still keeps its
//! bytes from frame to frame, which is what makes GIFs small and quiet.

use rayon::prelude::*;

use crate::image::Image;

/// Colours; one more stands for what stays as it was.
const COLORS: usize = 255;

/// The index of what stays as it was.
pub(super) const SAME: u8 = COLORS as u8;

/// Bits of each part of a colour that the table of nearest colours goes by.
const BITS: u32 = 6;

/// How far the pattern moves colours each way.
const SPREAD: i32 = 5;

/// Order in which a square of 4×4 is filled.
const PATTERN: [[i32; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];

/// Colours of a film.
#[derive(Debug)]
pub(super) struct Palette {
    colors: Vec<[u8; 3]>,
    /// The nearest colour of every colour of [`BITS`] bits.
    nearest: Vec<u8>,
}

/// A colour with how often it is seen.
type Counted = ([u8; 3], u64);

impl Palette {
    /// For pictures like these.
    pub(super) fn of(images: &[Image]) -> Self {
        let mut counts = vec![0_u64; 1 << (3 * BITS)];
        for pixel in images.iter().flat_map(Image::pixels) {
            counts[key(*pixel)] += 1;
        }
        let counted = |(key, count): (usize, &u64)| (*count > 0).then(|| (color_of(key), *count));
        let seen: Vec<Counted> = counts.iter().enumerate().filter_map(counted).collect();
        let mut boxes = vec![seen];
        while boxes.len() < COLORS {
            // The box that is largest for what it holds; the first of equals.
            let worth = |it: &Vec<Counted>| {
                let count: u64 = it.iter().map(|(_, count)| *count).sum();
                let (_, extent) = longest(it);
                f64::from(extent) * libm::cbrt(count as f64)
            };
            let worths: Vec<f64> = boxes.iter().map(worth).collect();
            let best = (0..boxes.len()).fold(0, |a, b| if worths[b] > worths[a] { b } else { a });
            if worths.get(best).is_none_or(|worth| *worth <= 0.0) {
                break;
            }
            let (low, high) = halves(boxes.swap_remove(best));
            boxes.extend([low, high]);
        }
        let colors: Vec<[u8; 3]> = boxes.iter().map(|it| mean(it)).collect();
        let nearest = (0..1_usize << (3 * BITS))
            .into_par_iter()
            .map(|key| nearest(&colors, color_of(key)))
            .collect();
        Self { colors, nearest }
    }

    /// Red, green and blue of all colours one after the other, 256 of them.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colors.as_flattened().to_vec();
        bytes.resize(3 * 256, 0);
        bytes
    }

    /// A picture in these colours.
    pub(super) fn indices(&self, image: &Image) -> Vec<u8> {
        let width = image.size()[0] as usize;
        let index = |(at, pixel): (usize, &[u8; 3])| {
            let (x, y) = (at % width, at / width);
            let shift = (2 * PATTERN[y % 4][x % 4] - 15) * SPREAD / 15;
            let moved = pixel.map(|part| (i32::from(part) + shift).clamp(0, 255) as u8);
            self.nearest[key(moved)]
        };
        image.pixels().iter().enumerate().map(index).collect()
    }
}

fn key(color: [u8; 3]) -> usize {
    color.iter().fold(0, |key, part| key << BITS | usize::from(part >> (8 - BITS)))
}

/// The middle of what shares a key.
fn color_of(key: usize) -> [u8; 3] {
    let part = |shift: u32| {
        let bits = (key >> shift) & ((1 << BITS) - 1);
        ((bits << (8 - BITS)) | (1 << (7 - BITS))) as u8
    };
    [part(2 * BITS), part(BITS), part(0)]
}

/// The part along which colours differ most, and by how much.
fn longest(colors: &[Counted]) -> (usize, u8) {
    let extent = |part: usize| {
        let parts = colors.iter().map(|(color, _)| color[part]);
        let (low, high) = parts.fold((u8::MAX, 0), |(a, b), it| (a.min(it), b.max(it)));
        high.saturating_sub(low)
    };
    let extents = [extent(0), extent(1), extent(2)];
    let part = (0..3).fold(0, |a, b| if extents[b] > extents[a] { b } else { a });
    (part, extents[part])
}

/// Two boxes with about as many pixels each, cut across the longest part.
fn halves(mut colors: Vec<Counted>) -> (Vec<Counted>, Vec<Counted>) {
    let (part, _) = longest(&colors);
    colors.sort_by_key(|(color, _)| (color[part], *color));
    let total: u64 = colors.iter().map(|(_, count)| *count).sum();
    let mut sum = 0;
    let cut = colors.iter().position(|(_, count)| {
        sum += count;
        2 * sum >= total
    });
    // Neither half may be empty.
    let cut = (cut.unwrap_or(0) + 1).clamp(1, colors.len().saturating_sub(1).max(1));
    let high = colors.split_off(cut.min(colors.len()));
    (colors, high)
}

fn mean(colors: &[Counted]) -> [u8; 3] {
    let total: u64 = colors.iter().map(|(_, count)| *count).sum();
    std::array::from_fn(|part| {
        let sum: u64 = colors.iter().map(|(color, count)| u64::from(color[part]) * count).sum();
        (sum / total.max(1)) as u8
    })
}

fn nearest(colors: &[[u8; 3]], color: [u8; 3]) -> u8 {
    let distance = |other: &[u8; 3]| {
        let part = |i: usize| i32::from(other[i]) - i32::from(color[i]);
        // Eyes tell green apart best.
        2 * part(0) * part(0) + 4 * part(1) * part(1) + part(2) * part(2)
    };
    let mut best = (0, i32::MAX);
    for (index, other) in colors.iter().enumerate() {
        let here = distance(other);
        if here < best.1 {
            best = (index, here);
        }
    }
    best.0 as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_colours_are_kept_as_they_are() {
        let mut image = Image::filled([8, 4], [250, 10, 10]);
        image.row_mut(0).fill([10, 250, 10]);
        let palette = Palette::of(&[image.clone()]);
        let indices = palette.indices(&image);
        let color = |at: usize| palette.colors[usize::from(indices[at])];
        let near = |a: [u8; 3], b: [u8; 3]| a.iter().zip(b).all(|(a, b)| a.abs_diff(b) < 8);
        assert!(near(color(0), [10, 250, 10]), "{:?}", color(0));
        assert!(near(color(31), [250, 10, 10]), "{:?}", color(31));
        assert!(palette.colors.len() <= COLORS);
    }
}
