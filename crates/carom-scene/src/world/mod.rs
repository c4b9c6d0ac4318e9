//! From a scene to a world.

mod control;
mod linkages;
mod overlaps;

use carom::control::Target;
use carom::{
    Body, BodyId, Command, ControllerId, ElementId, JointId, MaterialId, Place as ActsAt, Push,
    World, WorldError,
};

use crate::problem::{MOST_PROBLEMS, Place, Problem, Problems};
use crate::scene::{ChangeKind, MotionSpec, Point, Scene};

/// The world of a scene, with the handles of what the scene lists, in the same order.
#[derive(Debug)]
pub struct Built {
    /// The world at its beginning, with everything scheduled that is to happen.
    pub world: World,
    /// Of [`Scene::bodies`], also of those yet to come.
    pub bodies: Vec<BodyId>,
    /// Of [`Scene::joints`].
    pub joints: Vec<JointId>,
    /// Of [`Scene::elements`].
    pub elements: Vec<ElementId>,
    /// Of [`Scene::controllers`].
    pub controllers: Vec<ControllerId>,
    /// Of [`Scene::gauges`]; [`World::shown`] gives what they read.
    pub gauges: Vec<ControllerId>,
}

impl Scene {
    /// The world that the scene describes, at its beginning, with everything scheduled that is to happen.
    ///
    /// # Errors
    /// What the engine refuses, at its place in the scene.
    pub fn build(&self, threads: usize) -> Result<World, Problems> {
        self.build_whole(threads).map(|built| built.world)
    }

    /// The world, and the handles of its bodies in the order of [`Scene::bodies`], also of those yet to come.
    ///
    /// # Errors
    /// What the engine refuses, at its place in the scene.
    pub fn build_with_ids(&self, threads: usize) -> Result<(World, Vec<BodyId>), Problems> {
        self.build_whole(threads).map(|built| (built.world, built.bodies))
    }

    /// The world, and the handles of everything in it.
    ///
    /// # Errors
    /// What the engine refuses, at its place in the scene.
    pub fn build_whole(&self, threads: usize) -> Result<Built, Problems> {
        let mut building = self.building(threads)?;
        building.materials();
        building.bodies(&self.partners());
        building.joints();
        building.elements();
        building.controllers();
        building.gauges();
        building.regimes();
        building.events();
        if building.problems.has_errors() {
            return Err(building.problems);
        }
        Ok(Built {
            world: building.world,
            bodies: building.bodies.into_iter().flatten().collect(),
            joints: building.joints.into_iter().flatten().collect(),
            elements: building.elements.into_iter().flatten().collect(),
            controllers: building.controllers.into_iter().flatten().collect(),
            gauges: building.gauges.into_iter().flatten().collect(),
        })
    }

    /// A world with nothing in it yet.
    fn building(&self, threads: usize) -> Result<Building<'_>, Problems> {
        let builder = World::builder().gravity(self.gravity).tolerance(self.tolerance);
        let builder = builder.threads(threads);
        let world = match builder.contact(self.contact()).build() {
            Ok(world) => world,
            Err(error) => {
                let mut problems = self.no_problems();
                problems.push(Problem::placeless(error.to_string()));
                return Err(problems);
            }
        };
        Ok(Building {
            scene: self,
            world,
            materials: Vec::new(),
            surfaces: self.materials.iter().map(|material| material.surface).collect(),
            bodies: Vec::new(),
            joints: vec![None; self.joints.len()],
            elements: Vec::new(),
            controllers: Vec::new(),
            gauges: Vec::new(),
            problems: self.no_problems(),
        })
    }

    /// Controllers and gauges for [`World::restore`] of a world of this scene, in their order.
    pub fn fresh_controllers(&self) -> Vec<Box<dyn carom::Controller>> {
        let gauges = self.gauges.iter().map(|_| {
            let gauge: Box<dyn carom::Controller> = Box::new(carom::sense::Gauge::default());
            gauge
        });
        self.controllers.iter().map(|it| it.law.fresh()).chain(gauges).collect()
    }

    fn no_problems(&self) -> Problems {
        let mut problems = Problems::at_most(MOST_PROBLEMS);
        problems.sources = std::sync::Arc::clone(&self.sources);
        problems
    }

    /// Of every body, the earlier ones in the file that it takes no notice of and that are there, or yet to come, when it
    /// comes.
    fn partners(&self) -> Vec<Vec<usize>> {
        let mut partners = vec![Vec::new(); self.bodies.len()];
        let mut removed = vec![f64::INFINITY; self.bodies.len()];
        for change in &self.changes {
            if let ChangeKind::Remove(body) = change.what {
                removed[body] = removed[body].min(change.at);
            }
        }
        for &[earlier, later] in &self.exclusions {
            let from = self.bodies[later].from;
            // Of what happens at one time, the table that stands first comes first, and changes come after bodies.
            if self.bodies[earlier].until > from && removed[earlier] >= from {
                partners[later].push(earlier);
            }
        }
        partners
    }
}

/// A world in the making.
struct Building<'a> {
    scene: &'a Scene,
    world: World,
    materials: Vec<MaterialId>,
    /// Surfaces as the changes so far have left them.
    surfaces: Vec<carom::Surface>,
    /// None where the engine refused.
    bodies: Vec<Option<BodyId>>,
    joints: Vec<Option<JointId>>,
    elements: Vec<Option<ElementId>>,
    controllers: Vec<Option<ControllerId>>,
    gauges: Vec<Option<ControllerId>>,
    problems: Problems,
}

impl Building<'_> {
    fn materials(&mut self) {
        for material in &self.scene.materials {
            let made = carom::Material { name: material.name.clone(), surface: material.surface };
            match self.world.add_material(made) {
                Ok(id) => self.materials.push(id),
                Err(error) => self.problems.push(Problem::placeless(error.to_string())),
            }
        }
        for pair in &self.scene.pairs {
            let ids = pair.materials.map(|index| self.materials.get(index).copied());
            if let [Some(a), Some(b)] = ids
                && let Err(error) = self.world.set_pair(a, b, pair.surface)
            {
                self.problems.push(Problem::placeless(error.to_string()));
            }
        }
    }

    fn bodies(&mut self, partners: &[Vec<usize>]) {
        for (body, partners) in self.scene.bodies.iter().zip(partners) {
            let Some(made) = self.body(body) else {
                self.bodies.push(None);
                continue;
            };
            let ids = partners.iter().filter_map(|&index| self.bodies[index]);
            let made = ids.fold(made, Body::except);
            let added = if body.from > 0.0 {
                self.world.schedule_add(body.from, made).map(|(_, id)| id)
            } else {
                self.world.add(made)
            };
            let id = self.accepted(body.place, added);
            if let Some(id) = id.filter(|_| body.until.is_finite()) {
                let scheduled = self.world.schedule(body.until, Command::Remove(id));
                self.accepted(body.place, scheduled);
            }
            self.bodies.push(id);
        }
    }

    fn body(&mut self, body: &crate::Body) -> Option<Body> {
        let shape = body.shape.as_ref().clone();
        let made = match &body.motion {
            MotionSpec::Free if body.mass.is_none() => Body::massless(shape),
            MotionSpec::Free => {
                Body::free(shape).velocity(body.velocity).angular_velocity(body.angular_velocity)
            }
            MotionSpec::Fixed => Body::fixed(shape),
            scripted => match scripted.law(&body.world_from_body, body.from)? {
                Ok(law) => Body::scripted(shape, law),
                Err(error) => {
                    self.problems.push(Problem::error(body.place, error.to_string()));
                    return None;
                }
            },
        };
        let made = made.named(body.name.clone()).pose(body.world_from_body);
        let made = match body.mass {
            Some(mass) => made.mass_properties(mass),
            None => made,
        };
        let made = match self.materials.get(body.material) {
            Some(&material) => made.material(material),
            None => made,
        };
        let made = made.layers(body.layers).surface_velocity(body.surface_velocity);
        let made = if body.sensor { made.sensor() } else { made };
        Some(if body.ghost { made.ghost() } else { made })
    }

    fn regimes(&mut self) {
        for pair in &self.scene.regimes {
            let [Some(a), Some(b)] = pair.bodies.map(|index| self.bodies[index]) else { continue };
            let set = self.world.set_regime(a, b, pair.regime);
            self.accepted(pair.place, set);
        }
    }

    fn events(&mut self) {
        for impulse in &self.scene.impulses {
            let Some(body) = self.bodies[impulse.body] else { continue };
            let push = Push {
                body,
                linear: impulse.impulse,
                angular: impulse.angular_impulse,
                point: acts_at(impulse.point),
            };
            let scheduled = self.world.schedule(impulse.at, Command::Impulse(push));
            self.accepted(impulse.place, scheduled);
        }
        for change in &self.scene.changes {
            for command in self.commands(&change.what).into_iter().flatten() {
                let scheduled = self.world.schedule(change.at, command);
                self.accepted(change.place, scheduled);
            }
        }
    }

    /// None if what they are about was refused.
    fn commands(&mut self, what: &ChangeKind) -> Option<Vec<Command>> {
        Some(vec![match *what {
            ChangeKind::Gravity(gravity) => Command::Gravity(gravity),
            ChangeKind::Material { material, friction, restitution } => {
                let surface = self.surfaces.get_mut(material)?;
                surface.friction = friction.unwrap_or(surface.friction);
                surface.restitution = restitution.unwrap_or(surface.restitution);
                let surface = *surface;
                Command::Material { material: *self.materials.get(material)?, surface }
            }
            ChangeKind::Remove(body) => Command::Remove(self.bodies[body]?),
            ChangeKind::Carry { body, by } => {
                Command::Carry { body: self.bodies[body]?, by: self.bodies[by]? }
            }
            ChangeKind::Release(body) => Command::Release(self.bodies[body]?),
            ChangeKind::Part(joint) => Command::Part(self.joints[joint]?),
            ChangeKind::Untie(element) => Command::Untie(self.elements[element]?),
            ChangeKind::Enable { controller, enabled } => {
                Command::Enable { controller: self.controllers[controller]?, enabled }
            }
            ChangeKind::Drive { joint, ref effort } => Command::Drive {
                joint: self.joints[joint]?,
                torque: effort.iter().copied().collect(),
            },
            ChangeKind::Push { body, force, torque, point } => {
                Command::Force { body: self.bodies[body]?, force, torque, point: acts_at(point) }
            }
            ChangeKind::Target { controller, ref targets } => {
                let controller = self.controllers[controller]?;
                let command = |(joint, freedom, target): &(usize, usize, Target)| {
                    let joint = self.joints[*joint]?;
                    let (freedom, target) = (*freedom, target.clone());
                    Some(Command::Target { controller, joint, freedom, target })
                };
                return targets.iter().map(command).collect();
            }
        }])
    }

    /// Where the body stands that another one overlaps, unless both come from one table.
    fn other_place(&self, place: Place, error: &WorldError) -> Option<Place> {
        let WorldError::Overlap { other, .. } = error else { return None };
        if self.problems.n_left_out() > 0 {
            return None;
        }
        let index = self.scene.body_index(other)?;
        Some(self.scene.bodies[index].place).filter(|other| *other != place)
    }

    fn accepted<T>(&mut self, place: Place, result: Result<T, WorldError>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                let text = error.to_string();
                let (message, hint) = text.split_once("\nhint: ").unwrap_or((&text, ""));
                let problem = Problem::error(place, message);
                let problem = if hint.is_empty() { problem } else { problem.hint(hint) };
                self.problems.push(match self.other_place(place, &error) {
                    Some(other) => problem.related(other, "the other one"),
                    None => problem,
                });
                None
            }
        }
    }
}

const fn acts_at(point: Point) -> ActsAt {
    match point {
        Point::CenterOfMass => ActsAt::Center,
        Point::World(point) => ActsAt::World(point),
        Point::Body(point) => ActsAt::Body(point),
    }
}
