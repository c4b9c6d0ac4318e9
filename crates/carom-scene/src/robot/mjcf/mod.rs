//! MJCF, MuJoCo's format: nested bodies, several joints in one body, defaults by class.
//!
//! | MJCF | here |
//! |---|---|
//! | quaternions (w, x, y, z) | scalar last |
//! | half sizes | full sizes |
//! | angles in degrees unless `<compiler angle="radian"/>` | radians |
//! | `pos` of a joint in its body | shifts before and after the motion |
//! | a body without joints | a fixed joint |
//! | shapes of `<worldbody>` | a link each, fixed to the world |
//!
//! Masses: `<inertial>`, or the sum over the shapes at `mass` or `density`, as `inertiafromgeom` says. The mass of a mesh is
//! that of the solid inside of it, as `inertia="exact"` asks for; what MuJoCo computes by default counts the volume of dents
//! more than once.

mod actuator;
mod body;
mod compiler;
mod defaults;
mod geom;
mod inertia;
mod joint;
mod place;
mod sections;

use std::collections::BTreeMap;
use std::path::Path;

use super::Imported;
use super::description::{Mesh, Robot};
use super::fault::{FaultKind, Why};
use super::reader::{ReadOptions, Reader};
use super::xml::Element;
use crate::files::Files;
use crate::load::Source;
use crate::problem::Place;
use compiler::Compiler;
use defaults::Defaults;

pub(super) fn read(source: &Source, options: &ReadOptions, files: &dyn Files) -> Imported {
    let reader = Reader::new(options, files);
    let texts = reader.texts(source, true);
    let (mut robot, mut leftovers) = (None, Vec::new());
    if let Some(xmls) = reader.parse(&texts)
        && let Some(root) = reader.root(&xmls, "mujoco")
    {
        let folder = &texts.texts[0].folder;
        robot = Some(Mjcf::new(&reader, folder).robot(&root));
        leftovers = xmls.iter().flat_map(|xml| xml.leftovers(&xmls, reason)).collect();
        if robot.as_ref().is_some_and(|robot: &Robot| robot.links.is_empty()) {
            reader.fault(root.place(), FaultKind::NoLinks);
        }
    }
    reader.finish(robot, leftovers, texts.sources)
}

/// Why something that nobody reads is not read.
fn reason(path: &[&str], attribute: Option<&str>) -> Why {
    const PHYSICAL_OPTIONS: [&str; 4] = ["wind", "magnetic", "density", "viscosity"];
    const COMPUTING: [&str; 15] = [
        "group",
        "user",
        "solref",
        "solimp",
        "solreflimit",
        "solimplimit",
        "solreffriction",
        "solimpfriction",
        "solmix",
        "priority",
        "condim",
        "margin",
        "gap",
        "material",
        "class",
    ];
    let last = path.last().copied().unwrap_or_default();
    match (path.get(1..).unwrap_or_default(), attribute) {
        (["option"], Some(name)) if !PHYSICAL_OPTIONS.contains(&name) => Why::NoMeaning,
        (["visual" | "statistic" | "size" | "custom", ..] | ["asset", "texture", ..], _)
        | (["compiler"], Some("texturedir" | "discardvisual" | "usethread" | "fusestatic")) => {
            Why::NoMeaning
        }
        (_, None) if matches!(last, "light" | "camera" | "texture" | "visual") => Why::NoMeaning,
        (_, Some(_)) if last == "material" => Why::NoMeaning,
        (_, Some("smoothnormal" | "normal" | "texcoord" | "maxhullvert")) if last == "mesh" => {
            Why::NoMeaning
        }
        (_, Some(name)) if COMPUTING.contains(&name) => Why::NoMeaning,
        _ => Why::NotSupported,
    }
}

/// What is known while a file is read.
struct Mjcf<'r, 'a, 't> {
    reader: &'r Reader<'a>,
    folder: &'r Path,
    compiler: Compiler,
    defaults: Defaults<'t>,
    /// Mesh files by name; none where one could not be used, which has been told.
    meshes: BTreeMap<String, Option<Mesh>>,
    colors: BTreeMap<String, [f64; 4]>,
    robot: Robot,
    /// Indices of joints by name.
    joints: BTreeMap<String, usize>,
    /// Indices of links by name.
    links: BTreeMap<String, usize>,
    /// Links that are shapes of the world.
    world_links: Vec<usize>,
}

impl<'r, 'a, 't> Mjcf<'r, 'a, 't> {
    fn new(reader: &'r Reader<'a>, folder: &'r Path) -> Self {
        Self {
            reader,
            folder,
            compiler: Compiler::default(),
            defaults: Defaults::default(),
            meshes: BTreeMap::new(),
            colors: BTreeMap::new(),
            robot: Robot::default(),
            joints: BTreeMap::new(),
            links: BTreeMap::new(),
            world_links: Vec::new(),
        }
    }

    /// Reads the sections, each after those it needs, whatever their order in the file.
    fn robot(mut self, root: &Element<'t>) -> Robot {
        root.attribute("model").map_or("", |name| name.value).clone_into(&mut self.robot.name);
        self.compiler = Compiler::read(self.reader, root);
        self.options(root);
        self.defaults = Defaults::read(self.reader, root);
        self.assets(root);
        self.world(root);
        self.actuators(root);
        self.exclusions(root);
        self.keyframes(root);
        self.set_total_mass();
        self.robot
    }

    /// A name of which there is no other one among the links; made up if none is given.
    fn take_link(&mut self, given: Option<(&str, Place)>, made_up: &str) -> String {
        let index = self.robot.links.len();
        let name = match given {
            Some((name, place)) => {
                if self.links.contains_key(name) {
                    let kind = FaultKind::NameTaken { what: "bodies", name: name.to_owned() };
                    self.reader.fault(place, kind);
                }
                name.to_owned()
            }
            None => free_name(made_up, &self.links),
        };
        self.links.insert(name.clone(), index);
        name
    }

    /// The same for joints.
    fn take_joint(&mut self, given: Option<(&str, Place)>, made_up: &str) -> String {
        let index = self.robot.joints.len();
        let name = match given {
            Some((name, place)) => {
                if self.joints.contains_key(name) {
                    let kind = FaultKind::NameTaken { what: "joints", name: name.to_owned() };
                    self.reader.fault(place, kind);
                }
                name.to_owned()
            }
            None => free_name(made_up, &self.joints),
        };
        self.joints.insert(name.clone(), index);
        name
    }
}

/// The name itself, or with the smallest number that makes it new.
fn free_name(wanted: &str, taken: &BTreeMap<String, usize>) -> String {
    if !taken.contains_key(wanted) {
        return wanted.to_owned();
    }
    let mut number = 2;
    while taken.contains_key(&format!("{wanted}_{number}")) {
        number += 1;
    }
    format!("{wanted}_{number}")
}
