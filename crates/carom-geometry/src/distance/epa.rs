//! Depth of an overlap from support points alone: a polytope that grows from inside.
//!
//! The corners of the polytope lie on the boundary of A − B and the origin inside it, so the distance from the origin
//! to its nearest face bounds the depth from below, over all directions at once; the support plane along any
//! direction bounds it from above. The nearest face is replaced by faces to the support point over it until the
//! bounds are close. (Van den Bergen's expanding polytope, with room for a fixed number of corners.)
//!
//! Where a direction is known already and the question is whether another one is better, growth ends sooner: as soon as
//! one is found, or the nearest face is about as far as the known depth.

use glam::DVec3;

use super::gjk::{Difference, Simplex};
use crate::tolerances::{EPA_FLAT, EPA_FLOOR, EPA_ROUGH_GAP, EPA_VISIBLE};

/// Corners at most; faces are at most twice as many.
const MAX_CORNERS: usize = 128;
const MAX_FACES: usize = 2 * MAX_CORNERS;

/// What was found out about the depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Depth {
    /// The unit vector, from B to A, along which the overlap was found least deep.
    pub(super) normal: DVec3,
    /// s(normal), minus an upper bound on the depth.
    pub(super) lower: f64,
    /// Minus a lower bound on the depth over all directions.
    pub(super) upper: f64,
    /// Point of A that belongs to the normal.
    pub(super) point_a: DVec3,
    /// Point of B that belongs to it.
    pub(super) point_b: DVec3,
}

#[derive(Clone, Copy, Debug)]
struct Face {
    corners: [u8; 3],
    /// Outward unit normal, or zero for a face that is no more.
    normal: DVec3,
    /// Distance of its plane from the origin.
    distance: f64,
}

const NO_FACE: Face = Face { corners: [0; 3], normal: DVec3::ZERO, distance: f64::INFINITY };

struct Polytope {
    corners: [Difference; MAX_CORNERS],
    n_corners: usize,
    faces: [Face; MAX_FACES],
    n_faces: usize,
    /// A bit for every face below `n_faces` that is no more.
    free: [u64; MAX_FACES / 64],
    /// Distance below which a point counts as in a plane.
    thin: f64,
}

/// The depth of the overlap in which a search by support points has ended; `None` where A − B is flat.
///
/// `support` is as for [`super::gjk::search`]; the bounds are brought as close as `gap`, a share of the depth.
pub(super) fn depth(
    support: impl FnMut(DVec3) -> Difference,
    simplex: &Simplex,
    size: f64,
    gap: f64,
) -> Option<Depth> {
    grown(support, simplex, size, |depth| {
        depth.upper - depth.lower <= (gap * -depth.lower).max(EPA_FLOOR * size)
    })
}

/// Whether a direction is found along which the overlap is less deep than along one of width `known`.
///
/// Otherwise as [`depth`].
pub(super) fn has_rival(
    support: impl FnMut(DVec3) -> Difference,
    simplex: &Simplex,
    size: f64,
    known: f64,
) -> bool {
    let gap = (EPA_ROUGH_GAP * -known).max(EPA_FLOOR * size);
    let decided = |depth: &Depth| depth.lower > known || depth.upper - known <= gap;
    grown(support, simplex, size, decided).is_some_and(|depth| depth.lower > known)
}

/// Grows a polytope until `decided`, or there is no room or nothing to grow.
fn grown(
    mut support: impl FnMut(DVec3) -> Difference,
    simplex: &Simplex,
    size: f64,
    decided: impl Fn(&Depth) -> bool,
) -> Option<Depth> {
    let mut polytope = Polytope::around(&mut support, simplex, size)?;
    let mut best = Depth {
        normal: DVec3::Z,
        lower: f64::NEG_INFINITY,
        upper: 0.0,
        point_a: DVec3::ZERO,
        point_b: DVec3::ZERO,
    };
    loop {
        let face = polytope.nearest_face();
        let w = support(face.normal);
        let height = face.normal.dot(w.vector());
        best.upper = -face.distance;
        if -height > best.lower {
            (best.lower, best.normal) = (-height, -face.normal);
            (best.point_a, best.point_b) = polytope.witness(&face);
        }
        if decided(&best) || height - face.distance <= polytope.thin || !polytope.grow(w) {
            return Some(best);
        }
    }
}

impl Polytope {
    /// A tetrahedron with the simplex among its corners, as far as the difference of the solids has room for one.
    fn around(
        support: &mut impl FnMut(DVec3) -> Difference,
        simplex: &Simplex,
        size: f64,
    ) -> Option<Self> {
        let thin = EPA_FLAT * size;
        let mut this = Self {
            corners: [Difference::default(); MAX_CORNERS],
            n_corners: 0,
            faces: [NO_FACE; MAX_FACES],
            n_faces: 0,
            free: [0; MAX_FACES / 64],
            thin: EPA_VISIBLE * size,
        };
        for corner in simplex.corners() {
            this.offer(*corner, thin);
        }
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            for direction in [axis, -axis] {
                if this.n_corners < 4 {
                    let direction = this.across(direction);
                    this.offer(support(direction), thin);
                }
            }
        }
        if this.n_corners < 4 {
            return None;
        }
        let [a, b, c, d] = [0, 1, 2, 3].map(|i: usize| this.corners[i].vector());
        let turned = (b - a).cross(c - a).dot(d - a) > 0.0;
        let faces: [[u8; 3]; 4] = if turned {
            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
        } else {
            [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]
        };
        for corners in faces {
            this.add_face(corners);
        }
        Some(this)
    }

    /// The direction without its part along the corners there are; itself if nothing is left.
    fn across(&self, direction: DVec3) -> DVec3 {
        let base = self.corners[0].vector();
        let rest = match self.n_corners {
            2 => {
                let e = (self.corners[1].vector() - base).normalize_or_zero();
                direction - e * e.dot(direction)
            }
            3 => {
                let n = (self.corners[1].vector() - base).cross(self.corners[2].vector() - base);
                n * n.dot(direction)
            }
            _ => direction,
        };
        rest.try_normalize().unwrap_or(direction)
    }

    /// Takes a corner if it is off the point, line or plane of those there are.
    fn offer(&mut self, corner: Difference, thin: f64) {
        let p = corner.vector();
        let at = |i: usize| self.corners[i].vector();
        let off = match self.n_corners {
            0 => f64::INFINITY,
            1 => p.distance(at(0)),
            2 => {
                let e = (at(1) - at(0)).normalize_or_zero();
                (p - at(0)).cross(e).length()
            }
            3 => {
                let n = (at(1) - at(0)).cross(at(2) - at(0)).normalize_or_zero();
                n.dot(p - at(0)).abs()
            }
            _ => 0.0,
        };
        if off > thin {
            self.corners[self.n_corners] = corner;
            self.n_corners += 1;
        }
    }

    fn add_face(&mut self, corners: [u8; 3]) -> bool {
        let [a, b, c] = corners.map(|i| self.corners[usize::from(i)].vector());
        let across = (b - a).cross(c - a);
        let normal = (across / across.abs().max_element()).normalize_or_zero();
        // A face without an area bounds nothing; its neighbours do.
        let distance = if normal == DVec3::ZERO { f64::INFINITY } else { normal.dot(a) };
        let index = self.take_free().unwrap_or(self.n_faces);
        if index == MAX_FACES {
            return false;
        }
        self.n_faces = self.n_faces.max(index + 1);
        self.faces[index] = Face { corners, normal, distance };
        true
    }

    /// The first free place below `n_faces`, which is free no more.
    fn take_free(&mut self) -> Option<usize> {
        let word = self.free.iter().position(|word| *word != 0)?;
        let bit = self.free[word].trailing_zeros() as usize;
        self.free[word] &= self.free[word] - 1;
        Some(64 * word + bit)
    }

    fn nearest_face(&self) -> Face {
        let mut best = NO_FACE;
        for face in &self.faces[..self.n_faces] {
            if face.distance < best.distance {
                best = *face;
            }
        }
        best
    }

    /// The points of A and B whose difference is the point of the face nearest to the origin.
    fn witness(&self, face: &Face) -> (DVec3, DVec3) {
        let corners = face.corners.map(|i| self.corners[usize::from(i)]);
        let [a, b, c] = corners.map(|corner| corner.vector());
        let across = (b - a).cross(c - a);
        let areas = [b.cross(c - b), c.cross(a - c), a.cross(b - a)].map(|area| across.dot(area));
        let total: f64 = areas.iter().sum();
        let weights = areas.map(|area| if total > 0.0 { area / total } else { 1.0 / 3.0 });
        let sum = |of: fn(&Difference) -> DVec3| -> DVec3 {
            corners.iter().zip(weights).map(|(corner, weight)| weight * of(corner)).sum()
        };
        (sum(|corner| corner.a), sum(|corner| corner.b))
    }

    /// Replaces the faces that the point lies above by faces between it and their border.
    fn grow(&mut self, corner: Difference) -> bool {
        if self.n_corners == MAX_CORNERS {
            return false;
        }
        let top = self.n_corners as u8;
        self.corners[self.n_corners] = corner;
        self.n_corners += 1;
        let p = corner.vector();
        let mut border = [[0_u8; 2]; 3 * MAX_FACES];
        let mut n_border = 0;
        for i in 0..self.n_faces {
            let face = self.faces[i];
            if face.corners == [0; 3] || face.normal.dot(p) - face.distance <= self.thin {
                continue;
            }
            self.faces[i] = NO_FACE;
            self.free[i / 64] |= 1 << (i % 64);
            let [a, b, c] = face.corners;
            for edge in [[a, b], [b, c], [c, a]] {
                if let Some(twin) =
                    border[..n_border].iter().position(|old| *old == [edge[1], edge[0]])
                {
                    n_border -= 1;
                    border[twin] = border[n_border];
                } else {
                    border[n_border] = edge;
                    n_border += 1;
                }
            }
        }
        border[..n_border].iter().all(|[from, to]| self.add_face([*from, *to, top]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::gjk::{Until, search};
    use crate::tolerances::EPA_GAP;

    fn depth_of(mut support: impl FnMut(DVec3) -> Difference, size: f64) -> Depth {
        let found = search(&mut support, DVec3::ZERO, Until { steps: 64, gap: 1e-14, slack: 0.0 });
        assert!(found.meets, "{found:?}");
        depth(support, &found.simplex, size, EPA_GAP).expect("the difference has a volume")
    }

    #[test]
    fn a_box_is_left_through_its_nearest_face() {
        let (center, half) = (DVec3::new(0.3, -0.8, 0.5), DVec3::new(1.0, 2.0, 3.0));
        let support = |d: DVec3| Difference { a: center + half.copysign(d), b: DVec3::ZERO };
        let depth = depth_of(support, 3.0);
        assert!(
            (depth.lower + 0.7).abs() < 1e-15 && (depth.upper + 0.7).abs() < 1e-15,
            "{depth:?}"
        );
        assert!(depth.normal.distance(DVec3::X) < 1e-15, "{depth:?}");
        assert!((depth.point_a - DVec3::X * -0.7).length() < 1e-14, "{depth:?}");
    }

    #[test]
    fn a_ball_is_bounded_from_both_sides() {
        let center = DVec3::new(0.1, 0.2, -0.2);
        let support = |d: DVec3| Difference { a: center + d.normalize_or_zero(), b: DVec3::ZERO };
        let depth = depth_of(support, 1.0);
        assert!(depth.lower <= -0.7 + 1e-12 && depth.upper >= -0.7 - 1e-12, "{depth:?}");
        assert!(depth.upper - depth.lower < 1e-4, "{depth:?}");
    }

    #[test]
    fn what_is_flat_has_no_depth() {
        let support = |d: DVec3| Difference {
            a: DVec3::new(1.0_f64.copysign(d.x), 1.0_f64.copysign(d.y), 0.0),
            b: DVec3::ZERO,
        };
        let until = Until { steps: 64, gap: 1e-14, slack: 0.0 };
        let found = search(support, DVec3::X, until);
        assert!(depth(support, &found.simplex, 1.0, EPA_GAP).is_none());
    }
}
