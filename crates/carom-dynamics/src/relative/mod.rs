//! Gaps between features of two moving bodies, one body seen from the other.
//!
//! A gap is g(t) = c(t)·s(t): s joins a point fixed on A to a point fixed on B, c is a direction made of vectors
//! fixed on the bodies. Two kinds settle most contacts of polyhedra:
//!
//! | pair | c | what g is |
//! |---|---|---|
//! | plane of A, point of B | outward unit normal n_A | signed distance of the point from the plane |
//! | edge of A, edge of B | d_A×d_B of unit directions | distance of the edges' lines times the sine of their angle |
//!
//! g, ġ and g̈ are exact at the start of a window; what a motion promises about its rates bounds g⃛, and with it g
//! from below by a cubic (prototypes' "features with exact second derivative").
//!
//! **Third derivative.** By Leibniz |g⃛| ≤ |c⃛||s| + 3|c̈||ṡ| + 3|ċ||s̈| + |c||s⃛|, in any frame, since g is a number.
//! In the *world*, lengths of derivatives come from each body alone; that is tight while one of them hardly
//! turns. In axes that *turn with A*, vectors fixed on A stand still and only relative rates count; that is tight
//! while the bodies turn together. Both are computed and the lesser is taken.
//!
//! **Seen from A**, B is a rigid body with the relative angular velocity Ω = ω_B − ω_A. With derivatives taken in
//! A's axes (D = d/dt − ω_A×), components left in the world,
//!
//! DΩ  = α_B − α_A − ω_A×Ω
//! D²Ω = α̇_B − α̇_A − α_A×Ω − 2ω_A×(α_B − α_A) + ω_A×(ω_A×Ω)
//!
//! in which ω_A×Ω = ω_A×ω_B, so that the smaller of |Ω| and |ω_B| counts. The third derivative of B's
//! reference point is in `jets`.

mod jets;
mod seen;
#[cfg(test)]
mod tests;

use glam::DVec3;

use crate::law::times;
use crate::tolerances::BOUND_ROUNDING_ULPS;
use crate::{GapBound, Kinematics, RateBounds, Span};
use jets::{Jet, Sizes};
pub use seen::Seen;

/// One body over a window: what it does at the start, and what bounds its rates throughout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moving {
    /// At the start of the window.
    pub kinematics: Kinematics,
    /// Throughout the window.
    pub rates: RateBounds,
}

/// Bounds on the rates of a body B in axes that turn with a body A, throughout a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativeRates {
    /// ≥ |Ω|, the relative angular velocity `[rad/s]`.
    pub spin: f64,
    /// ≥ |DΩ| `[rad/s²]`.
    pub angular_acceleration: f64,
    /// ≥ |D²Ω| `[rad/s³]`.
    pub angular_jerk: f64,
    /// ≥ speed of B's reference point against A `[m/s]`.
    pub velocity: f64,
    /// ≥ its second derivative `[m/s²]`.
    pub acceleration: f64,
    /// ≥ its third derivative `[m/s³]`.
    pub jerk: f64,
}

impl RelativeRates {
    /// Two bodies that are carried by one motion: neither moves against the other.
    pub const CARRIED: Self = Self {
        spin: 0.0,
        angular_acceleration: 0.0,
        angular_jerk: 0.0,
        velocity: 0.0,
        acceleration: 0.0,
        jerk: 0.0,
    };

    /// Two bodies of which nothing is known but the rates of each.
    pub fn independent(a: &Moving, b: &Moving, window: Span) -> Self {
        let h = window.length();
        let (of_a, of_b) = (&a.rates, &b.rates);
        let spin_now = b.kinematics.state.angular_velocity - a.kinematics.state.angular_velocity;
        let turn_now = b.kinematics.angular_acceleration - a.kinematics.angular_acceleration;
        let jerk = of_a.angular_jerk + of_b.angular_jerk;
        // |α_B − α_A| and |Ω|: by the triangle, and by what they are now and can grow to.
        let turn = (of_a.angular_acceleration + of_b.angular_acceleration)
            .min(turn_now.length() + times(h, jerk));
        let spin = (of_a.spin + of_b.spin).min(spin_now.length() + times(h, turn));
        let crossed = of_a.spin * spin.min(of_b.spin);
        let origin = Jet::of_origin(&b.kinematics).minus(Jet::of_origin(&a.kinematics));
        let seen = Sizes::ahead(origin.lengths(), of_a.jerk + of_b.jerk, h).seen_from(
            of_a,
            &origin.seen_from(&a.kinematics),
            h,
        );
        let angular_jerk =
            jerk + of_a.angular_acceleration * spin + 2.0 * of_a.spin * turn + of_a.spin * crossed;
        let [spin, angular_acceleration, angular_jerk, _] =
            Sizes([spin, turn + crossed, angular_jerk, 0.0]).raised().0;
        let [_, velocity, acceleration, jerk] = seen.raised().0;
        Self { spin, angular_acceleration, angular_jerk, velocity, acceleration, jerk }
    }

    /// Of a unit vector fixed on B.
    fn of_unit_vector(&self) -> Sizes {
        let Self { spin, angular_acceleration, angular_jerk, .. } = *self;
        Sizes([
            1.0,
            spin,
            angular_acceleration + spin * spin,
            angular_jerk + 3.0 * angular_acceleration * spin + spin * spin * spin,
        ])
    }

    /// Of a point fixed on B at this distance from B's reference point; the zeroth is not bounded.
    fn of_point(&self, radius: f64) -> Sizes {
        let origin = Sizes([f64::INFINITY, self.velocity, self.acceleration, self.jerk]);
        origin.plus(self.of_unit_vector().scaled(radius))
    }
}

/// A plane fixed on a body, in body axes from the body's reference point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyPlane {
    /// Outward unit normal.
    pub normal_body: DVec3,
    /// A point of the plane; the nearer to where things happen, the tighter the bound `[m]`.
    pub point_body: DVec3,
}

/// An edge fixed on a body, in body axes from the body's reference point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyEdge {
    /// Unit direction.
    pub direction_body: DVec3,
    /// A point of its line; the nearer to the other edge, the tighter the bound `[m]`.
    pub point_body: DVec3,
}

/// Two bodies over a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativeMotion {
    a: Moving,
    b: Moving,
    window: Span,
    rates: RelativeRates,
}

impl RelativeMotion {
    /// Of two bodies that know nothing of each other, both given at the start of the window.
    pub fn independent(a: Moving, b: Moving, window: Span) -> Self {
        Self { a, b, window, rates: RelativeRates::independent(&a, &b, window) }
    }

    /// Of two bodies of which more is known than the rates of each, such as [`RelativeRates::CARRIED`].
    pub fn with_rates(a: Moving, b: Moving, window: Span, rates: RelativeRates) -> Self {
        Self { a, b, window, rates }
    }

    /// Rates of B against A.
    pub fn rates(&self) -> &RelativeRates {
        &self.rates
    }

    /// Signed distance of a point of B from a plane of A `[m]`, positive outside.
    pub fn plane_point(&self, plane_a: &BodyPlane, point_b_body: DVec3) -> GapBound {
        let normal = Jet::of_arm(&self.a.kinematics, plane_a.normal_body);
        let link = self.link(plane_a.point_body, point_b_body);
        // Seen from A the normal stands still.
        let seen_normal = Sizes([1.0, 0.0, 0.0, 0.0]);
        let seen = seen_normal.product(link.seen_sizes);
        // n·P is constant for every P fixed on A: from A's reference point P does not move with the spin.
        let turned = Sizes::of_unit_vector(&self.a.rates);
        let near = turned.product(link.sizes).0[3];
        let far = turned.product(link.sizes_from_origin).0[3];
        let [g, rate, acceleration] = {
            let seen_jet = link.jet.seen_from(&self.a.kinematics);
            seen_jet.0.map(|vector| normal.0[0].dot(vector))
        };
        self.bound([g, rate, acceleration], seen, near.min(far), link.rounding)
    }

    /// (d_A×d_B)·s for the edges' unit directions and s from a point of A's edge to one of B's `[m]`.
    ///
    /// This is the distance of the two lines times the sine of the angle between them; it is positive when d_A×d_B
    /// points from A to B, which the caller sees to by the sense of one of the directions.
    pub fn edge_edge(&self, edge_a: &BodyEdge, edge_b: &BodyEdge) -> GapBound {
        let (a, b) = (&self.a, &self.b);
        let link = self.link(edge_a.point_body, edge_b.point_body);
        let normal = Jet::of_arm(&a.kinematics, edge_a.direction_body)
            .cross(Jet::of_arm(&b.kinematics, edge_b.direction_body));
        let sine = normal.0[0].length();
        let shorter = |sizes: Sizes| {
            let [length, first, second, third] = sizes.0;
            let grown = sine + times(self.window.length(), first);
            Sizes([length.min(grown), first, second, third])
        };
        let seen_normal = shorter(self.rates.of_unit_vector());
        let turned =
            shorter(Sizes::of_unit_vector(&a.rates).product(Sizes::of_unit_vector(&b.rates)));
        let in_world = turned.product(link.sizes).0[3];
        self.bound(
            normal.dot(link.jet),
            seen_normal.product(link.seen_sizes),
            in_world,
            link.rounding,
        )
    }

    /// The vector from a point of A to a point of B.
    fn link(&self, point_a_body: DVec3, point_b_body: DVec3) -> Link {
        let (a, b) = (&self.a, &self.b);
        let h = self.window.length();
        let origin = Jet::of_origin(&b.kinematics).minus(Jet::of_origin(&a.kinematics));
        let arms = Jet::of_arm(&b.kinematics, point_b_body)
            .minus(Jet::of_arm(&a.kinematics, point_a_body));
        let jet = origin.plus(arms);
        let (reach_a, reach_b) = (point_a_body.length(), point_b_body.length());
        let sizes = |reach_a: f64, jet: &Jet| {
            let jerk = a.rates.jerk
                + b.rates.jerk
                + Sizes::of_unit_vector(&a.rates).scaled(reach_a).0[3]
                + Sizes::of_unit_vector(&b.rates).scaled(reach_b).0[3];
            Sizes::ahead(jet.lengths(), jerk, h)
        };
        let world = sizes(reach_a, &jet);
        // Derivatives against A are those from any point of A; from the reference point they owe
        // nothing to A's own arm.
        let from_origin = jet.plus(Jet::of_arm(&a.kinematics, point_a_body));
        let seen_jet = from_origin.seen_from(&a.kinematics);
        let sizes_from_origin = sizes(0.0, &from_origin);
        let by_point = sizes_from_origin.seen_from(&a.rates, &seen_jet, h);
        let by_body = self.rates.of_point(reach_b);
        let [_, first, second, third] = by_point.and(by_body).0;
        let [now, ..] = jet.lengths();
        let seen = Sizes([world.0[0].min(now + times(h, first)), first, second, third]);
        let rounding = self.rounding(reach_a, reach_b, &from_origin, &seen);
        Link { jet, sizes: world, sizes_from_origin, seen_sizes: seen, rounding }
    }

    /// Rounding of a gap at both ends of the window and of the bound `[m]`.
    fn rounding(&self, reach_a: f64, reach_b: f64, link: &Jet, seen: &Sizes) -> f64 {
        let (a, b) = (&self.a, &self.b);
        let ulps = BOUND_ROUNDING_ULPS * f64::EPSILON;
        let h = self.window.length();
        let finite = |size: f64| if size.is_finite() { size } else { 0.0 };
        let [_, first, second, _] = seen.0;
        let span = link.lengths()[0] + finite(times(h, first));
        let own = a.rates.rounding
            + b.rates.rounding
            + a.rates.angular_rounding * (span + reach_a)
            + b.rates.angular_rounding * (reach_b + span);
        let places = a.kinematics.state.position.length() + b.kinematics.state.position.length();
        // ġ and g̈ are differences of larger numbers, but they err by no more than twice their bounds.
        let speeds = |body: &Moving, reach: f64| {
            let [_, spin, turn, _] = Sizes::of_unit_vector(&body.rates).scaled(reach).0;
            times(h, body.kinematics.state.velocity.length() + spin)
                + times(h * h, body.kinematics.acceleration.length() + turn)
        };
        let slopes = ulps * (speeds(a, span + reach_a) + speeds(b, reach_b));
        let slopes = finite(slopes.min(2.0 * times(h, first) + times(h * h, second)));
        2.0 * own + ulps * (places + span + reach_a + reach_b) + slopes
    }

    fn bound(&self, gap: [f64; 3], seen: Sizes, in_world: f64, rounding: f64) -> GapBound {
        let [_, rate, acceleration, jerk] = seen.raised().0;
        let [g, g1, g2] = gap;
        GapBound {
            gap: g - rounding,
            // What bodies that are carried together have left of these is rounding.
            rate: g1.min(rate).max(-rate),
            acceleration: g2.min(acceleration).max(-acceleration),
            jerk: jerk.min(in_world * (1.0 + f64::EPSILON * BOUND_ROUNDING_ULPS)),
            valid_until: self.window.end,
        }
    }
}

/// The vector from a point of A to a point of B.
struct Link {
    /// As the world sees it.
    jet: Jet,
    /// As the world sees it.
    sizes: Sizes,
    /// As the world sees it when it starts at A's reference point.
    sizes_from_origin: Sizes,
    /// As A sees it.
    seen_sizes: Sizes,
    /// Of a gap along it `[m]`.
    rounding: f64,
}
