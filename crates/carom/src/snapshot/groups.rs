//! Groups as bytes: who belongs together, and what their motion was made from.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom_dynamics::linkage::{Ahead, Contacts, Mode, Surfaces};
use carom_dynamics::spatial::ForceVector;
use carom_dynamics::{Ballistic, Mass, Motion};
use smallvec::SmallVec;

use crate::arena::Arena;
use crate::body::{BodyId, BodyRecord};
use crate::coupled::Coupled;
use crate::graph::{Graph, Plan, plan};
use crate::group::{FreeBody, Group, GroupId, Groups, Member, System};
use crate::lasting::Meets;
use crate::world::{Model, World};

use super::bodies::{read_body_id, write_body_id};
use super::bytes::{Sink, Source};
use super::joints::{read_numbers, write_numbers};
use super::{SnapshotError, laws};

pub(crate) fn write(groups: &Groups, sink: &mut dyn Sink) {
    sink.u64(groups.iter().count() as u64);
    for (_, group) in groups.iter() {
        sink.u64(group.members.len() as u64);
        for member in &group.members {
            write_body_id(member.body, sink);
            sink.pose(&member.frame_from_body);
        }
        write_body_id(group.carrier, sink);
        match &group.system {
            System::Passive(Motion::Scripted(law)) => {
                sink.u8(1);
                laws::write(law, sink);
            }
            System::Passive(motion) => {
                sink.u8(0);
                sink.pose(&motion.state_at(0.0).pose());
            }
            System::Free(body) => {
                sink.u8(2);
                // Between instants a free body flies.
                if let Motion::Ballistic(arc) = &body.motion {
                    let (start, state) = arc.beginning();
                    sink.f64(start);
                    sink.body_state(state);
                }
            }
            System::Coupled(coupled) => {
                sink.u8(3);
                write_coupled(coupled, sink);
            }
        }
    }
}

/// Who its links are follows from its bodies and joints; the course, from its beginning and what the integrator remembered.
fn write_coupled(coupled: &Coupled, sink: &mut dyn Sink) {
    let (start, q, v) = coupled.course().map_or((0.0, &[][..], &[][..]), |it| it.beginning());
    sink.f64(start);
    let (mut memory, mut mode) = (Vec::new(), Vec::new());
    coupled.before().write(&mut memory);
    coupled.mode().write(&mut mode);
    for numbers in [q, v, coupled.torque(), &mode, &memory] {
        write_numbers(numbers, sink);
    }
    if !coupled.lasting().is_empty() {
        sink.bool(coupled.is_asleep());
        let active = coupled.mode().contacts().active();
        sink.u64(active.len() as u64);
        for is_active in active {
            sink.bool(*is_active);
        }
    }
}

pub(crate) fn read(
    source: &mut Source<'_>,
    model: &Model,
    bodies: &mut Arena<BodyId, BodyRecord>,
    graph: &Graph<'_>,
    forces: &BTreeMap<BodyId, ForceVector>,
) -> Result<(Groups, Vec<Touching>), SnapshotError> {
    let mut groups = Groups::default();
    let mut touching = Vec::new();
    let mut linked = Vec::new();
    for _ in 0..source.count(80)? {
        let member = |source: &mut Source<'_>| {
            Ok(Member { body: read_body_id(source)?, frame_from_body: source.pose()?, link: 0 })
        };
        let members: SmallVec<[Member; 1]> = source.list(64, member)?.into();
        let carrier = read_body_id(source)?;
        let stranger = || SnapshotError::wrong("a group has a member that is not there");
        let first = members.first().ok_or_else(stranger)?.body;
        let id = GroupId(first);
        for member in &members {
            bodies.get_mut(member.body).ok_or_else(stranger)?.group = id;
        }
        let mass = bodies.get(first).and_then(|body| body.model.mass);
        let touches = graph.touches(members.iter().map(|member| member.body));
        match read_system(source, model, mass, touches)? {
            Read::System(system) => {
                groups.insert(Group { members, carrier, system: *system, dirty: false });
            }
            Read::Course(course) => linked.push((members, course)),
        }
    }
    // Linkages stand on fixed bodies, which are all there now.
    for (members, course) in linked {
        let members: Vec<BodyId> = members.iter().map(|member| member.body).collect();
        let fixed = |body: BodyId| {
            let group = groups.get(bodies.get(body)?.group).filter(|it| it.is_fixed())?;
            Some(group.state_of(group.member(body)?, 0.0).pose())
        };
        let plan = plan(&members, graph, bodies, fixed, model.tolerance)?;
        let (group, rest) = course.resumed(plan, model, forces)?;
        let id = groups.insert(group);
        touching.extend(rest.map(|course| Touching { group: id, course }));
    }
    Ok((groups, touching))
}

/// A group in lasting contact, whose course is made once everybody is there.
pub(crate) struct Touching {
    group: GroupId,
    course: Box<Beginning>,
}

impl Touching {
    /// Puts the group on the course that it was on.
    pub(crate) fn resume(self, world: &mut World) -> Result<(), SnapshotError> {
        let Self { group: id, course } = self;
        let Beginning { start, q, v, mut mode, before, lasting, .. } = *course;
        let wrong = || SnapshotError::wrong("a pair rests where its bodies are not");
        let group = world.state.groups.get(id).ok_or_else(wrong)?;
        let coupled = group.coupled().ok_or_else(wrong)?;
        let meets = world.surfaces_of(group, coupled, start).ok_or_else(wrong)?;
        let Rest { is_asleep, active } = lasting.ok_or_else(wrong)?;
        if active.len() != meets.count() {
            return Err(wrong());
        }
        let surfaces: Arc<dyn Surfaces> = Arc::<Meets>::clone(&meets);
        mode.set_contacts(Contacts::new(surfaces, active));
        let gravity = world.model.gravity;
        let renewed = if is_asleep {
            coupled.asleep(start, &q, mode, &coupled.drive_now(gravity))
        } else {
            coupled
                .made(start, [&q, &v], mode, gravity, before)
                .map_err(|error| SnapshotError::wrong(error.to_string()))?
        };
        if let Some(coupled) = world.state.groups.get_mut(id).and_then(Group::coupled_mut) {
            coupled.follow(renewed.touching(meets), start);
        }
        Ok(())
    }
}

/// What a group in lasting contact is at.
struct Rest {
    is_asleep: bool,
    active: Vec<bool>,
}

/// A system, or what the course of a linkage was made from.
enum Read {
    System(Box<System>),
    Course(Box<Beginning>),
}

struct Beginning {
    start: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    torque: Vec<f64>,
    mode: Mode,
    before: Ahead,
    lasting: Option<Rest>,
}

impl Beginning {
    fn read(source: &mut Source<'_>, touches: bool) -> Result<Self, SnapshotError> {
        let start = source.f64()?;
        let [q, v, torque, mode] = [(); 4].map(|()| read_numbers(source));
        let memory = read_numbers(source)?;
        let wrong = || SnapshotError::wrong("a linkage remembers what cannot be");
        let mode = Mode::read(&mode?).ok_or_else(wrong)?;
        let before = Ahead::read(&memory).ok_or_else(wrong)?;
        let lasting = if touches {
            let is_asleep = source.bool()?;
            Some(Rest { is_asleep, active: source.list(1, Source::bool)? })
        } else {
            None
        };
        Ok(Self { start, q: q?, v: v?, torque: torque?, mode, before, lasting })
    }

    /// The group, on the course that it was on; where it touches others, that comes later.
    fn resumed(
        mut self,
        plan: Plan,
        model: &Model,
        forces: &BTreeMap<BodyId, ForceVector>,
    ) -> Result<(Group, Option<Box<Self>>), SnapshotError> {
        let (q, v, start) = (&self.q, &self.v, self.start);
        let torque = std::mem::take(&mut self.torque);
        let Plan { linkage, links, members, elements, lasting } = plan;
        let tree = linkage.tree();
        if tree.check_state(q, v).is_err() || torque.len() != tree.n_v() || !start.is_finite() {
            return Err(SnapshotError::wrong("a linkage is in no state"));
        }
        let mut coupled = Coupled::new(linkage, (links, elements), lasting, [q.clone(), v.clone()]);
        coupled.set_torque(torque);
        coupled.take_wrenches(forces);
        let carrier = members[0].body;
        let group = |coupled: Coupled| {
            let system = System::Coupled(Box::new(coupled));
            Group { members: members.into(), carrier, system, dirty: false }
        };
        if self.lasting.is_some() {
            return Ok((group(coupled), Some(Box::new(self))));
        }
        let renewed = coupled
            .made(start, [q, v], self.mode, model.gravity, self.before)
            .map_err(|error| SnapshotError::wrong(error.to_string()))?;
        coupled.follow(renewed, start);
        Ok((group(coupled), None))
    }
}

fn read_system(
    source: &mut Source<'_>,
    model: &Model,
    mass: Option<Mass>,
    touches: bool,
) -> Result<Read, SnapshotError> {
    Ok(Read::System(Box::new(match source.u8()? {
        0 => System::Passive(Motion::Fixed(source.pose()?)),
        1 => System::Passive(Motion::Scripted(laws::read(source)?)),
        2 => {
            let (start, state) = (source.f64()?, source.body_state()?);
            let mass = mass.ok_or_else(|| SnapshotError::wrong("a free body has no mass"))?;
            if !start.is_finite() {
                return Err(SnapshotError::wrong("a motion begins at no time"));
            }
            let arc = Ballistic::new(start, state, model.gravity, &mass);
            System::Free(FreeBody { mass, motion: Motion::Ballistic(arc), restart: None })
        }
        3 => return Ok(Read::Course(Box::new(Beginning::read(source, touches)?))),
        kind => return Err(SnapshotError::wrong(format!("there is no motion of kind {kind}"))),
    })))
}
