//! URDF: links by name, joints between them, angles in radians.
//!
//! | URDF | here |
//! |---|---|
//! | `rpy` | R = Rz(yaw)·Ry(pitch)·Rx(roll) |
//! | `<origin>` of `<inertial>` | centre of mass, and the axes that `<inertia>` is in |
//! | `<origin>` of `<joint>` | the frame of the joint, and of the child where q = 0 |
//! | `continuous` | revolute without limits |
//! | `floating` | free |

mod geometry;
mod joint;
mod tree;

use std::collections::BTreeMap;

use carom_geometry::{MassProperties, Pose};
use glam::{DMat3, DVec3};

use super::Imported;
use super::description::{Link, Robot};
use super::fault::{FaultKind, Why};
use super::pose::roll_pitch_yaw;
use super::reader::{ReadOptions, Reader, RobotTexts};
use super::xml::Element;
use crate::files::Files;
use crate::load::Source;
use crate::problem::Place;

pub(super) fn read(source: &Source, options: &ReadOptions, files: &dyn Files) -> Imported {
    let reader = Reader::new(options, files);
    let texts = reader.texts(source, false);
    let (mut robot, mut leftovers) = (None, Vec::new());
    if let Some(xmls) = reader.parse(&texts)
        && let Some(root) = reader.root(&xmls, "robot")
    {
        robot = Urdf::new(&reader, &texts).robot(&root);
        leftovers = xmls.iter().flat_map(|xml| xml.leftovers(&xmls, reason)).collect();
    }
    reader.finish(robot, leftovers, texts.sources)
}

/// Why something that nobody reads is not read.
fn reason(path: &[&str], attribute: Option<&str>) -> Why {
    match (path, attribute) {
        (["robot"], Some("version"))
        | (["robot", "gazebo" | "sensor", ..] | ["robot", "joint", "calibration"], None)
        | (["robot", "link"], Some("type")) => Why::NoMeaning,
        _ => Why::NotSupported,
    }
}

struct Urdf<'r, 'a> {
    reader: &'r Reader<'a>,
    folder: &'r std::path::Path,
    /// Colours by name of material.
    colors: BTreeMap<String, [f64; 4]>,
    /// Where links are named, and which they are.
    links: BTreeMap<String, (usize, Place)>,
}

impl<'r, 'a> Urdf<'r, 'a> {
    fn new(reader: &'r Reader<'a>, texts: &'r RobotTexts) -> Self {
        let folder = texts.texts.first().map_or(std::path::Path::new(""), |text| &text.folder);
        Self { reader, folder, colors: BTreeMap::new(), links: BTreeMap::new() }
    }

    fn robot(&mut self, root: &Element<'_>) -> Option<Robot> {
        let name = root.attribute("name").map_or("", |name| name.value).to_owned();
        let mut robot = Robot { name, ..Robot::default() };
        self.named_colors(root);
        let elements = root.children_called("link");
        for element in &elements {
            self.take_link(element, robot.links.len());
            let link = self.link(element);
            robot.links.push(link);
        }
        let joints = root.children_called("joint");
        for element in &joints {
            let joint = self.joint(element, &robot);
            robot.joints.extend(joint);
        }
        if robot.links.is_empty() {
            self.reader.fault(root.place(), FaultKind::NoLinks);
            return None;
        }
        // Without all of its joints the tree would fall apart for a reason that has been told.
        if robot.joints.len() == joints.len() && self.links.len() == robot.links.len() {
            self.check_tree(&robot)?;
        }
        Some(robot)
    }

    /// Notes the name of a link.
    fn take_link(&mut self, element: &Element<'_>, index: usize) {
        let Some(name) = element.peek("name") else { return };
        if self.links.contains_key(name.value) {
            let kind = FaultKind::NameTaken { what: "links", name: name.value.to_owned() };
            self.reader.fault(name.place, kind);
            return;
        }
        self.links.insert(name.value.to_owned(), (index, name.place));
    }

    fn link(&mut self, element: &Element<'_>) -> Link {
        let name = self.reader.required(element, "name");
        let name = name.map_or_else(String::new, |name| name.value.to_owned());
        let mass =
            self.only(element, "inertial").and_then(|inertial| self.inertial(&name, &inertial));
        let shapes = |urdf: &Self, tag: &str| -> Vec<_> {
            let elements = element.children_called(tag);
            elements.iter().filter_map(|element| urdf.shape(element)).collect()
        };
        let (collisions, visuals) = (shapes(self, "collision"), shapes(self, "visual"));
        Link { name, mass, collisions, visuals }
    }

    /// The child of a name, of which there may be one.
    fn only<'t>(&self, element: &Element<'t>, tag: &str) -> Option<Element<'t>> {
        let found = element.children_called(tag);
        if let Some(second) = found.get(1) {
            self.reader.fault(second.place(), FaultKind::Twice(tag.to_owned()));
        }
        found.first().copied()
    }

    /// Where the `<origin>` in an element puts a frame.
    fn origin(&self, element: &Element<'_>) -> Pose {
        let Some(origin) = self.only(element, "origin") else { return Pose::IDENTITY };
        let shift = self.reader.vector(origin.attribute("xyz")).unwrap_or(DVec3::ZERO);
        let angles = self.reader.vector(origin.attribute("rpy")).unwrap_or(DVec3::ZERO);
        Pose::new(shift, roll_pitch_yaw(angles).normalize())
    }

    fn inertial(&self, link: &str, element: &Element<'_>) -> Option<MassProperties> {
        let link_from_inertial = self.origin(element);
        let missing = |child| {
            let kind = FaultKind::MissingElement { element: "inertial".to_owned(), child };
            self.reader.fault(element.place(), kind);
        };
        let Some(mass) = self.only(element, "mass") else {
            missing("mass");
            return None;
        };
        let value = self.reader.required(&mass, "value");
        let inertia = self.only(element, "inertia");
        let mass = self.reader.number(value)?;
        let inertia = match inertia {
            Some(element) => self.tensor(&element)?,
            None if mass == 0.0 => DMat3::ZERO,
            None => {
                missing("inertia");
                return None;
            }
        };
        let rotation = link_from_inertial.rotation_matrix();
        let mass = MassProperties {
            mass,
            center: link_from_inertial.translation,
            inertia: symmetric(&(rotation * inertia * rotation.transpose())),
        };
        let may_balance = self.reader.options.balance_inertia;
        self.reader.checked_mass(link, mass, value?.place, may_balance)
    }

    fn tensor(&self, element: &Element<'_>) -> Option<DMat3> {
        let entry = |name| {
            let attribute = self.reader.required(element, name);
            self.reader.number(attribute)
        };
        let [xx, xy, xz] = [entry("ixx"), entry("ixy"), entry("ixz")];
        let [yy, yz, zz] = [entry("iyy"), entry("iyz"), entry("izz")];
        let (xy, xz, yz) = (xy?, xz?, yz?);
        Some(DMat3::from_cols_array_2d(&[[xx?, xy, xz], [xy, yy?, yz], [xz, yz, zz?]]))
    }
}

/// The tensor without the asymmetry of rounding.
pub(super) fn symmetric(tensor: &DMat3) -> DMat3 {
    (*tensor + tensor.transpose()) * 0.5
}
