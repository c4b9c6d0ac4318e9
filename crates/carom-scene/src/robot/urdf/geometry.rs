//! Shapes and colours of URDF.

use glam::DVec3;

use super::Urdf;
use crate::robot::description::{Geometry, GeometryShape};
use crate::robot::fault::FaultKind;
use crate::robot::xml::Element;

impl Urdf<'_, '_> {
    /// Colours that stand at the top of the file.
    pub(super) fn named_colors(&mut self, root: &Element<'_>) {
        for material in root.children_called("material") {
            let Some(name) = self.reader.required(&material, "name") else { continue };
            if let Some(color) = self.own_color(&material) {
                self.colors.insert(name.value.to_owned(), color);
            }
        }
    }

    fn own_color(&self, material: &Element<'_>) -> Option<[f64; 4]> {
        let color = self.only(material, "color")?;
        self.reader.exactly(self.reader.required(&color, "rgba"))
    }

    /// The colour that a shape has.
    fn color(&self, element: &Element<'_>) -> Option<[f64; 4]> {
        let material = self.only(element, "material")?;
        let name = material.attribute("name");
        self.own_color(&material).or_else(|| self.colors.get(name?.value).copied())
    }

    /// A `<visual>` or `<collision>`.
    pub(super) fn shape(&self, element: &Element<'_>) -> Option<Geometry> {
        let name = element.attribute("name").map(|name| name.value.to_owned());
        let link_from_shape = self.origin(element);
        let color = self.color(element);
        let Some(outer) = self.only(element, "geometry") else {
            let kind =
                FaultKind::MissingElement { element: element.tag().to_owned(), child: "geometry" };
            self.reader.fault(element.place(), kind);
            return None;
        };
        let known = ["box", "cylinder", "sphere", "capsule", "mesh"];
        let children = outer.children();
        let shape = children.iter().find(|child| known.contains(&child.tag()));
        let Some(shape) = shape else {
            let kind = FaultKind::MissingElement {
                element: "geometry".to_owned(),
                child: "box>, <cylinder>, <sphere>, <capsule> or <mesh",
            };
            self.reader.fault(outer.place(), kind);
            return None;
        };
        let shape = self.geometry(&shape.take())?;
        Some(Geometry { name, link_from_shape, shape, color })
    }

    fn geometry(&self, element: &Element<'_>) -> Option<GeometryShape> {
        let size = |name| self.reader.positive(self.reader.required(element, name));
        match element.tag() {
            "box" => {
                let attribute = self.reader.required(element, "size")?;
                let size: [f64; 3] = self.reader.exactly(Some(attribute))?;
                let is_good = self.reader.is_positive(&attribute, &size);
                is_good.then(|| GeometryShape::Box { size: DVec3::from_array(size) })
            }
            "sphere" => Some(GeometryShape::Ball { radius: size("radius")? }),
            "cylinder" => {
                let (radius, height) = (size("radius"), size("length"));
                Some(GeometryShape::Cylinder { radius: radius?, height: height? })
            }
            "capsule" => {
                let (radius, length) = (size("radius"), size("length"));
                Some(GeometryShape::Capsule { radius: radius?, length: length? })
            }
            _ => {
                let file = self.reader.required(element, "filename");
                let scale = self.reader.vector(element.attribute("scale")).unwrap_or(DVec3::ONE);
                let file = file?;
                self.reader
                    .mesh(file.value, self.folder, scale, file.place)
                    .map(GeometryShape::Mesh)
            }
        }
    }
}
