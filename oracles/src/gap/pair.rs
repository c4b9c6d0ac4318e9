//! Two placed bodies.

use glam::{DMat3, DVec3};

use super::body::{Body, Plane};
use super::mesh::{Least, MeshStand, surface_to_convex, surface_to_surface};
use super::pieces::{Piece, What, frame};
use super::programme::{Found, Stand, measure, rounding};
use super::tolerances::{MOST_SHIFT_STEPS, SHIFT_STEPS};
use super::{Gap, Pose};

/// Two bodies, in the axes of the world with the origin at A's place.
#[derive(Clone, Debug)]
pub(super) struct Pair<'a> {
    a: Side<'a>,
    b: Side<'a>,
}

/// One body of a pair.
#[derive(Clone, Debug)]
struct Side<'a> {
    body: &'a Body,
    rotation: DMat3,
    origin: DVec3,
}

/// A piece of one.
#[derive(Clone, Copy, Debug)]
enum Placed<'a> {
    Convex(Stand<'a>),
    Mesh(MeshStand<'a>),
}

impl<'a> Pair<'a> {
    pub(super) fn new(a: &'a Body, pose_a: &Pose, b: &'a Body, pose_b: &Pose) -> Self {
        let side = |body, pose: &Pose| {
            let (rotation, origin) = frame(pose, pose_a);
            Side { body, rotation, origin }
        };
        Self { a: side(a, pose_a), b: side(b, pose_b) }
    }

    /// The lengths involved: of both bodies and between them; of a half-space, up to the other body `[m]`.
    pub(super) fn extent(&self) -> f64 {
        self.a.lengths() + self.b.lengths()
    }

    pub(super) fn gap(&self) -> Gap {
        let gap = match (self.a.plane(), self.b.plane()) {
            (None, None) => self.bounded().0,
            (Some(plane), None) => above(&plane, &self.b, self.extent()),
            (None, Some(plane)) => above(&plane, &self.a, self.extent()),
            (Some(_), Some(_)) => Gap::UNKNOWN,
        };
        if gap.lower.is_nan() || gap.upper.is_nan() { Gap::UNKNOWN } else { gap }
    }

    /// Width of the slab perpendicular to n between the bodies; a lower bound for any n but a plane's.
    pub(super) fn slab(&self, n: DVec3) -> f64 {
        match (self.a.body.plane, self.b.body.plane) {
            (None, None) => -self.a.reach(-n) - self.b.reach(n) - rounding(self.extent()),
            _ => f64::NEG_INFINITY,
        }
    }

    /// The gap of two bounded bodies, and the direction of the nearest two pieces.
    pub(super) fn separation(&self) -> (Gap, DVec3) {
        let (gap, normal) = self.bounded();
        if gap.lower.is_nan() || gap.upper.is_nan() {
            (Gap::UNKNOWN, normal)
        } else {
            (gap, normal)
        }
    }

    fn bounded(&self) -> (Gap, DVec3) {
        let mut least = Least::none();
        for (bound, one, other) in self.piece_pairs() {
            if bound > least.found.gap.upper {
                break;
            }
            least.take(between(&self.a.placed(one), &self.b.placed(other)));
        }
        let Found { mut gap, normal } = least.found;
        let is_convex = |side: &Side<'_>| {
            matches!(side.body.pieces.as_slice(), [Piece { what: What::Convex(_), .. }])
        };
        if gap.lower <= 0.0 && !(is_convex(&self.a) && is_convex(&self.b)) {
            gap.lower = self.shortest_shift(normal).min(gap.upper);
        }
        (gap, normal)
    }

    /// Pairs of pieces with lower bounds of their gaps, the least first.
    fn piece_pairs(&self) -> Vec<(f64, &'a Piece, &'a Piece)> {
        let rounding = rounding(self.extent());
        let mut pairs = Vec::new();
        for one in &self.a.body.pieces {
            for other in &self.b.body.pieces {
                let apart = self.a.point(one.center).distance(self.b.point(other.center));
                pairs.push((apart - one.radius - other.radius - rounding, one, other));
            }
        }
        pairs.sort_by(|x, y| x.0.total_cmp(&y.0));
        pairs
    }

    /// The best slab that a compass search on the sphere finds from some good guesses.
    fn shortest_shift(&self, found: DVec3) -> f64 {
        let axes = [self.a.rotation, self.b.rotation].map(|r| [r.x_axis, r.y_axis, r.z_axis]);
        let between = self.a.point(DVec3::from(self.a.body.center()))
            - self.b.point(DVec3::from(self.b.body.center()));
        let guesses = axes.into_iter().flatten().flat_map(|axis| [axis, -axis]);
        let guesses = guesses.chain(between.try_normalize()).chain([found]);
        let mut best = (f64::NEG_INFINITY, found);
        for n in guesses {
            let slab = self.slab(n);
            if slab > best.0 {
                best = (slab, n);
            }
        }
        let [mut step, last] = SHIFT_STEPS;
        for _ in 0..MOST_SHIFT_STEPS {
            if step < last {
                break;
            }
            let one = best.1.any_orthonormal_vector();
            let other = best.1.cross(one);
            let before = best.0;
            for aside in [one, -one, other, -other] {
                let Some(n) = (best.1 + step * aside).try_normalize() else { continue };
                let slab = self.slab(n);
                if slab > best.0 {
                    best = (slab, n);
                }
            }
            if best.0 <= before {
                step *= 0.5;
            }
        }
        best.0
    }
}

impl<'a> Side<'a> {
    fn point(&self, point_body: DVec3) -> DVec3 {
        self.rotation * point_body + self.origin
    }

    fn plane(&self) -> Option<Plane> {
        let plane = self.body.plane?;
        let normal = self.rotation * plane.normal;
        Some(Plane { normal, offset: plane.offset + normal.dot(self.origin) })
    }

    fn lengths(&self) -> f64 {
        let center = DVec3::from(self.body.center());
        let radius = if self.body.plane.is_some() { 0.0 } else { self.body.radius() };
        self.origin.length() + 2.0 * center.length() + radius
    }

    fn placed(&self, piece: &'a Piece) -> Placed<'a> {
        let rotation = self.rotation * piece.rotation;
        let origin = self.point(piece.origin);
        match &piece.what {
            What::Convex(convex) => Placed::Convex(Stand { convex, rotation, origin }),
            What::Mesh(mesh) => Placed::Mesh(MeshStand { mesh, rotation, origin }),
        }
    }

    /// How far it reaches along a unit vector.
    fn reach(&self, n: DVec3) -> f64 {
        let reach = |piece: &'a Piece| match self.placed(piece) {
            Placed::Convex(stand) => stand.reach(n),
            Placed::Mesh(stand) => {
                stand.mesh.reach(stand.rotation.transpose() * n) + n.dot(stand.origin)
            }
        };
        self.body.pieces.iter().map(reach).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// Signed distance of a body from a half-space: how high its lowest point lies, apart or not.
fn above(plane: &Plane, side: &Side<'_>, extent: f64) -> Gap {
    let height = -side.reach(-plane.normal) - plane.offset;
    Gap { lower: height, upper: height }.widened(rounding(extent + plane.offset.abs()))
}

/// Signed distance of two pieces; of meshes, from above only where they overlap.
fn between(a: &Placed<'_>, b: &Placed<'_>) -> Found {
    match (a, b) {
        (Placed::Convex(a), Placed::Convex(b)) => measure(a, b),
        (Placed::Mesh(mesh), Placed::Convex(convex)) => mesh_and_convex(mesh, convex),
        (Placed::Convex(convex), Placed::Mesh(mesh)) => {
            let found = mesh_and_convex(mesh, convex);
            Found { normal: -found.normal, ..found }
        }
        (Placed::Mesh(a), Placed::Mesh(b)) => {
            let mut found = surface_to_surface(a, b);
            if found.gap.is_apart() && (a.holds(b.some_corner()) || b.holds(a.some_corner())) {
                // A corner that far inside must be taken out that far at least.
                found.gap = Gap { lower: f64::NEG_INFINITY, upper: -found.gap.lower };
            }
            found
        }
    }
}

fn mesh_and_convex(mesh: &MeshStand<'_>, convex: &Stand<'_>) -> Found {
    let mut found = surface_to_convex(mesh, convex);
    if found.gap.is_apart() && mesh.holds(convex.center()) {
        found.gap = Gap { lower: f64::NEG_INFINITY, upper: -found.gap.lower };
    }
    found
}
