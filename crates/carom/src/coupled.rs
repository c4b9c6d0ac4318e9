//! Coupled groups: bodies that do not move independently.
//!
//! A linkage is integrated ahead, from the state in which something last changed it, to a time that its tolerance allows
//! (`carom_dynamics::linkage`). The segment, a *course*, is data: every link has a motion in it which is asked like any other. A
//! strike, a command or the end of the course asks for the next one, at the end of the instant.
//!
//! Between two such times motors do work, dampers take energy, and the integrator errs. What a course has done up to a time
//! is its *flow*; the ledger books it when the course ends or is cut, and reads add it for courses that go on.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use carom_dynamics::collocation::IntegrationError;
use carom_dynamics::linkage::{
    self, Ahead, Contacts, Course, Drive, Grip, Linkage, Mode, Situation, StopStrike, Surfaces,
    Window, Workspace,
};
use carom_dynamics::spatial::ForceVector;
use carom_dynamics::tree::{LinkImpulse, LinkPoint, SingularJoint};
use carom_dynamics::{BodyState, Impulse, Motion};
use glam::{DMat3, DVec3};
use smallvec::SmallVec;

use crate::assemble::JointBefore;
use crate::body::BodyId;
use crate::element::ElementId;
use crate::event::JointLoad;
use crate::joint::JointId;
use crate::lasting::Meets;
use crate::transitions::{self, Break, Note};

/// Transitions of one linkage at one instant that are taken to come to an end.
const MOST_AT_ONCE: usize = 64;

/// A body of a linkage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) body: BodyId,
    /// The joint that carries it; none of a body that floats.
    pub(crate) joint: Option<JointId>,
}

/// What moves the bodies of a coupled group.
#[derive(Debug)]
pub(crate) struct Coupled {
    linkage: Arc<Linkage>,
    /// In the order of the linkage.
    links: Vec<Link>,
    /// Force elements, in the order of the linkage.
    elements: Vec<ElementId>,
    /// Pairs in lasting contact, in their order.
    lasting: Vec<[BodyId; 2]>,
    /// The surfaces at which they touch, on the present course.
    meets: Option<Arc<Meets>>,
    /// Forces of motors, as they were last commanded; one for each freedom.
    torque: Vec<f64>,
    /// Wrenches held on links, in world axes at their centres of mass; one for each link, or none at all.
    wrenches: Vec<ForceVector>,
    /// The integrator's memory before the present course was made: together with the course's beginning, all it was made from.
    before: Ahead,
    /// And after it.
    ahead: Ahead,
    course: Option<Arc<Course>>,
    /// What friction and stops hold, on the present course.
    mode: Mode,
    /// Links whose joints were there before the present instant.
    known: Vec<bool>,
    /// Of each link; stand-ins until the end of the instant in which the linkage was made.
    motions: Vec<Motion>,
    restart: Option<Restart>,
    /// Storage for calculations; never part of a state.
    room: Mutex<Workspace>,
    view: Mutex<Window>,
}

/// A state from which the next course is made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Restart {
    q: Vec<f64>,
    v: Vec<f64>,
    /// Of the links' frames: centres of mass, in the links' axes.
    frames: Vec<BodyState>,
    /// The same after the last impulses and before the stops that they drove links against; empty where there were none.
    driven: Vec<BodyState>,
    /// Energy that stops have taken in the making `[J]`.
    loss: f64,
    /// The stops that took it.
    strikes: Vec<StopStrike>,
    /// What joints carried of impulses, where that can be too much; one for each link, or none.
    carried: Vec<ForceVector>,
    /// Work of what is driven in impacts of contacts `[J]`.
    driven_work: f64,
    /// Energy that opening gaps added `[J]`.
    lifted: f64,
    /// Impulses of contacts, pair by pair.
    pushes: Vec<Push>,
}

impl Restart {
    pub(crate) fn frame(&self, link: u32) -> BodyState {
        self.frames[link as usize]
    }

    /// What the impulses alone made of a link: on this they did their work.
    pub(crate) fn driven_frame(&self, link: u32) -> BodyState {
        self.driven.get(link as usize).copied().unwrap_or_else(|| self.frame(link))
    }
}

/// What a linkage's next course is to be.
#[derive(Debug)]
pub(crate) struct Renewed {
    course: Arc<Course>,
    mode: Mode,
    /// Energy that stops took at its beginning `[J]`.
    loss: f64,
    /// The stops that took it.
    strikes: Vec<StopStrike>,
    /// Work of what is driven in impacts of contacts `[J]`.
    driven_work: f64,
    /// Energy that opening gaps added `[J]`.
    lifted: f64,
    /// Impulses of contacts at its beginning, pair by pair.
    pushes: Vec<Push>,
    meets: Option<Arc<Meets>>,
    before: Ahead,
    ahead: Ahead,
}

/// How a linkage goes on.
#[derive(Debug)]
pub(crate) enum Onward {
    /// As it is.
    Course(Box<Renewed>),
    /// In pieces: these joints break, in this state.
    Breaks(Vec<Break>, Restart),
    /// In pieces: these pairs no longer touch, in this state.
    Leaves(Vec<[BodyId; 2]>, Restart),
    /// Not by itself: there is no room for the gaps of its contacts unless these pairs, which are near, move along.
    Crowded(Vec<[BodyId; 2]>, Restart),
}

/// What opening gaps came to.
enum Lifted {
    /// It added so much energy `[J]`.
    By(f64),
    /// There is no room unless these pairs move along.
    Crowded(Vec<[BodyId; 2]>),
}

/// What came and went along a course `[J]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Flow {
    /// Of motors.
    pub(crate) work: f64,
    /// In dampers and by friction.
    pub(crate) loss: f64,
    /// In impacts on stops.
    pub(crate) stopped: f64,
    /// Added by the integrator.
    pub(crate) error: f64,
    /// Added by holding the gaps of contacts.
    pub(crate) hold: f64,
    /// Impulses of contacts, pair by pair.
    pub(crate) pushes: Vec<Push>,
}

/// What a pair in lasting contact gave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Push {
    pub(crate) bodies: [BodyId; 2],
    /// The convex pieces that touch.
    pub(crate) pieces: [u32; 2],
    /// Along the normal `[N·s]`.
    pub(crate) impulse: f64,
}

/// Energies of a linkage `[J]`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Energies {
    pub(crate) kinetic: f64,
    /// In gravity and in springs.
    pub(crate) potential: f64,
}

impl Clone for Coupled {
    fn clone(&self) -> Self {
        Self {
            linkage: Arc::clone(&self.linkage),
            links: self.links.clone(),
            elements: self.elements.clone(),
            lasting: self.lasting.clone(),
            meets: self.meets.clone(),
            torque: self.torque.clone(),
            wrenches: self.wrenches.clone(),
            before: self.before.clone(),
            ahead: self.ahead.clone(),
            course: self.course.clone(),
            mode: self.mode.clone(),
            known: self.known.clone(),
            motions: self.motions.clone(),
            restart: self.restart.clone(),
            room: Mutex::new(Workspace::new(&self.linkage)),
            view: Mutex::default(),
        }
    }
}

/// Making and asking.
impl Coupled {
    /// A linkage in a state, from which its first course is made at the end of the instant.
    pub(crate) fn new(
        linkage: Linkage,
        (links, elements): (Vec<Link>, Vec<ElementId>),
        lasting: Vec<[BodyId; 2]>,
        [q, v]: [Vec<f64>; 2],
    ) -> Self {
        let mut room = Workspace::new(&linkage);
        let mut frames = Vec::new();
        linkage.body_states(&q, &v, &mut room, &mut frames);
        Self {
            torque: vec![0.0; linkage.tree().n_v()],
            wrenches: Vec::new(),
            linkage: Arc::new(linkage),
            known: vec![false; links.len()],
            links,
            elements,
            lasting,
            meets: None,
            before: Ahead::new(),
            ahead: Ahead::new(),
            course: None,
            mode: Mode::default(),
            motions: frames.iter().map(|frame| Motion::Fixed(frame.pose())).collect(),
            restart: Some(Restart {
                q,
                v,
                frames,
                driven: Vec::new(),
                loss: 0.0,
                strikes: Vec::new(),
                carried: Vec::new(),
                driven_work: 0.0,
                lifted: 0.0,
                pushes: Vec::new(),
            }),
            room: Mutex::new(room),
            view: Mutex::default(),
        }
    }

    pub(crate) const fn linkage(&self) -> &Arc<Linkage> {
        &self.linkage
    }

    pub(crate) fn links(&self) -> &[Link] {
        &self.links
    }

    /// Pairs in lasting contact.
    pub(crate) fn lasting(&self) -> &[[BodyId; 2]] {
        &self.lasting
    }

    /// The surfaces at which they touch, on the present course.
    pub(crate) const fn meets(&self) -> Option<&Arc<Meets>> {
        self.meets.as_ref()
    }

    /// The link of a joint.
    pub(crate) fn link_of(&self, joint: JointId) -> Option<usize> {
        self.links.iter().position(|link| link.joint == Some(joint))
    }

    pub(crate) fn torque(&self) -> &[f64] {
        &self.torque
    }

    pub(crate) fn course(&self) -> Option<&Arc<Course>> {
        self.course.as_ref()
    }

    /// The integrator's memory before the present course was made.
    pub(crate) const fn before(&self) -> &Ahead {
        &self.before
    }

    pub(crate) const fn mode(&self) -> &Mode {
        &self.mode
    }

    pub(crate) fn motion(&self, link: u32) -> &Motion {
        &self.motions[link as usize]
    }

    pub(crate) const fn is_restarted(&self) -> bool {
        self.restart.is_some()
    }

    /// True of a single body that no joint holds, only a force.
    pub(crate) fn is_alone(&self) -> bool {
        matches!(self.links[..], [Link { joint: None, .. }]) && self.lasting.is_empty()
    }

    /// True when the course does not reach beyond `time`.
    pub(crate) fn is_at_its_end(&self, time: f64) -> bool {
        self.course.as_ref().is_none_or(|course| course.span().end <= time)
    }

    /// State of a link's frame; within an instant, what the instant made of it so far.
    pub(crate) fn frame_at(&self, link: u32, time: f64) -> BodyState {
        match &self.restart {
            Some(restart) => restart.frames[link as usize],
            None => self.motions[link as usize].state_at(time),
        }
    }

    /// Configuration and velocity; within an instant, what the instant made of them so far.
    pub(crate) fn joint_state(&self, time: f64) -> (Vec<f64>, Vec<f64>) {
        let tree = self.linkage.tree();
        match (&self.restart, &self.course) {
            (Some(Restart { q, v, .. }), _) => (q.clone(), v.clone()),
            (None, Some(course)) => {
                let (mut q, mut v) = (vec![0.0; tree.n_q()], vec![0.0; tree.n_v()]);
                course.joint_state(time, &mut q, &mut v);
                (q, v)
            }
            (None, None) => (tree.neutral(), vec![0.0; tree.n_v()]),
        }
    }

    /// Configuration and velocity of the joint of one link, as [`Self::joint_state`] gives them.
    pub(crate) fn joint_state_of(&self, link: usize, time: f64) -> (Vec<f64>, Vec<f64>) {
        let tree = self.linkage.tree();
        let (of_q, of_v) = (tree.q_range(link), tree.v_range(link));
        if let (None, Some(course)) = (&self.restart, &self.course) {
            let (mut q, mut v) = (vec![0.0; of_q.len()], vec![0.0; of_v.len()]);
            course.joint_state_of(link, time, &mut q, &mut v);
            return (q, v);
        }
        let (q, v) = self.joint_state(time);
        (q[of_q].to_vec(), v[of_v].to_vec())
    }

    /// Room for bounds of all links.
    pub(crate) fn view(&self) -> MutexGuard<'_, Window> {
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn room(&self) -> MutexGuard<'_, Workspace> {
        // A panic leaves nothing in it that anybody reads.
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Impulses.
impl Coupled {
    /// A state to go on from.
    fn state_of(&self, q: Vec<f64>, v: Vec<f64>) -> Restart {
        let mut frames = Vec::with_capacity(self.links.len());
        self.linkage.body_states(&q, &v, &mut self.room(), &mut frames);
        let empty = Restart {
            q: Vec::new(),
            v: Vec::new(),
            frames: Vec::new(),
            driven: Vec::new(),
            loss: 0.0,
            strikes: Vec::new(),
            carried: Vec::new(),
            driven_work: 0.0,
            lifted: 0.0,
            pushes: Vec::new(),
        };
        let before = self.restart.clone().unwrap_or(empty);
        Restart { q, v, frames, driven: Vec::new(), ..before }
    }

    /// Goes on from where it is, by a course yet to be made.
    pub(crate) fn cut(&mut self, time: f64) {
        if self.restart.is_none() {
            let (q, v) = self.joint_state(time);
            self.restart = Some(self.state_of(q, v));
        }
    }

    /// What impulses on links, all at once, make of it.
    pub(crate) fn struck(&self, time: f64, impulses: &[(u32, Impulse)]) -> Result<Restart, String> {
        let (q, v) = self.joint_state(time);
        let impulses: SmallVec<[LinkImpulse; 2]> = impulses
            .iter()
            .map(|(link, impulse)| LinkImpulse { link: *link as usize, impulse: *impulse })
            .collect();
        let mut after = vec![0.0; v.len()];
        let mut room = self.room();
        let singular = |it: SingularJoint| it.to_string();
        self.linkage.struck(&q, &v, &impulses, &[], &mut room, &mut after).map_err(singular)?;
        let free = after.clone();
        // What is driven against a stop leaves it at once.
        let (drive, mut mode) = (self.drive_now(DVec3::ZERO), self.mode.clone());
        let settled = self
            .linkage
            .settle(&q, &mut after, &drive, None, &mut mode, &mut room)
            .map_err(|it| it.to_string())?;
        let strikes = room.strikes().to_vec();
        let mut driven = Vec::new();
        if settled.strikes > 0 {
            self.linkage.body_states(&q, &free, &mut room, &mut driven);
        }
        drop(room);
        let mut restart = self.state_of(q, after);
        restart.driven = driven;
        restart.loss += settled.loss;
        restart.strikes.extend(strikes);
        if self.linkage.breaks_by_impulses() {
            let (jump, mut room) = ([&v[..], &restart.v[..]], self.room());
            let (q, carried) = (&restart.q, &mut restart.carried);
            self.linkage.carried_impulses(q, jump, &impulses, &mut room, carried);
        }
        Ok(restart)
    }

    /// Goes on from a state, by a course yet to be made.
    pub(crate) fn go_on_from(&mut self, restart: Restart) {
        self.restart = Some(restart);
    }

    /// How points of links answer impulses at points of links: the blocks K with Δu_a = K_ab·p_b, row by row `[1/kg]`.
    pub(crate) fn responses<const N: usize>(
        &self,
        time: f64,
        points: [(u32, DVec3); N],
    ) -> Option<[[DMat3; N]; N]> {
        let (q, _) = self.joint_state(time);
        let points = points.map(|(link, point)| LinkPoint { link: link as usize, point });
        let mut blocks = [[DMat3::ZERO; N]; N];
        let flat = blocks.as_flattened_mut();
        self.linkage.responses(&q, &points, &mut self.room(), flat).ok()?;
        Some(blocks)
    }

    /// Changes the forces of the motors in some freedoms.
    pub(crate) fn drive(&mut self, time: f64, freedoms: std::ops::Range<usize>, torque: &[f64]) {
        self.cut(time);
        self.torque[freedoms].copy_from_slice(torque);
    }

    /// Sets all forces of motors, of a linkage that is on no course yet.
    pub(crate) fn set_torque(&mut self, torque: Vec<f64>) {
        self.torque = torque;
    }

    /// Takes over the wrenches that are held on its bodies.
    pub(crate) fn take_wrenches(&mut self, held: &BTreeMap<BodyId, ForceVector>) {
        let of = |link: &Link| held.get(&link.body).copied().unwrap_or_default();
        let wrenches: Vec<ForceVector> = self.links.iter().map(of).collect();
        let is_any = wrenches.iter().any(|wrench| *wrench != ForceVector::ZERO);
        self.wrenches = if is_any { wrenches } else { Vec::new() };
    }

    /// What acts from outside, as it is held.
    pub(crate) fn drive_now(&self, gravity: DVec3) -> Drive {
        let still = self.torque.iter().all(|torque| *torque == 0.0);
        let torque = if still { Vec::new() } else { self.torque.clone() };
        Drive { gravity, torque, wrenches: self.wrenches.clone() }
    }

    /// Accelerations where motors are as commanded, and forces of motors where accelerations are prescribed; see
    /// [`Linkage::required`]. Returns v̇ and the forces.
    pub(crate) fn required(
        &self,
        time: f64,
        [q, v]: [&[f64]; 2],
        gravity: DVec3,
        prescribed: &[Option<f64>],
    ) -> Result<[Vec<f64>; 2], SingularJoint> {
        let mut v_dot: Vec<f64> = prescribed.iter().map(|it| it.unwrap_or(0.0)).collect();
        let mut torque = vec![0.0; v_dot.len()];
        let is_prescribed: Vec<bool> = prescribed.iter().map(Option::is_some).collect();
        let drive = self.drive_now(gravity);
        let at = Situation { time, q, v, drive: &drive, mode: &self.mode };
        let out = [&mut v_dot[..], &mut torque[..]];
        self.linkage.required(&at, &is_prescribed, out, &mut self.room())?;
        Ok([v_dot, torque])
    }

    /// Takes over the forces of motors that joints have already, and what holds them.
    pub(crate) fn take_over<'a>(&mut self, of: impl Fn(JointId) -> Option<&'a JointBefore>) {
        let mut grips = vec![Grip::Free; self.torque.len()];
        for (link, it) in self.links.iter().enumerate() {
            let Some(before) = it.joint.and_then(&of) else { continue };
            let freedoms = self.linkage.tree().v_range(link);
            self.torque[freedoms.clone()].copy_from_slice(&before.torque);
            if let Some(own) = &before.grips {
                grips[freedoms].copy_from_slice(own);
                self.known[link] = true;
            }
        }
        self.mode = Mode::new(grips);
    }

    /// What holds the freedoms of a link.
    pub(crate) fn grips(&self, link: usize) -> Vec<Grip> {
        self.linkage.tree().v_range(link).map(|freedom| self.mode.grip(freedom)).collect()
    }
}

/// Courses.
impl Coupled {
    /// The next course, from a time that its present one has come to or in which it was changed.
    pub(crate) fn renewed(
        &self,
        time: f64,
        gravity: DVec3,
        meets: Option<Arc<Meets>>,
        guards: &dyn Fn() -> Meets,
        may_sleep: bool,
    ) -> Result<Onward, String> {
        let (mut q, mut v) = self.joint_state(time);
        let mut mode = self.mode.clone();
        mode.set_contacts(contacts_of(meets.as_ref()));
        let mut driven_work = self.restart.as_ref().map_or(0.0, |it| it.driven_work);
        let mut lifted = self.restart.as_ref().map_or(0.0, |it| it.lifted);
        match self.lift(time, &mut q, &v, gravity, (&mode, guards))? {
            Lifted::By(energy) => lifted += energy,
            Lifted::Crowded(pairs) => return Ok(Onward::Crowded(pairs, self.state_of(q, v))),
        }
        let mut pushes = self.restart.as_ref().map_or_else(Vec::new, |it| it.pushes.clone());
        let (mut strikes, mut carried) = match &self.restart {
            Some(it) => (it.strikes.clone(), it.carried.clone()),
            None => (Vec::new(), Vec::new()),
        };
        let mut loss = self.restart.as_ref().map_or(0.0, |it| it.loss);
        let breaks = |broken: Vec<Break>, v: &[f64], loss: f64, strikes: &[StopStrike]| {
            let strikes = strikes.to_vec();
            let state = self.state_of(q.clone(), v.to_vec());
            Ok(Onward::Breaks(broken, Restart { loss, strikes, ..state }))
        };
        let broken = self.broken_by(&carried, &q);
        if !broken.is_empty() {
            return breaks(broken, &v, loss, &strikes);
        }
        let ended = self.course.as_ref().filter(|_| self.restart.is_none());
        if let Some(broken) = ended.and_then(|course| self.broken_at_the_end_of(course)) {
            return breaks(vec![broken], &v, loss, &strikes);
        }
        let mut transition = ended.and_then(|course| course.transition());
        let drive = self.drive_now(gravity);
        // What is due at once ends a course where it begins.
        for _ in 0..MOST_AT_ONCE {
            let (before, mut room) = (v.clone(), self.room());
            let settled = self
                .linkage
                .settle(&q, &mut v, &drive, transition, &mut mode, &mut room)
                .map_err(|it| it.to_string())?;
            loss += settled.loss;
            if settled.strikes > 0 {
                strikes.extend_from_slice(room.strikes());
                let jump = [&before[..], &v[..]];
                if self.linkage.breaks_by_impulses() {
                    self.linkage.carried_impulses(&q, jump, &[], &mut room, &mut carried);
                }
            }
            let met = self
                .linkage
                .settle_contacts(time, &q, &mut v, &drive, &mut mode, &mut room)
                .map_err(|it| it.to_string())?;
            drop(room);
            loss += met.loss;
            driven_work += met.driven;
            if let Some(meets) = &meets {
                pushes.extend(meets.pushes(&met.impulses));
                let idle = meets.idle_pairs(mode.contacts().active());
                if !idle.is_empty() {
                    let state = self.state_of(q, v);
                    let restart =
                        Restart { loss, strikes, carried, driven_work, lifted, pushes, ..state };
                    return Ok(Onward::Leaves(idle, restart));
                }
            }
            let broken = self.broken_by(&carried, &q);
            if !broken.is_empty() {
                return breaks(broken, &v, loss, &strikes);
            }
            if may_sleep && self.can_sleep(time, [&q, &v], &drive, &mode) {
                let kinetic = self.linkage.kinetic_energy(&q, &v, &mut self.room());
                loss += kinetic;
                let made = self.asleep(time, &q, mode, &drive);
                let made = Renewed { loss, strikes, driven_work, lifted, pushes, meets, ..made };
                return Ok(Onward::Course(Box::new(made)));
            }
            let made = self
                .made(time, [&q, &v], mode.clone(), gravity, self.ahead.clone())
                .map_err(|it| it.to_string())?;
            transition = made.course.transition();
            if made.course.span().end > time {
                let made = Renewed { loss, strikes, driven_work, lifted, pushes, meets, ..made };
                return Ok(Onward::Course(Box::new(made)));
            }
            if let Some(broken) = self.broken_at_the_end_of(&made.course) {
                return breaks(vec![broken], &v, loss, &strikes);
            }
        }
        Err("its joints stick, slip and strike their stops all at once, without end".to_owned())
    }

    fn can_sleep(&self, time: f64, [q, v]: [&[f64]; 2], drive: &Drive, mode: &Mode) -> bool {
        self.linkage.can_sleep(time, q, v, drive, mode, &mut self.room())
    }

    /// The course of a linkage that stays where it is.
    pub(crate) fn asleep(&self, time: f64, q: &[f64], mode: Mode, drive: &Drive) -> Renewed {
        let course = Course::at_rest(Arc::clone(&self.linkage), time, q, &mode, drive);
        Renewed {
            course: Arc::new(course),
            mode,
            loss: 0.0,
            strikes: Vec::new(),
            driven_work: 0.0,
            lifted: 0.0,
            pushes: Vec::new(),
            meets: None,
            before: self.ahead.clone(),
            ahead: Ahead::new(),
        }
    }

    /// True of a linkage that stays where it is.
    pub(crate) fn is_asleep(&self) -> bool {
        self.restart.is_none() && self.course.as_ref().is_some_and(|it| it.is_at_rest())
    }

    /// Opens the gaps of contacts that are too small; the energy that this adds `[J]`.
    fn lift(
        &self,
        time: f64,
        q: &mut Vec<f64>,
        v: &[f64],
        gravity: DVec3,
        (mode, guards): (&Mode, &dyn Fn() -> Meets),
    ) -> Result<Lifted, String> {
        let mut room = self.room();
        if !self.linkage.has_low_contacts(time, q, mode.contacts(), &mut room) {
            return Ok(Lifted::By(0.0));
        }
        let total = |energies: Energies| energies.kinetic + energies.potential;
        let before = total(energies(&self.linkage, [q, v], gravity, &mut room));
        drop(room);
        let guards = guards();
        let mut room = self.room();
        let stood = q.clone();
        if let Err(error) = self.linkage.lift_contacts(time, q, mode.contacts(), &guards, &mut room)
        {
            *q = stood;
            let pairs = guards.strangers(&self.lasting);
            if pairs.is_empty() {
                return Err(format!("there is no room for the gaps of its contacts: {error}"));
            }
            return Ok(Lifted::Crowded(pairs));
        }
        Ok(Lifted::By(total(energies(&self.linkage, [q, v], gravity, &mut room)) - before))
    }

    /// A course from its beginning, as it was made once.
    pub(crate) fn made(
        &self,
        time: f64,
        [q, v]: [&[f64]; 2],
        mode: Mode,
        gravity: DVec3,
        before: Ahead,
    ) -> Result<Renewed, IntegrationError> {
        let drive = self.drive_now(gravity);
        let mut ahead = before.clone();
        let surfaces = mode.contacts().surfaces();
        let latest = surfaces.map_or(f64::INFINITY, |it| it.smooth_until(time));
        let mut room = self.room();
        let course =
            self.linkage.extend(time, q, v, &mode, &drive, latest, &mut ahead, &mut room)?;
        let course = Arc::new(course);
        Ok(Renewed {
            course,
            mode,
            loss: 0.0,
            strikes: Vec::new(),
            driven_work: 0.0,
            lifted: 0.0,
            pushes: Vec::new(),
            meets: None,
            before,
            ahead,
        })
    }

    /// Follows a new course; what the old one has done up to `time` is returned, and what there is to tell.
    pub(crate) fn follow(&mut self, renewed: Renewed, time: f64) -> (Flow, Vec<Note>) {
        let mut flow = self.flow(time);
        let Renewed {
            course,
            mode,
            loss,
            strikes,
            driven_work,
            lifted,
            pushes,
            meets,
            before,
            ahead,
        } = renewed;
        flow.stopped = loss;
        flow.work += driven_work;
        flow.hold += lifted;
        flow.pushes.extend(pushes);
        let is_known = |freedom| self.known[self.linkage.tree().link_of_freedom(freedom)];
        let mut notes = transitions::notes(strikes, [&self.mode, &mode], is_known);
        if let Some(old) = self.course.as_ref().filter(|_| !self.elements.is_empty()) {
            notes.extend(transitions::ropes(&self.elements, old, &course));
        }
        self.known.fill(true);
        self.mode = mode;
        self.motions.clear();
        self.motions.extend((0..self.links.len()).map(|link| Motion::Linked(course.link(link))));
        (self.before, self.ahead) = (before, ahead);
        self.course = Some(course);
        self.meets = meets;
        self.restart = None;
        (flow, notes)
    }

    /// What the joint of a link carries at a time of the present course, just before if the linkage was struck at this instant.
    pub(crate) fn load(&self, link: usize, time: f64) -> Option<JointLoad> {
        self.course.as_ref().and_then(|course| self.load_on(course, link, time))
    }

    fn load_on(&self, course: &Course, link: usize, time: f64) -> Option<JointLoad> {
        let (mut loads, mut room) = (Vec::new(), self.room());
        course.loads(time.min(course.span().end), &mut room, &mut loads).ok()?;
        Some(JointLoad::of(loads.get(link)?, room.link_pose(link).translation))
    }

    fn broken_at_the_end_of(&self, course: &Course) -> Option<Break> {
        let (link, overload) = course.breaks()?;
        let joint = self.links[link].joint?;
        let load = self.load_on(course, link, course.span().end)?;
        Some(Break { joint, overload, load })
    }

    /// The joints for which impulses were too much.
    fn broken_by(&self, carried: &[ForceVector], q: &[f64]) -> Vec<Break> {
        if carried.is_empty() {
            return Vec::new();
        }
        let still = vec![0.0; self.linkage.tree().n_v()];
        let mut room = self.room();
        self.linkage.place(q, &still, &mut room);
        let joint = |link: usize| Some((self.links[link].joint?, room.link_pose(link).translation));
        transitions::broken_by_impulses(&self.linkage, carried, joint)
    }

    /// What is to be booked and told of it where it is taken apart.
    pub(crate) fn closed(&self, time: f64) -> (Flow, Vec<Note>) {
        let mut flow = self.flow(time);
        let Some(restart) = &self.restart else { return (flow, Vec::new()) };
        flow.stopped = restart.loss;
        flow.work += restart.driven_work;
        flow.hold += restart.lifted;
        flow.pushes.extend(&restart.pushes);
        let strikes = restart.strikes.clone();
        (flow, transitions::notes(strikes, [&self.mode, &self.mode], |_| false))
    }

    /// What the present course has done up to a time.
    pub(crate) fn flow(&self, time: f64) -> Flow {
        let Some(course) = &self.course else { return Flow::default() };
        let (mut flow, impulses) = flow(course, time, &mut self.room());
        if let Some(meets) = &self.meets {
            flow.pushes = meets.pushes(&impulses);
        }
        flow
    }

    /// −Σ m·g·x for this gravity `[J]`.
    pub(crate) fn weight_energy(&self, time: f64, gravity: DVec3) -> f64 {
        let (q, _) = self.joint_state(time);
        self.linkage.potential_energy(&q, gravity, &mut self.room())
    }

    /// Energies at a time; within an instant, those that it has made so far.
    pub(crate) fn energies(&self, time: f64, gravity: DVec3) -> Energies {
        let (q, v) = self.joint_state(time);
        energies(&self.linkage, [&q, &v], gravity, &mut self.room())
    }
}

impl Renewed {
    /// With the surfaces at which it touches.
    pub(crate) fn touching(self, meets: Arc<Meets>) -> Self {
        Self { meets: Some(meets), ..self }
    }

    pub(crate) const fn course(&self) -> &Arc<Course> {
        &self.course
    }

    pub(crate) fn motion(&self, link: u32) -> Motion {
        Motion::Linked(self.course.link(link as usize))
    }
}

/// The contacts of surfaces, none of them active yet.
pub(crate) fn contacts_of(meets: Option<&Arc<Meets>>) -> Contacts {
    let Some(meets) = meets else { return Contacts::default() };
    let surfaces: Arc<dyn Surfaces> = Arc::<Meets>::clone(meets);
    let active = vec![false; surfaces.count()];
    Contacts::new(surfaces, active)
}

/// Energies of a linkage on a course, and what the course has done so far.
pub(crate) fn along(course: &Course, time: f64) -> (Energies, Flow) {
    let linkage = course.linkage();
    let mut room = Workspace::new(linkage);
    let (mut q, mut v) = (vec![0.0; linkage.tree().n_q()], vec![0.0; linkage.tree().n_v()]);
    course.joint_state(time, &mut q, &mut v);
    let energies = energies(linkage, [&q, &v], course.drive().gravity, &mut room);
    (energies, flow(course, time, &mut room).0)
}

/// What a course has done from its beginning to a time.
fn flow(course: &Course, time: f64, room: &mut Workspace) -> (Flow, Vec<f64>) {
    let start = course.span().start;
    if time <= start {
        return (Flow::default(), Vec::new());
    }
    let linkage::Flow { work, loss, hold, error, impulses } = course.flow(start, time, room);
    (Flow { work, loss, hold, error, ..Flow::default() }, impulses)
}

/// Energies of a linkage in a state.
fn energies(
    linkage: &Linkage,
    [q, v]: [&[f64]; 2],
    gravity: DVec3,
    room: &mut Workspace,
) -> Energies {
    Energies {
        kinetic: linkage.kinetic_energy(q, v, room),
        potential: linkage.potential_energy(q, gravity, room)
            + linkage.spring_energy(q, room)
            + linkage.element_energy(q, room),
    }
}
