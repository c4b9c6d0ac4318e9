//! One integrated segment of a linkage.

use std::sync::Arc;

use super::memo::Identity;
use super::{Drive, Ending, LinkMotion, Linkage, Mode, Overload, Transition};
use crate::Span;
use crate::collocation::{Clock, Coordinate, Effort, Segment, Weights};
use crate::tree::JointState;

/// One integrated segment of a linkage: data, every question a pure read, shared by its links.
#[derive(Clone, Debug)]
pub struct Course {
    linkage: Arc<Linkage>,
    pub(super) drive: Drive,
    pub(super) mode: Mode,
    /// What ended it before its time.
    ending: Option<Ending>,
    /// The state it was made from, and the start of its chart.
    q: Vec<f64>,
    v: Vec<f64>,
    clock: Clock,
    /// On which sides of their laws elements are; empty where no law has two.
    pub(super) beyond: Vec<bool>,
    /// Those of the chart.
    coordinates: Vec<Coordinate>,
    effort: Effort,
    identity: Identity,
}

impl PartialEq for Course {
    fn eq(&self, other: &Self) -> bool {
        let same = Arc::ptr_eq(&self.linkage, &other.linkage) || self.linkage == other.linkage;
        same && self.q == other.q
            && self.v == other.v
            && self.clock == other.clock
            && self.coordinates == other.coordinates
            && self.drive == other.drive
            && self.mode == other.mode
            && self.ending == other.ending
    }
}

/// One joint of a course at a time.
pub(super) struct JointAt {
    /// s, ṡ and s̈.
    pub(super) chart: [[f64; 6]; 3],
    pub(super) state: JointState,
}

impl Course {
    pub(super) fn new(
        linkage: Arc<Linkage>,
        (mode, drive): (Mode, Drive),
        [q, v]: [&[f64]; 2],
        segment: &Segment,
        effort: Effort,
    ) -> Self {
        let coordinates = (0..segment.freedoms()).map(|i| segment.single(i)).collect();
        let clock = segment.clock();
        let (q, v, ending) = (q.to_vec(), v.to_vec(), None);
        let beyond = Vec::new();
        let identity = Identity::new();
        Self { linkage, drive, mode, ending, q, v, clock, beyond, coordinates, effort, identity }
    }

    /// What tells it from all others; no part of what it is.
    pub(super) const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Of a linkage that stays where it is for ever, held by the contacts of a mode.
    pub fn at_rest(
        linkage: Arc<Linkage>,
        time: f64,
        q: &[f64],
        mode: &Mode,
        drive: &Drive,
    ) -> Self {
        let mut mode = mode.clone();
        mode.set_contacts(mode.contacts().at_rest(time));
        let count = linkage.tree().n_v();
        Self {
            drive: drive.clone(),
            mode,
            ending: None,
            q: q.to_vec(),
            v: vec![0.0; count],
            clock: Clock::standing(time),
            beyond: Vec::new(),
            coordinates: vec![Coordinate::STILL; count],
            effort: Effort::default(),
            identity: Identity::new(),
            linkage,
        }
    }

    /// True of a linkage that stays where it is for ever.
    pub fn is_at_rest(&self) -> bool {
        self.span().end == f64::INFINITY
    }

    /// Ends it earlier.
    pub(super) fn end_early(&mut self, time: f64) {
        self.clock.span = Span::new(self.span().start, time);
        self.ending = None;
    }

    /// When it can be asked.
    pub const fn span(&self) -> Span {
        self.clock.span
    }

    /// Whose course it is.
    pub const fn linkage(&self) -> &Arc<Linkage> {
        &self.linkage
    }

    /// What acts from outside.
    pub const fn drive(&self) -> &Drive {
        &self.drive
    }

    /// What holds its freedoms.
    pub const fn mode(&self) -> &Mode {
        &self.mode
    }

    /// What ends it, where that is neither the tolerance nor the time that was asked for.
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The transition that ends it, if one does.
    pub const fn transition(&self) -> Option<Transition> {
        match self.ending {
            Some(Ending::Transition(transition)) => Some(transition),
            _ => None,
        }
    }

    /// The link whose joint breaks where it ends, with what is too much, if one does.
    pub const fn breaks(&self) -> Option<(usize, Overload)> {
        match self.ending {
            Some(Ending::Breaks { link, overload }) => Some((link, overload)),
            _ => None,
        }
    }

    /// Whether an element is a rope that is slack; none where it is no rope.
    pub fn slackness(&self, element: usize) -> Option<bool> {
        let is_rope = self.linkage.elements().get(element)?.is_rope();
        self.beyond.get(element).copied().filter(|_| is_rope)
    }

    /// The state it was made from, to the bit.
    pub fn beginning(&self) -> (f64, &[f64], &[f64]) {
        (self.span().start, &self.q, &self.v)
    }

    /// What integration took.
    pub const fn effort(&self) -> &Effort {
        &self.effort
    }

    /// The motion of one link.
    ///
    /// # Panics
    /// If there is no such link.
    pub fn link(self: &Arc<Self>, link: usize) -> LinkMotion {
        assert!(link < self.linkage.tree().n_links(), "number of a link");
        LinkMotion::new(Arc::clone(self), link as u32)
    }

    /// Writes configuration and velocity at `time`; at the start those it was made from, to the bit.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn joint_state(&self, time: f64, q: &mut [f64], v: &mut [f64]) {
        let at = self.weights_at(time);
        let tree = self.linkage.tree();
        assert_eq!((q.len(), v.len()), (tree.n_q(), tree.n_v()), "lengths of q and v");
        for link in 0..tree.n_links() {
            let state = self.joint(link, &at).state;
            let (at_q, at_v) = (tree.q_range(link), tree.v_range(link));
            q[at_q.clone()].copy_from_slice(&state.q[..at_q.len()]);
            v[at_v.clone()].copy_from_slice(&state.v[..at_v.len()]);
        }
    }

    /// Configuration and velocity of one joint at `time`, as [`Self::joint_state`] gives them.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn joint_state_of(&self, link: usize, time: f64, q: &mut [f64], v: &mut [f64]) {
        let state = self.joint(link, &self.weights_at(time)).state;
        q.copy_from_slice(&state.q[..q.len()]);
        v.copy_from_slice(&state.v[..v.len()]);
    }

    pub(super) fn weights_at(&self, time: f64) -> Weights {
        self.clock.weights_at(time)
    }

    /// The joint of one link.
    pub(super) fn joint(&self, link: usize, at: &Weights) -> JointAt {
        let tree = self.linkage.tree();
        let freedoms = tree.v_range(link);
        let mut chart = [[0.0; 6]; 3];
        for (k, coordinate) in self.coordinates(link).iter().enumerate() {
            let [s, s_dot, s_ddot] = coordinate.at(at);
            chart[0][k] = s;
            chart[1][k] = s_dot;
            chart[2][k] = s_ddot;
        }
        let mut state = JointState::in_chart(tree, link, &self.q, &chart);
        if at.is_start() {
            // Turning velocities into a chart and back rounds.
            state.v[..freedoms.len()].copy_from_slice(&self.v[freedoms]);
        }
        if !self.linkage.restraints.is_empty() {
            self.clip(link, &mut state.q);
        }
        JointAt { chart, state }
    }

    /// Puts coordinates on their stops that are beyond them by rounding. The exact polynomials are within (`guard/`), so that
    /// this brings values nearer to them.
    fn clip(&self, link: usize, q: &mut [f64; 7]) {
        let joints = &self.linkage.joints[self.linkage.tree.v_range(link)];
        for (q, joint) in q.iter_mut().zip(joints) {
            if let Some([low, high]) = joint.limits {
                *q = q.clamp(low, high);
            }
        }
    }

    /// Ends it at θ, or the last time before that, because of something that happens there.
    pub(super) fn end_with(&mut self, theta: f64, ending: Ending) {
        let Span { start, end } = self.clock.span;
        let share = |time: f64| (time - start) / self.clock.length;
        let mut time = (start + theta * self.clock.length).clamp(start, end);
        while time > start && share(time) > theta {
            time = time.next_down();
        }
        self.clock.span.end = time;
        self.ending = Some(ending);
    }

    /// Takes over how many calls of the derivative it took.
    pub(super) fn count(&mut self, calls: u64) {
        self.effort.calls = calls;
    }

    /// θ of its end, at most 1.
    pub(super) fn end_share(&self) -> f64 {
        (self.span().length() / self.clock.length).min(1.0)
    }

    /// The coordinate of a freedom in the chart.
    pub(super) fn coordinate(&self, freedom: usize) -> &Coordinate {
        &self.coordinates[freedom]
    }

    /// q and v of the whole tree at the start.
    pub(super) fn start(&self) -> [&[f64]; 2] {
        [&self.q, &self.v]
    }

    /// The time at θ `[s]`.
    pub(super) fn time_at(&self, theta: f64) -> f64 {
        self.span().start + theta * self.clock.length
    }

    /// s and ṡ of all freedoms at a time.
    pub(super) fn chart_state(&self, time: f64, s: &mut [f64], s_dot: &mut [f64]) {
        let at = self.weights_at(time);
        for (k, coordinate) in self.coordinates.iter().enumerate() {
            [s[k], s_dot[k], _] = coordinate.at(&at);
        }
    }

    /// The freedoms of one joint.
    pub(super) fn coordinates(&self, link: usize) -> &[Coordinate] {
        &self.coordinates[self.linkage.tree().v_range(link)]
    }

    /// The time that polynomials were made for, whole even where it was cut `[s]`.
    pub(super) fn length(&self) -> f64 {
        self.clock.length
    }
}
