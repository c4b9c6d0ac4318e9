//! Nothing is dropped in silence.

use super::*;
use crate::robot::Why;

fn paths(imported: &Imported) -> Vec<(String, Why, bool)> {
    let leftovers = imported.leftovers.iter();
    leftovers.map(|left| (left.path.clone(), left.why, left.is_nested)).collect()
}

#[test]
fn every_unread_element_and_attribute_of_urdf_is_listed() {
    let text = r#"<robot name="r" version="1.0">
  <link name="a"><visual><geometry><sphere radius="1" shade="7"/></geometry><material name="m"><texture filename="t"/></material></visual></link>
  <link name="b"/>
  <joint name="j" type="fixed"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/><mimic joint="k" multiplier="2"/></joint>
  <transmission name="t"><type>simple</type><actuator name="m"/></transmission>
  stray
</robot>"#;
    let imported = urdf(text);
    let expected = [
        ("robot@version", Why::NoMeaning, false),
        ("robot/link/visual/geometry/sphere@shade", Why::NotSupported, false),
        ("robot/link/visual/material/texture", Why::NotSupported, false),
        ("robot/link/visual/material/texture@filename", Why::NotSupported, true),
        ("robot/joint/axis", Why::NotSupported, false),
        ("robot/joint/axis@xyz", Why::NotSupported, true),
        ("robot/joint/mimic", Why::NotSupported, false),
        ("robot/joint/mimic@joint", Why::NotSupported, true),
        ("robot/joint/mimic@multiplier", Why::NotSupported, true),
        ("robot/transmission", Why::NotSupported, false),
        ("robot/transmission@name", Why::NotSupported, true),
        ("robot/transmission/type", Why::NotSupported, true),
        ("robot/transmission/actuator", Why::NotSupported, true),
        ("robot/transmission/actuator@name", Why::NotSupported, true),
        ("robot@text", Why::NotSupported, false),
    ];
    let expected: Vec<_> =
        expected.map(|(path, why, nested)| (path.to_owned(), why, nested)).into();
    assert_eq!(paths(&imported), expected);
    let reports = imported.problems.reports();
    assert_eq!(reports.len(), 7, "{}", imported.problems);
    let mimic = reports.iter().find(|report| report.message.contains("mimic")).unwrap();
    let at = mimic.at.as_ref().unwrap();
    assert_eq!((at.line, at.column, &at.file[..]), (4, 87, "robot.urdf"));
    assert_eq!(
        mimic.message,
        "<mimic> is not supported and is left out, with all it holds (2 elements and attributes)"
    );
    assert!(imported.robot.is_some());
}

#[test]
fn every_unread_element_and_attribute_of_mjcf_is_listed() {
    let text = r#"<mujoco>
  <option timestep="0.001" wind="1 0 0"/>
  <default><geom friction="1"/><site size="1"/></default>
  <worldbody><light pos="0 0 1"/>
    <body name="a" gravcomp="1"><joint solreflimit="1 1" margin="0.1"/><geom size="1" contype="2" conaffinity="1"/>
      <site name="s"/><geom type="hfield"/></body>
  </worldbody>
  <tendon><spatial/></tendon>
  <actuator><motor tendon="t"/><muscle joint="x"/></actuator>
  <sensor/>
</mujoco>"#;
    let imported = mjcf(text);
    let expected = [
        ("mujoco/option@timestep", Why::NoMeaning),
        ("mujoco/option@wind", Why::NotSupported),
        ("mujoco/default/geom@friction", Why::NotSupported),
        ("mujoco/default/site", Why::NotSupported),
        ("mujoco/worldbody/light", Why::NoMeaning),
        ("mujoco/worldbody/body@gravcomp", Why::NotSupported),
        ("mujoco/worldbody/body/joint@solreflimit", Why::NoMeaning),
        ("mujoco/worldbody/body/joint@margin", Why::NoMeaning),
        ("mujoco/worldbody/body/geom@contype", Why::NotSupported),
        ("mujoco/worldbody/body/geom@conaffinity", Why::NotSupported),
        ("mujoco/worldbody/body/site", Why::NotSupported),
        ("mujoco/worldbody/body/geom", Why::NotSupported),
        ("mujoco/tendon", Why::NotSupported),
        ("mujoco/actuator/motor", Why::NotSupported),
        ("mujoco/actuator/muscle", Why::NotSupported),
        ("mujoco/sensor", Why::NotSupported),
    ];
    let outer = paths(&imported).into_iter().filter(|(_, _, nested)| !nested);
    let outer: Vec<_> = outer.map(|(path, why, _)| (path, why)).collect();
    let expected: Vec<_> = expected.map(|(path, why)| (path.to_owned(), why)).into();
    assert_eq!(outer, expected);
    assert!(imported.robot.is_some(), "{}", imported.problems);
}
