//! Directions that ride on features: paths along which a certificate lasts.
//!
//! | closest features | direction from O to F |
//! |---|---|
//! | a face of F | its normal, reversed, which stands still in F |
//! | two edges | the cross product of the edges |
//! | two points | their difference |
//! | an edge of F, a point of O | their difference, less its part along the edge |
//! | curved | the present normal and its rate |

use carom_dynamics::Seen;
use carom_geometry::Pose;
use carom_geometry::distance::Skeleton;
use glam::DVec3;

use super::certificate::Quadratic;

/// A path of directions, given by what it rides on; frame F and other O as in `certificate`, vectors in the axes of the
/// body they ride on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rider {
    /// Stands still in F.
    Still(DVec3),
    /// Unit directions of an edge of F and one of O.
    Edges(DVec3, DVec3),
    /// Points of F and O.
    Points(DVec3, DVec3),
    /// Unit direction and a point of an edge of F, and a point of O.
    EdgePoint(DVec3, DVec3, DVec3),
    /// Turns uniformly in F: direction and rate at a time.
    Drift {
        /// At that time.
        direction: DVec3,
        /// Of the direction `[1/s]`.
        rate: DVec3,
        /// When `[s]`.
        since: f64,
    },
}

impl Rider {
    /// What rides on these features, if F is the right frame for it.
    pub(super) fn on(frame: Skeleton, other: Skeleton) -> Option<Self> {
        match (frame, other) {
            (Skeleton::Plane(normal), _) => Some(Self::Still(-normal)),
            (Skeleton::Line { direction: a, .. }, Skeleton::Line { direction: b, .. }) => {
                Some(Self::Edges(a, b))
            }
            (Skeleton::Point(a), Skeleton::Point(b)) => Some(Self::Points(a, b)),
            (Skeleton::Line { direction, point }, Skeleton::Point(b)) => {
                Some(Self::EdgePoint(direction, point, b))
            }
            _ => None,
        }
    }

    /// The path from now on, starting along `normal`, of about unit length; none where the features give no direction.
    pub(super) fn path(&self, seen: &Seen, normal: DVec3, now: f64) -> Option<Quadratic> {
        let path = match *self {
            Self::Still(direction) => Quadratic([direction, DVec3::ZERO, DVec3::ZERO]),
            Self::Edges(a, b) => Quadratic(turning(seen, b).map(|edge| a.cross(edge))),
            Self::Points(a, b) => Quadratic(difference(seen, a, b)),
            Self::Drift { direction, rate, since } => {
                Quadratic([direction + (now - since) * rate, rate, DVec3::ZERO])
            }
            Self::EdgePoint(edge, a, b) => {
                Quadratic(difference(seen, a, b).map(|d| d - edge * edge.dot(d)))
            }
        };
        let length = path.0[0].length();
        let sign = if path.0[0].dot(normal) < 0.0 { -1.0 } else { 1.0 };
        // Below this, digits of the direction are lost and the normal itself serves better.
        let fits = length > 0.0 && path.0[0].dot(normal).abs() > 0.999 * length;
        fits.then(|| Quadratic(path.0.map(|vector| sign / length * vector)))
    }
}

/// A vector fixed on O, with two derivatives as F sees it.
fn turning(seen: &Seen, vector_other: DVec3) -> [DVec3; 3] {
    let vector = seen.a_from_b * vector_other;
    let first = seen.spin.cross(vector);
    [vector, first, seen.spin_rate.cross(vector) + seen.spin.cross(first)]
}

/// From a point of O to a point of F.
pub(super) fn difference(seen: &Seen, frame: DVec3, other: DVec3) -> [DVec3; 3] {
    let arm = turning(seen, other);
    let [c, first, second] = seen.offset;
    [frame - c - arm[0], -first - arm[1], -second - arm[2]]
}

/// A skeleton in the axes of the frame its solid rides on.
pub(super) fn placed(skeleton: Skeleton, frame_from_convex: &Pose) -> Skeleton {
    match skeleton {
        Skeleton::Point(point) => Skeleton::Point(frame_from_convex.point(point)),
        Skeleton::Line { direction, point } => Skeleton::Line {
            direction: frame_from_convex.vector(direction),
            point: frame_from_convex.point(point),
        },
        Skeleton::Plane(normal) => Skeleton::Plane(frame_from_convex.vector(normal)),
        Skeleton::Curved => Skeleton::Curved,
    }
}
