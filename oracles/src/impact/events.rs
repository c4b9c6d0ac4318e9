//! Where something happens within a step, and what.

use crate::doubled::Doubled;

use super::Law;
use super::extrapolation::{State, step};
use super::slide::{Phase, Progress, Slide};
use super::tolerances::{EVENT_WIDTH, INSIGNIFICANT, MOST_EVENT_ROUNDS};

/// What may happen while sliding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// û passes s or −s, where u_z' has its extremes.
    Passing,
    /// u_z begins to fall or to rise.
    Turning,
    /// u_z passes 0: compression ends or begins anew.
    Crossing,
    /// Restitution ends.
    End,
}

/// How far a step goes, and what is there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub length: Doubled,
    pub state: State,
}

impl Event {
    /// Whether it happens before the end of a step.
    pub(super) fn is_within(self, slide: &Slide, progress: &Progress, reach: &Reach) -> bool {
        let lateness = self.lateness(slide, progress, reach);
        match self {
            Self::Passing => lateness.value() > INSIGNIFICANT * slide.coupling(),
            Self::Turning => lateness.value() > INSIGNIFICANT * slide.matrix.c.value(),
            Self::Crossing | Self::End => lateness > Doubled::ZERO,
        }
    }

    /// A quantity that is negative before the event and positive after it.
    fn lateness(self, slide: &Slide, progress: &Progress, at: &Reach) -> Doubled {
        let signed = |is_positive: bool, it: Doubled| if is_positive { it } else { -it };
        match self {
            Self::Passing => match progress.is_left {
                Some(is_left) => signed(!is_left, slide.cross(&at.state)),
                None => -Doubled::ONE,
            },
            Self::Turning => signed(progress.is_falling, slide.normal_rate(&at.state)),
            Self::Crossing => signed(progress.phase == Phase::Compression, at.state[2]),
            Self::End => slide.beyond_end(progress, at),
        }
    }

    /// Cuts a step where the event is.
    ///
    /// False position, with the weight of an end halved that stays twice (the Illinois rule).
    pub(super) fn locate(self, slide: &Slide, progress: &Progress, reach: Reach) -> Reach {
        let start = Reach { length: Doubled::ZERO, state: progress.state };
        let half = Doubled::from(0.5);
        let mut ends = [start, reach];
        let mut weights = ends.map(|end| self.lateness(slide, progress, &end));
        let width = EVENT_WIDTH * reach.length.value();
        let mut last = None;
        for _ in 0..MOST_EVENT_ROUNDS {
            let [low, high] = ends.map(|end| end.length);
            let is_bracket = weights[0] < Doubled::ZERO && weights[1] > Doubled::ZERO;
            let share = if is_bracket { weights[0] / (weights[0] - weights[1]) } else { half };
            let length = low + (high - low) * share;
            let state = step(&|state| slide.rate(state), &progress.state, length).end;
            let tried = Reach { length, state };
            let lateness = self.lateness(slide, progress, &tried);
            let is_late = usize::from(lateness > Doubled::ZERO);
            let moved = (length - ends[is_late].length).abs().value();
            ends[is_late] = tried;
            weights[is_late] = lateness;
            if lateness == Doubled::ZERO || moved <= width {
                return tried;
            }
            if last == Some(is_late) {
                weights[1 - is_late] = weights[1 - is_late] * half;
            }
            last = Some(is_late);
        }
        ends[1]
    }

    /// What changes where it happens; whether the collision ends.
    pub(super) fn note(self, slide: &Slide, progress: &mut Progress) -> bool {
        match self {
            Self::Passing => progress.is_left = progress.is_left.map(|is_left| !is_left),
            Self::Turning => {
                progress.is_falling = !progress.is_falling;
                match (progress.phase, progress.is_falling) {
                    (Phase::Compression, true) => progress.pattern.push("-"),
                    (Phase::Compression, false) => progress.pattern.push("+"),
                    (Phase::Restitution, true) => progress.pattern.push("n"),
                    (Phase::Restitution, false) => {}
                }
            }
            Self::Crossing if progress.phase == Phase::Compression => {
                progress.latch();
                return slide.restitution == Doubled::ZERO;
            }
            Self::Crossing => progress.compress_anew(),
            Self::End => return true,
        }
        false
    }
}

impl Slide<'_> {
    /// ‖s‖.
    fn coupling(&self) -> f64 {
        libm::hypot(self.matrix.e.value(), self.matrix.d.value())
    }

    /// On which side of s û is, if it is clearly on one.
    pub(super) fn side(&self, state: &State) -> Option<bool> {
        let cross = self.cross(state);
        (cross.abs().value() > INSIGNIFICANT * self.coupling()).then_some(cross > Doubled::ZERO)
    }

    /// By how much the end of restitution is exceeded; negative in compression.
    fn beyond_end(&self, progress: &Progress, at: &Reach) -> Doubled {
        if progress.phase == Phase::Compression {
            return -Doubled::ONE;
        }
        match self.law {
            Law::Stronge => at.state[3] - self.final_work(progress),
            Law::Poisson => progress.pushed + at.length - self.final_push(progress),
            Law::Newton => at.state[2] + self.restitution * self.start[2],
        }
    }
}
