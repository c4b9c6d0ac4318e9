//! Where one looks from, and where points of the world are in the picture.

use glam::DVec3;

use crate::tolerances::NEAR_SHARE;

/// A camera in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it is `[m]`.
    pub eye: DVec3,
    /// A point in the middle of the picture `[m]`.
    pub target: DVec3,
    /// What is up in the picture; need not be unit.
    pub up: DVec3,
    /// Angle between the lower and the upper edge of the picture `[rad]`.
    pub fov: f64,
}

impl Camera {
    /// The angle of view unless somebody says otherwise `[rad]`: 28°, a little longer than normal, so that shapes keep
    /// their proportions.
    pub const DEFAULT_FOV: f64 = 0.489;
}

/// A camera with the size of its picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    pub(crate) eye: DVec3,
    pub(crate) right: DVec3,
    pub(crate) up: DVec3,
    pub(crate) forward: DVec3,
    /// Pixels for a tangent of 1.
    pub(crate) focal: f64,
    /// The middle of the picture `[px]`.
    pub(crate) middle: [f64; 2],
    /// What is nearer is not seen `[m]`.
    pub(crate) near: f64,
    /// How far it is to what it looks at `[m]`.
    pub(crate) distance: f64,
}

/// A point in the picture: right and down `[px]`, and one over the depth `[1/m]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Projected {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) inverse: f64,
}

impl View {
    pub(crate) fn new(camera: &Camera, [width, height]: [u32; 2]) -> Self {
        let ahead = camera.target - camera.eye;
        let forward = ahead.try_normalize().unwrap_or(DVec3::Y);
        let side = forward.cross(camera.up).try_normalize();
        let right = side.unwrap_or_else(|| forward.any_orthonormal_vector());
        let (width, height) = (f64::from(width), f64::from(height));
        let distance = ahead.length().max(f64::MIN_POSITIVE);
        let half = (0.5 * camera.fov).clamp(1e-3, 1.5);
        Self {
            eye: camera.eye,
            right,
            up: right.cross(forward),
            forward,
            focal: 0.5 * height / libm::tan(half),
            middle: [0.5 * width, 0.5 * height],
            near: NEAR_SHARE * distance,
            distance,
        }
    }

    /// Coordinates right, up and ahead of the camera `[m]`.
    pub(crate) fn seen(&self, point: DVec3) -> DVec3 {
        let from = point - self.eye;
        DVec3::new(from.dot(self.right), from.dot(self.up), from.dot(self.forward))
    }

    /// Where a point that is ahead lies in the picture.
    pub(crate) fn projected(&self, seen: DVec3) -> Projected {
        let inverse = 1.0 / seen.z;
        Projected {
            x: self.middle[0] + self.focal * seen.x * inverse,
            y: self.middle[1] - self.focal * seen.y * inverse,
            inverse,
        }
    }

    /// Where a point of the world lies in the picture; none behind the camera.
    pub(crate) fn project(&self, point: DVec3) -> Option<Projected> {
        let seen = self.seen(point);
        (seen.z >= self.near).then(|| self.projected(seen))
    }

    /// From the eye to depth 1 behind a place in the picture.
    pub(crate) fn ray(&self, x: f64, y: f64) -> DVec3 {
        let [across, down] = [x - self.middle[0], y - self.middle[1]];
        self.forward + (across * self.right - down * self.up) / self.focal
    }

    /// Length of a pixel at what the camera looks at `[m]`.
    pub(crate) fn pixel(&self) -> f64 {
        self.distance / self.focal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_in_the_middle_and_rays_come_back() {
        let eye = DVec3::new(3.0, -4.0, 2.0);
        let camera = Camera { eye, target: DVec3::ONE, up: DVec3::Z, fov: 0.5 };
        let view = View::new(&camera, [640, 480]);
        let middle = view.project(DVec3::ONE).unwrap();
        assert!((middle.x - 320.0).abs() < 1e-9 && (middle.y - 240.0).abs() < 1e-9, "{middle:?}");
        let point = DVec3::new(0.5, 0.7, 1.1);
        let there = view.project(point).unwrap();
        let back = view.eye + view.ray(there.x, there.y) / there.inverse;
        assert!(back.distance(point) < 1e-12, "{back}");
        assert!(view.project(eye - camera.target).is_none());
    }

    #[test]
    fn a_camera_that_looks_along_its_up_still_sees() {
        let camera = Camera { eye: DVec3::Z, target: DVec3::ZERO, up: DVec3::Z, fov: 0.5 };
        let view = View::new(&camera, [10, 10]);
        assert!(view.right.is_finite() && view.project(DVec3::ZERO).is_some());
    }
}
