//! USD as text: an Xform with time samples for each body, primitives where USD has them, meshes for the rest.
//!
//! Time codes are samples: `timeCodesPerSecond` is the rate of the recording, and code 0 is its first sample.

use std::collections::BTreeSet;
use std::fmt::Write;

use carom_geometry::{Fineness, Pose, Surface};
use glam::{DQuat, DVec3};

use super::film::{Actor, Film};
use crate::bodies::ShapeDescription;

pub(super) fn text(film: &Film) -> String {
    let [start, end] = film.span;
    let last = (end - start) * film.rate_hz;
    let mut text = format!(
        "#usda 1.0\n(\n    defaultPrim = \"World\"\n    doc = \"written by {}\"\n    metersPerUnit = 1\n    upAxis = \"Z\"\n    \
         startTimeCode = 0\n    endTimeCode = {}\n    timeCodesPerSecond = {}\n)\n\n\
         def Xform \"World\"\n{{\n",
        film.program.replace(['"', '\\', '\n'], " "),
        code(last),
        film.rate_hz,
    );
    let mut names = BTreeSet::new();
    for actor in &film.actors {
        let name = identifier(&actor.body.name, &mut names);
        text += &body(film, actor, &name);
    }
    text + "}\n"
}

/// A name as USD takes them, not given before.
fn identifier(name: &str, given: &mut BTreeSet<String>) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut plain: String = name.chars().map(letter).collect();
    if plain.is_empty() || plain.starts_with(|c: char| c.is_ascii_digit()) {
        plain.insert(0, '_');
    }
    let mut free = plain.clone();
    let mut count = 1;
    while !given.insert(free.clone()) {
        count += 1;
        free = format!("{plain}_{count}");
    }
    free
}

/// A time code; whole ones without decimals.
fn code(code: f64) -> String {
    // Samples lie at multiples of the period, to rounding of their times.
    let whole = code.round();
    if (code - whole).abs() < WHOLE_CODE { whole.to_string() } else { code.to_string() }
}

/// Time codes that differ from a whole number by less are written as it. Smaller: codes with fifteen decimals; larger:
/// samples at times of their own are moved.
const WHOLE_CODE: f64 = 1e-6;

fn body(film: &Film, actor: &Actor, name: &str) -> String {
    let mut text = format!("    def Xform \"{name}\"\n    {{\n");
    text += &places(film, actor);
    text += &presence(film, actor);
    text += "        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n";
    let painter = Painter { film, color: actor.body.shown_color() };
    let surface = actor.surface.as_ref();
    text += &painter.shape("shape", &actor.body.shape, &Pose::IDENTITY, surface, 2);
    text + "    }\n"
}

fn places(film: &Film, actor: &Actor) -> String {
    let moves = actor.moves();
    let samples = |value: &dyn Fn(&Pose) -> String| {
        if !moves {
            return actor
                .poses
                .first()
                .map_or_else(String::new, |pose| format!(" = {}\n", value(pose)));
        }
        let mut text = ".timeSamples = {\n".to_owned();
        for (time, pose) in actor.times.iter().zip(&actor.poses) {
            let at = code((time - film.span[0]) * film.rate_hz);
            let _ = writeln!(text, "            {at}: {},", value(pose));
        }
        text + "        }\n"
    };
    let translate = samples(&|pose| vector(pose.translation));
    let orient = samples(&|pose| rotation(pose.rotation));
    format!("        double3 xformOp:translate{translate}        quatd xformOp:orient{orient}")
}

/// When it is seen, if not always.
fn presence(film: &Film, actor: &Actor) -> String {
    let (Some(first), Some(last)) = (actor.times.first(), actor.times.last()) else {
        return String::new();
    };
    let [start, end] = film.span;
    let at = |time: f64| code((time - start) * film.rate_hz);
    let mut samples = Vec::new();
    if *first > start {
        samples.push(format!("0: \"invisible\", {}: \"inherited\"", at(*first)));
    }
    if *last < end {
        let gone = at(last + 1.0 / film.rate_hz);
        if samples.is_empty() {
            samples.push("0: \"inherited\"".to_owned());
        }
        samples.push(format!("{gone}: \"invisible\""));
    }
    if samples.is_empty() {
        return String::new();
    }
    format!("        token visibility.timeSamples = {{ {} }}\n", samples.join(", "))
}

/// Draws shapes in one colour.
struct Painter<'a> {
    film: &'a Film,
    color: [f64; 4],
}

impl Painter<'_> {
    /// A shape at its place in its parent; `surface` is its own, where it is known.
    fn shape(
        &self,
        name: &str,
        shape: &ShapeDescription,
        place: &Pose,
        surface: Option<&Surface>,
        depth: usize,
    ) -> String {
        let length = |x: f64| x.to_string();
        let plain = |kind: &str, sizes: &[(&str, String)]| {
            let sizes: Vec<String> =
                sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            self.prim(kind, name, &sizes, (place, DVec3::ONE), depth)
        };
        let scaled = |kind: &str, size: &str, scale: [f64; 3]| {
            self.prim(kind, name, &[size.to_owned()], (place, scale.into()), depth)
        };
        let axis = ("uniform token axis", "\"Z\"".to_owned());
        match *shape {
            ShapeDescription::Ball { radius } => {
                plain("Sphere", &[("double radius", length(radius))])
            }
            ShapeDescription::Cuboid { half } => scaled("Cube", "double size = 2", half),
            ShapeDescription::Ellipsoid { semi_axes } => {
                scaled("Sphere", "double radius = 1", semi_axes)
            }
            ShapeDescription::Cylinder { half_length, radius }
            | ShapeDescription::Cone { half_length, radius }
            | ShapeDescription::Capsule { half_length, radius } => {
                let kind = match shape {
                    ShapeDescription::Cone { .. } => "Cone",
                    ShapeDescription::Capsule { .. } => "Capsule",
                    _ => "Cylinder",
                };
                let height = ("double height", length(2.0 * half_length));
                plain(kind, &[axis, height, ("double radius", length(radius))])
            }
            ShapeDescription::Compound { ref parts } => {
                let part = |(index, part): (usize, &crate::bodies::PartDescription)| {
                    let name = format!("{name}_{index}");
                    self.shape(&name, &part.shape, &place.then_from(&part.pose()), None, depth)
                };
                parts.iter().enumerate().map(part).collect()
            }
            ShapeDescription::Superquadric { .. }
            | ShapeDescription::HalfSpace { .. }
            | ShapeDescription::Polyhedron { .. }
            | ShapeDescription::Mesh { .. } => {
                let own = || shape.surface(&self.film.meshes, Fineness::default());
                let surface = surface.cloned().or_else(own);
                let lines = surface.map_or_else(Vec::new, |surface| mesh(&surface));
                self.prim("Mesh", name, &lines, (place, DVec3::ONE), depth)
            }
        }
    }

    fn prim(
        &self,
        kind: &str,
        name: &str,
        lines: &[String],
        (place, scale): (&Pose, DVec3),
        depth: usize,
    ) -> String {
        let indent = "    ".repeat(depth);
        let mut text = format!("{indent}def {kind} \"{name}\"\n{indent}{{\n");
        let [r, g, b, a] = self.color;
        let mut all = lines.to_vec();
        all.push(format!("color3f[] primvars:displayColor = [({r}, {g}, {b})]"));
        if a < 1.0 {
            all.push(format!("float[] primvars:displayOpacity = [{a}]"));
        }
        let mut order = Vec::new();
        if *place != Pose::IDENTITY {
            all.push(format!("double3 xformOp:translate = {}", vector(place.translation)));
            all.push(format!("quatd xformOp:orient = {}", rotation(place.rotation)));
            order.extend(["\"xformOp:translate\"", "\"xformOp:orient\""]);
        }
        if scale != DVec3::ONE {
            all.push(format!("double3 xformOp:scale = {}", vector(scale)));
            order.push("\"xformOp:scale\"");
        }
        if !order.is_empty() {
            all.push(format!("uniform token[] xformOpOrder = [{}]", order.join(", ")));
        }
        for line in all {
            let _ = writeln!(text, "{indent}    {line}");
        }
        text + &indent + "}\n"
    }
}

fn mesh(surface: &Surface) -> Vec<String> {
    let list = |items: Vec<String>| items.join(", ");
    let vectors = |vectors: &[DVec3]| list(vectors.iter().map(|it| vector(*it)).collect());
    let corners = surface.triangles().iter().flatten().map(u32::to_string).collect();
    vec![
        "uniform token subdivisionScheme = \"none\"".to_owned(),
        format!(
            "int[] faceVertexCounts = [{}]",
            list(vec!["3".to_owned(); surface.triangles().len()])
        ),
        format!("int[] faceVertexIndices = [{}]", list(corners)),
        format!("point3f[] points = [{}]", vectors(surface.positions())),
        format!(
            "normal3f[] normals = [{}] (\n            interpolation = \"vertex\"\n        )",
            vectors(surface.normals())
        ),
    ]
}

fn vector(DVec3 { x, y, z }: DVec3) -> String {
    format!("({x}, {y}, {z})")
}

/// The real part comes first.
fn rotation(DQuat { x, y, z, w }: DQuat) -> String {
    format!("({w}, {x}, {y}, {z})")
}
