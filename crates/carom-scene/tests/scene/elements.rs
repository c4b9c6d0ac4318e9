//! Force elements in scenes: what is made of them, what they do, and what is said about mistakes.

use carom::World;
use carom::elements::{Axes, ElementLaw};
use carom_scene::Scene;
use glam::DVec3;

use crate::{complains, scene};

/// What tolerance 1e-9 of a linkage of one link leaves over a few seconds, with room.
const INTEGRATED: f64 = 1e-7;

/// A ball of 2 kg at the origin without gravity, to which tables are added.
fn with_ball(tables: &str) -> String {
    format!(
        "format = 1\n[world]\ngravity = [0, 0, 0]\n[[body]]\nname = \"ball\"\nshape = {{ kind = \"ball\", radius = 0.1 }}\nmass = 2\n{tables}"
    )
}

fn element(keys: &str) -> String {
    with_ball(&format!("[[element]]\nname = \"it\"\nbodies = [\"ball\"]\n{keys}\n"))
}

fn position(world: &World, name: &str) -> DVec3 {
    let state = world.find(name).and_then(|body| world.state(body));
    state.expect("it is there").position
}

fn run(scene: &Scene, until: f64) -> World {
    let mut world = scene.build(1).unwrap_or_else(|problems| panic!("{problems}"));
    world.advance_to(until).expect("it runs");
    world
}

#[test]
fn a_spring_swings_by_the_root_of_stiffness_over_mass() {
    let text = element("kind = \"spring\"\nto = [1, 0, 0]\nrest = 0.7\nstiffness = 50");
    let read = scene(&text);
    let x = position(&run(&read, 1.3), "ball").x;
    // Relaxed where the ball is at 0.3: x = 0.3·(1 − cos ωt).
    let exact = 0.3 * (1.0 - libm::cos(1.3 * f64::sqrt(50.0 / 2.0)));
    println!("{x} m, off by {:e}", x - exact);
    assert!((x - exact).abs() < INTEGRATED);
}

#[test]
fn springs_ropes_and_gas_springs_are_as_long_as_they_start_unless_they_say() {
    let rest = |keys: &str| {
        let scene = scene(&element(keys));
        match &scene.elements[0].law {
            ElementLaw::Spring(spring) => (spring.rest, spring.pulls_only),
            ElementLaw::GasSpring(spring) => (spring.extended, false),
            other => panic!("{other:?}"),
        }
    };
    let spring = "kind = \"spring\"\nstiffness = 1\n";
    assert_eq!(rest(&format!("{spring}to = [3, 0, 4]")), (5.0, false));
    assert_eq!(rest(&format!("{spring}to = [3, 0, 4]\nat = [3, 0, 0]")), (4.0, false));
    assert_eq!(rest(&format!("{spring}to = [3, 0, 4]\nat_body = [0, 0, 4]")), (3.0, false));
    assert_eq!(rest(&format!("{spring}to = [3, 0, 4]\nrest = 2")), (2.0, false));
    assert_eq!(rest("kind = \"rope\"\nstiffness = 1\nto = [0, 2, 0]"), (2.0, true));
    let gas = "kind = \"gas_spring\"\nforce = 100\nstroke = 0.2\nratio = 1.3\nto = [0, 0.5, 0]";
    assert_eq!(rest(gas), (0.5, false));
}

#[test]
fn a_gas_spring_of_a_catalogue_pushes_by_its_ratio_at_the_end_of_its_stroke() {
    let keys = "kind = \"gas_spring\"\nforce = 100\nstroke = 0.2\nratio = 1.35\nexponent = 1.2\nto = [0, 0.5, 0]";
    let scene = scene(&element(keys));
    let ElementLaw::GasSpring(law) = &scene.elements[0].law else { panic!("no gas spring") };
    let [extended, compressed] = [0.0, 0.2].map(|x| law.push(x));
    println!("{extended} N to {compressed} N, column {} m", law.column);
    assert!((extended - 100.0).abs() < 1e-12 && (compressed - 135.0).abs() < 1e-11);
}

/// A ball falls until its rope is taut, and hangs on it from there like on a spring.
#[test]
fn a_rope_lets_fall_and_then_pulls_and_can_be_cut() {
    let text = element("kind = \"rope\"\nstiffness = 800\nlength = 1\nto = [0, 0, 0.5]")
        .replace("gravity = [0, 0, 0]", "gravity = [0, 0, -10]");
    let z = position(&run(&scene(&text), 0.3), "ball").z;
    assert!((z + 0.5 * 10.0 * 0.09).abs() < INTEGRATED, "slack: {z}");
    // Taut after 0.5 m at v² = 2·10·0.5; then u'' = 10 − (k/m)·u for the elongation u.
    let (v, t0) = (f64::sqrt(10.0), f64::sqrt(0.1));
    let omega = f64::sqrt(800.0 / 2.0);
    let after = |t: f64| {
        let sag = 10.0 / (omega * omega);
        sag + v / omega * libm::sin(omega * t) - sag * libm::cos(omega * t)
    };
    let z = position(&run(&scene(&text), t0 + 0.1), "ball").z;
    println!("taut: {z} m, off by {:e}", z + 0.5 + after(0.1));
    assert!((z + 0.5 + after(0.1)).abs() < INTEGRATED);
    let cut = format!("{text}[[change]]\nat = {}\nuntie = \"it\"\n", t0 + 0.1);
    let world = run(&scene(&cut), 1.0);
    let rate = v * libm::cos(omega * 0.1) + 10.0 / omega * libm::sin(omega * 0.1);
    let fall = 1.0 - t0 - 0.1;
    let exact = -0.5 - after(0.1) - rate * fall - 5.0 * fall * fall;
    let z = position(&world, "ball").z;
    println!("cut: {z} m, off by {:e}", z - exact);
    assert!((z - exact).abs() < INTEGRATED);
}

#[test]
fn drag_and_thrust_come_to_the_speed_at_which_they_balance() {
    let both = element("kind = \"drag\"\nlinear = 4\nwind = [1, 0, 0]")
        + "[[element]]\nname = \"jet\"\nkind = \"thrust\"\nbodies = [\"ball\"]\nforce = [0, 8, 0]\n";
    let world = run(&scene(&both), 3.0);
    let v = world.state(world.find("ball").unwrap()).unwrap().velocity;
    // m·v' = F − c·(v − wind): τ = m/c = 0.5 s.
    let share = 1.0 - libm::exp(-3.0 / 0.5);
    println!("{v}");
    assert!((v - share * DVec3::new(1.0, 2.0, 0.0)).length() < INTEGRATED);
    let area = scene(&element("kind = \"drag\"\ndensity = 1.2\ncoefficient = 0.5\narea = 0.02"));
    let ElementLaw::Drag(drag) = &area.elements[0].law else { panic!("no drag") };
    assert!((drag.quadratic - 0.006).abs() < 1e-17);
    let turning = scene(&element("kind = \"thrust\"\ntorque = [0, 0, 1]\naxes = \"body\""));
    let ElementLaw::Thrust(thrust) = &turning.elements[0].law else { panic!("no thrust") };
    assert_eq!((thrust.axes, thrust.torque), (Axes::End, DVec3::Z));
}

#[test]
fn attraction_makes_a_circle_of_its_period() {
    let text = element("kind = \"attraction\"\nstrength = 2\nto = [1, 0, 0]")
        .replace("mass = 2", "mass = 2\nvelocity = [0, 1, 0]");
    // v² = κ/(m·r) = 1: once around in 2π s.
    let end = position(&run(&scene(&text), std::f64::consts::TAU), "ball");
    println!("{end}");
    assert!(end.length() < INTEGRATED);
}

#[test]
fn a_bushing_is_relaxed_as_the_bodies_stand_and_has_axes_of_its_own() {
    let keys = "kind = \"bushing\"\nstiffness = [100, 200, 300]\ntorsion_stiffness = 5\nat = [0, 0, 1]\naxis = [0, 0, 1]\nangle_deg = 90";
    let other = "[[body]]\nname = \"stand\"\nshape = { kind = \"ball\", radius = 0.1 }\nmotion = { kind = \"fixed\" }\nposition = [1, 0, 0]\n";
    let text = element(keys).replace("[\"ball\"]", "[\"ball\", \"stand\"]") + other;
    let still = run(&scene(&text), 1.0);
    assert_eq!(position(&still, "ball"), DVec3::ZERO);
    // Pushed at the bushing's own point along x, where its axes have y: ω² = 200/2.
    let push = "[[impulse]]\nat = 0\nbody = \"ball\"\nimpulse = [0.2, 0, 0]\n";
    let centred = text.replace("at = [0, 0, 1]\n", "");
    let x = position(&run(&scene(&format!("{centred}{push}")), 0.4), "ball").x;
    let exact = 0.1 / 10.0 * libm::sin(0.4 * 10.0);
    println!("{x} m, off by {:e}", x - exact);
    assert!((x - exact).abs() < INTEGRATED);
}

#[test]
fn a_row_of_copies_ties_a_row_of_bodies() {
    let text = "format = 1
[[body]]
name = \"bead\"
shape = { kind = \"ball\", radius = 0.01 }
mass = 0.1
repeat = { kind = \"row\", count = 4, step = [0.1, 0, 0] }
[[element]]
name = \"link\"
kind = \"spring\"
stiffness = 10
bodies = [\"bead_{i}\", \"bead_{i + 1}\"]
repeat = { kind = \"row\", count = 3, step = [0, 0, 0] }
[[element]]
name = \"line_{i}\"
kind = \"rope\"
stiffness = 10
bodies = [\"bead_{i}\"]
to = [0, 0, 1]
repeat = { kind = \"row\", count = 4, step = [0.1, 0, 0] }
";
    let scene = scene(text);
    let names: Vec<&str> = scene.elements.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["link_0", "link_1", "link_2", "line_0", "line_1", "line_2", "line_3"]);
    assert!((scene.elements[6].ends[1].frame.translation.x - 0.3).abs() < 1e-15);
    let world = run(&scene, 0.5);
    assert!(world.account().residual.abs() < 1e-9, "{:?}", world.account());
}

#[test]
fn forces_are_held_motors_driven_and_joints_parted_by_changes() {
    let pushed = with_ball(
        "[[change]]\nat = 1\npush = \"ball\"\nforce = [4, 0, 0]\n[[change]]\nat = 2\npush = \"ball\"\nforce = [0, 0, 0]\n",
    );
    let x = position(&run(&scene(&pushed), 3.0), "ball").x;
    // 2 m/s² for a second, then a second at 2 m/s.
    assert!((x - 3.0).abs() < INTEGRATED, "{x}");
    let slide = "[[joint]]\nname = \"rail\"\nkind = \"prismatic\"\nbodies = [\"world\", \"ball\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\n\
        [[change]]\nat = 0.5\ndrive = \"rail\"\neffort = 3\n[[change]]\nat = 1.5\npart = \"rail\"\n";
    let world = run(&scene(&with_ball(slide)), 2.5);
    assert_eq!(world.joints().count(), 0);
    let y = position(&world, "ball").y;
    println!("{y} m");
    // 1.5 m/s² for a second, then 1.5 m/s.
    assert!((y - 2.25).abs() < INTEGRATED);
}

#[test]
fn mistakes_in_elements_are_told_all_at_once() {
    let cases: [(&str, &[&str]); 16] = [
        ("kind = \"spirng\"\nstiffness = 1", &["spirng", "\"spring\""]),
        ("kind = \"spring\"", &["a spring needs `stiffness`"]),
        ("kind = \"spring\"\nstiffness = 1", &["where in the world does it end? `to` is missing"]),
        (
            "kind = \"spring\"\nstiffness = -1\ndamping = -2\nto = [0, 0, \"x\"]",
            &["`stiffness` must not be negative", "`damping` must not be negative", "`x`"],
        ),
        (
            "kind = \"spring\"\nstiffness = 1\nto = [0, 0, 1]\nto_body = [0, 0, 1]",
            &["`to`", "`to_body`"],
        ),
        ("kind = \"rope\"\nstiffness = 0\nto = [0, 0, 1]", &["`stiffness` must be positive"]),
        (
            "kind = \"gas_spring\"\nforce = 1\nstroke = 1\nto = [0, 0, 1]",
            &["how much harder does it push"],
        ),
        (
            "kind = \"gas_spring\"\nforce = 1\nstroke = 1\ncolumn = 1\nto = [0, 0, 1]",
            &["the gas must be longer than the stroke"],
        ),
        (
            "kind = \"gas_spring\"\nforce = 1\nstroke = 1\nratio = 1\nto = [0, 0, 1]",
            &["`ratio` must be more than 1"],
        ),
        ("kind = \"bushing\"", &["a bushing without stiffness or damping"]),
        ("kind = \"bushing\"\nstiffness = [1, 2]", &["a list of 3", "this has 2"]),
        ("kind = \"drag\"", &["how strong is the drag?"]),
        ("kind = \"drag\"\ndensity = 1", &["`density`, `coefficient` and `area` belong together"]),
        ("kind = \"thrust\"", &["how strong? `force` or `torque` is missing"]),
        ("kind = \"thrust\"\nforce = [1, 0, 0]\naxes = \"bdy\"", &["did you mean \"body\"?"]),
        ("kind = \"attraction\"\nto = [0, 0, 1]", &["an attraction needs `strength`"]),
    ];
    for (keys, parts) in cases {
        complains(&element(keys), parts);
    }
    let spring = element("kind = \"spring\"\nstiffness = 1\nto = [0, 0, 1]");
    let bodies = |names: &str| spring.replace("bodies = [\"ball\"]", &format!("bodies = {names}"));
    complains(&bodies("[\"bal\"]"), &["there is no body `bal`"]);
    complains(&bodies("[\"ball\", \"ball\"]"), &["both ends are on `ball`"]);
    complains(&bodies("[\"world\"]"), &["it acts on nothing that moves"]);
    complains(&bodies("[]"), &["an element acts between two bodies", "`bodies` names 0"]);
    let other = |keys: &str| {
        let body = format!(
            "[[body]]\nname = \"other\"\nshape = {{ kind = \"ball\", radius = 0.1 }}\nmass = 1\nposition = [1, 0, 0]\n{keys}\n"
        );
        format!("{}{body}", bodies("[\"ball\", \"other\"]"))
    };
    complains(
        &other("motion = { kind = \"constant\", velocity = [1, 0, 0] }"),
        &["the body `other` follows a law"],
    );
    complains(&other("from = 1"), &["`other` is not there at the start", "bodies of elements"]);
    complains(&other("until = 1"), &["`other` vanishes, and its element would not"]);
    complains(
        &format!("{}[[change]]\nat = 1\nremove = \"other\"\n", other("")),
        &["the body `other` is held by the element `it`"],
    );
    let drag = other("")
        .replace("kind = \"spring\"\nstiffness = 1\nto = [0, 0, 1]", "kind = \"drag\"\nlinear = 1");
    complains(&drag, &["drag acts on one body"]);
}

#[test]
fn mistakes_in_changes_of_linkages_are_told() {
    let joint = "[[joint]]\nname = \"rail\"\nkind = \"prismatic\"\nbodies = [\"world\", \"ball\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\n\
        [[controller]]\nname = \"hold\"\nkind = \"pd\"\nkp = 1\nkv = 1\njoints = [\"rail\"]\n";
    let cases: [(&str, &[&str]); 13] = [
        ("controller = \"hold\"", &["what of the controller changes?"]),
        ("controller = \"hld\"\ntarget = 1", &["there is no controller `hld`", "`hold`"]),
        ("controller = \"hold\"\ntarget = [1, 2]", &["`target` is one for all", "this has 2"]),
        ("controller = \"hold\"\ntarget = 1\nenabled = false", &["two changes in one table"]),
        (
            "controller = \"hold\"\njoints = [\"rail\"]\nenabled = true",
            &["`joints` needs `target`"],
        ),
        ("target = 1", &["`target` needs `controller`"]),
        ("drive = \"rail\"", &["what does the motor give?"]),
        ("drive = \"rial\"\neffort = 1", &["there is no joint `rial`"]),
        ("drive = \"rail\"\neffort = [1, 2]", &["`effort` is one for all", "this has 2"]),
        ("push = \"ball\"", &["how strong? `force` or `torque` is missing"]),
        ("force = [0, 0, 1]", &["`force` needs `push`"]),
        ("part = \"hinge\"", &["there is no joint `hinge`"]),
        ("untie = \"rope\"", &["there is no element `rope`"]),
    ];
    for (keys, parts) in cases {
        complains(&with_ball(&format!("{joint}[[change]]\nat = 1\n{keys}\n")), parts);
    }
    let good = "[[change]]\nat = 0.5\ncontroller = \"hold\"\ntarget = 0.25\njoints = [\"r*\"]\n[[change]]\nat = 0.75\ncontroller = \"hold\"\nenabled = false\n";
    let world = run(&scene(&with_ball(&format!("{joint}{good}"))), 1.0);
    assert_eq!(world.joints().next().unwrap().torque(), [0.0]);
}
