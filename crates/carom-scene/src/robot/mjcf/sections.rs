//! `<asset>`, `<contact>` and `<keyframe>`.

use std::path::Path;

use glam::DVec3;

use super::Mjcf;
use super::defaults::Resolved;
use crate::robot::description::{JointKind, Keyframe, Mesh};
use crate::robot::fault::{FaultKind, Why};
use crate::robot::xml::{Attribute, Element};

impl<'t> Mjcf<'_, '_, 't> {
    pub(super) fn assets(&mut self, root: &Element<'t>) {
        for section in root.children_called("asset") {
            for element in section.children() {
                match element.tag() {
                    "mesh" => self.mesh_asset(&element),
                    "material" => {
                        let resolved = self.defaults.resolve(self.reader, &element, None);
                        let name = self.reader.required(&resolved.element, "name");
                        let color = self.reader.exactly(resolved.attribute("rgba"));
                        if let (Some(name), Some(color)) = (name, color) {
                            self.colors.insert(name.value.to_owned(), color);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn mesh_asset(&mut self, element: &Element<'t>) {
        let resolved = self.defaults.resolve(self.reader, element, None);
        let name = resolved.element.attribute("name");
        let file = resolved.element.attribute("file");
        let stem = file.and_then(|file| Path::new(file.value).file_stem()?.to_str());
        let Some(name) = name.map(|name| name.value).or(stem) else {
            let kind =
                FaultKind::MissingAttribute { element: "mesh".to_owned(), attribute: "name" };
            self.reader.fault(element.place(), kind);
            return;
        };
        if element.peek("inertia").is_some_and(|inertia| inertia.value == "exact") {
            element.attribute("inertia");
        }
        let is_moved = ["refpos", "refquat"].iter().any(|name| element.peek(name).is_some());
        let mesh = match file {
            Some(file) if !is_moved => self.mesh_file(&resolved, &file),
            _ => {
                Self::unsupported(element);
                None
            }
        };
        self.meshes.insert(name.to_owned(), mesh);
    }

    fn mesh_file(&self, resolved: &Resolved<'t>, file: &Attribute<'t>) -> Option<Mesh> {
        let scale = self.reader.vector(resolved.attribute("scale")).unwrap_or(DVec3::ONE);
        let named = match (self.compiler.strips_paths, Path::new(file.value).file_name()) {
            (true, Some(name)) => name.to_str().unwrap_or(file.value),
            _ => file.value,
        };
        let folder = self.folder.join(&self.compiler.mesh_folder);
        self.reader.mesh(named, &folder, scale, file.place)
    }

    pub(super) fn exclusions(&mut self, root: &Element<'t>) {
        for section in root.children_called("contact") {
            for exclude in section.children_called("exclude") {
                exclude.attribute("name");
                let ends = ["body1", "body2"].map(|end| self.excluded(&exclude, end));
                let [Some(first), Some(second)] = ends else { continue };
                for a in &first {
                    self.robot.exclusions.extend(second.iter().map(|b| [*a, *b]));
                }
            }
        }
    }

    /// The links that one end of an exclusion names.
    fn excluded(&self, exclude: &Element<'t>, end: &'static str) -> Option<Vec<usize>> {
        let name = self.reader.required(exclude, end)?;
        if name.value == "world" {
            return Some(self.world_links.clone());
        }
        let link = self.links.get(name.value);
        if link.is_none() {
            let kind = FaultKind::Unknown { what: "body", name: name.value.to_owned() };
            self.reader.fault(name.place, kind);
        }
        link.map(|link| vec![*link])
    }

    pub(super) fn keyframes(&mut self, root: &Element<'t>) {
        for section in root.children_called("keyframe") {
            for key in section.children_called("key") {
                let frame = self.keyframe(&key);
                self.robot.keyframes.extend(frame);
            }
        }
    }

    /// Coordinates in the order of the joints, quaternions scalar first.
    fn keyframe(&self, key: &Element<'t>) -> Option<Keyframe> {
        let name = key.attribute("name").map_or("", |name| name.value).to_owned();
        let mut frame = Keyframe { name, ..Keyframe::default() };
        let joints = &self.robot.joints;
        if let Some(qpos) = key.attribute("qpos") {
            let expected: usize = joints.iter().map(|joint| joint.kind.n_coordinates()).sum();
            let values = self.counted(&qpos, expected)?;
            let mut rest = &values[..];
            for joint in joints.iter().filter(|joint| joint.kind != JointKind::Fixed) {
                let (own, others) = rest.split_at(joint.kind.n_coordinates());
                rest = others;
                let mut own = own.to_vec();
                if matches!(joint.kind, JointKind::Free | JointKind::Spherical) {
                    let first = own.len() - 4;
                    own[first..].rotate_left(1);
                }
                frame.coordinates.insert(joint.name.clone(), own);
            }
        }
        if let Some(qvel) = key.attribute("qvel") {
            let n_rates = |kind| match kind {
                JointKind::Spherical => 3,
                JointKind::Free => 6,
                other => other.n_coordinates(),
            };
            let values =
                self.counted(&qvel, joints.iter().map(|joint| n_rates(joint.kind)).sum())?;
            let mut at = 0;
            for joint in joints {
                let own = &values[at..at + n_rates(joint.kind)];
                at += own.len();
                if let [rate] = own {
                    frame.rates.insert(joint.name.clone(), *rate);
                } else if own.iter().any(|rate| *rate != 0.0) {
                    key.leave_attribute("qvel", Why::NotSupported);
                }
            }
        }
        Some(frame)
    }

    fn counted(&self, attribute: &Attribute<'t>, expected: usize) -> Option<Vec<f64>> {
        let values = self.reader.numbers(attribute)?;
        if values.len() != expected {
            self.reader.bad_value(attribute, format!("{expected} numbers"));
            return None;
        }
        Some(values)
    }
}
