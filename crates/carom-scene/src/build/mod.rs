//! From tables to a checked scene: expressions evaluated, names resolved, copies made.

mod bodies;
mod camera;
mod cautions;
mod changes;
mod checks;
mod colors;
mod contact;
mod controllers;
mod elements;
mod evaluate;
mod events;
mod expectations;
mod gauges;
mod holds;
mod joints;
mod layers;
mod mass;
mod materials;
mod meshes;
mod motion;
mod names;
mod pairs;
mod patterns;
mod placement;
mod random;
mod record;
mod repeat;
mod shapes;
mod targets;
mod trees;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use carom::World;
use glam::DVec3;

use crate::controller::Controller;
use crate::element::Element;
use crate::expectation::Expectation;
use crate::gauge::Gauge;
use crate::joint::Joint;
use crate::limits::Limit;
use crate::load::{Document, Loader, Parameters, evaluate_parameters, warn_of_unused};
use crate::problem::{Place, Problem};
use crate::scene::{Body, Change, Impulse, PairRegime, Record, Scene};
use crate::tolerances::WHOLE_NUMBER;
use contact::Contact;
pub use controllers::DEFAULT_CONTROLLER_HZ;
use evaluate::CopyNumbers;
pub(crate) use evaluate::ENVELOPE;
pub(crate) use expectations::texts_after;
pub use gauges::DEFAULT_GAUGE_HZ;
use layers::LayerNames;
use materials::Materials;
use meshes::MeshCache;
use names::{Names, OtherNames};

/// The acceleration of free fall unless a scene says otherwise: the standard value, z up `[m/s²]`.
pub const DEFAULT_GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.80665);

/// How long a scene runs unless it says otherwise `[s]`.
pub const DEFAULT_UNTIL: f64 = 10.0;

/// How often states are recorded unless a scene says otherwise `[Hz]`.
pub const DEFAULT_RATE_HZ: f64 = 60.0;

/// Whole numbers up to this are exact in floating point.
const LARGEST_SEED: f64 = 9_007_199_254_740_992.0;

/// Smallest and largest tolerance that linkages can be integrated with; the engine's own bounds.
const TIGHTEST_TOLERANCE: f64 = 1e-13;
const LOOSEST_TOLERANCE: f64 = 1e-2;

/// What is at hand while a scene is built.
pub(crate) struct Builder<'l, 'a> {
    loader: &'l mut Loader<'a>,
    parameters: Parameters,
    /// The copy that is being made, if any.
    copy: Option<CopyNumbers>,
    n_operations: u64,
    /// Whether a number of the copy was asked for since this was last cleared.
    asked_for_copy: Cell<bool>,
    materials: Materials,
    meshes: MeshCache,
    names: Names,
    bodies: Vec<Body>,
    layer_names: LayerNames,
    joints: Vec<Joint>,
    elements: Vec<Element>,
    controllers: Vec<Controller>,
    gauges: Vec<Gauge>,
    /// Names beside those of bodies.
    others: OtherNames,
    /// The joint that moves a body, both as indices.
    carried_by: BTreeMap<usize, usize>,
    /// Free bodies without mass, which only joints can move.
    massless: Vec<usize>,
    /// Whether there are joints at all.
    has_joints: bool,
    exclusions: BTreeSet<[usize; 2]>,
    regimes: BTreeMap<[usize; 2], PairRegime>,
    impulses: Vec<Impulse>,
    changes: Vec<Change>,
    expectations: Vec<Expectation>,
    seed: u64,
    until: f64,
    /// The envelope in force, while expectations are read, which may name it.
    envelope: Option<f64>,
    /// Limits that were told to be exceeded, so that each is told once.
    told: Vec<Limit>,
    /// The folder that the table being built takes its paths from.
    folder: std::path::PathBuf,
    /// The same, seen from the folder of the scene.
    relative_folder: std::path::PathBuf,
}

/// Builds the scene of all documents, the scene itself first; problems are noted in the loader.
pub(crate) fn build(loader: &mut Loader<'_>, documents: &[Document]) -> Option<Scene> {
    let (parameters, list) = evaluate_parameters(loader, documents);
    let top = documents.first()?;
    let mut builder = Builder::new(loader, parameters);
    let (gravity, until) = builder.world(top);
    let contact = builder.contact(top);
    let tolerance = builder.linkage_tolerance(top);
    builder.until = until.unwrap_or(f64::INFINITY);
    builder.has_joints = documents.iter().any(|document| document.table.joint.is_some());
    builder.add_materials(documents);
    builder.add_bodies(documents);
    builder.check_layers();
    builder.add_joints(documents);
    builder.add_elements(documents);
    builder.add_controllers(documents);
    builder.add_gauges(documents);
    builder.add_exclusions(documents);
    builder.add_pairs(documents);
    builder.add_events(documents);
    builder.check_changes_of_joined();
    builder.warn_of_rivals();
    // Where the world could not be read, any length will do: what follows from a mistake is not told again.
    builder.envelope = contact.map_or(Some(1.0), |contact| contact.envelope);
    builder.add_expectations(documents);
    builder.envelope = None;
    let record = builder.record(top);
    let camera = builder.camera(top);
    if !builder.loader.problems.has_errors() {
        builder.warn_of_unused_materials();
        warn_of_unused(builder.loader, &builder.parameters, &list, |place| place.file == top.file);
    }
    let text = |text: &Option<crate::decode::Text>| {
        text.as_ref().map_or_else(String::new, |t| t.value.clone())
    };
    let scene = builder.finish(gravity?, record?, contact?);
    if !loader.problems.has_errors() {
        let microcollisions = top.table.world.as_ref().and_then(|it| it.microcollisions.as_ref());
        for caution in cautions::cautions(&scene, microcollisions.map(|text| text.place)) {
            loader.problems.push(caution);
        }
    }
    Some(Scene {
        title: text(&top.table.title),
        description: text(&top.table.description),
        parameters: list,
        tolerance: tolerance?,
        camera,
        ..scene
    })
}

impl<'l, 'a> Builder<'l, 'a> {
    fn new(loader: &'l mut Loader<'a>, parameters: Parameters) -> Self {
        Self {
            loader,
            parameters,
            copy: None,
            n_operations: 0,
            asked_for_copy: Cell::new(false),
            materials: Materials::default(),
            meshes: MeshCache::default(),
            names: Names::default(),
            bodies: Vec::new(),
            layer_names: LayerNames::default(),
            joints: Vec::new(),
            elements: Vec::new(),
            controllers: Vec::new(),
            gauges: Vec::new(),
            others: OtherNames::default(),
            carried_by: BTreeMap::new(),
            massless: Vec::new(),
            has_joints: false,
            exclusions: BTreeSet::new(),
            regimes: BTreeMap::new(),
            impulses: Vec::new(),
            changes: Vec::new(),
            expectations: Vec::new(),
            seed: 0,
            until: DEFAULT_UNTIL,
            envelope: None,
            told: Vec::new(),
            folder: std::path::PathBuf::new(),
            relative_folder: std::path::PathBuf::new(),
        }
    }

    /// Gravity and duration; the seed goes where repeats look for it.
    fn world(&mut self, top: &Document) -> (Option<DVec3>, Option<f64>) {
        let world = top.table.world.as_ref();
        let gravity = world.and_then(|world| world.gravity.as_ref());
        let gravity = gravity.map_or(Some(DEFAULT_GRAVITY), |vector| self.vector(vector));
        let until = world.and_then(|world| world.until.as_ref());
        let until = until.map_or(Some(DEFAULT_UNTIL), |number| self.positive(number, "until"));
        let seed = world.and_then(|world| world.seed.as_ref());
        let seed = seed.and_then(|number| self.whole(number, "seed", LARGEST_SEED)).unwrap_or(0);
        self.seed = self.loader.options.seed.unwrap_or(seed);
        (gravity, until)
    }

    /// The tolerance of linkages.
    fn linkage_tolerance(&mut self, top: &Document) -> Option<f64> {
        let stated = top.table.world.as_ref().and_then(|world| world.tolerance.as_ref());
        let Some(number) = stated else { return Some(World::STANDARD_TOLERANCE) };
        let value = self.number(number)?;
        if (TIGHTEST_TOLERANCE..=LOOSEST_TOLERANCE).contains(&value) {
            return Some(value);
        }
        let problem = Problem::error(number.place, "`tolerance` must lie between 1e-13 and 0.01")
            .label(format!("this is {value}"));
        self.report(problem);
        None
    }

    fn finish(mut self, gravity: DVec3, record: Record, contact: Contact) -> Scene {
        self.impulses.sort_by(|a, b| a.at.total_cmp(&b.at));
        self.changes.sort_by(|a, b| a.at.total_cmp(&b.at));
        let (mut materials, mut pairs) = self.materials.finish();
        if let Some(law) = self.loader.options.contact.law {
            let surfaces = materials.iter_mut().map(|it| &mut it.surface);
            surfaces.chain(pairs.iter_mut().map(|it| &mut it.surface)).for_each(|it| it.law = law);
        }
        Scene {
            title: String::new(),
            description: String::new(),
            parameters: Vec::new(),
            gravity,
            until: self.until,
            seed: self.seed,
            on_touch: contact.on_touch,
            regime: contact.regime,
            envelope: contact.envelope,
            microcollisions: contact.microcollisions,
            impacts: contact.impacts,
            sleeps: contact.sleeps,
            tolerance: World::STANDARD_TOLERANCE,
            record,
            camera: None,
            materials,
            pairs,
            bodies: self.bodies,
            joints: self.joints,
            elements: self.elements,
            controllers: self.controllers,
            gauges: self.gauges,
            layers: self.layer_names.finish(),
            exclusions: self.exclusions.into_iter().collect(),
            regimes: self.regimes.into_values().collect(),
            impulses: self.impulses,
            changes: self.changes,
            expectations: self.expectations,
            files: std::mem::take(&mut self.loader.embedded),
            sources: std::sync::Arc::default(),
        }
    }

    /// Notes a problem, and in a repeated table for which copy.
    fn report(&mut self, mut problem: Problem) {
        if let Some(copy) = self.copy {
            let comma = if problem.label.is_empty() { "" } else { ", " };
            problem.label.push_str(&format!("{comma}in the copy with i = {}", copy.i));
        }
        self.loader.problems.push(problem);
    }

    /// Notes, once for each limit, that a scene asks for more than is allowed.
    fn report_limit(&mut self, limit: Limit, place: Place, what: &str) {
        if !self.told.contains(&limit) {
            self.told.push(limit);
            let allowed = self.loader.options.limits.get(limit);
            let problem = Problem::error(place, format!("{what} than the limit of {allowed}"));
            self.report(problem.hint(limit.how_to_raise()));
        }
    }

    fn error(&mut self, place: Place, message: impl Into<String>) {
        self.report(Problem::error(place, message));
    }
}
