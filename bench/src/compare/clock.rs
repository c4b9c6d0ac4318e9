//! Time that a thread has worked: on a machine that others use, the clock on the wall measures them, too.

use std::time::Duration;

/// A moment in the working time of this thread.
#[derive(Clone, Copy, Debug)]
pub struct Moment(Duration);

impl Moment {
    /// Now.
    #[cfg(unix)]
    pub fn now() -> Self {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Self(Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
    }

    /// Now, by the clock on the wall: this system is not asked how long a thread has worked.
    #[cfg(not(unix))]
    pub fn now() -> Self {
        use std::sync::OnceLock;
        static START: OnceLock<std::time::Instant> = OnceLock::new();
        Self(START.get_or_init(std::time::Instant::now).elapsed())
    }

    /// Since then `[s]`.
    pub fn seconds(self) -> f64 {
        Self::now().0.saturating_sub(self.0).as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_and_never_backwards() {
        let start = Moment::now();
        let mut last = 0.0;
        while last == 0.0 {
            last = start.seconds();
        }
        assert!(start.seconds() >= last);
    }
}
