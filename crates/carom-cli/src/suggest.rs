//! Did-you-mean, for what the argument parser cannot know.

use std::path::Path;

pub(crate) use carom_scene::nearest;

/// The file beside a missing one whose name is nearest to it, as a path to type.
pub(crate) fn nearest_file(missing: &Path) -> Option<String> {
    let typed = missing.file_name()?.to_str()?;
    let folder = missing.parent().filter(|parent| !parent.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let names: Vec<String> =
        entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    let name = nearest(typed, names.iter().map(String::as_str))?;
    Some(missing.with_file_name(name).display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_recognised_and_nonsense_is_not() {
        let names = ["hex_nut.stl", "button.obj", "die.gltf"];
        assert_eq!(nearest("hexnut.stl", names.into_iter()), Some("hex_nut.stl"));
        assert_eq!(nearest("buton.obj", names.into_iter()), Some("button.obj"));
        assert_eq!(nearest("zzz", names.into_iter()), None);
    }
}
