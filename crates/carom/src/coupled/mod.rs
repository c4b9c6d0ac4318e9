//! Coupled groups: bodies that do not move independently.
//!
//! A linkage is integrated ahead, from the state in which something last changed it, to a time that its tolerance allows
//! (`carom_dynamics::linkage`). The segment, a *course*, is data: every link has a motion in it which is asked like any other. A
//! strike, a command or the end of the course asks for the next one, at the end of the instant.
//!
//! Between two such times motors do work, dampers take energy, and the integrator errs. What a course has done up to a time
//! is its *flow*; the ledger books it when the course ends or is cut, and reads add it for courses that go on.

mod courses;
mod impulses;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use carom_dynamics::linkage::{
    self, Ahead, Contacts, Course, Linkage, Mode, StopStrike, Surfaces, Window, Workspace,
};
use carom_dynamics::spatial::ForceVector;
use carom_dynamics::{BodyState, Motion};
use glam::DVec3;

use crate::body::BodyId;
use crate::element::ElementId;
use crate::joint::JointId;
use crate::lasting::Meets;
use crate::transitions::Break;

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

/// What stops and contacts have done to a linkage since its last course, to be booked with the next.
#[derive(Clone, Debug, Default, PartialEq)]
struct Toll {
    /// Energy that stops and contacts have taken `[J]`.
    loss: f64,
    /// The stops that took some of it.
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

/// A state from which the next course is made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Restart {
    q: Vec<f64>,
    v: Vec<f64>,
    /// Of the links' frames: centres of mass, in the links' axes.
    frames: Vec<BodyState>,
    /// The same after the last impulses and before the stops that they drove links against; empty where there were none.
    driven: Vec<BodyState>,
    toll: Toll,
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
    toll: Toll,
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
            restart: Some(Restart { q, v, frames, driven: Vec::new(), toll: Toll::default() }),
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
    (Flow { work, loss, error, hold, ..Flow::default() }, impulses)
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
