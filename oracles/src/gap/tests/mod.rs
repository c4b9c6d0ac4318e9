//! Intervals against closed forms, against points and directions at random, and against themselves.

mod closed_forms;
mod nests;
mod random;
mod supports;

use super::{Body, Gap, Oracle, Pose, Solid};

fn body(solid: &Solid) -> Body {
    Body::new(solid).expect("the solid is sound")
}

/// The gap of two solids, one shifted and the other turned and shifted.
fn gap(a: &Solid, pose_a: Pose, b: &Solid, pose_b: Pose) -> Gap {
    Oracle::new().gap(&body(a), &pose_a, &body(b), &pose_b)
}

/// Checks an interval against what is known, and that it is narrow.
#[track_caller]
fn assert_is(gap: Gap, expected: f64, width: f64) {
    assert!(gap.holds(expected, 0.0), "{gap:?} does not hold {expected}");
    assert!(gap.width() <= width, "{gap:?} is wider than {width}");
}

fn turn(axis: [f64; 3], angle: f64) -> [f64; 4] {
    let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (sin, cos) = libm::sincos(angle / 2.0);
    [axis[0] / length * sin, axis[1] / length * sin, axis[2] / length * sin, cos]
}

/// A box as a mesh.
fn box_mesh([x, y, z]: [f64; 3]) -> Solid {
    let sides = [-1.0, 1.0];
    let corner = |i: usize| [x * sides[i & 1], y * sides[i >> 1 & 1], z * sides[i >> 2]];
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Solid::Mesh { vertices: (0..8).map(corner).collect(), triangles }
}

/// A torus around z as a mesh.
fn torus(large: f64, small: f64, around: usize, across: usize) -> Solid {
    let turn =
        |part: usize, of: usize| libm::sincos(std::f64::consts::TAU * part as f64 / of as f64);
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..around {
        for j in 0..across {
            let ((sin_i, cos_i), (sin_j, cos_j)) = (turn(i, around), turn(j, across));
            let radius = large + small * cos_j;
            vertices.push([radius * cos_i, radius * sin_i, small * sin_j]);
            let at = |i: usize, j: usize| (i % around) * across + j % across;
            triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    Solid::Mesh { vertices, triangles }
}

/// Numbers at random, the same every time (splitmix64).
struct Random(u64);

impl Random {
    /// From 0 to 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// From −1 to 1.
    fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// From 1/8 to 8, each doubling as likely.
    fn length(&mut self) -> f64 {
        libm::exp2(3.0 * self.signed())
    }

    fn quaternion(&mut self) -> [f64; 4] {
        loop {
            let q = [self.signed(), self.signed(), self.signed(), self.signed()];
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            if (0.1..1.0).contains(&length) {
                return q.map(|x| x / length);
            }
        }
    }

    fn pose(&mut self, spread: f64) -> Pose {
        let position = [self.signed(), self.signed(), self.signed()].map(|x| spread * x);
        Pose { position, quaternion: self.quaternion() }
    }
}

const CONVEX: [&str; 8] =
    ["ball", "box", "capsule", "cylinder", "cone", "ellipsoid", "superquadric", "hull"];

/// A solid of random sizes, up to 64 times longer than wide.
fn solid_of(kind: &str, random: &mut Random) -> Solid {
    let [a, b, c] = [random.length(), random.length(), random.length()];
    match kind {
        "ball" => Solid::Ball { radius: a },
        "box" => Solid::Cuboid { half: [a, b, c] },
        "capsule" => Solid::Capsule { half_length: a, radius: b },
        "cylinder" => Solid::Cylinder { half_length: a, radius: b },
        "cone" => Solid::Cone { half_length: a, radius: b },
        "ellipsoid" => Solid::Ellipsoid { semi_axes: [a, b, c] },
        "superquadric" => {
            // Nearly an octahedron, between, rounded, nearly a box.
            let mut exponent = || match (4.0 * random.unit()) as u32 {
                0 => 1.0 + 1e-3 * random.unit(),
                1 => 1.0 + random.unit(),
                2 => 2.0 + 4.0 * random.unit(),
                _ => libm::pow(10.0, 3.0 * random.unit()),
            };
            let (exponent_xy, exponent_z) = (exponent(), exponent());
            Solid::Superquadric { semi_axes: [a, b, c], exponent_xy, exponent_z }
        }
        "hull" => {
            let count = 4 + (40.0 * random.unit()) as usize;
            let mut point = || [a * random.signed(), b * random.signed(), c * random.signed()];
            Solid::Hull { points: (0..count).map(|_| point()).collect() }
        }
        "torus" => torus(1.0, 0.1 + 0.5 * random.unit(), 16, 10),
        _ => {
            let mut part = |kind| (random.pose(2.0), solid_of(kind, random));
            Solid::Compound { parts: vec![part("box"), part("ball"), part("cylinder")] }
        }
    }
}
