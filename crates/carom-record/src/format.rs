//! The layout of a recording, version 1.
//!
//! An [MCAP](https://mcap.dev/spec) file with chunks that are checksummed and not compressed: states are
//! doubles that hardly repeat, and a file without compression needs no C library to be read or written.
//!
//! | where | what |
//! |---|---|
//! | header record | profile `carom`, library: the program and its version |
//! | metadata `carom` | `format`, `program`, `version`, `seed`, `rate_hz`, `scene`; where they were given on top of the scene, `on_touch`, `regime`, `envelope_m`, `law`; and, as JSON, `overrides`, `commands` |
//! | attachments | the scene and every file it names, under the paths it names them by |
//! | `/meshes` | triangle meshes, each once however many bodies have it |
//! | `/bodies` | one message for each body when it is first seen |
//! | `/joints` | one message for each joint when it is first seen |
//! | `/states` | one message for each sample, with the state of every body |
//! | `/joint_states` | one message for each sample of a run with joints, with what every freedom of them does |
//! | `/ledger` | one message for each sample |
//! | `/events` | one message for each event but collisions |
//! | `/contacts` | one message for each instant at which bodies collide, with all that is known of every collision |
//! | `/foxglove/scene`, `/foxglove/transforms` | where they are asked for: what Foxglove shows; readers of recordings pass them over |
//! | metadata `carom.summary` | `summary` as JSON, `end_s`; only where a run came to its end |
//!
//! `/states`, `/joint_states`, `/ledger`, `/meshes` and `/contacts` are protobuf, because 10⁵ bodies at 60 samples a second are 650 MB a
//! second, which text would more than double; every channel carries the descriptor of its messages, so any MCAP
//! tool can decode them. `/bodies`, `/joints` and `/events` are JSON with a JSON Schema. Both keep every bit of a double:
//! JSON numbers are written in the shortest form that reads back the same, and those that JSON lacks as the
//! texts `"inf"`, `"-inf"` and `"nan"`.
//!
//! A message of `/ledger` has the lines of the account and, since it was added to the end, gravity then.
//!
//! A message of `/contacts` has `time_s` and rows with one number, or group of numbers, for each point of each collision:
//! `bodies` (A and B by number, 4294967295 for one that is not recorded), `pieces` (the convex piece of each), `kind` (0 a
//! collision, 1 a microcollision), `share` (the point's part in its collision; the parts of one add up to 1), `point_m`,
//! `normal` (from B to A), `before_m_s` and `after_m_s` (velocity of A's surface less that of B's), `impulse_N_s` (on A),
//! `normal_work_J` (boost included), `friction_work_J`, `boost_J` and `driven_work_J`. There can be thousands of them a
//! second, some 190 bytes each; they are not among the events, and left out with them.
//!
//! A message of `/joint_states` has `time_s` and one number for each freedom of each joint: `joint` (its number), `position`,
//! `rate`, `force` (of its motor) and `target` (of its controller, nan without one). Recordings from before there were joints
//! have neither of the two channels.
//!
//! Bodies are numbered from 0 in the order in which the recorder meets them; a number is never used twice.
//! Log times are simulated seconds rounded to nanoseconds (0 for times before 0); the exact time is in each
//! message. Within a chunk, and from chunk to chunk, messages of one channel come in the order of time.
//!
//! A chunk ends, and is handed to the operating system, after 1 MiB or 64 samples, whichever comes first, so
//! a recorder that is killed loses no more than that.

/// Version of the layout; a reader refuses files of a later one.
pub const FORMAT_VERSION: u32 = 1;

/// Profile that the MCAP header names.
pub const PROFILE: &str = "carom";

/// Name of the metadata record that describes the run.
pub const HEADER_NAME: &str = "carom";

/// Name of the metadata record that says how the run ended.
pub const SUMMARY_NAME: &str = "carom.summary";

/// The channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Triangle meshes.
    Meshes,
    /// Descriptions of bodies.
    Bodies,
    /// Sampled states.
    States,
    /// The ledger at each sample.
    Ledger,
    /// Events.
    Events,
    /// Collisions.
    Contacts,
    /// Descriptions of joints.
    Joints,
    /// What joints do at each sample.
    JointStates,
}

impl Topic {
    /// All of them, in the order in which they are declared.
    pub const ALL: [Self; 8] = [
        Self::Meshes,
        Self::Bodies,
        Self::States,
        Self::Ledger,
        Self::Events,
        Self::Contacts,
        Self::Joints,
        Self::JointStates,
    ];

    /// Name of the channel.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Meshes => "/meshes",
            Self::Bodies => "/bodies",
            Self::States => "/states",
            Self::Ledger => "/ledger",
            Self::Events => "/events",
            Self::Contacts => "/contacts",
            Self::Joints => "/joints",
            Self::JointStates => "/joint_states",
        }
    }

    /// Name of its kind of message.
    pub const fn schema_name(self) -> &'static str {
        match self {
            Self::Meshes => "carom.Mesh",
            Self::Bodies => "carom.Body",
            Self::States => "carom.States",
            Self::Ledger => "carom.Ledger",
            Self::Events => "carom.Event",
            Self::Contacts => "carom.Contacts",
            Self::Joints => "carom.Joint",
            Self::JointStates => "carom.JointStates",
        }
    }

    /// How its messages are encoded, by the names of the MCAP registry.
    pub const fn encoding(self) -> &'static str {
        match self {
            Self::Meshes | Self::States | Self::Ledger | Self::Contacts | Self::JointStates => {
                "protobuf"
            }
            Self::Bodies | Self::Events | Self::Joints => "json",
        }
    }

    /// The encoding and the text or bytes of its schema.
    pub(crate) fn schema(self) -> (&'static str, Vec<u8>) {
        match self {
            Self::Meshes | Self::States | Self::Ledger | Self::Contacts | Self::JointStates => {
                ("protobuf", crate::messages::descriptor_set())
            }
            Self::Bodies => ("jsonschema", crate::bodies::JSON_SCHEMA.as_bytes().to_vec()),
            Self::Joints => ("jsonschema", crate::joints::JSON_SCHEMA.as_bytes().to_vec()),
            Self::Events => ("jsonschema", crate::events::JSON_SCHEMA.as_bytes().to_vec()),
        }
    }

    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|topic| topic.name() == name)
    }
}

/// Simulated seconds as a log time `[ns]`; what does not fit is clamped.
pub(crate) fn log_time(time: f64) -> u64 {
    // The conversion saturates, and takes negative numbers and NaN to 0.
    (time * 1e9).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_times_are_rounded_and_clamped() {
        assert_eq!(log_time(1.0 / 3.0), 333_333_333);
        assert_eq!(log_time(-1.0), 0);
        assert_eq!(log_time(f64::NAN), 0);
        assert_eq!(log_time(f64::INFINITY), u64::MAX);
    }

    #[test]
    fn every_topic_is_found_by_its_name() {
        for topic in Topic::ALL {
            assert_eq!(Topic::of_name(topic.name()), Some(topic));
        }
        assert_eq!(Topic::of_name("/other"), None);
    }
}
