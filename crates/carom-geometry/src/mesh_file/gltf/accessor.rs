//! Typed views into glTF buffers, checked once and then read without fear.

use glam::DVec3;

use super::super::build::MeshBuilder;
use super::super::error::{MeshFileError, Place};
use super::buffers::Buffers;
use super::schema::{Accessor, BufferView, Root};
use super::{HINT_SHORT, HINT_SYNTAX};

/// Type of one component, with glTF's number for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Component {
    I8 = 5120,
    U8 = 5121,
    I16 = 5122,
    U16 = 5123,
    U32 = 5125,
    F32 = 5126,
}

impl Component {
    fn from_number(number: u32) -> Option<Self> {
        [Self::I8, Self::U8, Self::I16, Self::U16, Self::U32, Self::F32]
            .into_iter()
            .find(|component| *component as u32 == number)
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }
}

/// An accessor whose items all lie inside its buffer.
pub(super) struct View<'b> {
    bytes: &'b [u8],
    stride: usize,
    pub(super) count: usize,
    component: Component,
    is_normalized: bool,
}

/// What an accessor is used for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Positions,
    Indices,
}

/// The buffer that an accessor looks into.
pub(super) fn find_buffer(
    root: &Root<'_>,
    index: u32,
    builder: &MeshBuilder<'_>,
) -> Result<usize, MeshFileError> {
    Ok(find_parts(root, index, builder)?.1.buffer as usize)
}

/// An accessor whose buffer was fetched.
pub(super) fn open<'b>(
    root: &Root<'_>,
    buffers: &'b Buffers<'_>,
    index: u32,
    usage: Use,
    builder: &MeshBuilder<'_>,
) -> Result<View<'b>, MeshFileError> {
    let (accessor, view) = find_parts(root, index, builder)?;
    let place = Place::Accessor(index as usize);
    let fail = |what: String, hint| builder.malformed(place, what, hint);
    let component = Component::from_number(accessor.component_type)
        .filter(|c| suits(*c, &accessor.shape, usage))
        .ok_or_else(|| {
            let what = format!(
                "type {} of components {} does not suit {}",
                accessor.shape.chars().take(20).collect::<String>(),
                accessor.component_type,
                if usage == Use::Positions { "positions" } else { "indices" },
            );
            fail(what, HINT_SYNTAX)
        })?;
    let item = component.size() * if usage == Use::Positions { 3 } else { 1 };
    let stride = view.byte_stride.unwrap_or(item as u64);
    if stride < item as u64 {
        let what = format!("its stride of {stride} is less than the {item} bytes of an item");
        return Err(fail(what, HINT_SYNTAX));
    }
    let bytes = slice(buffers.get(view.buffer as usize), view, accessor.byte_offset);
    let n_left = bytes.map_or(0, <[u8]>::len);
    let needed = match accessor.count {
        0 => Some(0),
        count => (count - 1).checked_mul(stride).and_then(|n| n.checked_add(item as u64)),
    };
    match (bytes, needed) {
        (Some(bytes), Some(needed)) if needed <= n_left as u64 => Ok(View {
            bytes,
            // One item has no next, so that any stride will do; it may exceed an address.
            stride: usize::try_from(stride).unwrap_or(usize::MAX),
            count: accessor.count as usize,
            component,
            is_normalized: accessor.normalized,
        }),
        _ => {
            let what = format!(
                "{} items of {stride} bytes do not fit into the {n_left} bytes of its buffer view",
                accessor.count
            );
            Err(fail(what, HINT_SHORT))
        }
    }
}

fn suits(component: Component, shape: &str, usage: Use) -> bool {
    match usage {
        Use::Positions => shape == "VEC3" && component != Component::U32,
        Use::Indices => {
            let is_unsigned = matches!(component, Component::U8 | Component::U16 | Component::U32);
            shape == "SCALAR" && is_unsigned
        }
    }
}

fn find_parts<'r>(
    root: &'r Root<'_>,
    index: u32,
    builder: &MeshBuilder<'_>,
) -> Result<(&'r Accessor, &'r BufferView), MeshFileError> {
    let place = Place::Accessor(index as usize);
    let Some(accessor) = root.accessors.get(index as usize) else {
        return Err(builder.malformed(place, "there is no such accessor".to_owned(), HINT_SYNTAX));
    };
    if accessor.sparse.is_some() {
        let hint = "export the mesh without shape keys, or apply them";
        return Err(builder.unsupported(place, "sparse storage".to_owned(), hint));
    }
    let Some(view) = accessor.buffer_view else {
        let hint = "it is all zeros or compressed; export the file without compression";
        return Err(builder.unsupported(place, "an accessor without data".to_owned(), hint));
    };
    let found = root.buffer_views.get(view as usize);
    found.map(|view| (accessor, view)).ok_or_else(|| {
        let place = Place::BufferView(view as usize);
        builder.malformed(place, "there is no such buffer view".to_owned(), HINT_SYNTAX)
    })
}

/// The bytes of a buffer view from an offset on; none if it leaves its buffer.
fn slice<'b>(buffer: &'b [u8], view: &BufferView, offset: u64) -> Option<&'b [u8]> {
    let start = usize::try_from(view.byte_offset).ok()?;
    let length = usize::try_from(view.byte_length).ok()?;
    buffer.get(start..start.checked_add(length)?)?.get(usize::try_from(offset).ok()?..)
}

impl View<'_> {
    /// A position; the index must be below the count.
    pub(super) fn position(&self, index: usize) -> DVec3 {
        let start = index * self.stride;
        let size = self.component.size();
        DVec3::from_array([0, 1, 2].map(|axis| self.number(start + axis * size)))
    }

    /// An index; its own index must be below the count.
    pub(super) fn index(&self, index: usize) -> u32 {
        self.number(index * self.stride) as u32
    }

    fn number(&self, at: usize) -> f64 {
        let b = self.bytes;
        let (value, largest) = match self.component {
            Component::I8 => (f64::from(b[at].cast_signed()), 127.0),
            Component::U8 => (f64::from(b[at]), 255.0),
            Component::I16 => (f64::from(i16::from_le_bytes([b[at], b[at + 1]])), 32767.0),
            Component::U16 => (f64::from(u16::from_le_bytes([b[at], b[at + 1]])), 65535.0),
            Component::U32 => return f64::from(u32::from_le_bytes(four(b, at))),
            Component::F32 => return f64::from(f32::from_le_bytes(four(b, at))),
        };
        if self.is_normalized { (value / largest).max(-1.0) } else { value }
    }
}

fn four(bytes: &[u8], at: usize) -> [u8; 4] {
    [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]
}
