//! Light: a key light with soft shadows, a sky that bodies hide from each other, and a fill without shadows.
//!
//! The sky is a dozen lamps spread over the upper half of all directions. Each has a map of how high bodies reach towards
//! it; a surface gets of each what the cosine law gives, as far as nothing stands between. This is ambient occlusion by its
//! definition, with an integral of twelve terms.

mod lamp;

use glam::DVec3;

use crate::camera::View;
use crate::form::Surface;
use lamp::{Lamp, Softness};

/// Strength of the key light, warm as the sun `[-]`; a white face towards all lamps would have about 1.1.
const KEY: DVec3 = DVec3::new(0.80, 0.77, 0.72);

/// Strength of the whole sky on a level face, cool.
const SKY: DVec3 = DVec3::new(0.34, 0.37, 0.41);

/// Strength of the fill from the other side of the camera.
const FILL: DVec3 = DVec3::new(0.07, 0.08, 0.09);

/// Light that the ground throws back on what faces down.
const BOUNCE: DVec3 = DVec3::new(0.17, 0.165, 0.155);

/// How much a body shines in the key light.
const SHINE: f64 = 0.22;

/// Lamps of the sky.
const SKY_LAMPS: usize = 12;

/// Cells of the key light's map along its longer side, for each pixel of the picture's and at most. More: sharper shadows
/// of what is thin; fewer: drawn sooner.
const KEY_CELLS_A_PIXEL: f64 = 2.4;
const KEY_CELLS: usize = 1536;

/// Cells of a sky lamp's map along its longer side.
const SKY_CELLS: usize = 320;

/// The key light is so wide: the tangent of half its angle. Wider: softer shadows.
const KEY_SOFTNESS: Softness = Softness { tangent: 0.055, search: 12, taps: 24 };

/// A sky lamp stands for its share of the sky.
const SKY_SOFTNESS: Softness = Softness { tangent: 0.35, search: 5, taps: 8 };

/// All light on one frame.
#[derive(Debug)]
pub(crate) struct Lights {
    key: Lamp,
    sky: Vec<Lamp>,
    /// Makes the sum over the sky 1 on a level face with nothing around.
    sky_share: f64,
    fill: DVec3,
    up: DVec3,
}

impl Lights {
    /// With shadows of these surfaces.
    pub(crate) fn new(view: &View, up: DVec3, casters: &[Surface]) -> Self {
        let side = 2.0 * view.middle[0].max(view.middle[1]);
        let key_cells = ((KEY_CELLS_A_PIXEL * side) as usize).clamp(SKY_CELLS, KEY_CELLS);
        let level = |axis: DVec3| (axis - axis.dot(up) * up).normalize_or_zero();
        let (right, back) = (level(view.right), level(-view.forward));
        let unit = |it: DVec3| it.try_normalize().unwrap_or(up);
        let key = unit(1.25 * up - 0.75 * right + 0.45 * back);
        let fill = unit(0.35 * up + 0.9 * right + 0.7 * back);
        let directions = sky_directions(up);
        let sky_share = 1.0 / directions.iter().map(|it| it.dot(up)).sum::<f64>();
        let lamp = |&direction: &DVec3| Lamp::new(direction, casters, SKY_CELLS, SKY_SOFTNESS);
        let sky = directions.iter().map(lamp).collect();
        Self { key: Lamp::new(key, casters, key_cells, KEY_SOFTNESS), sky, sky_share, fill, up }
    }

    /// Light on a point of a face that scatters it evenly.
    pub(crate) fn diffuse(&self, point: DVec3, normal: DVec3) -> (DVec3, f64) {
        let facing = normal.dot(self.key.direction).max(0.0);
        let lit = if facing > 0.0 { self.key.reaches(point, normal) } else { 0.0 };
        let mut sky = 0.0;
        for lamp in &self.sky {
            let facing = normal.dot(lamp.direction);
            if facing > 0.0 {
                sky += facing * lamp.reaches(point, normal);
            }
        }
        let fill = 0.5 + 0.5 * normal.dot(self.fill);
        let below = 0.5 - 0.5 * normal.dot(self.up);
        let open = sky * self.sky_share;
        // The fill and what comes from below fade where the sky is hidden: bodies hide them, too.
        let around = 0.4 + 0.6 * open.min(1.0);
        let light = KEY * (facing * lit) + SKY * open + (FILL * fill + BOUNCE * below) * around;
        (light, lit)
    }

    /// Light that a smooth body throws towards the eye, of what reaches it.
    pub(crate) fn shine(&self, normal: DVec3, to_eye: DVec3, lit: f64) -> f64 {
        let half = (self.key.direction + to_eye).normalize_or_zero();
        // The 48th power: a highlight some fifteen degrees wide.
        let p2 = normal.dot(half).max(0.0) * normal.dot(half);
        let p4 = p2 * p2;
        let p16 = p4 * p4 * p4 * p4;
        let sharp = p16 * p16 * p16;
        let grazing = 1.0 - normal.dot(to_eye).clamp(0.0, 1.0);
        let rim = grazing * grazing * grazing * grazing;
        SHINE * sharp * lit + 0.06 * rim * (0.5 + 0.5 * normal.dot(self.up))
    }
}

/// Directions spread evenly over the upper half: a spiral whose turns are the golden angle.
fn sky_directions(up: DVec3) -> Vec<DVec3> {
    let (east, north) = up.any_orthonormal_pair();
    let direction = |i: usize| {
        let height = (i as f64 + 0.5) / SKY_LAMPS as f64;
        // The lowest lamps hardly light what lies flat and shade everything.
        let height = 0.12 + 0.88 * height;
        let across = (1.0 - height * height).sqrt();
        let (sin, cos) = libm::sincos(i as f64 * 2.399_963_229_728_653);
        across * (cos * east + sin * north) + height * up
    };
    (0..SKY_LAMPS).map(direction).collect()
}
