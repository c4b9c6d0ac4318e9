//! glTF 2.0, as JSON text (.gltf) or as one binary file (.glb).
//!
//! Nodes form trees, each with a transform from its own frame to that of its parent, and may carry a mesh:
//! a list of primitives whose positions, and usually indices, are accessors, that is, typed views into
//! buffers. Buffers are the binary chunk of a .glb, base64 text in a data URI, or files beside the .gltf.
//! Read are the positions of all triangles, strips and fans that the default scene shows, taken through
//! the transforms in `f64`; a transform that mirrors swaps two corners, so that outside stays outside.
//! Without scenes, all trees are read; without nodes, all meshes as they are. Two triangles of a strip that
//! stitch it to the next (an index twice) are left out.
//!
//! Points and lines are ignored with a warning; so are skins and shape keys: the mesh is read in its rest
//! pose. Quantised positions (`KHR_mesh_quantization`) are read. Not supported, and refused by name: other
//! required extensions that concern geometry, such as compression by Draco or meshopt, and sparse
//! accessors, which exist for shape keys.
//!
//! The crate `gltf` 1.4.1 reads transforms into f32, computes lengths from a file's numbers with overflow
//! (a .glb length below 12; an accessor of count 0 or with a huge stride), which panics with assertions on
//! and misreads without, and brings no decoder for data URIs unless it also brings image formats.

mod accessor;
mod buffers;
mod container;
mod scene;
mod schema;
mod surface;

use super::build::MeshBuilder;
use super::error::{MeshFileError, Place};
use super::{Limit, LoadBuffer};
use buffers::Buffers;
use schema::Root;
use surface::Surface;

const HINT_EMPTY: &str = "its scene holds no mesh of triangles; check the export";
const HINT_SYNTAX: &str = "the file breaks the glTF 2.0 rules; export it anew";
const HINT_SHORT: &str = "the file is incomplete; copy or export it anew";

/// Beginnings of the names of extensions that leave positions alone.
const HARMLESS_EXTENSIONS: [&str; 7] = [
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "KHR_lights_",
    "KHR_mesh_quantization",
    "KHR_xmp",
    "KHR_animation_pointer",
];

pub(super) fn read(
    bytes: &[u8],
    load: &LoadBuffer<'_>,
    builder: &mut MeshBuilder<'_>,
) -> Result<&'static str, MeshFileError> {
    let parts = container::split(bytes, builder)?;
    let root = parse_root(parts.json, builder)?;
    check_demands(&root, builder)?;
    let buffers = Buffers::new(&root, parts.binary, load, bytes.len() as u64);
    let mut surface = Surface::new(&root, buffers);
    for shown in scene::find_meshes(&root, builder)? {
        surface.add_mesh(&shown, builder)?;
    }
    surface.report(builder);
    Ok(HINT_EMPTY)
}

fn parse_root<'a>(json: &'a [u8], builder: &MeshBuilder<'_>) -> Result<Root<'a>, MeshFileError> {
    let n_objects = json.split(|b| *b == b'{').count() - 1;
    builder.limits.check(Limit::JsonObjects, n_objects as u64, Place::File)?;
    serde_json::from_slice(json).map_err(|error| {
        let place = Place::Line(error.line() as u64);
        builder.malformed(place, format!("the JSON text is wrong: {error}"), HINT_SYNTAX)
    })
}

/// Refuses other versions than 2 and extensions without which the mesh would be wrong.
fn check_demands(root: &Root<'_>, builder: &MeshBuilder<'_>) -> Result<(), MeshFileError> {
    if !root.asset.version.starts_with("2.") {
        let what = format!("version {}", root.asset.version);
        return Err(builder.unsupported(Place::File, what, "export the file as glTF 2.0"));
    }
    let is_harmless = |name: &str| HARMLESS_EXTENSIONS.iter().any(|known| name.starts_with(known));
    match root.extensions_required.iter().find(|name| !is_harmless(name)) {
        Some(name) => Err(builder.unsupported(
            Place::File,
            format!("the required extension {name}"),
            "export the file without it (no compression, no instancing)",
        )),
        None => Ok(()),
    }
}

#[cfg(test)]
pub(super) mod tests;
