//! What curved solids stand on.

use glam::DVec3;

use super::patch::{Patch, Placed};
use crate::distance::{Convex, Feature};
use crate::tolerances::PROOF_ULPS;

/// Points of a rim, evenly spread, the outermost among them.
const RIM_POINTS: usize = 8;

/// cos and sin of an eighth of a turn.
const DIAGONAL: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Around a circle, by eighths.
const EIGHTHS: [(f64, f64); RIM_POINTS] = [
    (1.0, 0.0),
    (DIAGONAL, DIAGONAL),
    (0.0, 1.0),
    (-DIAGONAL, DIAGONAL),
    (-1.0, 0.0),
    (-DIAGONAL, -DIAGONAL),
    (0.0, -1.0),
    (DIAGONAL, -DIAGONAL),
];

/// A flat round end of a solid along z, in the solid's frame.
struct Disc {
    /// Height of its centre.
    z: f64,
    radius: f64,
    /// The side it looks to: 1 or −1.
    side: f64,
    rim: Feature,
    face: Feature,
}

impl Disc {
    /// Points of the rim; the first lies farthest along `outward`.
    fn rim_points(&self, outward: DVec3) -> [DVec3; RIM_POINTS] {
        let along = outward.with_z(0.0).try_normalize().unwrap_or(DVec3::X);
        let across = DVec3::Z.cross(along);
        EIGHTHS.map(|(cos, sin)| self.radius * (cos * along + sin * across) + self.z * DVec3::Z)
    }
}

impl Patch {
    /// The patch of a solid with curved faces.
    pub(super) fn fill_curved(&mut self, solid: &Convex, placed: &Placed) {
        self.outward = placed.outward;
        let outward = placed.outward_local();
        match solid {
            Convex::HalfSpace(it) => {
                let point = placed.frame.point(it.normal() * it.offset());
                self.fill_endless(point, placed.frame.vector(it.normal()));
            }
            Convex::Cylinder(it) => {
                let (z, radius) = (it.half_length(), it.radius());
                let [rims, faces] = [[0, 1].map(Feature::Edge), [1, 2].map(Feature::Face)];
                let top = Disc { z, radius, side: 1.0, rim: rims[0], face: faces[0] };
                let bottom = Disc { z: -z, radius, side: -1.0, rim: rims[1], face: faces[1] };
                let (facing, other) = if outward.z >= 0.0 { (top, bottom) } else { (bottom, top) };
                let far = (other.rim_points(outward)[0], other.rim);
                self.fill_round(&facing, far, placed, outward);
            }
            Convex::Cone(it) => {
                let (rim, face) = (Feature::Edge(0), Feature::Face(1));
                let base =
                    Disc { z: -it.half_length(), radius: it.radius(), side: -1.0, rim, face };
                let apex = (it.half_length() * DVec3::Z, Feature::Vertex(0));
                self.fill_round(&base, apex, placed, outward);
            }
            Convex::Capsule(it) => {
                let end = |z: f64| z * DVec3::Z + it.radius() * outward;
                let ends = [end(it.half_length()), end(-it.half_length())];
                self.fill_line(ends, [Feature::Face(1), Feature::Face(2)], placed, outward);
            }
            other => {
                let point = placed.frame.point(other.support(outward));
                self.push_vertex(point, Feature::Face(0));
            }
        }
    }

    /// A disc, and the line from its outermost point to a point at the other end of the solid.
    fn fill_round(
        &mut self,
        disc: &Disc,
        (far, far_feature): (DVec3, Feature),
        placed: &Placed,
        outward: DVec3,
    ) {
        let rim = disc.rim_points(outward);
        let peak = outward.dot(rim[0]).max(outward.dot(far));
        let depth = placed.reach + PROOF_ULPS * f64::EPSILON * rim[0].length().max(far.length());
        let is_near = |point: &DVec3| peak - outward.dot(*point) <= depth;
        if outward.z * disc.side > 0.0 {
            self.fill_polygon(disc, &rim, &is_near, placed);
        } else if is_near(&rim[0]) {
            self.push_vertex(placed.frame.point(rim[0]), disc.rim);
        }
        if is_near(&far) {
            let end = placed.frame.point(far);
            self.push_vertex(end, far_feature);
            if is_near(&rim[0]) {
                self.push_edge(placed.frame.point(rim[0]), end, Feature::Face(0));
            }
        }
    }

    /// The corners of a polygon inscribed in a disc that are near enough, and what they span.
    fn fill_polygon(
        &mut self,
        disc: &Disc,
        rim: &[DVec3; RIM_POINTS],
        is_near: &impl Fn(&DVec3) -> bool,
        placed: &Placed,
    ) {
        let first = self.vertices.len();
        for point in rim.iter().filter(|point| is_near(point)) {
            self.push_vertex(placed.frame.point(*point), disc.rim);
        }
        let count = self.vertices.len() - first;
        if count < 2 {
            return;
        }
        let middle = self.vertices[first..].iter().map(|it| it.point).sum::<DVec3>() / count as f64;
        let sides = if count == 2 { 1 } else { count };
        for i in 0..sides {
            let start = self.vertices[first + i].point;
            let end = self.vertices[first + (i + 1) % count].point;
            self.push_edge(start, end, disc.rim);
            if count > 2 {
                self.push_wall(start, end - start, middle - start);
            }
        }
        if count > 2 {
            let normal = placed.frame.vector(disc.side * DVec3::Z);
            self.push_face(middle, normal, disc.face);
        }
    }

    /// The ends of a line that are near enough, and the line if both are.
    fn fill_line(
        &mut self,
        ends: [DVec3; 2],
        features: [Feature; 2],
        placed: &Placed,
        outward: DVec3,
    ) {
        let peak = outward.dot(ends[0]).max(outward.dot(ends[1]));
        let depth =
            placed.reach + PROOF_ULPS * f64::EPSILON * ends[0].length().max(ends[1].length());
        let near = ends.map(|end| peak - outward.dot(end) <= depth);
        let [start, end] = ends.map(|point| placed.frame.point(point));
        for i in 0..2 {
            if near[i] {
                self.push_vertex([start, end][i], features[i]);
            }
        }
        if near[0] && near[1] {
            self.push_edge(start, end, Feature::Face(0));
        }
    }
}
