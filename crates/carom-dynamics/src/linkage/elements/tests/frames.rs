//! Where a set-up is, how it is turned and how large it is do not matter.

use std::cell::Cell;

use super::*;
use crate::tree::tests::{GRAVITY, any_case, for_all, largest_difference};

/// The same tree somewhere else.
fn moved_tree(tree: &Tree, by: &Pose) -> Tree {
    let mut links = Vec::new();
    for link in 0..tree.n_links() {
        let (parent, own) = (tree.parent(link), tree.parent_from_joint(link));
        let parent_from_joint = if parent.is_none() { by.then_from(own) } else { *own };
        let (joint, body) = (*tree.joint(link), *tree.mass_properties(link));
        links.push(LinkSpec { parent, parent_from_joint, joint, body });
    }
    tree_of(&links)
}

fn moved_element(element: &Element, by: &Pose) -> Element {
    let end = |end: &End| match end.link {
        Some(_) => *end,
        None => End { link: None, frame: by.then_from(&end.frame) },
    };
    let law = match &element.law {
        ElementLaw::Drag(drag) => ElementLaw::Drag(Drag { wind: by.vector(drag.wind), ..*drag }),
        other => other.clone(),
    };
    Element { on: end(&element.on), from: end(&element.from), law }
}

#[test]
fn a_turned_and_shifted_set_up_does_the_same() {
    let worst = Cell::new(0.0_f64);
    let drafts = proptest::collection::vec(any_draft(KINDS), 2..8);
    let strategy = (any_case(false), drafts, (vector(3.0), rotation()));
    for_all(20, &strategy, |(case, drafts, (shift, turn))| {
        let by = Pose::new(shift, turn);
        let elements = drafted(&case.tree, &drafts, false);
        let turned = elements.iter().map(|element| moved_element(element, &by)).collect();
        let here = joined(case.tree.clone(), elements, 1e-11);
        let there = joined(moved_tree(&case.tree, &by), turned, 1e-11);
        let [mut here, mut there] =
            [&here, &there].map(|linkage| Run::new(linkage, &case.q, &case.v));
        there.drive.gravity = by.vector(GRAVITY);
        here.advance(0.3);
        there.advance(0.3);
        let size = here.v.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
        let apart =
            largest_difference(&here.q, &there.q).max(largest_difference(&here.v, &there.v));
        worst.set(worst.get().max(apart / size));
    });
    println!("apart by {:.1e} after 0.3 s", worst.get());
    assert!(worst.get() < 1e-8, "{:e}", worst.get());
}

/// All kinds on two balls, in units of length of `l` m and of time of √l s.
fn everything(l: f64) -> Arc<Linkage> {
    let t = l.sqrt();
    let bodies = [1.0, 2.5].map(|mass| LinkSpec {
        body: diagonal(mass, DVec3::ZERO, [0.25 * l * l; 3]),
        ..ball(mass)
    });
    let on = |at: DVec3| End::of_link(0, l * at);
    let from = End::of_link(1, l * DVec3::new(0.25, 0.0, 0.0));
    let laws = [
        ElementLaw::Spring(Spring {
            stiffness: 40.0 / l,
            rest: 0.5 * l,
            damping: 0.5 * t / l,
            pulls_only: false,
        }),
        ElementLaw::GasSpring(GasSpring {
            force: 5.0,
            extended: 2.0 * l,
            stroke: 0.5 * l,
            column: 0.75 * l,
            exponent: 1.25,
            damping: 0.25 * t / l,
        }),
        ElementLaw::Bushing(Bushing {
            stiffness: DVec3::new(3.0, 4.0, 5.0) / l,
            damping: 0.125 * t / l * DVec3::ONE,
            torsion_stiffness: l * DVec3::new(0.5, 0.25, 0.75),
            torsion_damping: 0.125 * l * t * DVec3::ONE,
        }),
        ElementLaw::Attraction(Attraction { strength: 2.0 * l * l }),
    ];
    let mut elements: Vec<Element> =
        laws.into_iter().map(|law| Element::between(on(0.25 * DVec3::Y), from, law)).collect();
    let drag = Drag {
        linear: 0.25 * t / l,
        quadratic: 0.5 * t * t / (l * l),
        angular: 0.125 * l * t,
        wind: l / t * DVec3::new(0.5, 0.25, 0.0),
    };
    let thrust = Thrust { force: DVec3::X, torque: 0.25 * l * DVec3::Y, axes: Axes::End };
    elements.push(Element::on(on(0.25 * DVec3::Z), ElementLaw::Drag(drag)));
    elements.push(Element::on(on(0.25 * DVec3::X), ElementLaw::Thrust(thrust)));
    joined(tree_of(&bodies), elements, 1e-8)
}

#[test]
fn a_set_up_1024_times_as_large_does_the_same_32_times_as_slowly() {
    let [mut small, mut large] = [1.0, 1024.0].map(|l: f64| {
        let places = [DVec3::ZERO, DVec3::new(1.0, 0.5, 0.25)].map(|at| l * at);
        let velocities = [DVec3::X, DVec3::new(0.0, -0.5, 0.25)].map(|v| l.sqrt() * v);
        Run::new(&everything(l), &at_places(&places), &with_velocities(&velocities))
    });
    for _ in 0..50 {
        small.step(f64::INFINITY);
        large.step(f64::INFINITY);
    }
    let place = |run: &Run, link: usize| DVec3::from_slice(&run.q[7 * link..]);
    let apart = (1024.0 * place(&small, 1) - place(&large, 1)).length();
    println!("after {} and {} s: {apart:.1e} m apart", small.time, large.time);
    assert_eq!((32.0 * small.time).to_bits(), large.time.to_bits());
    assert_eq!(1024.0 * place(&small, 0), place(&large, 0));
    assert_eq!(1024.0 * place(&small, 1), place(&large, 1));
}
