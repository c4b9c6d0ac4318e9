//! Bodies and their copies.

use std::sync::Arc;

use carom_geometry::{Pose, Shape};
use glam::DVec3;

use super::Builder;
use super::mass::{Known, MassSpec};
use super::placement::DEGREE;
use super::repeat::CopyPlace;
use super::shapes::ShapeSpec;
use crate::decode::Vector;
use crate::decode::table::Placed;
use crate::format::BodyTable;
use crate::limits::Limit;
use crate::load::Document;
use crate::problem::{Place, Problem};
use crate::scene::{Body, MotionSpec};

/// The shape and mass of the last copy, for the next one if its numbers are the same.
#[derive(Default)]
struct Last {
    /// Whether the shape depends on the copy, and must be evaluated again for each.
    shape_varies: bool,
    shape: Option<(ShapeSpec, Arc<Shape>)>,
    mass: Option<(MassSpec, Known)>,
}

impl Builder<'_, '_> {
    pub(super) fn add_bodies(&mut self, documents: &[Document]) {
        for document in documents {
            let Some(tables) = &document.table.body else { continue };
            self.folder.clone_from(&document.folder);
            self.relative_folder.clone_from(&document.relative_folder);
            for broken in &tables.broken {
                self.names.note_broken(broken.name.as_deref());
            }
            for table in &tables.tables {
                if self.add_body(table).is_none() {
                    self.names.note_broken(Some(&table.name.value));
                }
            }
        }
    }

    /// Adds a body and its copies; none if one has a mistake, after which no more copies are made.
    fn add_body(&mut self, table: &BodyTable) -> Option<()> {
        let most = self.loader.options.limits.bodies.saturating_sub(self.bodies.len() as u64);
        let copies =
            self.copies(table.repeat.as_ref(), &table.name.value, (most, Limit::Bodies))?;
        if copies.count() as u64 > most {
            self.report_limit(Limit::Bodies, table.place, "the scene has more bodies");
            return None;
        }
        self.bodies.reserve(copies.count());
        let mut last = Last::default();
        for index in 0..copies.count() {
            let copy = copies.get(index);
            self.copy = copy.numbers;
            let body = self.make_body(table, &copy, index, &mut last);
            self.copy = None;
            self.bodies.push(body?);
        }
        Some(())
    }

    fn make_body(
        &mut self,
        table: &BodyTable,
        copy: &CopyPlace,
        index: usize,
        last: &mut Last,
    ) -> Option<Body> {
        // Everything is evaluated before the first mistake ends the body, so that each is told.
        let name = self.body_name(table, copy, index);
        let placement = self.placement(&table.placement, copy.offset);
        let world_from_body =
            placement.map(|pose| Pose::new(pose.translation, copy.turn * pose.rotation));
        let pose = world_from_body.unwrap_or(Pose::IDENTITY);
        let motion = self.motion(table.motion.as_ref(), &pose);
        let material = table.material.as_ref().map_or(Some(0), |text| self.material(text));
        let shape = self.shape_of_copy(table, last);
        let mass = self.mass_of_copy(table, material, last);
        let velocities = self.velocities(table, motion.as_ref(), &pose);
        let surface_velocity = self.vector_or(table.surface_velocity.as_ref(), DVec3::ZERO);
        let color = table.color.as_ref().map(|text| self.color(text));
        let times = self.lifetime(table);
        let layers = self.layers(table);
        if let (Some(motion), Some(_), Some(mass)) = (&motion, material, &mass) {
            self.check_free(table, motion, mass, last)?;
            if *motion == MotionSpec::Free && mass.is_err() && !table.faulty {
                self.massless.push(self.bodies.len());
            }
        }
        let (from, until) = times?;
        let (velocity, angular_velocity) = velocities?;
        let color = match color {
            Some(color) => Some(color?),
            None => None,
        };
        let (name, place) = (name?, table.place);
        let body = Body {
            name,
            shape: shape?,
            mass: mass?.ok(),
            world_from_body: world_from_body?,
            velocity,
            angular_velocity,
            surface_velocity: surface_velocity?,
            motion: motion?,
            material: material?,
            color,
            ghost: table.ghost.is_some_and(|ghost| ghost.value),
            sensor: table.sensor.is_some_and(|sensor| sensor.value),
            layers: layers?,
            from,
            until,
            place,
        };
        self.check_finite(body)
    }

    /// Sums and products of the numbers given may overflow where none of them is too large.
    fn check_finite(&mut self, body: Body) -> Option<Body> {
        if body.is_finite() {
            return Some(body);
        }
        let message = format!("numbers of the body `{}` overflow", body.name);
        let problem = Problem::error(body.place, message)
            .label("positions, velocities, rates or mass become infinite")
            .hint("check the sizes, offsets and units; numbers reach up to about 1.8e308");
        self.report(problem);
        None
    }

    fn body_name(&mut self, table: &BodyTable, copy: &CopyPlace, index: usize) -> Option<String> {
        let mut name = self.text(&table.name)?;
        if copy.numbers.is_some() && !table.name.value.contains('{') {
            name.push_str(&format!("_{index}"));
        }
        let body_index = self.bodies.len();
        self.take_name(&name, body_index, table.name.place).then_some(name)
    }

    fn shape_of_copy(&mut self, table: &BodyTable, last: &mut Last) -> Option<Arc<Shape>> {
        if let Some((_, shape)) = last.shape.as_ref().filter(|_| !last.shape_varies) {
            return Some(Arc::clone(shape));
        }
        self.asked_for_copy.set(false);
        let Some(spec) = self.shape_spec(&table.shape) else {
            last.shape = None;
            return None;
        };
        let shape_varies = self.asked_for_copy.get();
        if let Some((known, shape)) = &last.shape
            && *known == spec
        {
            return Some(Arc::clone(shape));
        }
        *last = Last { shape_varies, ..Last::default() };
        let shape = self.shape(&spec, table.shape.place())?;
        last.shape = Some((spec, Arc::clone(&shape)));
        Some(shape)
    }

    /// The mass; none is a mistake.
    fn mass_of_copy(
        &mut self,
        table: &BodyTable,
        material: Option<usize>,
        last: &mut Last,
    ) -> Option<Known> {
        let density = material.and_then(|material| self.materials.density(material));
        let spec = self.mass_spec(table, density)?;
        let (shape_spec, shape) = last.shape.as_ref()?;
        if let Some((known, mass)) = &last.mass
            && *known == spec
        {
            return Some(*mass);
        }
        let (shape_spec, shape) = (shape_spec.clone(), Arc::clone(shape));
        let mass = self.mass(table, &spec, &shape_spec, &shape)?;
        last.mass = Some((spec, mass));
        Some(mass)
    }

    /// A free body needs a mass and an end.
    fn check_free(
        &mut self,
        table: &BodyTable,
        motion: &MotionSpec,
        mass: &Known,
        last: &Last,
    ) -> Option<()> {
        if *motion != MotionSpec::Free || mass.is_ok() || table.faulty {
            return Some(());
        }
        let name = &table.name.value;
        let is_half_space = last.shape.as_ref().is_some_and(|(spec, _)| spec.is_half_space());
        if self.has_joints && !is_half_space {
            // Whether joints hold it is known once there are joints.
            return Some(());
        }
        let problem = if is_half_space {
            Problem::error(
                table.place,
                format!("the body `{name}` is a half-space and cannot move freely"),
            )
            .label("has no end and so no mass")
            .hint("add `motion = { kind = \"fixed\" }`")
        } else {
            Problem::error(table.place, format!("the free body `{name}` has no mass"))
                .label("how heavy is it?")
                .hint(
                    "give it `density` or `mass`, or a `material` that has a density; \
                     or add `motion = { kind = \"fixed\" }`",
                )
        };
        self.report(problem);
        None
    }

    /// Velocity and angular velocity, in world axes.
    fn velocities(
        &mut self,
        table: &BodyTable,
        motion: Option<&MotionSpec>,
        pose: &Pose,
    ) -> Option<(DVec3, DVec3)> {
        let place = |vector: &Option<Vector>| vector.as_ref().map(|vector| vector.place);
        let stated: [(Option<Place>, &str); 4] = [
            (place(&table.velocity), "velocity"),
            (place(&table.angular_velocity), "angular_velocity"),
            (place(&table.angular_velocity_deg), "angular_velocity_deg"),
            (place(&table.angular_velocity_body), "angular_velocity_body"),
        ];
        if motion.is_some_and(|motion| *motion != MotionSpec::Free) {
            for (place, key) in stated {
                let Some(place) = place else { continue };
                let problem = Problem::error(place, format!("only free bodies have `{key}`"))
                    .label("this body moves as `motion` says")
                    .hint(
                        "for constant velocity: motion = { kind = \"constant\", velocity = […] }",
                    );
                self.report(problem);
            }
        }
        let velocity = self.vector_or(table.velocity.as_ref(), DVec3::ZERO);
        let angular_velocity = if let Some(degrees) = &table.angular_velocity_deg {
            self.vector(degrees).map(|degrees| degrees * DEGREE)
        } else if let Some(body) = &table.angular_velocity_body {
            self.vector(body).map(|body| pose.vector(body))
        } else {
            self.vector_or(table.angular_velocity.as_ref(), DVec3::ZERO)
        };
        Some((velocity?, angular_velocity?))
    }

    /// When a body appears and vanishes.
    fn lifetime(&mut self, table: &BodyTable) -> Option<(f64, f64)> {
        let from = table.from.as_ref();
        let from = from.map_or(Some(0.0), |number| self.not_negative(number, "from"));
        let until = self.number_or(table.until.as_ref(), f64::INFINITY);
        let (from, until) = (from?, until?);
        if until <= from {
            let place = table.until.as_ref().map_or(table.place, |number| number.place);
            let problem = Problem::error(place, "the body vanishes before it appears")
                .label(format!("it appears at {from} s"));
            self.report(problem);
            return None;
        }
        Some((from, until))
    }
}
