//! `<compiler>`: what numbers of the file mean.

use std::f64::consts::PI;

use crate::robot::fault::{FaultKind, Why};
use crate::robot::reader::Reader;
use crate::robot::xml::{Attribute, Element};

/// Where masses come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InertiaFromGeom {
    /// From `<inertial>` only.
    Never,
    /// From shapes, whatever `<inertial>` says.
    Always,
    /// From shapes where there is no `<inertial>`.
    Auto,
}

/// The settings in force.
#[derive(Clone, Debug)]
pub(super) struct Compiler {
    /// Radians of one unit of angle.
    pub(super) angle: f64,
    /// Axes of Euler angles; capital letters are fixed axes.
    pub(super) euler_axes: [char; 3],
    pub(super) inertia_from_geom: InertiaFromGeom,
    pub(super) auto_limits: bool,
    pub(super) balance_inertia: bool,
    pub(super) bound_mass: f64,
    pub(super) bound_inertia: f64,
    /// Total mass that all masses are scaled to; none if not positive `[kg]`.
    pub(super) total_mass: Option<f64>,
    /// Groups whose shapes have mass, first and last.
    pub(super) groups: [f64; 2],
    pub(super) mesh_folder: String,
    pub(super) strips_paths: bool,
}

impl Default for Compiler {
    fn default() -> Self {
        Self {
            angle: PI / 180.0,
            euler_axes: ['x', 'y', 'z'],
            inertia_from_geom: InertiaFromGeom::Auto,
            auto_limits: true,
            balance_inertia: false,
            bound_mass: 0.0,
            bound_inertia: 0.0,
            total_mass: None,
            groups: [0.0, 5.0],
            mesh_folder: String::new(),
            strips_paths: false,
        }
    }
}

impl Compiler {
    /// Settings of all `<compiler>` elements together; the last one of each counts.
    pub(super) fn read(reader: &Reader<'_>, root: &Element<'_>) -> Self {
        let mut compiler = Self::default();
        for element in root.children_called("compiler") {
            compiler.read_one(reader, &element);
        }
        compiler
    }

    fn read_one(&mut self, reader: &Reader<'_>, element: &Element<'_>) {
        self.words(reader, element);
        let flag = |name, value: &mut bool| {
            if let Some(stated) = flag(reader, element.attribute(name)) {
                *value = stated;
            }
        };
        flag("autolimits", &mut self.auto_limits);
        flag("balanceinertia", &mut self.balance_inertia);
        flag("strippath", &mut self.strips_paths);
        let number = |name, value: &mut f64| {
            if let Some(stated) = reader.number(element.attribute(name)) {
                *value = stated;
            }
        };
        number("boundmass", &mut self.bound_mass);
        number("boundinertia", &mut self.bound_inertia);
        if let Some(total) = reader.number(element.attribute("settotalmass")) {
            self.total_mass = Some(total).filter(|total| *total > 0.0);
        }
        if let Some(groups) = reader.exactly(element.attribute("inertiagrouprange")) {
            self.groups = groups;
        }
        for name in ["assetdir", "meshdir"] {
            if let Some(folder) = element.attribute(name) {
                folder.value.clone_into(&mut self.mesh_folder);
            }
        }
    }

    /// Settings that are one of a few words.
    fn words(&mut self, reader: &Reader<'_>, element: &Element<'_>) {
        if let Some(angle) = element.attribute("angle") {
            match angle.value {
                "degree" => self.angle = PI / 180.0,
                "radian" => self.angle = 1.0,
                _ => reader.bad_value(&angle, "degree or radian"),
            }
        }
        if let Some(coordinate) = element.attribute("coordinate")
            && coordinate.value != "local"
        {
            let message = "coordinates of the world are not supported: `coordinate` must be local";
            reader.fault(coordinate.place, FaultKind::NotSupported(message.to_owned()));
        }
        if let Some(from) = element.attribute("inertiafromgeom") {
            match from.value {
                "false" => self.inertia_from_geom = InertiaFromGeom::Never,
                "true" => self.inertia_from_geom = InertiaFromGeom::Always,
                "auto" => self.inertia_from_geom = InertiaFromGeom::Auto,
                _ => reader.bad_value(&from, "true, false or auto"),
            }
        }
        if let Some(sequence) = element.attribute("eulerseq") {
            let letters: Vec<char> = sequence.value.chars().collect();
            match <[char; 3]>::try_from(letters) {
                Ok(axes) if axes.iter().all(|axis| "xyzXYZ".contains(*axis)) => {
                    self.euler_axes = axes;
                }
                _ => reader.bad_value(&sequence, "three letters of x, y, z, X, Y and Z"),
            }
        }
    }

    /// Whether a range counts: `flag` is true, false or auto.
    pub(super) fn is_limited(
        &self,
        reader: &Reader<'_>,
        flag: Option<Attribute<'_>>,
        has_range: bool,
    ) -> bool {
        let Some(flag) = flag else { return self.auto_limits && has_range };
        match flag.value {
            "true" => true,
            "false" => false,
            "auto" => self.auto_limits && has_range,
            _ => {
                reader.bad_value(&flag, "true, false or auto");
                false
            }
        }
    }
}

/// True or false, if the attribute is there.
pub(super) fn flag(reader: &Reader<'_>, attribute: Option<Attribute<'_>>) -> Option<bool> {
    let attribute = attribute?;
    match attribute.value {
        "true" => Some(true),
        "false" => Some(false),
        _ => {
            reader.bad_value(&attribute, "true or false");
            None
        }
    }
}

/// Gravity unless a file states it, as MJCF has it; not that of scenes `[m/s²]`.
const GRAVITY: glam::DVec3 = glam::DVec3::new(0.0, 0.0, -9.81);

/// `<option>`: gravity is read, and switched off where `<flag gravity="disable"/>` says so.
impl super::Mjcf<'_, '_, '_> {
    pub(super) fn options(&mut self, root: &Element<'_>) {
        // Of a file that says nothing of it.
        self.robot.gravity = Some(GRAVITY);
        for element in root.children_called("option") {
            if let Some(gravity) = self.reader.vector(element.attribute("gravity")) {
                self.robot.gravity = Some(gravity);
            }
            for flags in element.children_called("flag") {
                match flags.attribute("gravity").map(|gravity| gravity.value) {
                    Some("disable") => self.robot.gravity = Some(glam::DVec3::ZERO),
                    Some("enable") | None => {}
                    Some(_) => flags.leave_attribute("gravity", Why::NotSupported),
                }
            }
        }
    }
}
