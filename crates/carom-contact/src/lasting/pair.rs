//! Two convex pieces at one placement, and the face that says what is between them.
//!
//! **The choice of a normal.** Corners and edges of polyhedra that meet have no normal of their own, and the direction between
//! nearest points that almost touch is noise. A face of either body that meets in the nearest features separates the bodies by
//! s(n) = min over A − max over B along its normal, never more than their distance; where s(n) comes within reach of the
//! distance, the *ground* is the face that separates them most, B's unless A's is better by a quarter of the reach, and its normal is
//! that of the contact. Vertex on vertex, vertex on edge and parallel edges so become corners over that face. Without such a face the
//! plane square to the measured normal is used, and rides on one of the bodies.

use carom_geometry::Pose;
use carom_geometry::distance::{Closest, Convex, Feature, Warm, closest};
use glam::DVec3;

use super::element::{Element, cap_of, circle_of, element, for_each_face, has_corners, plane_of};
use super::{Circle, Plane, Solid};

/// Two pieces; placements are taken from the origin of A's frame, along the axes of the world.
pub(super) struct PiecePair<'a> {
    pub(super) pieces: [u32; 2],
    pub(super) convexes: [&'a Convex; 2],
    pub(super) frame_from_convex: [Pose; 2],
    /// Placements of the frames.
    pub(super) placed: [Pose; 2],
    /// By how much gaps may exceed the least one `[m]`.
    pub(super) reach: f64,
    /// Size of the smaller body `[m]`.
    pub(super) size: f64,
}

/// A face that separates two pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    /// Whose face it is.
    pub(super) of: usize,
    /// The face, in the frame of its body.
    pub(super) plane: Plane,
    /// Unit vector from B to A.
    pub(super) normal: DVec3,
    /// By how much it separates them `[m]`.
    pub(super) separation: f64,
}

impl<'a> PiecePair<'a> {
    pub(super) fn new(
        solids: [&Solid<'a>; 2],
        placed: [Pose; 2],
        pieces: [u32; 2],
        reach: f64,
    ) -> Option<Self> {
        let (one, from_one) = solids[0].piece(pieces[0])?;
        let (other, from_other) = solids[1].piece(pieces[1])?;
        Some(Self {
            pieces,
            convexes: [&one.convex, &other.convex],
            frame_from_convex: [from_one, from_other],
            placed,
            reach,
            size: solids[0].size.min(solids[1].size),
        })
    }

    /// Placement of a piece.
    pub(super) fn placement(&self, i: usize) -> Pose {
        self.placed[i].then_from(&self.frame_from_convex[i])
    }

    /// Placement of B's piece in the frame of A's.
    pub(super) fn a_from_b(&self) -> Pose {
        self.placement(0).inverse().then_from(&self.placement(1))
    }

    /// The nearest points, in the frame of A's piece.
    pub(super) fn closest(&self) -> Closest {
        closest(self.convexes[0], self.convexes[1], &self.a_from_b(), &mut Warm::Cold)
    }

    /// What carries a feature, given the normal.
    pub(super) fn element(&self, i: usize, feature: Feature, normal: DVec3) -> Element {
        let towards = self.towards(i, normal);
        element(self.convexes[i], feature, &self.frame_from_convex[i], towards)
    }

    /// The plane of a face of body i that looks towards the other.
    pub(super) fn plane(&self, i: usize, face: Feature, normal: DVec3) -> Option<Plane> {
        plane_of(self.convexes[i], face, &self.frame_from_convex[i], self.towards(i, normal))
    }

    /// The circle of a rim.
    pub(super) fn circle(&self, i: usize, rim: Feature) -> Option<Circle> {
        circle_of(self.convexes[i], rim, &self.frame_from_convex[i])
    }

    /// Direction to the other body, in the frame of body i.
    fn towards(&self, i: usize, normal: DVec3) -> DVec3 {
        self.placed[i].vector_inverse(if i == 0 { -normal } else { normal })
    }

    /// The normal from B to A that goes with a plane of body i.
    pub(super) fn normal_of(&self, i: usize, plane: &Plane) -> DVec3 {
        let up = self.placed[i].vector(plane.normal);
        if i == 0 { -up } else { up }
    }

    /// s(n): the least of n·x over A, minus the largest over B `[m]`.
    fn separation(&self, normal: DVec3) -> f64 {
        let [a, b] = [0, 1].map(|i| self.placement(i));
        let lowest = -self.convexes[0].support_value(a.vector_inverse(-normal));
        let highest = self.convexes[1].support_value(b.vector_inverse(normal));
        lowest - highest + normal.dot(a.translation - b.translation)
    }

    /// Sine of the tilt up to which a rim of this radius lies flat: all of it is within reach.
    pub(super) fn flat_tilt(&self, radius: f64) -> f64 {
        0.5 * self.reach / radius
    }

    /// The cap of body i at its nearest feature, if it lies flat against a face of the other that separates the two.
    pub(super) fn flat_cap(&self, i: usize, found: &Closest, normal: DVec3) -> Option<FlatCap> {
        let j = 1 - i;
        let [cap, rim] = cap_of(self.convexes[i], found.features[i])?;
        let circle = self.circle(i, rim)?;
        let most = self.flat_tilt(circle.radius);
        let axis = self.placed[i].vector(circle.axis);
        let mut best: Option<(f64, Plane)> = None;
        for_each_face(self.convexes[j], found.features[j], |face| {
            let Some(plane) = self.plane(j, face, normal) else { return };
            let up = self.placed[j].vector(plane.normal);
            let tilt = axis.cross(up).length();
            if axis.dot(up) < 0.0 && tilt <= most && best.is_none_or(|(least, _)| tilt < least) {
                best = Some((tilt, plane));
            }
        });
        let (_, below) = best?;
        // A half-space has no other normal.
        let is_endless = matches!(self.convexes[j], Convex::HalfSpace(_));
        let separation = || self.separation(self.normal_of(j, &below));
        if !is_endless && separation() < found.distance - self.reach {
            return None;
        }
        let plane = self.plane(i, cap, normal)?;
        Some(FlatCap { of: i, plane, rim, circle, below })
    }

    /// The face that separates the pieces within reach of their distance, if there is one; see the header.
    pub(super) fn ground(&self, found: &Closest) -> Option<Ground> {
        let normal = self.placement(0).vector(found.normal);
        let mut best: Option<Ground> = None;
        for i in [1, 0] {
            if !has_corners(self.convexes[1 - i]) {
                continue;
            }
            for_each_face(self.convexes[i], found.features[i], |face| {
                let Some(plane) = self.plane(i, face, normal) else { return };
                let normal = self.normal_of(i, &plane);
                let separation = self.separation(normal);
                let margin = |it: &Ground| if it.of == i { 0.0 } else { 0.25 * self.reach };
                if best.is_none_or(|it| separation > it.separation + margin(&it)) {
                    best = Some(Ground { of: i, plane, normal, separation });
                }
            });
        }
        best.filter(|it| it.separation >= found.distance - self.reach)
    }

    /// The nearest points as the ground sees them: the lowest point over it and its foot, in the frame of A's piece.
    pub(super) fn over(&self, ground: &Ground) -> Closest {
        let here = self.placement(0);
        let i = 1 - ground.of;
        let up = if i == 0 { ground.normal } else { -ground.normal };
        let there = self.placement(i);
        let down = there.vector_inverse(-up);
        let (lowest, feature) = lowest_corner(self.convexes[i], down);
        let corner = here.inverse().point(there.point(lowest));
        let foot = corner - ground.separation * here.vector_inverse(up);
        let (points, features) = if i == 0 {
            ([corner, foot], [feature, ground.plane.face])
        } else {
            ([foot, corner], [ground.plane.face, feature])
        };
        Closest {
            distance: ground.separation,
            point_a: points[0],
            point_b: points[1],
            normal: here.vector_inverse(ground.normal),
            features,
        }
    }
}

/// A round cap that lies flat on a face.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlatCap {
    /// Whose cap it is.
    pub(super) of: usize,
    /// Its plane, in the frame of its body.
    pub(super) plane: Plane,
    pub(super) rim: Feature,
    /// Its rim, in the frame of its body.
    pub(super) circle: Circle,
    /// The face below it, in the frame of the other body.
    pub(super) below: Plane,
}

/// The corner of a solid that lies farthest along a direction.
fn lowest_corner(convex: &Convex, down: DVec3) -> (DVec3, Feature) {
    match convex {
        Convex::Polyhedron(it) => {
            let vertex = it.support_vertex(down);
            (it.vertices()[vertex as usize], Feature::Vertex(vertex))
        }
        Convex::Triangle(corners) => {
            let lower = |best: usize, i: usize| {
                if down.dot(corners[i]) > down.dot(corners[best]) { i } else { best }
            };
            let corner = lower(lower(0, 1), 2);
            (corners[corner], Feature::Vertex(corner as u32))
        }
        _ => (convex.support(down), Feature::Face(0)),
    }
}
