//! Shapes of any kind as convex pieces under a tree of balls.
//!
//! d(A, B) is the least distance of any piece of A from any piece of B (guide LC-6). A pair of balls bounds the distances
//! of all pieces inside from below, so most pairs of pieces are never looked at.
//!
//! The pieces of a closed mesh are its triangles, which have no inside; that a body lies wholly inside the solid that a
//! mesh bounds is asked of the mesh ([`Pieces::holds`]).

use std::sync::Arc;

use glam::DVec3;

use super::{Closest, Convex, Warm, closest};
use crate::{ClosedMesh, Pose, Shape};

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
}

/// What a query of two shapes leaves behind for the next one; the answer does not depend on it.
#[derive(Clone, Debug, Default)]
pub struct PiecesCache {
    best: Option<[u32; 2]>,
    warm: Warm,
    stack: Vec<[u32; 2]>,
}

/// The closest pieces of two shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPieces {
    /// Where they are nearest, in the frame of shape A.
    pub closest: Closest,
    /// Which piece of each.
    pub pieces: [u32; 2],
}

impl Pieces {
    /// Takes a shape apart.
    pub fn of(shape: &Shape) -> Self {
        let mut this = Self { all: Vec::new(), tree: Vec::new(), meshes: Vec::new() };
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
    pub fn holds(&self, point_shape: DVec3) -> Option<f64> {
        let depth = |(shape_from_mesh, mesh): &(Pose, Arc<ClosedMesh>)| {
            -mesh.signed_distance(shape_from_mesh.inverse().point(point_shape))
        };
        self.meshes.iter().map(depth).filter(|depth| *depth > 0.0).max_by(f64::total_cmp)
    }

    /// A point of the shape.
    pub fn some_point(&self) -> DVec3 {
        let Piece { convex, shape_from_piece } = &self.all[0];
        shape_from_piece.point(convex.support(DVec3::Z))
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
                self.meshes.push((*shape_from_part, Arc::clone(mesh)));
            }
            _ => {
                if let Some(convex) = Convex::of(shape) {
                    self.all.push(Piece { convex, shape_from_piece: *shape_from_part });
                }
            }
        }
    }
}

/// The nearest points of two shapes, over all their pieces.
///
/// Where pieces overlap this is the deepest pair of pieces; a body inside a hollow mesh is not seen (see
/// [`Pieces::holds`]).
pub fn closest_pieces(
    a: &Pieces,
    b: &Pieces,
    a_from_b: &Pose,
    cache: &mut PiecesCache,
) -> ClosestPieces {
    let measure = |[i, j]: [u32; 2], warm: &mut Warm| {
        let (one, other) = (&a.all[i as usize], &b.all[j as usize]);
        let piece_from_piece =
            one.shape_from_piece.inverse().then_from(&a_from_b.then_from(&other.shape_from_piece));
        let found = closest(&one.convex, &other.convex, &piece_from_piece, warm);
        placed(found, &one.shape_from_piece)
    };
    let known = |[i, j]: [u32; 2]| (i as usize) < a.all.len() && (j as usize) < b.all.len();
    let first = cache.best.filter(|pair| known(*pair)).unwrap_or([0, 0]);
    let mut best = ClosestPieces { closest: measure(first, &mut cache.warm), pieces: first };
    let mut warm_best = cache.warm;
    cache.stack.clear();
    cache.stack.push([0, 0]);
    while let Some([i, j]) = cache.stack.pop() {
        let (one, other) = (&a.tree[i as usize], &b.tree[j as usize]);
        let apart = one.center.distance(a_from_b.point(other.center)) - one.radius - other.radius;
        if apart > best.closest.distance {
            continue;
        }
        match (one.content, other.content) {
            (Content::Piece(p), Content::Piece(q)) => {
                if [p, q] == first {
                    continue;
                }
                let mut warm = Warm::Cold;
                let found = measure([p, q], &mut warm);
                if found.distance < best.closest.distance {
                    best = ClosestPieces { closest: found, pieces: [p, q] };
                    warm_best = warm;
                }
            }
            (Content::Balls(children), _) if one.radius >= other.radius || is_piece(other) => {
                cache.stack.extend(children.map(|child| [child, j]));
            }
            (_, Content::Balls(children)) => {
                cache.stack.extend(children.map(|child| [i, child]));
            }
            (Content::Balls(children), Content::Piece(_)) => {
                cache.stack.extend(children.map(|child| [child, j]));
            }
        }
    }
    cache.best = Some(best.pieces);
    cache.warm = warm_best;
    best
}

const fn is_piece(node: &Node) -> bool {
    matches!(node.content, Content::Piece(_))
}

/// An answer given in the frame of a piece, in the frame of its shape.
fn placed(found: Closest, shape_from_piece: &Pose) -> Closest {
    Closest {
        point_a: shape_from_piece.point(found.point_a),
        point_b: shape_from_piece.point(found.point_b),
        normal: shape_from_piece.vector(found.normal),
        ..found
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
