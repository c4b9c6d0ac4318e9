//! The main loop: time passes from instant to instant.
//!
//! All events at one time are one instant, worked in four phases. An event that changes a group marks it
//! dirty; everything that was predicted from it is made anew in phase 4, before time passes on. So after an
//! instant at time T: every motion's span contains T; every body has a box that covers a window containing
//! T, within its span; nothing waits in the queue before T (`invariants.rs` asserts it in debug builds).

use crate::arena::Handle as _;
use crate::body::BodyId;
use crate::budget::Exceeded;
use crate::command::Command;
use crate::controller::{Commands, ControllerId, Readings};
use crate::error::{Fault, WorldError};
use crate::event::{EventKind, Happening, StateChange};
use crate::group::GroupId;
use crate::observe::{Instant, Observers, Stage, Stop};
use crate::owners::tick_entry;
use crate::queue::Entry;
use crate::world::World;

/// At most this many culprits are named by a fault.
const NAMED_CULPRITS: usize = 5;

impl World {
    /// Advances to a time, which must not be before now, while observers watch.
    ///
    /// # Errors
    /// If the run had to end before: a command that cannot be carried out, a budget that is spent, a number
    /// out of range, an observer that stops. What was observed before stays valid.
    pub fn advance_watched(
        &mut self,
        time: f64,
        observers: &mut Observers<'_>,
    ) -> Result<(), Fault> {
        self.check_target(time)?;
        self.state.begun = true;
        self.deliver(observers)?;
        while let Some(at) = self.next_instant().filter(|at| *at <= time) {
            observers.between(self, self.state.now..at).map_err(|stop| self.stopped(stop))?;
            if let Err(fault) = self.work_instant(at, observers) {
                observers.broken(
                    self,
                    &Instant { time: at, events: &self.scratch.events, changed: &[] },
                );
                return Err(self.broken(fault));
            }
            self.deliver(observers)?;
        }
        observers.between(self, self.state.now..time).map_err(|stop| self.stopped(stop))?;
        self.state.now = time;
        Ok(())
    }

    /// One instant, in four phases.
    fn work_instant(&mut self, at: f64, observers: &mut Observers<'_>) -> Result<(), Fault> {
        let due = self.take_due(at);
        self.state.now = at;
        self.spend(at, &due)?;

        self.commands_and_laws(at, &due)?; // 1 what comes from outside
        observers.lap(Stage::Control);
        self.touches_and_transitions(&due)?; // 2 contact, in rounds, to quiescence
        observers.lap(Stage::Response);
        self.ticks(at, &due)?; // 3 controllers: all read, then all write
        observers.lap(Stage::Control);
        self.remake(at, &due)?; // 4 motions and boxes of all that changed, and what is due of it
        observers.lap(Stage::Motion);
        self.examine_pairs();
        observers.lap(Stage::Detection);

        self.scratch.due = due;
        self.assert_invariants();
        Ok(())
    }

    /// Carries out a command at the present time, as an instant of its own.
    pub(crate) fn command_now(&mut self, command: Command) -> Result<(), WorldError> {
        if let Some((_, first)) = &self.scratch.broken {
            return Err(WorldError::Broken { first: first.clone() });
        }
        self.execute(command)?;
        self.state.counts.count(EventKind::Command);
        let now = self.state.now;
        if let Err(fault) = self.remake(now, &[]) {
            let fault = self.broken(fault);
            return Err(WorldError::Broken { first: fault.to_string() });
        }
        self.examine_pairs();
        self.assert_invariants();
        Ok(())
    }

    fn commands_and_laws(&mut self, at: f64, due: &[Entry]) -> Result<(), Fault> {
        for entry in due.iter().filter(|entry| entry.kind == EventKind::Command) {
            let first = self.state.pending.pop_first();
            debug_assert!(first.as_ref().is_some_and(|(key, _)| key.entry() == *entry));
            if let Some((_, command)) = first {
                self.execute(command).map_err(|error| Fault::Command { time: at, error })?;
            }
        }
        for entry in due.iter().filter(|entry| entry.kind == EventKind::Law) {
            if let Some(body) = self.owner(entry) {
                self.change_law(body);
            }
        }
        Ok(())
    }

    /// The law goes over into its next piece: what was predicted from the old one ends here.
    fn change_law(&mut self, body: BodyId) {
        let Some(group) = self.state.groups.get_mut(GroupId(body)) else { return };
        if !group.dirty {
            group.dirty = true;
            self.scratch.dirty.push(body);
        }
        let carrier = group.carrier;
        let riders: Vec<BodyId> = group.members.iter().map(|member| member.body).collect();
        for rider in riders {
            self.wake_on(rider);
        }
        let state = self.state(carrier);
        let change = StateChange { body: carrier, before: state, after: state };
        self.tell(Happening::Law, Some(change));
    }

    fn ticks(&mut self, at: f64, due: &[Entry]) -> Result<(), Fault> {
        let mut commands = Commands::default();
        for entry in due.iter().filter(|entry| entry.kind == EventKind::Tick) {
            let id = ControllerId::of(entry.owner as u32, entry.generation);
            self.tick(id, &mut commands);
        }
        for command in commands.now {
            self.execute(command).map_err(|error| Fault::Command { time: at, error })?;
            self.state.counts.count(EventKind::Command);
        }
        for (time, command) in commands.later {
            self.schedule(time, command).map_err(|error| Fault::Command { time: at, error })?;
        }
        Ok(())
    }

    /// Calls one controller. It is lent out of its slot meanwhile, so that it can read the whole world.
    fn tick(&mut self, id: ControllerId, commands: &mut Commands) {
        let Some(registered) = self.state.controllers.get_mut(id) else { return };
        let count = registered.count;
        let Some(mut controller) = registered.controller.take() else { return };
        if registered.enabled {
            controller.tick(&Readings { world: self, count }, commands);
        }
        if let Some(registered) = self.state.controllers.get_mut(id) {
            registered.controller = Some(controller);
            registered.count += 1;
            let next = tick_entry(id, registered.next_time());
            self.scratch.queue.push(next);
        }
        self.tell(Happening::Tick { controller: id, count }, None);
    }
}

/// The queue.
impl World {
    /// Time of the next live entry.
    fn next_instant(&mut self) -> Option<f64> {
        while let Some(entry) = self.scratch.queue.peek() {
            if self.is_live(entry) {
                return Some(entry.time);
            }
            self.scratch.queue.pop();
        }
        None
    }

    /// All live entries of one time, in order.
    fn take_due(&mut self, at: f64) -> Vec<Entry> {
        let mut due = std::mem::take(&mut self.scratch.due);
        due.clear();
        while let Some(entry) = self.scratch.queue.peek().copied().filter(|entry| entry.time == at)
        {
            self.scratch.queue.pop();
            if self.is_live(&entry) && due.last() != Some(&entry) {
                due.push(entry);
            }
        }
        due
    }

    /// True while the owner still names the entry's time.
    pub(crate) fn is_live(&self, entry: &Entry) -> bool {
        match entry.kind {
            EventKind::Command => {
                let key = crate::command::Scheduled::new(entry.time, entry.owner);
                self.state.pending.contains_key(&key)
            }
            EventKind::Tick => {
                let id = ControllerId::of(entry.owner as u32, entry.generation);
                let controller = self.state.controllers.get(id);
                controller.is_some_and(|it| it.next_time() == entry.time)
            }
            EventKind::Box => {
                let body = self.owner(entry).and_then(|id| self.state.bodies.get(id));
                body.is_some_and(|it| it.window.end == entry.time)
            }
            EventKind::Law | EventKind::Span => {
                let group = self.owner(entry).and_then(|id| self.state.groups.get(GroupId(id)));
                group.is_some_and(|it| it.span(self.state.now).end == entry.time)
            }
            EventKind::Check => self.pair_due(entry).is_some(),
            EventKind::Transition => false,
        }
    }

    fn owner(&self, entry: &Entry) -> Option<BodyId> {
        let id = BodyId::of(entry.owner as u32, entry.generation);
        self.state.bodies.get(id).map(|_| id)
    }
}

/// Ends of a run.
impl World {
    fn check_target(&self, time: f64) -> Result<(), Fault> {
        if let Some((time, first)) = &self.scratch.broken {
            return Err(Fault::Before { time: *time, first: first.clone() });
        }
        let now = self.state.now;
        let reason = if !time.is_finite() {
            "not finite"
        } else if time < now {
            "in the past"
        } else {
            return Ok(());
        };
        Err(Fault::Time(WorldError::Time { time, reason, now }))
    }

    fn spend(&mut self, at: f64, due: &[Entry]) -> Result<(), Fault> {
        for entry in due {
            self.state.counts.count(entry.kind);
        }
        let population = (self.state.bodies.len() + self.state.controllers.len()) as u64;
        let budget = self.model.settings.budget;
        self.state.spent.count(&budget, at, due.len() as u64, population).map_err(
            |Exceeded { what, limit }| Fault::Budget {
                time: at,
                what,
                limit,
                culprits: self.culprits(due),
            },
        )
    }

    fn culprits(&self, due: &[Entry]) -> String {
        let name = |entry: &Entry| match entry.kind {
            EventKind::Command => format!("command {}", entry.owner),
            EventKind::Tick => format!("controller {}", entry.owner),
            EventKind::Check => match self.pair_due(entry) {
                Some(near) => format!("check of {}", self.listed(&near.bodies)),
                None => entry.kind.name().to_owned(),
            },
            _ => match self.owner(entry).and_then(|id| self.body(id)) {
                Some(body) => format!("{} of \"{}\"", entry.kind.name(), body.name()),
                None => entry.kind.name().to_owned(),
            },
        };
        let mut names: Vec<String> = due.iter().take(NAMED_CULPRITS).map(name).collect();
        if due.len() > NAMED_CULPRITS {
            names.push(format!("and {} more", due.len() - NAMED_CULPRITS));
        }
        names.join(", ")
    }

    /// The names of bodies, as many as are worth naming.
    pub(crate) fn listed(&self, bodies: &[BodyId]) -> String {
        let name = |id: &BodyId| match self.body(*id) {
            Some(body) => format!("\"{}\"", body.name()),
            None => id.to_string(),
        };
        let named: Vec<String> = bodies.iter().take(NAMED_CULPRITS).map(name).collect();
        match bodies.len().saturating_sub(NAMED_CULPRITS) {
            0 => match named.split_last() {
                Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
                _ => named.concat(),
            },
            more => format!("{} and {more} more", named.join(", ")),
        }
    }

    fn deliver(&mut self, observers: &mut Observers<'_>) -> Result<(), Fault> {
        let events = std::mem::take(&mut self.scratch.events);
        let mut changed = std::mem::take(&mut self.scratch.changed);
        changed.sort_unstable();
        changed.dedup();
        let time = self.state.now;
        let told = if events.is_empty() && changed.is_empty() {
            Ok(())
        } else {
            observers.after(self, &Instant { time, events: &events, changed: &changed })
        };
        self.scratch.events = events;
        self.scratch.changed = changed;
        self.scratch.events.clear();
        self.scratch.changed.clear();
        told.map_err(|stop| self.stopped(stop))
    }

    fn stopped(&self, stop: Stop) -> Fault {
        let time = self.state.now;
        match stop {
            Stop::Enough => Fault::Stopped { time },
            Stop::Failed(error) => Fault::Observer { time, error },
        }
    }

    /// A fault in the middle of an instant leaves a state from which nothing can go on.
    fn broken(&mut self, fault: Fault) -> Fault {
        self.scratch.broken = Some((self.state.now, fault.to_string()));
        fault
    }
}
