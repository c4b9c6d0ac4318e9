//! Along a ray, and after sticking: u moves on a straight line du/dp_z = h.
//!
//! With the normal impulse q from here on, u_z = u_z0 + h_z·q and W_z = W_z0 + u_z0·q + ½h_z·q². Stronge's law ends at the
//! smaller positive root of W_z = W_end, q = 2w/(u_z0 + √(u_z0² + 2h_z·w)) with w = W_end − W_z0.

use crate::doubled::Doubled;

use super::Law;
use super::matrix::Matrix;
use super::rays::Ray;
use super::slide::{Phase, Progress, Slide, sliding_speed};

/// A line that a collision moves along.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// h.
    rate: [Doubled; 3],
    /// Rate of the sliding speed, which friction works against.
    sliding_rate: Doubled,
}

/// What may end a piece of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Stop,
    Crossing,
    Done,
}

impl Line {
    /// Friction holds: u_t stays 0.
    pub(super) fn holding(matrix: &Matrix) -> Self {
        let rate = [Doubled::ZERO, Doubled::ZERO, matrix.sticking_rate()];
        Self { rate, sliding_rate: Doubled::ZERO }
    }

    /// Sliding along a ray.
    pub(super) fn sliding(matrix: &Matrix, friction: Doubled, ray: &Ray) -> Self {
        let [x, y] = ray.direction;
        let rate = matrix.times(&[-friction * x, -friction * y, Doubled::ONE]);
        Self { rate, sliding_rate: ray.rate }
    }

    /// No friction at all.
    pub(super) fn smooth(matrix: &Matrix) -> Self {
        let rate = [matrix.e, matrix.d, matrix.c];
        Self { rate, sliding_rate: Doubled::ZERO }
    }

    /// Goes on until sliding stops or the collision ends; whether it ends.
    pub(super) fn follow(&self, slide: &Slide, progress: &mut Progress) -> bool {
        // Compression may end, begin anew and end again; more cannot happen while u_z' is constant.
        for _ in 0..4 {
            let Some((push, ending)) = self.next(slide, progress) else { return false };
            self.go(slide, progress, push);
            match ending {
                Ending::Stop => return false,
                Ending::Done => return true,
                Ending::Crossing if progress.phase == Phase::Compression => {
                    progress.latch();
                    if slide.restitution == Doubled::ZERO {
                        return true;
                    }
                }
                Ending::Crossing => progress.compress_anew(),
            }
        }
        false
    }

    /// What comes next, and after what normal impulse.
    fn next(&self, slide: &Slide, progress: &Progress) -> Option<(Doubled, Ending)> {
        let is_closing = progress.phase == Phase::Compression;
        let rises = self.rate[2] > Doubled::ZERO;
        let crossing = (is_closing == rises).then(|| -progress.state[2] / self.rate[2]);
        let done = if is_closing { None } else { self.end(slide, progress) };
        let stops = self.sliding_rate < Doubled::ZERO;
        let stop = stops.then(|| -sliding_speed(&progress.state) / self.sliding_rate);
        let all = [(crossing, Ending::Crossing), (done, Ending::Done), (stop, Ending::Stop)];
        let known = all.into_iter().filter_map(|(push, ending)| Some((push?, ending)));
        known.min_by(|a, b| a.0.value().total_cmp(&b.0.value()))
    }

    /// Normal impulse up to the end of restitution; none if the line does not get there.
    fn end(&self, slide: &Slide, progress: &Progress) -> Option<Doubled> {
        let (speed, rate) = (progress.state[2], self.rate[2]);
        match slide.law {
            Law::Stronge => {
                let rest = slide.final_work(progress) - progress.state[3];
                let square = speed * speed + (rate + rate) * rest;
                let can = rest > Doubled::ZERO && square >= Doubled::ZERO;
                can.then(|| (rest + rest) / (speed + square.sqrt()))
            }
            Law::Poisson => Some(slide.final_push(progress) - progress.pushed),
            Law::Newton => {
                let missing = -slide.restitution * slide.start[2] - speed;
                (rate > Doubled::ZERO).then(|| missing / rate)
            }
        }
    }

    /// On by a normal impulse.
    fn go(&self, slide: &Slide, progress: &mut Progress, push: Doubled) {
        let half = Doubled::from(0.5);
        let middle = sliding_speed(&progress.state) + half * self.sliding_rate * push;
        let state = &mut progress.state;
        state[3] += push * (state[2] + half * self.rate[2] * push);
        if self.sliding_rate != Doubled::ZERO {
            state[4] -= slide.friction * middle * push;
        }
        for (part, rate) in state.iter_mut().zip(self.rate) {
            *part += rate * push;
        }
        progress.pushed += push;
    }
}
