//! One run of a scene: build it, let time pass, record, and check what it promises.

use std::cell::RefCell;
use std::ops::Range;
use std::time::Instant;

use carom::{
    Account, BodyError, BodyId, EventCounts, Fault, Observer, Observers, StateHash, Stop, World,
    WorldError,
};
use carom_record::{Output, RecordError};
use carom_scene::measure::{Finding, Measures, Memory};
use carom_scene::{Problems, Scene};
use thiserror::Error;

use crate::audit::{AuditOptions, AuditReport, Auditor};
use crate::contacts::Contacts;
use crate::given::Given;
use crate::touches::{TouchWatch, Touches};

/// How to run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Simulated time at which to end, instead of the scene's `[s]`.
    pub until: Option<f64>,
    /// How many threads may work.
    pub threads: usize,
    /// Samples a second that the output takes; the more there are, the more often it is asked whether to go
    /// on `[1/s]`.
    pub rate_hz: f64,
    /// How to measure that no bodies overlap and no touch is missed, if that is asked for.
    pub audit: Option<AuditOptions>,
    /// Actions to take while it runs, by time.
    pub given: Vec<Given>,
}

/// Why a scene could not be run.
#[derive(Debug, Error)]
pub enum RunError {
    /// The engine refuses what the scene says.
    #[error("the scene cannot be built")]
    Build(Problems),
    /// The output cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// Whether to go on; asked again and again while time passes.
pub trait Supervisor {
    /// The run has come to this simulated time of that; false to end it here.
    fn goes_on(&mut self, now: f64, until: f64) -> bool;
}

/// Lets everything run to its end.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSupervisor;

impl Supervisor for NoSupervisor {
    fn goes_on(&mut self, _: f64, _: f64) -> bool {
        true
    }
}

/// How a run ended.
#[derive(Debug)]
pub enum End {
    /// At the time it was meant to.
    Complete,
    /// At the first touch, as the scene or the options have it.
    Touched,
    /// The supervisor ended it.
    Stopped,
    /// Something went wrong; everything up to then is valid.
    Fault {
        /// What went wrong.
        fault: Fault,
        /// The same in words, with bodies by their names in the scene.
        message: String,
    },
}

/// What a run gave.
#[derive(Debug)]
pub struct RunReport {
    /// How it ended.
    pub end: End,
    /// Simulated time `[s]`.
    pub simulated: f64,
    /// Time it took `[s]`.
    pub wall: f64,
    /// Bodies at the end.
    pub bodies: usize,
    /// Events that were worked.
    pub events: EventCounts,
    /// The ledger at the end.
    pub account: Account,
    /// Hash of the last state.
    pub hash: StateHash,
    /// Who touched whom first, and who passed which sensor.
    pub touches: Touches,
    /// What every contact did.
    pub contacts: Contacts,
    /// What the scene promises and what came of it; empty unless the run is complete or ended at a touch.
    pub findings: Vec<Finding>,
    /// Trouble with expectations that could not be measured.
    pub problems: Problems,
    /// What the audit found, up to where the run ended.
    pub audit: Option<AuditReport>,
}

/// Opens the output of a run; asked once the engine has accepted the scene, so that a scene that cannot run
/// replaces no file.
pub type Open<'a> = &'a dyn Fn() -> Result<Option<Output>, RecordError>;

/// Runs a scene. What `open` gives gets samples and events; the last word of a recording is what `summary`
/// makes of the report.
///
/// # Errors
/// If the engine refuses the scene, or the output cannot be opened or finished. A run that ends early is no error but
/// an [`End`] of the report, with everything that is known by then.
pub fn run(
    scene: &Scene,
    options: &RunOptions,
    open: Open<'_>,
    supervisor: &mut dyn Supervisor,
    summary: &dyn Fn(&RunReport) -> String,
) -> Result<RunReport, RunError> {
    let (mut world, ids) = scene.build_with_ids(options.threads).map_err(RunError::Build)?;
    let mut output = open()?;
    let until = options.until.unwrap_or(scene.until);
    let slice = slice(until - world.now(), output.as_ref().map(|_| options.rate_hz));
    let mut memory = Memory::of(scene);
    let mut auditor = options.audit.map(|audit| auditor(audit, until - world.now()));
    let mut watch = TouchWatch::new(scene, &ids);
    let supervisor = RefCell::new(supervisor);
    let mut asking = Asking { supervisor: &supervisor, until, instants: 0 };
    let started = Instant::now();
    let end = {
        let mut observers = Observers::none();
        // First, so that it hears of an instant at which another one ends the run.
        if let Some(auditor) = &mut auditor {
            observers.push(auditor);
        }
        if let Some(output) = &mut output {
            observers.push(output);
        }
        if let Some(memory) = &mut memory {
            observers.push(memory);
        }
        // Comes last, so that the others have seen the touch that it ends the run with.
        observers.push(&mut watch);
        observers.push(&mut asking);
        let given = &options.given;
        pass_time(&mut world, (until, slice), given, &mut observers, &supervisor)
    };
    let end = ended(end, watch.stopped(), scene, &ids);
    let wall = started.elapsed().as_secs_f64();
    let mut report = report_of(scene, &world, end, wall, memory, watch.finish());
    let is_broken = matches!(report.end, End::Fault { .. });
    report.audit = auditor.map(|it| if is_broken { it.finish_broken() } else { it.finish() });
    if let Some(output) = output {
        let finished = finish(output, &world, &report, &summary(&report));
        // After a fault, of the output or not, the first complaint is the one that helps.
        if !matches!(report.end, End::Fault { .. }) {
            finished?;
        }
    }
    Ok(report)
}

/// Runs a scene for somebody who watches, without an output and without looking at what it promises. Gives the world as it
/// is at the end, and how that came about.
///
/// # Errors
/// If the engine refuses the scene. A run that ends early is no error but an [`End`].
pub fn watch(
    scene: &Scene,
    until: f64,
    threads: usize,
    observer: &mut dyn Observer,
    supervisor: &mut dyn Supervisor,
) -> Result<(World, End), RunError> {
    let (mut world, ids) = scene.build_with_ids(threads).map_err(RunError::Build)?;
    let slice = slice(until - world.now(), None);
    let mut touches = TouchWatch::new(scene, &ids);
    let supervisor = RefCell::new(supervisor);
    let mut asking = Asking { supervisor: &supervisor, until, instants: 0 };
    let mut observers = Observers::none().with(observer).with(&mut touches).with(&mut asking);
    let end = pass_time(&mut world, (until, slice), &[], &mut observers, &supervisor);
    drop(observers);
    let end = ended(end, touches.stopped(), scene, &ids);
    Ok((world, end))
}

/// How a run ended.
fn ended(end: Result<End, Fault>, touched: bool, scene: &Scene, ids: &[BodyId]) -> End {
    match end {
        Ok(end) => end,
        Err(Fault::Stopped { .. }) if touched => End::Touched,
        Err(Fault::Stopped { .. }) => End::Stopped,
        Err(fault) => End::Fault { message: in_words(&fault, scene, ids), fault },
    }
}

/// Slices of at most this many samples, so that a supervisor is asked often enough.
const SAMPLES_AT_A_TIME: f64 = 16.0;

/// At least this many slices, however seldom samples are taken. More: a run ends sooner when it is told to; fewer:
/// less is done that only serves asking.
const SLICES: f64 = 256.0;

/// Length of the slices in which to let a time pass `[s]`. Without an output there are no samples to wait for.
fn slice(time: f64, rate_hz: Option<f64>) -> f64 {
    let of_samples = rate_hz.map_or(f64::INFINITY, |rate_hz| SAMPLES_AT_A_TIME / rate_hz);
    // A time too short to be divided passes at once.
    (time / SLICES).min(of_samples).max(f64::MIN_POSITIVE)
}

/// An auditor that looks at least as often as the run is cut in any case.
fn auditor(options: AuditOptions, time: f64) -> Auditor {
    Auditor::new(AuditOptions { quiet: options.quiet.min(slice(time, None)), ..options })
}

/// Instants after which a supervisor is asked, where many of them crowd in a slice.
const INSTANTS_AT_A_TIME: u32 = 1000;

/// Asks the supervisor while instants crowd.
struct Asking<'a, 's> {
    supervisor: &'a RefCell<&'s mut dyn Supervisor>,
    until: f64,
    instants: u32,
}

impl Observer for Asking<'_, '_> {
    fn between(&mut self, _: &World, _: Range<f64>) -> Result<(), Stop> {
        Ok(())
    }

    fn after(&mut self, world: &World, _: &carom::Instant<'_>) -> Result<(), Stop> {
        self.instants += 1;
        if self.instants < INSTANTS_AT_A_TIME {
            return Ok(());
        }
        self.instants = 0;
        let goes_on = self.supervisor.borrow_mut().goes_on(world.now(), self.until);
        if goes_on { Ok(()) } else { Err(Stop::Enough) }
    }
}

/// Advances to a time in slices, and takes the actions that are given on the way; where it is cut changes no bit.
fn pass_time(
    world: &mut World,
    (until, slice): (f64, f64),
    given: &[Given],
    observers: &mut Observers<'_>,
    supervisor: &RefCell<&mut dyn Supervisor>,
) -> Result<End, Fault> {
    for given in given.iter().filter(|it| it.time <= until) {
        if let End::Stopped = pass_slices(world, (given.time, slice), observers, supervisor)? {
            return Ok(End::Stopped);
        }
        if let Err(error) = given.action.take(world) {
            return Err(Fault::Observer { time: world.now(), error: error.into() });
        }
    }
    pass_slices(world, (until, slice), observers, supervisor)
}

fn pass_slices(
    world: &mut World,
    (until, slice): (f64, f64),
    observers: &mut Observers<'_>,
    supervisor: &RefCell<&mut dyn Supervisor>,
) -> Result<End, Fault> {
    let start = world.now();
    let mut count = 0.0;
    while world.now() < until {
        if !supervisor.borrow_mut().goes_on(world.now(), until) {
            return Ok(End::Stopped);
        }
        count += 1.0;
        let next = (start + count * slice).min(until);
        world.advance_watched(next, observers)?;
    }
    // What happens at the very last time, and all of it in a run of no length.
    world.advance_watched(until, observers).map(|()| End::Complete)
}

/// What a fault says, with the names of bodies that it knows by their handles only: one that is gone has no name
/// in the world any more.
pub(crate) fn in_words(fault: &Fault, scene: &Scene, ids: &[BodyId]) -> String {
    let text = fault.to_string();
    let handle = match fault {
        Fault::Command { error: WorldError::NoBody { body }, .. } => *body,
        Fault::Command { error: WorldError::Body(BodyError::Carrier { carrier, .. }), .. } => {
            *carrier
        }
        _ => return text,
    };
    let index = ids.iter().position(|id| *id == handle);
    match index.and_then(|index| scene.bodies.get(index)) {
        Some(body) => text.replace(&handle.to_string(), &format!("body \"{}\"", body.name)),
        None => text,
    }
}

fn report_of(
    scene: &Scene,
    world: &World,
    end: End,
    wall: f64,
    memory: Option<Memory>,
    touches: Touches,
) -> RunReport {
    let measures = memory.map(|memory| Measures::new(scene, memory, world));
    let (findings, problems) = match (measures, &end) {
        (Some(measures), End::Complete) => measures.findings(),
        (Some(measures), End::Touched) => measures.ended_by_touch().findings(),
        _ => (Vec::new(), Problems::default()),
    };
    RunReport {
        simulated: world.now(),
        wall,
        bodies: world.body_count(),
        events: *world.event_counts(),
        account: world.account(),
        hash: world.hash(),
        end,
        touches,
        contacts: Contacts::of(world),
        findings,
        problems,
        audit: None,
    }
}

fn finish(
    output: Output,
    world: &World,
    report: &RunReport,
    summary: &str,
) -> Result<(), RecordError> {
    match &report.end {
        End::Complete | End::Touched => output.finish(world, summary),
        End::Stopped | End::Fault { .. } => output.close(report.simulated, summary),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_never_empty_and_follow_samples_only_where_there_are_any() {
        assert_eq!(slice(10.0, None), 10.0 / 256.0);
        assert_eq!(slice(10.0, Some(1e-9)), 10.0 / 256.0);
        assert_eq!(slice(1e6, Some(16.0)), 1.0);
        assert!(slice(5e-324, None) > 0.0);
        assert!(slice(0.0, Some(60.0)) > 0.0);
    }
}
