//! Whether the points of a rim are enough to keep a cap from going through what it stands on.
//!
//! At a point x fixed in the body of the rim, over a plane fixed in the other, the gap is u·(x − y) − d: linear in x at every time, and so
//! are its derivatives. Over the rim x = c + R(cos φ·e₁ + sin φ·e₂),
//!
//! ```text
//! g̈(φ) = α + β₁·cos φ + β₂·sin φ,   least at (cos φ, sin φ) = −β/|β| with the value α − |β|,                     (14)
//! ```
//!
//! and the same for ġ. α and β are read off three points by equation (3). If the least value is not negative, no point of the rim
//! is drawn into the face: the set is sufficient. Else that point is missing from it, provided that it lies over the face and does not
//! open already; where the face ends before it, the function has no least value inside of the arc, and the ends of the arc are in the set.
//! Adding the point and solving again is a cutting-plane method for the infinitely many inequalities of the rim.

use carom_geometry::distance::{Feature, Warm};
use glam::DVec3;

use super::element::circle_of;
use super::flat::{basis, rim_corner, rim_point, slot_of};
use super::room::border;
use super::{Circle, ContactPoint, Followed, Kind, Moving, Plane, Solid};
use crate::tolerances::SAME_PLACE;

/// How a frame accelerates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accelerating {
    /// Of its origin, in the world `[m/s²]`.
    pub linear: DVec3,
    /// In the world `[rad/s²]`.
    pub angular: DVec3,
}

/// The rim of a cap that lies flat.
struct FlatRim {
    of: usize,
    pieces: [u32; 2],
    features: [Feature; 2],
    circle: Circle,
    axes: [DVec3; 2],
    plane: Plane,
    most_tilt: f64,
}

/// The rim point that is missing from the contact points of two bodies that accelerate as given, if one is: it is drawn into the other
/// body by more than `acceleration` `[m/s²]` while it opens by no more than `rate` `[m/s]`.
pub fn sufficient(
    solids: [&Solid<'_>; 2],
    moving: [&Moving; 2],
    points: &[ContactPoint],
    accelerating: [&Accelerating; 2],
    [rate, acceleration]: [f64; 2],
) -> Option<ContactPoint> {
    let mut worst: Option<(f64, ContactPoint)> = None;
    for (index, point) in points.iter().enumerate() {
        let Some(rim) = FlatRim::of(point, solids) else { continue };
        if points[..index].iter().any(|it| rim.is_of(it)) {
            continue;
        }
        let say = |cos, sin| rim.follow(solids, moving, cos, sin);
        let Some([middle, one, other]) = rim.three(solids, moving) else { continue };
        let g2 = [&middle, &one, &other].map(|it| it.acceleration(moving, accelerating));
        let g1 = [&middle, &one, &other].map(|it| it.rate);
        for (cos, sin) in [least(g2), least(g1)].into_iter().flatten() {
            let Some((candidate, here)) = say(cos, sin) else { continue };
            let value = here.acceleration(moving, accelerating);
            let is_drawn_in = value < -acceleration && here.rate <= rate;
            if is_drawn_in
                && rim.is_over(solids[1 - rim.of], &here, moving)
                && !is_known(&candidate, points, &rim)
                && worst.is_none_or(|(least, _)| value < least)
            {
                worst = Some((value, candidate));
            }
        }
    }
    worst.map(|(_, point)| point)
}

/// Where an affine function on a circle is least, from its values at the centre and along both axes; none if it is constant.
fn least([middle, one, other]: [f64; 3]) -> Option<(f64, f64)> {
    let (x, y) = (one - middle, other - middle);
    let length = f64::sqrt(x * x + y * y);
    (length > 0.0).then(|| (-x / length, -y / length))
}

/// Whether a rim point is among the points already.
fn is_known(point: &ContactPoint, points: &[ContactPoint], rim: &FlatRim) -> bool {
    let Kind::Corner { center, .. } = point.kind else { return false };
    points.iter().any(|it| match it.kind {
        Kind::Corner { center: other, .. } => {
            rim.is_of(it) && center.distance(other) <= SAME_PLACE * rim.circle.radius
        }
        _ => false,
    })
}

impl FlatRim {
    fn of(point: &ContactPoint, solids: [&Solid<'_>; 2]) -> Option<Self> {
        let Kind::Corner { of, plane, most_tilt, .. } = point.kind else { return None };
        if !most_tilt.is_finite() {
            return None;
        }
        let (piece, frame_from_convex) = solids[of].piece(point.pieces[of])?;
        let circle = circle_of(&piece.convex, point.features[of], &frame_from_convex)?;
        let mut features = point.features;
        features[1 - of] = plane.face;
        let axes = basis(&frame_from_convex);
        Some(Self { of, pieces: point.pieces, features, circle, axes, plane, most_tilt })
    }

    /// Whether a contact point is one of this rim.
    fn is_of(&self, point: &ContactPoint) -> bool {
        let Kind::Corner { of, most_tilt, .. } = point.kind else { return false };
        of == self.of
            && most_tilt.is_finite()
            && point.pieces == self.pieces
            && point.features[of] == self.features[of]
    }

    fn corner(&self, center: DVec3, slot: u32) -> ContactPoint {
        let Self { of, pieces, features, plane, most_tilt, .. } = *self;
        rim_corner(pieces, of, features, slot, center, plane, most_tilt)
    }

    /// The point of the rim at a direction, and what it says.
    fn follow(
        &self,
        solids: [&Solid<'_>; 2],
        moving: [&Moving; 2],
        cos: f64,
        sin: f64,
    ) -> Option<(ContactPoint, Followed)> {
        let center = rim_point(&self.circle, self.axes, cos, sin);
        let point = self.corner(center, slot_of(cos, sin));
        Some((point, point.follow(solids, moving, &mut Warm::Cold)?))
    }

    /// What the centre and the points along both axes say.
    fn three(&self, solids: [&Solid<'_>; 2], moving: [&Moving; 2]) -> Option<[Followed; 3]> {
        let center = self.corner(self.circle.center, 0);
        Some([
            center.follow(solids, moving, &mut Warm::Cold)?,
            self.follow(solids, moving, 1.0, 0.0)?.1,
            self.follow(solids, moving, 0.0, 1.0)?.1,
        ])
    }

    /// Whether a point of it lies over the face of the other body.
    fn is_over(&self, other: &Solid<'_>, here: &Followed, moving: [&Moving; 2]) -> bool {
        let i = 1 - self.of;
        let Some((piece, frame_from_convex)) = other.piece(self.pieces[i]) else { return false };
        let world_from_convex = moving[i].world_from_frame.then_from(&frame_from_convex);
        let local = world_from_convex.inverse().point(here.points[i]);
        border(&piece.convex, self.plane.face, local, 0.0) >= 0.0
    }
}
