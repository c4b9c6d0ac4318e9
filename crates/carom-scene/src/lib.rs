//! Scene files: from text to a checked scene.
//!
//! **Takes** TOML text with parameters, expressions, repetition and includes. **Gives** a [`Scene`] of plain
//! data, or [`Problems`]: all mistakes at once, each with file, line, column and what to do; and the
//! [`json_schema`] of the format. **Refuses to know** how anything moves.
//!
//! - [`load`] reads a [`Source`]. All files go through [`Files`], so that a recording can carry its scene and
//!   replay it: [`Scene::files`] lists every file that was read, and [`EmbeddedFiles`] reads from that list.
//! - Every table of the format is declared once; the struct it is read into, the keys it allows, the hints in
//!   messages and the JSON Schema all come from that declaration.
//! - No input makes it panic, hang or fill the memory: see [`Limits`].
//!
//! ```
//! use carom_scene::{DiskFiles, Options, Source, load};
//!
//! let text = r#"
//!     format = 1
//!     [parameters]
//!     height = 2
//!     [[body]]
//!     name = "ball"
//!     shape = { kind = "ball", radius = 0.1 }
//!     density = 1000
//!     position = [0, 0, "height + 0.1"]
//! "#;
//! let loaded = load(&Source::text("drop.toml", text), &Options::default(), &DiskFiles);
//! let scene = loaded.scene.ok_or_else(|| loaded.problems.render(false))?;
//! assert_eq!(scene.bodies[0].world_from_body.translation.z, 2.1);
//! # Ok::<(), String>(())
//! ```

mod build;
mod builtin;
mod controller;
mod decode;
mod element;
mod expectation;
pub mod expression;
pub mod files;
mod format;
mod gauge;
mod joint;
mod laws;
pub mod limits;
mod load;
mod material;
pub mod measure;
pub mod problem;
mod render;
pub mod robot;
mod scene;
mod starter;
mod suggest;
pub mod tolerances;
mod world;

pub use build::{
    DEFAULT_CONTROLLER_HZ, DEFAULT_GAUGE_HZ, DEFAULT_GRAVITY, DEFAULT_RATE_HZ, DEFAULT_UNTIL,
};
pub use builtin::{BUILT_IN, BuiltIn, built_in};
pub use controller::{ControlLaw, ControlledAxis, Controller, Gains};
pub use element::{Element, ElementEnd};
pub use expectation::{Bound, Expectation};
pub use files::{DiskFiles, EmbeddedFile, EmbeddedFiles, Files};
pub use format::json_schema;
pub use gauge::{Gauge, Measurand};
pub use joint::{Freedom, Joint};
pub use limits::{Limit, Limits};
pub use load::{Loaded, Options, Source, load};
pub use material::{Material, MaterialPair};
pub use problem::{Problem, Problems, Severity};
pub use scene::{
    Body, Change, ChangeKind, ContactOverrides, Impulse, MotionSpec, OnTouch, OscillatorTerm,
    PairRegime, Parameter, Point, Record, Scene, SceneCamera, Waypoint,
};
pub use starter::{STARTER, starter};
pub use suggest::nearest;
pub use world::Built;
