//! Joints in scenes: what is made of them, and what is said about mistakes.

use carom::{Body, BodyId, Joint, JointForce, JointKind, World};
use carom_geometry::Shape;
use carom_geometry::shapes::Ball;
use glam::DVec3;

use crate::{complains, load_text, scene};

/// A bob at x = 1, to which tables are added.
fn with_bob(tables: &str) -> String {
    format!(
        "format = 1\n[[body]]\nname = \"bob\"\nshape = {{ kind = \"ball\", radius = 0.05 }}\nmass = 0.5\n\
         position = [1, 0, 0]\n{tables}"
    )
}

/// A hinge about y at the origin, to whose table `keys` are added.
fn hinge(keys: &str) -> String {
    with_bob(&format!(
        "[[joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbodies = [\"world\", \"bob\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\n{keys}\n"
    ))
}

#[test]
fn a_pendulum_in_a_file_swings_as_one_made_by_hand_to_the_bit() {
    let text = hinge(
        "start = 0.3\nvelocity = 0.7\ndamping = 0.1\nstiffness = 2\nrest = 0.1\narmature = 0.01",
    );
    let text = text.replace("[[body]]", "[world]\ntolerance = 1e-10\n[[body]]");
    let mut read = scene(&text).build(1).unwrap();
    let mut made = World::builder().tolerance(1e-10).build().unwrap();
    let ball = Shape::Ball(Ball::new(0.05).unwrap());
    let bob = made.add(Body::free(ball).named("bob").mass(0.5).at(DVec3::X)).unwrap();
    let force = JointForce {
        damping: 0.1,
        stiffness: 2.0,
        rest: 0.1,
        armature: 0.01,
        ..JointForce::default()
    };
    let joint = Joint::new(JointKind::Revolute { axis: DVec3::Y }, None, bob).named("hinge");
    made.join(joint.at(DVec3::ZERO).start(&[0.3]).velocity(&[0.7]).force(force)).unwrap();
    for world in [&mut read, &mut made] {
        world.advance_to(2.0).unwrap();
    }
    let angle =
        |world: &World| world.joint(world.find_joint("hinge").unwrap()).unwrap().coordinates()[0];
    println!("angle after 2 s: {} rad", angle(&read));
    assert_eq!(angle(&read).to_bits(), angle(&made).to_bits());
}

#[test]
fn every_kind_takes_its_axes_and_a_number_or_a_list_for_its_freedoms() {
    let kinds = [
        ("revolute", "axis = [0, 2, 0]", JointKind::Revolute { axis: DVec3::Y }),
        ("prismatic", "axis = [0, 2, 0]", JointKind::Prismatic { axis: DVec3::Y }),
        (
            "screw",
            "axis = [0, 2, 0]\npitch = 0.006",
            JointKind::Screw { axis: DVec3::Y, pitch: 0.006 / std::f64::consts::TAU },
        ),
        ("cylindrical", "axis = [0, 2, 0]", JointKind::Cylindrical { axis: DVec3::Y }),
        ("planar", "axis = [0, 2, 0]", JointKind::Planar { normal: DVec3::Y }),
        (
            "universal",
            "axes = [[0, 2, 0], [3, 0, 0]]",
            JointKind::Universal { first: DVec3::Y, second: DVec3::X },
        ),
        ("spherical", "", JointKind::Spherical),
    ];
    for (name, axes, kind) in kinds {
        let joint = |keys: &str| {
            let text = format!(
                "[[joint]]\nname = \"j\"\nkind = \"{name}\"\nbodies = [\"world\", \"bob\"]\nat = [0, 0, 0]\n{axes}\n{keys}"
            );
            scene(&with_bob(&text))
        };
        let n = kind.freedoms();
        let all = joint("damping = 0.25\neffort = 3");
        assert_eq!(all.joints[0].kind, kind);
        assert!(
            all.joints[0].freedoms.iter().all(|it| it.damping == 0.25 && it.effort == Some(3.0))
        );
        let each: Vec<String> = (0..n).map(|i| format!("{}", 0.5 * i as f64)).collect();
        let each = joint(&format!("damping = [{0}]\nvelocity = [{0}]", each.join(", ")));
        let found: Vec<f64> = each.joints[0].freedoms.iter().map(|it| it.damping).collect();
        assert_eq!(found, (0..n).map(|i| 0.5 * i as f64).collect::<Vec<_>>());
        assert_eq!(each.joints[0].velocity.as_deref(), Some(&found[..]));
        let mut world = each.build(1).unwrap_or_else(|problems| panic!("{name}: {problems}"));
        world.advance_to(0.1).unwrap();
    }
}

#[test]
fn a_chain_of_copies_names_its_bodies_by_number() {
    let text = "format = 1
[[body]]
name = \"rod\"
shape = { kind = \"box\", size = [0.1, 0.01, 0.01] }
mass = 0.1
position = [0.05, 0, 0]
repeat = { kind = \"row\", count = 5, step = [0.1, 0, 0] }

[[joint]]
name = \"first\"
kind = \"revolute\"
bodies = [\"world\", \"rod_0\"]
at = [0, 0, 0]
axis = [0, 1, 0]

[[joint]]
name = \"hinge\"
kind = \"revolute\"
bodies = [\"rod_{i}\", \"rod_{i + 1}\"]
at = [0.1, 0, 0]
axis = [0, 1, 0]
repeat = { kind = \"row\", count = 4, step = [0.1, 0, 0] }
";
    let scene = scene(text);
    let names: Vec<&str> = scene.joints.iter().map(|joint| &joint.name[..]).collect();
    assert_eq!(names, ["first", "hinge_0", "hinge_1", "hinge_2", "hinge_3"]);
    let gap = (scene.joints[4].at.unwrap() - DVec3::new(0.4, 0.0, 0.0)).length();
    assert!(gap < 1e-15 && scene.joints[4].parent == Some(3) && scene.joints[4].child == 4);
    assert_eq!(scene.exclusions, [[0, 1], [1, 2], [2, 3], [3, 4]]);
    let mut world = scene.build(1).unwrap();
    world.advance_to(0.5).unwrap();
    let account = world.account();
    println!("{account:?}");
    assert!(account.residual.abs() < 1e-12);
}

#[test]
fn copies_around_a_ring_turn_their_axes() {
    let text = "format = 1
[[body]]
name = \"leg\"
shape = { kind = \"box\", size = [0.1, 0.02, 0.02] }
mass = 1
repeat = { kind = \"ring\", count = 4, radius = 0.3, turn = true }

[[joint]]
name = \"hip\"
kind = \"revolute\"
bodies = [\"world\", \"leg_{i}\"]
at = [0, 0, 0]
axis = [0, 1, 0]
repeat = { kind = \"ring\", count = 4, radius = 0.25, turn = true }
";
    let scene = scene(text);
    let axes: Vec<DVec3> = (scene.joints.iter())
        .map(|joint| match joint.kind {
            JointKind::Revolute { axis } => axis,
            _ => DVec3::ZERO,
        })
        .collect();
    let expected = [DVec3::Y, -DVec3::X, -DVec3::Y, DVec3::X];
    let worst = axes.iter().zip(expected).map(|(a, b)| a.distance(b)).fold(0.0, f64::max);
    println!("axes off by {worst:e}");
    assert!(worst < 1e-15);
    // Every leg hangs on the inner side: all fall alike, which only right axes do.
    let mut world = scene.build(1).unwrap();
    world.advance_to(0.2).unwrap();
    let heights: Vec<f64> = scene
        .bodies
        .iter()
        .map(|body| world.state(world.find(&body.name).unwrap()).unwrap().position.z)
        .collect();
    println!("heights {heights:?}");
    assert!(heights.iter().all(|z| *z < -1e-3 && (z - heights[0]).abs() < 1e-9));
}

/// Where a joint of one linkage states rates, the others have none; linkages without are left their bodies' velocities.
#[test]
fn velocities_of_bodies_count_unless_a_joint_of_the_linkage_states_rates() {
    let pair = |x: f64, name: &str, keys: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nshape = {{ kind = \"ball\", radius = 0.1 }}\nmass = 1\nposition = [{x}, 0, 0]\n\
             velocity = [0, 0, -2]\n[[joint]]\nname = \"{name}_hinge\"\nkind = \"revolute\"\nbodies = [\"world\", \"{name}\"]\n\
             at = [{}, 0, 0]\naxis = [0, 1, 0]\n{keys}\n",
            x - 1.0
        )
    };
    let text =
        format!("format = 1\n{}{}", pair(1.0, "left", ""), pair(10.0, "right", "velocity = 0.25"));
    let world = scene(&text).build(1).unwrap();
    let rate = |name: &str| world.joint(world.find_joint(name).unwrap()).unwrap().rates()[0];
    // A ball of radius 0.1 at 2 m/s without spin, held at 1 m: m·v·l = (m·l² + ⅖m·r²)·ω.
    let held = 2.0 / (1.0 + 0.4 * 0.01);
    println!("{} and {} rad/s", rate("left_hinge"), rate("right_hinge"));
    assert!((rate("left_hinge") - held).abs() < 1e-14);
    assert_eq!(rate("right_hinge"), 0.25);
}

#[test]
fn joined_bodies_may_overlap_unless_they_are_to_collide() {
    let text = |keys: &str| {
        with_bob(&format!(
            "[[body]]\nname = \"stand\"\nshape = {{ kind = \"box\", size = [2, 0.2, 0.2] }}\nmotion = {{ kind = \"fixed\" }}\n\
             [[joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbodies = [\"stand\", \"bob\"]\nat = [0.9, 0, 0]\naxis = [0, 1, 0]\n{keys}\n"
        ))
    };
    let mut world = scene(&text("")).build(1).unwrap();
    world.advance_to(1.0).unwrap();
    let refused = scene(&text("collide = true")).build(1).unwrap_err().render(false);
    assert!(refused.contains("overlap"), "{refused}");
}

#[test]
fn a_body_between_joints_needs_no_mass() {
    let text = |second: &str| {
        with_bob(&format!(
            "[[body]]\nname = \"cross\"\nshape = {{ kind = \"ball\", radius = 0.01 }}\nghost = true\n\
             [[joint]]\nname = \"first\"\nkind = \"revolute\"\nbodies = [\"world\", \"cross\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\n{second}"
        ))
    };
    let second = "[[joint]]\nname = \"second\"\nkind = \"revolute\"\nbodies = [\"cross\", \"bob\"]\nat = [0, 0, 0]\naxis = [0, 0, 1]\n";
    let whole = scene(&text(second));
    assert!(whole.bodies[1].mass.is_none());
    let mut world = whole.build(1).unwrap();
    world.advance_to(0.5).unwrap();
    let id: BodyId = world.find("cross").unwrap();
    assert_eq!(world.body(id).unwrap().role(), "linked");
    complains(
        &text(""),
        &["the free body `cross` has no mass", "it carries nothing", "between joints"],
    );
    let loose = text(second).replace("[\"world\", \"cross\"]", "[\"world\", \"bob\"]");
    complains(&loose, &["the body `bob` already hangs on the joint `first`", "the other joint"]);
    let floating = second.replace("second", "only");
    let floating = with_bob(&format!(
        "[[body]]\nname = \"cross\"\nshape = {{ kind = \"ball\", radius = 0.01 }}\n{floating}"
    ));
    complains(&floating, &["the free body `cross` has no mass", "no joint moves it"]);
}

#[test]
fn friction_and_stops_reach_the_world_and_motors_are_kept() {
    let text = hinge("friction = 0.1\nlimits = [-1, 1]\nrestitution = 0.5\neffort = 4\nspeed = 9");
    let scene = scene(&text);
    let freedom = scene.joints[0].freedoms[0];
    assert_eq!((freedom.effort, freedom.speed), (Some(4.0), Some(9.0)));
    let mut world = scene.build(1).unwrap();
    let force = world.joints().next().unwrap().forces()[0];
    assert_eq!((force.friction, force.limits, force.restitution), (0.1, Some([-1.0, 1.0]), 0.5));
    for i in 1..=300 {
        world.advance_to(0.01 * f64::from(i)).unwrap();
        assert!(world.joints().next().unwrap().coordinates()[0].abs() <= 1.0);
    }
}

#[test]
fn mistakes_in_joints_are_told_all_at_once() {
    let cases: [(&str, &[&str]); 19] = [
        ("kind = \"hinge\"", &["a joint cannot be \"hinge\"", "`revolute`, `prismatic`"]),
        ("kind = \"revolut\"", &["did you mean \"revolute\"?"]),
        ("bodies = [\"world\", \"bbo\"]", &["there is no body `bbo`", "did you mean `bob`?"]),
        ("bodies = [\"bob\", \"world\"]", &["no joint moves the world", "the parent stands first"]),
        ("bodies = [\"bob\"]", &["a joint holds two bodies", "`bodies` names 1"]),
        ("bodies = [\"bob\", \"bob\"]", &["`bob` is joined to itself"]),
        ("axis = [0, 0, 0]", &["`axis` has no direction"]),
        ("axes = [[1, 0, 0], [0, 1, 0]]", &["a revolute joint has one axis", "this has 2"]),
        ("pitch = 1", &["only a screw has a pitch"]),
        ("start = [1, 2]", &["`start` of a revolute joint takes 1 number", "this has 2"]),
        ("damping = -1", &["`damping` must not be negative", "this is -1"]),
        ("damping = [1, 2]", &["`damping` of a revolute joint takes 1 number"]),
        (
            "limits = [1, -1]",
            &["the largest coordinate is below the smallest", "the smallest is 1"],
        ),
        ("limits = [1, 2, 3]", &["`limits` must be a list of 2 numbers", "this has 3"]),
        ("restitution = 2", &["`restitution` must lie between 0 and 1"]),
        ("dampng = 1", &["dampng", "did you mean `damping`?"]),
        ("velocity = \"nothing\"", &["nothing"]),
        ("name = \"\"", &["a name must not be empty"]),
        ("collide = 1", &["`collide` must be true or false"]),
    ];
    for (keys, parts) in cases {
        let key = keys.split(' ').next().unwrap();
        let kept: Vec<String> = hinge("").lines().map(str::to_owned).collect();
        let table = kept.iter().position(|line| line == "[[joint]]").unwrap();
        let is_replaced = |line: &str| {
            line.split(' ').next() == Some(key) || key == "axes" && line.starts_with("axis")
        };
        let text: Vec<String> = (kept.iter().enumerate())
            .filter(|(at, line)| *at < table || !is_replaced(line))
            .map(|(_, line)| line.clone())
            .collect();
        complains(&format!("{}\n{keys}\n", text.join("\n")), parts);
    }
    let missing = hinge("").replace("at = [0, 0, 0]\naxis = [0, 1, 0]\n", "damping = -1\n");
    complains(
        &missing,
        &[
            "where is the joint? `at` is missing",
            "a revolute joint has one axis",
            "none is given",
            "`damping` must not be negative",
        ],
    );
    complains(&hinge("").replace("revolute", "screw"), &["how steep? `pitch` is missing"]);
    complains(
        &hinge("start = 1").replace("revolute", "spherical"),
        &["a spherical joint has no axis", "no coordinates to state"],
    );
    complains(
        &hinge("damping = 1").replace("revolute", "fixed"),
        &["a fixed joint has no axis", "a fixed joint has no freedom for `damping`"],
    );
    complains(
        "format = 1\n[world]\ntolerance = 1",
        &["`tolerance` must lie between 1e-13 and 0.01"],
    );
}

#[test]
fn joints_make_trees_of_bodies_that_stay() {
    let joint = |name: &str, parent: &str, child: &str| {
        format!(
            "[[joint]]\nname = \"{name}\"\nkind = \"revolute\"\nbodies = [\"{parent}\", \"{child}\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\n"
        )
    };
    let other = |keys: &str| {
        format!(
            "[[body]]\nname = \"other\"\nshape = {{ kind = \"ball\", radius = 0.1 }}\nmass = 1\n{keys}\n"
        )
    };
    let both = format!("{}{}{}", other(""), joint("a", "bob", "other"), joint("b", "other", "bob"));
    complains(&with_bob(&both), &["the joint closes a loop: its parent hangs on `bob`"]);
    let again = format!("{}{}", joint("a", "world", "bob"), joint("a", "world", "bob"));
    complains(
        &with_bob(&again),
        &["two joints are called `a`", "give each joint a name of its own", "already hangs"],
    );
    let fixed = format!("{}{}", other("motion = { kind = \"fixed\" }"), joint("a", "bob", "other"));
    complains(&with_bob(&fixed), &["the body `other` is not free, so no joint moves it"]);
    let moved = "motion = { kind = \"constant\", velocity = [1, 0, 0] }";
    let moved = format!("{}{}", other(moved), joint("a", "other", "bob"));
    complains(
        &with_bob(&moved),
        &["the body `other` follows a law", "only free and fixed bodies carry joints"],
    );
    let late = format!("{}{}", other("from = 1"), joint("a", "other", "bob"));
    complains(&with_bob(&late), &["`other` is not there at the start"]);
    let short = format!("{}{}", other("until = 1"), joint("a", "other", "bob"));
    complains(&with_bob(&short), &["`other` vanishes, and its joint would not"]);
    let removed = format!("{}[[change]]\nat = 1\nremove = \"bob\"\n", joint("a", "world", "bob"));
    complains(&with_bob(&removed), &["the body `bob` is held by the joint `a`", "this one"]);
    let named = with_bob(&format!("{}{}", other(""), joint("a", "world", "bob")));
    complains(&named.replace("other", "world"), &["is this the world, or the body `world`?"]);
    let beyond = load_text(&hinge("limits = [1, 2]"));
    assert!(beyond.problems.render(false).contains("the joint starts beyond its limits"));
    assert!(beyond.scene.is_some());
}

#[test]
fn a_mistake_in_a_joint_is_underlined() {
    crate::check_rendered(
        &hinge("stiffness = -3"),
        "error: `stiffness` must not be negative
  --> scene.toml:13:13
   |
13 | stiffness = -3
   |             ^^ this is -3

1 error
",
    );
}

#[test]
fn a_joint_in_a_file_breaks_and_measures_count_what_happened_to_it() {
    // 3·cos θ − 2·cos θ₀ weights from the horizontal: twice the weight at cos θ = 2/3, but for the inertia of the bob.
    let text = hinge("breaks = { force = 9.80665 }\nlimits = [-1, 3]")
        + concat!(
            "[world]\nuntil = 1\ntolerance = 1e-10\n",
            "[[expect]]\nwhat = \"breaks\"\nmeasure = \"count('broken', 'hinge')\"\nequals = 1\ntolerance = 0\n",
            "[[expect]]\nwhat = \"once\"\nmeasure = \"count('joined', 'hinge') + count('stop', 'hinge')\"\nequals = 1\n",
            "tolerance = 0\n",
            "[[expect]]\nwhat = \"its body\"\nmeasure = \"count('broken', 'bob')\"\nequals = 1\ntolerance = 0\n",
            "[[expect]]\nwhat = \"where\"\n",
            "measure = \"-body('bob').at(event_time('broken', 'hinge')).z\"\nequals = \"2/3\"\ntolerance = 2e-3\n",
        );
    let scene = scene(&text);
    assert_eq!(scene.joints[0].strength.force, 9.80665);
    assert_eq!(scene.joints[0].strength.torque, f64::INFINITY);
    let mut world = scene.build(1).unwrap();
    let mut memory = carom_scene::measure::Memory::of(&scene).unwrap();
    world.advance_watched(1.0, &mut carom::Observers::none().with(&mut memory)).unwrap();
    let (findings, problems) =
        carom_scene::measure::Measures::new(&scene, memory, &world).findings();
    assert!(!problems.has_errors(), "{}", problems.render(false));
    assert_eq!(findings.len(), 4);
    for finding in findings {
        println!("{finding:?}");
        assert!(finding.pass, "{finding:?}");
    }
    assert_eq!(world.joints().count(), 0);
}

#[test]
fn strengths_that_are_none_and_names_of_no_joint_are_told() {
    complains(&hinge("breaks = { force = 0 }"), &["force"]);
    complains(&hinge("breaks = { force = -3 }"), &["force"]);
    complains(&hinge("breaks = {}"), &["what is too much"]);
    complains(&hinge("breaks = { pull = 3 }"), &["pull"]);
    let expect = "[[expect]]\nwhat = \"x\"\nmeasure = \"count('stop', 'hinje')\"\nequals = 1\ntolerance = 0\n";
    complains(&(hinge("") + expect), &["hinje"]);
    let expect =
        "[[expect]]\nwhat = \"x\"\nmeasure = \"body('hinge').x\"\nequals = 1\ntolerance = 0\n";
    complains(&(hinge("") + expect), &["there is no body \"hinge\""]);
}
