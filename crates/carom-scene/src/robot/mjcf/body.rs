//! `<worldbody>`, `<body>` and `<frame>`.

use carom_geometry::Pose;

use super::Mjcf;
use super::geom::Geom;
use crate::robot::description::{GeometryShape, Joint, JointKind, Link};
use crate::robot::fault::{FaultKind, Why};
use crate::robot::xml::Element;

/// An element of a body with the frame and the class it is in.
struct Item<'t> {
    element: Element<'t>,
    body_from_frame: Pose,
    class: Option<usize>,
}

impl<'t> Mjcf<'_, '_, 't> {
    pub(super) fn world(&mut self, root: &Element<'t>) {
        for world in root.children_called("worldbody") {
            let class = self.defaults.class(self.reader, world.attribute("childclass"));
            let items = self.items(&world, Pose::IDENTITY, class);
            for item in &items {
                match item.element.tag() {
                    "geom" => self.world_geom(item),
                    "body" => self.body(item, None),
                    _ => {}
                }
            }
        }
    }

    /// What is in a body, with frames taken apart.
    fn items(&self, element: &Element<'t>, frame: Pose, class: Option<usize>) -> Vec<Item<'t>> {
        let mut items = Vec::new();
        for child in element.children() {
            if child.tag() == "frame" {
                let child = child.take();
                child.attribute("name");
                let inner = self.defaults.class(self.reader, child.attribute("childclass"));
                let body_from_frame = frame.then_from(&self.pose_of(&child));
                items.extend(self.items(&child, body_from_frame, inner.or(class)));
            } else {
                items.push(Item { element: child, body_from_frame: frame, class });
            }
        }
        items
    }

    /// A shape of the world is a link of its own, fixed to the world.
    fn world_geom(&mut self, item: &Item<'t>) {
        let resolved = self.defaults.resolve(self.reader, &item.element, item.class);
        let Some(geom) = self.geom(&resolved, &item.body_from_frame) else { return };
        let made_up = geom.geometry.name.clone().unwrap_or_else(|| "world_geom".to_owned());
        let name = self.take_link(None, &made_up);
        let child = self.robot.links.len();
        let weld = self.take_joint(None, &format!("{name}_to_world"));
        let mut joint = Joint::new(weld, JointKind::Fixed, None, child);
        joint.parent_from_joint = geom.geometry.link_from_shape;
        let mut link = Link { name, mass: None, collisions: Vec::new(), visuals: Vec::new() };
        let shape = crate::robot::Geometry { link_from_shape: Pose::IDENTITY, ..geom.geometry };
        if geom.collides {
            link.collisions.push(shape);
        } else {
            link.visuals.push(shape);
        }
        self.robot.links.push(link);
        self.robot.joints.push(joint);
        self.world_links.push(child);
    }

    /// A body and all that is in it. The depth of bodies is that of elements, which is bounded.
    fn body(&mut self, item: &Item<'t>, parent: Option<usize>) {
        let element = item.element.take();
        let parent_from_body = item.body_from_frame.then_from(&self.pose_of(&element));
        let class =
            self.defaults.class(self.reader, element.attribute("childclass")).or(item.class);
        let items = self.items(&element, Pose::IDENTITY, class);
        let name = element.attribute("name").map(|name| (name.value, name.place));
        let shown =
            name.map_or_else(|| super::free_name("body", &self.links), |(name, _)| name.to_owned());
        let last_joint = self.joints_of(&items, parent, &parent_from_body, &shown);
        let index = self.robot.links.len();
        self.take_link(name, &shown);
        self.robot.links.push(self.link(&shown, &element, &items));
        self.robot.joints[last_joint].child = index;
        for inner in items.iter().filter(|item| item.element.tag() == "body") {
            self.body(inner, Some(index));
        }
    }

    fn link(&self, name: &str, element: &Element<'t>, items: &[Item<'t>]) -> Link {
        let mut geoms: Vec<Geom> = Vec::new();
        for item in items.iter().filter(|item| item.element.tag() == "geom") {
            let resolved = self.defaults.resolve(self.reader, &item.element, item.class);
            let Some(geom) = self.geom(&resolved, &item.body_from_frame) else { continue };
            if geom.geometry.shape == GeometryShape::Plane {
                let message = "a plane without end cannot be part of a body";
                self.reader.fault(geom.place, FaultKind::NotSupported(message.to_owned()));
                continue;
            }
            geoms.push(geom);
        }
        let mut inertials = items.iter().filter(|item| item.element.tag() == "inertial");
        let inertial = inertials.next().map(|item| (item.element.take(), item.body_from_frame));
        if let Some(second) = inertials.next() {
            self.reader.fault(second.element.place(), FaultKind::Twice("inertial".to_owned()));
        }
        let stated = inertial.as_ref().map(|(element, pose)| (element, *pose));
        let mass = self.mass(name, stated, &geoms, element.place());
        let mut link =
            Link { name: name.to_owned(), mass, collisions: Vec::new(), visuals: Vec::new() };
        for geom in geoms {
            let list = if geom.collides { &mut link.collisions } else { &mut link.visuals };
            list.push(geom.geometry);
        }
        link
    }

    /// Adds the joints of a body from the parent outward, with links without mass between them; the index of the last.
    ///
    /// The child of that one is set by the caller, when the link is there.
    fn joints_of(
        &mut self,
        items: &[Item<'t>],
        parent: Option<usize>,
        parent_from_body: &Pose,
        body: &str,
    ) -> usize {
        let is_joint = |item: &&Item<'t>| matches!(item.element.tag(), "joint" | "freejoint");
        let joints: Vec<&Item<'t>> = items.iter().filter(is_joint).collect();
        if joints.is_empty() {
            let name = self.take_joint(None, &format!("{body}_fixed"));
            let mut joint = Joint::new(name, JointKind::Fixed, parent, 0);
            joint.parent_from_joint = *parent_from_body;
            self.robot.joints.push(joint);
        }
        let (mut parent, mut before) = (parent, *parent_from_body);
        for (number, item) in joints.iter().enumerate() {
            let resolved = self.defaults.resolve(self.reader, &item.element, item.class);
            // What is wrong with a joint has been told; it keeps its place, so that others find theirs.
            let kind = self.joint_kind(&resolved).unwrap_or(JointKind::Revolute);
            let given = resolved.element.attribute("name").map(|name| (name.value, name.place));
            let name = self.take_joint(given, &format!("{body}_joint"));
            if kind == JointKind::Free && joints.len() > 1 {
                let message = "a free joint leaves nothing for other joints of the body to do";
                let place = item.element.place();
                self.reader.fault(place, FaultKind::NotSupported(message.to_owned()));
            }
            let mut joint = Joint::new(name, kind, parent, self.robot.links.len());
            self.fill_joint(&resolved, &mut joint, &before, &item.body_from_frame)
                .unwrap_or_default();
            if number + 1 < joints.len() {
                let between = self.take_link(None, &format!("{body}_after_{}", joint.name));
                parent = Some(self.robot.links.len());
                before = Pose::IDENTITY;
                let (collisions, visuals) = (Vec::new(), Vec::new());
                self.robot.links.push(Link { name: between, mass: None, collisions, visuals });
            }
            self.robot.joints.push(joint);
        }
        self.robot.joints.len() - 1
    }

    /// A mark that something is known, but not supported.
    pub(super) fn unsupported(element: &Element<'t>) {
        element.leave(Why::NotSupported);
    }
}
