//! What people call the features that distances and touches name.

use super::Feature;
use crate::Shape;

impl Shape {
    /// A feature of one of its convex pieces, in words that `of "name"` can follow: `vertex 3`, `the upper rim`,
    /// `triangle 17`, `edge 2 of part 1`. Pieces count as in [`Pieces`](super::pieces::Pieces).
    pub fn feature_name(&self, piece: u32, feature: Feature) -> String {
        let mut search = Search { left: piece, parts: Vec::new() };
        let name =
            search.find(self).map_or_else(|| feature.to_string(), |found| found.name(feature));
        if search.parts.is_empty() {
            return name;
        }
        let parts: Vec<String> = search.parts.iter().map(ToString::to_string).collect();
        format!("{name} of part {}", parts.join("."))
    }
}

/// The way to a piece through compounds within compounds.
struct Search {
    /// Pieces still to be passed.
    left: u32,
    /// Numbers of the parts on the way.
    parts: Vec<usize>,
}

/// A piece that was found.
enum Found<'a> {
    /// All of a shape that is convex by its kind.
    Whole(&'a Shape),
    /// A facet of a mesh, by its number.
    Triangle(u32),
}

impl Search {
    fn find<'a>(&mut self, shape: &'a Shape) -> Option<Found<'a>> {
        match shape {
            Shape::Compound(compound) => {
                for (number, part) in compound.parts().iter().enumerate() {
                    self.parts.push(number);
                    if let Some(found) = self.find(&part.shape) {
                        return Some(found);
                    }
                    self.parts.pop();
                }
                None
            }
            Shape::Mesh(mesh) => {
                let n_triangles = mesh.mesh().triangles().len() as u32;
                let found = (self.left < n_triangles).then_some(Found::Triangle(self.left));
                self.left = self.left.saturating_sub(n_triangles);
                found
            }
            _ if self.left == 0 => Some(Found::Whole(shape)),
            _ => {
                self.left -= 1;
                None
            }
        }
    }
}

impl Found<'_> {
    fn name(&self, feature: Feature) -> String {
        match self {
            Self::Triangle(number) => match feature {
                Feature::Face(_) => format!("triangle {number}"),
                Feature::Edge(_) | Feature::Vertex(_) => format!("{feature} of triangle {number}"),
            },
            Self::Whole(shape) => {
                curved_name(shape, feature).map_or_else(|| feature.to_string(), str::to_owned)
            }
        }
    }
}

/// The patches of curved solids, by the table of [`Feature`]; none where a number says it all.
fn curved_name(shape: &Shape, feature: Feature) -> Option<&'static str> {
    use Feature::{Edge, Face, Vertex};
    Some(match (shape, feature) {
        (Shape::Ball(_) | Shape::Ellipsoid(_) | Shape::Superquadric(_), Face(0)) => "the surface",
        (Shape::HalfSpace(_), Face(0)) => "the plane",
        (Shape::Capsule(_) | Shape::Cylinder(_) | Shape::Cone(_), Face(0)) => "the side",
        (Shape::Capsule(_), Face(1)) => "the upper end",
        (Shape::Capsule(_), Face(2)) => "the lower end",
        (Shape::Cylinder(_), Face(1)) => "the top",
        (Shape::Cylinder(_), Face(2)) => "the bottom",
        (Shape::Cylinder(_), Edge(0)) => "the upper rim",
        (Shape::Cylinder(_), Edge(1)) => "the lower rim",
        (Shape::Cone(_), Face(1)) => "the base",
        (Shape::Cone(_), Edge(0)) => "the rim",
        (Shape::Cone(_), Vertex(0)) => "the apex",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::DVec3;

    use super::*;
    use crate::distance::pieces::Pieces;
    use crate::shapes::{Ball, Capsule, Compound, Cone, Cuboid, Cylinder, HalfSpace, Part};
    use crate::{ClosedMesh, Pose, TriMesh};

    fn ball() -> Shape {
        Shape::Ball(Ball::new(1.0).expect("a radius"))
    }

    fn cylinder() -> Shape {
        Shape::Cylinder(Cylinder::new(1.0, 2.0).expect("sizes"))
    }

    fn cuboid() -> Shape {
        Shape::Cuboid(Cuboid::new(DVec3::ONE).expect("sizes"))
    }

    fn tetrahedron() -> Shape {
        let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let mesh = TriMesh::new(corners, triangles).expect("indices in range");
        Shape::Mesh(Arc::new(ClosedMesh::new(mesh).expect("a solid")))
    }

    fn together(shapes: Vec<Shape>) -> Shape {
        let part = |shape| Part { shape, body_from_shape: Pose::IDENTITY };
        let parts = shapes.into_iter().map(part).collect();
        Shape::Compound(Arc::new(Compound::new(parts).expect("parts")))
    }

    #[test]
    fn patches_of_curved_solids_have_names_and_features_of_polyhedra_numbers() {
        let plane = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).unwrap());
        let capsule = Shape::Capsule(Capsule::new(1.0, 2.0).unwrap());
        let cone = Shape::Cone(Cone::new(1.0, 2.0).unwrap());
        let cases = [
            (ball(), Feature::Face(0), "the surface"),
            (plane, Feature::Face(0), "the plane"),
            (capsule.clone(), Feature::Face(0), "the side"),
            (capsule.clone(), Feature::Face(1), "the upper end"),
            (capsule, Feature::Face(2), "the lower end"),
            (cylinder(), Feature::Face(0), "the side"),
            (cylinder(), Feature::Face(1), "the top"),
            (cylinder(), Feature::Face(2), "the bottom"),
            (cylinder(), Feature::Edge(0), "the upper rim"),
            (cylinder(), Feature::Edge(1), "the lower rim"),
            (cone.clone(), Feature::Face(0), "the side"),
            (cone.clone(), Feature::Face(1), "the base"),
            (cone.clone(), Feature::Edge(0), "the rim"),
            (cone, Feature::Vertex(0), "the apex"),
            (cuboid(), Feature::Vertex(3), "vertex 3"),
            (cuboid(), Feature::Edge(7), "edge 7"),
            (cuboid(), Feature::Face(2), "face 2"),
            // What a solid does not have is still told by its number.
            (ball(), Feature::Edge(4), "edge 4"),
        ];
        for (shape, feature, name) in cases {
            assert_eq!(shape.feature_name(0, feature), name);
        }
    }

    #[test]
    fn pieces_are_told_by_triangle_and_by_part_however_deep() {
        let shape = together(vec![cylinder(), together(vec![tetrahedron(), ball()]), cuboid()]);
        let names: Vec<String> =
            (0..8).map(|it| shape.feature_name(it, Feature::Face(0))).collect();
        assert_eq!(Pieces::of(&shape).pieces().len(), 7);
        assert_eq!(names[0], "the side of part 0");
        assert_eq!(names[1], "triangle 0 of part 1.0");
        assert_eq!(names[4], "triangle 3 of part 1.0");
        assert_eq!(names[5], "the surface of part 1.1");
        assert_eq!(names[6], "face 0 of part 2");
        // There is no such piece.
        assert_eq!(names[7], "face 0");
        let mesh = tetrahedron();
        assert_eq!(mesh.feature_name(2, Feature::Face(0)), "triangle 2");
        assert_eq!(mesh.feature_name(2, Feature::Edge(1)), "edge 1 of triangle 2");
        assert_eq!(mesh.feature_name(2, Feature::Vertex(0)), "vertex 0 of triangle 2");
    }
}
