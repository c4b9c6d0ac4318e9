//! History: an observer that remembers every motion, so that the past can be asked like the present.

mod linkages;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use carom_contact::touch::Rigid;
use carom_dynamics::{BodyState, Mass, Motion};
use carom_geometry::Pose;
use glam::DVec3;

use crate::body::{BodyId, BodyModel};
use crate::coupled;
use crate::event::{Event, Happening};
use crate::group::carried;
use crate::joint::JointId;
use crate::ledger::{Account, Ledger};
use crate::observe::{Instant, Observer, Stop};
use crate::queries::Nearest;
use crate::sum::Sum;
use crate::world::{World, potential_energy};
pub use linkages::{JointAt, LinkageAt};

/// Everything that some bodies did, exactly.
///
/// It keeps motions, not samples: a body that is never struck costs one entry, whatever the time.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Whom to remember; everybody if none is named.
    only: Option<Vec<String>>,
    tracks: BTreeMap<BodyId, Track>,
    names: BTreeMap<String, BodyId>,
    /// Joints by name, each with the body that it carries.
    joints: BTreeMap<String, (JointId, BodyId)>,
    books: Vec<Book>,
    events: Vec<Event>,
    seen: Option<Range<f64>>,
    kept: usize,
    /// At most so many entries are kept.
    limit: usize,
    /// True when collisions are not kept as events.
    drops_collisions: bool,
}

/// The motions of one body.
#[derive(Clone, Debug)]
struct Track {
    model: Arc<BodyModel>,
    /// In order of their starts.
    pieces: Vec<Piece>,
    /// When the body went away.
    gone: Option<f64>,
}

#[derive(Clone, Debug)]
struct Piece {
    start: f64,
    motion: Motion,
    frame_from_body: Pose,
    /// Of a body that moves freely meanwhile.
    mass: Option<Mass>,
    /// The joint that carries it meanwhile.
    joint: Option<JointId>,
}

/// The ledger from one instant to the next.
#[derive(Clone, Debug)]
struct Book {
    start: f64,
    ledger: Ledger,
    gravity: DVec3,
}

impl Track {
    fn piece_at(&self, time: f64) -> Option<&Piece> {
        if self.gone.is_some_and(|gone| time >= gone) {
            return None;
        }
        let after = self.pieces.partition_point(|piece| piece.start <= time);
        self.pieces.get(after.checked_sub(1)?)
    }

    /// The body as it moved at a time.
    fn rigid_at(&self, time: f64) -> Option<Rigid<'_>> {
        let piece = self.piece_at(time)?;
        Some(Rigid {
            motion: &piece.motion,
            pieces: &self.model.pieces,
            frame_from_shape: piece.frame_from_body.then_from(&self.model.body_from_shape()),
            size: self.model.size,
        })
    }
}

/// Motions and events that a history keeps unless told otherwise: some gigabytes.
const DEFAULT_LIMIT: usize = 5_000_000;

impl History {
    /// Remembers everybody.
    pub fn of_all() -> Self {
        Self { limit: DEFAULT_LIMIT, ..Self::default() }
    }

    /// Remembers the bodies of these names, and all events and accounts.
    pub fn of(names: impl IntoIterator<Item = String>) -> Self {
        let mut names: Vec<String> = names.into_iter().collect();
        names.sort_unstable();
        Self { only: Some(names), ..Self::of_all() }
    }

    /// Keeps no collisions as events, only what they did to motions and accounts: bodies at rest have some hundred of them
    /// a second.
    #[must_use]
    pub fn without_collisions(mut self) -> Self {
        self.drops_collisions = true;
        self
    }

    /// Keeps at most this many motions and events; a run that needs more ends.
    #[must_use]
    pub fn limited_to(mut self, entries: usize) -> Self {
        self.limit = entries;
        self
    }

    /// The body of this name; of several in turn, the last.
    pub fn find(&self, name: &str) -> Option<BodyId> {
        self.names.get(name).copied()
    }

    /// Names of all bodies that were seen.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    /// A body's state at a time that was observed; right-continuous.
    pub fn state_at(&self, body: BodyId, time: f64) -> Option<BodyState> {
        if time > self.seen.as_ref()?.end {
            return None;
        }
        let piece = self.tracks.get(&body)?.piece_at(time)?;
        Some(carried(&piece.motion.state_at(time), &piece.frame_from_body))
    }

    /// Where two bodies were nearest at a time that was observed; none if one of them was not there or is not
    /// remembered.
    pub fn nearest_at(&self, a: BodyId, b: BodyId, time: f64) -> Option<Nearest> {
        self.state_at(a, time)?;
        self.state_at(b, time)?;
        let one = self.tracks.get(&a)?.rigid_at(time)?;
        let other = self.tracks.get(&b)?.rigid_at(time)?;
        Some(Nearest::of([a, b], &one, &other, time))
    }

    /// Times at which a body's motion changed, within the time it was observed.
    pub fn changes(&self, body: BodyId) -> impl Iterator<Item = f64> {
        self.tracks.get(&body).into_iter().flat_map(|track| track.pieces.iter().map(|it| it.start))
    }

    /// The observed time.
    pub fn observed(&self) -> Option<Range<f64>> {
        self.seen.clone()
    }

    /// What happened, in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Gravity at a time that was observed `[m/s²]`.
    pub fn gravity_at(&self, time: f64) -> Option<DVec3> {
        let after = self.books.partition_point(|book| book.start <= time);
        self.books.get(after.checked_sub(1)?).map(|book| book.gravity)
    }

    /// The ledger at a time that was observed; none unless everybody is remembered.
    pub fn account_at(&self, time: f64) -> Option<Account> {
        if self.only.is_some()
            || !self.seen.as_ref().is_some_and(|seen| seen.start <= time && time <= seen.end)
        {
            return None;
        }
        let after = self.books.partition_point(|book| book.start <= time);
        let book = self.books.get(after.checked_sub(1)?)?;
        let (mut kinetic, mut potential) = (Sum::default(), Sum::default());
        let mut ledger = book.ledger;
        for track in self.tracks.values() {
            let Some(piece) = track.piece_at(time) else { continue };
            if let Motion::Linked(link) = &piece.motion {
                // The whole linkage is counted with its first link.
                if link.link() == 0 {
                    let (energies, flow) = coupled::along(link.course(), time);
                    kinetic.add(energies.kinetic);
                    potential.add(energies.potential);
                    ledger.add(&flow);
                }
                continue;
            }
            let Some(mass) = &piece.mass else { continue };
            let state = carried(&piece.motion.state_at(time), &piece.frame_from_body);
            kinetic.add(mass.kinetic_energy(&state));
            potential.add(potential_energy(mass, book.gravity, &state));
        }
        Some(ledger.account(kinetic.value(), potential.value()))
    }

    fn wants(&self, name: &str) -> bool {
        self.only
            .as_ref()
            .is_none_or(|names| names.binary_search_by(|known| known.as_str().cmp(name)).is_ok())
    }

    fn keep(&mut self, entries: usize) -> Result<(), Stop> {
        self.kept += entries;
        if self.kept <= self.limit {
            return Ok(());
        }
        Err(Stop::failed(format!(
            "the history is full: it keeps at most {} motions and events\n\
             hint: remember fewer bodies, run for a shorter time, or raise the limit",
            self.limit
        )))
    }
}

/// Histories that were not observed but told: another engine's, or what was measured.
impl History {
    /// Of a world as it stands, until a time. Bodies that are not free have their motions already; those of the others
    /// are told.
    ///
    /// # Errors
    /// If it is full.
    pub fn told(mut self, world: &World, until: f64) -> Result<Self, Stop> {
        self.begin(world, world.now())?;
        self.seen = Some(world.now()..until.max(world.now()));
        Ok(self)
    }

    /// From a time on, later than what was told before, a body moved like this; bodies that are not remembered are passed
    /// over.
    ///
    /// # Errors
    /// If it is full.
    pub fn tell(&mut self, body: BodyId, start: f64, motion: Motion) -> Result<(), Stop> {
        let Some(pieces) = self.tracks.get_mut(&body).map(|track| &mut track.pieces) else {
            return Ok(());
        };
        let Some(last) = pieces.last() else { return Ok(()) };
        debug_assert!(last.start <= start, "motions are told in the order of their times");
        let piece = Piece { start, motion, ..last.clone() };
        let replaced = last.start == start;
        if replaced {
            pieces.pop();
        }
        pieces.push(piece);
        self.keep(usize::from(!replaced))
    }

    /// From a time on a body was there no more; one that is not remembered is passed over.
    pub fn tell_gone(&mut self, body: BodyId, time: f64) {
        if let Some(track) = self.tracks.get_mut(&body) {
            track.gone = Some(time);
        }
    }
}

impl Observer for History {
    fn between(&mut self, world: &World, times: Range<f64>) -> Result<(), Stop> {
        self.begin(world, times.start)?;
        let start = self.seen.as_ref().map_or(times.start, |seen| seen.start);
        self.seen = Some(start..times.end);
        Ok(())
    }

    fn after(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        self.begin(world, instant.time)?;
        let start = self.seen.as_ref().map_or(instant.time, |seen| seen.start);
        self.seen = Some(start..instant.time);
        self.watch(world, instant.changed.iter().copied(), instant.time)?;
        for event in instant.events {
            let gone = event.change.filter(|change| change.after.is_none());
            if let Some(track) = gone.and_then(|change| self.tracks.get_mut(&change.body)) {
                track.gone = Some(instant.time);
            }
        }
        let kept = self.events.len();
        let wanted = |event: &&Event| {
            !(self.drops_collisions && matches!(event.what, Happening::Collision(_)))
        };
        self.events.extend(instant.events.iter().filter(wanted).cloned());
        self.keep(self.events.len() - kept)?;
        // What the courses of linkages have done is booked where they end.
        if !(instant.events.is_empty() && instant.changed.is_empty()) {
            self.open_book(world, instant.time)?;
        }
        Ok(())
    }
}

impl History {
    /// Takes down who is there when the watching begins.
    fn begin(&mut self, world: &World, time: f64) -> Result<(), Stop> {
        if self.seen.is_none() && self.tracks.is_empty() {
            self.watch(world, world.bodies().map(|body| body.id()), time)?;
            self.open_book(world, time)?;
        }
        Ok(())
    }

    fn open_book(&mut self, world: &World, start: f64) -> Result<(), Stop> {
        let book = Book { start, ledger: world.state.ledger, gravity: world.gravity() };
        // Without all bodies there are no accounts, and only gravity counts.
        if self.only.is_some() && self.books.last().is_some_and(|it| it.gravity == book.gravity) {
            return Ok(());
        }
        let replaced = self.books.last().is_some_and(|last| last.start == start);
        if replaced {
            self.books.pop();
        }
        self.books.push(book);
        self.keep(usize::from(!replaced))
    }

    fn watch(
        &mut self,
        world: &World,
        bodies: impl Iterator<Item = BodyId>,
        time: f64,
    ) -> Result<(), Stop> {
        for id in bodies {
            let Some(body) = world.body(id) else { continue };
            let Some((motion, frame_from_body)) = body.motion() else { continue };
            if !self.wants(body.name()) {
                continue;
            }
            self.names.insert(body.name().to_owned(), id);
            let mass = if body.is_free() { body.mass().copied() } else { None };
            let joint = linkages::carrier(world, id, motion);
            if let Some(joint) = joint.and_then(|id| world.joint(id)) {
                self.joints.insert(joint.name().to_owned(), (joint.id(), id));
            }
            let piece = Piece { start: time, motion: motion.clone(), frame_from_body, mass, joint };
            let unseen =
                || Track { model: Arc::clone(body.model()), pieces: Vec::new(), gone: None };
            let pieces = &mut self.tracks.entry(id).or_insert_with(unseen).pieces;
            // Of two changes at one time, the later one is what was right-continuously there.
            let replaced = pieces.last().is_some_and(|last| last.start == time);
            if replaced {
                pieces.pop();
            }
            pieces.push(piece);
            self.keep(usize::from(!replaced))?;
        }
        Ok(())
    }
}
