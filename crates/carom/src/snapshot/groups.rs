//! Groups as bytes: who belongs together, and what their motion was made from.

use std::collections::BTreeMap;

use carom_dynamics::linkage::{Ahead, Mode};
use carom_dynamics::spatial::ForceVector;
use carom_dynamics::{Ballistic, Mass, Motion};
use smallvec::SmallVec;

use crate::arena::Arena;
use crate::body::{BodyId, BodyRecord};
use crate::coupled::Coupled;
use crate::graph::{Graph, Plan, plan};
use crate::group::{FreeBody, Group, GroupId, Groups, Member, System};
use crate::world::Model;

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
}

pub(crate) fn read(
    source: &mut Source<'_>,
    model: &Model,
    bodies: &mut Arena<BodyId, BodyRecord>,
    graph: &Graph<'_>,
    forces: &BTreeMap<BodyId, ForceVector>,
) -> Result<Groups, SnapshotError> {
    let mut groups = Groups::default();
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
        match read_system(source, model, mass)? {
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
        groups.insert(course.resumed(plan, model, forces)?);
    }
    Ok(groups)
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
}

impl Beginning {
    fn read(source: &mut Source<'_>) -> Result<Self, SnapshotError> {
        let start = source.f64()?;
        let [q, v, torque, mode] = [(); 4].map(|()| read_numbers(source));
        let memory = read_numbers(source)?;
        let wrong = || SnapshotError::wrong("a linkage remembers what cannot be");
        let mode = Mode::read(&mode?).ok_or_else(wrong)?;
        let before = Ahead::read(&memory).ok_or_else(wrong)?;
        Ok(Self { start, q: q?, v: v?, torque: torque?, mode, before })
    }

    /// The group, on the course that it was on.
    fn resumed(
        self,
        plan: Plan,
        model: &Model,
        forces: &BTreeMap<BodyId, ForceVector>,
    ) -> Result<Group, SnapshotError> {
        let Self { start, q, v, torque, mode, before } = self;
        let Plan { linkage, links, members, elements } = plan;
        let tree = linkage.tree();
        if tree.check_state(&q, &v).is_err() || torque.len() != tree.n_v() || !start.is_finite() {
            return Err(SnapshotError::wrong("a linkage is in no state"));
        }
        let mut coupled = Coupled::new(linkage, (links, elements), [q.clone(), v.clone()]);
        coupled.set_torque(torque);
        coupled.take_wrenches(forces);
        let renewed = coupled
            .made(start, [&q, &v], mode, model.gravity, before)
            .map_err(|error| SnapshotError::wrong(error.to_string()))?;
        coupled.follow(renewed, start);
        let carrier = members[0].body;
        let system = System::Coupled(Box::new(coupled));
        Ok(Group { members: members.into(), carrier, system, dirty: false })
    }
}

fn read_system(
    source: &mut Source<'_>,
    model: &Model,
    mass: Option<Mass>,
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
        3 => return Ok(Read::Course(Box::new(Beginning::read(source)?))),
        kind => return Err(SnapshotError::wrong(format!("there is no motion of kind {kind}"))),
    })))
}
