//! Cuts a polygon into triangles between its corners.
//!
//! The polygon is seen along the coordinate axis nearest to its normal (Newell's sum), which keeps the
//! coordinates as they are, so that turns are decided exactly. Then ears are clipped: a corner is an ear
//! if it turns left and no other corner lies in or on its triangle. A simple polygon always has one
//! (Meisters 1975), except that corners on a straight line may leave only flat ones. All clipped ears
//! turn left, hence none overlap if the outline is simple. Which corners are ears is kept and renewed for
//! the two neighbours of each ear clipped, so the time is n² (Eberly, "Triangulation by Ear Clipping").
//!
//! Without a normal or without an ear, the polygon crosses itself or has no area. It is then cut by
//! diagonals from its first corner, and the caller is told.

use std::cmp::Ordering;

use glam::DVec3;

use crate::predicates::turn_2d;

/// A polygon in triangles.
pub(super) struct Cut {
    /// Indices into the outline, with its sense of rotation.
    pub(super) triangles: Vec<[usize; 3]>,
    /// Whether the outline had a normal and an ear at every step.
    pub(super) is_sound: bool,
}

/// Cuts an outline of at least three finite points.
pub(super) fn triangulate(outline: &[DVec3]) -> Cut {
    let Some(points) = project(outline) else {
        return Cut { triangles: fan(outline.len()), is_sound: false };
    };
    if is_strictly_convex(&points) {
        return Cut { triangles: fan(points.len()), is_sound: true };
    }
    match clip_ears(&points) {
        Some(triangles) => Cut { triangles, is_sound: true },
        None => Cut { triangles: fan(points.len()), is_sound: false },
    }
}

fn fan(n: usize) -> Vec<[usize; 3]> {
    (1..n - 1).map(|i| [0, i, i + 1]).collect()
}

/// The outline in the coordinate plane it is seen best in, counter-clockwise; none if it has no normal.
fn project(outline: &[DVec3]) -> Option<Vec<[f64; 2]>> {
    let origin = outline[0];
    let arms = outline.windows(2).map(|w| (w[0] - origin).cross(w[1] - origin));
    let normal: DVec3 = arms.sum();
    let size = normal.abs();
    if !normal.is_finite() || size.max_element() == 0.0 {
        return None;
    }
    let flatten: fn(DVec3) -> [f64; 2] = if size.x >= size.y && size.x >= size.z {
        if normal.x > 0.0 { |p| [p.y, p.z] } else { |p| [p.z, p.y] }
    } else if size.y >= size.z {
        if normal.y > 0.0 { |p| [p.z, p.x] } else { |p| [p.x, p.z] }
    } else if normal.z > 0.0 {
        |p| [p.x, p.y]
    } else {
        |p| [p.y, p.x]
    };
    Some(outline.iter().map(|p| flatten(*p)).collect())
}

/// Whether every corner turns left and the outline goes around once.
fn is_strictly_convex(points: &[[f64; 2]]) -> bool {
    let n = points.len();
    let at = |i: usize| points[i % n];
    // An outline that goes around once changes its direction along x just twice.
    let goes_right =
        |i: usize| at(i + 1)[0] > at(i)[0] || (at(i + 1)[0] == at(i)[0] && at(i + 1)[1] > at(i)[1]);
    let n_reversals = (0..n).filter(|&i| goes_right(i) != goes_right(i + 1)).count();
    n_reversals == 2 && (0..n).all(|i| turn_2d(at(i), at(i + 1), at(i + 2)) == Ordering::Greater)
}

/// Corners that are left, as a ring, and which of them are ears.
struct Ring<'a> {
    points: &'a [[f64; 2]],
    before: Vec<usize>,
    after: Vec<usize>,
    is_ear: Vec<bool>,
}

fn clip_ears(points: &[[f64; 2]]) -> Option<Vec<[usize; 3]>> {
    let n = points.len();
    let mut ring = Ring {
        points,
        before: (0..n).map(|i| (i + n - 1) % n).collect(),
        after: (0..n).map(|i| (i + 1) % n).collect(),
        is_ear: vec![false; n],
    };
    for i in 0..n {
        ring.is_ear[i] = ring.tells_ear(i);
    }
    let mut triangles = Vec::with_capacity(n - 2);
    let mut at = 0;
    for n_left in (3..=n).rev() {
        at = ring.find_ear(at, n_left)?;
        let (a, c) = (ring.before[at], ring.after[at]);
        triangles.push([a, at, c]);
        ring.after[a] = c;
        ring.before[c] = a;
        ring.is_ear[a] = ring.tells_ear(a);
        ring.is_ear[c] = ring.tells_ear(c);
        // Going on behind the neighbour spreads the cuts, which avoids needless slivers.
        at = ring.after[c];
    }
    Some(triangles)
}

impl Ring<'_> {
    /// The first ear from `start` on. If none is marked, all marks are renewed once: rounding cannot
    /// mislead them, but an outline that touches itself can.
    fn find_ear(&mut self, start: usize, n_left: usize) -> Option<usize> {
        let corners = |ring: &Self| {
            std::iter::successors(Some(start), |&i| Some(ring.after[i]))
                .take(n_left)
                .collect::<Vec<_>>()
        };
        if let Some(marked) = self.first_marked(start, n_left) {
            return Some(marked);
        }
        for i in corners(self) {
            self.is_ear[i] = self.tells_ear(i);
        }
        self.first_marked(start, n_left)
    }

    fn first_marked(&self, start: usize, n_left: usize) -> Option<usize> {
        std::iter::successors(Some(start), |&i| Some(self.after[i]))
            .take(n_left)
            .find(|&i| self.is_ear[i])
    }

    /// Whether the corner turns left and its triangle holds no other corner, except at its own corners.
    fn tells_ear(&self, corner: usize) -> bool {
        let triangle = [self.before[corner], corner, self.after[corner]].map(|i| self.points[i]);
        let [a, b, c] = triangle;
        if turn_2d(a, b, c) != Ordering::Greater {
            return false;
        }
        let mut other = self.after[self.after[corner]];
        while other != self.before[corner] {
            let p = self.points[other];
            if !triangle.contains(&p) && is_inside(p, triangle) {
                return false;
            }
            other = self.after[other];
        }
        true
    }
}

/// Whether a point lies in or on a counter-clockwise triangle.
fn is_inside(p: [f64; 2], [a, b, c]: [[f64; 2]; 3]) -> bool {
    [(a, b), (b, c), (c, a)].iter().all(|&(s, e)| turn_2d(s, e, p) != Ordering::Less)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    /// Sum of the triangles' areas, signed by the outline's sense: equal to the outline's area and free
    /// of negative parts, the pieces neither overlap nor leave gaps.
    fn check(outline: &[[f64; 2]]) {
        let lift = |[x, y]: [f64; 2]| DVec3::new(x, y, 0.5 * x - 0.25 * y);
        let lifted: Vec<_> = outline.iter().copied().map(lift).collect();
        let cut = triangulate(&lifted);
        assert!(cut.is_sound);
        assert_eq!(cut.triangles.len(), outline.len() - 2);
        let area = |[a, b, c]: [[f64; 2]; 3]| {
            0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
        };
        let whole: f64 =
            (1..outline.len() - 1).map(|i| area([outline[0], outline[i], outline[i + 1]])).sum();
        let parts: Vec<f64> =
            cut.triangles.iter().map(|t| area(t.map(|i| outline[i])) * whole.signum()).collect();
        assert!(parts.iter().all(|&part| part > 0.0), "{parts:?}");
        let sum: f64 = parts.iter().sum();
        // Rounding of a few dozen sums.
        assert!((sum - whole.abs()).abs() < 1e-12 * whole.abs(), "{sum} {whole}");
    }

    #[test]
    fn concave_outlines_are_covered_once() {
        let arrow = [[0.0, 0.0], [2.0, 1.0], [0.0, 2.0], [1.0, 1.0]];
        let comb = [
            [0.0, 0.0],
            [7.0, 0.0],
            [7.0, 3.0],
            [6.0, 3.0],
            [6.0, 1.0],
            [4.0, 1.0],
            [4.0, 3.0],
            [3.0, 3.0],
            [3.0, 1.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [0.0, 3.0],
        ];
        for outline in [&arrow[..], &comb[..]] {
            for start in 0..outline.len() {
                let mut turned = outline.to_vec();
                turned.rotate_left(start);
                check(&turned);
                turned.reverse();
                check(&turned);
            }
        }
    }

    #[test]
    fn corners_on_a_straight_edge_make_no_flat_triangle() {
        check(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [3.0, 3.0], [0.0, 3.0]]);
    }

    #[test]
    fn a_hole_joined_by_a_bridge_stays_open() {
        check(&[
            [0.0, 0.0],
            [4.0, 0.0],
            [4.0, 4.0],
            [0.0, 4.0],
            [0.0, 0.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [3.0, 3.0],
            [3.0, 1.0],
            [1.0, 1.0],
        ]);
    }

    #[test]
    fn a_star_that_goes_around_twice_is_not_convex() {
        let tip = |k: f64| [libm::cos(k * 0.8 * PI), libm::sin(k * 0.8 * PI)];
        let star: Vec<_> = [0.0, 1.0, 2.0, 3.0, 4.0].map(tip).to_vec();
        assert!(!is_strictly_convex(&star));
    }

    #[test]
    fn outlines_without_area_are_fanned_and_reported() {
        let bow =
            [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]].map(|[x, y]| DVec3::new(x, y, 0.0));
        for outline in [bow.to_vec(), vec![DVec3::ONE; 5]] {
            let cut = triangulate(&outline);
            assert!(!cut.is_sound);
            assert_eq!(cut.triangles.len(), outline.len() - 2);
        }
    }
}
