//! How the rate of a gap changes: the second derivative of the distance of two bodies that touch.
//!
//! Let n(t) be a direction from B to A that rides on the closest features, as in `rider`, and s(t) join a point fixed on
//! B's feature to one fixed on A's: where they touch, or the point of an axis or a centre below it. Then
//!
//! ```text
//! g = n·s/|n| − const,   g̈ = f̈ − 2ḟN' − f(N̈ − 2N'²)   at |n| = 1,   f = n·s,   N' = n·ṅ,   N̈ = ṅ² + n·n̈ − N'²
//! ```
//!
//! holds for corners, edges, faces and round ends alike, with relative motion to second order as one of the bodies sees it.
//! Surfaces that are curved otherwise touch at a point that wanders over them while the direction turns; the gap is the
//! least over all points, and so falls behind that of the point at hand by half of d·Hd, with d the rate of the direction in
//! the axes of the body and H the second derivative of its support function: the radii of curvature, read off two support
//! points. The distance is the largest over all directions, so what a direction is off to second order changes nothing.
//!
//! The second derivative holds for as long as the place of contact stays on the features. Between parallel lines, or a rim and
//! a face on which it lies almost flat, the place runs to the other end in no time, and the derivative is without bound; so how
//! fast the place wanders is told with it: Hd over curved surfaces, and (|ṡ| + |s||ṅ|)/sin θ along lines at an angle θ.

use carom_dynamics::{Motion, Seen, Span};
use carom_geometry::Pose;
use carom_geometry::distance::{Convex, Feature, Skeleton, Warm, closest, rates};
use glam::DVec3;

use super::Rigid;
use super::certificate::Quadratic;
use super::legs::seen;
use super::rider::{Rider, difference, placed};
use crate::tolerances::BEND_ANGLE;

/// A place at which two bodies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// When `[s]`.
    pub time: f64,
    /// The nearest points of A and B; in contact they are one `[m]`.
    pub points: [DVec3; 2],
    /// Unit vector from B to A.
    pub normal: DVec3,
    /// The features that touch.
    pub features: [Feature; 2],
    /// The convex pieces that they belong to.
    pub pieces: [u32; 2],
}

/// One of the solids.
struct Side<'a> {
    motion: &'a Motion,
    convex: &'a Convex,
    frame_from_convex: Pose,
    skeleton: Skeleton,
    /// The point of contact, in the frame `[m]`.
    contact: DVec3,
    /// Towards this solid, in the axes of its frame.
    normal: DVec3,
}

impl<'a> Side<'a> {
    fn new(body: &Rigid<'a>, place: &Place, which: usize) -> Option<Self> {
        let piece = body.pieces.pieces().get(place.pieces[which] as usize)?;
        let frame_from_convex = body.frame_from_shape.then_from(&piece.shape_from_piece);
        let world_from_frame = body.motion.state_at(place.time).pose();
        let normal = if which == 0 { place.normal } else { -place.normal };
        Some(Self {
            motion: body.motion,
            convex: &piece.convex,
            skeleton: placed(piece.convex.skeleton(place.features[which]), &frame_from_convex),
            frame_from_convex,
            contact: world_from_frame.inverse().point(place.points[which]),
            normal: world_from_frame.vector_inverse(normal),
        })
    }

    /// The point of the skeleton that is nearest to the contact.
    fn point(&self) -> DVec3 {
        match self.skeleton {
            Skeleton::Point(point) => point,
            Skeleton::Line { direction, point } => {
                point + direction * direction.dot(self.contact - point)
            }
            Skeleton::Plane(_) | Skeleton::Curved => self.contact,
        }
    }

    /// Hd for a support direction and its rate, both in the axes of the frame: how fast the support point wanders `[m/s]`.
    fn wandering(&self, direction: DVec3, rate: DVec3) -> DVec3 {
        let turning = rate.length();
        if self.skeleton != Skeleton::Curved || turning == 0.0 {
            return DVec3::ZERO;
        }
        let step = BEND_ANGLE / turning;
        let [from, to] = [direction, direction + step * rate]
            .map(|d| self.convex.support(self.frame_from_convex.vector_inverse(d)));
        self.frame_from_convex.vector(to - from) / step
    }

    /// The direction of its line, if it is one.
    fn line(&self) -> Option<DVec3> {
        if let Skeleton::Line { direction, .. } = self.skeleton { Some(direction) } else { None }
    }
}

/// How the gap of two bodies that touch changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Curving {
    /// Second time derivative of the gap `[m/s²]`.
    pub acceleration: f64,
    /// How fast the place of contact wanders over the bodies, at most `[m/s]`.
    pub wandering: f64,
    /// How fast the normal turns, seen from the body for which it turns more slowly `[1/s]`.
    pub turning: f64,
}

/// Second time derivative of the gap of two bodies that touch, as they moved up to then.
pub fn gap_acceleration(a: &Rigid<'_>, b: &Rigid<'_>, place: &Place) -> Curving {
    Riding::at(a, b, place).map(|it| it.curving()).unwrap_or_default()
}

/// Rate of the normal at which two bodies touch, in the world, as they moved up to then `[1/s]`.
pub fn normal_rate(a: &Rigid<'_>, b: &Rigid<'_>, place: &Place) -> DVec3 {
    let Some(riding) = Riding::at(a, b, place) else { return DVec3::ZERO };
    let [n, n1, _] = riding.path.0;
    let frame = riding.frame.motion.state_at(place.time);
    let turned = n1 - n.dot(n1) * n;
    let rate = frame.orientation * turned + frame.angular_velocity.cross(frame.orientation * n);
    if riding.is_reversed { -rate } else { rate }
}

/// Two solids that touch, and the path of the direction between them.
struct Riding<'a> {
    frame: Side<'a>,
    other: Side<'a>,
    /// True when B is the frame.
    is_reversed: bool,
    view: Seen,
    path: Quadratic,
}

impl<'a> Riding<'a> {
    fn at(a: &Rigid<'a>, b: &Rigid<'a>, place: &Place) -> Option<Self> {
        let now = Span::new(place.time, place.time);
        let (mut frame, mut other) = (Side::new(a, place, 0)?, Side::new(b, place, 1)?);
        for is_reversed in [false, true] {
            let view = seen(frame.motion, other.motion, now);
            let rider = Rider::on(frame.skeleton, other.skeleton);
            if let Some(path) = rider.and_then(|it| it.path(&view, frame.normal, place.time)) {
                return Some(Self { frame, other, is_reversed, view, path });
            }
            (frame, other) = (other, frame);
        }
        let view = seen(frame.motion, other.motion, now);
        let rate = turning_normal(&frame, &other, &view);
        let path = Quadratic([frame.normal, rate, DVec3::ZERO]);
        Some(Self { frame, other, is_reversed: false, view, path })
    }
}

/// Rate of the normal between curved solids, as the frame sees it `[1/s]`.
fn turning_normal(frame: &Side<'_>, other: &Side<'_>, view: &Seen) -> DVec3 {
    let (here, there) = (&frame.frame_from_convex, &other.frame_from_convex);
    let frames = Pose::new(view.offset[0], view.a_from_b);
    let a_from_b = here.inverse().then_from(&frames).then_from(there);
    let nearest = closest(frame.convex, other.convex, &a_from_b, &mut Warm::Cold);
    let velocity = view.offset[1] + view.spin.cross(view.a_from_b * there.translation);
    let (velocity, spin) = (here.vector_inverse(velocity), here.vector_inverse(view.spin));
    here.vector(rates(frame.convex, other.convex, &a_from_b, &nearest, velocity, spin).normal)
}

impl Riding<'_> {
    /// g̈ with a direction that moves along a path of unit length at first.
    fn curving(&self) -> Curving {
        let Self { frame, other, view, .. } = self;
        let [n, n1, n2] = self.path.0;
        let [s, s1, s2] = difference(view, frame.point(), other.point());
        let (f, f1) = (n.dot(s), n1.dot(s) + n.dot(s1));
        let f2 = n2.dot(s) + 2.0 * n1.dot(s1) + n.dot(s2);
        let l1 = n.dot(n1);
        let l2 = n1.length_squared() + n.dot(n2) - l1 * l1;
        let rate = n1 - l1 * n;
        let other_from_frame = view.a_from_b.conjugate();
        let rate_other = other_from_frame * (rate - view.spin.cross(n));
        let over_frame = frame.wandering(-n, -rate);
        let over_other = other.wandering(other_from_frame * n, rate_other);
        let bends = rate_other.dot(over_other) - rate.dot(over_frame);
        let along_lines = frame.line().zip(other.line()).map_or(0.0, |(line, line_other)| {
            let sine = line.cross(view.a_from_b * line_other).length();
            (s1.reject_from_normalized(n).length() + s.length() * rate.length()) / sine
        });
        Curving {
            acceleration: f2 - 2.0 * f1 * l1 - f * (l2 - 2.0 * l1 * l1) - bends,
            wandering: along_lines.max(over_frame.length()).max(over_other.length()),
            turning: rate.length().min(rate_other.length()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use carom_dynamics::{Ballistic, BodyState, Mass};
    use carom_geometry::distance::pieces::{Pieces, PiecesCache, closest_pieces};
    use carom_geometry::shapes::{Ball, Cuboid, Cylinder, Ellipsoid};
    use carom_geometry::{Shape, convex_hull};
    use glam::DQuat;

    use super::*;

    fn solids() -> Vec<Shape> {
        let hull = [DVec3::X, DVec3::Y, DVec3::Z, -0.6 * DVec3::ONE, DVec3::new(0.5, 0.5, -0.7)];
        vec![
            Shape::Ball(Ball::new(0.5).expect("a radius")),
            Shape::Cuboid(Cuboid::new(DVec3::new(0.3, 0.5, 0.8)).expect("sizes")),
            Shape::Ellipsoid(Ellipsoid::new(DVec3::new(0.4, 0.7, 1.1)).expect("semi-axes")),
            Shape::Cylinder(Cylinder::new(0.5, 0.7).expect("sizes")),
            Shape::Polyhedron(Arc::new(convex_hull(&hull).expect("a hull"))),
        ]
    }

    /// Numbers between −1 and 1.
    fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed;
        move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
    }

    fn motion(next: &mut impl FnMut() -> f64, position: DVec3) -> Motion {
        let mut vector = |size: f64| size * DVec3::new(next(), next(), next());
        let orientation = DQuat::from_scaled_axis(vector(3.0));
        let state = BodyState {
            position,
            orientation,
            velocity: vector(2.0),
            angular_velocity: vector(4.0),
        };
        let moments = DVec3::new(0.8, 1.0, 1.2);
        let mass = Mass { mass: 1.0, moments, body_from_principal: DQuat::IDENTITY };
        Motion::Ballistic(Ballistic::new(0.0, state, DVec3::new(0.0, 0.0, -9.81), &mass))
    }

    #[test]
    fn the_second_derivative_is_that_of_the_measured_gap() {
        let shapes: Vec<Pieces> = solids().iter().map(Pieces::of).collect();
        let mut next = numbers(1);
        let mut checked = 0;
        for case in 0..2000 {
            let (p, q) = (&shapes[case % 5], &shapes[case / 5 % 5]);
            let place = 3.0 * DVec3::new(next(), next(), next()).normalize_or(DVec3::X);
            let motions = [motion(&mut next, DVec3::ZERO), motion(&mut next, place)];
            let rigid = |motion, pieces| Rigid {
                motion,
                pieces,
                frame_from_shape: Pose::IDENTITY,
                size: 1.0,
            };
            let (a, b) = (rigid(&motions[0], p), rigid(&motions[1], q));
            let measured = |time: f64| {
                let (a_from_b, world_from_a) = a.placement(&b, time);
                let found = closest_pieces(p, q, &a_from_b, &mut PiecesCache::default());
                (found, world_from_a)
            };
            let h = 2e-4;
            let [before, now, after] = [1.0 - h, 1.0, 1.0 + h].map(measured);
            // Features that change meanwhile, or overlap, have no second derivative to compare with.
            let same = before.0.closest.features == now.0.closest.features
                && now.0.closest.features == after.0.closest.features;
            if !same || now.0.closest.distance < 0.05 {
                continue;
            }
            let closest = now.0.closest;
            let expected = (before.0.closest.distance + after.0.closest.distance
                - 2.0 * closest.distance)
                / (h * h);
            let place = Place {
                time: 1.0,
                points: [closest.point_a, closest.point_b].map(|it| now.1.point(it)),
                normal: now.1.vector(closest.normal),
                features: closest.features,
                pieces: now.0.pieces,
            };
            let found = gap_acceleration(&a, &b, &place).acceleration;
            checked += 1;
            // Terms of 50 m/s² cancel, and differences over 0.4 ms leave 1e-4 of them.
            let off = (found - expected).abs();
            assert!(off < 1e-3 * (10.0 + expected.abs()), "{case}: {found} instead of {expected}");
        }
        assert!(checked > 100, "{checked}");
    }
}
