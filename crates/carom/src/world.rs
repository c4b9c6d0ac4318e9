//! The world: what there is, as it is now.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use carom_dynamics::spatial::ForceVector;
use carom_dynamics::{BodyState, Mass, Span};
use carom_geometry::Aabb;
use glam::DVec3;

use crate::arena::Arena;
use crate::body::{Body, BodyId, BodyRecord};
use crate::broad::{BroadPhase, BroadPhaseKind, Change, Neighbour};
use crate::budget::{Budget, Spent};
use crate::builder::WorldBuilder;
use crate::command::{Command, Place, Push, Scheduled};
use crate::contacts::Contacts;
use crate::control::Target;
use crate::controller::{Controller, ControllerId, Rate, Registered};
use crate::element::{Element, ElementId, ElementRecord};
use crate::error::{Fault, WorldError};
use crate::event::{Event, EventCounts};
use crate::group::{GroupId, Groups};
use crate::joint::{Joint, JointId, JointRecord};
use crate::lasting::LastingPairs;
use crate::ledger::Ledger;
use crate::material::{Material, MaterialId, Surface};
use crate::near::{Meetings, NearPairs, ordered};
use crate::observe::Observers;
use crate::owners::tick_entry;
use crate::queue::{Entry, Queue};
use crate::refresh::Remade;
use crate::regime::{ContactSettings, Regime};
use crate::rounds::Touching;
use crate::workers::Workers;

/// What holds for the whole world until a command changes it.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) gravity: DVec3,
    pub(crate) materials: Arena<MaterialId, Material>,
    /// Surfaces stated for pairs, the smaller material first.
    pub(crate) pairs: BTreeMap<(MaterialId, MaterialId), Surface>,
    pub(crate) contact: ContactSettings,
    pub(crate) settings: Settings,
    /// How accurately linkages are integrated; see [`WorldBuilder::tolerance`].
    pub(crate) tolerance: f64,
}

/// How a world goes about its work; none of it changes a trajectory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// What may happen before a run is taken to have run away.
    pub budget: Budget,
    /// How far a body may travel before its box is made anew, in radii of the body.
    pub window_radii: f64,
    /// How overlapping boxes are found.
    pub broad_phase: BroadPhaseKind,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            budget: Budget::default(),
            window_radii: 4.0,
            broad_phase: BroadPhaseKind::default(),
        }
    }
}

/// Exactly what a snapshot saves.
#[derive(Debug)]
pub(crate) struct WorldState {
    pub(crate) now: f64,
    pub(crate) bodies: Arena<BodyId, BodyRecord>,
    pub(crate) groups: Groups,
    pub(crate) joints: Arena<JointId, JointRecord>,
    pub(crate) elements: Arena<ElementId, ElementRecord>,
    /// Wrenches held on bodies, in world axes at their centres of mass; none is zero.
    pub(crate) forces: BTreeMap<BodyId, ForceVector>,
    pub(crate) pending: BTreeMap<Scheduled, Command>,
    /// How many commands have ever been scheduled.
    pub(crate) scheduled: u64,
    pub(crate) controllers: Arena<ControllerId, Registered>,
    /// Pairs that take no notice of each other, the smaller body first.
    pub(crate) excluded: BTreeSet<(BodyId, BodyId)>,
    /// Regimes stated for pairs, the smaller body first.
    pub(crate) regimes: BTreeMap<(BodyId, BodyId), Regime>,
    pub(crate) meetings: Meetings,
    pub(crate) contacts: Contacts,
    pub(crate) lasting: LastingPairs,
    pub(crate) ledger: Ledger,
    pub(crate) counts: EventCounts,
    pub(crate) spent: Spent,
    /// False until the world is first advanced: what is put into it before belongs to its beginning.
    pub(crate) begun: bool,
}

/// What can be thrown away at any time without changing a bit.
#[derive(Debug)]
pub(crate) struct Scratch {
    pub(crate) queue: Queue,
    pub(crate) names: BTreeMap<String, BodyId>,
    pub(crate) joint_names: BTreeMap<String, JointId>,
    pub(crate) due: Vec<Entry>,
    pub(crate) dirty: Vec<BodyId>,
    /// Groups that are being made anew, and what is made of them.
    pub(crate) groups: Vec<GroupId>,
    pub(crate) remade: Vec<Result<Remade, String>>,
    pub(crate) events: Vec<Event>,
    pub(crate) changed: Vec<BodyId>,
    pub(crate) workers: Workers,
    pub(crate) broad: BroadPhase,
    pub(crate) near: NearPairs,
    pub(crate) touching: Touching,
    /// Bodies with new boxes.
    pub(crate) moved: Vec<BodyId>,
    /// True when bodies have joined or left a group, or a pair was excluded or let in, since pairs were last examined.
    pub(crate) regrouped: bool,
    /// Pairs whose predictions are void.
    pub(crate) to_predict: Vec<u32>,
    pub(crate) changes: Vec<Change>,
    pub(crate) neighbours: Vec<Neighbour>,
    /// Instants since the invariants were last looked at.
    #[cfg(debug_assertions)]
    pub(crate) instants: u64,
    /// Set by a fault in the middle of an instant: the state is then no longer one between instants.
    pub(crate) broken: Option<(f64, String)>,
}

impl Scratch {
    pub(crate) fn new(workers: Workers, broad: BroadPhaseKind) -> Self {
        Self {
            queue: Queue::default(),
            names: BTreeMap::new(),
            joint_names: BTreeMap::new(),
            due: Vec::new(),
            dirty: Vec::new(),
            groups: Vec::new(),
            remade: Vec::new(),
            events: Vec::new(),
            changed: Vec::new(),
            workers,
            broad: BroadPhase::new(broad),
            near: NearPairs::default(),
            touching: Touching::default(),
            moved: Vec::new(),
            regrouped: false,
            to_predict: Vec::new(),
            changes: Vec::new(),
            neighbours: Vec::new(),
            #[cfg(debug_assertions)]
            instants: 0,
            broken: None,
        }
    }
}

/// Bodies, what moves them, and what is going to happen.
#[derive(Debug)]
pub struct World {
    pub(crate) model: Model,
    pub(crate) state: WorldState,
    pub(crate) scratch: Scratch,
}

/// Refuses vectors that are not finite.
pub(crate) fn finite(what: &'static str, value: DVec3) -> Result<(), WorldError> {
    if value.is_finite() { Ok(()) } else { Err(WorldError::NotFinite { what, value }) }
}

/// Refuses a gravity that is not finite, or whose square is not: energies and windows need both.
pub(crate) fn checked_gravity(gravity: DVec3) -> Result<(), WorldError> {
    if gravity.length_squared().is_finite() {
        Ok(())
    } else {
        Err(WorldError::NotFinite { what: "gravity", value: gravity })
    }
}

/// Refuses a tolerance that integrators cannot keep.
pub(crate) fn checked_tolerance(tolerance: f64) -> Result<(), WorldError> {
    if (1e-13..=1e-2).contains(&tolerance) {
        Ok(())
    } else {
        Err(WorldError::Tolerance { tolerance })
    }
}

/// Refuses an envelope that is no length.
pub(crate) fn checked_envelope(envelope: Option<f64>) -> Result<(), WorldError> {
    match envelope {
        Some(envelope) if !(envelope.is_finite() && envelope > 0.0) => {
            Err(WorldError::Envelope { envelope })
        }
        _ => Ok(()),
    }
}

/// Making a world and what is in it.
impl World {
    /// Standard gravity, downwards `[m/s²]`.
    pub const STANDARD_GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.80665);

    /// The tolerance of linkages unless told otherwise.
    pub const STANDARD_TOLERANCE: f64 = 1e-9;

    /// An empty world to be described.
    pub fn builder() -> WorldBuilder {
        WorldBuilder::default()
    }

    /// Adds a material.
    ///
    /// # Errors
    /// If its numbers are out of range.
    pub fn add_material(&mut self, material: Material) -> Result<MaterialId, WorldError> {
        checked_surface(&material.name, &material.surface)?;
        Ok(self.model.materials.insert(material))
    }

    /// States what a pair of materials does, instead of what [`Surface::combined`] says.
    ///
    /// # Errors
    /// If a material is not there or a number is out of range.
    pub fn set_pair(
        &mut self,
        a: MaterialId,
        b: MaterialId,
        surface: Surface,
    ) -> Result<(), WorldError> {
        let name = format!("{} and {}", self.material(a)?.name, self.material(b)?.name);
        checked_surface(&name, &surface)?;
        self.model.pairs.insert((a.min(b), a.max(b)), surface);
        Ok(())
    }

    /// A material.
    ///
    /// # Errors
    /// If it is not there.
    pub fn material(&self, material: MaterialId) -> Result<&Material, WorldError> {
        self.model.materials.get(material).ok_or(WorldError::NoMaterial { material })
    }

    /// What two materials do in contact.
    ///
    /// # Errors
    /// If one is not there.
    pub fn surface_of_pair(&self, a: MaterialId, b: MaterialId) -> Result<Surface, WorldError> {
        let (first, second) = (self.material(a)?, self.material(b)?);
        let stated = self.model.pairs.get(&(a.min(b), a.max(b)));
        Ok(stated.copied().unwrap_or_else(|| first.surface.combined(&second.surface)))
    }

    /// Adds a body now.
    ///
    /// # Errors
    /// If the body cannot be; nothing has changed then.
    pub fn add(&mut self, body: Body) -> Result<BodyId, WorldError> {
        let id = self.state.bodies.next_handle();
        self.command_now(Command::add(body))?;
        Ok(id)
    }

    /// Takes a body away now.
    ///
    /// # Errors
    /// If it is not there or carries another; nothing has changed then.
    pub fn remove(&mut self, body: BodyId) -> Result<(), WorldError> {
        self.command_now(Command::Remove(body))
    }

    /// Strikes a body now, at a point of the world.
    ///
    /// # Errors
    /// If the body is not there or not free, or a number is not finite; nothing has changed then.
    pub fn apply_impulse(
        &mut self,
        body: BodyId,
        impulse: DVec3,
        point: DVec3,
    ) -> Result<(), WorldError> {
        self.command_now(Command::Impulse(Push::at_point(body, impulse, point)))
    }

    /// Joins two bodies, or a body and the world, now. Bodies that are joined form a linkage and move together.
    ///
    /// # Errors
    /// If the joint cannot be; nothing has changed then.
    pub fn join(&mut self, joint: Joint) -> Result<JointId, WorldError> {
        let id = self.state.joints.next_handle();
        self.command_now(Command::Join(Box::new(joint)))?;
        Ok(id)
    }

    /// Joins many bodies at once, now: as [`World::join`] does one by one, but for links without mass, which hold together
    /// only when all of their joints are there. Where one joint states its rates, those that state none have none.
    ///
    /// # Errors
    /// If one of the joints cannot be; nothing has changed then.
    pub fn join_all(&mut self, joints: Vec<Joint>) -> Result<Vec<JointId>, WorldError> {
        let mut ahead = self.state.joints.clone();
        let ids = joints.iter().map(|_| ahead.reserve()).collect();
        self.command_now(Command::JoinAll(joints))?;
        Ok(ids)
    }

    /// Parts what a joint holds, now. Both bodies keep their velocities, and go on taking no notice of each other if they did.
    ///
    /// # Errors
    /// If the joint is not there.
    pub fn part(&mut self, joint: JointId) -> Result<(), WorldError> {
        self.command_now(Command::Part(joint))
    }

    /// Adds a force element now: a spring, a damper, a rope, drag. Bodies that an element joins move together.
    ///
    /// # Errors
    /// If it cannot be; nothing has changed then.
    pub fn add_element(&mut self, element: Element) -> Result<ElementId, WorldError> {
        let id = self.state.elements.next_handle();
        self.command_now(Command::Tie(Box::new(element)))?;
        Ok(id)
    }

    /// Takes a force element away now.
    ///
    /// # Errors
    /// If it is not there.
    pub fn remove_element(&mut self, element: ElementId) -> Result<(), WorldError> {
        self.command_now(Command::Untie(element))
    }

    /// Sets the forces that motors give to the freedoms of a joint from now on `[N·m or N]`.
    ///
    /// # Errors
    /// If the joint is not there, or the numbers are not finite or not one for each freedom; nothing has changed then.
    pub fn drive(&mut self, joint: JointId, torque: &[f64]) -> Result<(), WorldError> {
        self.command_now(Command::Drive { joint, torque: torque.into() })
    }

    /// Holds a force and a torque on a body from now on, instead of those that were held on it before; zero takes them away
    /// `[N, N·m]`. See [`Command::Force`].
    ///
    /// # Errors
    /// If the body is not there or not free, or a number is not finite; nothing has changed then.
    pub fn hold_force(
        &mut self,
        body: BodyId,
        force: DVec3,
        torque: DVec3,
        point: Place,
    ) -> Result<(), WorldError> {
        self.command_now(Command::Force { body, force, torque, point })
    }

    /// Changes gravity now `[m/s²]`.
    ///
    /// # Errors
    /// If it is not finite; nothing has changed then.
    pub fn set_gravity(&mut self, gravity: DVec3) -> Result<(), WorldError> {
        self.command_now(Command::Gravity(gravity))
    }

    /// Changes what a material does, now.
    ///
    /// # Errors
    /// If it is not there or a number is out of range; nothing has changed then.
    pub fn set_surface(
        &mut self,
        material: MaterialId,
        surface: Surface,
    ) -> Result<(), WorldError> {
        self.command_now(Command::Material { material, surface })
    }

    /// Lets a body ride on another's motion, or lets it go, or anything else, now.
    ///
    /// # Errors
    /// If the command cannot be carried out; nothing has changed then.
    pub fn command(&mut self, command: Command) -> Result<(), WorldError> {
        self.command_now(command)
    }

    /// Lets two bodies take no notice of each other from now on.
    ///
    /// # Errors
    /// If one is not there; nothing has changed then.
    pub fn exclude(&mut self, a: BodyId, b: BodyId) -> Result<(), WorldError> {
        self.command_now(Command::Exclude { bodies: [a, b], excluded: true })
    }

    /// Lets two bodies touch again that were excluded from it.
    ///
    /// # Errors
    /// If one is not there or they overlap; nothing has changed then.
    pub fn include(&mut self, a: BodyId, b: BodyId) -> Result<(), WorldError> {
        self.command_now(Command::Exclude { bodies: [a, b], excluded: false })
    }

    /// States how contact of two bodies is worked out, from now on.
    ///
    /// # Errors
    /// If one is not there; nothing has changed then.
    pub fn set_regime(&mut self, a: BodyId, b: BodyId, regime: Regime) -> Result<(), WorldError> {
        let [a, b] = ordered(a, b);
        if a == b {
            return Err(WorldError::NoPair { body: a });
        }
        self.record(a)?;
        self.record(b)?;
        self.state.regimes.insert((a, b), regime);
        Ok(())
    }

    /// How contact of two bodies is worked out.
    pub fn regime_of(&self, a: BodyId, b: BodyId) -> Regime {
        let [a, b] = ordered(a, b);
        self.state.regimes.get(&(a, b)).copied().unwrap_or(self.model.contact.regime)
    }

    /// Leaves a command for later; of several at one time, the one that was scheduled first comes first.
    ///
    /// # Errors
    /// If the time is not finite or before now.
    pub fn schedule(&mut self, time: f64, command: Command) -> Result<Scheduled, WorldError> {
        let now = self.state.now;
        if !time.is_finite() {
            return Err(WorldError::Time { time, reason: "not finite", now });
        }
        if time < now {
            return Err(WorldError::Time { time, reason: "in the past", now });
        }
        let key = Scheduled::new(time, self.state.scheduled);
        self.state.scheduled += 1;
        self.scratch.queue.push(key.entry());
        self.state.pending.insert(key, command);
        Ok(key)
    }

    /// Leaves a body for later; its handle is known already, and finds nothing until then.
    ///
    /// # Errors
    /// If the time is not finite or before now.
    pub fn schedule_add(
        &mut self,
        time: f64,
        body: Body,
    ) -> Result<(Scheduled, BodyId), WorldError> {
        let id = self.state.bodies.reserve();
        let command = Command::Add { body: Box::new(body), reserved: Some(id) };
        let scheduled = self.schedule(time, command);
        if scheduled.is_err() {
            self.state.bodies.remove(id);
        }
        Ok((scheduled?, id))
    }

    /// Takes a command back; true if it was still waiting.
    pub fn cancel(&mut self, scheduled: Scheduled) -> bool {
        let command = self.state.pending.remove(&scheduled);
        if let Some(Command::Add { reserved: Some(id), .. }) = command {
            self.state.bodies.remove(id);
            self.state.excluded.retain(|(a, b)| *a != id && *b != id);
        }
        command.is_some()
    }

    /// Adds a controller; its first tick is now.
    ///
    /// # Errors
    /// If the rate is not a positive finite number.
    pub fn add_controller(
        &mut self,
        rate: Rate,
        controller: Box<dyn Controller>,
    ) -> Result<ControllerId, WorldError> {
        if !rate.is_valid() {
            return Err(WorldError::Rate { rate: format!("{rate:?}") });
        }
        let registered = Registered {
            rate,
            start: self.state.now,
            count: 0,
            enabled: true,
            controller: Some(controller),
        };
        let time = registered.next_time();
        let id = self.state.controllers.insert(registered);
        self.scratch.queue.push(tick_entry(id, time));
        Ok(id)
    }

    /// Lets a controller tick or not, from now on; one that stops lets go of what it holds.
    ///
    /// # Errors
    /// If it is not there.
    pub fn enable(&mut self, controller: ControllerId, enabled: bool) -> Result<(), WorldError> {
        self.command_now(Command::Enable { controller, enabled })
    }

    /// Sets what a controller aims at, from its next tick on.
    ///
    /// # Errors
    /// If it is not there, does not control this freedom, or the target makes no sense; nothing has changed then.
    pub fn set_target(
        &mut self,
        controller: ControllerId,
        joint: JointId,
        freedom: usize,
        target: Target,
    ) -> Result<(), WorldError> {
        self.command_now(Command::Target { controller, joint, freedom, target })
    }

    /// Takes a controller away.
    ///
    /// # Errors
    /// If it is not there.
    pub fn remove_controller(
        &mut self,
        controller: ControllerId,
    ) -> Result<Box<dyn Controller>, WorldError> {
        let removed = self.state.controllers.remove(controller);
        removed.and_then(|it| it.controller).ok_or(WorldError::NoController { controller })
    }
}

/// −m g·x, zero at the origin `[J]`.
pub(crate) fn potential_energy(mass: &Mass, gravity: DVec3, state: &BodyState) -> f64 {
    -mass.mass * gravity.dot(state.position)
}

pub(crate) fn checked_surface(name: &str, surface: &Surface) -> Result<(), WorldError> {
    match surface.complaint() {
        Some(complaint) => Err(WorldError::Material { name: name.to_owned(), complaint }),
        None => Ok(()),
    }
}

/// Running.
impl World {
    /// Advances to a time, which must not be before now.
    ///
    /// # Errors
    /// If the run had to end before.
    pub fn advance_to(&mut self, time: f64) -> Result<(), Fault> {
        self.advance_watched(time, &mut Observers::none())
    }
}

/// Where a push acts, in the world `[m]`.
pub(crate) fn place_in_world(place: Place, state: &BodyState, reference: DVec3) -> DVec3 {
    match place {
        Place::Center => state.position,
        Place::World(point) => point,
        Place::Body(point) => state.pose().point(point - reference),
    }
}

/// The record of a body that was just put into a world.
pub(crate) fn unwatched(
    model: Arc<crate::body::BodyModel>,
    group: GroupId,
    epoch: u64,
) -> BodyRecord {
    BodyRecord {
        model,
        group,
        epoch,
        since: f64::NEG_INFINITY,
        window: Span::new(f64::NEG_INFINITY, f64::NEG_INFINITY),
        swept: Aabb::EMPTY,
    }
}
