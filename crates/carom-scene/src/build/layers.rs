//! Layers: who meets whom, by names that become bits.

use std::collections::BTreeMap;

use carom::Layers;

use super::Builder;
use crate::decode::Text;
use crate::format::BodyTable;
use crate::problem::{Place, Problem};
use crate::suggest::{hint_for, list};

/// What the layer of bodies that name none is called.
const DEFAULT: &str = "default";

/// Layers that a scene may have: the bits of a mask.
const MOST_LAYERS: usize = u32::BITS as usize;

/// Places kept of one name to which nobody belongs; a reader goes through no more.
const MOST_PLACES: usize = 200;

/// All names of layers, in the order in which bodies mention them.
#[derive(Debug, Default)]
pub(crate) struct LayerNames {
    known: BTreeMap<String, usize>,
    list: Vec<Layer>,
}

#[derive(Debug)]
struct Layer {
    name: String,
    /// Where a body first belongs to it; none if it is only said to be met.
    belongs: Option<Place>,
    /// Where it is said to be met, until a body belongs to it.
    met: Vec<Place>,
}

impl LayerNames {
    fn get(&mut self, name: &str) -> (u32, &mut Layer) {
        let index = self.known.get(name).copied().unwrap_or_else(|| {
            let index = self.list.len();
            self.known.insert(name.to_owned(), index);
            self.list.push(Layer { name: name.to_owned(), belongs: None, met: Vec::new() });
            index
        });
        // What has no bit is told once all names are known.
        let bit = if index < MOST_LAYERS { 1 << index } else { 0 };
        (bit, &mut self.list[index])
    }

    /// The bit of a layer to which a body belongs.
    fn belongs(&mut self, name: &str, place: Place) -> u32 {
        let (bit, layer) = self.get(name);
        if layer.belongs.is_none() {
            layer.belongs = Some(place);
            layer.met.clear();
        }
        bit
    }

    /// The bit of a layer that a body meets.
    fn met(&mut self, name: &str, place: Place) -> u32 {
        let (bit, layer) = self.get(name);
        // Copies say it at the same place.
        let room = layer.belongs.is_none() && layer.met.len() < MOST_PLACES;
        if room && !layer.met.contains(&place) {
            layer.met.push(place);
        }
        bit
    }

    /// The names by their bits.
    pub(super) fn finish(self) -> Vec<String> {
        self.list.into_iter().map(|layer| layer.name).collect()
    }
}

impl Builder<'_, '_> {
    /// The layers of a body.
    pub(super) fn layers(&mut self, table: &BodyTable) -> Option<Layers> {
        let belongs = if let Some(text) = &table.layer {
            self.mask(std::slice::from_ref(text), LayerNames::belongs)
        } else if let Some(texts) = &table.layers {
            if texts.is_empty() {
                let problem = Problem::error(table.place, "a body belongs to at least one layer")
                    .label("`layers` is empty")
                    .hint("leave `layers` out, or add `ghost = true` for a body that meets nobody");
                self.report(problem);
                return None;
            }
            self.mask(texts, LayerNames::belongs)
        } else {
            Some(self.layer_names.belongs(DEFAULT, table.place))
        };
        let meets = match &table.meets {
            Some(texts) => self.mask(texts, LayerNames::met),
            None => Some(u32::MAX),
        };
        Some(Layers { belongs: belongs?, meets: meets? })
    }

    fn mask(
        &mut self,
        texts: &[Text],
        bit: fn(&mut LayerNames, &str, Place) -> u32,
    ) -> Option<u32> {
        let mut mask = Some(0);
        for text in texts {
            let Some(name) = self.text(text) else {
                mask = None;
                continue;
            };
            if name.trim().is_empty() {
                self.error(text.place, "the name of a layer must not be empty");
                mask = None;
                continue;
            }
            let bit = bit(&mut self.layer_names, &name, text.place);
            mask = mask.map(|mask| mask | bit);
        }
        mask
    }

    /// What can only be said once all bodies are known: names to which nobody belongs, and too many of them.
    pub(super) fn check_layers(&mut self) {
        let layers = &self.layer_names.list;
        let real = || layers.iter().filter(|layer| layer.belongs.is_some());
        let names: Vec<&str> = real().map(|layer| layer.name.as_str()).collect();
        let mut problems = Vec::new();
        // A body that could not be made is missing from its layers only because of that.
        if !self.names.are_incomplete() {
            for layer in layers {
                let message = format!("no body belongs to the layer `{}`", layer.name);
                let hint = hint_for(&layer.name, "layers", &names);
                let problem = |place: &Place| Problem::error(*place, &*message).hint(&*hint);
                problems.extend(layer.met.iter().map(problem));
            }
        }
        if let Some(place) = real().nth(MOST_LAYERS).and_then(|layer| layer.belongs) {
            let message =
                format!("the scene has {} layers, but may have {MOST_LAYERS}", names.len());
            let problem = Problem::error(place, message).label("one too many");
            problems.push(problem.hint(format!("layers of this scene: {}", list(names))));
        }
        for problem in problems {
            self.report(problem);
        }
    }
}
