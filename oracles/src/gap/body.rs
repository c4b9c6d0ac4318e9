//! Bodies: solids made ready for measuring.

use glam::DVec3;

use super::pieces::{Piece, pieces_of};
use super::second::Opinionated;
use super::tolerances::BALL_SLACK;
use super::{Pose, Solid, SolidError};

/// A solid made ready for measuring; worth keeping, since a mesh gets a tree.
#[derive(Clone)]
pub struct Body {
    pub(super) pieces: Vec<Piece>,
    /// Of a half-space, which has no pieces.
    pub(super) plane: Option<Plane>,
    center: DVec3,
    radius: f64,
    pub(super) second: Option<Opinionated>,
}

/// All x with normal·x ≤ offset; the normal is unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub(super) normal: DVec3,
    pub(super) offset: f64,
}

impl Body {
    /// Checks a solid and makes it ready.
    ///
    /// # Errors
    /// If its numbers make no solid.
    pub fn new(solid: &Solid) -> Result<Self, SolidError> {
        if let Solid::HalfSpace { normal, offset } = *solid {
            let unit = DVec3::from(normal).try_normalize();
            let normal = unit.ok_or(SolidError::OutOfRange("a normal"))?;
            if !offset.is_finite() {
                return Err(SolidError::OutOfRange("an offset"));
            }
            let (plane, center) = (Some(Plane { normal, offset }), normal * offset);
            let second = Opinionated::new(solid);
            return Ok(Self { pieces: Vec::new(), plane, center, radius: f64::INFINITY, second });
        }
        let pieces = pieces_of(solid)?;
        let low = pieces.iter().map(|p| p.center - p.radius).fold(DVec3::INFINITY, DVec3::min);
        let high = pieces.iter().map(|p| p.center + p.radius).fold(DVec3::NEG_INFINITY, DVec3::max);
        let center = 0.5 * (low + high);
        let reach = |piece: &Piece| piece.center.distance(center) + piece.radius;
        let radius = pieces.iter().map(reach).fold(0.0, f64::max) * (1.0 + BALL_SLACK);
        // Parry takes what it is given, so it is asked last.
        Ok(Self { pieces, plane: None, center, radius, second: Opinionated::new(solid) })
    }

    /// Centre of a ball around it, in its own frame; of a half-space, a point of its plane `[m]`.
    pub fn center(&self) -> [f64; 3] {
        self.center.to_array()
    }

    /// Radius of that ball; infinite for a half-space `[m]`.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Centre of the ball around it in the world `[m]`.
    pub fn center_at(&self, pose: &Pose) -> [f64; 3] {
        (pose.rotation() * self.center + DVec3::from(pose.position)).to_array()
    }

    /// Normal and offset of the plane of a half-space in the world.
    pub fn plane_at(&self, pose: &Pose) -> Option<([f64; 3], f64)> {
        let plane = self.plane?;
        let normal = pose.rotation() * plane.normal;
        Some((normal.to_array(), plane.offset + normal.dot(DVec3::from(pose.position))))
    }
}

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Body")
            .field("pieces", &self.pieces.len())
            .field("plane", &self.plane)
            .field("center", &self.center)
            .field("radius", &self.radius)
            .finish_non_exhaustive()
    }
}
