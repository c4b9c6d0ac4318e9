//! Walls that stand in the way: fixed bodies behind which much of what moves would not be seen.

use glam::DVec3;

use crate::camera::View;
use crate::film::{Film, Role};
use crate::form::Surface;
use crate::tolerances::HIDDEN_SHARE;

/// Frames and bodies that are looked at, at most of each.
const LOOKED_AT: usize = 24;

/// Of each actor, whether it hides what moves; `surfaces` are those of actors that can.
pub(crate) fn walls(
    film: &Film,
    frames: &[usize],
    view: &View,
    surfaces: &[Option<Surface>],
) -> Vec<bool> {
    let centers = centers(film, frames);
    let is_wall = |index: usize| {
        let actor = &film.actors[index];
        let pose = frames.first().and_then(|&frame| film.frames[frame].pose(index));
        let (Some(surface), Some(pose)) = (&surfaces[index], pose) else { return false };
        if actor.role != Role::Fixed || centers.is_empty() {
            return false;
        }
        let mut placed = Surface::default();
        placed.append(surface, pose);
        let is_hidden = |center: &&DVec3| placed.crosses(view.eye, **center);
        let hidden = centers.iter().filter(is_hidden).count();
        hidden as f64 > HIDDEN_SHARE * centers.len() as f64
    };
    (0..film.actors.len()).map(is_wall).collect()
}

/// Places of some of what moves, at some of the times.
fn centers(film: &Film, frames: &[usize]) -> Vec<DVec3> {
    let moving: Vec<usize> =
        (0..film.actors.len()).filter(|&index| film.actors[index].role != Role::Fixed).collect();
    let some = |all: &[usize]| -> Vec<usize> {
        all.iter().step_by(all.len().div_ceil(LOOKED_AT).max(1)).copied().collect()
    };
    let moving = some(&moving);
    let mut centers = Vec::new();
    for frame in some(frames) {
        for &actor in &moving {
            let pose = film.frames[frame].pose(actor);
            centers.extend(pose.map(|pose| pose.point(film.actors[actor].center)));
        }
    }
    centers
}

impl Surface {
    /// Whether the way from one point to another passes it.
    fn crosses(&self, from: DVec3, to: DVec3) -> bool {
        let along = to - from;
        self.triangles.iter().any(|triangle| {
            let [a, b, c] = triangle.map(|corner| self.points[corner as usize]);
            let (ab, ac) = (b - a, c - a);
            let across = along.cross(ac);
            let size = ab.dot(across);
            if size == 0.0 {
                return false;
            }
            let of_b = (from - a).dot(across) / size;
            let turned = (from - a).cross(ab);
            let of_c = along.dot(turned) / size;
            let share = ac.dot(turned) / size;
            of_b >= 0.0 && of_c >= 0.0 && of_b + of_c <= 1.0 && (0.0..=1.0).contains(&share)
        })
    }
}
