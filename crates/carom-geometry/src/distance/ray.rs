//! Where a ray enters a solid.
//!
//! All but two kinds are bounded by planes and quadrics, so their answers are closed forms: the ray is cut to the times at
//! which it is inside every plane, and inside the quadric. A superquadric is the set N(x) ≤ 1 of a norm; N is convex along
//! the ray, so Newton's iteration from outside approaches the first zero of N − 1 without passing it.

use glam::DVec3;

use super::Convex;
use super::pieces::{Content, Pieces};
use crate::shapes::{Capsule, Cone, Cylinder, Superquadric};

/// Where a ray enters a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Distance from the origin of the ray, 0 if that is inside `[m]`.
    pub distance: f64,
    /// Unit vector out of the solid; against the ray if its origin is inside.
    pub normal: DVec3,
}

/// A ray with a unit direction.
#[derive(Clone, Copy, Debug)]
struct Ray {
    origin: DVec3,
    direction: DVec3,
}

/// The part of a ray that is inside something: from where, with which normal, to where.
#[derive(Clone, Copy, Debug)]
struct Inside {
    enter: f64,
    normal: DVec3,
    exit: f64,
}

/// Most steps of Newton's iteration: it gains digits slowly only where a flat is grazed.
const MOST_STEPS: usize = 200;

impl Ray {
    fn at(&self, distance: f64) -> DVec3 {
        self.origin + distance * self.direction
    }

    /// Everything from the origin on.
    fn whole(&self) -> Inside {
        Inside { enter: 0.0, normal: -self.direction, exit: f64::INFINITY }
    }

    /// Cuts to n·x ≤ d.
    fn below(&self, part: Inside, normal: DVec3, offset: f64) -> Option<Inside> {
        let (height, slope) = (normal.dot(self.origin) - offset, normal.dot(self.direction));
        let mut part = part;
        if slope == 0.0 {
            return (height <= 0.0).then_some(part);
        }
        let crossing = -height / slope;
        if slope > 0.0 {
            part.exit = part.exit.min(crossing);
        } else if crossing > part.enter {
            (part.enter, part.normal) = (crossing, normal);
        }
        (part.enter <= part.exit).then_some(part)
    }

    /// Cuts to where a·t² + 2b·t + c ≤ 0 with a > 0; the normal at the entry follows from its point.
    fn within(
        &self,
        part: Inside,
        [a, b, c]: [f64; 3],
        normal: impl Fn(DVec3) -> DVec3,
    ) -> Option<Inside> {
        let mut part = part;
        let discriminant = b * b - a * c;
        if a <= 0.0 {
            // The ray runs along the surface.
            return (c <= 0.0).then_some(part);
        }
        if discriminant < 0.0 {
            return None;
        }
        // The root of larger size first: it does not cancel.
        let q = -(b + f64::copysign(discriminant.sqrt(), b));
        let (one, other) = (q / a, if q == 0.0 { 0.0 } else { c / q });
        let (first, last) = (one.min(other), one.max(other));
        if first > part.enter {
            (part.enter, part.normal) =
                (first, normal(self.at(first)).normalize_or(-self.direction));
        }
        part.exit = part.exit.min(last);
        (part.enter <= part.exit).then_some(part)
    }

    /// Within a ball around a centre.
    fn in_ball(&self, center: DVec3, radius: f64) -> Option<Inside> {
        let offset = self.origin - center;
        let c = (offset.length() - radius) * (offset.length() + radius);
        let terms = [1.0, offset.dot(self.direction), c];
        self.within(self.whole(), terms, |point| point - center)
    }
}

impl Convex {
    /// Where a ray with a unit direction enters, not farther than `length`.
    pub fn cast_ray(&self, origin: DVec3, direction: DVec3, length: f64) -> Option<RayHit> {
        let ray = Ray { origin, direction };
        let inside = match self {
            Self::Ball(it) => ray.in_ball(DVec3::ZERO, it.radius()),
            Self::Capsule(it) => in_capsule(&ray, it),
            Self::Cylinder(it) => in_cylinder(&ray, it),
            Self::Cone(it) => in_cone(&ray, it),
            Self::Ellipsoid(it) => {
                let axes = it.semi_axes();
                let (o, d) = (origin / axes, direction / axes);
                let c = (o.length() - 1.0) * (o.length() + 1.0);
                let terms = [d.length_squared(), o.dot(d), c];
                ray.within(ray.whole(), terms, |point| point / (axes * axes))
            }
            Self::Superquadric(it) => in_superquadric(&ray, it),
            Self::HalfSpace(it) => ray.below(ray.whole(), it.normal(), it.offset()),
            Self::Polyhedron(it) => it
                .faces()
                .iter()
                .try_fold(ray.whole(), |part, face| ray.below(part, face.normal, face.offset)),
            Self::Triangle(corners) => in_triangle(&ray, *corners),
        }?;
        (inside.enter <= length).then_some(RayHit { distance: inside.enter, normal: inside.normal })
    }
}

fn in_capsule(ray: &Ray, capsule: &Capsule) -> Option<Inside> {
    let end = DVec3::Z * capsule.half_length();
    let side = around_z(ray, capsule.radius())
        .and_then(|part| ray.below(part, DVec3::Z, capsule.half_length()))
        .and_then(|part| ray.below(part, DVec3::NEG_Z, capsule.half_length()));
    let ends = [end, -end].map(|center| ray.in_ball(center, capsule.radius()));
    [side, ends[0], ends[1]].into_iter().flatten().min_by(|a, b| a.enter.total_cmp(&b.enter))
}

fn in_cylinder(ray: &Ray, cylinder: &Cylinder) -> Option<Inside> {
    let part = around_z(ray, cylinder.radius())?;
    let part = ray.below(part, DVec3::Z, cylinder.half_length())?;
    ray.below(part, DVec3::NEG_Z, cylinder.half_length())
}

/// Within a radius of the z axis.
fn around_z(ray: &Ray, radius: f64) -> Option<Inside> {
    let flat = |v: DVec3| DVec3::new(v.x, v.y, 0.0);
    let (o, d) = (flat(ray.origin), flat(ray.direction));
    let c = (o.length() - radius) * (o.length() + radius);
    ray.within(ray.whole(), [d.length_squared(), o.dot(d), c], flat)
}

/// The double cone ρ ≤ k·(h − z), cut to its half below the apex and above the base.
fn in_cone(ray: &Ray, cone: &Cone) -> Option<Inside> {
    let (h, k) = (cone.half_length(), cone.radius() / (2.0 * cone.half_length()));
    let slab = ray.below(ray.whole(), DVec3::Z, h)?;
    let slab = ray.below(slab, DVec3::NEG_Z, h)?;
    let (o, d) = (ray.origin - h * DVec3::Z, ray.direction);
    let form = |u: DVec3, v: DVec3| u.x * v.x + u.y * v.y - k * k * u.z * v.z;
    let [a, b, c] = [form(d, d), form(o, d), form(o, o)];
    let normal = |point: DVec3| DVec3::new(point.x, point.y, k * k * (h - point.z));
    if a > 0.0 {
        return ray.within(slab, [a, b, c], normal);
    }
    // The ray is steeper than the side: inside before or after the roots, of which one is in the half that counts.
    let discriminant = (b * b - a * c).max(0.0);
    let q = -(b + f64::copysign(discriminant.sqrt(), b));
    let roots = [if a == 0.0 { f64::INFINITY } else { q / a }, if q == 0.0 { 0.0 } else { c / q }];
    let mut part = slab;
    let inside = |t: f64| {
        let point = o + t * d;
        form(point, point) <= 0.0
    };
    if inside(slab.enter) {
        return Some(part);
    }
    let first = roots.into_iter().filter(|root| (slab.enter..=slab.exit).contains(root));
    part.enter = first.min_by(f64::total_cmp)?;
    part.normal = normal(ray.at(part.enter)).normalize_or(-ray.direction);
    Some(part)
}

fn in_superquadric(ray: &Ray, shape: &Superquadric) -> Option<Inside> {
    let mut distance = 0.0;
    for _ in 0..MOST_STEPS {
        let point = ray.at(distance);
        let (norm, gradient) = shape.norm_and_gradient(point);
        let normal = gradient.normalize_or(-ray.direction);
        if norm <= 1.0 {
            let normal = if distance > 0.0 { normal } else { -ray.direction };
            return Some(Inside { enter: distance, normal, exit: f64::INFINITY });
        }
        let slope = gradient.dot(ray.direction);
        if slope >= 0.0 {
            return None;
        }
        let next = distance - (norm - 1.0) / slope;
        // As near as numbers go.
        if next <= distance * (1.0 + f64::EPSILON) && distance > 0.0 {
            return Some(Inside { enter: distance, normal, exit: f64::INFINITY });
        }
        distance = next;
    }
    None
}

fn in_triangle(ray: &Ray, [a, b, c]: [DVec3; 3]) -> Option<Inside> {
    let normal = (b - a).cross(c - a);
    let slope = normal.dot(ray.direction);
    if slope == 0.0 {
        return None;
    }
    let distance = normal.dot(a - ray.origin) / slope;
    let point = ray.at(distance);
    let side = |from: DVec3, to: DVec3| normal.dot((to - from).cross(point - from)) >= 0.0;
    let hit = distance >= 0.0 && side(a, b) && side(b, c) && side(c, a);
    let towards = normal.normalize_or_zero() * if slope > 0.0 { -1.0 } else { 1.0 };
    hit.then_some(Inside { enter: distance, normal: towards, exit: distance })
}

impl Pieces {
    /// Where a ray with a unit direction first enters any piece, not farther than `length`; at 0 if it starts inside a
    /// closed mesh.
    pub fn cast_ray(&self, origin: DVec3, direction: DVec3, length: f64) -> Option<RayHit> {
        if self.holds(origin).is_some() {
            return Some(RayHit { distance: 0.0, normal: -direction });
        }
        let ray = Ray { origin, direction };
        let mut best: Option<RayHit> = None;
        let mut stack = vec![0_u32];
        while let Some(index) = stack.pop() {
            let node = &self.tree()[index as usize];
            let limit = best.map_or(length, |hit| hit.distance);
            if node.radius.is_finite()
                && ray.in_ball(node.center, node.radius).is_none_or(|part| part.enter > limit)
            {
                continue;
            }
            match node.content {
                Content::Balls(halves) => stack.extend(halves),
                Content::Piece(piece) => {
                    let piece = &self.pieces()[piece as usize];
                    let piece_from_shape = piece.shape_from_piece.inverse();
                    let found = piece.convex.cast_ray(
                        piece_from_shape.point(origin),
                        piece_from_shape.vector(direction),
                        limit,
                    );
                    if let Some(hit) =
                        found.filter(|hit| best.is_none_or(|it| hit.distance < it.distance))
                    {
                        let normal = piece.shape_from_piece.vector(hit.normal);
                        best = Some(RayHit { normal, ..hit });
                    }
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;
    use crate::shapes::{Ball, Cuboid, Ellipsoid};

    /// Numbers that look random, from −1 to 1.
    struct Numbers(u64);

    impl Numbers {
        const fn new(seed: u64) -> Self {
            Self(seed)
        }

        fn next(&mut self) -> f64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }

        fn vector(&mut self) -> DVec3 {
            DVec3::new(self.next(), self.next(), self.next())
        }
    }

    fn shapes() -> Vec<Shape> {
        vec![
            Shape::Ball(Ball::new(0.7).expect("a ball")),
            Shape::Cuboid(Cuboid::new(DVec3::new(0.3, 0.5, 0.8)).expect("a box")),
            Shape::Capsule(Capsule::new(0.6, 0.2).expect("a capsule")),
            Shape::Cylinder(Cylinder::new(0.4, 0.6).expect("a cylinder")),
            Shape::Cone(Cone::new(0.7, 0.5).expect("a cone")),
            Shape::Ellipsoid(Ellipsoid::new(DVec3::new(0.3, 0.6, 0.9)).expect("an ellipsoid")),
            Shape::Superquadric(
                Superquadric::new(DVec3::new(0.3, 0.6, 0.9), 2.5, 4.0).expect("a superquadric"),
            ),
        ]
    }

    /// A ray enters where it says, and every plane through that point with that normal has the solid behind it.
    #[test]
    fn a_hit_is_on_the_surface_and_its_normal_supports_the_solid() {
        let mut numbers = Numbers::new(7);
        let mut hits = 0;
        for shape in shapes() {
            let convex = Convex::of(&shape).unwrap();
            for _ in 0..500 {
                let origin = 3.0 * numbers.vector();
                let aim = 0.8 * numbers.vector();
                let Some(direction) = (aim - origin).try_normalize() else { continue };
                let Some(hit) = convex.cast_ray(origin, direction, 100.0) else { continue };
                let point = origin + hit.distance * direction;
                if hit.distance == 0.0 {
                    continue;
                }
                hits += 1;
                let height = convex.support_value(hit.normal);
                assert!(hit.normal.dot(direction) <= 1e-12, "{shape:?}");
                assert!((hit.normal.dot(point) - height).abs() < 1e-9, "{shape:?} {hit:?}");
            }
        }
        assert!(hits > 1000, "{hits}");
    }

    #[test]
    fn a_ray_aimed_at_an_inner_point_enters_before_it() {
        let mut numbers = Numbers::new(8);
        for shape in shapes() {
            let convex = Convex::of(&shape).unwrap();
            for _ in 0..500 {
                let [a, b, c] = [0, 1, 2].map(|_| convex.support(numbers.vector()));
                let inner = 0.99 * (a + b + c) / 3.0;
                let origin = 3.0 * numbers.vector();
                let Some(direction) = (inner - origin).try_normalize() else { continue };
                let length = inner.distance(origin);
                let hit = convex.cast_ray(origin, direction, length);
                assert!(hit.is_some(), "{shape:?} {origin} {inner}");
            }
        }
    }
}
