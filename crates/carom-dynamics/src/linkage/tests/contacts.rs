//! Lasting contact against closed forms: a table, a sphere, a rod, a wedge.

use std::sync::Arc;

use carom_geometry::{MassProperties, Pose};
use glam::{DMat3, DVec3};

use super::super::{Contacts, Ending, HoldLaw, Linkage, Site, Surfaces, Tag};
use super::{Run, free};
use crate::BodyState;
use crate::tree::{Joint, LinkSpec, Tree};

const LAW: HoldLaw =
    HoldLaw { gap: 1e-7, rate: 30.0, restitution: 0.0, slow: 1e-3, hop: 1e-5, still: 1e-8 };

/// Corners of links above the plane z = 0.
#[derive(Debug)]
struct Corners(Vec<(usize, DVec3)>);

impl Surfaces for Corners {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn links(&self, contact: usize) -> [Option<usize>; 2] {
        [Some(self.0[contact].0), None]
    }

    fn tag(&self, _: usize) -> Tag {
        Tag { bodies: [0, 1], pieces: [0, 0] }
    }

    fn law(&self, _: usize) -> HoldLaw {
        LAW
    }

    fn smooth_until(&self, _: f64) -> f64 {
        f64::INFINITY
    }

    fn follow(&self, contact: usize, _: f64, links: &[BodyState]) -> Option<Site> {
        let (link, corner) = self.0[contact];
        let body = &links[link];
        let arm = body.orientation * corner;
        let spin = body.angular_velocity;
        let point = body.position + arm;
        let velocity = body.velocity + spin.cross(arm);
        Some(Site {
            points: [point, point.with_z(0.0)],
            normal: DVec3::Z,
            gap: point.z,
            rate: velocity.z,
            bias: spin.cross(spin.cross(arm)).z,
            room: f64::INFINITY,
        })
    }
}

/// The centre of a link above a sphere of radius one around the origin.
#[derive(Debug)]
struct Sphere;

impl Surfaces for Sphere {
    fn count(&self) -> usize {
        1
    }

    fn links(&self, _: usize) -> [Option<usize>; 2] {
        [Some(0), None]
    }

    fn tag(&self, _: usize) -> Tag {
        Tag { bodies: [0, 1], pieces: [0, 0] }
    }

    fn law(&self, _: usize) -> HoldLaw {
        LAW
    }

    fn smooth_until(&self, _: f64) -> f64 {
        f64::INFINITY
    }

    fn follow(&self, _: usize, _: f64, links: &[BodyState]) -> Option<Site> {
        let BodyState { position, velocity, .. } = links[0];
        let distance = position.length();
        let normal = position / distance;
        let rate = normal.dot(velocity);
        let sliding = velocity - rate * normal;
        Some(Site {
            points: [position, normal],
            normal,
            gap: distance - 1.0,
            rate,
            bias: sliding.length_squared() / distance,
            room: f64::INFINITY,
        })
    }
}

fn boxes(list: &[(f64, DVec3)]) -> Tree {
    let mut builder = Tree::builder();
    for (mass, size) in list {
        let square = *size * *size;
        let moments = DVec3::new(square.y + square.z, square.z + square.x, square.x + square.y);
        builder.add(LinkSpec {
            parent: None,
            parent_from_joint: Pose::IDENTITY,
            joint: Joint::Free,
            body: MassProperties {
                mass: *mass,
                center: DVec3::ZERO,
                inertia: DMat3::from_diagonal(mass / 12.0 * moments),
            },
        });
    }
    builder.build().unwrap()
}

fn start(linkage: &Arc<Linkage>, places: &[DVec3], surfaces: Arc<dyn Surfaces>) -> Run {
    let mut q = linkage.tree().neutral();
    for (link, place) in places.iter().enumerate() {
        place.write_to_slice(&mut q[linkage.tree().q_range(link)][..3]);
    }
    let v = vec![0.0; linkage.tree().n_v()];
    let mut run = Run::new(linkage, &q, &v);
    let active = vec![false; surfaces.count()];
    run.mode.set_contacts(Contacts::new(surfaces, active));
    run
}

impl Run {
    fn settle_contacts(&mut self) -> f64 {
        let linkage = Arc::clone(&self.linkage);
        let Self { time, q, v, drive, mode, workspace, .. } = self;
        linkage.settle_contacts(*time, q, v, drive, mode, workspace).unwrap().loss
    }
}

#[test]
fn a_box_on_four_corners_stands_and_each_carries_a_quarter() {
    let linkage = free(boxes(&[(2.0, DVec3::new(0.4, 0.3, 0.2))]), 1e-10);
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let corners = corners.map(|(x, y)| (0, DVec3::new(0.2 * x, 0.15 * y, -0.1)));
    let mut run = start(&linkage, &[DVec3::Z * 0.1], Arc::new(Corners(corners.to_vec())));
    run.drive.gravity = DVec3::new(0.0, 0.0, -9.81);
    let mut forces = Vec::new();
    while run.time < 10.0 {
        run.settle_contacts();
        assert_eq!(run.mode.contacts().active(), [true; 4]);
        let course = run.look_ahead(10.0);
        assert_eq!(course.ending(), None);
        let found = course.contacts_at(course.span().end, &mut run.workspace).unwrap();
        forces = found.iter().map(|it| it.force).collect();
        run.go_to(&course, course.span().end);
    }
    println!(
        "{} segments, {} calls; height − h {:.1e}, forces {forces:?}",
        run.segments,
        run.calls,
        run.q[2] - 0.1 - 1e-7
    );
    assert!((run.q[2] - 0.1 - 1e-7).abs() < 1e-12);
    assert!(forces.iter().all(|force| (force - 2.0 * 9.81 / 4.0).abs() < 1e-9));
}

#[test]
fn what_slides_off_a_sphere_leaves_it_at_two_thirds_of_its_height() {
    let linkage = free(boxes(&[(1.0, DVec3::splat(1e-3))]), 1e-10);
    let tilt = 0.1_f64.to_radians();
    let top = DVec3::new(libm::sin(tilt), 0.0, libm::cos(tilt));
    let mut run = start(&linkage, &[top], Arc::new(Sphere));
    run.drive.gravity = DVec3::new(0.0, 0.0, -9.81);
    run.settle_contacts();
    let ended = loop {
        let course = run.look_ahead(10.0);
        run.go_to(&course, course.span().end);
        if course.ending() == Some(Ending::Contacts) {
            break run.time;
        }
        assert!(run.time < 5.0);
    };
    let place = DVec3::from_slice(&run.q[..3]);
    let (angle, exact) = ((place / place.length()).z, 2.0 / 3.0 * libm::cos(tilt));
    println!(
        "left at {ended} s, cos {angle} instead of {exact}: {:.1e}; {} segments, {} calls",
        angle - exact,
        run.segments,
        run.calls
    );
    assert!((angle - exact).abs() < 1e-6);
    run.settle_contacts();
    assert!(run.mode.contacts().is_idle());
}

#[test]
fn a_rod_on_a_smooth_floor_falls_flat_as_quadrature_says() {
    let linkage = free(boxes(&[(1.0, DVec3::new(1e-5, 1e-5, 1.0))]), 1e-10);
    let tilt = 5.0_f64.to_radians();
    let mut run = start(
        &linkage,
        &[DVec3::Z * 0.5 * libm::cos(tilt)],
        Arc::new(Corners(vec![(0, -0.5 * DVec3::Z)])),
    );
    run.drive.gravity = DVec3::new(0.0, 0.0, -9.81);
    let half = 0.5 * tilt;
    run.q[3..7].copy_from_slice(&[0.0, libm::sin(half), 0.0, libm::cos(half)]);
    run.settle_contacts();
    let flat = loop {
        let course = run.look_ahead(1.0);
        assert_eq!(course.ending(), None);
        let height = |time: f64| course.link(0).state_at(time).position.z;
        if height(course.span().end) < 0.0 {
            let [mut from, mut to] = [course.span().start, course.span().end];
            for _ in 0..60 {
                let middle = 0.5 * (from + to);
                if height(middle) > 0.0 { from = middle } else { to = middle }
            }
            let spin = course.link(0).state_at(from).angular_velocity.length();
            println!("flat after {from} s with {spin} rad/s; {} segments", run.segments);
            break [from, spin];
        }
        run.go_to(&course, course.span().end);
    };
    assert!((flat[0] - 0.6032211).abs() < 1e-6 && (flat[1] - 5.4146108).abs() < 1e-5);
}
