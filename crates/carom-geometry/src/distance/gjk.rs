//! Distance by support points alone (Gilbert, Johnson and Keerthi).
//!
//! v is the point nearest to the origin of a simplex in the difference A − B, so the two are at most |v| apart. The
//! support point w of A − B along −v gives s(v/|v|) = v·w/|v|: they are at least that far apart, which is a proof
//! whether the simplex was computed well or badly. w joins the simplex, corners that do not carry the nearest point
//! leave it, and so on. On polytopes this ends at the answer; on curved solids it converges fast until the normal
//! has about eight digits, where rounding in thin simplices stops it. It ends in any case, because |v| must shrink
//! in every round.

use glam::DVec3;

use crate::tolerances::{GJK_IDLE, GJK_INSIDE, GJK_PROGRESS};

/// A point of A − B and the two points it is the difference of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Difference {
    /// The point of A.
    pub(super) a: DVec3,
    /// The point of B.
    pub(super) b: DVec3,
}

impl Difference {
    /// The point of A − B.
    pub(super) fn vector(&self) -> DVec3 {
        self.a - self.b
    }
}

/// Up to four corners in A − B with the weights of the point nearest to the origin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Simplex {
    corners: [Difference; 4],
    weights: [f64; 4],
    len: usize,
}

/// When a search may end before rounding ends it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Until {
    /// Support points asked for at most.
    pub(super) steps: usize,
    /// Difference of the bounds, as a share of the distance.
    pub(super) gap: f64,
    /// Difference of the bounds `[m]`.
    pub(super) slack: f64,
}

/// What a search has found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// Point of A, not farther from `point_b` than any other pair that was met.
    pub(super) point_a: DVec3,
    /// Point of B.
    pub(super) point_b: DVec3,
    /// The unit vector, from B to A, with the widest slab between the solids that was met.
    pub(super) normal: DVec3,
    /// Width of that slab, a lower bound on the signed distance.
    pub(super) lower: f64,
    /// Whether the origin lies in A − B as far as rounding can tell: they overlap or touch.
    pub(super) meets: bool,
    /// The corners it ended with.
    pub(super) simplex: Simplex,
}

/// Nearest points of two solids.
///
/// `support` gives the point of A farthest along its argument and the point of B farthest against it; `toward_a` is a
/// guess of the direction from B to A.
pub(super) fn search(
    mut support: impl FnMut(DVec3) -> Difference,
    toward_a: DVec3,
    until: Until,
) -> Found {
    let guess = toward_a.try_normalize().unwrap_or(DVec3::Z);
    let first = support(-guess);
    let mut simplex = Simplex::default();
    simplex.push(first);
    simplex.weights[0] = 1.0;
    let mut found = Found {
        point_a: first.a,
        point_b: first.b,
        normal: guess,
        lower: guess.dot(first.vector()),
        meets: false,
        simplex,
    };
    let (mut length, mut idle) = (f64::INFINITY, 0);
    for _ in 1..until.steps {
        let v = simplex.nearest();
        let now = v.length();
        // Negated, so that what is not a number ends the search as well.
        if now > length * (1.0 + GJK_PROGRESS) || now.is_nan() {
            break;
        }
        idle += 1;
        if now < length {
            if now < length * (1.0 - GJK_PROGRESS) {
                idle = 0;
            }
            length = now;
            (found.point_a, found.point_b) = simplex.witness();
            found.simplex = simplex;
        }
        found.meets = simplex.len == 4 || now <= GJK_INSIDE * simplex.reach();
        if found.meets {
            break;
        }
        let w = support(-v);
        let lower = v.dot(w.vector()) / now;
        if lower > found.lower {
            (found.lower, found.normal) = (lower, v / now);
            idle = 0;
        }
        if now - lower <= until.gap * now + until.slack || idle > GJK_IDLE || simplex.has(&w) {
            break;
        }
        simplex.push(w);
        simplex.reduce();
    }
    found
}

impl Simplex {
    fn push(&mut self, corner: Difference) {
        self.corners[self.len] = corner;
        self.len += 1;
    }

    /// The corners.
    pub(super) fn corners(&self) -> &[Difference] {
        &self.corners[..self.len]
    }

    fn has(&self, corner: &Difference) -> bool {
        self.corners().iter().any(|old| old.vector() == corner.vector())
    }

    /// The point nearest to the origin, made square to the simplex: summing corners leaves an error in proportion
    /// to them, and along the simplex that error turns the normal.
    fn nearest(&self) -> DVec3 {
        let (a, b) = self.witness();
        let mut v = a - b;
        if self.len < 2 || self.len > 3 {
            return v;
        }
        let base = self.corners[0].vector();
        let first = self.corners[1].vector() - base;
        let mut second = DVec3::ZERO;
        if self.len == 3 {
            let edge = self.corners[2].vector() - base;
            second = edge - first * (edge.dot(first) / first.length_squared());
        }
        let square = v.length_squared();
        for edge in [first, second] {
            if edge.length_squared() > square {
                v -= edge * (v.dot(edge) / edge.length_squared());
            }
        }
        v
    }

    fn witness(&self) -> (DVec3, DVec3) {
        let mut sum = (DVec3::ZERO, DVec3::ZERO);
        for (corner, weight) in self.corners().iter().zip(self.weights) {
            sum.0 += weight * corner.a;
            sum.1 += weight * corner.b;
        }
        sum
    }

    /// Largest distance of a corner from the origin: rounding of differences is a share of it.
    fn reach(&self) -> f64 {
        self.corners().iter().map(|corner| corner.vector().length()).fold(0.0, f64::max)
    }

    /// Keeps the corners that carry the point nearest to the origin, with their weights.
    fn reduce(&mut self) {
        let points = self.corners.map(|corner| corner.vector());
        let nearest = match self.len {
            2 => on_segment(&points, [0, 1]),
            3 => on_triangle(&points, [0, 1, 2]),
            4 => in_tetrahedron(&points),
            _ => return,
        };
        let old = *self;
        self.len = 0;
        for (index, weight) in nearest.into_iter().enumerate() {
            if weight > 0.0 {
                self.weights[self.len] = weight;
                self.push(old.corners[index]);
            }
        }
    }
}

/// Weights of the corners of a simplex; they sum to 1.
type Weights = [f64; 4];

fn combine(points: &[DVec3; 4], weights: &Weights) -> DVec3 {
    points.iter().zip(weights).map(|(point, weight)| *point * *weight).sum()
}

fn on_segment(points: &[DVec3; 4], [i, j]: [usize; 2]) -> Weights {
    let (a, b) = (points[i], points[j]);
    let along = b - a;
    let share = (-a.dot(along) / along.length_squared()).clamp(0.0, 1.0);
    let mut weights = [0.0; 4];
    // Not a number where the corners coincide: then the newer one.
    weights[j] = if share.is_nan() { 1.0 } else { share };
    weights[i] = 1.0 - weights[j];
    weights
}

/// Inside where the three areas seen from the origin's foot have one sign, else on the nearest side.
fn on_triangle(points: &[DVec3; 4], [i, j, k]: [usize; 3]) -> Weights {
    let (a, b, c) = (points[i], points[j], points[k]);
    let normal = (b - a).cross(c - a);
    let areas =
        [normal.dot(b.cross(c - b)), normal.dot(c.cross(a - c)), normal.dot(a.cross(b - a))];
    let total = areas[0] + areas[1] + areas[2];
    if total > 0.0 && areas.iter().all(|area| *area > 0.0) {
        let mut weights = [0.0; 4];
        weights[i] = areas[0] / total;
        weights[j] = areas[1] / total;
        weights[k] = areas[2] / total;
        return weights;
    }
    nearest_of(points, [[i, j], [j, k], [k, i]].map(|side| on_segment(points, side)))
}

/// The whole tetrahedron where the origin lies inside, else the nearest of the faces.
fn in_tetrahedron(points: &[DVec3; 4]) -> Weights {
    let [a, b, c, d] = *points;
    let volumes = [b.dot(c.cross(d)), -a.dot(c.cross(d)), a.dot(b.cross(d)), -a.dot(b.cross(c))];
    let total: f64 = volumes.iter().sum();
    let shares = volumes.map(|volume| volume / total);
    if shares.iter().all(|share| *share > 0.0) {
        return shares;
    }
    let faces = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
    nearest_of(points, faces.map(|face| on_triangle(points, face)))
}

fn nearest_of<const N: usize>(points: &[DVec3; 4], choices: [Weights; N]) -> Weights {
    let mut best = (f64::INFINITY, choices[0]);
    for weights in choices {
        let length = combine(points, &weights).length_squared();
        if length < best.0 {
            best = (length, weights);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: Until = Until { steps: 64, gap: 1e-14, slack: 0.0 };

    /// A box of half sizes `half` around `center` against the origin.
    fn boxed(center: DVec3, half: DVec3) -> impl FnMut(DVec3) -> Difference {
        move |d| Difference { a: center + half.copysign(d), b: DVec3::ZERO }
    }

    #[test]
    fn boxes_are_found_at_faces_edges_and_corners() {
        let half = DVec3::new(1.0, 2.0, 3.0);
        for (center, nearest) in [
            (DVec3::new(3.0, 0.5, -1.0), DVec3::X * 2.0),
            (DVec3::new(3.0, 4.0, -1.0), DVec3::new(2.0, 2.0, 0.0)),
            (DVec3::new(-3.0, 4.0, 5.0), DVec3::new(-2.0, 2.0, 2.0)),
        ] {
            let found = search(boxed(center, half), DVec3::new(0.3, 0.2, -0.9), FULL);
            assert!(found.point_a.distance(nearest) < 1e-15, "{found:?}");
            assert!((found.lower - nearest.length()).abs() < 1e-14, "{found:?}");
            assert!(!found.meets);
        }
    }

    #[test]
    fn balls_are_bounded_from_both_sides() {
        let center = DVec3::new(1.0, -2.0, 2.0);
        let ball = |d: DVec3| Difference { a: center + d.normalize_or_zero(), b: DVec3::ZERO };
        let found = search(ball, DVec3::X, FULL);
        assert!(found.lower <= 2.0 + 1e-15 && found.lower > 2.0 - 1e-9, "{found:?}");
        let upper = found.point_a.length();
        assert!((2.0 - 1e-15..2.0 + 1e-9).contains(&upper), "{found:?}");
    }

    #[test]
    fn overlaps_end_with_a_simplex_around_the_origin() {
        let found = search(boxed(DVec3::new(0.1, -0.2, 0.3), DVec3::ONE), DVec3::ZERO, FULL);
        assert!(found.meets, "{found:?}");
        let flat = search(boxed(DVec3::ZERO, DVec3::new(1.0, 1.0, 0.0)), DVec3::X, FULL);
        assert!(flat.meets && flat.lower <= 0.0, "{flat:?}");
    }
}
