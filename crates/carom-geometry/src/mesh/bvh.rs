//! A tree of boxes over many things, for finding what overlaps and what is nearest.
//!
//! Built by halving at the median centre along the longest side, so its depth is ⌈log₂ n⌉ whatever the
//! input: also when all centres coincide, because ties are broken by index. A surface-area split gives
//! somewhat tighter trees on uneven meshes, but has no such bound; halving the order along a Z-order curve
//! builds as fast but doubles the time to find pairs. Everything is a function of the boxes and their order
//! alone.

use std::ops::ControlFlow;

use glam::DVec3;

use super::TriMesh;
use crate::Aabb;
use crate::stack::Stack;

/// Most boxes in a leaf.
const LEAF_SIZE: usize = 4;

/// A balanced tree over boxes that are named by their index.
#[derive(Clone, Debug)]
pub struct Bvh {
    /// Preorder: the left child of an inner node follows it.
    nodes: Vec<Node>,
    /// The boxes in leaf order, with the index of each.
    items: Vec<Item>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Aabb,
    /// Leaf: first item. Inner node: right child.
    link: u32,
    /// Number of items of a leaf; zero for an inner node.
    n_items: u32,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    bounds: Aabb,
    index: u32,
}

impl Bvh {
    /// Builds the tree; boxes without points are never found.
    pub fn new(boxes: impl IntoIterator<Item = Aabb>) -> Self {
        let items: Vec<Item> = boxes
            .into_iter()
            .enumerate()
            .map(|(index, bounds)| Item { bounds, index: index as u32 })
            .filter(|item| item.bounds.min.cmple(item.bounds.max).all())
            .collect();
        let (mut nodes, order) = halved(&items);
        let items: Vec<Item> = order.iter().map(|center| items[center.item as usize]).collect();
        // Children follow their parents, so in reverse every child is done before it is asked.
        for at in (0..nodes.len()).rev() {
            let Node { link, n_items, .. } = nodes[at];
            let start = link as usize;
            nodes[at].bounds = if n_items > 0 || items.is_empty() {
                let own = items[start..start + n_items as usize].iter();
                own.fold(Aabb::EMPTY, |all, item| all.union(&item.bounds))
            } else {
                nodes[at + 1].bounds.union(&nodes[start].bounds)
            };
        }
        Self { nodes, items }
    }

    /// The tree over the triangles of a mesh.
    pub fn of_triangles(mesh: &TriMesh) -> Self {
        Self::new(mesh.iter_corners().map(Aabb::from_points))
    }

    /// The smallest box around everything.
    pub fn bounds(&self) -> Aabb {
        self.nodes[0].bounds
    }

    /// Visits every pair of different boxes that overlap, each once and the lower index first, until the
    /// visitor breaks or `max_steps` pairs of nodes were looked at, which also breaks.
    pub fn visit_pairs(
        &self,
        max_steps: u64,
        mut visit: impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut pending = vec![(0_usize, 0_usize)];
        let mut n_steps = 0;
        while let Some((a, b)) = pending.pop() {
            n_steps += 1;
            if n_steps > max_steps {
                return ControlFlow::Break(());
            }
            let (node_a, node_b) = (&self.nodes[a], &self.nodes[b]);
            if !node_a.bounds.overlaps(&node_b.bounds) {
                continue;
            }
            if a == b {
                if node_a.is_leaf() {
                    let items = self.items_of(node_a);
                    for (k, first) in items.iter().enumerate() {
                        visit_overlapping(first, &items[k + 1..], &mut visit)?;
                    }
                } else {
                    let (left, right) = (a + 1, node_a.link as usize);
                    pending.extend([(left, right), (right, right), (left, left)]);
                }
            } else if node_a.is_leaf() && node_b.is_leaf() {
                for first in self.items_of(node_a) {
                    visit_overlapping(first, self.items_of(node_b), &mut visit)?;
                }
            } else if node_b.is_leaf() || (!node_a.is_leaf() && node_a.is_wider_than(node_b)) {
                pending.extend([(node_a.link as usize, b), (a + 1, b)]);
            } else {
                pending.extend([(a, node_b.link as usize), (a, b + 1)]);
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits every box that overlaps the given one, until the visitor breaks.
    pub fn visit_overlaps(
        &self,
        query: &Aabb,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut pending = Stack::of(0_usize);
        while let Some(at) = pending.pop() {
            let node = &self.nodes[at];
            if !node.bounds.overlaps(query) {
                continue;
            }
            if node.is_leaf() {
                for item in self.items_of(node) {
                    if item.bounds.overlaps(query) {
                        visit(item.index)?;
                    }
                }
            } else {
                pending.push_both([node.link as usize, at + 1]);
            }
        }
        ControlFlow::Continue(())
    }

    /// The thing nearest to a point and its squared distance, where `distance_squared` measures one thing
    /// and never reports less than the distance to its box; `None` if nothing is nearer than `limit_sq`.
    pub fn find_nearest(
        &self,
        point: DVec3,
        limit_sq: f64,
        mut distance_squared: impl FnMut(u32) -> f64,
    ) -> Option<(u32, f64)> {
        let mut best = None;
        let mut best_sq = limit_sq;
        let mut pending = Stack::of((0_usize, self.nodes[0].bounds.distance_squared(point)));
        while let Some((at, node_sq)) = pending.pop() {
            if node_sq >= best_sq {
                continue;
            }
            let node = &self.nodes[at];
            if node.is_leaf() {
                for item in self.items_of(node) {
                    if item.bounds.distance_squared(point) >= best_sq {
                        continue;
                    }
                    let own_sq = distance_squared(item.index);
                    if own_sq < best_sq {
                        best_sq = own_sq;
                        best = Some((item.index, own_sq));
                    }
                }
            } else {
                let child = |at: usize| (at, self.nodes[at].bounds.distance_squared(point));
                let (left, right) = (child(at + 1), child(node.link as usize));
                // The nearer child is popped first.
                if left.1 <= right.1 {
                    pending.push_both([right, left]);
                } else {
                    pending.push_both([left, right]);
                }
            }
        }
        best
    }

    /// How far the boxes reach along a direction: the largest projection of their corners; `None` if there
    /// are none.
    pub fn find_extent(&self, direction: DVec3) -> Option<f64> {
        let reach =
            |bounds: &Aabb| (direction * bounds.min).max(direction * bounds.max).element_sum();
        let mut best = None;
        let mut pending = Stack::of(0_usize);
        while let Some(at) = pending.pop() {
            let node = &self.nodes[at];
            if node.bounds == Aabb::EMPTY || best.is_some_and(|best| reach(&node.bounds) <= best) {
                continue;
            }
            if node.is_leaf() {
                let own = self.items_of(node).iter().map(|item| reach(&item.bounds));
                best = own.fold(best, |best: Option<f64>, x| Some(best.map_or(x, |b| b.max(x))));
            } else {
                let (left, right) = (at + 1, node.link as usize);
                // The child that reaches farther is popped first.
                if reach(&self.nodes[left].bounds) >= reach(&self.nodes[right].bounds) {
                    pending.push_both([right, left]);
                } else {
                    pending.push_both([left, right]);
                }
            }
        }
        best
    }

    fn items_of(&self, leaf: &Node) -> &[Item] {
        let start = leaf.link as usize;
        &self.items[start..start + leaf.n_items as usize]
    }
}

impl Node {
    fn is_leaf(&self) -> bool {
        // The root of an empty tree is a leaf too: its box is empty and nothing follows it.
        self.n_items > 0 || self.bounds == Aabb::EMPTY
    }

    fn is_wider_than(&self, other: &Self) -> bool {
        self.bounds.extents().element_sum() >= other.bounds.extents().element_sum()
    }
}

fn visit_overlapping(
    first: &Item,
    others: &[Item],
    visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for second in others {
        if first.bounds.overlaps(&second.bounds) {
            visit(first.index.min(second.index), first.index.max(second.index))?;
        }
    }
    ControlFlow::Continue(())
}

/// The centre of an item on a fine grid: a fraction of the item's size, so that halving moves little memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Center {
    cell: [u32; 3],
    item: u32,
}

/// Cells of the grid along the longest side of the centres' spread. Centres that share a cell are ordered by
/// index, which costs tightness, not correctness.
const GRID_CELLS: f64 = (1_u32 << 31) as f64;

/// The nodes of the tree, without their boxes, and the items in leaf order.
fn halved(items: &[Item]) -> (Vec<Node>, Vec<Center>) {
    let mut centers = grid_centers(items);
    let mut nodes: Vec<Node> = Vec::with_capacity(items.len() / 2 + 1);
    // Ranges still to be turned into nodes, with the parent that waits to learn its right child.
    let mut pending = vec![(0, items.len(), None::<usize>)];
    while let Some((start, end, parent)) = pending.pop() {
        let own = nodes.len();
        if let Some(parent) = parent {
            nodes[parent].link = own as u32;
        }
        let n_items = end - start;
        if n_items <= LEAF_SIZE {
            let (link, n_items) = (start as u32, n_items as u32);
            nodes.push(Node { bounds: Aabb::EMPTY, link, n_items });
            continue;
        }
        nodes.push(Node { bounds: Aabb::EMPTY, link: 0, n_items: 0 });
        halve(&mut centers[start..end]);
        let middle = start + n_items / 2;
        pending.push((middle, end, Some(own)));
        pending.push((start, middle, None));
    }
    (nodes, centers)
}

fn grid_centers(items: &[Item]) -> Vec<Center> {
    // Halved first, so that the sum of two large coordinates stays finite.
    let center = |item: &Item| 0.5 * item.bounds.min + 0.5 * item.bounds.max;
    let spread = Aabb::from_points(items.iter().map(center));
    let side = spread.extents().max_element().max(f64::MIN_POSITIVE);
    let cell = |item: &Item| {
        let share = (center(item) - spread.min) / side;
        share.to_array().map(|x| (x * GRID_CELLS) as u32)
    };
    (0..).zip(items).map(|(slot, item)| Center { cell: cell(item), item: slot }).collect()
}

/// Moves the lower half along the longest side of the spread to the front.
fn halve(centers: &mut [Center]) {
    let (mut low, mut high) = ([u32::MAX; 3], [0; 3]);
    for center in centers.iter() {
        for axis in 0..3 {
            low[axis] = low[axis].min(center.cell[axis]);
            high[axis] = high[axis].max(center.cell[axis]);
        }
    }
    let side = |axis: usize| high[axis] - low[axis];
    let axis = if side(0) >= side(1) && side(0) >= side(2) {
        0
    } else if side(1) >= side(2) {
        1
    } else {
        2
    };
    let middle = centers.len() / 2;
    centers.select_nth_unstable_by_key(middle, |center| (center.cell[axis], center.item));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boxes of pseudo-random place and size from a fixed linear congruence.
    fn scattered_boxes(n: usize) -> Vec<Aabb> {
        let mut state = 12345_u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        (0..n)
            .map(|_| {
                let min = DVec3::new(next(), next(), next());
                Aabb { min, max: min + 0.2 * DVec3::new(next(), next(), next()) }
            })
            .collect()
    }

    fn pairs_of(tree: &Bvh) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        let _ = tree.visit_pairs(u64::MAX, |a, b| {
            found.push((a, b));
            ControlFlow::Continue(())
        });
        found.sort_unstable();
        found
    }

    #[test]
    fn pairs_are_those_of_brute_force() {
        for n in [0, 1, 2, 5, 33, 300] {
            let boxes = scattered_boxes(n);
            let mut expected = Vec::new();
            for a in 0..n {
                for b in a + 1..n {
                    if boxes[a].overlaps(&boxes[b]) {
                        expected.push((a as u32, b as u32));
                    }
                }
            }
            assert_eq!(pairs_of(&Bvh::new(boxes)), expected, "{n} boxes");
        }
    }

    #[test]
    fn the_nearest_box_is_that_of_brute_force() {
        let boxes = scattered_boxes(500);
        let tree = Bvh::new(boxes.iter().copied());
        for probe in scattered_boxes(100) {
            let point = 3.0 * probe.min - DVec3::ONE;
            let measure = |index: u32| boxes[index as usize].distance_squared(point);
            let (_, found) = tree.find_nearest(point, f64::INFINITY, measure).unwrap();
            let expected = (0..500).map(measure).fold(f64::INFINITY, f64::min);
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_extent_is_that_of_brute_force() {
        let boxes = scattered_boxes(300);
        let tree = Bvh::new(boxes.iter().copied());
        for probe in scattered_boxes(50) {
            let direction = probe.min - DVec3::splat(0.5);
            let reach = |b: &Aabb| (direction * b.min).max(direction * b.max).element_sum();
            let expected = boxes.iter().map(reach).fold(f64::NEG_INFINITY, f64::max);
            assert_eq!(tree.find_extent(direction), Some(expected));
        }
        assert_eq!(Bvh::new([]).find_extent(DVec3::X), None);
    }

    #[test]
    fn a_box_query_finds_what_brute_force_finds() {
        let boxes = scattered_boxes(400);
        let tree = Bvh::new(boxes.iter().copied());
        for query in scattered_boxes(40) {
            let mut found = Vec::new();
            let _ = tree.visit_overlaps(&query, |index| {
                found.push(index);
                ControlFlow::Continue(())
            });
            found.sort_unstable();
            let expected: Vec<u32> =
                (0..400).filter(|&k| boxes[k as usize].overlaps(&query)).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn coinciding_boxes_make_a_balanced_tree() {
        let tree = Bvh::new(vec![Aabb { min: DVec3::ZERO, max: DVec3::ONE }; 1000]);
        // 1000 boxes halve to leaves of 3 or 4 after eight levels: 255 inner nodes, 256 leaves.
        assert_eq!(tree.nodes.len(), 511);
        assert_eq!(pairs_of(&tree).len(), 1000 * 999 / 2);
    }
}
