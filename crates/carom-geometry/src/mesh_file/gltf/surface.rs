//! Triangles of glTF primitives.

use glam::DVec3;

use super::super::build::MeshBuilder;
use super::super::error::{MeshFileError, MeshFileWarning, Place};
use super::super::weld::Welder;
use super::HINT_SYNTAX;
use super::accessor::{self, Use, View};
use super::buffers::Buffers;
use super::scene::Shown;
use super::schema::{Primitive, Root};

/// No vertex yet.
const NONE: u32 = u32::MAX;

/// How indices make triangles.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    List,
    Strip,
    Fan,
}

impl Mode {
    /// Which corners make a triangle (glTF 2.0, section 3.7.2.1).
    fn triangle(self, i: usize) -> [usize; 3] {
        match self {
            Self::List => [3 * i, 3 * i + 1, 3 * i + 2],
            Self::Strip => [i, i + 1 + i % 2, i + 2 - i % 2],
            Self::Fan => [i + 1, i + 2, 0],
        }
    }
}

/// Everything that is needed to add one mesh after the other.
pub(super) struct Surface<'a> {
    root: &'a Root<'a>,
    buffers: Buffers<'a>,
    welder: Welder,
    /// Primitives of points and lines, and those with shape keys: how many, and the first.
    thin: Option<(u64, Place)>,
    keyed: Option<(u64, Place)>,
}

impl<'a> Surface<'a> {
    pub(super) fn new(root: &'a Root<'a>, buffers: Buffers<'a>) -> Self {
        Self { root, buffers, welder: Welder::default(), thin: None, keyed: None }
    }

    pub(super) fn add_mesh(
        &mut self,
        shown: &Shown,
        builder: &mut MeshBuilder<'_>,
    ) -> Result<(), MeshFileError> {
        let root = self.root;
        let Some(mesh) = root.meshes.get(shown.mesh) else {
            let what = format!("there is no mesh {}", shown.mesh);
            return Err(builder.malformed(shown.place, what, HINT_SYNTAX));
        };
        for (i, primitive) in mesh.primitives.iter().enumerate() {
            let place = Place::Primitive { mesh: shown.mesh, primitive: i };
            let mode = match primitive.mode.unwrap_or(4) {
                0..=3 => {
                    self.thin.get_or_insert((0, place)).0 += 1;
                    continue;
                }
                4 => Mode::List,
                5 => Mode::Strip,
                6 => Mode::Fan,
                mode => {
                    let what = format!("there is no mode {mode}");
                    return Err(builder.malformed(place, what, HINT_SYNTAX));
                }
            };
            if !primitive.targets.is_empty() {
                self.keyed.get_or_insert((0, place)).0 += 1;
            }
            self.add_primitive(primitive, mode, shown, place, builder)?;
        }
        Ok(())
    }

    fn add_primitive(
        &mut self,
        primitive: &Primitive,
        mode: Mode,
        shown: &Shown,
        place: Place,
        builder: &mut MeshBuilder<'_>,
    ) -> Result<(), MeshFileError> {
        let Self { root, buffers, welder, .. } = self;
        let corners = Corners::open(primitive, root, buffers, place, builder)?;
        let n_triangles = corners.n_triangles(mode, place, builder)?;
        builder.check_more_triangles(n_triangles, place)?;
        let is_mirrored = shown.scene_from_mesh.matrix3.determinant() < 0.0;
        let mut vertex_of = corners.new_memory();
        for i in 0..n_triangles {
            let mut triangle = [0; 3];
            let locals = mode.triangle(i).map(|corner| corners.local(corner));
            if mode == Mode::Strip && is_stitch(locals) {
                continue;
            }
            for (vertex, local) in triangle.iter_mut().zip(locals) {
                if let Some(&known) = vertex_of.get(local).filter(|known| **known != NONE) {
                    *vertex = known;
                    continue;
                }
                let position = corners.position(local, place, builder)?;
                let position = shown.scene_from_mesh.transform_point3(position);
                *vertex = welder.vertex(builder, position, place)?;
                if let Some(slot) = vertex_of.get_mut(local) {
                    *slot = *vertex;
                }
            }
            let [a, b, c] = triangle;
            builder.push_triangle(if is_mirrored { [a, c, b] } else { triangle }, place)?;
        }
        Ok(())
    }

    /// Warns of what was left out.
    pub(super) fn report(&self, builder: &mut MeshBuilder<'_>) {
        let notes =
            [("primitives made of points or lines", self.thin), ("sets of shape keys", self.keyed)];
        for (what, note) in notes {
            if let Some((count, first)) = note {
                builder.warnings.push(MeshFileWarning::Ignored { what, count, first });
            }
        }
        let instancing = "EXT_mesh_gpu_instancing";
        if self.root.extensions_used.iter().any(|name| name == instancing) {
            let what = "extension for copies of meshes, EXT_mesh_gpu_instancing";
            let warning = MeshFileWarning::Ignored { what, count: 1, first: Place::File };
            builder.warnings.push(warning);
        }
    }
}

/// The corners of a primitive, in order.
struct Corners<'b> {
    positions: View<'b>,
    indices: Option<View<'b>>,
}

impl<'b> Corners<'b> {
    fn open(
        primitive: &Primitive,
        root: &Root<'_>,
        buffers: &'b mut Buffers<'_>,
        place: Place,
        builder: &MeshBuilder<'_>,
    ) -> Result<Self, MeshFileError> {
        let Some(position) = primitive.attributes.position else {
            let what = "it has no positions".to_owned();
            return Err(builder.malformed(place, what, HINT_SYNTAX));
        };
        for accessor in [Some(position), primitive.indices].into_iter().flatten() {
            let buffer = accessor::find_buffer(root, accessor, builder)?;
            buffers.fetch(buffer, builder)?;
        }
        let buffers: &'b Buffers<'_> = buffers;
        let open = |index, usage| accessor::open(root, buffers, index, usage, builder);
        Ok(Self {
            positions: open(position, Use::Positions)?,
            indices: primitive.indices.map(|index| open(index, Use::Indices)).transpose()?,
        })
    }

    fn len(&self) -> usize {
        self.indices.as_ref().map_or(self.positions.count, |indices| indices.count)
    }

    fn n_triangles(
        &self,
        mode: Mode,
        place: Place,
        builder: &MeshBuilder<'_>,
    ) -> Result<usize, MeshFileError> {
        let n_corners = self.len();
        if mode == Mode::List && !n_corners.is_multiple_of(3) {
            let what = format!("{n_corners} corners are no multiple of three");
            return Err(builder.malformed(place, what, HINT_SYNTAX));
        }
        Ok(if mode == Mode::List { n_corners / 3 } else { n_corners.saturating_sub(2) })
    }

    /// Which position a corner names; it need not exist.
    fn local(&self, corner: usize) -> usize {
        self.indices.as_ref().map_or(corner, |indices| indices.index(corner) as usize)
    }

    fn position(
        &self,
        local: usize,
        place: Place,
        builder: &MeshBuilder<'_>,
    ) -> Result<DVec3, MeshFileError> {
        let n_vertices = self.positions.count;
        if local < n_vertices {
            return Ok(self.positions.position(local));
        }
        let index = i64::try_from(local).unwrap_or(i64::MAX);
        Err(MeshFileError::NoSuchVertex { format: builder.format, place, index, n_vertices })
    }

    /// Room to remember the vertex of each position, which saves five lookups in six. None where few
    /// corners look into many positions: there, clearing it would be the larger work.
    fn new_memory(&self) -> Vec<u32> {
        let is_worthwhile = self.len() >= self.positions.count / 4;
        vec![NONE; if is_worthwhile { self.positions.count } else { 0 }]
    }
}

/// Whether a triangle of a strip only leads to the next one.
fn is_stitch([a, b, c]: [usize; 3]) -> bool {
    a == b || b == c || c == a
}
