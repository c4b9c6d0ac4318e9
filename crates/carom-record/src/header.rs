//! What a recording says about its run before it starts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::format::FORMAT_VERSION;

/// Everything that is needed to run the same run again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordingHeader {
    /// Who writes.
    pub program: String,
    /// In which version.
    pub version: String,
    /// Path of the scene among the files, or the name of a built-in scene.
    pub scene: Option<String>,
    /// The scene and every file that it names.
    pub files: Vec<EmbeddedFile>,
    /// Values given on top of the scene, in order.
    pub overrides: Vec<(String, String)>,
    /// Commands given from outside, in order.
    pub commands: Vec<GivenCommand>,
    /// Seed of everything random.
    pub seed: u64,
    /// What came of touches, if that was given on top of the scene: collide, stop or pass.
    pub on_touch: Option<String>,
    /// How contact was worked out, if that was given on top of the scene.
    pub regime: Option<String>,
    /// The collision envelope, if it was given on top of the scene `[m]`.
    pub envelope: Option<f64>,
    /// What restitution multiplied, if that was given on top of the scene.
    pub law: Option<String>,
    /// Colours of bodies by name: red, green, blue and opacity, each from 0 to 1.
    pub colors: BTreeMap<String, [f64; 4]>,
}

/// A file that travels inside a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddedFile {
    /// The path by which it is named.
    pub path: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// A command from outside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GivenCommand {
    /// When `[s]`.
    pub time_s: f64,
    /// What, in the words it was given in.
    pub text: String,
}

impl RecordingHeader {
    /// Of a run of nothing in particular.
    pub fn new(program: impl Into<String>, version: impl Into<String>) -> Self {
        Self { program: program.into(), version: version.into(), ..Self::default() }
    }

    /// As the metadata record has it; colours go with the bodies, files are attached.
    pub(crate) fn to_metadata(&self, rate_hz: f64) -> BTreeMap<String, String> {
        let overrides = serde_json::to_string(&self.overrides).unwrap_or_default();
        let commands = serde_json::to_string(&self.commands).unwrap_or_default();
        let mut metadata = BTreeMap::from([
            ("format".to_owned(), FORMAT_VERSION.to_string()),
            ("program".to_owned(), self.program.clone()),
            ("version".to_owned(), self.version.clone()),
            ("seed".to_owned(), self.seed.to_string()),
            ("rate_hz".to_owned(), format!("{rate_hz:?}")),
            ("overrides".to_owned(), overrides),
            ("commands".to_owned(), commands),
        ]);
        if let Some(scene) = &self.scene {
            metadata.insert("scene".to_owned(), scene.clone());
        }
        if let Some(on_touch) = &self.on_touch {
            metadata.insert("on_touch".to_owned(), on_touch.clone());
        }
        if let Some(regime) = &self.regime {
            metadata.insert("regime".to_owned(), regime.clone());
        }
        if let Some(law) = &self.law {
            metadata.insert("law".to_owned(), law.clone());
        }
        if let Some(envelope) = self.envelope {
            metadata.insert("envelope_m".to_owned(), format!("{envelope:?}"));
        }
        metadata
    }

    /// From the metadata record, with the sample rate `[1/s]`; or the key that is wrong.
    pub(crate) fn of_metadata(
        metadata: &BTreeMap<String, String>,
    ) -> Result<(Self, f64), &'static str> {
        let text = |key: &'static str| metadata.get(key).ok_or(key);
        let envelope = metadata.get("envelope_m").map(|it| it.parse().map_err(|_| "envelope_m"));
        let header = Self {
            program: text("program")?.clone(),
            version: text("version")?.clone(),
            scene: metadata.get("scene").cloned(),
            files: Vec::new(),
            overrides: serde_json::from_str(text("overrides")?).map_err(|_| "overrides")?,
            commands: serde_json::from_str(text("commands")?).map_err(|_| "commands")?,
            seed: text("seed")?.parse().map_err(|_| "seed")?,
            on_touch: metadata.get("on_touch").cloned(),
            regime: metadata.get("regime").cloned(),
            envelope: envelope.transpose()?,
            law: metadata.get("law").cloned(),
            colors: BTreeMap::new(),
        };
        Ok((header, text("rate_hz")?.parse().map_err(|_| "rate_hz")?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_comes_back_from_its_metadata() {
        let header = RecordingHeader {
            scene: Some("scene.toml".to_owned()),
            overrides: vec![("g".into(), "1".into()), ("g".into(), "2 \"x\"".into())],
            commands: vec![GivenCommand { time_s: 0.1, text: "push ball".into() }],
            seed: u64::MAX,
            on_touch: Some("pass".to_owned()),
            regime: Some("impulse".to_owned()),
            envelope: Some(0.1 + 0.2),
            law: Some("newton".to_owned()),
            ..RecordingHeader::new("carom", "0.1.0")
        };
        let read = RecordingHeader::of_metadata(&header.to_metadata(59.94));
        assert_eq!(read, Ok((header, 59.94)));
    }

    #[test]
    fn a_missing_or_wrong_key_is_named() {
        let mut metadata = RecordingHeader::default().to_metadata(1.0);
        metadata.insert("seed".into(), "-1".into());
        assert_eq!(RecordingHeader::of_metadata(&metadata).err(), Some("seed"));
        metadata.insert("seed".into(), "1".into());
        metadata.insert("envelope_m".into(), "wide".into());
        assert_eq!(RecordingHeader::of_metadata(&metadata).err(), Some("envelope_m"));
        metadata.remove("program");
        assert_eq!(RecordingHeader::of_metadata(&metadata).err(), Some("program"));
    }
}
