//! Mass properties of a mesh as a sum over signed tetrahedra from the origin to each triangle.
//!
//! For a tetrahedron with one corner at the origin and the others a, b, c, its signed volume is
//! V = a·(b×c)/6, the mean of x over it is (a + b + c)/4, and the mean of x·xᵀ is
//! (aaᵀ + bbᵀ + ccᵀ + ssᵀ)/20 with s = a + b + c. This is not the route the simulator takes, and shares its
//! weakness with no part of it.

/// Volume, centre and inertia at density 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidMass {
    /// Volume.
    pub volume: f64,
    /// Centre of mass.
    pub center: [f64; 3],
    /// Inertia about the centre of mass, row by row.
    pub inertia: [[f64; 3]; 3],
}

/// Mass properties of the solid inside a closed outward mesh.
pub fn mass_of_mesh(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> SolidMass {
    let mut volume = 0.0;
    let mut first = [0.0; 3];
    let mut second = [[0.0; 3]; 3];
    for corners in triangles {
        let [a, b, c] = corners.map(|v| vertices[v as usize]);
        let cross =
            [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
        let v = (a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2]) / 6.0;
        let s = [0, 1, 2].map(|i| a[i] + b[i] + c[i]);
        volume += v;
        for i in 0..3 {
            first[i] += v * s[i] / 4.0;
            for j in 0..3 {
                second[i][j] += v * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j]) / 20.0;
            }
        }
    }
    let center = first.map(|m| m / volume);
    let central = |i: usize, j: usize| second[i][j] - volume * center[i] * center[j];
    let trace = central(0, 0) + central(1, 1) + central(2, 2);
    let entry = |i: usize, j: usize| if i == j { trace } else { 0.0 } - central(i, j);
    let inertia = [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)));
    SolidMass { volume, center, inertia }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meshes::mass_properties;

    #[test]
    fn signed_tetrahedra_agree_with_the_carried_meshes() {
        for (name, case) in mass_properties(None).unwrap() {
            let got = mass_of_mesh(&case.vertices, &case.triangles);
            assert!((got.volume / case.volume - 1.0).abs() < 1e-12, "{name}: {}", got.volume);
            for (i, expected) in case.inertia_com.iter().enumerate() {
                let error = (got.inertia[i / 3][i % 3] - expected).abs();
                assert!(
                    error < 1e-12 * case.inertia_com[0].max(case.inertia_com[8]),
                    "{name}: {error:e}"
                );
            }
        }
    }
}
