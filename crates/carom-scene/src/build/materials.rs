//! Materials and pairs of them.

use std::collections::BTreeMap;

use super::Builder;
use crate::decode::{Number, Text};
use crate::format::{MaterialPairTable, MaterialTable};
use crate::load::Document;
use carom::{RestitutionLaw, Surface};

use crate::material::{Material, MaterialPair};
use crate::problem::{Place, Problem};
use crate::suggest::{hint_for, list, nearest};

/// What the material of bodies that name none is called.
const DEFAULT: &str = "default";

/// All materials so far.
#[derive(Debug)]
pub(crate) struct Materials {
    list: Vec<Material>,
    pairs: Vec<(MaterialPair, Place)>,
    known: BTreeMap<String, usize>,
    /// Where each stands, and whether something uses it.
    notes: Vec<Note>,
    broken: Vec<String>,
    any_broken: bool,
}

#[derive(Debug)]
struct Note {
    /// None for the default one, which stands nowhere.
    place: Option<Place>,
    is_used: bool,
    is_top: bool,
}

impl Default for Materials {
    fn default() -> Self {
        let surface = Surface::default();
        let (name, about) = (DEFAULT.to_owned(), String::new());
        let material = Material { name, density: None, surface, color: None, about };
        Self {
            list: vec![material],
            pairs: Vec::new(),
            known: BTreeMap::from([(DEFAULT.to_owned(), 0)]),
            notes: vec![Note { place: None, is_used: true, is_top: false }],
            broken: Vec::new(),
            any_broken: false,
        }
    }
}

impl Materials {
    pub(super) fn finish(self) -> (Vec<Material>, Vec<MaterialPair>) {
        (self.list, self.pairs.into_iter().map(|(pair, _)| pair).collect())
    }

    pub(super) fn density(&self, material: usize) -> Option<f64> {
        self.list.get(material)?.density
    }
}

impl Builder<'_, '_> {
    pub(super) fn add_materials(&mut self, documents: &[Document]) {
        for document in documents {
            let Some(tables) = &document.table.material else { continue };
            for broken in &tables.broken {
                match &broken.name {
                    Some(name) => self.materials.broken.push(name.clone()),
                    None => self.materials.any_broken = true,
                }
            }
            for table in &tables.tables {
                self.add_material(table, document.depth == 0);
            }
        }
        for document in documents {
            for table in document.table.material_pair.iter().flat_map(|tables| &tables.tables) {
                self.add_pair(table);
            }
        }
    }

    fn add_material(&mut self, table: &MaterialTable, is_top: bool) {
        let density = table.density.as_ref().map(|number| self.positive(number, "density"));
        let surface = self.surface(
            table.friction.as_ref(),
            table.restitution.as_ref(),
            table.law.as_ref(),
            Surface::default(),
        );
        let color = table.color.as_ref().map(|text| self.color(text));
        let Some(name) = self.text(&table.name) else {
            self.materials.any_broken = true;
            return;
        };
        let (Some(surface), None | Some(Some(_)), None | Some(Some(_))) = (surface, density, color)
        else {
            self.materials.broken.push(name);
            return;
        };
        let about = table.about.as_ref().map_or_else(String::new, |about| about.value.clone());
        let (density, color) = (density.flatten(), color.flatten());
        let material = Material { name: name.clone(), density, surface, color, about };
        let note = Note { place: Some(table.name.place), is_used: false, is_top };
        match self.materials.known.get(&name) {
            None => {
                self.materials.known.insert(name, self.materials.list.len());
                self.materials.list.push(material);
                self.materials.notes.push(note);
            }
            Some(&index) => match self.materials.notes[index].place {
                // The default material may be restated.
                None => {
                    self.materials.list[index] = material;
                    self.materials.notes[index] = Note { is_used: true, ..note };
                }
                Some(first) => {
                    let problem = Problem::error(
                        table.name.place,
                        format!("two materials are called `{name}`"),
                    )
                    .label("used again")
                    .related(first, "used first")
                    .hint("give each material a name of its own");
                    self.report(problem);
                }
            },
        }
    }

    /// Friction, restitution and law, gaps filled from another surface.
    fn surface(
        &mut self,
        friction: Option<&Number>,
        restitution: Option<&Number>,
        law: Option<&Text>,
        default: Surface,
    ) -> Option<Surface> {
        let friction =
            friction.map_or(Some(default.friction), |number| self.not_negative(number, "friction"));
        let restitution = restitution
            .map_or(Some(default.restitution), |number| self.share(number, "restitution"));
        let law = law.map_or(Some(default.law), |text| self.law(text));
        Some(Surface { friction: friction?, restitution: restitution?, law: law? })
    }

    fn law(&mut self, text: &Text) -> Option<RestitutionLaw> {
        let name = self.text(text)?;
        let found = RestitutionLaw::ALL.into_iter().find(|law| law.name() == name);
        if found.is_none() {
            let names = || RestitutionLaw::ALL.into_iter().map(RestitutionLaw::name);
            let problem =
                Problem::error(text.place, format!("there is no law of impact \"{name}\""));
            let problem = match nearest(&name, names()) {
                Some(near) => problem.label(format!("did you mean \"{near}\"?")),
                None => problem,
            };
            self.report(problem.hint(format!("laws: {}", list(names()))));
        }
        found
    }

    fn add_pair(&mut self, table: &MaterialPairTable) {
        let [a, b] = table.materials.as_slice() else {
            let problem = Problem::error(table.place, "a material pair names two materials")
                .label(format!("this names {}", table.materials.len()))
                .hint("write `materials = [\"steel\", \"ice\"]`; both may be the same");
            return self.report(problem);
        };
        let (a, b) = (self.find_material(a), self.find_material(b));
        let default = a.zip(b).map_or_else(Surface::default, |(a, b)| {
            self.materials.list[a].surface.combined(&self.materials.list[b].surface)
        });
        let surface = self.surface(
            table.friction.as_ref(),
            table.restitution.as_ref(),
            table.law.as_ref(),
            default,
        );
        let (Some(a), Some(b), Some(surface)) = (a, b, surface) else { return };
        let materials = [a.min(b), a.max(b)];
        if let Some((_, first)) =
            self.materials.pairs.iter().find(|(pair, _)| pair.materials == materials)
        {
            let problem = Problem::error(table.place, "this pair of materials is described twice")
                .label("described again")
                .related(*first, "described first");
            return self.report(problem);
        }
        self.materials.pairs.push((MaterialPair { materials, surface }, table.place));
    }

    /// The material that a text names.
    pub(super) fn material(&mut self, text: &Text) -> Option<usize> {
        let index = self.find_material(text)?;
        self.materials.notes[index].is_used = true;
        Some(index)
    }

    fn find_material(&mut self, text: &Text) -> Option<usize> {
        let name = self.text(text)?;
        if let Some(&index) = self.materials.known.get(&name) {
            return Some(index);
        }
        if !self.materials.any_broken && !self.materials.broken.contains(&name) {
            let known: Vec<&str> = (self.materials.known.keys())
                .chain(&self.materials.broken)
                .map(String::as_str)
                .filter(|known| *known != DEFAULT)
                .collect();
            let hint = hint_for(&name, "materials", &known);
            let problem =
                Problem::error(text.place, format!("there is no material `{name}`")).hint(hint);
            self.report(problem);
        }
        None
    }

    /// Warns of materials that nothing is made of; those of included files may serve other scenes.
    pub(super) fn warn_of_unused_materials(&mut self) {
        let materials = self.materials.list.iter().zip(&self.materials.notes);
        let unused = materials.filter(|(_, note)| !note.is_used && note.is_top);
        let warnings: Vec<Problem> = unused
            .filter_map(|(material, note)| {
                let message = format!("no body is made of the material `{}`", material.name);
                let hint =
                    format!("write `material = \"{}\"` in a [[body]], or remove it", material.name);
                Some(Problem::warning(note.place?, message).hint(hint))
            })
            .collect();
        for warning in warnings {
            self.report(warning);
        }
    }
}
