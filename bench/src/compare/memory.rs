//! Peak memory: that of a process that does nothing but load and run a scene with one engine.

use std::process::Command;

/// The argument by which a process is told to be such a one.
pub const ARGUMENT: &str = "--only-run";

/// Peak resident memory of this process so far `[byte]`, where the system tells it.
pub fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kilobytes)
}

/// Runs a scene in a process of its own, which prints its peak; `dt` for Rapier's step, none for Carom `[s]`.
pub fn of_run(scene: &str, dt: Option<f64>) -> Option<u64> {
    let mut command = Command::new(std::env::current_exe().ok()?);
    command.args([ARGUMENT, scene]);
    if let Some(dt) = dt {
        command.arg(format!("{dt:e}"));
    }
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}
