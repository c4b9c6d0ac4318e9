//! Pairs of pieces that may be near each other.

use super::{Content, Node, Pieces};
use crate::Pose;
use crate::stack::Stack;

/// Calls `look` with every pair of pieces whose balls are no farther apart than `reach` `[m]`; it returns the reach from
/// then on.
pub fn for_each_near(
    [a, b]: [&Pieces; 2],
    a_from_b: &Pose,
    mut reach: f64,
    mut look: impl FnMut([u32; 2]) -> f64,
) {
    let mut stack = Stack::of([0, 0]);
    while let Some([i, j]) = stack.pop() {
        let (one, other) = (&a.tree[i as usize], &b.tree[j as usize]);
        let apart = one.center.distance(a_from_b.point(other.center)) - one.radius - other.radius;
        if apart > reach {
            continue;
        }
        match (one.content, other.content) {
            (Content::Piece(p), Content::Piece(q)) => reach = look([p, q]),
            (Content::Balls(children), _) if one.radius >= other.radius || is_piece(other) => {
                stack.push_both(children.map(|child| [child, j]));
            }
            (_, Content::Balls(children)) => stack.push_both(children.map(|child| [i, child])),
            (Content::Balls(children), Content::Piece(_)) => {
                stack.push_both(children.map(|child| [child, j]));
            }
        }
    }
}

const fn is_piece(node: &Node) -> bool {
    matches!(node.content, Content::Piece(_))
}
