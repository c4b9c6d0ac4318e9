//! Shapes as bytes: what their constructors take, so that what is read is checked like what is built.

use std::sync::Arc;

use carom_geometry::shapes::{
    Ball, Capsule, Compound, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Part, Superquadric,
};
use carom_geometry::{ClosedMesh, ConvexPolyhedron, Shape, TriMesh};

use super::SnapshotError;
use super::bytes::{Sink, Source};

/// Compounds of compounds nest at most this deep in a snapshot, as in the geometry.
const DEEPEST: usize = 64;

pub(crate) fn write(shape: &Shape, sink: &mut dyn Sink) {
    match shape {
        Shape::Ball(ball) => {
            sink.u8(0);
            sink.f64(ball.radius());
        }
        Shape::Cuboid(cuboid) => {
            sink.u8(1);
            sink.vector(cuboid.half());
        }
        Shape::Capsule(capsule) => {
            sink.u8(2);
            sink.f64(capsule.half_length());
            sink.f64(capsule.radius());
        }
        Shape::Cylinder(cylinder) => {
            sink.u8(3);
            sink.f64(cylinder.half_length());
            sink.f64(cylinder.radius());
        }
        Shape::Cone(cone) => {
            sink.u8(4);
            sink.f64(cone.half_length());
            sink.f64(cone.radius());
        }
        Shape::Ellipsoid(ellipsoid) => {
            sink.u8(5);
            sink.vector(ellipsoid.semi_axes());
        }
        Shape::Superquadric(superquadric) => {
            sink.u8(6);
            sink.vector(superquadric.semi_axes());
            superquadric.exponents().into_iter().for_each(|x| sink.f64(x));
        }
        Shape::HalfSpace(half_space) => {
            sink.u8(7);
            sink.vector(half_space.normal());
            sink.f64(half_space.offset());
        }
        Shape::Polyhedron(polyhedron) => {
            sink.u8(8);
            write_polyhedron(polyhedron, sink);
        }
        Shape::Mesh(mesh) => {
            sink.u8(9);
            write_mesh(mesh.mesh(), sink);
        }
        Shape::Compound(compound) => {
            sink.u8(10);
            sink.u64(compound.parts().len() as u64);
            for part in compound.parts() {
                sink.pose(&part.body_from_shape);
                write(&part.shape, sink);
            }
        }
    }
}

pub(crate) fn read(source: &mut Source<'_>) -> Result<Shape, SnapshotError> {
    read_nested(source, DEEPEST)
}

fn read_nested(source: &mut Source<'_>, deeper: usize) -> Result<Shape, SnapshotError> {
    let refused = |error: carom_geometry::ShapeError| SnapshotError::wrong(error.to_string());
    Ok(match source.u8()? {
        0 => Shape::Ball(Ball::new(source.f64()?).map_err(refused)?),
        1 => Shape::Cuboid(Cuboid::new(source.vector()?).map_err(refused)?),
        2 => Shape::Capsule(Capsule::new(source.f64()?, source.f64()?).map_err(refused)?),
        3 => Shape::Cylinder(Cylinder::new(source.f64()?, source.f64()?).map_err(refused)?),
        4 => Shape::Cone(Cone::new(source.f64()?, source.f64()?).map_err(refused)?),
        5 => Shape::Ellipsoid(Ellipsoid::new(source.vector()?).map_err(refused)?),
        6 => {
            let (semi_axes, xy, z) = (source.vector()?, source.f64()?, source.f64()?);
            Shape::Superquadric(Superquadric::new(semi_axes, xy, z).map_err(refused)?)
        }
        7 => Shape::HalfSpace(HalfSpace::new(source.vector()?, source.f64()?).map_err(refused)?),
        8 => Shape::Polyhedron(Arc::new(read_polyhedron(source)?)),
        9 => {
            let open = |_| SnapshotError::wrong("a mesh does not bound a solid");
            Shape::Mesh(Arc::new(ClosedMesh::new(read_mesh(source)?).map_err(open)?))
        }
        10 if deeper > 0 => {
            let part = |source: &mut Source<'_>| {
                let body_from_shape = source.pose()?;
                Ok(Part { body_from_shape, shape: read_nested(source, deeper - 1)? })
            };
            Shape::Compound(Arc::new(Compound::new(source.list(57, part)?).map_err(refused)?))
        }
        10 => return Err(SnapshotError::wrong("compounds are nested too deeply")),
        kind => return Err(SnapshotError::wrong(format!("there is no shape of kind {kind}"))),
    })
}

fn write_polyhedron(polyhedron: &ConvexPolyhedron, sink: &mut dyn Sink) {
    sink.u64(polyhedron.vertices().len() as u64);
    polyhedron.vertices().iter().for_each(|&vertex| sink.vector(vertex));
    sink.u64(polyhedron.faces().len() as u64);
    for (index, face) in polyhedron.faces().iter().enumerate() {
        sink.vector(face.normal);
        sink.f64(face.offset);
        let corners = polyhedron.face_vertices(index);
        sink.u64(corners.len() as u64);
        corners.for_each(|corner| sink.u32(corner));
    }
}

fn read_polyhedron(source: &mut Source<'_>) -> Result<ConvexPolyhedron, SnapshotError> {
    let vertices = source.list(24, Source::vector)?;
    let face = |source: &mut Source<'_>| {
        Ok((source.vector()?, source.f64()?, source.list(4, Source::u32)?))
    };
    let faces = source.list(40, face)?;
    ConvexPolyhedron::from_faces(vertices, faces).map_err(SnapshotError::wrong)
}

fn write_mesh(mesh: &TriMesh, sink: &mut dyn Sink) {
    sink.u64(mesh.vertices().len() as u64);
    mesh.vertices().iter().for_each(|&vertex| sink.vector(vertex));
    sink.u64(mesh.triangles().len() as u64);
    mesh.triangles().iter().flatten().for_each(|&corner| sink.u32(corner));
}

fn read_mesh(source: &mut Source<'_>) -> Result<TriMesh, SnapshotError> {
    let vertices = source.list(24, Source::vector)?;
    let triangle = |source: &mut Source<'_>| Ok([source.u32()?, source.u32()?, source.u32()?]);
    let triangles = source.list(12, triangle)?;
    TriMesh::new(vertices, triangles).map_err(|error| SnapshotError::wrong(error.to_string()))
}
