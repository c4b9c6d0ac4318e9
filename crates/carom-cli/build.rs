//! Puts the commit that is being built into `carom --version`.

use std::path::Path;
use std::process::Command;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for file in ["HEAD", "index", "logs/HEAD"] {
        let path = root.join(".git").join(file);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    println!("cargo::rerun-if-changed=build.rs");
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(&root).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // Without git, or outside a clone (a source archive), the version has no commit.
    let commit =
        git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_else(|| "commit unknown".to_owned());
    let changed = git(&["status", "--porcelain"]).is_some_and(|changes| !changes.is_empty());
    let suffix = if changed { ", with changes" } else { "" };
    println!("cargo::rustc-env=CAROM_COMMIT={commit}{suffix}");
}
