//! What is refused, and what costs nothing.

use super::*;
use crate::linkage::LinkageError;
use crate::linkage::tests::Run;

fn refused(element: Element) -> ElementFault {
    let tree = tree_of(&[ball(1.0), ball(1.0)]);
    let linkage = Linkage::new(tree, vec![JointForce::default(); 12], 1e-9).unwrap();
    match linkage.with_elements(vec![element]) {
        Err(error) => {
            println!("{error}\n");
            assert!(error.to_string().starts_with("element 0: "));
            let LinkageError::Element { fault, .. } = error else { panic!("{error}") };
            fault
        }
        Ok(_) => panic!("not refused"),
    }
}

#[test]
fn elements_that_are_none_are_refused() {
    let law = ElementLaw::Spring(Spring { stiffness: 1.0, ..Spring::default() });
    let of = |law: ElementLaw| refused(Element::between(center(0), center(1), law));
    let no_link = refused(Element::between(center(0), center(2), law.clone()));
    assert_eq!(no_link, ElementFault::NoSuchLink { link: 2, links: 2 });
    assert_eq!(
        refused(Element::between(center(0), center(0), law.clone())),
        ElementFault::SameLink
    );
    assert_eq!(refused(Element::between(origin(), origin(), law.clone())), ElementFault::SameLink);
    let nowhere = End::of_link(0, DVec3::new(f64::NAN, 0.0, 0.0));
    assert!(matches!(refused(Element::on(nowhere, law.clone())), ElementFault::NotFinite { .. }));
    let bent = center(0).turned(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.5));
    assert!(matches!(refused(Element::on(bent, law)), ElementFault::NotUnit { length: 0.5 }));
    for value in [-1.0, f64::NAN, f64::INFINITY] {
        of(ElementLaw::Spring(Spring { stiffness: value, ..Spring::default() }));
        of(ElementLaw::Spring(Spring { damping: value, ..Spring::default() }));
        of(ElementLaw::Bushing(Bushing::torsion(value, 0.0)));
        refused(Element::on(center(0), ElementLaw::Drag(Drag::of_area(value, 1.0, 1.0))));
    }
    let drag = ElementLaw::Drag(Drag::default());
    assert_eq!(of(drag), ElementFault::DragBetweenLinks);
    let gas = GasSpring {
        force: 1.0,
        extended: 1.0,
        stroke: 0.5,
        column: 0.5,
        exponent: 1.0,
        damping: 0.0,
    };
    assert!(matches!(of(ElementLaw::GasSpring(gas)), ElementFault::OutOfRange { .. }));
    let push = Thrust { force: DVec3::INFINITY, ..Thrust::default() };
    assert_eq!(of(ElementLaw::Thrust(push)), ElementFault::NotFinite { what: "force" });
    let strength = f64::INFINITY;
    of(ElementLaw::Attraction(Attraction { strength }));
}

#[test]
fn points_that_attract_each_other_from_nowhere_apart_are_refused() {
    let law = ElementLaw::Attraction(Attraction { strength: 1.0 });
    let element = Element::between(center(0), center(1), law);
    let linkage = joined(tree_of(&[ball(1.0), ball(1.0)]), vec![element], 1e-9);
    let mut run = adrift(&linkage, &at_places(&[DVec3::ONE; 2]), &[0.0; 12]);
    let Run { ahead, workspace, q, v, .. } = &mut run;
    let error = linkage
        .extend(
            0.0,
            q,
            v,
            &crate::linkage::Mode::default(),
            &Drive::default(),
            1.0,
            ahead,
            workspace,
        )
        .unwrap_err();
    println!("{error}");
}

#[test]
fn equal_elements_make_equal_linkages() {
    let own = User(Arc::new(OwnSpring { stiffness: 1.0, knows_its_energy: true }));
    let with = |user: &User| {
        let element = Element::on(center(0), ElementLaw::User(user.clone()));
        joined(tree_of(&[ball(1.0)]), vec![element], 1e-9)
    };
    let other = User(Arc::new(OwnSpring { stiffness: 1.0, knows_its_energy: true }));
    assert_eq!(with(&own), with(&own));
    assert_ne!(with(&own), with(&other));
}

#[test]
fn a_linkage_without_elements_is_the_linkage_itself() {
    let tree = tree_of(&[ball(1.0), LinkSpec { parent: Some(0), ..ball(0.5) }]);
    let plain = Linkage::new(tree.clone(), vec![JointForce::default(); 12], 1e-9).unwrap();
    let with = joined(tree.clone(), Vec::new(), 1e-9);
    assert_eq!(plain, *with);
    let v: Vec<f64> = (0..12).map(|k| 0.3 * f64::from(k) - 1.0).collect();
    let [mut plain, mut with] =
        [Arc::new(plain), with].map(|linkage| Run::new(&linkage, &tree.neutral(), &v));
    plain.advance(1.0);
    with.advance(1.0);
    assert_eq!((&plain.q, &plain.v, plain.calls), (&with.q, &with.v, with.calls));
}
