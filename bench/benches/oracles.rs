//! Certified gaps, per pair of kinds, a thousandth of the size apart.

use divan::Bencher;
use oracles::gap::{Body, Oracle, Pose, Solid};

fn main() {
    divan::main();
}

const PAIRS: [&str; 16] = [
    "ball-ball",
    "ball-box",
    "box-box",
    "box-cylinder",
    "capsule-capsule",
    "cylinder-cylinder",
    "cone-cone",
    "cone-cylinder",
    "ellipsoid-ellipsoid",
    "ellipsoid-box",
    "superquadric-superquadric",
    "superquadric-ellipsoid",
    "hull-hull",
    "mesh-box",
    "mesh-ellipsoid",
    "mesh-mesh",
];

fn solid(kind: &str) -> Solid {
    match kind {
        "ball" => Solid::Ball { radius: 0.5 },
        "box" => Solid::Cuboid { half: [0.5, 0.3, 0.2] },
        "capsule" => Solid::Capsule { half_length: 0.5, radius: 0.2 },
        "cylinder" => Solid::Cylinder { half_length: 0.5, radius: 0.3 },
        "cone" => Solid::Cone { half_length: 0.5, radius: 0.3 },
        "ellipsoid" => Solid::Ellipsoid { semi_axes: [0.5, 0.3, 0.2] },
        "superquadric" => {
            Solid::Superquadric { semi_axes: [0.5, 0.3, 0.2], exponent_xy: 2.5, exponent_z: 4.0 }
        }
        "hull" => {
            let mut points = Vec::new();
            for i in 0..50 {
                let (s, c) = libm::sincos(2.4 * f64::from(i));
                let z = f64::from(i) / 25.0 - 0.98;
                let r = 0.5 * (1.0 - z * z).sqrt();
                points.push([r * c, r * s, 0.4 * z]);
            }
            Solid::Hull { points }
        }
        _ => torus(24, 16),
    }
}

/// 2·around·across triangles.
fn torus(around: usize, across: usize) -> Solid {
    let turn =
        |part: usize, of: usize| libm::sincos(std::f64::consts::TAU * part as f64 / of as f64);
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..around {
        for j in 0..across {
            let ((si, ci), (sj, cj)) = (turn(i, around), turn(j, across));
            vertices.push([(0.5 + 0.15 * cj) * ci, (0.5 + 0.15 * cj) * si, 0.15 * sj]);
            let at = |i: usize, j: usize| (i % around) * across + j % across;
            triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    Solid::Mesh { vertices, triangles }
}

/// Eight directions and orientations in turn, each brought to the gap.
fn poses(a: &Body, b: &Body) -> Vec<[Pose; 2]> {
    let mut oracle = Oracle::new();
    let pose = |k: f64| {
        let (x, y, z) = (libm::sin(k), libm::sin(2.0 * k + 1.0), libm::cos(3.0 * k));
        Pose { position: [0.0; 3], quaternion: [x, y, z, 0.7] }
    };
    (0..8)
        .map(|k| {
            let k = f64::from(k);
            let (first, second) = (pose(k), pose(k + 0.5));
            let (s, c) = libm::sincos(1.3 * k);
            let at = |far: f64| Pose { position: [far * c, far * s, 0.3 * far * c], ..second };
            let (mut near, mut far) = (0.0, 4.0);
            for _ in 0..60 {
                let middle = 0.5 * (near + far);
                let gap = oracle.gap(a, &first, b, &at(middle));
                if gap.upper > 1e-3 { far = middle } else { near = middle }
            }
            [first, at(far)]
        })
        .collect()
}

#[divan::bench(args = PAIRS)]
fn gap(bencher: Bencher, pair: &str) {
    let (one, other) = pair.split_once('-').expect("two kinds");
    let [a, b] = [one, other].map(|kind| Body::new(&solid(kind)).expect("a solid"));
    let poses = poses(&a, &b);
    let mut oracle = Oracle::new();
    let mut turn = 0;
    bencher.bench_local(|| {
        turn = (turn + 1) % poses.len();
        let [first, second] = &poses[turn];
        oracle.gap(&a, first, &b, second)
    });
}
