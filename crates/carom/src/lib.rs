//! The engine of Carom: rigid bodies, exact motions between events, and one queue of events.
//!
//! **Takes** bodies, materials, laws of motion, commands and controllers. **Gives** a [`World`] that can be
//! advanced to any time and asked for the state of any body at any time up to its next event; what happened;
//! where every joule went; snapshots that continue with the same bits. **Refuses to know** files, clocks,
//! the environment and how anything is drawn.
//!
//! # The idea
//!
//! Everything that moves belongs to a *group* with a *motion*, which is data and answers questions: where at
//! t, in which box, how far at most. What passes between groups are *events* in one queue, ordered by time,
//! kind and owner. All events at one time are one *instant*, worked in four phases (`instant.rs`).
//!
//! ```
//! use carom::{Body, World};
//! use carom_geometry::{Shape, shapes::Ball};
//! use glam::DVec3;
//!
//! let mut world = World::builder().gravity(DVec3::new(0.0, 0.0, -9.81)).build()?;
//! let ball = world.add(
//!     Body::free(Shape::Ball(Ball::new(0.1)?))
//!         .density(2700.0)
//!         .at(DVec3::new(0.0, 0.0, 2.0))
//!         .velocity(DVec3::X),
//! )?;
//! world.advance_to(0.5)?;
//! let state = world.state(ball).expect("the ball is there");
//! assert!((state.position.z - (2.0 - 0.5 * 9.81 * 0.25)).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arena;
mod assemble;
mod body;
pub mod broad;
mod budget;
mod builder;
mod callbacks;
mod carriers;
mod command;
mod commands;
mod contact_forces;
mod contacts;
pub mod control;
mod controller;
mod coupled;
mod element;
mod error;
mod event;
mod explain;
mod forces;
mod graph;
mod group;
mod history;
mod instant;
mod invariants;
mod joint;
mod joint_states;
mod lasting;
mod ledger;
mod linkage_ref;
mod material;
mod near;
mod observe;
mod overlap;
mod owners;
mod queries;
mod queue;
mod reading;
mod refresh;
mod regime;
mod rounds;
pub mod sense;
mod short;
mod snapshot;
mod sum;
mod ties;
mod tolerances;
mod touches;
mod transitions;
mod windows;
mod workers;
mod world;

pub use body::{Body, BodyId};
pub use budget::Budget;
pub use builder::WorldBuilder;
pub use callbacks::{ContactBegin, ContactCallbacks, ContactEnd};
pub use command::{Command, Place, Push, Scheduled};
pub use contact_forces::ContactForce;
pub use contacts::{ContactReport, ContactSums};
pub use controller::{
    Commands, Controller, ControllerId, ControllerRef, LoadError, NotSavable, Rate, Readings,
};
pub use element::{Element, ElementId, ElementRef, Hold};
pub use error::{BodyError, ElementError, Fault, JointError, WorldError};
pub use event::{
    Collision, CollisionKind, Contact, Event, EventCounts, EventKind, Happening, JointLoad,
    JointSite, StateChange,
};
pub use explain::{Explanation, Forecast, Foreseen, Relation, Unnoticed};
pub use history::{History, JointAt, LinkageAt};
pub use joint::{Joint, JointId, JointKind, JointRef};
pub use joint_states::{FreedomState, JointState};
pub use ledger::Account;
pub use linkage_ref::LinkageRef;
pub use material::{Material, MaterialId, RestitutionLaw, Surface};
pub use near::Layers;
pub use observe::{Instant, Observer, Observers, SampleTimes, Stage, Stop, StopAtTouch, Stopwatch};
pub use queries::{ContactPoint, Hit, Nearest};
pub use reading::{BodyRef, Effort};
pub use regime::{ContactSettings, Impacts, Microcollisions, Regime};
pub use short::Short;
pub use snapshot::{Snapshot, SnapshotError, StateHash};
pub use world::{Settings, World};

pub use carom_contact::touch::Step;
pub use carom_dynamics::linkage::{JointForce, Overload, Sense, Strength, elements};
pub use carom_dynamics::tree::constraint::Side;
pub use carom_dynamics::{Ballistic, BodyState, Impulse, Law, Mass, Motion, Span};

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
