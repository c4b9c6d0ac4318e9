//! Shapes of any kind as convex pieces under a tree of balls.
//!
//! d(A, B) is the least distance of any piece of A from any piece of B (guide LC-6). A pair of balls bounds the distances
//! of all pieces inside from below, so most pairs of pieces are never looked at.
//!
//! | where | what |
//! |---|---|
//! | `near` | pairs of pieces that may be within a distance |
//! | `closest` | the nearest pair of all |
//! | `contacts` | all points of all pairs within a distance |
//! | `inside` | what lies inside a closed mesh without being near its surface |
//!
//! The pieces of a closed mesh are its triangles, which have no inside; that a body lies wholly inside the solid that a
//! mesh bounds is asked of the mesh ([`depth_inside`]).

mod closest;
mod contacts;
mod inside;
mod near;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use glam::DVec3;

use super::Convex;
use crate::{ClosedMesh, Pose, Shape};

pub use closest::{ClosestPieces, PiecesCache, closest_pieces};
pub use contacts::{PiecePoint, PiecesManifold, manifold_pieces};
pub use inside::depth_inside;
pub use near::for_each_near;

/// One convex piece of a shape.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The piece in its own frame.
    pub convex: Convex,
    /// Its placement in the frame of the shape.
    pub shape_from_piece: Pose,
}

/// A ball around some pieces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Its centre, in the frame of the shape `[m]`.
    pub center: DVec3,
    /// Its radius, infinite for a half-space `[m]`.
    pub radius: f64,
    /// What is in it.
    pub content: Content,
}

/// What a ball of the tree contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// One piece, by its index.
    Piece(u32),
    /// Two smaller balls, by their indices.
    Balls([u32; 2]),
}

/// A shape as convex pieces; never empty, and the first ball holds all of them.
#[derive(Clone, Debug)]
pub struct Pieces {
    all: Vec<Piece>,
    tree: Vec<Node>,
    /// Closed meshes among the parts, which have an inside that their triangles do not show.
    meshes: Vec<(Pose, Arc<ClosedMesh>)>,
    /// A point of every connected part.
    anchors: Vec<DVec3>,
}

impl Pieces {
    /// Takes a shape apart.
    pub fn of(shape: &Shape) -> Self {
        let mut this =
            Self { all: Vec::new(), tree: Vec::new(), meshes: Vec::new(), anchors: Vec::new() };
        this.collect(shape, &Pose::IDENTITY);
        if this.all.is_empty() {
            let convex = Convex::Triangle([DVec3::ZERO; 3]);
            this.all.push(Piece { convex, shape_from_piece: Pose::IDENTITY });
        }
        let mut leaves: Vec<(DVec3, f64, u32)> = (0..)
            .zip(&this.all)
            .map(|(index, piece)| {
                let (center, radius) = ball_around(&piece.convex);
                (piece.shape_from_piece.point(center), radius, index)
            })
            .collect();
        grow(&mut this.tree, &mut leaves);
        this
    }

    /// The pieces.
    pub fn pieces(&self) -> &[Piece] {
        &self.all
    }

    /// The balls, the one around everything first.
    pub fn tree(&self) -> &[Node] {
        &self.tree
    }

    /// The piece, if there is only one.
    pub fn single(&self) -> Option<&Piece> {
        match &self.all[..] {
            [piece] if self.meshes.is_empty() => Some(piece),
            _ => None,
        }
    }

    /// How deep a point lies inside a closed mesh among the parts, if it does `[m]`.
    pub(in crate::distance) fn holds(&self, point_shape: DVec3) -> Option<f64> {
        let depth = |(shape_from_mesh, mesh): &(Pose, Arc<ClosedMesh>)| {
            -mesh.signed_distance(shape_from_mesh.inverse().point(point_shape))
        };
        self.meshes.iter().map(depth).filter(|depth| *depth > 0.0).max_by(f64::total_cmp)
    }

    fn collect(&mut self, shape: &Shape, shape_from_part: &Pose) {
        match shape {
            Shape::Compound(compound) => {
                for part in compound.parts() {
                    self.collect(&part.shape, &shape_from_part.then_from(&part.body_from_shape));
                }
            }
            Shape::Mesh(mesh) => {
                let corners = mesh.mesh().vertices();
                for triangle in mesh.mesh().triangles() {
                    let convex = Convex::Triangle(triangle.map(|v| corners[v as usize]));
                    self.all.push(Piece { convex, shape_from_piece: *shape_from_part });
                }
                let corners = inside::corners_of_surfaces(mesh);
                self.anchors.extend(corners.iter().map(|corner| shape_from_part.point(*corner)));
                self.meshes.push((*shape_from_part, Arc::clone(mesh)));
            }
            _ => {
                if let Some(convex) = Convex::of(shape) {
                    self.anchors.push(shape_from_part.point(convex.support(DVec3::Z)));
                    self.all.push(Piece { convex, shape_from_piece: *shape_from_part });
                }
            }
        }
    }
}

/// A ball around a convex solid, in its own frame.
fn ball_around(convex: &Convex) -> (DVec3, f64) {
    if matches!(convex, Convex::HalfSpace(_)) {
        return (DVec3::ZERO, f64::INFINITY);
    }
    let reach = |axis: DVec3| convex.support_value(axis);
    let high = DVec3::new(reach(DVec3::X), reach(DVec3::Y), reach(DVec3::Z));
    let low = -DVec3::new(reach(DVec3::NEG_X), reach(DVec3::NEG_Y), reach(DVec3::NEG_Z));
    let center = low + 0.5 * (high - low);
    (center, padded(convex.radius_about(center), center))
}

/// Raised by rounding of the places that it was computed from.
fn padded(radius: f64, center: DVec3) -> f64 {
    radius + 8.0 * f64::EPSILON * (radius + center.length())
}

/// Appends a tree over the leaves and returns the index of its root: halves along the longest side of their centres.
fn grow(tree: &mut Vec<Node>, leaves: &mut [(DVec3, f64, u32)]) -> u32 {
    let index = tree.len() as u32;
    if let [(center, radius, piece)] = *leaves {
        tree.push(Node { center, radius, content: Content::Piece(piece) });
        return index;
    }
    let bounds = crate::Aabb::from_points(leaves.iter().map(|(center, ..)| *center));
    let center = bounds.center();
    let reach = |(place, radius, _): &(DVec3, f64, u32)| place.distance(center) + radius;
    let radius = padded(leaves.iter().map(reach).fold(0.0, f64::max), center);
    tree.push(Node { center, radius, content: Content::Piece(0) });
    let sides = bounds.extents();
    let axis = if sides.x >= sides.y && sides.x >= sides.z {
        0
    } else if sides.y >= sides.z {
        1
    } else {
        2
    };
    // By place, then by index, so that the tree does not depend on the sort.
    leaves.sort_unstable_by(|a, b| a.0[axis].total_cmp(&b.0[axis]).then(a.2.cmp(&b.2)));
    let (low, high) = leaves.split_at_mut(leaves.len() / 2);
    let children = [grow(tree, low), grow(tree, high)];
    tree[index as usize].content = Content::Balls(children);
    index
}
