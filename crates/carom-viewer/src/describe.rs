//! What the page is told about a run before it is shown: its scene, its bodies and their surfaces.

use std::collections::BTreeMap;

use carom::RestitutionLaw;
use carom_geometry::{Fineness, Pose, Shape, Surface};
use carom_record::{BodyDescription, ShapeDescription};
use carom_scene::expression::Value as SceneValue;
use carom_scene::problem::Report;
use carom_scene::{Gauge, Measurand, Parameter, Problems, Scene};
use glam::DVec3;
use serde_json::{Value, json};

use crate::index::Index;

/// The surfaces of a run, each once however many bodies share it.
#[derive(Debug, Default)]
pub(crate) struct Geometries {
    numbers: BTreeMap<String, Option<u32>>,
    surfaces: Vec<Vec<u8>>,
}

impl Geometries {
    /// The number of a body's surface; none if it has no end.
    fn number(&mut self, body: &BodyDescription, index: &Index) -> Option<u32> {
        let key = serde_json::to_string(&body.shape).unwrap_or_default();
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let surface = body.surface(&index.meshes, fineness(index.bodies.len()));
        let number = surface.map(|surface| {
            self.surfaces.push(encoded(&surface));
            self.surfaces.len() as u32 - 1
        });
        self.numbers.insert(key, number);
        number
    }

    /// A surface in bytes.
    pub(crate) fn bytes(&self, number: usize) -> Option<&[u8]> {
        self.surfaces.get(number).map(Vec::as_slice)
    }
}

/// The more bodies there are, the smaller each is on the screen, and the fewer triangles it may have.
fn fineness(bodies: usize) -> Fineness {
    Fineness::around(match bodies {
        0..=500 => 40,
        501..=3000 => 20,
        _ => 10,
    })
}

/// Numbers of vertices and triangles, positions, normals and corners, little endian in single precision.
fn encoded(surface: &Surface) -> Vec<u8> {
    let (positions, normals) = (surface.positions(), surface.normals());
    let mut bytes = Vec::with_capacity(8 + 24 * positions.len() + 12 * surface.triangles().len());
    bytes.extend((positions.len() as u32).to_le_bytes());
    bytes.extend((surface.triangles().len() as u32).to_le_bytes());
    for vector in positions.iter().chain(normals) {
        vector.to_array().iter().for_each(|it| bytes.extend((*it as f32).to_le_bytes()));
    }
    surface.triangles().iter().flatten().for_each(|it| bytes.extend(it.to_le_bytes()));
    bytes
}

/// All bodies that are known; `materials` by names of bodies.
pub(crate) fn bodies(
    index: &Index,
    geometries: &mut Geometries,
    materials: &BTreeMap<String, usize>,
) -> Value {
    let told = |body: &BodyDescription| {
        let plane = match &body.shape {
            ShapeDescription::HalfSpace { normal, offset } => {
                Some(json!({ "normal": normal, "offset_m": offset }))
            }
            _ => None,
        };
        let shape = serde_json::to_value(&body.shape).unwrap_or_default();
        json!({
            "number": body.body,
            "name": body.name,
            "role": body.role,
            "since_s": body.since_s,
            "material": materials.get(&body.name),
            "mass_kg": body.mass_kg,
            "moments_kg_m2": body.moments_kg_m2,
            "reference_m": body.reference_m,
            "color": body.shown_color(),
            "see_through": body.ghost || body.sensor,
            "is_sensor": body.sensor,
            "shape": shape["kind"],
            "geometry": geometries.number(body, index),
            "plane": plane,
        })
    };
    let bodies: Vec<&BodyDescription> = index.bodies.values().collect();
    let mut told = told;
    Value::Array(bodies.into_iter().map(&mut told).collect())
}

/// What a scene says that the page shows.
pub(crate) fn scene(scene: &Scene, defaults: &[Parameter], set: &[(String, String)]) -> Value {
    let gravity = scene.gravity;
    let up = (-gravity).try_normalize().unwrap_or(DVec3::Z);
    let camera = scene.camera.map(|camera| {
        json!({
            "eye_m": camera.eye.to_array(),
            "target_m": camera.target.to_array(),
            "up": camera.up.map(|up| up.to_array()),
            "fov_deg": camera.fov.map(f64::to_degrees),
        })
    });
    let parameters: Vec<Value> = scene
        .parameters
        .iter()
        .map(|it| {
            let default = defaults.iter().find(|known| known.name == it.name);
            json!({
                "name": it.name,
                "value": value(&it.value),
                "default": default.map(|it| value(&it.value)),
                "min": it.min,
                "max": it.max,
                "unit": it.unit,
                "about": it.about,
                "is_set": set.iter().any(|(name, _)| *name == it.name),
            })
        })
        .collect();
    let materials: Vec<Value> = scene
        .materials
        .iter()
        .enumerate()
        .map(|(number, it)| {
            json!({
                "number": number,
                "name": it.name,
                "friction": it.surface.friction,
                "restitution": it.surface.restitution,
                "law": it.surface.law.name(),
            })
        })
        .collect();
    json!({
        "title": scene.title,
        "description": scene.description,
        "seed": scene.seed,
        "until_s": scene.until,
        "rate_hz": scene.record.rate_hz,
        "gravity_m_s2": gravity.to_array(),
        "up": up.to_array(),
        "camera": camera,
        "parameters": parameters,
        "materials": materials,
        "laws": RestitutionLaw::ALL.map(RestitutionLaw::name),
        "bounds_m": bounds(scene),
        "gauges": scene.gauges.iter().filter_map(|it| gauge(scene, it)).collect::<Vec<Value>>(),
    })
}

/// A gauge with its mount in the frame of its body; those of joints are where the joints are.
fn gauge(scene: &Scene, gauge: &Gauge) -> Option<Value> {
    let (kind, body, mount, reach) = match gauge.what {
        Measurand::Joint { .. } => return None,
        Measurand::Pose { body, mount } => ("pose", body, mount, None),
        Measurand::Velocity { body, mount, .. } => ("velocity", body, mount, None),
        Measurand::Imu { body, mount } => ("imu", body, mount, None),
        Measurand::ContactForce { body, .. } => ("contact force", body, Pose::IDENTITY, None),
        Measurand::Range { body, mount, reach } => ("range", body, mount, Some(reach)),
    };
    let body = scene.bodies.get(body)?;
    Some(json!({
        "name": gauge.name, "kind": kind, "body": body.name, "position_m": mount.translation.to_array(),
        "orientation_xyzw": mount.rotation.to_array(), "reach_m": reach.filter(|it| it.is_finite()),
    }))
}

/// What is wrong with a scene, each with its place.
pub(crate) fn problems(problems: &Problems) -> Vec<Value> {
    let told = |it: &Report| {
        let at = it.at.as_ref();
        json!({
            "severity": it.severity,
            "message": it.message,
            "label": it.label,
            "hint": it.hint,
            "file": at.map(|at| &at.file),
            "line": at.map(|at| at.line),
            "column": at.map(|at| at.column),
            "end_line": at.map(|at| at.end_line),
            "end_column": at.map(|at| at.end_column),
        })
    };
    problems.reports().iter().map(told).collect()
}

/// A box around everything that has an end, as it stands at first, and around the floor below it, where it will fall.
fn bounds(scene: &Scene) -> [[f64; 3]; 2] {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for body in scene.bodies.iter().filter(|body| body.from <= 0.0) {
        let Some(around) = Surface::of(&body.shape, Fineness::around(8)) else { continue };
        for point in around.positions() {
            let point = body.world_from_body.point(*point);
            (low, high) = (low.min(point), high.max(point));
        }
    }
    if low.x > high.x {
        return [[-1.0; 3], [1.0; 3]];
    }
    let middle = 0.5 * (low + high);
    for body in &scene.bodies {
        let Shape::HalfSpace(floor) = &*body.shape else { continue };
        let normal = body.world_from_body.vector(floor.normal());
        let on_floor = body.world_from_body.point(floor.offset() * floor.normal());
        let point = middle - (middle - on_floor).dot(normal) * normal;
        (low, high) = (low.min(point), high.max(point));
    }
    [low.to_array(), high.to_array()]
}

fn value(value: &SceneValue) -> Value {
    match value {
        SceneValue::Number(number) => json!(number),
        SceneValue::Bool(flag) => json!(flag),
        other => json!(format!("{other:?}")),
    }
}
