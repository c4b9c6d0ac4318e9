//! Exact mass integrals of polyhedra (M chapter 6, guide MP-1 to MP-5).
//!
//! The ten integrals ∫x^i y^j z^k dV of degree ≤ 2 over a solid bounded by planar faces are reduced in
//! three exact steps, so the cost is one pass over the edges:
//!
//! 1. *Divergence theorem* (M 6.5-6.14): each volume integral becomes a sum of face integrals weighted with
//!    the face normal, T_1 = Σ n_x F_x, T_x = ½Σ n_x F_{x²}, T_{x²} = ⅓Σ n_x F_{x³}, T_{xy} = ½Σ n_x F_{x²y}.
//! 2. *Projection* (M 6.16): with (α, β, γ) the cyclic permutation of (x, y, z) that makes |n_γ| largest,
//!    hence ≥ 1/√3, the face integral is an integral over the face's shadow in the αβ-plane, γ being
//!    −(n_α·α + n_β·β + w)/n_γ on the face.
//! 3. *Green's theorem* (M 6.26): each projection integral π is a sum over the shadow's edges.
//!
//! | thesis | here |
//! |---|---|
//! | sgn n̂_γ in π and |n̂_γ|⁻¹ in F | both dropped: only their product occurs, so π is unsigned and F divides by n_γ |
//! | faces with one boundary loop | any number of loops; a hole runs clockwise, and its edges are just added |
//! | integration about the given origin | about a point of the solid, scaled by a power of two, and moved back exactly as densities are (MP-5): digits do not depend on where or how large the model is |
//! | plain sums | compensated sums (Neumaier), since a million faces of mixed sign cancel |
//!
//! A unit normal is not needed: with the vector area N = |N|·n, every product n·F/n_γ of step 2 is
//! unchanged when n is scaled, so Newell's sum is used as it is.

use glam::DVec3;

use super::{MassError, MassProperties, inertia_from_second_moments, positive};
use crate::mesh::TriMesh;
use crate::polyhedron::ConvexPolyhedron;

/// The ten integrals of degree ≤ 2 over a solid, about the origin of its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeIntegrals {
    /// T_1 = ∫dV, negative if the faces are wound inwards `[m³]`.
    pub volume: f64,
    /// T_x, T_y, T_z `[m⁴]`.
    pub first: DVec3,
    /// T_{x²}, T_{y²}, T_{z²} `[m⁵]`.
    pub squares: DVec3,
    /// T_{xy}, T_{yz}, T_{zx} `[m⁵]`.
    pub products: DVec3,
}

impl VolumeIntegrals {
    /// Over the solid bounded by a closed mesh.
    pub fn of_mesh(mesh: &TriMesh) -> Self {
        LocalIntegrals::of_mesh(mesh).about_origin()
    }

    /// Over a solid given by polygonal faces. A face is a list of loops: the outer one counter-clockwise
    /// seen from outside, holes clockwise. Faces must be planar and close the surface; those without area
    /// are skipped.
    pub fn of_faces<'a>(faces: impl IntoIterator<Item = &'a [&'a [DVec3]]> + Clone) -> Self {
        LocalIntegrals::of_faces(faces).about_origin()
    }
}

impl MassProperties {
    /// Of the uniform solid bounded by a closed mesh.
    ///
    /// # Errors
    /// If the density is not positive, or the enclosed volume is not.
    pub fn of_mesh(mesh: &TriMesh, density: f64) -> Result<Self, MassError> {
        LocalIntegrals::of_mesh(mesh).with_density(density)
    }

    /// Of a uniform convex polyhedron.
    ///
    /// # Errors
    /// If the density is not positive or the volume not representable.
    pub fn of_polyhedron(solid: &ConvexPolyhedron, density: f64) -> Result<Self, MassError> {
        let bounds = LocalIntegrals::around(solid.vertices().iter().copied());
        let corners = |face: usize| solid.face_vertices(face).map(|v| solid.vertices()[v as usize]);
        let faces = (0..solid.faces().len()).map(|face| std::iter::once(corners(face)));
        bounds.integrate(faces).with_density(density)
    }

    /// Of a uniform solid given by polygonal faces, as [`VolumeIntegrals::of_faces`] takes them.
    ///
    /// # Errors
    /// If the density is not positive, or the enclosed volume is not.
    pub fn of_faces<'a>(
        faces: impl IntoIterator<Item = &'a [&'a [DVec3]]> + Clone,
        density: f64,
    ) -> Result<Self, MassError> {
        LocalIntegrals::of_faces(faces).with_density(density)
    }
}

/// Integrals in coordinates ξ = (x − origin)/2^exponent, in which the solid has size about one.
struct LocalIntegrals {
    origin: DVec3,
    exponent: i32,
    integrals: VolumeIntegrals,
}

impl LocalIntegrals {
    const NOTHING: VolumeIntegrals = VolumeIntegrals {
        volume: 0.0,
        first: DVec3::ZERO,
        squares: DVec3::ZERO,
        products: DVec3::ZERO,
    };

    fn of_mesh(mesh: &TriMesh) -> Self {
        let faces = mesh.iter_corners().map(|corners| std::iter::once(corners.into_iter()));
        // Around the corners, not the vertices: one that no triangle names must not set the scale.
        Self::around(mesh.iter_corners().flatten()).integrate(faces)
    }

    fn of_faces<'a>(faces: impl IntoIterator<Item = &'a [&'a [DVec3]]> + Clone) -> Self {
        let points =
            faces.clone().into_iter().flatten().flat_map(|corners| corners.iter().copied());
        let loops = |face: &'a [&'a [DVec3]]| face.iter().map(|corners| corners.iter().copied());
        Self::around(points).integrate(faces.into_iter().map(loops))
    }

    /// Local coordinates for a solid with these vertices.
    fn around(points: impl Iterator<Item = DVec3>) -> Self {
        let bounds = crate::Aabb::from_points(points);
        let origin = if bounds.min.is_finite() { bounds.center() } else { DVec3::ZERO };
        let (_, exponent) = libm::frexp(bounds.diagonal());
        Self { origin, exponent, integrals: Self::NOTHING }
    }

    fn integrate<Face, Loop>(mut self, faces: impl Iterator<Item = Face>) -> Self
    where
        Face: IntoIterator<Item = Loop>,
        Loop: Iterator<Item = DVec3> + Clone,
    {
        let shrink = libm::scalbn(1.0, -self.exponent);
        let local = |x: DVec3| (x - self.origin) * shrink;
        let mut sums = [CompensatedSum::default(); 10];
        let mut loops = Vec::new();
        for face in faces {
            loops.clear();
            for corners in face {
                push_edges(&mut loops, corners.map(local));
            }
            if let Some(terms) = face_terms(&loops) {
                for (sum, term) in sums.iter_mut().zip(terms) {
                    sum.add(term);
                }
            }
        }
        let [one, x, y, z, xx, yy, zz, xy, yz, zx] = sums.map(CompensatedSum::value);
        self.integrals = VolumeIntegrals {
            volume: one,
            first: DVec3::new(x, y, z) / 2.0,
            squares: DVec3::new(xx, yy, zz) / 3.0,
            products: DVec3::new(xy, yz, zx) / 2.0,
        };
        self
    }

    /// Undoes scale and shift: ∫x dV = V·o + …, by the binomial rule.
    fn about_origin(&self) -> VolumeIntegrals {
        let VolumeIntegrals { volume, first, squares, products } = self.integrals;
        let grow = |value: f64, degree: i32| libm::scalbn(value, degree * self.exponent);
        let volume = grow(volume, 3);
        let first = DVec3::from_array(first.to_array().map(|t| grow(t, 4)));
        let squares = DVec3::from_array(squares.to_array().map(|t| grow(t, 5)));
        let products = DVec3::from_array(products.to_array().map(|t| grow(t, 5)));
        let o = self.origin;
        let turned = |v: DVec3| DVec3::new(v.y, v.z, v.x);
        VolumeIntegrals {
            volume,
            first: first + o * volume,
            squares: squares + o * (2.0 * first + o * volume),
            products: products + o * turned(first) + turned(o) * (first + o * volume),
        }
    }

    fn with_density(&self, density: f64) -> Result<MassProperties, MassError> {
        let density = positive("density", density)?;
        let VolumeIntegrals { volume, first, squares, products } = self.integrals;
        let real_volume = libm::scalbn(volume, 3 * self.exponent);
        if volume < 0.0 {
            return Err(MassError::InsideOut { volume: real_volume });
        }
        let mass = real_volume * density;
        if volume == 0.0 || volume.is_nan() {
            return Err(MassError::NoVolume { volume: real_volume });
        }
        let r = first / volume;
        let squares = squares / volume - r * r;
        let products = products / volume - r * DVec3::new(r.y, r.z, r.x);
        let scale = libm::scalbn(1.0, self.exponent);
        MassProperties {
            mass,
            center: self.origin + r * scale,
            inertia: inertia_from_second_moments(squares, products) * (scale * scale) * mass,
        }
        .in_range()
    }
}

/// Appends the directed edges of a closed loop.
fn push_edges(edges: &mut Vec<[DVec3; 2]>, corners: impl Iterator<Item = DVec3> + Clone) {
    let following = corners.clone().skip(1).chain(corners.clone().take(1));
    edges.extend(corners.zip(following).map(|(from, to)| [from, to]));
}

/// What a face adds to the sums for T_1, T_x.., T_{x²}.., T_{xy}.., before their division by 1, 2, 3, 2;
/// `None` for a face without area.
fn face_terms(edges: &[[DVec3; 2]]) -> Option<[f64; 10]> {
    let base = edges.first()?[0];
    let normal: DVec3 = edges.iter().map(|[a, b]| (*a - base).cross(*b - base)).sum();
    let c = largest_axis(normal);
    if normal[c] == 0.0 {
        return None;
    }
    let (a, b) = ((c + 1) % 3, (c + 2) % 3);
    let shadow = Projection::of(edges, a, b);
    let plane = Plane { n: [normal[a], normal[b], normal[c]], w: -normal.dot(base) };
    let face = shadow.lifted(&plane);
    let mut terms = [0.0; 10];
    // T_1 takes the component that is x, whichever of α, β, γ that is.
    for (i, axis) in [a, b, c].into_iter().enumerate() {
        if axis == 0 {
            terms[0] = plane.n[i] * face.linear[i];
        }
        terms[1 + axis] = plane.n[i] * face.square[i];
        terms[4 + axis] = plane.n[i] * face.cube[i];
        // The product of an axis with its cyclic successor is stored under that axis: xy, yz, zx.
        terms[7 + axis] = plane.n[i] * face.mixed[i];
    }
    Some(terms)
}

fn largest_axis(v: DVec3) -> usize {
    let v = v.abs();
    if v.x > v.y && v.x > v.z {
        0
    } else if v.y > v.z {
        1
    } else {
        2
    }
}

/// The plane n·x + w = 0 of a face, n in the order α, β, γ and of any length.
struct Plane {
    n: [f64; 3],
    w: f64,
}

/// The integrals π over a face's shadow in the αβ-plane (M 6.17), without the sign of n_γ.
#[derive(Default)]
struct Projection {
    one: f64,
    a: f64,
    b: f64,
    aa: f64,
    ab: f64,
    bb: f64,
    aaa: f64,
    aab: f64,
    abb: f64,
    bbb: f64,
}

/// Face integrals F divided by |N| (M 6.16), for α, β, γ in turn: F_α, F_{α²}, F_{α³} and F_{α²β}.
struct FaceIntegrals {
    linear: [f64; 3],
    square: [f64; 3],
    cube: [f64; 3],
    mixed: [f64; 3],
}

impl Projection {
    /// Sums over the shadow's edges (M 6.26 with theorem 23).
    fn of(edges: &[[DVec3; 2]], a: usize, b: usize) -> Self {
        let mut sum = Self::default();
        for [from, to] in edges {
            sum.add_edge([from[a], from[b]], [to[a], to[b]]);
        }
        Self {
            one: sum.one / 2.0,
            a: sum.a / 6.0,
            aa: sum.aa / 12.0,
            aaa: sum.aaa / 20.0,
            b: -sum.b / 6.0,
            bb: -sum.bb / 12.0,
            bbb: -sum.bbb / 20.0,
            ab: sum.ab / 24.0,
            aab: sum.aab / 60.0,
            abb: -sum.abb / 60.0,
        }
    }

    fn add_edge(&mut self, [a0, b0]: [f64; 2], [a1, b1]: [f64; 2]) {
        let (da, db) = (a1 - a0, b1 - b0);
        let (a0_2, a1_2, b0_2, b1_2) = (a0 * a0, a1 * a1, b0 * b0, b1 * b1);
        let (a0_3, a1_3, b0_3, b1_3) = (a0_2 * a0, a1_2 * a1, b0_2 * b0, b1_2 * b1);
        // Sums of powers Σ p^i·q^(k−i) by Horner's rule.
        let a_sum2 = a1 * (a1 + a0) + a0_2;
        let a_sum3 = a1 * a_sum2 + a0_3;
        let b_sum2 = b1 * (b1 + b0) + b0_2;
        let b_sum3 = b1 * b_sum2 + b0_3;
        self.one += db * (a1 + a0);
        self.a += db * a_sum2;
        self.aa += db * a_sum3;
        self.aaa += db * (a1 * a_sum3 + a0_2 * a0_2);
        self.b += da * b_sum2;
        self.bb += da * b_sum3;
        self.bbb += da * (b1 * b_sum3 + b0_2 * b0_2);
        self.ab += db
            * (b1 * (3.0 * a1_2 + 2.0 * a1 * a0 + a0_2) + b0 * (a1_2 + 2.0 * a1 * a0 + 3.0 * a0_2));
        self.aab += db
            * (b1 * (4.0 * a1_3 + 3.0 * a1_2 * a0 + 2.0 * a1 * a0_2 + a0_3)
                + b0 * (a1_3 + 2.0 * a1_2 * a0 + 3.0 * a1 * a0_2 + 4.0 * a0_3));
        self.abb += da
            * (a1 * (4.0 * b1_3 + 3.0 * b1_2 * b0 + 2.0 * b1 * b0_2 + b0_3)
                + a0 * (b1_3 + 2.0 * b1_2 * b0 + 3.0 * b1 * b0_2 + 4.0 * b0_3));
    }

    /// From shadow to face: γ is replaced by −(n_α·α + n_β·β + w)/n_γ.
    fn lifted(&self, plane: &Plane) -> FaceIntegrals {
        let &Plane { n: [na, nb, nc], w } = plane;
        // γ = p·α + q·β + r on the plane.
        let (p, q, r) = (-na / nc, -nb / nc, -w / nc);
        let c = p * self.a + q * self.b + r * self.one;
        let cc = p * p * self.aa
            + 2.0 * p * q * self.ab
            + q * q * self.bb
            + r * (2.0 * (p * self.a + q * self.b) + r * self.one);
        let ccc = p * p * (p * self.aaa + 3.0 * q * self.aab)
            + q * q * (3.0 * p * self.abb + q * self.bbb)
            + 3.0 * r * (p * p * self.aa + 2.0 * p * q * self.ab + q * q * self.bb)
            + r * r * (3.0 * (p * self.a + q * self.b) + r * self.one);
        let bbc = p * self.abb + q * self.bbb + r * self.bb;
        let cca = p * p * self.aaa
            + 2.0 * p * q * self.aab
            + q * q * self.abb
            + r * (2.0 * (p * self.aa + q * self.ab) + r * self.a);
        FaceIntegrals {
            linear: [self.a, self.b, c].map(|f| f / nc),
            square: [self.aa, self.bb, cc].map(|f| f / nc),
            cube: [self.aaa, self.bbb, ccc].map(|f| f / nc),
            mixed: [self.aab, bbc, cca].map(|f| f / nc),
        }
    }
}

/// Neumaier's compensated sum: the error does not grow with the number of terms.
#[derive(Clone, Copy, Default)]
struct CompensatedSum {
    sum: f64,
    lost: f64,
}

impl CompensatedSum {
    fn add(&mut self, term: f64) {
        let next = self.sum + term;
        self.lost += if self.sum.abs() >= term.abs() {
            (self.sum - next) + term
        } else {
            (term - next) + self.sum
        };
        self.sum = next;
    }

    fn value(self) -> f64 {
        self.sum + self.lost
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;

    use super::*;
    use crate::testing::{box_mesh, direction, property};

    /// The cost is a fixed number of corner reads per face, whatever the number of faces.
    ///
    /// proves: m1/MP-R7 m1/Q30
    #[test]
    fn every_face_is_read_once_and_every_corner_a_fixed_number_of_times() {
        let cube = box_mesh(DVec3::ONE);
        let mut reads_per_face = Vec::new();
        for n_faces in [12, 48, 192, 768] {
            let (n_visited, n_read) = (Cell::new(0), Cell::new(0));
            let faces = cube.iter_corners().cycle().take(n_faces).map(|corners| {
                n_visited.set(n_visited.get() + 1);
                std::iter::once(corners.into_iter().inspect(|_| n_read.set(n_read.get() + 1)))
            });
            let local = LocalIntegrals::around(cube.vertices().iter().copied()).integrate(faces);
            assert!(local.integrals.volume > 0.0);
            assert_eq!(n_visited.get(), n_faces);
            reads_per_face.push(n_read.get() / n_faces);
        }
        assert!(
            reads_per_face.iter().all(|reads| *reads == reads_per_face[0]),
            "{reads_per_face:?}"
        );
    }

    proptest! {
        #![proptest_config(property(500))]

        /// proves: m1/Q31
        #[test]
        fn the_projection_divides_by_at_least_one_over_root_three(normal in direction()) {
            let divisor = normal[largest_axis(normal)].abs();
            prop_assert!(divisor >= (1.0 - 1e-15) / 3.0_f64.sqrt(), "{}", divisor);
        }
    }
}
