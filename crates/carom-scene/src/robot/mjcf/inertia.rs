//! Masses of bodies: stated, or summed over shapes.

use carom_geometry::shape::Solid;
use carom_geometry::shapes::{Ball, Capsule, Cuboid, Cylinder, Ellipsoid};
use carom_geometry::{MassError, MassProperties, Pose, ShapeError};
use glam::{DMat3, DVec3};

use super::Mjcf;
use super::compiler::InertiaFromGeom;
use super::geom::{Geom, Weight};
use crate::problem::Place;
use crate::robot::description::GeometryShape;
use crate::robot::fault::FaultKind;
use crate::robot::urdf::symmetric;
use crate::robot::xml::Element;

impl<'t> Mjcf<'_, '_, 't> {
    /// The mass of a body with these shapes.
    pub(super) fn mass(
        &self,
        body: &str,
        inertial: Option<(&Element<'t>, Pose)>,
        geoms: &[Geom],
        place: Place,
    ) -> Option<MassProperties> {
        let stated = inertial.map(|(element, pose)| self.inertial(body, element, &pose));
        let from_geoms = self.compiler.inertia_from_geom;
        let mass = match (stated, from_geoms) {
            (Some(stated), InertiaFromGeom::Never | InertiaFromGeom::Auto) => stated?,
            (None, InertiaFromGeom::Never) => return None,
            _ => self.mass_of_geoms(body, geoms)?,
        };
        let bound = |value: f64, least: f64| value.max(least);
        let mass = MassProperties { mass: bound(mass.mass, self.compiler.bound_mass), ..mass };
        let mass = self.bounded(mass);
        let may_balance = self.compiler.balance_inertia || self.reader.options.balance_inertia;
        self.reader.checked_mass(body, mass, place, may_balance)
    }

    /// With principal moments no smaller than the bound.
    fn bounded(&self, mass: MassProperties) -> MassProperties {
        let least = self.compiler.bound_inertia;
        let principal = mass.principal();
        if least <= 0.0 || principal.moments.min_element() >= least {
            return mass;
        }
        let moments = DMat3::from_diagonal(principal.moments.max(DVec3::splat(least)));
        let inertia = principal.axes * moments * principal.axes.transpose();
        MassProperties { inertia: symmetric(&inertia), ..mass }
    }

    fn inertial(&self, body: &str, element: &Element<'t>, frame: &Pose) -> Option<MassProperties> {
        let reader = self.reader;
        let link_from_inertial = frame.then_from(&self.pose_of(element));
        let mass = reader.number(reader.required(element, "mass"));
        let diagonal = reader.vector(element.attribute("diaginertia"));
        let full = reader.exactly::<6>(element.attribute("fullinertia"));
        let mass = mass?;
        let inertia = match (diagonal, full) {
            (_, Some([xx, yy, zz, xy, xz, yz])) => {
                DMat3::from_cols_array_2d(&[[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            }
            (Some(moments), None) => DMat3::from_diagonal(moments),
            (None, None) if mass == 0.0 => DMat3::ZERO,
            (None, None) => {
                let attribute = "diaginertia` or `fullinertia";
                let kind =
                    FaultKind::MissingAttribute { element: "inertial".to_owned(), attribute };
                reader.fault(element.place(), kind);
                return None;
            }
        };
        if mass < 0.0 {
            reader.fault(element.place(), FaultKind::NegativeMass { link: body.to_owned(), mass });
            return None;
        }
        let rotation = link_from_inertial.rotation_matrix();
        let inertia = symmetric(&(rotation * inertia * rotation.transpose()));
        Some(MassProperties { mass, center: link_from_inertial.translation, inertia })
    }

    fn mass_of_geoms(&self, body: &str, geoms: &[Geom]) -> Option<MassProperties> {
        let mut parts = Vec::new();
        for geom in geoms.iter().filter(|geom| geom.counts) {
            let density = match geom.weight {
                Weight::Mass(0.0) | Weight::Density(0.0) => continue,
                Weight::Mass(_) => 1.0,
                Weight::Density(density) => density,
            };
            let Some(mass) = self.mass_of_shape(geom, density) else { continue };
            let mass = mass.and_then(|mass| match geom.weight {
                Weight::Mass(total) => mass.times(total / mass.mass),
                Weight::Density(_) => Ok(mass),
            });
            match mass {
                Ok(mass) => parts.push(mass.placed(&geom.geometry.link_from_shape)),
                Err(error) => {
                    let kind = FaultKind::Mass { link: body.to_owned(), error };
                    self.reader.fault(geom.place, kind);
                }
            }
        }
        MassProperties::combined(&parts).ok()
    }

    fn mass_of_shape(
        &self,
        geom: &Geom,
        density: f64,
    ) -> Option<Result<MassProperties, MassError>> {
        if let GeometryShape::Mesh(mesh) = &geom.geometry.shape {
            return self.reader.mesh_mass(mesh, density, geom.place);
        }
        solid_mass(&geom.geometry.shape, density).ok()
    }

    /// Scales all masses to the total that `settotalmass` asks for.
    pub(super) fn set_total_mass(&mut self) {
        let (Some(wanted), total) = (self.compiler.total_mass, self.robot.total_mass()) else {
            return;
        };
        for link in &mut self.robot.links {
            if let Some(mass) = &mut link.mass
                && total > 0.0
            {
                mass.mass *= wanted / total;
                mass.inertia *= wanted / total;
            }
        }
    }
}

/// Mass of an evenly filled primitive.
fn solid_mass(
    shape: &GeometryShape,
    density: f64,
) -> Result<Result<MassProperties, MassError>, ShapeError> {
    Ok(match shape {
        GeometryShape::Box { size } => Cuboid::new(0.5 * *size)?.mass_properties(density),
        GeometryShape::Cylinder { radius, height } => {
            Cylinder::new(0.5 * height, *radius)?.mass_properties(density)
        }
        GeometryShape::Ball { radius } => Ball::new(*radius)?.mass_properties(density),
        GeometryShape::Capsule { radius, length } => {
            Capsule::new(0.5 * length, *radius)?.mass_properties(density)
        }
        GeometryShape::Ellipsoid { semi_axes } => {
            Ellipsoid::new(*semi_axes)?.mass_properties(density)
        }
        GeometryShape::Plane | GeometryShape::Mesh(_) => return Err(ShapeError::NoParts),
    })
}
