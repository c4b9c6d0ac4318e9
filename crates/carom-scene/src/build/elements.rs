//! Force elements and their copies.

use carom::elements::{Attraction, Axes, Bushing, Drag, ElementLaw, GasSpring, Spring, Thrust};
use glam::DVec3;

use super::Builder;
use super::holds::Ends;
use super::names::Named;
use super::repeat::CopyPlace;
use crate::decode::{Number, Numbers};
use crate::element::Element;
use crate::format::{BushingTable, DragTable, ElementTable, GasSpringTable, ThrustTable};
use crate::limits::Limit;
use crate::load::Document;
use crate::problem::Problem;
use crate::scene::MotionSpec;

impl Builder<'_, '_> {
    pub(super) fn add_elements(&mut self, documents: &[Document]) {
        for document in documents {
            let Some(tables) = &document.table.element else { continue };
            self.others.note_broken(Named::Element, &tables.broken);
            for table in &tables.tables {
                if self.add_element(table).is_none() {
                    self.others.note_unmade(Named::Element, &table.keys().name);
                }
            }
        }
    }

    /// Adds an element and its copies; none if one has a mistake, after which no more copies are made.
    fn add_element(&mut self, table: &ElementTable) -> Option<()> {
        let keys = table.keys();
        let most = self.loader.options.limits.bodies.saturating_sub(self.elements.len() as u64);
        let copies = self.copies(keys.repeat.as_ref(), &keys.name.value, (most, Limit::Bodies))?;
        for index in 0..copies.count() {
            let copy = copies.get(index);
            self.copy = copy.numbers;
            let number = copy.numbers.is_some().then_some(index);
            let name = self.own_name(&keys.name, number, Named::Element);
            let made = self.element(table, &copy);
            self.copy = None;
            let (law, ends) = made?;
            self.elements.push(Element { name: name?, law, ends, place: keys.place });
        }
        Some(())
    }

    fn element(&mut self, table: &ElementTable, copy: &CopyPlace) -> Option<(ElementLaw, Ends)> {
        // Everything is evaluated before the first mistake ends the element, so that each is told.
        let bodies = self.element_bodies(table.keys());
        match table {
            ElementTable::Spring(table) => {
                let stiffness = self.not_negative(&table.stiffness, "stiffness");
                let damping = self.not_negative_or_zero(table.damping.as_ref(), "damping");
                let rest = table.rest.as_ref().map(|it| self.not_negative(it, "rest"));
                let ends = self.line(bodies, &table.line, copy.offset, table.place)?;
                let rest = rest.unwrap_or_else(|| Some(self.distance(&ends)))?;
                let (stiffness, damping) = (stiffness?, damping?);
                let law = Spring { stiffness, rest, damping, pulls_only: false };
                Some((ElementLaw::Spring(law), ends))
            }
            ElementTable::Damper(table) => {
                let damping = self.not_negative(&table.damping, "damping");
                let ends = self.line(bodies, &table.line, copy.offset, table.place)?;
                let law = Spring { damping: damping?, ..Spring::default() };
                Some((ElementLaw::Spring(law), ends))
            }
            ElementTable::Rope(table) => {
                let stiffness = self.positive(&table.stiffness, "stiffness");
                let damping = self.not_negative_or_zero(table.damping.as_ref(), "damping");
                let rest = table.length.as_ref().map(|it| self.not_negative(it, "length"));
                let ends = self.line(bodies, &table.line, copy.offset, table.place)?;
                let rest = rest.unwrap_or_else(|| Some(self.distance(&ends)))?;
                let (stiffness, damping) = (stiffness?, damping?);
                let law = Spring { stiffness, rest, damping, pulls_only: true };
                Some((ElementLaw::Spring(law), ends))
            }
            ElementTable::GasSpring(table) => {
                let law = self.gas_spring(table);
                let extended = table.extended.as_ref().map(|it| self.positive(it, "extended"));
                let ends = self.line(bodies, &table.line, copy.offset, table.place)?;
                let extended = extended.unwrap_or_else(|| Some(self.distance(&ends)))?;
                Some((ElementLaw::GasSpring(GasSpring { extended, ..law? }), ends))
            }
            ElementTable::Bushing(table) => {
                let law = self.bushing(table);
                let ends = self.bushing_ends(bodies, table, copy);
                Some((ElementLaw::Bushing(law?), ends?))
            }
            ElementTable::Drag(table) => {
                let law = self.drag(table);
                let ends = self.on_one(bodies, &table.grip, copy.offset);
                let (law, ends) = (law?, ends?);
                if let Some(body) = ends[1].body
                    && self.bodies[body].motion == MotionSpec::Free
                {
                    let problem = Problem::error(table.place, "drag acts on one body")
                        .hint("name one body, or use a bushing with damping between two");
                    self.report(problem);
                    return None;
                }
                Some((ElementLaw::Drag(law), ends))
            }
            ElementTable::Thrust(table) => {
                let law = self.thrust(table);
                let ends = self.on_one(bodies, &table.grip, copy.offset);
                Some((ElementLaw::Thrust(law?), ends?))
            }
            ElementTable::Attraction(table) => {
                let strength = self.number(&table.strength);
                let ends = self.line(bodies, &table.line, copy.offset, table.place)?;
                Some((ElementLaw::Attraction(Attraction { strength: strength? }), ends))
            }
        }
    }

    fn not_negative_or_zero(&mut self, number: Option<&Number>, key: &str) -> Option<f64> {
        number.map_or(Some(0.0), |number| self.not_negative(number, key))
    }

    fn gas_spring(&mut self, table: &GasSpringTable) -> Option<GasSpring> {
        let force = self.not_negative(&table.force, "force");
        let stroke = self.positive(&table.stroke, "stroke");
        let exponent =
            table.exponent.as_ref().map_or(Some(1.0), |it| self.positive(it, "exponent"));
        let damping = self.not_negative_or_zero(table.damping.as_ref(), "damping");
        let (force, stroke, exponent, damping) = (force?, stroke?, exponent?, damping?);
        let column = match (&table.column, &table.ratio) {
            (Some(number), _) => {
                let column = self.number(number)?;
                if column <= stroke {
                    let message = "the gas must be longer than the stroke";
                    let problem = Problem::error(number.place, message)
                        .label(format!("the stroke is {stroke} m"));
                    self.report(problem);
                    return None;
                }
                column
            }
            (None, Some(number)) => {
                let ratio = self.number(number)?;
                if ratio <= 1.0 {
                    let problem = Problem::error(number.place, "`ratio` must be more than 1")
                        .label(format!("this is {ratio}"));
                    self.report(problem);
                    return None;
                }
                // ratio = (L/(L − stroke))ⁿ.
                stroke / (1.0 - libm::pow(ratio, -1.0 / exponent))
            }
            (None, None) => {
                if !table.faulty {
                    let message = "how much harder does it push when compressed?";
                    let problem = Problem::error(table.place, message)
                        .hint("add `ratio = 1.4`, as catalogues give it, or `column = …`");
                    self.report(problem);
                }
                return None;
            }
        };
        Some(GasSpring { force, extended: 0.0, stroke, column, exponent, damping })
    }

    fn bushing(&mut self, table: &BushingTable) -> Option<Bushing> {
        let stiffness = self.three(table.stiffness.as_ref(), "stiffness");
        let damping = self.three(table.damping.as_ref(), "damping");
        let torsion_stiffness = self.three(table.torsion_stiffness.as_ref(), "torsion_stiffness");
        let torsion_damping = self.three(table.torsion_damping.as_ref(), "torsion_damping");
        let (stiffness, damping) = (stiffness?, damping?);
        let (torsion_stiffness, torsion_damping) = (torsion_stiffness?, torsion_damping?);
        let all = [stiffness, damping, torsion_stiffness, torsion_damping];
        if all.iter().all(|it| *it == DVec3::ZERO) && !table.faulty {
            let problem = Problem::error(table.place, "a bushing without stiffness or damping")
                .hint("add `stiffness`, `damping`, `torsion_stiffness` or `torsion_damping`");
            self.report(problem);
            return None;
        }
        Some(Bushing { stiffness, damping, torsion_stiffness, torsion_damping })
    }

    /// One number for all directions, or three, none negative; zero where nothing is said.
    fn three(&mut self, numbers: Option<&Numbers>, key: &str) -> Option<DVec3> {
        let Some(numbers) = numbers else { return Some(DVec3::ZERO) };
        if numbers.is_list && numbers.values.len() != 3 {
            let message = format!("`{key}` is one number for all directions, or a list of 3");
            let problem = Problem::error(numbers.place, message);
            self.report(problem.label(format!("this has {}", numbers.values.len())));
            return None;
        }
        let values: Vec<Option<f64>> =
            numbers.values.iter().map(|number| self.not_negative(number, key)).collect();
        let values: Vec<f64> = values.into_iter().collect::<Option<_>>()?;
        let at = |index: usize| values[index.min(values.len() - 1)];
        Some(DVec3::new(at(0), at(1), at(2)))
    }

    fn drag(&mut self, table: &DragTable) -> Option<Drag> {
        let linear = self.not_negative_or_zero(table.linear.as_ref(), "linear");
        let angular = self.not_negative_or_zero(table.angular.as_ref(), "angular");
        let quadratic = self.not_negative_or_zero(table.quadratic.as_ref(), "quadratic");
        let wind = self.vector_or(table.wind.as_ref(), DVec3::ZERO);
        let of_area = [
            ("density", &table.density),
            ("coefficient", &table.coefficient),
            ("area", &table.area),
        ];
        let stated = of_area.map(|(key, it)| it.as_ref().map(|it| self.not_negative(it, key)));
        let quadratic = match stated {
            [None, None, None] => quadratic,
            [Some(density), Some(coefficient), Some(area)] => {
                Some(Drag::of_area(density?, coefficient?, area?).quadratic)
            }
            _ => {
                if !table.faulty {
                    let problem =
                        Problem::error(table.place, "drag of an area takes three numbers")
                            .hint("`density`, `coefficient` and `area` belong together");
                    self.report(problem);
                }
                return None;
            }
        };
        let drag = Drag { linear: linear?, quadratic: quadratic?, angular: angular?, wind: wind? };
        if [drag.linear, drag.quadratic, drag.angular] == [0.0; 3] && !table.faulty {
            let problem = Problem::error(table.place, "how strong is the drag?").hint(
                "add `linear`, `quadratic`, `angular`, or `density`, `coefficient` and `area`",
            );
            self.report(problem);
            return None;
        }
        Some(drag)
    }

    fn thrust(&mut self, table: &ThrustTable) -> Option<Thrust> {
        if table.force.is_none() && table.torque.is_none() && !table.faulty {
            let problem = Problem::error(table.place, "how strong? `force` or `torque` is missing")
                .hint("such as force = [0, 0, 10], in N");
            self.report(problem);
        }
        let force = self.vector_or(table.force.as_ref(), DVec3::ZERO);
        let torque = self.vector_or(table.torque.as_ref(), DVec3::ZERO);
        let axes =
            self.word(
                table.axes.as_ref(),
                ("axes", "a thrust cannot turn with"),
                |name| match name {
                    "world" => Ok(Axes::World),
                    "body" => Ok(Axes::End),
                    _ => Err(vec!["world", "body"]),
                },
            );
        Some(Thrust { force: force?, torque: torque?, axes: axes? })
    }
}
