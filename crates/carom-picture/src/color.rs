//! Colours: linear light inside, sRGB outside, and the colours of bodies that have none of their own.

use std::sync::LazyLock;

use glam::DVec3;

/// A colour that can be told from the others by nearly everybody, for each material in turn: the palette of Okabe and Ito
/// (2008) without black, its yellow and grey last, made a little softer.
const PALETTE: [[u8; 3]; 8] = [
    [0x2f, 0x7f, 0xb8],
    [0xe0, 0x8a, 0x1e],
    [0x1f, 0x9e, 0x77],
    [0xcf, 0x5b, 0x2a],
    [0x6b, 0xb5, 0xe0],
    [0xc2, 0x76, 0xa4],
    [0xe3, 0xcf, 0x4a],
    [0x8a, 0x8f, 0x98],
];

/// Of fixed bodies.
const FIXED: [u8; 3] = [0xa9, 0xad, 0xb3];

/// Of planes, which are most of a picture.
const GROUND: [u8; 3] = [0xcb, 0xce, 0xd2];

/// Of bodies that are driven.
const DRIVEN: [u8; 3] = [0x86, 0x8e, 0x9c];

/// How much lighter or darker bodies of one material are drawn, so that they can be told apart in a heap.
const SPREAD: f64 = 0.16;

/// The share of a turn by which numbers are spread evenly however many there are: the golden ratio's fraction.
const GOLDEN: f64 = 0.618_033_988_749_895;

/// The colour of a free body by its material and its own number, in linear light.
pub(crate) fn of_material(material: usize, body: usize) -> DVec3 {
    let spread = (body as f64 * GOLDEN) % 1.0 - 0.5;
    linear(PALETTE[material % PALETTE.len()]) * (1.0 + 2.0 * SPREAD * spread)
}

/// The colour of a fixed body.
pub(crate) fn of_fixed() -> DVec3 {
    linear(FIXED)
}

/// The colour of a plane.
pub(crate) fn of_ground() -> DVec3 {
    linear(GROUND)
}

/// The colour of a body that is driven.
pub(crate) fn of_driven() -> DVec3 {
    linear(DRIVEN)
}

/// sRGB into linear light from 0 to 1.
pub(crate) fn linear(srgb: [u8; 3]) -> DVec3 {
    DVec3::from_array(srgb.map(|part| decode(f64::from(part) / 255.0)))
}

fn decode(part: f64) -> f64 {
    if part <= 0.04045 { part / 12.92 } else { libm::pow((part + 0.055) / 1.055, 2.4) }
}

fn encode(part: f64) -> f64 {
    if part <= 0.0031308 { part * 12.92 } else { 1.055 * libm::pow(part, 1.0 / 2.4) - 0.055 }
}

/// Entries of the table below: fine enough that every neighbouring pair differs by less than one step of sRGB.
const STEPS: usize = 4096;

/// sRGB by the square root of linear light, which spreads dark tones.
static ENCODED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let entry = |i: usize| {
        let root = i as f64 / (STEPS - 1) as f64;
        (encode(root * root) * 255.0).round() as u8
    };
    (0..STEPS).map(entry).collect()
});

/// Linear light into sRGB; what is too bright is bent, not cut, so that highlights keep their shape.
pub(crate) fn srgb(light: DVec3) -> [u8; 3] {
    light.to_array().map(|part| {
        let root = soft(part).max(0.0).sqrt();
        ENCODED[((root * (STEPS - 1) as f64 + 0.5) as usize).min(STEPS - 1)]
    })
}

/// From here on light is bent.
const KNEE: f64 = 0.8;

fn soft(part: f64) -> f64 {
    if part <= KNEE {
        return part;
    }
    let beyond = (part - KNEE) / (1.0 - KNEE);
    KNEE + (1.0 - KNEE) * beyond / (1.0 + beyond)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_come_back_from_linear_light() {
        for part in (0..=220).step_by(5) {
            let back = srgb(linear([part, 0, part / 2]));
            assert_eq!(back, [part, 0, part / 2]);
        }
    }

    #[test]
    fn what_is_too_bright_is_bent_and_never_wraps() {
        assert!(srgb(DVec3::splat(1.0))[0] > 230);
        assert_eq!(srgb(DVec3::splat(1e9)), [255; 3]);
        assert_eq!(srgb(DVec3::splat(f64::NAN)), [0; 3]);
    }
}
