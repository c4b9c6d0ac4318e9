//! MuJoCo by its Python package, where it is installed: `mujoco_driver.py` builds the model, steps it and times the steps.
//!
//! The interpreter is `python3`, or what the variable `CAROM_PYTHON` names.

use std::io::Write;
use std::process::{Command, Stdio};

use carom::BodyState;
use glam::{DQuat, DVec3};
use serde::Deserialize;

use super::description::Description;
use super::rapier::steps_until;
use super::track::{Stepped, Track};

/// The name in tables.
pub const NAME: &str = "MuJoCo";

/// The variable that names the interpreter.
pub const VARIABLE: &str = "CAROM_PYTHON";

const DRIVER: &str = include_str!("mujoco_driver.py");

/// Numbers of a state: position, quaternion, velocity, angular velocity.
const NUMBERS: usize = 13;

/// An interpreter, and what it says of MuJoCo.
pub struct Python {
    program: String,
    /// MuJoCo's version, or why it cannot be used.
    pub version: Result<String, String>,
}

#[derive(Deserialize)]
struct Head {
    steps: usize,
    cpu: f64,
    rows: usize,
    failed: Option<String>,
}

impl Python {
    /// Looks whether the package is there.
    pub fn find() -> Self {
        let program = std::env::var(VARIABLE).unwrap_or_else(|_| "python3".to_owned());
        let asked = Command::new(&program)
            .args(["-c", "import mujoco; print(mujoco.__version__)"])
            .output();
        let version = match asked {
            Ok(output) if output.status.success() => {
                Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
            }
            _ => return Self::absent_from(program),
        };
        Self { program, version }
    }

    /// An interpreter without the package.
    pub fn absent() -> Self {
        Self::absent_from("python3".to_owned())
    }

    fn absent_from(program: String) -> Self {
        let version = Err(format!(
            "the Python package \"mujoco\" is not installed for {program} \
             (`pip install mujoco`, or name another interpreter by {VARIABLE})"
        ));
        Self { program, version }
    }

    /// Steps through a scene.
    ///
    /// # Errors
    /// If MuJoCo is not there, or cannot be told the scene.
    pub fn run(&self, about: &Description, dt: f64) -> Result<Stepped, String> {
        self.version.clone()?;
        let free = about.free();
        let stride = Track::stride(steps_until(about.until, dt), free.len());
        let request = serde_json::json!({ "scene": about, "dt": dt, "stride": stride });
        let mut child = Command::new(&self.program)
            .args(["-c", DRIVER])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        if let Some(mut stdin) = child.stdin.take() {
            // One that refuses early does not read to the end; its reason is what counts.
            let _ = stdin.write_all(request.to_string().as_bytes());
        }
        let output = child.wait_with_output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            let reason = String::from_utf8_lossy(&output.stderr);
            return Err(reason.lines().last().unwrap_or("it failed").to_owned());
        }
        parsed(&output.stdout, free).ok_or_else(|| "its answer cannot be read".to_owned())
    }
}

fn parsed(bytes: &[u8], free: Vec<usize>) -> Option<Stepped> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let Head { steps, cpu, rows, failed } = serde_json::from_slice(&bytes[..end]).ok()?;
    let number = |bytes: &[u8]| Some(f64::from_le_bytes(bytes.try_into().ok()?));
    let numbers: Vec<f64> = bytes[end + 1..].chunks_exact(8).map_while(number).collect();
    let width = 1 + NUMBERS * free.len();
    let mut track = Track::of(free);
    for row in numbers.chunks_exact(width) {
        track.times.push(row[0]);
        track.states.extend(row[1..].chunks_exact(NUMBERS).map(state));
    }
    (track.times.len() == rows).then_some(Stepped { steps, cpu, track, failed })
}

fn state(numbers: &[f64]) -> BodyState {
    BodyState {
        position: DVec3::from_slice(&numbers[0..3]),
        orientation: DQuat::from_slice(&numbers[3..7]),
        velocity: DVec3::from_slice(&numbers[7..10]),
        angular_velocity: DVec3::from_slice(&numbers[10..13]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_to_the_last_row_or_not_at_all() {
        let mut bytes = b"{\"steps\": 1, \"cpu\": 0.5, \"rows\": 2, \"failed\": null}\n".to_vec();
        for k in 0..2 * (1 + NUMBERS) {
            bytes.extend((k as f64).to_le_bytes());
        }
        let stepped = parsed(&bytes, vec![3]).unwrap();
        assert_eq!((stepped.steps, stepped.cpu), (1, 0.5));
        assert_eq!(stepped.track.times, [0.0, 14.0]);
        assert_eq!(stepped.track.states[1].velocity, DVec3::new(22.0, 23.0, 24.0));
        assert!(parsed(&bytes[..bytes.len() - 8], vec![3]).is_none());
        assert!(parsed(b"no", vec![3]).is_none());
    }
}
