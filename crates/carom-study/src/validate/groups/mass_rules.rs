//! The guide's checklist MP-R2 to MP-R8, each rule on one solid; random solids are in the tests.

use glam::{DMat3, DVec3};
use oracles::closed_forms::{ball_with_point_mass, eigenvalues, hollow_box_inertia};
use oracles::meshes::{MeshCase, mass_properties};

use carom_geometry::mass::VolumeIntegrals;
use carom_geometry::{MassProperties, Pose, TriMesh, convex_hull};

use super::super::{Context, Row};
use super::{mesh_of, no_mass};

const CARRIED: &str = "mass-properties/meshes.json as carried (trimesh 5.2)";
const CLOSED_FORM: &str = "oracles: closed forms";
const GUIDE: &str = "guide to Mirtich 1996, checklist MP-R5";

/// Digits that trimesh's sums leave in the carried cases.
const CARRIED_TOLERANCE: f64 = 1e-12;

/// Digits that a closed form and a sum over a few faces leave.
const CLOSED_FORM_TOLERANCE: f64 = 1e-14;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let carried = mass_properties(None).ok();
    let case = |name: &str| carried.as_ref().and_then(|cases| cases.get(name));
    let (Some(hull12), Some(prism)) = (case("hull12"), case("prism24")) else {
        let row = Row::case("m1/MP-R2", "carried meshes", CARRIED);
        return vec![row.failed(&"hull12 or prism24 is missing")];
    };
    [
        moved(context, hull12),
        tunnel(context),
        polygons(context, prism),
        principal(context, hull12),
        vec![reversed(context, hull12)],
        rattleback(context),
    ]
    .concat()
}

fn mass_of(context: &Context, mesh: Option<TriMesh>) -> MassProperties {
    let mesh = mesh.map(|mesh| context.subject.mesh(mesh));
    let mass = mesh.and_then(|mesh| MassProperties::of_mesh(&mesh, 1.0).ok());
    context.subject.mass(mass.unwrap_or_else(no_mass))
}

/// MP-R2: a solid a hundred times its size away from the origin.
fn moved(context: &Context, case: &MeshCase) -> Vec<Row> {
    let unturned = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let far = case.moved(unturned, [64.0, -128.0, 96.0]);
    let got = mass_of(context, mesh_of(&far.vertices, &far.triangles));
    let row = |key: &str, what: &str| {
        Row::case(format!("m1/MP-R2/{key}"), format!("hull12 moved by 170 m: {what}"), CARRIED)
    };
    // Vertices rounded at 128 m carry 1.4e-14 m each, which is 1e-14 of the solid and of the distance.
    vec![
        row("center", "centre").in_unit("m").relative(1e-14, far.com.to_vec(), got.center),
        row("inertia", "inertia about the centre").in_unit("kg·m²").relative(
            CARRIED_TOLERANCE,
            far.inertia_com.to_vec(),
            got.inertia,
        ),
    ]
}

/// MP-R3: a box 4 × 3 × 1 with a square tunnel of width 1 through its middle, by subtraction.
fn tunnel(context: &Context) -> Vec<Row> {
    let row = |key: &str, what: &str| {
        Row::case(format!("m1/MP-R3/{key}"), format!("box with a tunnel: {what}"), CLOSED_FORM)
    };
    let got = mass_of(context, tunnel_mesh());
    let expected = hollow_box_inertia([4.0, 3.0, 1.0], [1.0, 1.0, 1.0]);
    let expected = DMat3::from_diagonal(DVec3::from_array(expected));
    vec![
        row("volume", "volume").in_unit("m³").relative(CLOSED_FORM_TOLERANCE, 11.0, got.mass),
        row("inertia", "inertia").in_unit("kg·m²").relative(
            CLOSED_FORM_TOLERANCE,
            expected,
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

/// MP-R4: a prism with faces of 24 corners against the same prism in triangles.
fn polygons(context: &Context, prism: &MeshCase) -> Vec<Row> {
    let points: Vec<DVec3> = prism.vertices.iter().map(|v| DVec3::from_array(*v)).collect();
    let solid = convex_hull(&points).ok();
    let polygonal = solid.and_then(|solid| MassProperties::of_polyhedron(&solid, 1.0).ok());
    let got = context.subject.mass(polygonal.unwrap_or_else(no_mass));
    let row = |key: &str, what: &str| {
        Row::case(
            format!("m1/MP-R4/{key}"),
            format!("prism24 with polygonal faces: {what}"),
            CARRIED,
        )
    };
    // The checklist's own figure.
    vec![
        row("volume", "volume").in_unit("m³").relative(1e-13, prism.volume, got.mass),
        row("inertia", "inertia").in_unit("kg·m²").relative(
            1e-13,
            prism.inertia_com.to_vec(),
            got.inertia,
        ),
    ]
}

/// MP-R5: R is a rotation, RᵀIR is diagonal with the tensor's eigenvalues, and they belong to a body.
fn principal(context: &Context, case: &MeshCase) -> Vec<Row> {
    let inertia = DMat3::from_cols_array(&case.inertia_com).transpose();
    let mass = mass_of(context, mesh_of(&case.vertices, &case.triangles));
    let frame = context.subject.principal(mass.principal());
    let diagonal = frame.axes.transpose() * inertia * frame.axes;
    let off = vec![diagonal.x_axis.y, diagonal.y_axis.z, diagonal.z_axis.x];
    let moments = eigenvalues(case.inertia_com);
    let slack = |[first, second, third]: [f64; 3]| first + second - third;
    let row = |key: &str, what: &str| Row::case(format!("m1/MP-R5/{key}"), what, GUIDE);
    vec![
        row("rotation", "det R of the principal axes").absolute(
            CLOSED_FORM_TOLERANCE,
            1.0,
            frame.axes.determinant(),
        ),
        row("diagonal", "off-diagonal entries of RᵀIR").in_unit("kg·m²").relative_to(
            moments[2],
            CARRIED_TOLERANCE,
            vec![0.0; 3],
            off,
        ),
        row("moments", "principal moments").in_unit("kg·m²").relative(
            CARRIED_TOLERANCE,
            moments.to_vec(),
            frame.moments,
        ),
        row("triangle", "I₁ + I₂ − I₃, positive for every body").in_unit("kg·m²").relative_to(
            moments[2],
            CARRIED_TOLERANCE,
            slack(moments),
            slack(frame.moments.to_array()),
        ),
    ]
}

/// MP-R6: reversed faces give the negative volume.
fn reversed(context: &Context, case: &MeshCase) -> Row {
    let mesh = mesh_of(&case.vertices, &case.triangles).map(|mesh| context.subject.mesh(mesh));
    let got = mesh.map_or(f64::NAN, |mesh| VolumeIntegrals::of_mesh(&mesh.flipped()).volume);
    Row::case("m1/MP-R6", "hull12 with reversed faces: volume", CARRIED).in_unit("m³").relative(
        CARRIED_TOLERANCE,
        -case.volume,
        context.subject.extent(got),
    )
}

/// MP-R8: the rattleback's 30 g on a 500 g body, here a ball of radius 0.1 m with the mass on its surface.
fn rattleback(context: &Context) -> Vec<Row> {
    let (heavy, radius, light, at) = (0.5, 0.1, 0.03, [0.06, 0.08, 0.0]);
    let (center, inertia) = ball_with_point_mass(heavy, radius, light, at);
    let ball = carom_geometry::shapes::Ball::new(radius).ok().and_then(|ball| {
        use carom_geometry::shape::Solid;
        let unit = ball.mass_properties(1.0).ok()?;
        unit.times(heavy / unit.mass).ok()
    });
    let place = Pose::from_translation(DVec3::from_array(at));
    let weight = MassProperties::point_mass(light, DVec3::ZERO).ok();
    let parts = ball.zip(weight).map(|(ball, weight)| [ball, weight.placed(&place)]);
    let sum = parts.and_then(|parts| MassProperties::combined(&parts).ok());
    let got = context.subject.mass(sum.unwrap_or_else(no_mass));
    let row = |key: &str, what: &str| {
        Row::case(format!("m1/MP-R8/{key}"), format!("ball with a point mass: {what}"), CLOSED_FORM)
    };
    vec![
        row("mass", "mass").in_unit("kg").relative(CLOSED_FORM_TOLERANCE, heavy + light, got.mass),
        row("center", "centre").in_unit("m").relative(
            CLOSED_FORM_TOLERANCE,
            center.to_vec(),
            got.center,
        ),
        row("inertia", "inertia").in_unit("kg·m²").relative(
            CLOSED_FORM_TOLERANCE,
            inertia.to_vec(),
            got.inertia,
        ),
    ]
}
