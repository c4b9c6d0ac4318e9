//! Closed meshes: a tree of balls over the triangles, and what is inside.
//!
//! A point is inside if the triangles, seen from there, cover the sphere of directions once: the sum of their signed solid
//! angles is 4π inside and 0 outside. For the corners a, b, c seen from the point (Van Oosterom and Strackee 1983),
//!
//! tan(Ω/2) = a·(b×c) / (|a||b||c| + (a·b)|c| + (b·c)|a| + (c·a)|b|).

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::Gap;
use super::convex::{Convex, Core};
use super::programme::{Found, Need, Stand, measure_for, rounding};
use super::tolerances::{COARSE, MOST_CROSSINGS};

/// What triangles enclose.
#[derive(Clone, Debug)]
pub(super) struct Mesh {
    pub(super) vertices: Vec<DVec3>,
    triangles: Vec<Convex>,
    corners: Vec<[DVec3; 3]>,
    /// The root first.
    nodes: Vec<Node>,
}

/// A ball around some triangles.
#[derive(Clone, Debug)]
struct Node {
    center: DVec3,
    radius: f64,
    content: Content,
}

#[derive(Clone, Copy, Debug)]
enum Content {
    Triangle(usize),
    Halves(usize, usize),
}

/// A mesh in the frame of a pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeshStand<'a> {
    pub(super) mesh: &'a Mesh,
    pub(super) rotation: DMat3,
    pub(super) origin: DVec3,
}

impl Mesh {
    /// From corners that are there.
    pub(super) fn new(vertices: Vec<DVec3>, triangles: &[[usize; 3]]) -> Self {
        let corners: Vec<[DVec3; 3]> =
            triangles.iter().map(|triangle| triangle.map(|corner| vertices[corner])).collect();
        let convex =
            |corners: &[DVec3; 3]| Convex { core: Core::Points(corners.to_vec()), radius: 0.0 };
        let triangles = corners.iter().map(convex).collect();
        let mut mesh = Self { vertices, triangles, corners, nodes: Vec::new() };
        let mut all: Vec<usize> = (0..mesh.corners.len()).collect();
        mesh.plant(&mut all);
        mesh
    }

    /// Builds the tree over some triangles and gives its root.
    fn plant(&mut self, triangles: &mut [usize]) -> usize {
        let points = || triangles.iter().flat_map(|&triangle| self.corners[triangle]);
        let low = points().fold(DVec3::INFINITY, DVec3::min);
        let high = points().fold(DVec3::NEG_INFINITY, DVec3::max);
        let center = 0.5 * (low + high);
        let radius = points().map(|point| point.distance(center)).fold(0.0, f64::max);
        let place = self.nodes.len();
        self.nodes.push(Node { center, radius, content: Content::Triangle(triangles[0]) });
        if triangles.len() > 1 {
            let extent = high - low;
            let axis = if extent.x >= extent.max_element() {
                DVec3::X
            } else if extent.y >= extent.z {
                DVec3::Y
            } else {
                DVec3::Z
            };
            let along = |triangle: &usize| axis.dot(self.corners[*triangle].iter().sum());
            triangles.sort_by(|a, b| along(a).total_cmp(&along(b)).then(a.cmp(b)));
            let (lower, upper) = triangles.split_at_mut(triangles.len() / 2);
            let halves = Content::Halves(self.plant(lower), self.plant(upper));
            self.nodes[place].content = halves;
        }
        place
    }

    /// How far it reaches along a unit vector.
    pub(super) fn reach(&self, d: DVec3) -> f64 {
        self.vertices.iter().map(|vertex| d.dot(*vertex)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Centre and radius of a ball around it.
    pub(super) fn ball(&self) -> (DVec3, f64) {
        let Node { center, radius, .. } = self.nodes[0];
        (center, radius)
    }

    /// How often the surface goes around a point: 1 inside, 0 outside, something between on the surface.
    pub(super) fn winding(&self, point: DVec3) -> f64 {
        let angle = |corners: &[DVec3; 3]| {
            let [a, b, c] = corners.map(|corner| corner - point);
            let [la, lb, lc] = [a.length(), b.length(), c.length()];
            let beside = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            2.0 * libm::atan2(a.dot(b.cross(c)), beside)
        };
        self.corners.iter().map(angle).sum::<f64>() / (4.0 * PI)
    }
}

impl<'a> MeshStand<'a> {
    pub(super) fn lengths(&self) -> f64 {
        let (center, radius) = self.mesh.ball();
        self.origin.length() + center.length() + radius
    }

    fn triangle(&self, index: usize) -> Stand<'a> {
        let convex = &self.mesh.triangles[index];
        Stand { convex, rotation: self.rotation, origin: self.origin }
    }

    fn center(&self, node: usize) -> DVec3 {
        self.rotation * self.mesh.nodes[node].center + self.origin
    }

    /// True when a point of the frame of the pair is inside.
    pub(super) fn holds(&self, point: DVec3) -> bool {
        self.mesh.winding(self.rotation.transpose() * (point - self.origin)) > 0.5
    }

    /// Some corner.
    pub(super) fn some_corner(&self) -> DVec3 {
        self.rotation * self.mesh.corners[0][0] + self.origin
    }
}

/// The least of many gaps.
#[derive(Clone, Debug)]
pub(super) struct Least {
    pub(super) found: Found,
    crossings: usize,
}

impl Least {
    pub(super) fn none() -> Self {
        let gap = Gap { lower: f64::INFINITY, upper: f64::INFINITY };
        Self { found: Found { gap, normal: DVec3::X }, crossings: 0 }
    }

    pub(super) fn take(&mut self, other: Found) {
        let gap = &mut self.found.gap;
        if other.gap.upper < gap.upper {
            gap.upper = other.gap.upper;
            self.found.normal = other.normal;
        }
        gap.lower = gap.lower.min(other.gap.lower);
        self.crossings += usize::from(other.gap.lower <= 0.0);
    }

    fn is_settled(&self, bound: f64) -> bool {
        bound > self.found.gap.upper || self.crossings >= MOST_CROSSINGS
    }
}

/// Distance of the surface of a mesh from a convex solid.
pub(super) fn surface_to_convex(mesh: &MeshStand<'_>, convex: &Stand<'_>) -> Found {
    let mut least = Least::none();
    let bound = |node: usize, beyond: f64| {
        let ball = Convex { core: Core::Point, radius: mesh.mesh.nodes[node].radius };
        let stand = Stand { convex: &ball, rotation: DMat3::IDENTITY, origin: mesh.center(node) };
        measure_for(&stand, convex, Need { width: COARSE * ball.radius, beyond }).gap.lower
    };
    let mut waiting = vec![(f64::NEG_INFINITY, 0)];
    while let Some((at_least, node)) = waiting.pop() {
        if least.is_settled(at_least) {
            continue;
        }
        let beyond = least.found.gap.upper;
        match mesh.mesh.nodes[node].content {
            Content::Triangle(index) => {
                let need = Need { width: 0.0, beyond };
                least.take(measure_for(&mesh.triangle(index), convex, need));
            }
            Content::Halves(one, other) => {
                let mut halves = [(bound(one, beyond), one), (bound(other, beyond), other)];
                // The nearer one is taken first.
                halves.sort_by(|a, b| b.0.total_cmp(&a.0));
                waiting.extend(halves);
            }
        }
    }
    least.found
}

/// Distance of the surfaces of two meshes.
pub(super) fn surface_to_surface(a: &MeshStand<'_>, b: &MeshStand<'_>) -> Found {
    let mut least = Least::none();
    let bound = |m: usize, n: usize| {
        let (one, other) = (&a.mesh.nodes[m], &b.mesh.nodes[n]);
        let apart = a.center(m).distance(b.center(n));
        // Rounding of the centres; the gaps of triangles have their own.
        apart * (1.0 - 8.0 * f64::EPSILON)
            - (one.radius + other.radius)
            - rounding(a.lengths() + b.lengths())
    };
    let mut waiting = vec![(bound(0, 0), 0, 0)];
    while let Some((at_least, m, n)) = waiting.pop() {
        if least.is_settled(at_least) {
            continue;
        }
        let (one, other) = (&a.mesh.nodes[m], &b.mesh.nodes[n]);
        let mut halves = match (one.content, other.content) {
            (Content::Triangle(i), Content::Triangle(j)) => {
                let need = Need { width: 0.0, beyond: least.found.gap.upper };
                least.take(measure_for(&a.triangle(i), &b.triangle(j), need));
                continue;
            }
            (Content::Halves(left, right), Content::Triangle(_)) => [(left, n), (right, n)],
            (Content::Halves(left, right), _) if one.radius >= other.radius => {
                [(left, n), (right, n)]
            }
            (_, Content::Halves(left, right)) => [(m, left), (m, right)],
        }
        .map(|(m, n)| (bound(m, n), m, n));
        halves.sort_by(|x, y| y.0.total_cmp(&x.0));
        waiting.extend(halves);
    }
    least.found
}
