//! Samples of robots and random linkages that Pinocchio and MuJoCo agree upon.

use std::path::Path;
use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};
use oracles::articulated::{Model, NAMES, Sample, Trajectory, model, trajectories};
use oracles::measured::elbow_tosses;

use carom_dynamics::Impulse;
use carom_dynamics::linkage::{Ahead, Drive, JointForce, Linkage, Mode, Workspace};
use carom_dynamics::tree::{
    Joint, LinkImpulse, LinkPoint, LinkSpec, Load, ResponseScratch, Scratch, Tree,
};
use carom_geometry::{MassProperties, Pose};

use super::super::super::data::{ARTICULATED, ELBOW_TOSS, on_data};
use super::super::super::{Context, Row};
use super::{off, worse};
use crate::reality::elbow_toss;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let row = |name: &str| {
        let what = format!(
            "samples of {name}: accelerations, bias, energies, K and jumps, largest relative error"
        );
        let row = Row::case(format!("data/articulated/{name}"), what, ARTICULATED.source);
        on_data(context.data.as_ref(), &ARTICULATED, row, |folder: &Path, row| {
            let worst = compared(context, &model(folder, name)?).unwrap_or(f64::NAN);
            // Twelve digits are given.
            Ok(row.absolute(1e-9, 0.0, worst))
        })
    };
    let mut rows: Vec<Row> = NAMES.into_iter().map(row).collect();
    rows.push(moved(context));
    rows.extend(tosses(context));
    rows
}

/// Motions to t = 1 s, integrated ahead.
fn moved(context: &Context) -> Row {
    let what = "unforced motions of three linkages until 1 s: coordinates and velocities, largest relative error";
    let row = Row::case("data/articulated/trajectories", what, ARTICULATED.source);
    on_data(context.data.as_ref(), &ARTICULATED, row, |folder: &Path, row| {
        let mut worst = 0.0;
        for trajectory in trajectories(folder)? {
            let model = model(folder, &trajectory.model)?;
            worst = worse(worst, of_trajectory(context, &model, &trajectory).unwrap_or(f64::NAN));
        }
        // As the data set says.
        Ok(row.absolute(1e-6, 0.0, worst))
    })
}

fn of_trajectory(context: &Context, model: &Model, trajectory: &Trajectory) -> Option<f64> {
    let tree = tree(model)?;
    let forces = vec![JointForce::default(); tree.n_v()];
    let linkage = Arc::new(Linkage::new(tree, forces, 1e-10).ok()?);
    let gravity = context.subject.gravity(DVec3::from(model.gravity));
    let drive = Drive { gravity, ..Drive::default() };
    let (mut ahead, mut workspace) = (Ahead::new(), Workspace::new(&linkage));
    let (mut q, mut v) = (trajectory.q0.clone(), context.subject.rates(&trajectory.v0));
    let (mut time, mut worst) = (0.0, 0.0);
    let mut states = trajectory.states.iter().filter(|state| state.t <= 1.0).peekable();
    while states.peek().is_some() {
        let (mode, end) = (Mode::default(), f64::INFINITY);
        let course =
            linkage.extend(time, &q, &v, &mode, &drive, end, &mut ahead, &mut workspace).ok()?;
        time = course.span().end;
        while let Some(state) = states.next_if(|state| context.subject.time(state.t) <= time) {
            course.joint_state(context.subject.time(state.t), &mut q, &mut v);
            // None of the three has quaternions, whose sign could be the other one.
            worst = worse(worst, worse(off(&state.q, &q), off(&state.v, &v)));
        }
        course.joint_state(time, &mut q, &mut v);
    }
    Some(worst)
}

/// Tosses of two boxes on a hinge, every second one, as the figures that they are held against: the worst share of what is allowed.
fn tosses(context: &Context) -> Vec<Row> {
    [("contact", 0..3), ("after", 3..6)]
        .into_iter()
        .map(|(key, part)| {
            let when = if key == "contact" { "at the first contact" } else { "5 frames later" };
            let what = format!(
                "tosses of two hinged boxes, {when}: medians of centre, turn and hinge, the largest share of what is allowed"
            );
            let row = Row::case(format!("data/elbow-toss/{key}"), what, ELBOW_TOSS.source);
            on_data(context.data.as_ref(), &ELBOW_TOSS, row, |folder, row| {
                let tosses: Vec<_> = elbow_tosses(folder)?.into_iter().step_by(2).collect();
                let Ok(medians) = elbow_toss::medians(&tosses) else {
                    return Ok(row.failed(&"a toss could not be simulated"));
                };
                let shares = medians[part].iter().map(|[found, most]| found / most);
                let worst = context.subject.measure(shares.fold(0.0, worse), [0.0, 1.0]);
                Ok(row.between(0.0, [0.0, 1.0], worst))
            })
        })
        .collect()
}

fn matrix(rows: &[f64; 9]) -> DMat3 {
    DMat3::from_cols_slice(rows).transpose()
}

fn tree(model: &Model) -> Option<Tree> {
    let mut builder = Tree::builder();
    for body in &model.bodies {
        let axis = DVec3::from(body.axis.unwrap_or_default());
        builder.add(LinkSpec {
            parent: usize::try_from(body.parent).ok(),
            parent_from_joint: Pose::new(
                DVec3::from(body.place),
                DQuat::from_mat3(&matrix(&body.rotation)).normalize(),
            ),
            joint: match body.joint.as_str() {
                "revolute" => Joint::Revolute { axis },
                "prismatic" => Joint::Prismatic { axis },
                "spherical" => Joint::Spherical,
                "floating" => Joint::Free,
                _ => return None,
            },
            body: MassProperties {
                mass: body.mass,
                center: DVec3::from(body.com),
                inertia: matrix(&body.inertia_com),
            },
        });
    }
    builder.build().ok()
}

fn compared(context: &Context, model: &Model) -> Option<f64> {
    let tree = tree(model)?;
    let mut worst = 0.0;
    for sample in &model.samples {
        worst = worse(worst, of_sample(context, &tree, model, sample)?);
    }
    Some(worst)
}

fn of_sample(context: &Context, tree: &Tree, model: &Model, sample: &Sample) -> Option<f64> {
    let n = tree.n_v();
    let gravity = context.subject.gravity(DVec3::from(model.gravity));
    let mut scratch = Scratch::new(tree);
    tree.place(&sample.q, &context.subject.rates(&sample.v), &mut scratch);
    let (mut v_dot, mut bias) = (vec![0.0; n], vec![0.0; n]);
    let load = Load { gravity, tau: &sample.tau, ..Load::default() };
    tree.forward(&load, &mut scratch, &mut v_dot).ok()?;
    tree.inverse(&load, &vec![0.0; n], &mut scratch, &mut bias);
    let contact = &sample.contact;
    let point = scratch.pose(contact.link).point(DVec3::from(contact.local_point));
    let arm = point - scratch.pose(contact.link).translation;
    let velocity = scratch.velocity(contact.link).at(arm).linear;
    let energies = [scratch.kinetic_energy(), scratch.potential_energy(gravity)];
    let mut k = [DMat3::ZERO];
    let at = [LinkPoint { link: contact.link, point }];
    tree.point_responses(&at, &mut scratch, &mut ResponseScratch::default(), &mut k).ok()?;
    let linear = DVec3::from(contact.impulse_world);
    let impulse = Impulse { point, linear, angular: DVec3::ZERO };
    let mut jumps = vec![0.0; n];
    let struck = [LinkImpulse { link: contact.link, impulse }];
    tree.impulse_response(&struck, &[], &mut scratch, &mut jumps).ok()?;
    let errors = [
        off(&sample.qdd, &v_dot),
        off(&sample.bias, &bias),
        off(&[sample.kinetic], &energies[..1]),
        off(&[sample.potential], &energies[1..]),
        off(&contact.world_point, &point.to_array()),
        off(&contact.point_velocity, &velocity.to_array()),
        off(&contact.response, &k[0].to_cols_array()),
        off(&contact.dv_joint, &jumps),
    ];
    Some(errors.into_iter().fold(0.0, worse))
}
