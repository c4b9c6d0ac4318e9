//! Groups as bytes: who belongs together, and what their motion was made from.

use carom_dynamics::{Ballistic, Mass, Motion};
use smallvec::SmallVec;

use crate::arena::Arena;
use crate::body::{BodyId, BodyRecord};
use crate::group::{Group, GroupId, Groups, Member, System};
use crate::world::Model;

use super::bodies::{read_body_id, write_body_id};
use super::bytes::{Sink, Source};
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
        match &group.motion {
            Motion::Fixed(pose) => {
                sink.u8(0);
                sink.pose(pose);
            }
            Motion::Scripted(law) => {
                sink.u8(1);
                laws::write(law, sink);
            }
            Motion::Ballistic(arc) => {
                sink.u8(2);
                let (start, state) = arc.beginning();
                sink.f64(start);
                sink.body_state(state);
            }
            // A link is what its linkage makes of it.
            Motion::Linked(link) => {
                sink.u8(3);
                let (start, q, v) = link.course().beginning();
                sink.u64(link.link() as u64);
                sink.f64(start);
                for number in q.iter().chain(v) {
                    sink.f64(*number);
                }
            }
        }
    }
}

pub(crate) fn read(
    source: &mut Source<'_>,
    model: &Model,
    bodies: &mut Arena<BodyId, BodyRecord>,
) -> Result<Groups, SnapshotError> {
    let mut groups = Groups::default();
    for _ in 0..source.count(80)? {
        let member = |source: &mut Source<'_>| {
            Ok(Member { body: read_body_id(source)?, frame_from_body: source.pose()? })
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
        let (motion, system) = read_motion(source, model, mass)?;
        groups.insert(Group { members, carrier, motion, system, restart: None, dirty: false });
    }
    Ok(groups)
}

fn read_motion(
    source: &mut Source<'_>,
    model: &Model,
    mass: Option<Mass>,
) -> Result<(Motion, System), SnapshotError> {
    Ok(match source.u8()? {
        0 => (Motion::Fixed(source.pose()?), System::Passive),
        1 => (Motion::Scripted(laws::read(source)?), System::Passive),
        2 => {
            let (start, state) = (source.f64()?, source.body_state()?);
            let mass = mass.ok_or_else(|| SnapshotError::wrong("a free body has no mass"))?;
            if !start.is_finite() {
                return Err(SnapshotError::wrong("a motion begins at no time"));
            }
            let arc = Ballistic::new(start, state, model.gravity, &mass);
            (Motion::Ballistic(arc), System::Free(mass))
        }
        kind => return Err(SnapshotError::wrong(format!("there is no motion of kind {kind}"))),
    })
}
