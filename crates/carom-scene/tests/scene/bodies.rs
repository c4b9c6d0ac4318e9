//! Placement, motion, mass and events of bodies.

use carom::{RestitutionLaw, Surface};
use carom_geometry::Shape;
use carom_geometry::shape::Solid;
use carom_scene::{Bound, ChangeKind, DEFAULT_GRAVITY, MotionSpec, OscillatorTerm, Point};
use glam::{DMat3, DVec3};

use crate::{ball, complains, scene};

/// Rounding of a turn of vectors of length 1 `[-]`.
const ROUNDING: f64 = 4e-16;

#[track_caller]
fn near(found: DVec3, expected: DVec3) {
    let off = (found - expected).length();
    assert!(
        off <= ROUNDING,
        "found {found}, expected {expected}, off by {off:e}, allowed {ROUNDING:e}"
    );
}

#[test]
fn what_is_left_out_has_the_documented_defaults() {
    let scene = scene("format = 1");
    assert_eq!((scene.gravity, scene.until, scene.seed), (DEFAULT_GRAVITY, 10.0, 0));
    assert_eq!((scene.record.rate_hz, scene.record.events), (60.0, true));
    assert_eq!(
        scene.materials[0].surface,
        Surface { friction: 0.5, restitution: 0.0, law: RestitutionLaw::Stronge }
    );
    let body = ball("mass = 2");
    assert_eq!((body.material, body.ghost, body.color), (0, false, None));
    assert_eq!((body.from, body.until), (0.0, f64::INFINITY));
    assert_eq!(body.motion, MotionSpec::Free);
}

#[test]
fn all_ways_to_write_a_quarter_turn_about_z_agree() {
    for keys in [
        "axis = [0, 0, 2]\nangle_deg = 90",
        "axis = [0, 0, 1]\nangle_rad = \"pi/2\"",
        "quaternion = [0, 0, 0.70710678, 0.70710678]",
        "euler_deg = [0, 0, 90]",
        "euler_deg = [90, 0, 0]\neuler_order = \"zyx\"",
        "euler_deg = [90, 0, 0]\neuler_order = \"ZYX\"",
        "look_at = [0, 5, 0]",
    ] {
        let turned = ball(&format!("mass = 1\n{keys}")).world_from_body.vector(DVec3::X);
        // The quaternion is typed with eight digits.
        let off = (turned - DVec3::Y).length();
        assert!(off < 2e-8, "{keys}: x is turned to {turned}, off y by {off:e}, allowed 2e-8");
    }
}

#[test]
fn small_letters_turn_about_the_body_and_capitals_about_the_world() {
    // Intrinsic xyz by 90°, 90°: x first turns y to z; then y, now along z, turns x to y.
    let intrinsic = ball("mass = 1\neuler_deg = [90, 90, 0]").world_from_body;
    near(intrinsic.vector(DVec3::Y), DVec3::Z);
    near(intrinsic.vector(DVec3::X), DVec3::Y);
    // Extrinsic XYZ: x turns y to z; then the world's y turns z to x.
    let extrinsic =
        ball("mass = 1\neuler_deg = [90, 90, 0]\neuler_order = \"XYZ\"").world_from_body;
    near(extrinsic.vector(DVec3::Y), DVec3::X);
    near(extrinsic.vector(DVec3::X), DVec3::NEG_Z);
}

#[test]
fn look_at_points_x_at_the_target_and_keeps_z_up() {
    let body = ball("mass = 1\nposition = [1, 2, 3]\nlook_at = [4, 6, 3]");
    near(body.world_from_body.vector(DVec3::X), DVec3::new(0.6, 0.8, 0.0));
    near(body.world_from_body.vector(DVec3::Z), DVec3::Z);
    complains(
        "format = 1\n[[body]]\nname = \"b\"\nshape = { kind = \"ball\", radius = 1 }\nmass = 1\nlook_at = [0, 0, 4]",
        &["straight along `up`", "up = [1, 0, 0]"],
    );
}

#[test]
fn angular_velocity_may_be_given_in_degrees_and_in_body_axes() {
    let degrees = ball("mass = 1\nangular_velocity_deg = [0, 0, 180]");
    assert_eq!(degrees.angular_velocity, DVec3::new(0.0, 0.0, std::f64::consts::PI));
    let body =
        ball("mass = 1\naxis = [0, 0, 1]\nangle_deg = 90\nangular_velocity_body = [1, 0, 0]");
    near(body.angular_velocity, DVec3::Y);
}

#[test]
fn mass_density_material_and_inertia_are_four_ways_to_say_the_same() {
    let volume = 4.0 / 3.0 * std::f64::consts::PI;
    let by_density = ball("density = 500").mass.unwrap();
    let by_mass = ball(&format!("mass = {}", 500.0 * volume)).mass.unwrap();
    let by_material = {
        let text = "format = 1\n[[material]]\nname = \"m\"\ndensity = 500\n[[body]]\nname = \"b\"\n\
                    shape = { kind = \"ball\", radius = 1 }\nmaterial = \"m\"";
        scene(text).bodies[0].mass.unwrap()
    };
    let moment = 0.4 * 500.0 * volume;
    let by_inertia = ball(&format!(
        "inertia = {{ mass = {}, moments = [{moment}, {moment}, {moment}] }}",
        500.0 * volume
    ));
    for (name, mass) in
        [("mass", by_mass), ("material", by_material), ("inertia", by_inertia.mass.unwrap())]
    {
        let off = (mass.mass - by_density.mass).abs() / by_density.mass;
        let off_inertia = (mass.inertia - by_density.inertia)
            .abs()
            .to_cols_array()
            .into_iter()
            .fold(0.0, f64::max);
        // A few roundings.
        assert!(off < 1e-14 && off_inertia < 1e-11, "{name}: off by {off:e} and {off_inertia:e}");
    }
}

#[test]
fn moments_with_axes_make_the_turned_tensor() {
    let keys =
        "inertia = { mass = 1, moments = [1, 2, 2.5], axes = [[0, 1, 0], [0, 0, 1], [1, 0, 0]] }";
    let inertia = ball(keys).mass.unwrap().inertia;
    assert_eq!(inertia, DMat3::from_diagonal(DVec3::new(2.5, 1.0, 2.0)));
    let keys = "inertia = { mass = 1, tensor = [[2, 0.1, 0], [0.1, 2, 0], [0, 0, 2]] }";
    assert_eq!(ball(keys).mass.unwrap().inertia.x_axis.y, 0.1);
}

#[test]
fn parts_of_a_compound_may_have_densities_of_their_own() {
    let text = r#"
        format = 1
        [[body]]
        name = "hammer"
        density = 700
        [body.shape]
        kind = "compound"
        parts = [
            { shape = { kind = "box", size = [1, 1, 1] }, position = [0, 0, 1], density = 7000 },
            { shape = { kind = "box", size = [1, 1, 1] }, position = [0, 0, -1] },
        ]
    "#;
    let mass = scene(text).bodies[0].mass.unwrap();
    assert_eq!(mass.mass, 7700.0);
    let expected = 6300.0 / 7700.0;
    assert!(
        (mass.center.z - expected).abs() < 1e-15,
        "centre at {}, expected {expected}",
        mass.center.z
    );
}

#[test]
fn sizes_are_full_lengths() {
    let text =
        |shape: &str| format!("format = 1\n[[body]]\nname = \"b\"\nshape = {shape}\nmass = 1");
    let volume = |shape: &str| scene(&text(shape)).bodies[0].shape.as_solid().volume();
    assert_eq!(volume("{ kind = \"box\", size = [1, 2, 3] }"), 6.0);
    let cylinder = volume("{ kind = \"cylinder\", radius = 1, height = 2 }");
    assert!((cylinder - 2.0 * std::f64::consts::PI).abs() < 1e-14, "{cylinder}");
    let hull = "{ kind = \"hull\", points = [[0,0,0], [1,0,0], [0,1,0], [0,0,1]] }";
    assert!((volume(hull) - 1.0 / 6.0).abs() < 1e-16);
    for shape in [
        "{ kind = \"capsule\", radius = 1, length = 2 }",
        "{ kind = \"cone\", radius = 1, height = 2 }",
        "{ kind = \"ellipsoid\", semi_axes = [1, 2, 3] }",
        "{ kind = \"superquadric\", semi_axes = [1, 2, 3], exponent_xy = 4, exponent_z = 2 }",
    ] {
        assert!(volume(shape) > 0.0, "{shape}");
    }
}

#[test]
fn scripted_motions_are_read_with_their_units() {
    let motion = |motion: &str| ball(&format!("position = [1, 0, 0]\nmotion = {motion}")).motion;
    assert_eq!(motion("{ kind = \"fixed\" }"), MotionSpec::Fixed);
    let (velocity, angular_velocity) = (DVec3::X, DVec3::ZERO);
    assert_eq!(
        motion("{ kind = \"constant\", velocity = [1, 0, 0] }"),
        MotionSpec::Constant { velocity, angular_velocity }
    );
    let cycler = motion(
        "{ kind = \"cycler\", semi_axis_a = [1, 0, 0], semi_axis_b = [0, 1, 0], period = 2, phase_deg = 180 }",
    );
    let pi = std::f64::consts::PI;
    let (semi_axis_a, semi_axis_b) = (DVec3::X, DVec3::Y);
    assert_eq!(
        cycler,
        MotionSpec::Cycler { center: DVec3::X, semi_axis_a, semi_axis_b, rate: pi, phase: pi }
    );
    let MotionSpec::Oscillator { terms } = motion(
        "{ kind = \"oscillator\", terms = [{ along = [0, 0, 5], amplitude = 0.1, frequency_hz = 1 }, \
         { about = [0, 1, 0], amplitude_deg = 180, rate = 3 }] }",
    ) else {
        panic!("not an oscillator")
    };
    assert_eq!(
        terms[0],
        OscillatorTerm::Shift { along: DVec3::Z, amplitude: 0.1, rate: 2.0 * pi, phase: 0.0 }
    );
    let turn = OscillatorTerm::Turn {
        about: DVec3::Y,
        pivot: DVec3::X,
        amplitude: pi,
        rate: 3.0,
        phase: 0.0,
    };
    assert_eq!(terms[1], turn);
    let MotionSpec::Waypoints { points, repeat } = motion(
        "{ kind = \"waypoints\", points = [{ time = 0, position = [0, 0, 0] }, { time = 1, position = [1, 0, 0] }, { time = 2, position = [0, 0, 0] }], repeat = true }",
    ) else {
        panic!("not waypoints")
    };
    assert!(repeat && points.len() == 3 && points[1].world_from_body.translation == DVec3::X);
}

#[test]
fn events_are_resolved_and_sorted_by_time() {
    let scene = scene(
        r##"
        format = 1
        [[material]]
        name = "ice"
        density = 900
        [[body]]
        name = "a"
        shape = { kind = "ball", radius = 1 }
        material = "ice"
        color = "#ff8000"
        [[body]]
        name = "b"
        shape = { kind = "ball", radius = 1 }
        mass = 1
        [[impulse]]
        at = 2
        body = "b"
        impulse = [1, 0, 0]
        [[impulse]]
        at = 1
        body = "a"
        angular_impulse = [1, 0, 0]
        point_body = [0, 0, 1]
        [[change]]
        at = 3
        remove = "a"
        [[change]]
        at = 1
        carry = "a"
        by = "b"
        [[change]]
        at = 2
        release = "a"
        [[change]]
        at = 2
        material = "ice"
        friction = 0.1
        [[expect]]
        what = "fast"
        measure = "speed('a')"
        equals = 200
        tolerance_relative = 0.01
        [record]
        bodies = ["a*"]
        "##,
    );
    assert_eq!(scene.bodies[0].color, Some([255, 128, 0]));
    let impulses: Vec<_> = scene.impulses.iter().map(|i| (i.at, i.body, i.point)).collect();
    assert_eq!(impulses, [(1.0, 0, Point::Body(DVec3::Z)), (2.0, 1, Point::CenterOfMass)]);
    let changes: Vec<_> = scene.changes.iter().map(|change| change.what.clone()).collect();
    assert_eq!(
        changes,
        [
            ChangeKind::Carry { body: 0, by: 1 },
            ChangeKind::Release(0),
            ChangeKind::Material { material: 1, friction: Some(0.1), restitution: None },
            ChangeKind::Remove(0),
        ]
    );
    assert_eq!(scene.record.bodies, [0]);
    let expectation = &scene.expectations[0];
    assert_eq!((expectation.bound, expectation.tolerance), (Bound::Equals(200.0), 2.0));
    assert!(
        expectation.is_met_by(201.9)
            && !expectation.is_met_by(202.1)
            && !expectation.is_met_by(f64::NAN)
    );
    assert_eq!(scene.sources.excerpt(expectation.measure_place), Some("\"speed('a')\""));
}

#[test]
fn pairs_of_materials_win_over_the_rule_of_combination() {
    let scene = scene(
        r#"
        format = 1
        [[material]]
        name = "a"
        friction = 0.9
        restitution = 0.2
        density = 1
        [[material]]
        name = "b"
        friction = 0.4
        restitution = 0.6
        density = 1
        [[material_pair]]
        materials = ["b", "a"]
        friction = 0.05
        "#,
    );
    let pair = scene.surface(1, 2);
    assert_eq!((pair.friction, pair.restitution), (0.05, 0.6));
    assert_eq!(scene.surface(2, 1), pair);
    let combined = scene.surface(1, 0);
    assert!((combined.friction - 0.45_f64.sqrt()).abs() < 1e-16, "{combined:?}");
}

#[test]
fn one_mistake_hides_no_other_and_is_told_once() {
    let text = "format = 1\n[[body]]\nname = \"b\"\nshape = { kind = \"cylinder\", radius = true }\nmass = \"2 kg\"\n";
    complains(
        text,
        &["`radius` must be a number", "a cylinder needs `height`", "units are not written"],
    );
    let text = text.replace("radius = true", "radius = 1, hieght = 2").replace(" kg", "");
    let loaded = crate::load_text(&text);
    assert_eq!(loaded.problems.counts(), (1, 0), "{}", loaded.problems);
    assert!(loaded.problems.to_string().contains("did you mean `height`?"), "{}", loaded.problems);
}

#[test]
fn a_floor_keeps_its_half_space() {
    let text = "format = 1\n[[body]]\nname = \"floor\"\nshape = { kind = \"half_space\", normal = [0, 0, 2], offset = 1 }\nmotion = { kind = \"fixed\" }";
    let scene = scene(text);
    assert!(scene.bodies[0].mass.is_none());
    let Shape::HalfSpace(floor) = scene.bodies[0].shape.as_ref() else {
        panic!("not a half-space")
    };
    assert_eq!((floor.normal(), floor.offset(), floor.volume()), (DVec3::Z, 1.0, f64::INFINITY));
}
