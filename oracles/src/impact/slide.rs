//! Sliding, step by step from event to event.
//!
//! On a ray û stays as it is, so a state that is as close to one as a step may err is put onto it, and the rest is a
//! straight line. That also ends the way into u_t = 0: û turns into a ray there, and with friction just enough to hold,
//! u_t shrinks far more slowly than û turns, which steps could only follow at the pace of the turning.

use crate::doubled::Doubled;

use super::events::{Event, Reach};
use super::extrapolation::{State, step};
use super::matrix::Matrix;
use super::rays::{Ray, rays};
use super::straight::Line;
use super::tolerances::{
    DIRECTION_ERROR, MOST_CHANGE, MOST_STEPS, N_COLUMNS, SLIDING_SHARE, STEP_SAFETY,
};
use super::{Impact, Law};

/// A collision and how finely it is solved.
#[derive(Clone, Debug)]
pub(super) struct Slide<'a> {
    pub matrix: &'a Matrix,
    pub friction: Doubled,
    pub restitution: Doubled,
    pub law: Law,
    pub start: [Doubled; 3],
    /// Error allowed per step, of each part of the state.
    allowed: [f64; 5],
    /// Rough size of the whole normal impulse.
    push: f64,
    rays: Vec<Ray>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Compression,
    Restitution,
}

/// How far a collision has come.
#[derive(Clone, Debug)]
pub(super) struct Progress {
    pub state: State,
    /// p_z.
    pub pushed: Doubled,
    pub phase: Phase,
    /// W_c.
    pub compression_work: Doubled,
    /// p_c.
    pub compression_push: Doubled,
    /// Whether u_z falls.
    pub is_falling: bool,
    /// On which side of s the sliding direction is, once it is on one.
    pub is_left: Option<bool>,
    pub pattern: Vec<&'static str>,
}

impl Progress {
    fn new([x, y, z]: [Doubled; 3]) -> Self {
        Self {
            state: [x, y, z, Doubled::ZERO, Doubled::ZERO],
            pushed: Doubled::ZERO,
            phase: Phase::Compression,
            compression_work: Doubled::ZERO,
            compression_push: Doubled::ZERO,
            is_falling: false,
            is_left: None,
            pattern: Vec::new(),
        }
    }

    /// Compression ends here.
    pub(super) fn latch(&mut self) {
        self.phase = Phase::Restitution;
        self.state[2] = Doubled::ZERO;
        self.compression_work = self.state[3];
        self.compression_push = self.pushed;
        self.pattern.push("|");
    }

    /// Compression begins anew here.
    pub(super) fn compress_anew(&mut self) {
        self.phase = Phase::Compression;
        self.state[2] = Doubled::ZERO;
        self.pattern.push("R");
    }
}

impl<'a> Slide<'a> {
    pub(super) fn new(impact: &Impact, matrix: &'a Matrix, step_error: f64) -> Self {
        let [x, y, z] = impact.velocity;
        let sliding = libm::hypot(x, y);
        let speed = z.abs() + SLIDING_SHARE * sliding;
        let push = z.abs() / matrix.c.value();
        let friction = Doubled::from(impact.friction);
        let sizes = [speed, speed, speed, speed * push, (z.abs() + sliding) * push];
        Self {
            matrix,
            friction,
            restitution: Doubled::from(impact.restitution),
            law: impact.law,
            start: impact.velocity.map(Doubled::from),
            allowed: sizes.map(|it| step_error * it),
            push,
            rays: rays(matrix, friction),
        }
    }

    /// The whole collision; none if it takes too many steps.
    pub(super) fn solve(&self) -> Option<Progress> {
        let mut progress = Progress::new(self.start);
        if self.friction == Doubled::ZERO {
            progress.pattern.push("+");
            return Line::smooth(self.matrix).follow(self, &mut progress).then_some(progress);
        }
        if !self.sticks(&progress.state) {
            progress.is_falling = self.normal_rate(&progress.state) < Doubled::ZERO;
            progress.pattern.push(if progress.is_falling { "-" } else { "+" });
        }
        let mut length = 0.1 * self.push;
        for _ in 0..MOST_STEPS {
            if self.sticks(&progress.state) {
                return self.stick(progress);
            }
            if let Some(ray) = self.ray_at(&progress.state) {
                return self.follow(progress, &ray);
            }
            length = length.min(self.longest(&progress.state));
            let tried = step(&|state| self.rate(state), &progress.state, Doubled::from(length));
            let error = self.error(&tried.moved, &progress.state);
            let taken = Doubled::from(length);
            length *= step_factor(error);
            if error <= 1.0 && self.take(&mut progress, Reach { length: taken, state: tried.end }) {
                return Some(progress);
            }
        }
        None
    }

    /// The ray on which a state is, to the error that a step may have.
    fn ray_at(&self, state: &State) -> Option<Ray> {
        let is_near = |ray: &&Ray| {
            let [x, y] = ray.direction;
            let aside = x * state[1] - y * state[0];
            let along = x * state[0] + y * state[1];
            along > Doubled::ZERO && aside.abs().value() <= self.allowed[0]
        };
        self.rays.iter().find(is_near).copied()
    }

    /// Goes on along a ray, to the end or to where sliding stops.
    fn follow(&self, mut progress: Progress, ray: &Ray) -> Option<Progress> {
        let speed = sliding_speed(&progress.state);
        progress.state[0] = speed * ray.direction[0];
        progress.state[1] = speed * ray.direction[1];
        let line = Line::sliding(self.matrix, self.friction, ray);
        if line.follow(self, &mut progress) { Some(progress) } else { self.stick(progress) }
    }

    /// Goes on from u_t = 0.
    fn stick(&self, mut progress: Progress) -> Option<Progress> {
        progress.state[0] = Doubled::ZERO;
        progress.state[1] = Doubled::ZERO;
        let is_stable = self.matrix.critical_friction() <= self.friction;
        let line = if is_stable {
            Line::holding(self.matrix)
        } else {
            let ray = self.rays.iter().find(|ray| ray.rate > Doubled::ZERO)?;
            Line::sliding(self.matrix, self.friction, ray)
        };
        progress.pattern.push(if is_stable { "S" } else { "D" });
        let n_marks = progress.pattern.len();
        let ends = line.follow(self, &mut progress);
        progress.pattern.truncate(n_marks);
        ends.then_some(progress)
    }

    /// Takes a step up to its first event, and says whether the collision has ended.
    fn take(&self, progress: &mut Progress, mut reach: Reach) -> bool {
        let mut first = None;
        // Each is unique in a step that the ones before it have cut.
        for event in [Event::Passing, Event::Turning, Event::Crossing, Event::End] {
            if event.is_within(self, progress, &reach) {
                reach = event.locate(self, progress, reach);
                first = Some(event);
            }
        }
        progress.state = reach.state;
        progress.pushed += reach.length;
        progress.is_left = progress.is_left.or(self.side(&reach.state));
        first.is_some_and(|event| event.note(self, progress))
    }

    fn sticks(&self, state: &State) -> bool {
        sliding_speed(state).value() <= self.allowed[0]
    }

    /// Largest error of a step from a state, in units of what is allowed.
    fn error(&self, moved: &State, from: &State) -> f64 {
        let mut allowed = self.allowed;
        let aside = DIRECTION_ERROR * sliding_speed(from).value();
        allowed[0] = aside.min(allowed[0]);
        allowed[1] = aside.min(allowed[1]);
        let shares = moved.iter().zip(allowed).map(|(it, by)| it.abs().value() / by);
        shares.fold(0.0, |most, it| if it <= most { most } else { it })
    }

    /// Longest step that turns and shortens u_t by little.
    fn longest(&self, state: &State) -> f64 {
        let rate = self.rate(state);
        let change = libm::hypot(rate[0].value(), rate[1].value());
        MOST_CHANGE * sliding_speed(state).value() / change
    }
}

/// The differential equation.
impl Slide<'_> {
    pub(super) fn rate(&self, state: &State) -> State {
        let speed = sliding_speed(state);
        let share = self.friction / speed;
        let along = [-share * state[0], -share * state[1], Doubled::ONE];
        let [x, y, z] = self.matrix.times(&along);
        [x, y, z, state[2], -self.friction * speed]
    }

    /// u_z'.
    pub(super) fn normal_rate(&self, state: &State) -> Doubled {
        self.rate(state)[2]
    }

    /// s × û, positive if û is to the left of s.
    pub(super) fn cross(&self, state: &State) -> Doubled {
        (self.matrix.e * state[1] - self.matrix.d * state[0]) / sliding_speed(state)
    }

    /// (1 − e²)·W_c.
    pub(super) fn final_work(&self, progress: &Progress) -> Doubled {
        (Doubled::ONE - self.restitution * self.restitution) * progress.compression_work
    }

    /// (1 + e)·p_c.
    pub(super) fn final_push(&self, progress: &Progress) -> Doubled {
        (Doubled::ONE + self.restitution) * progress.compression_push
    }
}

/// By what a step's length is multiplied after an error of so many times the allowed one.
fn step_factor(error: f64) -> f64 {
    let [safety, most] = STEP_SAFETY;
    let order = 2.0 * N_COLUMNS as f64 - 1.0;
    let factor = safety * libm::pow(error, -1.0 / order);
    if factor.is_nan() { 1.0 / most } else { factor.clamp(1.0 / most, most) }
}

/// ‖u_t‖.
pub(super) fn sliding_speed(state: &State) -> Doubled {
    (state[0] * state[0] + state[1] * state[1]).sqrt()
}
