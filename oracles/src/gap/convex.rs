//! Convex solids, by their support functions.
//!
//! For a unit vector d: h(d) = max d·x, and a point where it is reached.
//!
//! - *Ellipsoid* with semi-axes S = diag(a, b, c): x = S·y with |y| ≤ 1, so h = |S·d| at y = S·d/|S·d|.
//! - *Superquadric*: by Hölder, the largest u·x + v·y over x^p + y^p ≤ 1 with u, v ≥ 0 is (u^q + v^q)^{1/q} with
//!   1/p + 1/q = 1, where x : y = u^{q−1} : v^{q−1}. Applied to the pair xy, and then to the pair of that and z. Near
//!   p = 1 the powers of a rounded ratio are far off, though h is not: points are therefore divided by their own norm, which
//!   puts them on the surface whatever the powers were.

use glam::DVec3;

/// A convex solid without its rounding.
#[derive(Clone, Debug)]
pub(super) enum Core {
    Point,
    Segment { half_length: f64 },
    Cuboid { half: DVec3 },
    Cylinder { half_length: f64, radius: f64 },
    Cone { half_length: f64, radius: f64 },
    Ellipsoid { semi_axes: DVec3 },
    Superquadric { semi_axes: DVec3, exponent_xy: f64, exponent_z: f64 },
    Points(Vec<DVec3>),
}

/// All points within a radius of a core.
#[derive(Clone, Debug)]
pub(super) struct Convex {
    pub(super) core: Core,
    pub(super) radius: f64,
}

impl Core {
    /// How far it reaches along a unit vector, and a point there.
    pub(super) fn support(&self, d: DVec3) -> (f64, DVec3) {
        match self {
            Self::Point => (0.0, DVec3::ZERO),
            Self::Segment { half_length } => {
                (half_length * d.z.abs(), DVec3::Z * half_length * sign(d.z))
            }
            Self::Cuboid { half } => (half.dot(d.abs()), *half * signs(d)),
            Self::Cylinder { half_length, radius } => {
                let (across, rim) = disc(d, *radius);
                (across + half_length * d.z.abs(), rim + DVec3::Z * half_length * sign(d.z))
            }
            Self::Cone { half_length, radius } => {
                let (across, rim) = disc(d, *radius);
                let (base, apex) = (across - half_length * d.z, half_length * d.z);
                if apex > base {
                    (apex, DVec3::Z * half_length)
                } else {
                    (base, rim - DVec3::Z * half_length)
                }
            }
            Self::Ellipsoid { semi_axes } => {
                let image = *semi_axes * d;
                let reach = image.length();
                (reach, *semi_axes * (image / reach))
            }
            Self::Superquadric { semi_axes, exponent_xy, exponent_z } => {
                superquadric(*semi_axes, *exponent_xy, *exponent_z, d)
            }
            Self::Points(points) => {
                let better = |best: (f64, DVec3), p: &DVec3| {
                    let height = d.dot(*p);
                    if height > best.0 { (height, *p) } else { best }
                };
                points.iter().fold((f64::NEG_INFINITY, DVec3::ZERO), better)
            }
        }
    }

    /// A point within it.
    pub(super) fn center(&self) -> DVec3 {
        match self {
            Self::Points(points) => points.iter().sum::<DVec3>() / points.len() as f64,
            _ => DVec3::ZERO,
        }
    }

    /// No point of it is farther than this from its centre.
    pub(super) fn reach(&self) -> f64 {
        match self {
            Self::Point => 0.0,
            Self::Segment { half_length } => *half_length,
            Self::Cuboid { half } => half.length(),
            Self::Cylinder { half_length, radius } | Self::Cone { half_length, radius } => {
                libm::hypot(*half_length, *radius)
            }
            Self::Ellipsoid { semi_axes } => semi_axes.max_element(),
            Self::Superquadric { semi_axes, exponent_xy, exponent_z } => {
                // Exponents up to 2 stay within the ellipsoid, all others within the box.
                if exponent_xy.max(*exponent_z) <= 2.0 {
                    semi_axes.max_element()
                } else {
                    semi_axes.length()
                }
            }
            Self::Points(points) => {
                let center = self.center();
                points.iter().map(|p| p.distance(center)).fold(0.0, f64::max)
            }
        }
    }
}

fn sign(x: f64) -> f64 {
    if x < 0.0 { -1.0 } else { 1.0 }
}

fn signs(d: DVec3) -> DVec3 {
    DVec3::new(sign(d.x), sign(d.y), sign(d.z))
}

/// A disc around the origin in the plane xy: its reach along d, and a point of its rim.
fn disc(d: DVec3, radius: f64) -> (f64, DVec3) {
    let across = libm::hypot(d.x, d.y);
    let rim = if across > 0.0 { DVec3::new(d.x, d.y, 0.0) / across } else { DVec3::X };
    (radius * across, radius * rim)
}

fn superquadric(semi_axes: DVec3, m: f64, n: f64, d: DVec3) -> (f64, DVec3) {
    let image = semi_axes * d.abs();
    let (plane, [x, y]) = dual(image.x, image.y, m);
    let (reach, [p, z]) = dual(plane, image.z, n);
    let unit = norm(x, y, m);
    let point = DVec3::new(p * x / unit, p * y / unit, z);
    let size = norm(norm(point.x, point.y, m), point.z, n);
    (reach, semi_axes * signs(d) * point / size)
}

/// (u^p + v^p)^{1/p} for u, v ≥ 0.
fn norm(u: f64, v: f64, p: f64) -> f64 {
    let (large, small) = (u.max(v), u.min(v));
    if large > 0.0 { large * libm::pow(1.0 + libm::pow(small / large, p), 1.0 / p) } else { 0.0 }
}

/// The largest u·x + v·y over x^p + y^p ≤ 1, and the ratio x : y there; u, v ≥ 0.
fn dual(u: f64, v: f64, p: f64) -> (f64, [f64; 2]) {
    let (large, small) = (u.max(v), u.min(v));
    if large <= 0.0 {
        return (0.0, [1.0, 0.0]);
    }
    let ratio = small / large;
    let (value, minor) = if p > 1.0 {
        let q = p / (p - 1.0);
        let power = libm::pow(ratio, q);
        (large * libm::pow(1.0 + power, 1.0 / q), libm::pow(ratio, 1.0 / (p - 1.0)))
    } else {
        (large, 0.0)
    };
    (value, if u >= v { [1.0, minor] } else { [minor, 1.0] })
}
