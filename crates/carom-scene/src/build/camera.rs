//! Where pictures are taken from.

use glam::DVec3;

use super::Builder;
use crate::load::Document;
use crate::problem::Problem;
use crate::scene::SceneCamera;

/// Angles of view that make a picture `[deg]`.
const FOV_DEG: std::ops::RangeInclusive<f64> = 1.0..=150.0;

impl Builder<'_, '_> {
    /// The camera of the scene itself; none without one, and where it has a mistake, which is told.
    pub(super) fn camera(&mut self, top: &Document) -> Option<SceneCamera> {
        let table = top.table.camera.as_ref()?;
        // Everything is read before the first mistake ends it, so that each is told.
        let eye = self.vector(&table.eye);
        let target = self.vector_or(table.target.as_ref(), DVec3::ZERO);
        let up = table.up.as_ref().map(|vector| (self.vector(vector), vector.place));
        let fov = table.fov_deg.as_ref().map(|number| (self.number(number), number.place));
        if let Some((Some(up), place)) = up
            && up.try_normalize().is_none()
        {
            self.error(place, "`up` has no direction");
            return None;
        }
        if let Some((Some(fov), place)) = fov
            && !FOV_DEG.contains(&fov)
        {
            let problem = Problem::error(place, format!("`fov_deg` is {fov}"));
            let hint = "angles of view are from 1 to 150 degrees; 28 is the default";
            self.report(problem.hint(hint));
            return None;
        }
        let (eye, target) = (eye?, target?);
        if eye == target {
            self.error(table.eye.place, "the camera is where it looks at");
            return None;
        }
        let up = up.and_then(|(up, _)| up);
        let fov = fov.and_then(|(fov, _)| fov).map(f64::to_radians);
        Some(SceneCamera { eye, target, up, fov })
    }
}
