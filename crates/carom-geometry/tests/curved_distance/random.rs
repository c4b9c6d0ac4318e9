//! Random solids, and random boundary points with a normal to them.
//!
//! Two solids that touch the two sides of a slab at points opposite each other are as far apart as the slab is wide:
//! so from two boundary points with normals comes a pair whose distance is known, however odd the solids are.

use std::f64::consts::TAU;
use std::sync::Arc;

use carom_geometry::distance::{Closest, Convex, Warm, closest};
use carom_geometry::shapes::{Ball, Capsule, Cone, Cylinder, Ellipsoid, Superquadric};
use carom_geometry::{Pose, convex_hull};
use glam::{DMat3, DQuat, DVec3};

/// A small generator of random numbers (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// 64 random bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Between 0 and 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Between two numbers.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Between two positive numbers, evenly in the logarithm.
    pub(crate) fn log_between(&mut self, low: f64, high: f64) -> f64 {
        libm::exp(self.between(libm::log(low), libm::log(high)))
    }

    /// A whole number below a bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    /// One in so many.
    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A unit vector.
    pub(crate) fn direction(&mut self) -> DVec3 {
        let z = self.between(-1.0, 1.0);
        let angle = self.between(0.0, TAU);
        let across = (1.0 - z * z).max(0.0).sqrt();
        DVec3::new(across * libm::cos(angle), across * libm::sin(angle), z)
    }

    /// A unit vector across the z axis.
    pub(crate) fn around(&mut self) -> DVec3 {
        let angle = self.between(0.0, TAU);
        DVec3::new(libm::cos(angle), libm::sin(angle), 0.0)
    }

    /// A rotation.
    pub(crate) fn rotation(&mut self) -> DQuat {
        DQuat::from_axis_angle(self.direction(), self.between(0.0, TAU))
    }
}

/// All kinds of solids with an end; the last three are polyhedral.
pub(crate) const KINDS: [&str; 9] =
    ["ball", "capsule", "cylinder", "cone", "ellipsoid", "superquadric", "box", "hull", "triangle"];

/// Every unordered pair of kinds of which at least one is curved.
pub(crate) fn curved_pairs() -> impl Iterator<Item = [&'static str; 2]> {
    let pair = |i: usize| (i..KINDS.len()).map(move |j| [KINDS[i], KINDS[j]]);
    (0..KINDS.len() - 3).flat_map(pair)
}

/// A solid of the kind, about one in size, with an aspect ratio up to `aspect`.
pub(crate) fn solid(kind: &str, aspect: f64, random: &mut Random) -> Convex {
    let mut size = || random.log_between(1.0 / aspect, 1.0);
    let (x, y, z) = (size(), size(), size());
    let valid = "the sizes are positive";
    match kind {
        "ball" => Convex::Ball(Ball::new(x).expect(valid)),
        "capsule" => Convex::Capsule(Capsule::new(x, y).expect(valid)),
        "cylinder" => Convex::Cylinder(Cylinder::new(x, y).expect(valid)),
        "cone" => Convex::Cone(Cone::new(x, y).expect(valid)),
        "ellipsoid" => Convex::Ellipsoid(Ellipsoid::new(DVec3::new(x, y, z)).expect(valid)),
        "superquadric" => {
            let m = exponent(random);
            let n = if random.one_in(2) { m } else { exponent(random) };
            let axes = DVec3::new(x, y, z);
            Convex::Superquadric(Superquadric::new(axes, m, n).expect(valid))
        }
        "box" => {
            let corner = |i: u32| {
                let sign = |bit: u32| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
                DVec3::new(x * sign(0), y * sign(1), z * sign(2))
            };
            let corners: Vec<DVec3> = (0..8).map(corner).collect();
            Convex::Polyhedron(Arc::new(convex_hull(&corners).expect("a box has a volume")))
        }
        "triangle" => loop {
            let axes = DVec3::new(x, y, z);
            let corners = [0; 3].map(|_| axes * random.direction());
            let area = (corners[1] - corners[0]).cross(corners[2] - corners[0]).length();
            if area > 1e-3 / (aspect * aspect) {
                break Convex::Triangle(corners);
            }
        },
        _ => {
            let axes = DVec3::new(x, y, z);
            let count = 8 + random.below(60);
            let points: Vec<DVec3> = (0..count).map(|_| axes * random.direction()).collect();
            Convex::Polyhedron(Arc::new(convex_hull(&points).expect("the points span a volume")))
        }
    }
}

/// 1 to 1000, often a special one.
fn exponent(random: &mut Random) -> f64 {
    match random.below(8) {
        0 => 2.0,
        1 => [1.0, 1000.0, 4.0, 1.5][random.below(4)],
        2 => random.log_between(1.0, 2.0),
        3 => random.log_between(10.0, 1000.0),
        _ => random.log_between(2.0, 10.0),
    }
}

/// A boundary point and an outward unit normal there.
pub(crate) fn contact(solid: &Convex, random: &mut Random) -> (DVec3, DVec3) {
    match solid {
        Convex::Ball(it) => {
            let n = random.direction();
            (it.radius() * n, n)
        }
        Convex::Capsule(it) => {
            if random.one_in(2) {
                let n = random.around();
                (it.radius() * n + DVec3::Z * it.half_length() * random.between(-1.0, 1.0), n)
            } else {
                let n = random.direction();
                (it.radius() * n + DVec3::Z * it.half_length().copysign(n.z), n)
            }
        }
        Convex::Cylinder(it) => on_cylinder(it, random),
        Convex::Cone(it) => on_cone(it, random),
        Convex::Ellipsoid(it) => {
            let axes = it.semi_axes();
            let u = special_direction(random);
            if random.one_in(2) {
                return by_normal(solid, u);
            }
            let scaled = u / axes;
            (axes * u, (scaled / scaled.abs().max_element()).normalize_or_zero())
        }
        Convex::Superquadric(it) => on_superquadric(solid, it, random),
        Convex::Polyhedron(_) | Convex::HalfSpace(_) => on_polyhedron(solid, random),
        Convex::Triangle(corners) => on_triangle(corners, random),
    }
}

fn by_normal(solid: &Convex, n: DVec3) -> (DVec3, DVec3) {
    (solid.support(n), n)
}

/// Any direction, often one near a coordinate plane or axis.
fn special_direction(random: &mut Random) -> DVec3 {
    let mut u = random.direction();
    if random.one_in(3) {
        let i = random.below(3);
        u[i] *= [0.0, 1e-12, 1e-8, 1e-4][random.below(4)];
        if random.one_in(2) {
            let j = random.below(3);
            u[j] *= [0.0, 1e-12, 1e-8, 1e-4][random.below(4)];
        }
    }
    u.try_normalize().unwrap_or(DVec3::X)
}

/// A share between 0 and 1, often close to an end.
fn share(random: &mut Random) -> f64 {
    match random.below(6) {
        0 => random.log_between(1e-14, 1.0),
        1 => 1.0 - random.log_between(1e-14, 1.0),
        _ => random.unit(),
    }
}

/// A unit vector from `one` to `other`.
fn blend(one: DVec3, other: DVec3, random: &mut Random) -> DVec3 {
    let t = share(random);
    ((1.0 - t) * one + t * other).try_normalize().unwrap_or(one)
}

fn on_cylinder(it: &Cylinder, random: &mut Random) -> (DVec3, DVec3) {
    let out = random.around();
    let up = if random.one_in(2) { DVec3::Z } else { -DVec3::Z };
    let (h, r) = (it.half_length(), it.radius());
    match random.below(3) {
        0 => (r * out + up * h * share(random), out),
        1 => (r * out * share(random) + up * h, up),
        _ => (r * out + up * h, blend(out, up, random)),
    }
}

fn on_cone(it: &Cone, random: &mut Random) -> (DVec3, DVec3) {
    let out = random.around();
    let (h, r) = (it.half_length(), it.radius());
    let side = DVec3::new(2.0 * h * out.x, 2.0 * h * out.y, r).normalize_or_zero();
    let t = share(random);
    match random.below(4) {
        0 => (r * (1.0 - t) * out + DVec3::Z * h * (2.0 * t - 1.0), side),
        1 => (r * out * t - DVec3::Z * h, -DVec3::Z),
        2 => (r * out - DVec3::Z * h, blend(-DVec3::Z, side, random)),
        _ => (DVec3::Z * h, blend(DVec3::Z, side, random)),
    }
}

fn on_superquadric(solid: &Convex, it: &Superquadric, random: &mut Random) -> (DVec3, DVec3) {
    let u = special_direction(random);
    let [m, n] = it.exponents();
    if random.one_in(2) || m == 1.0 || n == 1.0 {
        return by_normal(solid, u);
    }
    // The point in that direction from the centre, and its gradient.
    let v = u.abs();
    let plane = norm(v.x, v.y, m);
    let gauge = norm(plane, v.z, n);
    let x = u / gauge;
    let (v, plane) = (v / gauge, plane / gauge);
    if plane <= 0.0 {
        return (it.semi_axes() * x, DVec3::Z.copysign(u));
    }
    let of = |v: f64| libm::pow(plane, n - 1.0) * libm::pow(v / plane, m - 1.0);
    let gradient = DVec3::new(of(v.x), of(v.y), libm::pow(v.z, n - 1.0)).copysign(u);
    let scaled = gradient / it.semi_axes();
    (it.semi_axes() * x, (scaled / scaled.abs().max_element()).normalize_or_zero())
}

/// (u^p + v^p)^{1/p}.
pub(crate) fn norm(u: f64, v: f64, p: f64) -> f64 {
    let largest = u.max(v);
    if largest <= 0.0 {
        return 0.0;
    }
    largest * libm::pow(1.0 + libm::pow(u.min(v) / largest, p), 1.0 / p)
}

fn on_polyhedron(solid: &Convex, random: &mut Random) -> (DVec3, DVec3) {
    let Convex::Polyhedron(it) = solid else { return by_normal(solid, DVec3::Z) };
    let h = random.below(it.half_edges().len());
    let half_edge = it.half_edges()[h];
    let [from, to] = it.ends(h as u32).map(|v| it.vertices()[v as usize]);
    let normal = it.faces()[half_edge.face as usize].normal;
    match random.below(3) {
        0 => {
            let mut point = from;
            for v in it.face_vertices(half_edge.face as usize) {
                point += share(random) * (it.vertices()[v as usize] - point);
            }
            (point, normal)
        }
        1 => {
            let twin = it.half_edges()[half_edge.twin as usize].face;
            let other = it.faces()[twin as usize].normal;
            (from + share(random) * (to - from), blend(normal, other, random))
        }
        _ => {
            let mut n = DVec3::ZERO;
            for h in it.outgoing(half_edge.origin) {
                n += share(random) * it.faces()[it.half_edges()[h as usize].face as usize].normal;
            }
            (from, n.normalize_or_zero())
        }
    }
}

fn on_triangle(corners: &[DVec3; 3], random: &mut Random) -> (DVec3, DVec3) {
    let [a, b, c] = *corners;
    let normal = (b - a).cross(c - a).normalize_or_zero();
    let normal = if random.one_in(2) { normal } else { -normal };
    let point = a + share(random) * (b - a);
    match random.below(3) {
        0 => (point + share(random) * (c - point), normal),
        1 => {
            let away = normal.cross(b - a);
            let away = if away.dot(c - a) > 0.0 { -away } else { away };
            (point, blend(normal, away.normalize_or_zero(), random))
        }
        _ => {
            let n = special_direction(random);
            let height = |v: &DVec3| n.dot(*v);
            let top =
                corners.iter().fold(a, |top, v| if height(v) > height(&top) { *v } else { top });
            (top, n)
        }
    }
}

/// Two solids and the placement of the second, `gap` apart by construction, with the normal from B to A and the points.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) a: Convex,
    pub(crate) b: Convex,
    pub(crate) a_from_b: Pose,
    pub(crate) gap: f64,
    pub(crate) normal: DVec3,
    pub(crate) point_a: DVec3,
    pub(crate) point_b: DVec3,
}

/// Places `b` beside `a`, with random boundary points opposite each other across a slab of the given width.
pub(crate) fn opposite(a: Convex, b: Convex, gap: f64, random: &mut Random) -> Pair {
    let (point_a, out_a) = contact(&a, random);
    let (local_b, out_b) = contact(&b, random);
    let normal = -out_a;
    let spin = random.between(0.0, TAU);
    let rotation =
        DQuat::from_mat3(&(frame(normal, spin) * frame(out_b, 0.0).transpose())).normalize();
    let point_b = point_a - gap * normal;
    let a_from_b = Pose::new(point_b - rotation * local_b, rotation);
    Pair { a, b, a_from_b, gap, normal, point_a, point_b }
}

/// An orthonormal frame with the given last axis, turned about it.
fn frame(last: DVec3, spin: f64) -> DMat3 {
    let first = last.any_orthonormal_vector();
    let second = last.cross(first);
    let (sin, cos) = libm::sincos(spin);
    DMat3::from_cols(cos * first + sin * second, cos * second - sin * first, last)
}

impl Pair {
    /// s(n), from the solids' own support functions.
    pub(crate) fn slab(&self, n: DVec3) -> f64 {
        let high = self.b.support_value(self.a_from_b.vector_inverse(n));
        -self.a.support_value(-n) - high - n.dot(self.a_from_b.translation)
    }

    /// The larger of the two sizes, to compare errors with.
    pub(crate) fn size(&self) -> f64 {
        size(&self.a).max(size(&self.b))
    }

    /// The same two, the other way round.
    pub(crate) fn swapped(&self) -> Self {
        let b_from_a = self.a_from_b.inverse();
        Self {
            a: self.b.clone(),
            b: self.a.clone(),
            a_from_b: b_from_a,
            gap: self.gap,
            normal: -b_from_a.vector(self.normal),
            point_a: b_from_a.point(self.point_b),
            point_b: b_from_a.point(self.point_a),
        }
    }

    /// The answer from nothing.
    pub(crate) fn closest(&self) -> Closest {
        closest(&self.a, &self.b, &self.a_from_b, &mut Warm::Cold)
    }

    /// How far an answer is from being right, as a share of the size: outside what the construction proves, in
    /// disagreement with itself, or without a proof.
    ///
    /// The slab through the constructed points bounds the distance from below and their distance from above; they
    /// differ by the rounding of the construction.
    pub(crate) fn error(&self, answer: &Closest) -> f64 {
        let Closest { distance, point_a, point_b, normal, .. } = *answer;
        let outside = (distance - self.gap).max(self.slab(self.normal) - distance);
        let unproven = (point_a.distance(point_b) - self.slab(normal)).abs();
        let untrue = (distance - self.slab(normal)).abs();
        let error = outside.max(unproven).max(untrue) / self.size();
        if error.is_nan() { f64::INFINITY } else { error }
    }
}

/// Half the largest extent.
pub(crate) fn size(solid: &Convex) -> f64 {
    let middle = (solid.support(DVec3::X) + solid.support(-DVec3::X)) * 0.5;
    solid.radius_about(middle)
}

/// The solid, scaled.
pub(crate) fn scaled(solid: &Convex, factor: f64) -> Convex {
    let valid = "scaled sizes are positive";
    match solid {
        Convex::Ball(it) => Convex::Ball(Ball::new(factor * it.radius()).expect(valid)),
        Convex::Capsule(it) => {
            let (h, r) = (factor * it.half_length(), factor * it.radius());
            Convex::Capsule(Capsule::new(h, r).expect(valid))
        }
        Convex::Cylinder(it) => {
            let (h, r) = (factor * it.half_length(), factor * it.radius());
            Convex::Cylinder(Cylinder::new(h, r).expect(valid))
        }
        Convex::Cone(it) => {
            let (h, r) = (factor * it.half_length(), factor * it.radius());
            Convex::Cone(Cone::new(h, r).expect(valid))
        }
        Convex::Ellipsoid(it) => {
            Convex::Ellipsoid(Ellipsoid::new(factor * it.semi_axes()).expect(valid))
        }
        Convex::Superquadric(it) => {
            let [m, n] = it.exponents();
            let axes = factor * it.semi_axes();
            Convex::Superquadric(Superquadric::new(axes, m, n).expect(valid))
        }
        Convex::HalfSpace(it) => Convex::HalfSpace(
            carom_geometry::shapes::HalfSpace::new(it.normal(), factor * it.offset())
                .expect("the normal is unit"),
        ),
        Convex::Polyhedron(it) => {
            let points: Vec<DVec3> = it.vertices().iter().map(|v| factor * *v).collect();
            Convex::Polyhedron(Arc::new(convex_hull(&points).expect("it has a volume")))
        }
        Convex::Triangle(corners) => Convex::Triangle(corners.map(|corner| factor * corner)),
    }
}
