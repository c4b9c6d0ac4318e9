//! Trees as they are put together, and what they cost.

use std::time::Instant;

use glam::{DMat3, DVec3};
use oracles::impact::samples::Random;

use carom_dynamics::tree::{
    Joint, LinkPoint, LinkSpec, Load, ResponseScratch, Scratch, Tree, TreeError,
};
use carom_geometry::{MassProperties, Pose};

use super::super::super::{Context, Row};
use super::GUIDE;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    vec![numbering(context), singular(context), forward_cost(context), response_cost(context)]
}

fn row(key: &str, what: &str) -> Row {
    Row::case(format!("m2/{key}"), what, &format!("{GUIDE}, checklist"))
}

/// A rod of 1 kg and 0.1 m on a hinge.
fn rod(parent: Option<usize>) -> LinkSpec {
    let moments = DVec3::new(1e-3, 1e-3, 1e-4);
    LinkSpec {
        parent,
        parent_from_joint: Pose::from_translation(if parent.is_some() {
            -0.1 * DVec3::Z
        } else {
            DVec3::ZERO
        }),
        joint: Joint::Revolute { axis: DVec3::Y },
        body: MassProperties {
            mass: 1.0,
            center: -0.05 * DVec3::Z,
            inertia: DMat3::from_diagonal(moments),
        },
    }
}

/// Twelve links on earlier ones at random, and one on a later one, which is refused.
fn numbering(context: &Context) -> Row {
    let mut random = Random(4);
    let mut builder = Tree::builder();
    for link in 0..12_usize {
        let parent = (random.unit() * link as f64) as usize;
        builder.add(rod(link.checked_sub(1).map(|last| parent.min(last))));
    }
    let mut backwards = builder.clone();
    backwards.add(rod(Some(13)));
    let is_refused = matches!(backwards.build(), Err(TreeError::UnknownParent { link: 12, .. }));
    let sound = builder.build().map_or(0, |tree| {
        (0..tree.n_links()).filter(|link| tree.parent(*link).is_none_or(|it| it < *link)).count()
    });
    let got = vec![context.subject.extent(sound as f64), f64::from(u8::from(is_refused))];
    let what = "links of a tree of twelve whose parents have smaller numbers; a link on a later one is refused";
    row("R-04/numbers", what).absolute(0.0, vec![12.0, 1.0], got)
}

/// A hinge that carries nothing, and one that carries a point mass on its axis.
fn singular(context: &Context) -> Row {
    let refused = |mass: f64| {
        let mut builder = Tree::builder();
        builder.add(rod(None));
        let body = MassProperties { mass, center: DVec3::ZERO, inertia: DMat3::ZERO };
        builder.add(LinkSpec { body, ..rod(Some(0)) });
        matches!(builder.build(), Err(TreeError::Singular(fault)) if fault.link == 1)
    };
    let count = [0.0, 2.0].into_iter().filter(|mass| refused(*mass)).count();
    let what = "leaves without inertia about their hinge, of two, that are refused by name";
    row("R-11/refused", what).absolute(0.0, 2.0, context.subject.extent(count as f64))
}

/// How many links a cost is measured at; eight times as many should take eight times as long.
const SIZES: [usize; 2] = [500, 4000];

/// A cost that grows with the square of the links would take 64 times as long.
const MOST: f64 = 24.0;

/// How many times as long something takes with the larger tree, each the best of several.
fn growth(context: &Context, mut call: impl FnMut(&Tree, &mut Scratch) -> bool) -> f64 {
    let mut best = [f64::INFINITY; 2];
    for (size, best) in SIZES.into_iter().zip(&mut best) {
        let mut builder = Tree::builder();
        for link in 0..size {
            builder.add(rod(link.checked_sub(1)));
        }
        let Ok(tree) = builder.build() else { return f64::NAN };
        let (q, v) = (vec![0.01; size], vec![0.1; size]);
        let mut scratch = Scratch::new(&tree);
        for _ in 0..5 {
            let started = Instant::now();
            for _ in 0..context.subject.repeats(size) {
                tree.place(&q, &v, &mut scratch);
                if !call(&tree, &mut scratch) {
                    return f64::NAN;
                }
            }
            *best = best.min(started.elapsed().as_secs_f64());
        }
    }
    best[1] / best[0]
}

fn forward_cost(context: &Context) -> Row {
    let mut v_dot = vec![0.0; SIZES[1]];
    let grown = growth(context, |tree, scratch| {
        let load = Load { gravity: DVec3::new(0.0, 0.0, -9.81), ..Load::default() };
        tree.forward(&load, scratch, &mut v_dot[..tree.n_v()]).is_ok()
    });
    let what = "forward dynamics of a chain of 4000 links: how many times as long as of 500";
    row("R-06/cost", what).between(0.0, [0.0, MOST], grown)
}

/// The response of a tip to three test impulses, and the propagation of one.
fn response_cost(context: &Context) -> Row {
    let mut jumps = vec![0.0; SIZES[1]];
    let mut memory = ResponseScratch::default();
    let grown = growth(context, |tree, scratch| {
        let link = tree.n_links() - 1;
        let point = scratch.pose(link).translation;
        let mut k = [DMat3::ZERO];
        let at = [LinkPoint { link, point }];
        let impulse = carom_dynamics::Impulse { point, linear: DVec3::X, angular: DVec3::ZERO };
        let struck = [carom_dynamics::tree::LinkImpulse { link, impulse }];
        let n = tree.n_v();
        tree.point_responses(&at, scratch, &mut memory, &mut k).is_ok()
            && tree.impulse_response(&struck, &[], scratch, &mut jumps[..n]).is_ok()
    });
    let what = "K of the tip and the jumps of all rates, 4000 links: how many times as long as 500";
    row("R-18/cost", what).between(0.0, [0.0, MOST], grown)
}
