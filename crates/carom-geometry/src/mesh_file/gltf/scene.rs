//! Which meshes a glTF shows, and where.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::super::Limit;
use super::super::build::MeshBuilder;
use super::super::error::{MeshFileError, MeshFileWarning, Place};
use super::HINT_SYNTAX;
use super::schema::{Node, Root};

/// A mesh and its place in the scene.
pub(super) struct Shown {
    pub(super) mesh: usize,
    pub(super) scene_from_mesh: DAffine3,
    /// The node that shows it.
    pub(super) place: Place,
}

/// All meshes of the default scene, depth first and in the order of children.
pub(super) fn find_meshes(
    root: &Root<'_>,
    builder: &mut MeshBuilder<'_>,
) -> Result<Vec<Shown>, MeshFileError> {
    if root.nodes.is_empty() {
        let meshes = 0..root.meshes.len();
        let shown =
            |mesh| Shown { mesh, scene_from_mesh: DAffine3::IDENTITY, place: Place::Mesh(mesh) };
        return Ok(meshes.map(shown).collect());
    }
    let mut walk = Walk {
        root,
        is_seen: vec![false; root.nodes.len()],
        stack: Vec::new(),
        found: Vec::new(),
        skins: None,
    };
    for top in find_tops(root, builder)? {
        walk.push(&[top], 1, DAffine3::IDENTITY, builder)?;
        while let Some(step) = walk.stack.pop() {
            walk.visit(&step, builder)?;
        }
    }
    if let Some((count, first)) = walk.skins {
        let what = "skins, whose meshes are in their rest pose";
        builder.warnings.push(MeshFileWarning::Ignored { what, count, first });
    }
    Ok(walk.found)
}

/// A node to be visited.
struct Step {
    node: usize,
    depth: usize,
    scene_from_parent: DAffine3,
}

struct Walk<'a> {
    root: &'a Root<'a>,
    is_seen: Vec<bool>,
    stack: Vec<Step>,
    found: Vec<Shown>,
    /// Nodes with a skin: how many, and the first.
    skins: Option<(u64, Place)>,
}

impl Walk<'_> {
    fn visit(&mut self, step: &Step, builder: &MeshBuilder<'_>) -> Result<(), MeshFileError> {
        let place = Place::Node(step.node);
        let root = self.root;
        let node = &root.nodes[step.node];
        builder.limits.check(Limit::NodeDepth, step.depth as u64, place)?;
        let scene_from_mesh = step.scene_from_parent * parent_from_node(node, place, builder)?;
        if let Some(mesh) = node.mesh {
            self.found.push(Shown { mesh: mesh as usize, scene_from_mesh, place });
        }
        if node.skin.is_some() {
            self.skins.get_or_insert((0, place)).0 += 1;
        }
        self.push(&node.children, step.depth + 1, scene_from_mesh, builder)
    }

    /// Puts nodes on the stack, the first on top. Each has one parent at most, so that a second sight
    /// means a loop or a shared child; hence the stack never outgrows the nodes.
    fn push(
        &mut self,
        nodes: &[u32],
        depth: usize,
        scene_from_parent: DAffine3,
        builder: &MeshBuilder<'_>,
    ) -> Result<(), MeshFileError> {
        for node in nodes.iter().rev().map(|&node| node as usize) {
            let fail = |what: &str| {
                Err(builder.malformed(Place::Node(node), what.to_owned(), HINT_SYNTAX))
            };
            if node >= self.root.nodes.len() {
                return fail("there is no such node");
            }
            if std::mem::replace(&mut self.is_seen[node], true) {
                return fail("it has two parents or is its own ancestor");
            }
            self.stack.push(Step { node, depth, scene_from_parent });
        }
        Ok(())
    }
}

/// The nodes to start from: those of the default scene, or all without a parent.
fn find_tops(root: &Root<'_>, builder: &mut MeshBuilder<'_>) -> Result<Vec<u32>, MeshFileError> {
    if root.scenes.is_empty() {
        let mut has_parent = vec![false; root.nodes.len()];
        for &child in root.nodes.iter().flat_map(|node| &node.children) {
            if let Some(mark) = has_parent.get_mut(child as usize) {
                *mark = true;
            }
        }
        return Ok((0..root.nodes.len() as u32).filter(|&i| !has_parent[i as usize]).collect());
    }
    let index = root.scene.unwrap_or(0) as usize;
    if root.scenes.len() > 1 {
        let what = "scenes besides the default one";
        let first = Place::Scene(usize::from(index == 0));
        let count = root.scenes.len() as u64 - 1;
        builder.warnings.push(MeshFileWarning::Ignored { what, count, first });
    }
    root.scenes.get(index).map(|scene| scene.nodes.clone()).ok_or_else(|| {
        let what = "there is no such scene".to_owned();
        builder.malformed(Place::Scene(index), what, HINT_SYNTAX)
    })
}

/// The transform of a node: its matrix, or else scale, then rotation, then translation.
fn parent_from_node(
    node: &Node,
    place: Place,
    builder: &MeshBuilder<'_>,
) -> Result<DAffine3, MeshFileError> {
    if let Some(m) = &node.matrix {
        if [m[3], m[7], m[11], m[15]] != [0.0, 0.0, 0.0, 1.0] {
            let what = "its matrix is no affine transform".to_owned();
            return Err(builder.malformed(place, what, HINT_SYNTAX));
        }
        let column = |i: usize| DVec3::new(m[i], m[i + 1], m[i + 2]);
        let linear = DMat3::from_cols(column(0), column(4), column(8));
        return Ok(DAffine3::from_mat3_translation(linear, column(12)));
    }
    let scale = node.scale.as_ref().map_or(DVec3::ONE, |s| DVec3::from_array(**s));
    let translation = node.translation.as_ref().map_or(DVec3::ZERO, |t| DVec3::from_array(**t));
    let rotation = match &node.rotation {
        Some(q) => unit_quaternion(**q).ok_or_else(|| {
            let what = format!("its rotation {q:?} is no quaternion of a rotation");
            builder.malformed(place, what, HINT_SYNTAX)
        })?,
        None => DQuat::IDENTITY,
    };
    Ok(DAffine3::from_scale_rotation_translation(scale, rotation, translation))
}

/// Scales to length 1, since files carry seven digits.
fn unit_quaternion(q: [f64; 4]) -> Option<DQuat> {
    let length = DQuat::from_array(q).length();
    let is_usable = length.is_finite() && length > f64::MIN_POSITIVE;
    is_usable.then(|| DQuat::from_array(q.map(|x| x / length)))
}
