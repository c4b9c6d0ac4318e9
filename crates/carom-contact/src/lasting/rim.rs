//! The lowest point of a circle over a plane: a cylinder or a cone on its rim.
//!
//! The circle of body X has the centre c, the unit axis a and the radius R, the plane of body Y the upward normal u. The direction
//! from the centre to the lowest point is that of −u in the plane of the circle:
//!
//! ```text
//! w = a(a·u) − u,   e = w/|w|,   p_X = c + R·e,                                                                (9)
//! ẇ = ȧ(a·u) + a(ȧ·u + a·u̇) − u̇,   ė = (ẇ − e(e·ẇ))/|w|,   ṗ_X = ċ + R·ė.                                    (10)
//! ```
//!
//! e·u = −|w|, the sine of the tilt. p_X slides along the circle, and its tangent a×e is square to u, so equation (2) holds. The
//! radius of curvature that the plane sees is R/|w|: it grows without bound as the circle comes to lie flat, where `flat` takes over.

use super::straight::{over_plane, unit};
use super::{Circle, Placed, Plane, Track};

/// Equations (9) and (10); none where the circle lies flat to the last digit.
pub(super) fn rim(
    placed: &[Placed; 2],
    of: usize,
    circle: &Circle,
    plane: &Plane,
) -> Option<Track> {
    let (x, y) = (&placed[of], &placed[1 - of]);
    let up = y.pose.vector(plane.normal);
    let up_rate = y.spin.cross(up);
    let center = x.pose.point(circle.center);
    let axis = x.pose.vector(circle.axis);
    let axis_rate = x.spin.cross(axis);
    let along = axis.dot(up);
    let w = along * axis - up;
    let w_rate = along * axis_rate + (axis_rate.dot(up) + axis.dot(up_rate)) * axis - up_rate;
    let [e, e_rate] = unit(w, w_rate)?;
    let p = center + circle.radius * e;
    let p_rate = x.velocity_at(center) + circle.radius * e_rate;
    let track = over_plane(placed, of, p, p_rate, [up, up_rate], plane.offset);
    Some(Track { radius: circle.radius / w.length(), ..track })
}
