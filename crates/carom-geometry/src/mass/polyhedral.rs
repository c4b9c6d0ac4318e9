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
//! | integration about the given origin | about the middle of its box, scaled by a power of two, and moved back by the transfer rule (MP-5): digits do not depend on where or how large the model is |
//! | plain sums | sums in doubled precision, since a million faces of mixed sign cancel |
//! | plain arithmetic | repeated in doubled precision where the solid is so thin that its faces nearly cancel |
//!
//! *When plain arithmetic does not do.* In local coordinates the solid has size one. Its volume is a sum of terms
//! whose magnitudes add up to κ times the volume, so the volume is good to εκ, and second moments, of the order of
//! one, to about εκ as a share of one; the smallest moment i₁ of a unit mass to εκ/i₁ of itself. A rod of width
//! w across the axes has κ ≈ 1/w and i₁ ≈ w², so plain arithmetic has lost all digits at w = 1e-5.

use glam::DVec3;

use super::face_integrals::{face_terms, push_edges};
use super::{MassError, MassProperties, PrincipalFrame, inertia_from_second_moments, positive};
use crate::mesh::TriMesh;
use crate::polyhedron::ConvexPolyhedron;
use crate::precise::{Double, Number};
use crate::tolerances::INTEGRAL_DIGITS;

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

    /// As [`Self::of_mesh`], with principal moments that do not go through the tensor.
    ///
    /// A tensor in axes that are not the solid's own holds its smallest moment only to the rounding of the
    /// largest. Its axes are far better than that needs: the moment about an axis that is off by θ is off by
    /// θ²·(I₃ − I₁), so moments about the tensor's axes, taken from the integrals in doubled precision, are
    /// right to rounding however long and thin the solid is.
    ///
    /// # Errors
    /// As [`Self::of_mesh`].
    pub fn of_mesh_with_principal(
        mesh: &TriMesh,
        density: f64,
    ) -> Result<(Self, PrincipalFrame), MassError> {
        let local = LocalIntegrals::of_mesh(mesh);
        let mass = local.with_density(density)?;
        let mut frame = mass.principal();
        let scale = libm::scalbn(1.0, local.exponent);
        for i in 0..3 {
            // The others are as good from the tensor, and equal where they should be.
            if frame.moments[i] < TENSOR_HOLDS * frame.moments.z {
                let unit = local.moment_about(frame.axes.col(i));
                frame.moments[i] = unit * (scale * scale) * mass.mass;
            }
        }
        Ok((mass, frame))
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

/// Share of the largest moment above which a tensor in any axes holds a moment to 13 digits.
const TENSOR_HOLDS: f64 = 1e-3;

/// Integrals in coordinates ξ = (x − origin)/2^exponent, in which the solid has size about one.
struct LocalIntegrals {
    origin: DVec3,
    exponent: i32,
    /// T_1, T_x, T_y, T_z, T_{x²}, T_{y²}, T_{z²}, T_{xy}, T_{yz}, T_{zx}.
    integrals: [Double; 10],
    /// Sum of the magnitudes of the terms of T_1.
    volume_terms: f64,
}

impl LocalIntegrals {
    fn of_mesh(mesh: &TriMesh) -> Self {
        let faces = mesh.iter_corners().map(|corners| std::iter::once(corners.into_iter()));
        // Around the corners, not the vertices: one that no triangle names must not set the scale.
        Self::around(mesh.iter_corners().flatten()).integrate(faces)
    }

    fn of_faces<'a>(faces: impl IntoIterator<Item = &'a [&'a [DVec3]]> + Clone) -> Self {
        let points =
            faces.clone().into_iter().flatten().flat_map(|corners| corners.iter().copied());
        let loops = |face: &'a [&'a [DVec3]]| face.iter().map(|corners| corners.iter().copied());
        let faces: Vec<_> = faces.into_iter().collect();
        Self::around(points).integrate(faces.into_iter().map(loops))
    }

    /// Local coordinates for a solid with these vertices.
    fn around(points: impl Iterator<Item = DVec3>) -> Self {
        let bounds = crate::Aabb::from_points(points);
        let origin = if bounds.min.is_finite() { bounds.center() } else { DVec3::ZERO };
        let (_, exponent) = libm::frexp(bounds.diagonal());
        Self { origin, exponent, integrals: [Double::ZERO; 10], volume_terms: 0.0 }
    }

    /// In plain arithmetic, and again in doubled precision where that has lost too many digits.
    fn integrate<Face, Loop>(self, faces: impl Iterator<Item = Face> + Clone) -> Self
    where
        Face: IntoIterator<Item = Loop>,
        Loop: Iterator<Item = DVec3>,
    {
        let plain = self.integrated::<f64, _, _>(faces.clone());
        if plain.lost_digits() <= INTEGRAL_DIGITS {
            return plain;
        }
        plain.integrated::<Double, _, _>(faces)
    }

    fn integrated<T, Face, Loop>(&self, faces: impl Iterator<Item = Face>) -> Self
    where
        T: Number,
        Face: IntoIterator<Item = Loop>,
        Loop: Iterator<Item = DVec3>,
    {
        let shrink = T::from(libm::scalbn(1.0, -self.exponent));
        let local =
            |x: DVec3| [0, 1, 2].map(|axis| T::difference(x[axis], self.origin[axis]) * shrink);
        let mut sums = [Double::ZERO; 10];
        let mut volume_terms = 0.0;
        let (mut points, mut edges) = (Vec::new(), Vec::new());
        for face in faces {
            edges.clear();
            for corners in face {
                points.clear();
                points.extend(corners.map(local));
                push_edges(&mut edges, &points);
            }
            if let Some(terms) = face_terms(&edges) {
                volume_terms += terms[0].into().value().abs();
                for (sum, term) in sums.iter_mut().zip(terms) {
                    *sum = term.added_to(*sum);
                }
            }
        }
        let divisors = [1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 2.0, 2.0, 2.0];
        let mut integrals = sums;
        for (integral, divisor) in integrals.iter_mut().zip(divisors) {
            *integral = integral.tidied() / Double::from(divisor);
        }
        Self { integrals, volume_terms, ..*self }
    }

    /// Estimated relative error of the smallest moment and of the volume in plain arithmetic; see the header.
    fn lost_digits(&self) -> f64 {
        let volume = self.integrals[0].value();
        let cancellation = self.volume_terms / volume.abs();
        let (_, squares, products) = self.central_means();
        let tensor = inertia_from_second_moments(squares, products);
        let smallest = PrincipalFrame::of(&tensor).moments.x;
        let share = if smallest > 0.0 { 1.0 / smallest } else { f64::INFINITY };
        f64::EPSILON * cancellation * share.max(1.0)
    }

    /// Centre, and means of squares and products about it, in local coordinates.
    fn central_means(&self) -> (DVec3, DVec3, DVec3) {
        let vector = |v: [Double; 3]| DVec3::from_array(v.map(Double::value));
        let [center, squares, products] = self.doubled_central_means();
        (vector(center), vector(squares), vector(products))
    }

    fn doubled_central_means(&self) -> [[Double; 3]; 3] {
        let [one, x, y, z, xx, yy, zz, xy, yz, zx] = self.integrals;
        let [rx, ry, rz] = [x, y, z].map(|first| first / one);
        [
            [rx, ry, rz],
            [xx / one - rx * rx, yy / one - ry * ry, zz / one - rz * rz],
            [xy / one - rx * ry, yz / one - ry * rz, zx / one - rz * rx],
        ]
    }

    /// Moment of a unit mass about an axis through the centre, in local coordinates and doubled precision:
    /// Σ u_i²·I_ii + 2Σ u_i·u_j·I_ij over |u|², with I_xx = ⟨y²⟩ + ⟨z²⟩ and I_xy = −⟨xy⟩.
    fn moment_about(&self, axis: DVec3) -> f64 {
        let [_, [xx, yy, zz], [xy, yz, zx]] = self.doubled_central_means();
        let [x, y, z] = axis.to_array().map(Double::from);
        let diagonal = x * x * (yy + zz) + y * y * (zz + xx) + z * z * (xx + yy);
        let mixed = x * y * xy + y * z * yz + z * x * zx;
        let length_sq = x * x + y * y + z * z;
        ((diagonal - Double::from(2.0) * mixed) / length_sq).value()
    }

    /// Undoes scale and shift: ∫x dV = V·o + …, by the binomial rule.
    fn about_origin(&self) -> VolumeIntegrals {
        let grow = |value: Double, degree: i32| value.scaled(degree * self.exponent);
        let [one, x, y, z, xx, yy, zz, xy, yz, zx] = self.integrals;
        let volume = grow(one, 3);
        let first = [x, y, z].map(|t| grow(t, 4));
        let squares = [xx, yy, zz].map(|t| grow(t, 5));
        let products = [xy, yz, zx].map(|t| grow(t, 5));
        let o = self.origin.to_array().map(Double::from);
        let two = Double::from(2.0);
        let each = |f: &dyn Fn(usize) -> Double| DVec3::from_array([0, 1, 2].map(|i| f(i).value()));
        VolumeIntegrals {
            volume: volume.value(),
            first: each(&|i| first[i] + o[i] * volume),
            squares: each(&|i| squares[i] + o[i] * (two * first[i] + o[i] * volume)),
            products: each(&|i| {
                let j = (i + 1) % 3;
                products[i] + o[i] * first[j] + o[j] * (first[i] + o[i] * volume)
            }),
        }
    }

    fn with_density(&self, density: f64) -> Result<MassProperties, MassError> {
        let density = positive("density", density)?;
        let volume = self.integrals[0].scaled(3 * self.exponent).value();
        let local_volume = self.integrals[0].value();
        if local_volume < 0.0 {
            return Err(MassError::InsideOut { volume });
        }
        if local_volume == 0.0 || local_volume.is_nan() {
            return Err(MassError::NoVolume { volume });
        }
        let mass = volume * density;
        let (center, squares, products) = self.central_means();
        let scale = libm::scalbn(1.0, self.exponent);
        MassProperties {
            mass,
            center: self.origin + center * scale,
            inertia: inertia_from_second_moments(squares, products) * (scale * scale) * mass,
        }
        .in_range()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;

    use super::super::face_integrals::largest_axis;
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
            assert!(local.integrals[0].value() > 0.0);
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
            let divisor = normal[largest_axis(normal.abs().to_array())].abs();
            prop_assert!(divisor >= (1.0 - 1e-15) / 3.0_f64.sqrt(), "{}", divisor);
        }
    }
}
