//! Feet beside their definition, tangent maps beside differences.

use glam::{DMat3, DVec3};
use proptest::prelude::*;

use super::{Core, Foot, project};
use crate::distance::Convex;
use crate::distance::curved::core::{NOWHERE, Stripped};
use crate::shapes::{Ball, Capsule, Cone, Cylinder, Ellipsoid, Superquadric};
use crate::testing::{box_corners, direction, point, property};
use crate::{ConvexPolyhedron, convex_hull};

fn size() -> impl Strategy<Value = f64> {
    (-3.0..0.0_f64).prop_map(|digits| libm::pow(10.0, digits))
}

fn exponent() -> impl Strategy<Value = f64> {
    prop_oneof![Just(1.0), Just(2.0), 1.0..2.0, 2.0..10.0, 10.0..1000.0_f64]
}

fn polyhedron(points: &[DVec3]) -> Convex {
    let hull: ConvexPolyhedron = convex_hull(points).expect("the points span a volume");
    Convex::Polyhedron(std::sync::Arc::new(hull))
}

/// A solid of any kind with an end.
fn solid() -> impl Strategy<Value = Convex> {
    let sizes = || (size(), size(), size()).prop_map(|(x, y, z)| DVec3::new(x, y, z));
    let valid = "the sizes are positive";
    prop_oneof![
        size().prop_map(move |r| Convex::Ball(Ball::new(r).expect(valid))),
        sizes().prop_map(move |s| Convex::Capsule(Capsule::new(s.x, s.y).expect(valid))),
        sizes().prop_map(move |s| Convex::Cylinder(Cylinder::new(s.x, s.y).expect(valid))),
        sizes().prop_map(move |s| Convex::Cone(Cone::new(s.x, s.y).expect(valid))),
        sizes().prop_map(move |s| Convex::Ellipsoid(Ellipsoid::new(s).expect(valid))),
        (sizes(), exponent(), exponent()).prop_map(move |(s, m, n)| {
            Convex::Superquadric(Superquadric::new(s, m, n).expect(valid))
        }),
        sizes().prop_map(|half| polyhedron(&box_corners(half))),
        proptest::collection::vec(direction(), 12..40).prop_map(|points| polyhedron(&points)),
        proptest::array::uniform3(point(1.0)).prop_map(Convex::Triangle),
    ]
}

/// The foot from a guess as good as none.
fn foot(solid: &Stripped<'_>, z: DVec3) -> Option<Foot> {
    let (start, feature) = solid.core.support(z - solid.middle, NOWHERE);
    project(&solid.core, z, &Foot::guess(start, DVec3::Z, feature))
}

proptest! {
    #![proptest_config(property(4000))]

    /// The foot p of z is the point at which z − p is an outward normal: n·p is the support value of n.
    #[test]
    fn feet_are_support_points_of_their_normals(
        solid in solid(), out in direction(), far in -3.0..1.0_f64, across in direction(),
    ) {
        let solid = Stripped::of(&solid);
        let (support, _) = solid.core.support(out, NOWHERE);
        let reach = solid.size * libm::pow(10.0, far);
        let z = support + reach * (out + 0.3 * across.cross(out));
        let foot = foot(&solid, z).expect("the point lies above a support plane");
        let value = solid.core.support_value(foot.normal, &foot);
        let off = (foot.normal.dot(foot.point) - value).abs();
        let scale = solid.reach + reach;
        prop_assert!(off < 1e-13 * scale, "{} of {:?}", off / scale, solid);
        let offset = z - foot.point;
        let crooked = (offset - foot.normal * foot.normal.dot(offset)).length();
        prop_assert!(crooked < 2e-13 * scale, "{} of {:?}", crooked / scale, solid);
        prop_assert!((foot.normal.length() - 1.0).abs() < 1e-14);
    }

    /// D is symmetric, forgets the normal, and shrinks.
    #[test]
    fn tangent_maps_are_shrinking_and_symmetric(solid in solid(), out in direction()) {
        let solid = Stripped::of(&solid);
        let (support, _) = solid.core.support(out, NOWHERE);
        let foot = foot(&solid, support + solid.size * out).expect("a point above a support plane");
        let transposed = foot.map.transpose();
        let close = |a: DMat3, b: DMat3| (a - b).to_cols_array().iter().all(|x| x.abs() < 1e-12);
        prop_assert!(close(foot.map, transposed), "{:?} of {:?}", foot.map, solid);
        let lost = (foot.map * foot.normal).length();
        prop_assert!(lost < 1e-9, "{} of {:?}", lost, solid);
        for t in [foot.normal.any_orthonormal_vector(), DVec3::X, DVec3::Y, DVec3::Z] {
            let stretch = t.dot(foot.map * t);
            prop_assert!((-1e-9..1.0 + 1e-9).contains(&stretch), "{} of {:?}", stretch, solid);
        }
    }

    /// D·w is how far the foot moves when z moves by w, away from borders between patches.
    #[test]
    fn tangent_maps_are_derivatives(solid in solid(), out in direction(), along in direction()) {
        let solid = Stripped::of(&solid);
        let (support, _) = solid.core.support(out, NOWHERE);
        let z = support + solid.size * out;
        let h = 1e-5 * solid.size;
        let at = |t: f64| foot(&solid, z + t * along).expect("a point above a support plane");
        let (before, here, after) = (at(-h), at(0.0), at(h));
        let bend = (after.point - 2.0 * here.point + before.point).length();
        let same = before.feature == here.feature && here.feature == after.feature;
        prop_assume!(same && bend < 1e-4 * h);
        let moved = (after.point - before.point) / (2.0 * h);
        let off = (moved - here.map * along).length();
        prop_assert!(off < 1e-4, "{} instead of {} of {:?}", here.map * along, moved, solid);
    }

    #[test]
    fn points_inside_have_no_foot(solid in solid(), out in direction(), share in 0.0..0.99_f64) {
        let solid = Stripped::of(&solid);
        let (support, _) = solid.core.support(out, NOWHERE);
        let z = solid.middle + share * (support - solid.middle);
        let has_volume = !matches!(solid.core, Core::Point | Core::Segment { .. } | Core::Triangle(_));
        prop_assert!(!has_volume || foot(&solid, z).is_none(), "{} of {:?}", z, solid);
    }
}
