//! Pinocchio and MuJoCo by their Python packages: `peers.py` runs beside us and answers one line for each line it is sent.
//!
//! The interpreter is `python3`, or what the variable `CAROM_PYTHON` names.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

const DRIVER: &str = include_str!("peers.py");

/// A process that has both loaded.
pub struct Peers {
    /// What it is.
    pub versions: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Peers {
    /// Starts it.
    ///
    /// # Errors
    /// If the interpreter or a package is not there.
    pub fn start() -> Result<Self, String> {
        let program = std::env::var("CAROM_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let mut child = Command::new(&program)
            .args(["-u", "-c", DRIVER])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{program}: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no way to speak with the peers".to_owned());
        };
        let mut peers =
            Self { versions: String::new(), child, input, output: BufReader::new(output) };
        let hello = peers.ask(&serde_json::json!({ "do": "hello" })).map_err(|_| {
            format!("{program} has not both of the packages \"pin\" and \"mujoco\" (`pip install pin mujoco`)")
        })?;
        hello["versions"].as_str().unwrap_or_default().clone_into(&mut peers.versions);
        Ok(peers)
    }

    /// One question, one answer.
    ///
    /// # Errors
    /// If it does not answer.
    pub fn ask(&mut self, question: &Value) -> Result<Value, String> {
        let mut line = question.to_string();
        line.push('\n');
        self.input.write_all(line.as_bytes()).map_err(|error| error.to_string())?;
        let mut answer = String::new();
        self.output.read_line(&mut answer).map_err(|error| error.to_string())?;
        serde_json::from_str(&answer).map_err(|error| error.to_string())
    }

    /// A number out of an answer.
    ///
    /// # Panics
    /// If it does not answer.
    pub fn number(&mut self, question: &Value, key: &str) -> f64 {
        let answer = self.ask(question).expect("an answer of the peers");
        answer[key].as_f64().expect("a number")
    }
}

impl Drop for Peers {
    fn drop(&mut self) {
        // It ends by itself at the end of its input; what happens then does not matter.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
