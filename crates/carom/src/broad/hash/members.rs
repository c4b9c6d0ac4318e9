//! Who is at which level.

use super::Place;
use super::level::Level;
use crate::broad::Proxy;

/// The proxies of one level.
#[derive(Clone, Debug)]
pub(super) struct Members {
    pub(super) level: Level,
    pub(super) proxies: Vec<Proxy>,
}

/// The proxies of every level, and those that belong to none.
#[derive(Clone, Debug)]
pub(super) struct Register {
    /// Where each proxy is, and its index among those at the same place.
    places: Vec<(Place, u32)>,
    /// Levels that have or had members, finest first.
    pub(super) levels: Vec<Members>,
    /// Proxies whose boxes are too large for cells.
    pub(super) wide: Vec<Proxy>,
}

impl Register {
    pub(super) fn new() -> Self {
        Self { places: Vec::new(), levels: Vec::new(), wide: Vec::new() }
    }

    pub(super) fn place(&self, proxy: Proxy) -> Place {
        self.places.get(proxy as usize).map_or(Place::Nowhere, |(place, _)| *place)
    }

    /// Moves a proxy to a place.
    pub(super) fn enrol(&mut self, proxy: Proxy, place: Place) {
        if self.places.len() <= proxy as usize {
            self.places.resize(proxy as usize + 1, (Place::Nowhere, 0));
        }
        self.resign(proxy);
        let mut index = 0;
        if let Some(members) = self.members(place) {
            index = members.len() as u32;
            members.push(proxy);
        }
        self.places[proxy as usize] = (place, index);
    }

    fn resign(&mut self, proxy: Proxy) {
        let (place, index) = self.places[proxy as usize];
        let Some(members) = self.members(place) else { return };
        members.swap_remove(index as usize);
        if let Some(&moved) = members.get(index as usize) {
            self.places[moved as usize].1 = index;
        }
    }

    fn members(&mut self, place: Place) -> Option<&mut Vec<Proxy>> {
        match place {
            Place::Nowhere => None,
            Place::Wide => Some(&mut self.wide),
            Place::Cells(level) => {
                let found = self.levels.binary_search_by_key(&level, |members| members.level);
                let index = found.unwrap_or_else(|index| {
                    self.levels.insert(index, Members { level, proxies: Vec::new() });
                    index
                });
                Some(&mut self.levels[index].proxies)
            }
        }
    }
}
