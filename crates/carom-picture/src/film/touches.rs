//! Pushes: what collisions shortly before a frame gave in sum, point by point.

use glam::DVec3;

/// What was passed on at one place shortly before a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Indices of the actors A and B; none for one that is not in the film.
    pub actors: [Option<usize>; 2],
    /// Where `[m]`.
    pub point: DVec3,
    /// Impulse on A; B got the opposite `[N·s]`.
    pub impulse: DVec3,
}

/// Gathers collisions into the frames that show them.
#[derive(Clone, Debug, Default)]
pub(super) struct Gathering {
    touches: Vec<Touch>,
    /// Sums of sizes, by which points are weighed.
    weights: Vec<f64>,
}

impl Gathering {
    /// Adds a collision. What happened between the same two within `near` metres is one touch.
    pub(super) fn add(&mut self, touch: Touch, near: f64) {
        let size = touch.impulse.length();
        let known = self.touches.iter().rposition(|known| {
            known.actors == touch.actors && known.point.distance(touch.point) <= near
        });
        match known {
            None => {
                self.touches.push(touch);
                self.weights.push(size);
            }
            Some(index) => {
                let sum = self.weights[index] + size;
                let known = &mut self.touches[index];
                if sum > 0.0 {
                    known.point += (touch.point - known.point) * (size / sum);
                }
                known.impulse += touch.impulse;
                self.weights[index] = sum;
            }
        }
    }

    pub(super) fn finish(self) -> Vec<Touch> {
        self.touches
    }
}

/// Which of the ascending `times` shows what happens at `time`: the first that is not before it, if it is within the
/// window.
pub(super) fn shown_by(times: &[f64], window: f64, time: f64) -> Option<usize> {
    let index = times.partition_point(|it| *it < time);
    (*times.get(index)? - time <= window).then_some(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happens_at_one_place_is_summed_and_what_happens_elsewhere_is_not() {
        let touch = |x: f64, size: f64| Touch {
            actors: [Some(0), Some(1)],
            point: DVec3::X * x,
            impulse: DVec3::Z * size,
        };
        let mut gathering = Gathering::default();
        for (x, size) in [(0.0, 1.0), (1.0, 1.0), (0.1, 3.0)] {
            gathering.add(touch(x, size), 0.2);
        }
        let touches = gathering.finish();
        assert_eq!(touches.len(), 2);
        assert_eq!(touches[0].impulse, DVec3::Z * 4.0);
        assert!((touches[0].point.x - 0.075).abs() < 1e-15);
    }

    #[test]
    fn a_frame_shows_what_happened_shortly_before_it() {
        let times = [1.0, 2.0];
        assert_eq!(shown_by(&times, 0.1, 0.95), Some(0));
        assert_eq!(shown_by(&times, 0.1, 1.0), Some(0));
        assert_eq!(shown_by(&times, 0.1, 1.05), None);
        assert_eq!(shown_by(&times, 0.1, 2.01), None);
    }
}
