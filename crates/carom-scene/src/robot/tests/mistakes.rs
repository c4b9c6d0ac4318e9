//! What is wrong is told by kind and place.

use super::*;

const I: &str = "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>";

fn joint(name: &str, parent: &str, child: &str, more: &str) -> String {
    format!(
        "<joint name='{name}' type='continuous'><parent link='{parent}'/><child link='{child}'/>{more}</joint>"
    )
}

/// Whether reading gives an error of that name at a place, and no robot.
fn refuses(text: &str, kind: &str) {
    let imported = if text.contains("<mujoco") { mjcf(text) } else { urdf(text) };
    let found = faults(&imported);
    assert!(
        found.iter().any(|fault| format!("{fault:?}").starts_with(kind)),
        "{kind}: {found:?}\n{text}"
    );
    assert!(imported.robot.is_none(), "{kind}");
    let is_placed = imported.faults.iter().all(|fault| fault.place.is_some());
    assert!(is_placed, "{kind}: {:?}", imported.faults);
}

#[test]
fn mistakes_of_urdf_are_refused_each_by_its_kind() {
    let two = "<link name='a'/><link name='b'/>";
    let of = |inside: &str| format!("<robot name='r'>{inside}</robot>");
    refuses("<robot name='r'>", "Xml");
    refuses("<!DOCTYPE r [<!ENTITY e 'x'>]><robot name='r'/>", "Xml");
    refuses("<sdf/>", "WrongRoot");
    refuses(&of(""), "NoLinks");
    refuses(&of("<link/>"), "MissingAttribute");
    refuses(&of("<link name='a'/><link name='a'/>"), "NameTaken");
    refuses(&of(two), "TwoRoots");
    refuses(&of(&format!("{two}{}", joint("j", "a", "c", ""))), "Unknown");
    refuses(
        &of(&format!("{two}{}{}", joint("j", "a", "b", ""), joint("k", "b", "a", ""))),
        "Cycle",
    );
    refuses(
        &of(&format!(
            "{two}<link name='c'/>{}{}",
            joint("j", "a", "c", ""),
            joint("k", "b", "c", "")
        )),
        "TwoParents",
    );
    refuses(&of(&format!("{two}{}", joint("j", "a", "b", "<axis xyz='0 0 0'/>"))), "ZeroAxis");
    refuses(&of(&format!("{two}{}", joint("j", "a", "b", "<axis xyz='0 nan 1'/>"))), "NotFinite");
    refuses(&of(&format!("{two}{}", joint("j", "a", "b", "<axis xyz='0 1'/>"))), "BadValue");
    refuses(
        &of(&format!("{two}{}", joint("j", "a", "b", "").replace("continuous", "revolute"))),
        "MissingElement",
    );
    let upside_down =
        joint("j", "a", "b", "<limit lower='1' upper='0'/>").replace("continuous", "revolute");
    refuses(&of(&format!("{two}{upside_down}")), "Limits");
    refuses(
        &of(&format!("<link name='a'><inertial><mass value='-1'/>{I}</inertial></link>")),
        "NegativeMass",
    );
    refuses(&of(&format!("<link name='a'><inertial>{I}</inertial></link>")), "MissingElement");
    let broken = I.replace("ixx='1'", "ixx='3'");
    refuses(
        &of(&format!("<link name='a'><inertial><mass value='1'/>{broken}</inertial></link>")),
        "Inertia",
    );
    refuses(
        &of("<link name='a'><visual><geometry><sphere radius='-1'/></geometry></visual></link>"),
        "NotPositive",
    );
    refuses(
        &of(
            "<link name='a'><visual><geometry><mesh filename='no.stl'/></geometry></visual></link>",
        ),
        "MeshNotFound",
    );
    let deep = format!("{}{}", "<a>".repeat(300), "</a>".repeat(300));
    refuses(&of(&deep), "TooLarge");
}

#[test]
fn a_long_axis_is_shortened_with_a_warning() {
    let text = format!(
        "<robot name='r'><link name='a'/><link name='b'/>{}</robot>",
        joint("j", "a", "b", "<axis xyz='0 0 2'/>")
    );
    let imported = urdf(&text);
    assert!(matches!(faults(&imported)[..], [FaultKind::AxisNotUnit { length: 2.0, .. }]));
    assert_eq!(robot(imported).joints[0].axis, DVec3::Z);
}

#[test]
fn mistakes_of_mjcf_are_refused_each_by_its_kind() {
    let of = |inside: &str| format!("<mujoco><worldbody>{inside}</worldbody></mujoco>");
    refuses("<mujoco/>", "NoLinks");
    refuses("<mujoco><compiler coordinate='global'/></mujoco>", "NotSupported");
    refuses(&of("<body><geom size='1' quat='0 0 0 0'/></body>"), "NoOrientation");
    refuses(&of("<body><geom size='1' quat='1 0 0 0' euler='0 0 0'/></body>"), "BadValue");
    refuses(&of("<body><geom type='box' size='1'/></body>"), "BadValue");
    refuses(&of("<body><geom size='0'/></body>"), "NotPositive");
    refuses(&of("<body><geom type='mesh' mesh='m'/></body>"), "Unknown");
    refuses(&of("<body><geom class='c' size='1'/></body>"), "Unknown");
    refuses(&of("<body><joint axis='0 0 0'/><geom size='1'/></body>"), "ZeroAxis");
    refuses(&of("<body><joint type='screw'/><geom size='1'/></body>"), "BadValue");
    refuses(
        &of("<body><geom size='1'/><body><freejoint/><geom size='1'/></body></body>"),
        "NotSupported",
    );
    refuses(&of("<body><inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/></body>"), "Inertia");
    refuses(
        &of("<body name='a'><geom size='1'/></body><body name='a'><geom size='1'/></body>"),
        "NameTaken",
    );
    let key = "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody><keyframe><key qpos='1 2'/></keyframe></mujoco>";
    refuses(key, "BadValue");
    let motor = "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody><actuator><motor joint='x'/></actuator></mujoco>";
    refuses(motor, "Unknown");
    refuses("<mujoco><include file='missing.xml'/></mujoco>", "Unknown");
}

#[test]
fn a_document_type_is_refused_where_it_stands() {
    let text = "<?xml version='1.0'?>\n<!-- no <!DOCTYPE here -->\n  <!DOCTYPE r [<!ENTITY e 'x'>]>\n<robot name='r'/>";
    let imported = urdf(text);
    let place = imported.faults[0].place.unwrap();
    let at = imported.problems.sources().line_column(place.file, place.span.start);
    assert_eq!(at, Some((3, 3)));
}
