//! Notices when the scene's file, or one that it names, changes on disk, and tells those who watch.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use carom_scene::{DiskFiles, Options, Source, load};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::describe;

/// How often the files are looked at. An editor writes in less; a person does not wait longer.
const EVERY: Duration = Duration::from_millis(300);

/// The files of a scene with the times at which they were last written.
#[derive(Debug, PartialEq)]
struct Seen(Vec<(PathBuf, Option<SystemTime>)>);

impl Seen {
    fn of(files: &[PathBuf]) -> Self {
        let written = |path: &PathBuf| std::fs::metadata(path).and_then(|it| it.modified()).ok();
        Self(files.iter().map(|path| (path.clone(), written(path))).collect())
    }
}

/// What is to be told of a scene as it is on disk now, and the files that it is made of.
fn look(path: &Path) -> (Value, Option<Vec<PathBuf>>) {
    let loaded = load(&Source::Path(path.to_owned()), &Options::default(), &DiskFiles);
    let files = loaded.scene.map(|scene| {
        let folder = path.parent().unwrap_or(Path::new(""));
        let others = scene.files.iter().skip(1).map(|file| folder.join(&file.path));
        std::iter::once(path.to_owned()).chain(others).collect()
    });
    let problems = &loaded.problems;
    let shown = if problems.has_errors() { describe::problems(problems) } else { Vec::new() };
    let text = if problems.has_errors() { problems.render(false) } else { String::new() };
    (json!({ "say": "reload", "problems": shown, "text": text }), files)
}

/// Looks at a scene's files until nobody listens any more.
pub(crate) async fn follow(path: PathBuf, tell: watch::Sender<Arc<Value>>) {
    let mut files = look(&path).1.unwrap_or_else(|| vec![path.clone()]);
    let mut seen = Seen::of(&files);
    while !tell.is_closed() {
        tokio::time::sleep(EVERY).await;
        let now = Seen::of(&files);
        if now == seen {
            continue;
        }
        let scene = path.clone();
        let Ok((told, named)) = tokio::task::spawn_blocking(move || look(&scene)).await else {
            return;
        };
        // A scene with mistakes names no files: those from before are followed on.
        files = named.unwrap_or(files);
        seen = Seen::of(&files);
        tell.send_replace(Arc::new(told));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_on_disk_is_told_with_its_mistakes_and_their_lines() {
        let folder = std::env::temp_dir().join(format!("carom-changes-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("s.toml");
        std::fs::write(&path, "format = 1\n").expect("it is written");
        let (told, files) = look(&path);
        assert_eq!(
            (told["problems"].as_array().map(Vec::len), files),
            (Some(0), Some(vec![path.clone()]))
        );
        let before = Seen::of(std::slice::from_ref(&path));
        std::fs::write(&path, "format = 1\n[world]\nuntil = -1\n").expect("it is written");
        let (told, _) = look(&path);
        assert_eq!(told["problems"][0]["line"], 3, "{told}");
        std::fs::remove_file(&path).expect("it is removed");
        assert_ne!(Seen::of(std::slice::from_ref(&path)), before);
        std::fs::remove_dir(&folder).expect("it is empty");
    }
}
