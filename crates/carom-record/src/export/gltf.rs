//! glTF 2.0: one buffer, a mesh for each shape and colour, a node for each body, and one animation.
//!
//! glTF has y up and seconds from 0: a root node turns z to y, and times count from the first sample. Places between
//! keyframes are interpolated by the viewer, linearly and along the shorter way. A body that comes or goes has scale 0
//! while it is not there. Colours of scenes are those of screens (sRGB); glTF wants them linear.

use std::collections::BTreeMap;

use glam::{DQuat, DVec3};
use serde_json::{Map, Value, json};

use super::film::{Actor, Film};
use carom_geometry::Surface;

/// Numbers of glTF.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// How surfaces shine: neither metal nor mirror.
const ROUGHNESS: f64 = 0.6;

/// Chunks of binary files.
const GLB_MAGIC: &[u8; 4] = b"glTF";
const JSON_CHUNK: &[u8; 4] = b"JSON";
const BINARY_CHUNK: &[u8; 4] = b"BIN\0";

/// As text, with the buffer inside.
pub(super) fn text(film: &Film) -> Vec<u8> {
    let (mut document, buffer) = document(film);
    let uri = format!("data:application/octet-stream;base64,{}", base64(&buffer));
    document["buffers"][0]["uri"] = Value::String(uri);
    let mut text = document.to_string().into_bytes();
    text.push(b'\n');
    text
}

/// As one binary file.
pub(super) fn binary(film: &Film) -> Vec<u8> {
    let (document, mut buffer) = document(film);
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    buffer.resize(buffer.len().next_multiple_of(4), 0);
    let mut file = GLB_MAGIC.to_vec();
    let total = 12 + 8 + text.len() + 8 + buffer.len();
    file.extend([2, total as u32].map(u32::to_le_bytes).concat());
    for (kind, chunk) in [(JSON_CHUNK, text), (BINARY_CHUNK, buffer)] {
        file.extend((chunk.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(chunk);
    }
    file
}

fn document(film: &Film) -> (Value, Vec<u8>) {
    let mut maker = Maker::default();
    // A quarter turn about x takes z to y.
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let root = json!({ "name": "world", "rotation": [-half, 0.0, 0.0, half] });
    maker.nodes.push(root);
    for actor in &film.actors {
        maker.actor(actor, film.span);
    }
    let children: Vec<usize> = (1..maker.nodes.len()).collect();
    maker.nodes[0]["children"] = json!(children);
    let mut document = json!({
        "asset": { "version": "2.0", "generator": film.program },
        "scene": 0,
        "scenes": [{ "name": if film.title.is_empty() { "scene" } else { &film.title }, "nodes": [0] }],
        "nodes": maker.nodes,
        "accessors": maker.accessors,
        "bufferViews": maker.views,
        "buffers": [{ "byteLength": maker.buffer.len() }],
    });
    // Empty lists are not allowed.
    if !maker.meshes.is_empty() {
        document["meshes"] = json!(maker.meshes);
        document["materials"] = json!(maker.materials);
    }
    if !maker.channels.is_empty() {
        let (channels, samplers) = (maker.channels, maker.samplers);
        let animation = json!({ "name": "run", "channels": channels, "samplers": samplers });
        document["animations"] = json!([animation]);
    }
    (document, maker.buffer)
}

/// Puts a document together.
#[derive(Default)]
struct Maker {
    buffer: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    nodes: Vec<Value>,
    channels: Vec<Value>,
    samplers: Vec<Value>,
    /// Meshes by shape and colour, materials by colour, and times by their bits, so that each is there once.
    known_meshes: BTreeMap<String, usize>,
    known_materials: BTreeMap<[u64; 4], usize>,
    known_times: BTreeMap<Vec<u32>, usize>,
}

impl Maker {
    fn actor(&mut self, actor: &Actor, span: [f64; 2]) {
        let node = self.nodes.len();
        let mut described = Map::new();
        described.insert("name".to_owned(), json!(actor.body.name));
        if let Some(surface) = actor.surface.as_ref().filter(|it| !it.triangles().is_empty()) {
            described.insert("mesh".to_owned(), json!(self.mesh(actor, surface)));
        }
        if let Some(first) = actor.poses.first() {
            described.insert("translation".to_owned(), json!(narrow(first.translation)));
            described.insert("rotation".to_owned(), json!(unit(first.rotation)));
        }
        self.nodes.push(Value::Object(described));
        if actor.moves() {
            let keys = keyframes(actor, span[0]);
            let times = self.times(keys.iter().map(|(time, _)| *time).collect());
            let places = keys.iter().map(|&(_, at)| narrow(actor.poses[at].translation));
            let places = self.floats(&places.collect::<Vec<_>>(), "VEC3", None);
            let turns = keys.iter().map(|&(_, at)| unit(actor.poses[at].rotation));
            let turns = self.floats(&turns.collect::<Vec<_>>(), "VEC4", None);
            self.channel(node, "translation", [times, places], "LINEAR");
            self.channel(node, "rotation", [times, turns], "LINEAR");
        }
        self.presence(actor, node, span);
    }

    /// Scales a body to nothing while it is not there.
    fn presence(&mut self, actor: &Actor, node: usize, [start, end]: [f64; 2]) {
        let (Some(&first), Some(&last)) = (actor.times.first(), actor.times.last()) else { return };
        let mut keys = Vec::new();
        if first > start {
            keys.push((0.0, [0.0_f32; 3]));
        }
        keys.push(((first - start) as f32, [1.0; 3]));
        if last < end {
            // It was still there at its last sample; the next moment that can be told, it is gone.
            keys.push((((last - start) as f32).next_up(), [0.0; 3]));
        }
        if keys.len() > 1 {
            let times = self.times(keys.iter().map(|(time, _)| *time).collect());
            let scales: Vec<[f32; 3]> = keys.iter().map(|(_, scale)| *scale).collect();
            let scales = self.floats(&scales, "VEC3", None);
            self.channel(node, "scale", [times, scales], "STEP");
        }
    }

    fn channel(&mut self, node: usize, path: &str, [input, output]: [usize; 2], how: &str) {
        let target = json!({ "node": node, "path": path });
        self.channels.push(json!({ "sampler": self.samplers.len(), "target": target }));
        self.samplers.push(json!({ "input": input, "output": output, "interpolation": how }));
    }

    fn times(&mut self, times: Vec<f32>) -> usize {
        let key: Vec<u32> = times.iter().map(|time| time.to_bits()).collect();
        if let Some(known) = self.known_times.get(&key) {
            return *known;
        }
        let times: Vec<[f32; 1]> = times.into_iter().map(|time| [time]).collect();
        let accessor = self.floats(&times, "SCALAR", None);
        self.known_times.insert(key, accessor);
        accessor
    }

    fn mesh(&mut self, actor: &Actor, surface: &Surface) -> usize {
        let material = self.material(actor.body.shown_color());
        let shape = serde_json::to_string(&actor.body.shape).unwrap_or_default();
        let key = format!("{material} {shape}");
        if let Some(known) = self.known_meshes.get(&key) {
            return *known;
        }
        let positions: Vec<[f32; 3]> = surface.positions().iter().map(|it| narrow(*it)).collect();
        let normals: Vec<[f32; 3]> = surface.normals().iter().map(|it| narrow(*it)).collect();
        let positions = self.floats(&positions, "VEC3", Some(ARRAY_BUFFER));
        let normals = self.floats(&normals, "VEC3", Some(ARRAY_BUFFER));
        let indices = self.indices(surface.triangles());
        self.meshes.push(json!({
            "name": actor.body.name,
            "primitives": [{
                "attributes": { "POSITION": positions, "NORMAL": normals },
                "indices": indices,
                "material": material,
            }],
        }));
        self.known_meshes.insert(key, self.meshes.len() - 1);
        self.meshes.len() - 1
    }

    fn material(&mut self, color: [f64; 4]) -> usize {
        let key = color.map(f64::to_bits);
        if let Some(known) = self.known_materials.get(&key) {
            return *known;
        }
        let [r, g, b, a] = color.map(|part| part.clamp(0.0, 1.0));
        let [r, g, b] = [r, g, b].map(linear);
        let mut material = json!({
            "pbrMetallicRoughness": {
                "baseColorFactor": [r, g, b, a],
                "metallicFactor": 0.0,
                "roughnessFactor": ROUGHNESS,
            },
            // Planes are seen from below, too.
            "doubleSided": true,
        });
        if a < 1.0 {
            material["alphaMode"] = json!("BLEND");
        }
        self.materials.push(material);
        self.known_materials.insert(key, self.materials.len() - 1);
        self.materials.len() - 1
    }

    /// An accessor of numbers with the least and the largest of each part.
    fn floats<const N: usize>(
        &mut self,
        rows: &[[f32; N]],
        kind: &str,
        target: Option<u32>,
    ) -> usize {
        let start = self.buffer.len();
        self.buffer.extend(rows.iter().flatten().flat_map(|part| part.to_le_bytes()));
        let ends = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
            let part = |k: usize| rows.iter().map(|row| row[k]).reduce(pick).unwrap_or_default();
            (0..N).map(part).collect()
        };
        let view = self.view(start, target);
        self.accessors.push(json!({
            "bufferView": view,
            "componentType": FLOAT,
            "count": rows.len(),
            "type": kind,
            "min": ends(f32::min),
            "max": ends(f32::max),
        }));
        self.accessors.len() - 1
    }

    fn indices(&mut self, triangles: &[[u32; 3]]) -> usize {
        let start = self.buffer.len();
        self.buffer.extend(triangles.iter().flatten().flat_map(|corner| corner.to_le_bytes()));
        let view = self.view(start, Some(ELEMENT_ARRAY_BUFFER));
        self.accessors.push(json!({
            "bufferView": view,
            "componentType": UNSIGNED_INT,
            "count": 3 * triangles.len(),
            "type": "SCALAR",
        }));
        self.accessors.len() - 1
    }

    /// A view of what was added to the buffer since `start`.
    fn view(&mut self, start: usize, target: Option<u32>) -> usize {
        let length = self.buffer.len() - start;
        let mut view = json!({ "buffer": 0, "byteOffset": start, "byteLength": length });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.views.push(view);
        self.views.len() - 1
    }
}

/// Times in single precision from the start on, each larger than the last, and the samples they belong to.
fn keyframes(actor: &Actor, start: f64) -> Vec<(f32, usize)> {
    let mut keys: Vec<(f32, usize)> = Vec::with_capacity(actor.times.len());
    for (index, time) in actor.times.iter().enumerate() {
        let time = (time - start) as f32;
        if keys.last().is_none_or(|(last, _)| time > *last) {
            keys.push((time, index));
        }
    }
    keys
}

fn narrow(vector: DVec3) -> [f32; 3] {
    vector.to_array().map(|part| part as f32)
}

fn unit(rotation: DQuat) -> [f32; 4] {
    rotation.normalize().to_array().map(|part| part as f32)
}

/// A part of a colour of screens, linear (IEC 61966-2-1).
fn linear(part: f64) -> f64 {
    if part <= 0.04045 { part / 12.92 } else { libm::pow((part + 0.055) / 1.055, 2.4) }
}

/// Base64 with the standard alphabet, padded (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |k: usize| u32::from(group.get(k).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for k in 0..4 {
            let sextet = (bits >> (18 - 6 * k) & 63) as usize;
            text.push(if k <= group.len() { char::from(ALPHABET[sextet]) } else { '=' });
        }
    }
    text
}
