//! Trails of bodies, and arrows of what pushes them.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};

use super::ink::{INK, Ink};
use crate::camera::View;
use crate::film::{Film, Frame, Role};
use crate::form::Surface;
use crate::image::Image;

/// Half the width of a trail `[px]`.
const TRAIL: f64 = 0.8;

/// Corners of a dot.
const DOT_CORNERS: u32 = 16;

/// The colour of arrows.
const ARROW: [u8; 3] = [0xb0, 0x1f, 0x5c];

/// The longest arrow, as a share of the picture's height.
const LONGEST: f64 = 0.16;

/// Arrows shorter than this are dots `[px]`.
const SHORTEST: f64 = 5.0;

/// A band through points that faces the camera, of the same width everywhere in the picture.
pub(crate) fn trail(points: &[DVec3], view: &View) -> Surface {
    let mut surface = Surface::default();
    for pair in points.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        let across = (to - from).cross(view.eye - from).normalize_or_zero();
        let wide = |point: DVec3| across * (TRAIL * view.seen(point).z.max(view.near) / view.focal);
        let (at_from, at_to) = (wide(from), wide(to));
        let corners = [from - at_from, to - at_to, to + at_to, from + at_from];
        let [a, b, c, d] = corners.map(|corner| surface.push(corner, view.eye - from));
        // Whichever way round the camera sees it.
        surface.triangles.extend([[a, b, c], [a, c, d], [a, c, b], [a, d, c]]);
    }
    surface
}

/// A disk that faces the camera, of a radius in the picture `[px]`. It is nearer than the point by as much as it is wide, so
/// that what the point lies on does not cut it.
pub(crate) fn dot(point: DVec3, radius: f64, view: &View) -> Surface {
    let pixel = |point: DVec3| view.seen(point).z.max(view.near) / view.focal;
    let to_eye = (view.eye - point).normalize_or_zero();
    let center = point + to_eye * (radius * pixel(point));
    let wide = radius * pixel(center);
    let mut surface = Surface::default();
    let middle = surface.push(center, to_eye);
    for corner in 0..DOT_CORNERS {
        let (sin, cos) = libm::sincos(TAU * f64::from(corner) / f64::from(DOT_CORNERS));
        surface.push(center + wide * (cos * view.right + sin * view.up), to_eye);
        let [this, next] = [corner, (corner + 1) % DOT_CORNERS].map(|it| middle + 1 + it);
        surface.triangles.push([middle, this, next]);
    }
    surface
}

/// How arrows are drawn, the same in all pictures of a film.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrows {
    /// The impulse of the longest arrow `[N·s]`.
    largest: f64,
}

impl Arrows {
    /// For these frames of a film.
    pub(crate) fn of(film: &Film, frames: &[usize]) -> Self {
        let touches = frames.iter().flat_map(|&index| &film.frames[index].touches);
        let largest = touches.map(|touch| touch.impulse.length()).fold(0.0, f64::max);
        Self { largest }
    }

    /// What the longest arrow stands for, in words; none if there is none.
    pub(crate) fn legend(self) -> Option<String> {
        (self.largest > 0.0).then(|| format!("longest arrow {}", impulse_text(self.largest)))
    }

    /// Draws the contact points of a frame, with arrows of the impulses on free bodies.
    pub(crate) fn draw(self, image: &mut Image, film: &Film, frame: &Frame, view: &View) {
        let height = f64::from(image.size()[1]);
        for touch in &frame.touches {
            let Some(at) = view.project(touch.point) else { continue };
            let start = DVec2::new(at.x, at.y);
            let is_free = |side: usize| {
                touch.actors[side].is_some_and(|actor| film.actors[actor].role == Role::Free)
            };
            for (side, sign) in [(0, 1.0), (1, -1.0)] {
                if is_free(side) && self.largest > 0.0 {
                    let length = LONGEST * height * touch.impulse.length() / self.largest;
                    let along = touch.impulse.normalize_or_zero() * sign;
                    arrow(image, view, touch.point, along, length);
                }
            }
            let dot = vec![vec![start, start + DVec2::new(0.01, 0.0)]];
            Ink::lines(&dot, height / 110.0, height / 320.0).onto(image, INK);
        }
    }
}

/// An arrow from a point of the world, so long `[px]` as it would be across the view.
fn arrow(image: &mut Image, view: &View, from: DVec3, along: DVec3, length: f64) {
    let depth = view.seen(from).z;
    let tip = from + along * (length * depth / view.focal);
    let (Some(start), Some(end)) = (view.project(from), view.project(tip)) else { return };
    let (start, end) = (DVec2::new(start.x, start.y), DVec2::new(end.x, end.y));
    let along = end - start;
    if along.length() < SHORTEST {
        return;
    }
    let height = f64::from(image.size()[1]);
    let head = (height / 48.0).min(0.6 * along.length());
    let back = -head * along.normalize_or_zero();
    let wing = 0.5 * back.perp();
    let lines = vec![vec![start, end], vec![end + back + wing, end, end + back - wing]];
    Ink::lines(&lines, height / 260.0, height / 320.0).onto(image, ARROW);
}

/// An impulse as people say it.
fn impulse_text(impulse: f64) -> String {
    let (factor, unit) = match impulse {
        p if p >= 1e3 => (1e-3, "kN·s"),
        p if p >= 1.0 => (1.0, "N·s"),
        p if p >= 1e-3 => (1e3, "mN·s"),
        _ => (1e6, "µN·s"),
    };
    let number = impulse * factor;
    if number >= 100.0 { format!("{number:.0} {unit}") } else { format!("{number:.2} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impulses_have_units_that_fit() {
        assert_eq!(impulse_text(0.0123), "12.30 mN·s");
        assert_eq!(impulse_text(250.0), "250 N·s");
    }
}
