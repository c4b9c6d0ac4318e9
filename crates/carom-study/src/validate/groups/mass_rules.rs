//! The guide's checklist MP-R2 to MP-R8, each rule on one solid; random solids are in the tests.

use glam::{DMat3, DVec3};
use oracles::DataError;
use oracles::meshes::{MeshCase, mass_properties};
use oracles::tetrahedra::mass_of_mesh;

use carom_geometry::mass::VolumeIntegrals;
use carom_geometry::{ConvexPolyhedron, MassProperties, Pose, TriMesh, convex_hull};

use super::super::{Context, Row};
use super::{mesh_of, no_mass};

const GUIDE: &str = "guide to Mirtich 1996, checklist MP-R";
const ORACLE: &str = "oracles: sum over signed tetrahedra";

pub(super) fn rows(context: &Context) -> Result<Vec<Row>, DataError> {
    let cases = mass_properties(None)?;
    let hull12 =
        cases.get("hull12").ok_or_else(|| DataError::missing("mass-properties", "hull12"))?;
    let groups = [
        moved(context, hull12),
        tunnel(context),
        polygons(context, hull12),
        principal(context, hull12),
        vec![reversed(context, hull12)],
        rattleback(context),
    ];
    Ok(groups.concat())
}

fn mass_of(context: &Context, mesh: Option<TriMesh>) -> MassProperties {
    let mesh = mesh.map(|mesh| context.subject.mesh(mesh));
    let mass = mesh.and_then(|mesh| MassProperties::of_mesh(&mesh, 1.0).ok());
    context.subject.mass(mass.unwrap_or_else(no_mass))
}

fn tensor(rows: [[f64; 3]; 3]) -> DMat3 {
    DMat3::from_cols_array_2d(&rows).transpose()
}

/// MP-R2: a solid a hundred times its size away from the origin.
fn moved(context: &Context, case: &MeshCase) -> Vec<Row> {
    let near = mass_of_mesh(&case.vertices, &case.triangles);
    let shift = [64.0, -128.0, 96.0];
    let vertices: Vec<[f64; 3]> =
        case.vertices.iter().map(|v| [0, 1, 2].map(|i| v[i] + shift[i])).collect();
    let got = mass_of(context, mesh_of(&vertices, &case.triangles));
    let center = DVec3::from_array(near.center) + DVec3::from_array(shift);
    let row = |key: &str, what: &str| {
        Row::case(format!("m1/MP-R2/{key}"), format!("hull12 moved by 170 m: {what}"), ORACLE)
    };
    // Vertices rounded at 128 m carry 1.4e-14 m each, which is 1e-14 of the solid.
    vec![
        row("center", "centre").in_unit("m").relative(1e-14, center, got.center),
        row("inertia", "inertia about the centre").in_unit("kg·m²").relative(
            1e-12,
            tensor(near.inertia),
            got.inertia,
        ),
    ]
}

/// MP-R3: a box 4 × 3 × 1 with a square tunnel of width 1 through its middle, by subtraction.
fn tunnel(context: &Context) -> Vec<Row> {
    let source = "closed form: box minus box";
    let row = |key: &str, what: &str| {
        Row::case(format!("m1/MP-R3/{key}"), format!("box with a tunnel: {what}"), source)
    };
    let got = mass_of(context, tunnel_mesh());
    let of_box = |x: f64, y: f64, z: f64| {
        x * y * z / 12.0 * DVec3::new(y * y + z * z, z * z + x * x, x * x + y * y)
    };
    let expected = of_box(4.0, 3.0, 1.0) - of_box(1.0, 1.0, 1.0);
    vec![
        row("volume", "volume").in_unit("m³").relative(1e-14, 11.0, got.mass),
        row("inertia", "inertia").in_unit("kg·m²").relative(
            1e-14,
            DMat3::from_diagonal(expected),
            got.inertia,
        ),
    ]
}

/// Top and bottom as rings of four trapezoids, and eight walls, all as two triangles each.
fn tunnel_mesh() -> Option<TriMesh> {
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let ring = |x: f64, y: f64, z: f64| corners.map(|[i, j]| DVec3::new(i * x, j * y, z));
    // Outer bottom 0-3, outer top 4-7, inner bottom 8-11, inner top 12-15.
    let vertices =
        [ring(2.0, 1.5, -0.5), ring(2.0, 1.5, 0.5), ring(0.5, 0.5, -0.5), ring(0.5, 0.5, 0.5)]
            .concat();
    let mut triangles = Vec::new();
    for i in 0..4 {
        let j = (i + 1) % 4;
        let quads = [
            [i, j, j + 4, i + 4],
            [j + 8, i + 8, i + 12, j + 12],
            [i + 4, j + 4, j + 12, i + 12],
            [j, i, i + 8, j + 8],
        ];
        triangles.extend(quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]));
    }
    TriMesh::new(vertices, triangles).ok()
}

/// MP-R4: polygonal faces against the same faces cut into triangles by the oracle.
fn polygons(context: &Context, case: &MeshCase) -> Vec<Row> {
    // A cube with two corners cut and a small solid inside: faces of three, four and five corners.
    let mut points = vec![DVec3::new(0.2, 0.9, 1.0), DVec3::new(1.0, 0.3, 0.8)];
    points.extend(case.vertices.iter().map(|v| 0.5 * DVec3::from_array(*v)));
    points.extend(
        (1..8_u32).map(|i| {
            DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2 & 1)) * 0.9
        }),
    );
    let solid = convex_hull(&points).ok();
    let expected = solid.as_ref().map(ConvexPolyhedron::to_mesh).map(|mesh| {
        let vertices: Vec<[f64; 3]> = mesh.vertices().iter().map(DVec3::to_array).collect();
        mass_of_mesh(&vertices, mesh.triangles())
    });
    let (volume, inertia) =
        expected.map_or((f64::NAN, DMat3::NAN), |mass| (mass.volume, tensor(mass.inertia)));
    let polygonal = solid.and_then(|solid| MassProperties::of_polyhedron(&solid, 1.0).ok());
    let got = context.subject.mass(polygonal.unwrap_or_else(no_mass));
    let row = |key: &str, what: &str| {
        Row::case(format!("m1/MP-R4/{key}"), format!("polygonal faces: {what}"), ORACLE)
    };
    vec![
        row("volume", "volume").in_unit("m³").relative(1e-13, volume, got.mass),
        row("inertia", "inertia").in_unit("kg·m²").relative(1e-13, inertia, got.inertia),
    ]
}

/// MP-R5: R is a rotation, RᵀIR is diagonal, and the moments belong to a body.
fn principal(context: &Context, case: &MeshCase) -> Vec<Row> {
    let inertia = DMat3::from_cols_array(&case.inertia_com).transpose();
    let mesh = mesh_of(&case.vertices, &case.triangles);
    let mass = mass_of(context, mesh);
    let frame = context.subject.principal(mass.principal());
    let diagonal = frame.axes.transpose() * inertia * frame.axes;
    let off = vec![diagonal.x_axis.y, diagonal.y_axis.z, diagonal.z_axis.x];
    let [i1, i2, i3] = frame.moments.to_array();
    let row = |key: &str, what: &str| Row::case(format!("m1/MP-R5/{key}"), what, GUIDE);
    let trace = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
    vec![
        row("rotation", "det R of the principal axes").absolute(
            1e-14,
            1.0,
            frame.axes.determinant(),
        ),
        row("diagonal", "off-diagonal entries of RᵀIR").in_unit("kg·m²").relative_to(
            trace,
            1e-9,
            vec![0.0; 3],
            off,
        ),
        row("trace", "sum of the principal moments").in_unit("kg·m²").relative(
            1e-9,
            trace,
            i1 + i2 + i3,
        ),
    ]
}

/// MP-R6: reversed faces give the negative volume.
fn reversed(context: &Context, case: &MeshCase) -> Row {
    let mesh = mesh_of(&case.vertices, &case.triangles).map(|mesh| context.subject.mesh(mesh));
    let got = mesh.map_or(f64::NAN, |mesh| VolumeIntegrals::of_mesh(&mesh.flipped()).volume);
    Row::case("m1/MP-R6", "hull12 with reversed faces: volume", GUIDE).in_unit("m³").relative(
        1e-9,
        -case.volume,
        context.subject.extent(got),
    )
}

/// MP-R8: the rattleback's 30 g on a 500 g body, here a ball of radius 0.1 m with the mass on its surface.
fn rattleback(context: &Context) -> Vec<Row> {
    let source = "closed form: reduced mass times squared distance (M 7.1, 500 g and 30 g)";
    let ball = MassProperties {
        mass: 0.5,
        center: DVec3::ZERO,
        inertia: DMat3::from_diagonal(DVec3::splat(0.4 * 0.5 * 0.01)),
    };
    let at = Pose::from_translation(DVec3::new(0.06, 0.08, 0.0));
    let weight = MassProperties::point_mass(0.03, DVec3::ZERO).map(|weight| weight.placed(&at));
    let sum = weight.and_then(|weight| MassProperties::combined(&[ball, weight]));
    let got = context.subject.mass(sum.unwrap_or_else(|_| no_mass()));
    let reduced = 0.5 * 0.03 / 0.53;
    let (x, y) = (0.06, 0.08);
    let added = DMat3::from_cols(
        DVec3::new(y * y, -x * y, 0.0),
        DVec3::new(-x * y, x * x, 0.0),
        DVec3::new(0.0, 0.0, x * x + y * y),
    );
    let expected = DMat3::from_diagonal(DVec3::splat(0.002)) + reduced * added;
    let row = |key: &str, what: &str| {
        Row::case(format!("m1/MP-R8/{key}"), format!("ball with a point mass: {what}"), source)
    };
    vec![
        row("mass", "mass").in_unit("kg").relative(1e-15, 0.53, got.mass),
        row("center", "centre").in_unit("m").relative(
            1e-14,
            DVec3::new(0.0018 / 0.53, 0.0024 / 0.53, 0.0),
            got.center,
        ),
        row("inertia", "inertia").in_unit("kg·m²").relative(1e-14, expected, got.inertia),
    ]
}
