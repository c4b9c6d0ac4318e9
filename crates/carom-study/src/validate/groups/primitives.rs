//! Carried data set `primitives`: every primitive solid against 25-digit quadrature.

use glam::{DMat3, DVec3};
use oracles::primitives::{PrimitiveCase, primitives};

use carom_geometry::shape::{ShapeError, Solid};
use carom_geometry::shapes::{Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Superquadric};

use super::super::{Context, Row};
use super::no_mass;

const SOURCE: &str = "oracles: quadrature in 25 digits (primitives.py)";

/// The quadrature of the area stops at 1e-11; Gamma functions are good to a few parts in 1e15.
const TOLERANCE: f64 = 1e-11;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    match primitives() {
        Ok(cases) => cases.iter().flat_map(|(name, case)| case_rows(context, name, case)).collect(),
        Err(error) => vec![Row::case("data/primitives", "primitives", SOURCE).failed(&error)],
    }
}

/// The solid of a case; `None` if the API refuses its numbers or its kind is unknown, which fails its rows.
fn solid(case: &PrimitiveCase) -> Option<Box<dyn Solid>> {
    fn boxed<S: Solid + 'static>(shape: Result<S, ShapeError>) -> Option<Box<dyn Solid>> {
        shape.ok().map(|shape| Box::new(shape) as Box<dyn Solid>)
    }
    match (case.kind.as_str(), case.sizes.as_slice()) {
        ("ball", &[r]) => boxed(Ball::new(r)),
        ("box", &[a, b, c]) => boxed(Cuboid::new(DVec3::new(a, b, c))),
        ("capsule", &[h, r]) => boxed(Capsule::new(h, r)),
        ("cylinder", &[h, r]) => boxed(Cylinder::new(h, r)),
        ("cone", &[h, r]) => boxed(Cone::new(h, r)),
        ("ellipsoid", &[a, b, c]) => boxed(Ellipsoid::new(DVec3::new(a, b, c))),
        ("superquadric", &[a, b, c, m, n]) => boxed(Superquadric::new(DVec3::new(a, b, c), m, n)),
        _ => None,
    }
}

fn case_rows(context: &Context, name: &str, case: &PrimitiveCase) -> Vec<Row> {
    let solid = solid(case);
    let mass = solid.as_ref().and_then(|solid| solid.mass_properties(1.0).ok());
    let got = context.subject.mass(mass.unwrap_or_else(no_mass));
    let area = solid.as_ref().map_or(f64::NAN, |solid| solid.surface_area());
    let reach = |direction: DVec3| {
        let point = solid.as_ref()?.support(context.subject.direction(direction))?;
        Some(direction.dot(point))
    };
    let reaches = case.support.iter().map(|known| reach(DVec3::from_array(known.direction)));
    let reaches: Vec<f64> = reaches.map(|found| found.unwrap_or(f64::NAN)).collect();
    let known: Vec<f64> = case.support.iter().map(|known| known.value).collect();
    let size = case.sizes.iter().copied().fold(0.0, f64::max);
    let row = |key: &str, what: &str, unit: &'static str| {
        let id = format!("data/primitives/{name}/{key}");
        Row::case(id, format!("{name}: {what}"), SOURCE).in_unit(unit)
    };
    let inertia = DMat3::from_diagonal(DVec3::from_array(case.inertia));
    vec![
        row("volume", "volume", "m³").relative(TOLERANCE, case.volume, got.mass),
        row("area", "surface area", "m²").relative(
            TOLERANCE,
            case.area,
            context.subject.extent(area),
        ),
        row("support", "reach of its support points along three directions", "m")
            .relative(TOLERANCE, known, reaches),
        row("center", "centre of mass", "m").relative_to(
            size,
            TOLERANCE,
            DVec3::from_array(case.center),
            got.center,
        ),
        row("inertia", "inertia about the centre", "kg·m²").relative(
            TOLERANCE,
            inertia,
            got.inertia,
        ),
    ]
}
