//! `[[body]]` tables.

use std::path::{Component, Path, PathBuf};

use carom_geometry::Pose;

use super::text::{list, matrix, number, quaternion, quoted, vector};
use super::{MeshSurface, Writer};
use crate::robot::description::{Geometry, GeometryShape, Mesh};

/// Radius of the ball that stands for a link without shapes and touches nothing `[m]`.
const MARKER_RADIUS: f64 = 0.01;

impl Writer<'_> {
    pub(super) fn bodies(&mut self) {
        for index in 0..self.robot.links.len() {
            if let Some(name) = self.names[index].clone() {
                self.body(index, &name);
            }
        }
    }

    fn body(&mut self, index: usize, name: &str) {
        let pose = self.world_from_links[index];
        let link = self.robot.links[index].clone();
        self.line(&format!("\n[[body]]\nname = {}", quoted(name)));
        self.placement(&pose);
        if let Some(mass) = link.mass {
            self.line(&format!(
                "inertia = {{ mass = {}, center = {}, tensor = {} }}",
                number(mass.mass),
                vector(mass.center),
                matrix(&mass.inertia)
            ));
        } else if !self.anchored[index] {
            self.line("# This link has no mass of its own.");
        }
        if self.anchored[index] {
            self.line("motion = { kind = \"fixed\" }");
        }
        let seen = link.visuals.iter().chain(&link.collisions).find_map(|shape| shape.color);
        if let Some([red, green, blue, _]) = seen {
            let byte = |part: f64| (part.clamp(0.0, 1.0) * 255.0).round() as u8;
            let (red, green, blue) = (byte(red), byte(green), byte(blue));
            self.line(&format!("color = \"#{red:02x}{green:02x}{blue:02x}\""));
        }
        let touching = self.written(&link.collisions);
        if touching.is_empty() {
            self.line("ghost = true");
            let seen = self.written(&link.visuals);
            self.shapes(&seen);
        } else {
            self.shapes(&touching);
        }
    }

    fn placement(&mut self, pose: &Pose) {
        self.line(&format!("position = {}", vector(pose.translation)));
        if pose.rotation != glam::DQuat::IDENTITY {
            self.line(&format!("quaternion = {}", quaternion(pose.rotation)));
        }
    }

    /// The shapes that can be written, with their poses.
    fn written(&self, shapes: &[Geometry]) -> Vec<(Pose, String)> {
        let write = |shape: &Geometry| Some((shape.link_from_shape, self.shape(&shape.shape)?));
        shapes.iter().filter_map(write).collect()
    }

    fn shapes(&mut self, shapes: &[(Pose, String)]) {
        match shapes {
            [] => {
                let radius = number(MARKER_RADIUS);
                self.line(&format!("shape = {{ kind = \"ball\", radius = {radius} }}"));
            }
            [(pose, shape)] if *pose == Pose::IDENTITY => self.line(&format!("shape = {shape}")),
            several => {
                self.line("\n[body.shape]\nkind = \"compound\"\nparts = [");
                for (pose, shape) in several {
                    let (at, turn) = (vector(pose.translation), quaternion(pose.rotation));
                    self.line(&format!(
                        "    {{ shape = {shape}, position = {at}, quaternion = {turn} }},"
                    ));
                }
                self.line("]");
            }
        }
    }

    /// An inline table; none of a mesh that scenes cannot read.
    fn shape(&self, shape: &GeometryShape) -> Option<String> {
        Some(match shape {
            GeometryShape::Box { size } => {
                format!("{{ kind = \"box\", size = {} }}", vector(*size))
            }
            GeometryShape::Cylinder { radius, height } => {
                let (radius, height) = (number(*radius), number(*height));
                format!("{{ kind = \"cylinder\", radius = {radius}, height = {height} }}")
            }
            GeometryShape::Ball { radius } => {
                format!("{{ kind = \"ball\", radius = {} }}", number(*radius))
            }
            GeometryShape::Capsule { radius, length } => {
                let (radius, length) = (number(*radius), number(*length));
                format!("{{ kind = \"capsule\", radius = {radius}, length = {length} }}")
            }
            GeometryShape::Ellipsoid { semi_axes } => {
                format!("{{ kind = \"ellipsoid\", semi_axes = {} }}", vector(*semi_axes))
            }
            GeometryShape::Plane => "{ kind = \"half_space\" }".to_owned(),
            GeometryShape::Mesh(mesh) => self.mesh(mesh)?,
        })
    }

    fn mesh(&self, mesh: &Mesh) -> Option<String> {
        if !mesh.is_readable {
            return None;
        }
        if !mesh.hull.is_empty() {
            let points: Vec<String> =
                mesh.hull.iter().map(|point| list(&point.to_array())).collect();
            return Some(format!("{{ kind = \"hull\", points = [{}] }}", points.join(", ")));
        }
        let kind = match self.options.meshes {
            MeshSurface::Hull => "hull_of_mesh",
            MeshSurface::Exact => "mesh",
        };
        let path = relative(&self.options.folder, &mesh.path);
        // Braces hold expressions in scenes, unless they are doubled.
        let path = path.to_string_lossy().replace('\\', "/").replace('{', "{{").replace('}', "}}");
        let path = quoted(&path);
        // The unit is stated, so that no size is wondered at.
        let scale = number(mesh.scale.x);
        Some(format!("{{ kind = \"{kind}\", file = {path}, unit = \"m\", scale = {scale} }}"))
    }
}

/// A path as seen from a folder; as it is if the folder is unknown or on another root.
fn relative(folder: &Path, path: &Path) -> PathBuf {
    if folder.as_os_str().is_empty() || folder.is_absolute() != path.is_absolute() {
        return path.to_owned();
    }
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (folder.components().collect(), path.components().collect());
    let n_shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from[n_shared..].iter().map(|_| Component::ParentDir);
    up.chain(to[n_shared..].iter().copied()).collect()
}
