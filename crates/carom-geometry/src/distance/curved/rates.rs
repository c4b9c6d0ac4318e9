//! How normal and points of nearest features move as the solids do.
//!
//! B moves with velocity V(x) = v + ω×(x − t) seen from A. Its boundary point and normal are carried along and may
//! slide: ṗ_B = V(p_B) + r_B·D_B·w_B, ṅ_B = ω×n + (I − D_B)·w_B; on A ṗ_A = r_A·D_A·w_A, ṅ_A = (I − D_A)·w_A.
//! They stay nearest points when ṅ_A + ṅ_B = 0 and the part of p_A − p_B across n stays zero, which are the equations
//! of `newton` with the motion on the right-hand side: on faces n rides on them, between edges it follows their cross
//! product, between corners their difference.

use glam::DVec3;

use super::core::{Core, Stripped};
use super::newton::{Equations, relative_radius};
use super::pair::Pair;
use crate::Pose;
use crate::distance::{Closest, Convex};
use crate::tolerances::SLIDE_LIMIT;

/// Rates of what [`Closest`] says, in the frame of A, for a motion of B seen from A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// Rate of the normal `[1/s]`.
    pub normal: DVec3,
    /// Rate of the point of A: how fast it slides over A `[m/s]`.
    pub point_a: DVec3,
    /// Rate of the point of B: B's own motion there, and how fast it slides over B `[m/s]`.
    pub point_b: DVec3,
    /// Largest radius of relative curvature, 1/(1/R_A + 1/R_B) in the direction in which the two fit each other best: how
    /// far touching points slide when one solid is turned by a radian `[m]`.
    pub radius: f64,
    /// False where points of flats would slide without bound; they are then taken to stay where they are on their solids.
    pub is_determined: bool,
}

/// Rates of the nearest points and the normal between them, for a velocity `[m/s]` of the origin of B's frame and an
/// angular velocity `[rad/s]` of B, both seen from A and in A's axes.
///
/// Exact while the features stay what they are. Points of parallel flats, which may be anywhere on them, are taken
/// to stay where they are on their solids.
pub fn rates(
    a: &Convex,
    b: &Convex,
    a_from_b: &Pose,
    closest: &Closest,
    velocity_b: DVec3,
    angular_velocity_b: DVec3,
) -> Rates {
    let pair = Pair::new(sized(a, b), sized(b, a), a_from_b);
    let velocity = |x: DVec3| velocity_b + angular_velocity_b.cross(x - pair.translation);
    let normal = closest.normal;
    let guess = super::guess_from(&pair, closest);
    let carried = angular_velocity_b.cross(normal);
    let riding = Rates {
        normal: carried,
        point_a: DVec3::ZERO,
        point_b: velocity(closest.point_b),
        radius: f64::INFINITY,
        is_determined: false,
    };
    let Some(feet) = guess.feet(&pair) else { return riding };
    let radius = relative_radius(&pair, &feet);
    let across = |v: DVec3| v - normal * normal.dot(v);
    let slip = -across(velocity(feet.point_b)) - 0.5 * feet.width * carried;
    let steps = Equations::new(&pair, &feet, 0.0).solve(-carried, slip);
    let slide_a = feet.a.map * steps.a;
    let slide_b = pair.rotation * (feet.b.map * pair.direction_b(steps.b));
    let turn = 0.5 * (carried + (steps.b - slide_b) - (steps.a - slide_a));
    let fast = SLIDE_LIMIT * (angular_velocity_b.length() + slip.length() / pair.scale());
    let slide = steps.a.length().max(steps.b.length());
    if slide > fast || slide.is_nan() {
        return Rates { normal: across(turn), radius, ..riding };
    }
    Rates {
        normal: across(turn),
        point_a: pair.a.size * slide_a - pair.a.radius * turn,
        point_b: velocity(feet.point_b) + pair.b.size * slide_b + pair.b.radius * turn,
        radius,
        is_determined: true,
    }
}

/// The solid without its radius; a half-space with the size of the other.
fn sized<'a>(solid: &'a Convex, other: &Convex) -> Stripped<'a> {
    let mut stripped = Stripped::of(solid);
    if let Core::Plane(_) = stripped.core {
        stripped.size = Stripped::of(other).size;
    }
    stripped
}
