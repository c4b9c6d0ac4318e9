//! A world that runs while people watch: a thread of its own lets time pass as fast as it is told to, takes orders between
//! instants, and leaves behind what a recording would hold.
//!
//! Where time is cut changes no bit, and actions are taken at a time of the world, so an untouched run has the hash of
//! `carom run`, and a run with its actions can be run again. Whoever watches gets the newest state and never holds the engine
//! up: states are put into a place where the next one replaces them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use carom::{
    BodyId, CollisionKind, Event, EventKind, Fault, Happening, Observer, Observers, Stop,
    StopAtTouch, World,
};
use carom_record::{Gatherer, JointSample, Sample};
use carom_scene::measure::{Finding, Measures, Memory};
use carom_scene::{OnTouch, Problems, Scene};
use carom_study::given::{Action, ActionError, Given};
use carom_study::recorded::options_of;
use serde_json::{Value, json};
use tokio::sync::{oneshot, watch};

use crate::block;
use crate::history::{History, lock};
use crate::index::Index;
use crate::joints::{self, Controls};

/// How long the engine works before it looks for orders.
const TURN: Duration = Duration::from_millis(12);

/// How often states and the status are shown.
const SHOWN: Duration = Duration::from_millis(16);
const TOLD: Duration = Duration::from_millis(100);

/// Slowest and fastest, in simulated seconds a second.
pub(crate) const SPEEDS: [f64; 2] = [0.01, 100.0];

/// Pairs for which lines are told at most.
const MOST_LINES: usize = 400;

/// Boxes that are told at most.
const MOST_BOXES: usize = 1000;

/// What the engine is told to do.
pub(crate) enum Order {
    Play,
    Pause,
    Speed(f64),
    /// On to the next event that is asked for.
    Step(Stops),
    /// As fast as it goes to a time `[s]`.
    RunTo(f64),
    /// Take an action now.
    Act(Action, Answer<Result<(), ActionError>>),
    /// Push or remove a body that is known by its number.
    Named(u32, Answer<Option<String>>),
    /// The time, the hash and the actions up to now.
    Stand(Answer<Stand>),
    /// What is near to what.
    Near(Answer<Value>),
    /// Which freedoms of joints are controlled, of those with these numbers.
    Controls(Vec<u32>, Answer<Controls>),
}

/// Which events a step stops at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stops {
    /// None for all but microcollisions, laws that go on and ticks of controllers.
    pub(crate) kinds: Option<Vec<String>>,
    /// Names of bodies that must all have a part in it.
    pub(crate) bodies: Vec<String>,
}

impl Stops {
    fn at(&self, world: &World, event: &Event) -> bool {
        let kind = match &event.what {
            Happening::Collision(it) if it.kind == CollisionKind::Micro => "micro",
            what => what.name(),
        };
        let is_of_kind = match &self.kinds {
            Some(kinds) => kinds.iter().any(|it| it == kind),
            None => !matches!(kind, "micro" | "law" | "tick"),
        };
        let change = event.change.map(|change| change.body);
        let has = |name: &String| {
            let mut bodies = event.bodies().chain(change).filter_map(|id| world.body(id));
            bodies.any(|body| body.name() == name)
        };
        is_of_kind && self.bodies.iter().all(has)
    }
}

/// Where an answer goes.
pub(crate) type Answer<T> = oneshot::Sender<T>;

/// Where a run stands.
#[derive(Clone, Debug)]
pub(crate) struct Stand {
    pub(crate) time: f64,
    pub(crate) hash: String,
    pub(crate) given: Vec<Given>,
}

/// The state of a run now, with all its digits and as the page reads it.
#[derive(Debug)]
pub(crate) struct Newest {
    pub(crate) sample: Sample,
    pub(crate) joints: JointSample,
    pub(crate) block: Vec<u8>,
}

impl Newest {
    fn of(sample: Sample, joints: JointSample) -> Self {
        let mut block = Vec::new();
        block::append(&sample, &mut block);
        Self { sample, joints, block }
    }
}

/// A run as those who watch it see it.
pub(crate) struct Live {
    orders: Sender<Order>,
    pub(crate) state: watch::Receiver<Arc<Newest>>,
    pub(crate) status: watch::Receiver<Arc<Value>>,
    pub(crate) findings: Arc<Mutex<Option<Vec<Finding>>>>,
}

impl Live {
    /// Builds the world and lets it wait at its beginning.
    ///
    /// # Errors
    /// If the engine refuses the scene.
    pub(crate) fn start(
        scene: Arc<Scene>,
        colors: BTreeMap<String, [f64; 4]>,
        history: Arc<History>,
        index: Arc<Mutex<Index>>,
    ) -> Result<Self, Problems> {
        let (world, _) = scene.build_with_ids(1)?;
        let (orders, received) = channel();
        let nothing = Sample { time: world.now(), states: Vec::new() };
        let (show, state) = watch::channel(Arc::new(Newest::of(nothing, JointSample::default())));
        let (tell, status) = watch::channel(Arc::new(Value::Null));
        let findings = Arc::new(Mutex::new(None));
        let options = options_of(&scene, false);
        let gatherer = Gatherer::new(&options, colors).map_err(|_| Problems::default())?;
        let mut engine = Engine {
            memory: Memory::of(&scene),
            stop: (scene.on_touch == OnTouch::Stop).then(StopAtTouch::default),
            until: scene.until,
            world,
            gatherer,
            scene,
            history,
            index,
            given: Vec::new(),
            findings: Arc::clone(&findings),
            pace: Pace::default(),
            end: None,
            show,
            tell,
            shown: None,
            told: None,
        };
        // Whoever comes first finds something to look at.
        engine.advance(engine.world.now(), None);
        engine.publish(true);
        thread::Builder::new()
            .name("carom live".to_owned())
            .spawn(move || engine.run(&received))
            .map_err(|_| Problems::default())?;
        Ok(Self { orders, state, status, findings })
    }

    /// Gives an order; false once the engine has ended.
    pub(crate) fn order(&self, order: Order) -> bool {
        self.orders.send(order).is_ok()
    }

    /// Gives an order and waits for its answer.
    pub(crate) async fn ask<T>(&self, order: impl FnOnce(Answer<T>) -> Order) -> Option<T> {
        let (answer, answered) = oneshot::channel();
        self.order(order(answer));
        answered.await.ok()
    }
}

/// How fast time passes.
struct Pace {
    is_running: bool,
    speed: f64,
    /// Run to here as fast as it goes, then rest `[s]`.
    target: Option<f64>,
    /// When time was in step with the clock.
    since: (Instant, f64),
    /// Simulated seconds a second, lately.
    rate: f64,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            is_running: false,
            speed: 1.0,
            target: None,
            since: (Instant::now(), 0.0),
            rate: 0.0,
        }
    }
}

struct Engine {
    scene: Arc<Scene>,
    world: World,
    gatherer: Gatherer,
    memory: Option<Memory>,
    stop: Option<StopAtTouch>,
    history: Arc<History>,
    index: Arc<Mutex<Index>>,
    given: Vec<Given>,
    findings: Arc<Mutex<Option<Vec<Finding>>>>,
    pace: Pace,
    until: f64,
    /// How it ended, and in which words.
    end: Option<(&'static str, Option<String>)>,
    show: watch::Sender<Arc<Newest>>,
    tell: watch::Sender<Arc<Value>>,
    shown: Option<Instant>,
    told: Option<Instant>,
}

impl Engine {
    /// Until nobody gives orders any more.
    fn run(mut self, orders: &Receiver<Order>) {
        loop {
            let wait = if self.is_busy() { Duration::ZERO } else { Duration::from_millis(500) };
            let mut order = match self.pause_before_next().or(Some(wait)) {
                Some(wait) => orders.recv_timeout(wait),
                None => orders.try_recv().map_err(|_| RecvTimeoutError::Timeout),
            };
            loop {
                match order {
                    Ok(order) => self.obey(order),
                    Err(RecvTimeoutError::Timeout) => break,
                    Err(RecvTimeoutError::Disconnected) => return,
                }
                order = orders.recv_timeout(Duration::ZERO);
            }
            if self.is_busy() {
                self.go_on();
            }
        }
    }

    const fn is_busy(&self) -> bool {
        self.pace.is_running || self.pace.target.is_some()
    }

    /// How long to wait where time is ahead of the clock.
    fn pause_before_next(&self) -> Option<Duration> {
        if !self.pace.is_running || self.pace.target.is_some() {
            return None;
        }
        (self.due() <= self.world.now()).then_some(Duration::from_millis(4))
    }

    /// The time that it should be now `[s]`.
    fn due(&self) -> f64 {
        let (clock, time) = self.pace.since;
        time + self.pace.speed * clock.elapsed().as_secs_f64()
    }

    fn in_step(&mut self) {
        self.pace.since = (Instant::now(), self.world.now());
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Play if self.is_over() => {}
            Order::Play => {
                if self.world.now() >= self.until {
                    // Whoever plays beyond the end of the scene wants more of it.
                    self.until = self.world.now() + self.scene.until;
                }
                self.end = None;
                self.pace.is_running = true;
                self.in_step();
            }
            Order::Pause => (self.pace.is_running, self.pace.target) = (false, None),
            Order::Speed(speed) => {
                self.pace.speed = speed.clamp(SPEEDS[0], SPEEDS[1]);
                self.in_step();
            }
            Order::RunTo(time) if time.is_finite() => {
                self.pace.target = Some(time.min(self.until)).filter(|it| *it > self.world.now());
            }
            Order::RunTo(_) => {}
            Order::Step(stops) => {
                (self.pace.is_running, self.pace.target) = (false, None);
                if !self.is_over() {
                    self.advance(self.until, Some(&stops));
                }
            }
            Order::Act(action, answer) => drop(answer.send(self.act(action))),
            Order::Named(number, answer) => {
                let body = self.gatherer.body(&self.world, number);
                let name = body.and_then(|id| self.world.body(id)).map(|it| it.name().to_owned());
                drop(answer.send(name));
            }
            Order::Stand(answer) => drop(answer.send(self.stand())),
            Order::Near(answer) => drop(answer.send(self.near())),
            Order::Controls(joints, answer) => {
                drop(answer.send(joints::controls(&self.world, &self.gatherer, &joints)));
            }
        }
        self.publish(true);
    }

    /// True once nothing can go on.
    fn is_over(&self) -> bool {
        matches!(self.end, Some(("fault" | "touch", _)))
    }

    fn act(&mut self, action: Action) -> Result<(), ActionError> {
        action.take(&mut self.world)?;
        self.given.push(Given { time: self.world.now(), action });
        // What was done at this very time is told at once.
        self.advance(self.world.now(), None);
        Ok(())
    }

    fn stand(&self) -> Stand {
        let (time, hash) = (self.world.now(), self.world.hash().to_string());
        Stand { time, hash, given: self.given.clone() }
    }

    /// A turn of work.
    fn go_on(&mut self) {
        let before = (Instant::now(), self.world.now());
        let target = match self.pace.target {
            Some(target) => target,
            None => self.due().min(self.until),
        };
        if target > self.world.now() {
            self.advance(target, None);
        }
        if self.pace.target.is_some_and(|target| self.world.now() >= target) {
            self.pace.target = None;
            self.in_step();
        }
        // Time that could not keep up is not run after.
        if self.pace.is_running && self.due() > self.world.now() + 0.25 * self.pace.speed {
            self.in_step();
        }
        let spent = before.0.elapsed().as_secs_f64().max(1e-6);
        let rate = (self.world.now() - before.1) / spent;
        self.pace.rate += 0.1 * (rate - self.pace.rate);
        self.publish(false);
    }

    /// Lets time pass, for no longer than a turn, or to the next event that is asked for.
    fn advance(&mut self, target: f64, stops: Option<&Stops>) {
        let mut turn = Turn { deadline: Instant::now() + TURN, stops, is_enough: false };
        let advanced = {
            let mut observers = Observers::none().with(&mut self.gatherer);
            if let Some(memory) = &mut self.memory {
                observers.push(memory);
            }
            if let Some(stop) = &mut self.stop {
                observers.push(stop);
            }
            observers.push(&mut turn);
            self.world.advance_watched(target, &mut observers)
        };
        let messages = self.gatherer.take();
        if !messages.is_empty() {
            let mut index = lock(&self.index);
            for message in &messages {
                index.add(message);
            }
            drop(index);
            self.history.extend(messages);
        }
        match advanced {
            Ok(()) if self.world.now() >= self.until => self.finish("complete", None),
            Ok(()) => {}
            Err(Fault::Stopped { .. }) if turn.is_enough => {}
            Err(Fault::Stopped { .. }) => self.finish("touch", None),
            Err(fault) => self.finish("fault", Some(fault.to_string())),
        }
    }

    fn finish(&mut self, how: &'static str, message: Option<String>) {
        (self.pace.is_running, self.pace.target) = (false, None);
        self.end = Some((how, message));
        let Some(memory) = self.memory.take() else { return };
        if how == "fault" {
            return;
        }
        let measures = Measures::new(&self.scene, memory, &self.world);
        let measures = if how == "touch" { measures.ended_by_touch() } else { measures };
        *lock(&self.findings) = Some(measures.findings().0);
    }

    /// Shows the state and tells the status, if it is time.
    fn publish(&mut self, at_once: bool) {
        let is_time = |last: Option<Instant>, every| last.is_none_or(|it| it.elapsed() >= every);
        if at_once || is_time(self.shown, SHOWN) || !self.is_busy() {
            let (sample, joints) =
                (self.gatherer.sample(&self.world), self.gatherer.joints(&self.world));
            self.show.send_replace(Arc::new(Newest::of(sample, joints)));
            self.shown = Some(Instant::now());
        }
        if at_once || is_time(self.told, TOLD) || !self.is_busy() {
            self.tell.send_replace(Arc::new(self.status()));
            self.told = Some(Instant::now());
        }
    }

    fn status(&self) -> Value {
        let mut span = lock(&self.index).span.unwrap_or([self.world.now(); 2]);
        span[0] = self.history.forgotten().unwrap_or(span[0]);
        let (end, message) = match &self.end {
            Some((end, message)) => (Some(*end), message.clone()),
            None => (None, None),
        };
        let hash = (!self.is_busy()).then(|| self.world.hash().to_string());
        let counts = self.world.event_counts();
        let events: BTreeMap<&str, u64> =
            EventKind::ALL.iter().map(|kind| (kind.name(), counts.of(*kind))).collect();
        json!({
            "say": "status",
            "now_s": self.world.now(),
            "is_running": self.is_busy(),
            "speed": self.pace.speed,
            "span_s": [span[0], self.world.now().max(span[1])],
            "end": end,
            "message": message,
            "hash": hash,
            "events": events,
            "rate": self.pace.rate,
            "gravity_m_s2": self.world.gravity().to_array(),
            "actions": self.given.len(),
            "hands": joints::told_hands(&self.world, &self.gatherer),
        })
    }

    /// Lines between nearest points of bodies whose boxes meet, and the boxes that bodies stay in.
    fn near(&self) -> Value {
        let time = self.world.now();
        let boxes: Vec<Value> = self
            .world
            .bodies()
            .filter_map(|body| {
                let (swept, span) = body.swept_box();
                let is_shown =
                    body.role() != "fixed" && swept.min.is_finite() && swept.max.is_finite();
                is_shown.then(|| {
                    json!({ "body": self.gatherer.number(body.id()), "min_m": swept.min.to_array(),
                            "max_m": swept.max.to_array(), "until_s": span.end })
                })
            })
            .take(MOST_BOXES)
            .collect();
        let line = |[a, b]: [BodyId; 2]| {
            let nearest = self.world.nearest(a, b, time)?;
            let [from, to] = nearest.points;
            Some(json!({
                "a": self.gatherer.number(a), "b": self.gatherer.number(b),
                "from_m": from.to_array(), "to_m": to.to_array(), "gap_m": nearest.distance,
            }))
        };
        let watched =
            self.world.watched_pairs().into_iter().filter(|[a, b]| self.world.meets(*a, *b));
        let lines: Vec<Value> = watched.take(MOST_LINES).filter_map(line).collect();
        json!({ "time_s": time, "lines": lines, "boxes": boxes })
    }
}

/// Ends a turn of work.
struct Turn<'a> {
    deadline: Instant,
    /// What to go on to, however long it takes.
    stops: Option<&'a Stops>,
    is_enough: bool,
}

impl Observer for Turn<'_> {
    fn between(&mut self, _: &World, _: Range<f64>) -> Result<(), Stop> {
        Ok(())
    }

    fn after(&mut self, world: &World, instant: &carom::Instant<'_>) -> Result<(), Stop> {
        self.is_enough = match self.stops {
            Some(stops) => instant.events.iter().any(|event| stops.at(world, event)),
            None => Instant::now() >= self.deadline,
        };
        if self.is_enough { Err(Stop::Enough) } else { Ok(()) }
    }
}
