//! Approximate convex decomposition with a certified error.
//!
//! Volumetric decomposition (V-HACD, in `parry3d_f64`) proposes where to cut: it voxelises the solid and
//! halves it by axis-aligned planes until each part is nearly convex. Only the boxes of the parts are taken
//! from it. Where its cuts miss the tolerance, it is asked for finer ones, and then cuts at the walls next to
//! the worst bulge are tried (`refine`). Each piece is the hull of the mesh's surface inside such a box and
//! of those corners of the box that lie in the solid, so pieces carry no trace of the voxels except at the
//! cuts.
//!
//! Three numbers say how good the result is, each bounded from both sides ([`Bound`]): how far the surface
//! sticks out of the union of the pieces, how far the surfaces of the pieces bulge out of the solid, and how
//! far the inside of a piece gets from it (`voids`): a hollow solid must not come back as a full one. What
//! is left open deep inside the solid, between pieces, is not measured: nothing touches there.

mod cells;
mod convex;
mod deviation;
mod refine;
#[cfg(test)]
mod tests;
mod voids;

use glam::DVec3;
use thiserror::Error;

pub use deviation::Bound;

use crate::mesh::ClosedMesh;
use crate::tolerances::{GAP_OF_TOLERANCE, NARROWEST_GAP};
use crate::{ConvexPolyhedron, TriMesh, convex_hull};
use deviation::{Bulge, Search, Uncovered};

/// How finely to decompose and what to accept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecomposeOptions {
    /// Most pieces to make, from 4 to 1024.
    pub max_pieces: u32,
    /// Voxels along the longest side, from 8 to 256.
    pub resolution: u32,
    /// Share of the hull's volume by which a part may differ from its hull before it is cut, from 0 to
    /// 1 `[-]`.
    pub concavity: f64,
    /// Largest accepted deviation as a share of the box diagonal, from 0 to 1 `[-]`.
    pub tolerance: f64,
    /// How tightly to bound the deviations, as a share of the box diagonal, from 10⁻⁶ to 1 `[-]`. Where a
    /// quarter of the tolerance is less, that counts, because a wide bound could not show that it is met.
    pub gap: f64,
    /// Distances to evaluate for each of the bounds, beyond one per triangle; when they are spent the
    /// bounds stay valid but wider.
    pub max_evaluations: u64,
}

impl Default for DecomposeOptions {
    fn default() -> Self {
        Self {
            max_pieces: 32,
            resolution: 64,
            concavity: 0.01,
            tolerance: 0.02,
            gap: 1e-3,
            max_evaluations: 300_000,
        }
    }
}

/// Convex pieces that stand for a solid.
#[derive(Clone, Debug, PartialEq)]
pub struct Decomposition {
    /// The pieces.
    pub pieces: Vec<ConvexPolyhedron>,
    /// Largest distance from the mesh's surface to the union of the pieces `[m]`.
    pub uncovered: Bound,
    /// Largest distance from the surfaces of the pieces to the solid `[m]`.
    pub bulge: Bound,
    /// Largest distance from a point inside a piece to the solid, bounded as tightly as the tolerance asks
    /// `[m]`.
    pub void: Bound,
}

/// Why there is no decomposition.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum DecomposeError {
    /// An option is out of range.
    #[error("{name} is {value}, but must lie between {least} and {most}")]
    Option {
        /// Name of the option.
        name: &'static str,
        /// Its value.
        value: f64,
        /// Least value allowed.
        least: f64,
        /// Largest value allowed.
        most: f64,
    },
    /// The library that proposes the cuts failed.
    #[error("the decomposition library failed: {0}\nhint: try another resolution")]
    Library(String),
    /// No part has a hull with volume.
    #[error("no convex piece came out\nhint: try a finer resolution")]
    NoPieces,
    /// The pieces deviate more than was allowed.
    #[error(
        "the {n_pieces} pieces miss up to {} of the surface, bulge by up to {} and fill voids up to {} from \
         the solid, but only {allowed:.3e} m is allowed\nhint: {}",
        uncovered,
        bulge,
        void,
        hint([uncovered, bulge, void], *allowed)
    )]
    TooCoarse {
        /// Number of pieces.
        n_pieces: usize,
        /// Largest distance from the surface to the pieces `[m]`.
        uncovered: Bound,
        /// Largest distance from the pieces to the solid `[m]`.
        bulge: Bound,
        /// Largest distance from inside a piece to the solid `[m]`.
        void: Bound,
        /// Largest distance allowed `[m]`.
        allowed: f64,
    },
}

/// Cuts a solid into nearly convex parts and certifies their hulls.
///
/// A mesh that is convex up to rounding gives its own hull.
///
/// # Errors
/// If an option is out of range, the library fails, nothing comes out, or the deviation exceeds the
/// tolerance.
pub fn decompose(
    mesh: &ClosedMesh,
    options: &DecomposeOptions,
) -> Result<Decomposition, DecomposeError> {
    options.validate()?;
    let size = mesh.aabb().diagonal();
    if let Some(single) = convex::hull_if_convex(mesh) {
        return Ok(single);
    }
    let gap = options.gap.min(GAP_OF_TOLERANCE * options.tolerance).max(NARROWEST_GAP);
    let search = Search { gap: gap * size, max_evaluations: options.max_evaluations };
    let allowed = options.tolerance * size;
    let mut best: Option<Decomposition> = None;
    for proposal in PROPOSALS {
        let pieces = match proposal {
            Proposal::ByVolume { concavity_share } => {
                let concavity = concavity_share * options.concavity;
                let cells = cells::propose(mesh, &DecomposeOptions { concavity, ..*options })
                    .map_err(DecomposeError::Library)?;
                cells.iter().filter_map(|cell| hull_of(&cells::points_in(mesh, cell))).collect()
            }
            Proposal::ByBulge => {
                // Many small searches share the budget of one.
                let max_evaluations = options.max_evaluations / u64::from(options.max_pieces);
                let small = Search { max_evaluations, ..search };
                refine::refine(mesh, &small, allowed, options.max_pieces as usize)
            }
        };
        let Some(result) = measured(mesh, &search, allowed, pieces) else { continue };
        if result.worst() <= allowed {
            return Ok(result);
        }
        if best.as_ref().is_none_or(|best| result.worst() < best.worst()) {
            best = Some(result);
        }
    }
    let Decomposition { pieces, uncovered, bulge, void } = best.ok_or(DecomposeError::NoPieces)?;
    Err(DecomposeError::TooCoarse { n_pieces: pieces.len(), uncovered, bulge, void, allowed })
}

/// What to try when the bounds exceed what is allowed: if the deviations themselves may still be within it,
/// only the search was too short.
fn hint(deviations: [&Bound; 3], allowed: f64) -> &'static str {
    if deviations.iter().all(|deviation| deviation.lower <= allowed) {
        "the pieces may be good enough, but the bounds are too wide to tell; raise max_evaluations"
    } else {
        "allow more pieces, a finer resolution or a larger tolerance"
    }
}

/// A way to place the cuts.
#[derive(Clone, Copy, Debug)]
enum Proposal {
    /// By volume, at this share of the concavity that the caller gave.
    ByVolume { concavity_share: f64 },
    /// At the wall next to the worst bulge.
    ByBulge,
}

/// Tried in turn until one meets the tolerance. The first has the fewest pieces; the second serves bent
/// and round solids, the third those around holes with flat walls.
const PROPOSALS: [Proposal; 3] = [
    Proposal::ByVolume { concavity_share: 1.0 },
    Proposal::ByVolume { concavity_share: 0.1 },
    Proposal::ByBulge,
];

/// The pieces with their deviations; `None` without pieces.
fn measured(
    mesh: &ClosedMesh,
    search: &Search,
    allowed: f64,
    pieces: Vec<ConvexPolyhedron>,
) -> Option<Decomposition> {
    if pieces.is_empty() {
        return None;
    }
    let surfaces: Vec<TriMesh> = pieces.iter().map(ConvexPolyhedron::to_mesh).collect();
    let uncovered = search.largest(mesh.mesh().iter_corners(), &Uncovered::new(&surfaces));
    let corners = surfaces.iter().flat_map(TriMesh::iter_corners);
    let bulge = search.largest(corners, &Bulge { solid: mesh });
    let budget = search.max_evaluations / pieces.len() as u64;
    let mut void = Bound { lower: 0.0, upper: 0.0 };
    for (piece, surface) in pieces.iter().zip(&surfaces) {
        let (found, _) = voids::deepest_void(mesh, piece, surface, allowed, budget);
        void = Bound { lower: void.lower.max(found.lower), upper: void.upper.max(found.upper) };
    }
    Some(Decomposition { pieces, uncovered, bulge, void })
}

impl Decomposition {
    /// The largest of the upper bounds on all deviations `[m]`.
    pub fn worst(&self) -> f64 {
        self.uncovered.upper.max(self.bulge.upper).max(self.void.upper)
    }
}

impl DecomposeOptions {
    fn validate(&self) -> Result<(), DecomposeError> {
        let ranges = [
            ("max_pieces", f64::from(self.max_pieces), 4.0, 1024.0),
            ("resolution", f64::from(self.resolution), 8.0, 256.0),
            ("concavity", self.concavity, 0.0, 1.0),
            ("tolerance", self.tolerance, 0.0, 1.0),
            ("gap", self.gap, 1e-6, 1.0),
        ];
        for (name, value, least, most) in ranges {
            if !(least..=most).contains(&value) {
                return Err(DecomposeError::Option { name, value, least, most });
            }
        }
        Ok(())
    }
}

/// The hull of points; `None` without volume.
fn hull_of(points: &[DVec3]) -> Option<ConvexPolyhedron> {
    convex_hull(points).ok().filter(|hull| convex::has_volume(&hull.to_mesh()))
}
