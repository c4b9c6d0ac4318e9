//! Thesis section 6.5: integrals of a cube, a tetrahedron and six approximations of the sphere.

use glam::DVec3;

use carom_geometry::mass::VolumeIntegrals;
use carom_geometry::{ConvexPolyhedron, convex_hull};

use super::super::{Context, Row};

const SOLIDS: &str = "Mirtich 1996, section 6.5 (guide MP-6)";
const SPHERES: &str = "Mirtich 1996, table of sphere approximations (guide MP-6)";

/// V, E and F, T_1 and T_{x²} as printed.
const TABLE: [([usize; 3], f64, f64); 6] = [
    ([12, 30, 20], 2.536, 0.3670),
    ([42, 120, 80], 3.659, 0.6692),
    ([162, 480, 320], 4.047, 0.7911),
    ([642, 1920, 1280], 4.153, 0.8258),
    ([2562, 7680, 5120], 4.180, 0.8347),
    ([10242, 30720, 20480], 4.187, 0.8370),
];

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows = Vec::new();
    let sign = |bit: u32| if bit == 0 { -10.0 } else { 10.0 };
    let cube: Vec<DVec3> =
        (0..8).map(|i| DVec3::new(sign(i & 1), sign(i & 2), sign(i & 4))).collect();
    let third = 800_000.0 / 3.0;
    let expected = [DVec3::ZERO, DVec3::splat(third), DVec3::ZERO];
    rows.extend(solid_rows(context, "cube", &cube, 8000.0, expected));
    let tetrahedron = [DVec3::ZERO, 5.0 * DVec3::X, 4.0 * DVec3::Y, 3.0 * DVec3::Z];
    let expected =
        [DVec3::new(12.5, 10.0, 7.5), DVec3::new(25.0, 16.0, 9.0), DVec3::new(10.0, 6.0, 7.5)];
    rows.extend(solid_rows(context, "tetrahedron", &tetrahedron, 10.0, expected));
    rows.extend(sphere_rows(context));
    rows
}

/// Not a number where there is no solid, so that a hull that fails fails its rows.
fn integrals(context: &Context, solid: Option<&ConvexPolyhedron>) -> VolumeIntegrals {
    let mesh = solid.map(|solid| context.subject.mesh(solid.to_mesh()));
    let nothing = VolumeIntegrals {
        volume: f64::NAN,
        first: DVec3::NAN,
        squares: DVec3::NAN,
        products: DVec3::NAN,
    };
    mesh.map_or(nothing, |mesh| VolumeIntegrals::of_mesh(&mesh))
}

/// To 1e-14 of the solid's own scale, as checklist MP-R1 asks.
fn solid_rows(
    context: &Context,
    name: &str,
    points: &[DVec3],
    volume: f64,
    [first, squares, products]: [DVec3; 3],
) -> Vec<Row> {
    let got = integrals(context, convex_hull(points).ok().as_ref());
    let case = |key: &str, what: &str| {
        Row::case(format!("m1/MP-R1/{name}/{key}"), format!("{name}: {what}"), SOLIDS)
    };
    let size = points.iter().map(|p| p.length()).fold(0.0, f64::max);
    let second = squares.max_element();
    vec![
        case("volume", "T_1").in_unit("m³").relative(1e-14, volume, got.volume),
        case("first", "T_x, T_y, T_z").in_unit("m⁴").relative_to(
            volume * size,
            1e-14,
            first,
            got.first,
        ),
        case("squares", "T_x², T_y², T_z²").in_unit("m⁵").relative(1e-14, squares, got.squares),
        case("products", "T_xy, T_yz, T_zx").in_unit("m⁵").relative_to(
            second,
            1e-14,
            products,
            got.products,
        ),
    ]
}

/// To half a unit of the last printed digit; odd integrals, which vanish, to the guide's 1e-14.
fn sphere_rows(context: &Context) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut solid = icosahedron();
    for (level, (counts, volume, square)) in (1..).zip(TABLE) {
        let got = integrals(context, solid.as_ref());
        let case = |key: &str, what: &str| {
            let what = format!("sphere of {} facets: {what}", counts[2]);
            Row::case(format!("m1/MP-R1/sphere-{level}/{key}"), what, SPHERES)
        };
        let numbers = solid.as_ref().map_or(vec![f64::NAN; 3], |solid| {
            let sizes = [solid.vertices().len(), solid.edges().len(), solid.faces().len()];
            sizes.map(|n| context.subject.extent(n as f64)).to_vec()
        });
        rows.push(case("counts", "vertices, edges, facets").absolute(
            0.0,
            counts.map(|n| n as f64).to_vec(),
            numbers,
        ));
        rows.push(case("volume", "T_1").in_unit("m³").absolute(0.5e-3, volume, got.volume));
        let squares = DVec3::splat(square);
        rows.push(case("square", "T_x², T_y², T_z²").in_unit("m⁵").absolute(
            0.5e-4,
            squares,
            got.squares,
        ));
        let odd = [got.first.to_array(), got.products.to_array()].concat();
        let odd_what = "T_x, T_y, T_z, T_xy, T_yz, T_zx";
        rows.push(case("odd", odd_what).absolute(1e-14, vec![0.0; 6], odd));
        solid = solid.as_ref().and_then(refined);
    }
    rows
}

fn icosahedron() -> Option<ConvexPolyhedron> {
    let golden = f64::midpoint(1.0, 5.0_f64.sqrt());
    let mut points = Vec::new();
    for (i, j) in [(1.0, golden), (1.0, -golden), (-1.0, golden), (-1.0, -golden)] {
        points.extend([DVec3::new(0.0, i, j), DVec3::new(i, j, 0.0), DVec3::new(j, 0.0, i)]);
    }
    let unit: Vec<DVec3> = points.iter().filter_map(|p| p.try_normalize()).collect();
    convex_hull(&unit).ok()
}

/// Edge midpoints are pushed onto the sphere and the hull is taken.
fn refined(solid: &ConvexPolyhedron) -> Option<ConvexPolyhedron> {
    let mut points = solid.vertices().to_vec();
    for &edge in solid.edges() {
        let [a, b] = solid.ends(edge).map(|v| solid.vertices()[v as usize]);
        points.push((a + b).try_normalize()?);
    }
    convex_hull(&points).ok()
}
