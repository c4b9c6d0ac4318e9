//! From a scene to a world.

use carom::{
    Body, BodyId, Command, Joint, JointError, MaterialId, Place as ActsAt, Push, World, WorldError,
};

use crate::problem::{MOST_PROBLEMS, Place, Problem, Problems};
use crate::scene::{ChangeKind, MotionSpec, Point, Scene};

impl Scene {
    /// The world that the scene describes, at its beginning, with everything scheduled that is to happen.
    ///
    /// # Errors
    /// What the engine refuses, at its place in the scene.
    pub fn build(&self, threads: usize) -> Result<World, Problems> {
        self.build_with_ids(threads).map(|(world, _)| world)
    }

    /// The world, and the handles of its bodies in the order of [`Scene::bodies`], also of those yet to come.
    ///
    /// # Errors
    /// What the engine refuses, at its place in the scene.
    pub fn build_with_ids(&self, threads: usize) -> Result<(World, Vec<BodyId>), Problems> {
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
        let mut building = Building {
            scene: self,
            world,
            materials: Vec::new(),
            surfaces: self.materials.iter().map(|material| material.surface).collect(),
            bodies: Vec::new(),
            problems: self.no_problems(),
        };
        building.materials();
        building.bodies(&self.partners());
        building.joints();
        building.regimes();
        building.events();
        if building.problems.has_errors() {
            return Err(building.problems);
        }
        Ok((building.world, building.bodies.into_iter().flatten().collect()))
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

impl Scene {
    /// Of every joint, whether one of its linkage states rates.
    fn linkages_that_state_rates(&self) -> Vec<bool> {
        let mut carried_by: Vec<Option<usize>> = vec![None; self.bodies.len()];
        for (index, joint) in self.joints.iter().enumerate() {
            carried_by[joint.child] = Some(index);
        }
        // A linkage goes by its innermost free body.
        let root = |joint: &crate::Joint| {
            let mut body = joint.child;
            while let Some(index) = carried_by[body] {
                let parent = self.joints[index].parent;
                match parent.filter(|it| self.bodies[*it].motion == MotionSpec::Free) {
                    Some(parent) => body = parent,
                    None => break,
                }
            }
            body
        };
        let roots: Vec<usize> = self.joints.iter().map(root).collect();
        let mut states = vec![false; self.bodies.len()];
        for (joint, root) in self.joints.iter().zip(&roots) {
            states[*root] |= joint.velocity.is_some();
        }
        roots.into_iter().map(|root| states[root]).collect()
    }

    /// Where the joint stands that an error names.
    fn joint_place(&self, error: &JointError) -> Option<Place> {
        let (JointError::Value { joint, .. }
        | JointError::NameTaken { joint }
        | JointError::Role { joint, .. }
        | JointError::Taken { joint, .. }
        | JointError::Loop { joint, .. }
        | JointError::Massless { joint, .. }
        | JointError::Linkage { joint, .. }) = error;
        self.joints.iter().find(|it| it.name == *joint).map(|it| it.place)
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

    /// Linkages whose joints state rates, and those that have what their bodies' velocities leave: each at once, because a link
    /// without mass holds together only when all of its joints are there.
    fn joints(&mut self) {
        let scene = self.scene;
        let states_rates = scene.linkages_that_state_rates();
        for wanted in [false, true] {
            let chosen: Vec<&crate::Joint> = scene
                .joints
                .iter()
                .zip(&states_rates)
                .filter(|it| *it.1 == wanted)
                .map(|it| it.0)
                .collect();
            let made: Vec<Joint> = chosen.iter().filter_map(|joint| self.joint(joint)).collect();
            if made.is_empty() || made.len() < chosen.len() {
                continue;
            }
            let joined = self.world.join_all(made);
            let place = match &joined {
                Err(WorldError::Joint(error)) => scene.joint_place(error),
                _ => None,
            };
            self.accepted(place.unwrap_or(chosen[0].place), joined);
        }
    }

    /// None if a body was refused.
    fn joint(&self, joint: &crate::Joint) -> Option<Joint> {
        let parent = match joint.parent {
            Some(parent) => Some(self.bodies[parent]?),
            None => None,
        };
        let forces: Vec<carom::JointForce> =
            joint.freedoms.iter().map(crate::Freedom::force).collect();
        let made = Joint::new(joint.kind, parent, self.bodies[joint.child]?);
        let made = made.named(joint.name.clone()).start(&joint.start).forces(&forces);
        let made = joint.at.into_iter().fold(made, Joint::at);
        let made = joint.velocity.iter().fold(made, |made, rates| made.velocity(rates));
        Some(if joint.collide { made.colliding() } else { made })
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
                point: match impulse.point {
                    Point::CenterOfMass => ActsAt::Center,
                    Point::World(point) => ActsAt::World(point),
                    Point::Body(point) => ActsAt::Body(point),
                },
            };
            let scheduled = self.world.schedule(impulse.at, Command::Impulse(push));
            self.accepted(impulse.place, scheduled);
        }
        for change in &self.scene.changes {
            let Some(command) = self.command(&change.what) else { continue };
            let scheduled = self.world.schedule(change.at, command);
            self.accepted(change.place, scheduled);
        }
    }

    fn command(&mut self, what: &ChangeKind) -> Option<Command> {
        Some(match *what {
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
        })
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
