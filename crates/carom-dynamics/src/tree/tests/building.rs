//! What is no linkage is refused with its link, its fault and what to do.

use carom_geometry::{MassProperties, Pose};
use glam::{DMat3, DQuat, DVec3};

use super::{diagonal, rod, tree_of};
use crate::tree::{Joint, LinkSpec, Load, Scratch, Tree, TreeError};

const HINGE: Joint = Joint::Revolute { axis: DVec3::Y };

fn refused(links: &[LinkSpec]) -> TreeError {
    let mut builder = Tree::builder();
    for link in links {
        builder.add(*link);
    }
    let error = builder.build().unwrap_err();
    println!("{error}");
    assert!(error.to_string().contains("link "), "{error}");
    error
}

fn good() -> LinkSpec {
    rod(None, DVec3::ZERO, HINGE)
}

fn child(body: MassProperties, joint: Joint) -> [LinkSpec; 2] {
    [good(), LinkSpec { body, ..rod(Some(0), -DVec3::Z, joint) }]
}

#[test]
fn bad_numbers_are_refused_with_the_link_they_are_in() {
    let nan = Pose::from_translation(DVec3::new(0.0, f64::NAN, 0.0));
    let fault = refused(&[good(), LinkSpec { parent_from_joint: nan, ..good() }]);
    assert!(matches!(fault, TreeError::NotFinite { link: 1, .. }));
    let stretched = Pose::new(DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, 1.1));
    let fault = refused(&[LinkSpec { parent_from_joint: stretched, ..good() }]);
    assert!(matches!(fault, TreeError::NotUnit { link: 0, .. }));
    let long = Joint::Prismatic { axis: DVec3::new(1.0, 1.0, 0.0) };
    assert!(matches!(refused(&[LinkSpec { joint: long, ..good() }]), TreeError::NotUnit { .. }));
    let none = Joint::Revolute { axis: DVec3::ZERO };
    assert!(matches!(refused(&[LinkSpec { joint: none, ..good() }]), TreeError::NotUnit { .. }));
    let screw = Joint::Screw { axis: DVec3::X, pitch: f64::INFINITY };
    assert!(matches!(refused(&[LinkSpec { joint: screw, ..good() }]), TreeError::NotFinite { .. }));
    let twice = Joint::Universal { first: DVec3::X, second: -DVec3::X };
    assert!(matches!(
        refused(&[LinkSpec { joint: twice, ..good() }]),
        TreeError::ParallelAxes { link: 0 }
    ));
}

/// proves: m2/R-04
#[test]
fn parents_come_before_children() {
    let fault = refused(&[good(), rod(Some(1), DVec3::ZERO, HINGE)]);
    assert!(matches!(fault, TreeError::UnknownParent { link: 1, parent: 1 }));
    // Figure 4.9 of the thesis has twelve links; any numbering with parents first will do.
    let parents = [0, 0, 1, 1, 3, 3, 0, 7, 7, 9, 9];
    let mut links = vec![good()];
    links.extend(
        parents.iter().enumerate().map(|(i, parent)| rod(Some((*parent).min(i)), -DVec3::Z, HINGE)),
    );
    let tree = tree_of(&links);
    assert!((0..12).all(|link| tree.parent(link).is_none_or(|parent| parent < link)));
    assert!((0..12).all(|link| tree.link_of_freedom(link) == link));
}

#[test]
fn masses_and_inertias_of_no_body_are_refused() {
    let body = |mass, moments| diagonal(mass, DVec3::X, moments);
    for (mass, moments) in [
        (-1.0, [1.0; 3]),
        (f64::NAN, [1.0; 3]),
        (1.0, [1.0, 1.0, 2.1]),
        (1.0, [-1.0, 1.0, 1.0]),
        (1.0, [f64::NAN, 1.0, 1.0]),
        (1.0, [0.0, 0.0, 1.0]),
    ] {
        let fault = refused(&child(body(mass, moments), HINGE));
        assert!(matches!(fault, TreeError::Inertia { link: 1, .. }), "{fault}");
    }
    let fault = refused(&child(body(0.0, [1.0; 3]), HINGE));
    assert!(matches!(fault, TreeError::InertiaWithoutMass { link: 1 }));
    // A rod without thickness and a flat plate exist.
    tree_of(&child(body(1.0, [0.0, 1.0, 1.0]), HINGE));
    tree_of(&child(body(1.0, [1.0, 1.0, 2.0]), HINGE));
}

/// proves: m2/R-11
#[test]
fn singular_linkages_are_refused() {
    let nothing = MassProperties { mass: 0.0, center: DVec3::ZERO, inertia: DMat3::ZERO };
    let point = |center| MassProperties { mass: 1.0, center, inertia: DMat3::ZERO };
    let singular = |links: &[LinkSpec], at: usize| {
        let fault = refused(links);
        let TreeError::Singular(joint) = fault else { panic!("{fault}") };
        assert_eq!(joint.link, at);
    };
    // A massless leaf; a massless chain; a point mass on its axis; one on a ball joint's rod; a free point.
    singular(&child(nothing, HINGE), 1);
    singular(
        &[
            good(),
            child(nothing, HINGE)[1],
            LinkSpec { body: nothing, ..rod(Some(1), -DVec3::Z, HINGE) },
        ],
        2,
    );
    singular(&child(point(DVec3::Y), HINGE), 1);
    singular(&child(point(DVec3::Y), Joint::Spherical), 1);
    singular(&child(point(DVec3::X), Joint::Free), 1);
    // Two hinges on one axis with nothing between them: rounding is not mass.
    let slanted = Joint::Revolute { axis: DVec3::new(0.36, 0.48, 0.8) };
    let between = LinkSpec { body: nothing, ..rod(Some(0), -DVec3::Z, slanted) };
    singular(&[good(), between, rod(Some(1), DVec3::ZERO, slanted)], 1);
    // A massless link between others is fine, as is a massless fixed one.
    let between = LinkSpec { body: nothing, ..rod(Some(0), -DVec3::Z, HINGE) };
    tree_of(&[good(), between, rod(Some(1), -DVec3::Z, HINGE)]);
    tree_of(&child(nothing, Joint::Fixed));
}

/// proves: m2/R-11
#[test]
fn a_configuration_that_makes_a_linkage_singular_is_an_error_not_an_infinity() {
    // A massless arm and a point mass that can be folded back onto the arm's axis.
    let nothing = MassProperties { mass: 0.0, center: DVec3::ZERO, inertia: DMat3::ZERO };
    let point = diagonal(1.0, -DVec3::Z, [0.0; 3]);
    let arm = LinkSpec { body: nothing, ..good() };
    let tree = tree_of(&[arm, LinkSpec { body: point, ..rod(Some(0), -DVec3::Z, HINGE) }]);
    let mut scratch = Scratch::new(&tree);
    let mut v_dot = [0.0; 2];
    let load = Load::default();
    tree.place(&[0.4, std::f64::consts::PI], &[0.0; 2], &mut scratch);
    assert_eq!(tree.forward(&load, &mut scratch, &mut v_dot).unwrap_err().link, 0);
    tree.place(&[0.4, f64::NAN], &[0.0; 2], &mut scratch);
    assert!(tree.forward(&load, &mut scratch, &mut v_dot).is_err());
    // With something added to the diagonal it moves.
    let load = Load { added_diagonal: &[0.1, 0.1], ..load };
    tree.place(&[0.4, std::f64::consts::PI], &[0.0; 2], &mut scratch);
    tree.forward(&load, &mut scratch, &mut v_dot).unwrap();
}

#[test]
fn states_are_checked() {
    let tree = tree_of(&[rod(None, DVec3::ZERO, Joint::Spherical)]);
    assert!(tree.check_state(&tree.neutral(), &[0.0; 3]).is_ok());
    assert!(matches!(tree.check_state(&[0.0; 3], &[0.0; 3]), Err(TreeError::Length { .. })));
    assert!(matches!(tree.check_state(&[0.0; 4], &[0.0; 3]), Err(TreeError::NotUnit { .. })));
    let bad = [0.0, f64::NAN, 0.0];
    assert!(matches!(tree.check_state(&tree.neutral(), &bad), Err(TreeError::NotFinite { .. })));
}
