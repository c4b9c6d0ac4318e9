//! Puts the commit that is being built into `carom --version`.

use std::path::Path;
use std::process::Command;

fn main() {
    // Asked when it runs, not when it was compiled: the folder may have moved since.
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let root = Path::new(&manifest).join("../..");
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(&root).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // Whatever makes another program, or another commit of the same one.
    for source in ["crates", "oracles", "Cargo.toml", "Cargo.lock"] {
        println!("cargo::rerun-if-changed={}", root.join(source).display());
    }
    for file in ["HEAD", "index", "logs/HEAD"] {
        // In a linked work tree these lie elsewhere, and git knows where.
        if let Some(path) = git(&["rev-parse", "--git-path", file]) {
            let path = root.join(path);
            if path.exists() {
                println!("cargo::rerun-if-changed={}", path.display());
            }
        }
    }
    // Without git, or outside a clone (a source archive), the version has no commit.
    let commit = git(&["rev-parse", "--short=12", "HEAD"]);
    let commit = commit.unwrap_or_else(|| "commit unknown".to_owned());
    let changed =
        git(&["status", "--porcelain", "--", "crates", "oracles", "Cargo.toml", "Cargo.lock"])
            .is_some_and(|changes| !changes.is_empty());
    let suffix = if changed { ", with changes" } else { "" };
    println!("cargo::rustc-env=CAROM_COMMIT={commit}{suffix}");
}
