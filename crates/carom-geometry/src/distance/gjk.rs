//! Distance by support points alone (Gilbert, Johnson and Keerthi): slow to the last digits, but it always ends.
//!
//! v is the point nearest to the origin of a simplex in the difference A − B; the support point w of A − B along −v
//! bounds the distance from below by v·w/|v|, and joins the simplex.

use glam::DVec3;

use super::{Closest, Convex, Feature};
use crate::Pose;

/// Rounds after which the best answer so far is returned.
const MAX_STEPS: usize = 64;

/// A point of A − B and the two points it is the difference of.
#[derive(Clone, Copy, Debug)]
struct Difference {
    a: DVec3,
    b: DVec3,
}

impl Difference {
    fn vector(&self) -> DVec3 {
        self.a - self.b
    }
}

/// The nearest points, to about 1e-8 of the size, and the best proven normal.
pub(super) fn closest(a: &Convex, b: &Convex, a_from_b: &Pose) -> Closest {
    if let Convex::HalfSpace(plane) = b {
        let normal = a_from_b.vector(plane.normal());
        let point_a = a.support(-normal);
        let foot = a_from_b.point(plane.normal() * plane.offset());
        let distance = normal.dot(point_a - foot);
        let point_b = point_a - distance * normal;
        return Closest { distance, point_a, point_b, normal, features: [Feature::Face(0); 2] };
    }
    if let Convex::HalfSpace(_) = a {
        let swapped = closest(b, a, &a_from_b.inverse());
        return Closest {
            distance: swapped.distance,
            point_a: a_from_b.point(swapped.point_b),
            point_b: a_from_b.point(swapped.point_a),
            normal: -a_from_b.vector(swapped.normal),
            features: [swapped.features[1], swapped.features[0]],
        };
    }
    let support = |direction: DVec3| Difference {
        a: a.support(direction),
        b: a_from_b.point(b.support(a_from_b.vector_inverse(-direction))),
    };
    let first = support(a_from_b.translation);
    let mut simplex = vec![(first, 1.0)];
    let mut best = (f64::NEG_INFINITY, DVec3::Z);
    for _ in 0..MAX_STEPS {
        let v: DVec3 = simplex.iter().map(|(p, weight)| *weight * p.vector()).sum();
        let length = v.length();
        if !(length > 0.0) {
            break;
        }
        let w = support(-v);
        let lower = v.dot(w.vector()) / length;
        if lower > best.0 {
            best = (lower, v / length);
        }
        if length - lower <= 1e-14 * length || simplex.iter().any(|(p, _)| p.vector() == w.vector())
        {
            break;
        }
        let mut corners: Vec<Difference> = simplex.iter().map(|(p, _)| *p).collect();
        corners.push(w);
        simplex = nearest_to_origin(&corners);
    }
    let point_a: DVec3 = simplex.iter().map(|(p, weight)| *weight * p.a).sum();
    let point_b: DVec3 = simplex.iter().map(|(p, weight)| *weight * p.b).sum();
    let apart = point_a.distance(point_b);
    let (distance, normal) = if best.0 > 0.0 { (apart, best.1) } else { best };
    Closest { distance, point_a, point_b, normal, features: [Feature::Face(0); 2] }
}

/// The point of the simplex nearest to the origin, as weights of the corners that carry it: the best over all faces
/// whose own nearest point lies inside them.
fn nearest_to_origin(corners: &[Difference]) -> Vec<(Difference, f64)> {
    let mut best: (f64, Vec<(Difference, f64)>) = (f64::INFINITY, Vec::new());
    for mask in 1_u32..1 << corners.len() {
        let subset: Vec<Difference> =
            (0..corners.len()).filter(|i| mask >> i & 1 == 1).map(|i| corners[i]).collect();
        let Some(weights) = weights_of(&subset) else { continue };
        if weights.iter().any(|weight| *weight < 0.0) {
            continue;
        }
        let v: DVec3 = subset.iter().zip(&weights).map(|(p, weight)| *weight * p.vector()).sum();
        if v.length_squared() < best.0 {
            best = (v.length_squared(), subset.into_iter().zip(weights).collect());
        }
    }
    best.1
}

/// Weights, with sum 1, of the point of the corners' affine hull nearest to the origin.
fn weights_of(corners: &[Difference]) -> Option<Vec<f64>> {
    let p: Vec<DVec3> = corners.iter().map(Difference::vector).collect();
    match p[..] {
        [_] => Some(vec![1.0]),
        [a, b] => {
            let e = b - a;
            let t = -a.dot(e) / e.length_squared();
            t.is_finite().then(|| vec![1.0 - t, t])
        }
        [a, b, c] => {
            let n = (b - a).cross(c - a);
            let area = n.length_squared();
            let u = n.dot(b.cross(c)) / area;
            let v = n.dot(c.cross(a)) / area;
            let w = n.dot(a.cross(b)) / area;
            (u + v + w).is_finite().then(|| vec![u, v, w])
        }
        [a, b, c, d] => {
            let volume = (b - a).dot((c - a).cross(d - a));
            let u = b.dot(c.cross(d)) / volume;
            let v = -a.dot(c.cross(d)) / volume;
            let w = a.dot(b.cross(d)) / volume;
            let x = -a.dot(b.cross(c)) / volume;
            (u + v + w + x).is_finite().then(|| vec![u, v, w, x])
        }
        _ => None,
    }
}
