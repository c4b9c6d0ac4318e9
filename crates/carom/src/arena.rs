//! Storage behind typed handles.
//!
//! A handle is a slot and the generation of what is in it, so one that outlives its value finds nothing
//! instead of a stranger. The smallest free slot is filled first: which handle comes next depends on what is
//! stored and on nothing that happened before, so a restored world hands out the same ones. (Maps with a
//! free list in order of removal lose that order when they are written out.)

use std::marker::PhantomData;

/// A typed handle.
pub(crate) trait Handle: Copy {
    fn of(index: u32, generation: u32) -> Self;
    fn index(self) -> u32;
    fn generation(self) -> u32;
}

/// Makes a handle type.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name {
            index: u32,
            generation: u32,
        }

        impl $crate::arena::Handle for $name {
            fn of(index: u32, generation: u32) -> Self {
                Self { index, generation }
            }

            fn index(self) -> u32 {
                self.index
            }

            fn generation(self) -> u32 {
                self.generation
            }
        }

        impl $name {
            /// The number of its slot; unique among the living.
            pub const fn slot(self) -> u32 {
                self.index
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}.{}"), self.index, self.generation)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(self, f)
            }
        }
    };
}
pub(crate) use handle;

/// Values behind handles of one type.
#[derive(Clone, Debug)]
pub(crate) struct Arena<H, T> {
    slots: Vec<Slot<T>>,
    /// Free slots, the smallest last.
    free: Vec<u32>,
    n_filled: usize,
    handles: PhantomData<H>,
}

#[derive(Clone, Debug)]
struct Slot<T> {
    generation: u32,
    content: Content<T>,
}

/// What is in a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content<T> {
    /// Nothing.
    Free,
    /// Nothing yet, but somebody holds the handle of what will be.
    Reserved,
    /// A value.
    Filled(T),
}

impl<T> Content<T> {
    pub(crate) const fn as_ref(&self) -> Content<&T> {
        match self {
            Self::Free => Content::Free,
            Self::Reserved => Content::Reserved,
            Self::Filled(value) => Content::Filled(value),
        }
    }

    pub(crate) fn value(self) -> Option<T> {
        if let Self::Filled(value) = self { Some(value) } else { None }
    }
}

impl<H: Handle, T> Arena<H, T> {
    pub(crate) const fn new() -> Self {
        Self { slots: Vec::new(), free: Vec::new(), n_filled: 0, handles: PhantomData }
    }

    /// The handle that the next insertion gives.
    pub(crate) fn next_handle(&self) -> H {
        let index = self.free.last().copied().unwrap_or(self.slots.len() as u32);
        let generation = self.slots.get(index as usize).map_or(0, |slot| slot.generation);
        H::of(index, generation)
    }

    pub(crate) fn insert(&mut self, value: T) -> H {
        let handle = self.reserve();
        self.fill(handle, value);
        handle
    }

    /// The handle of a value to come; until it does, the handle finds nothing.
    pub(crate) fn reserve(&mut self) -> H {
        let handle = self.next_handle();
        if let Some(index) = self.free.pop() {
            self.slots[index as usize].content = Content::Reserved;
        } else {
            self.slots.push(Slot { generation: 0, content: Content::Reserved });
        }
        handle
    }

    /// Puts the value behind a reserved handle; false if the handle is not reserved.
    pub(crate) fn fill(&mut self, handle: H, value: T) -> bool {
        let slot = self.slots.get_mut(handle.index() as usize);
        let slot = slot.filter(|slot| slot.generation == handle.generation());
        let Some(slot) = slot.filter(|slot| matches!(slot.content, Content::Reserved)) else {
            return false;
        };
        slot.content = Content::Filled(value);
        self.n_filled += 1;
        true
    }

    pub(crate) fn is_reserved(&self, handle: H) -> bool {
        let slot = self.slots.get(handle.index() as usize);
        slot.is_some_and(|slot| {
            slot.generation == handle.generation() && matches!(slot.content, Content::Reserved)
        })
    }

    /// Takes out what is behind a handle, or gives a reservation up.
    pub(crate) fn remove(&mut self, handle: H) -> Option<T> {
        let slot = self.slots.get_mut(handle.index() as usize)?;
        if slot.generation != handle.generation() || matches!(slot.content, Content::Free) {
            return None;
        }
        let content = std::mem::replace(&mut slot.content, Content::Free);
        slot.generation += 1;
        let place = self.free.partition_point(|&free| free > handle.index());
        self.free.insert(place, handle.index());
        let value = content.value();
        self.n_filled -= usize::from(value.is_some());
        value
    }

    pub(crate) fn get(&self, handle: H) -> Option<&T> {
        let slot = self.slots.get(handle.index() as usize)?;
        if slot.generation == handle.generation() { slot.content.as_ref().value() } else { None }
    }

    pub(crate) fn get_mut(&mut self, handle: H) -> Option<&mut T> {
        let slot = self.slots.get_mut(handle.index() as usize)?;
        match &mut slot.content {
            Content::Filled(value) if slot.generation == handle.generation() => Some(value),
            _ => None,
        }
    }

    /// The handle of what is stored in a slot.
    pub(crate) fn handle_at(&self, index: u32) -> Option<H> {
        let slot = self.slots.get(index as usize)?;
        slot.content.as_ref().value().map(|_| H::of(index, slot.generation))
    }

    /// How many values there are.
    pub(crate) const fn len(&self) -> usize {
        self.n_filled
    }

    /// In order of slots.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (H, &T)> + Clone {
        self.slots.iter().enumerate().filter_map(|(index, slot)| {
            let value = slot.content.as_ref().value()?;
            Some((H::of(index as u32, slot.generation), value))
        })
    }

    /// Every slot with its generation and content: what [`Self::from_slots`] needs.
    pub(crate) fn slots(&self) -> impl ExactSizeIterator<Item = (u32, Content<&T>)> {
        self.slots.iter().map(|slot| (slot.generation, slot.content.as_ref()))
    }

    #[cfg(test)]
    fn into_slots(self) -> impl Iterator<Item = (u32, Content<T>)> {
        self.slots.into_iter().map(|slot| (slot.generation, slot.content))
    }

    pub(crate) fn from_slots(slots: impl Iterator<Item = (u32, Content<T>)>) -> Self {
        let slots: Vec<Slot<T>> =
            slots.map(|(generation, content)| Slot { generation, content }).collect();
        let free = (0..slots.len() as u32)
            .rev()
            .filter(|&index| matches!(slots[index as usize].content, Content::Free))
            .collect();
        let n_filled =
            slots.iter().filter(|slot| matches!(slot.content, Content::Filled(_))).count();
        Self { slots, free, n_filled, handles: PhantomData }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::BodyId as TestId;

    #[test]
    fn a_handle_finds_its_value_and_nothing_after_removal() {
        let mut arena: Arena<TestId, &str> = Arena::new();
        let a = arena.insert("a");
        let b = arena.insert("b");
        assert_eq!(arena.remove(a), Some("a"));
        let c = arena.insert("c");
        assert_eq!(c.index(), a.index());
        assert_eq!(arena.get(a), None);
        assert_eq!(arena.get(b), Some(&"b"));
        assert_eq!(arena.get(c), Some(&"c"));
        assert_eq!(arena.remove(a), None);
    }

    #[test]
    fn a_reserved_handle_finds_nothing_until_it_is_filled_and_can_be_given_up() {
        let mut arena: Arena<TestId, &str> = Arena::new();
        let early = arena.reserve();
        let other = arena.insert("other");
        assert_ne!(early, other);
        assert_eq!((arena.get(early), arena.len()), (None, 1));
        assert!(arena.is_reserved(early) && arena.fill(early, "early"));
        assert!(!arena.fill(early, "twice"));
        assert_eq!((arena.get(early), arena.len()), (Some(&"early"), 2));
        let never = arena.reserve();
        assert_eq!(arena.remove(never), None);
        assert!(!arena.fill(never, "never"));
        assert_eq!(arena.insert("next").index(), never.index());
    }

    #[test]
    fn the_next_handle_depends_only_on_what_is_stored() {
        let mut arena: Arena<TestId, u32> = Arena::new();
        let handles: Vec<TestId> = (0..6).map(|i| arena.insert(i)).collect();
        for i in [4, 1, 3] {
            arena.remove(handles[i]);
        }
        arena.reserve();
        let mut copy: Arena<TestId, u32> = Arena::from_slots(arena.clone().into_slots());
        for _ in 0..5 {
            assert_eq!(arena.insert(9), copy.insert(9));
        }
        assert_eq!(arena.len(), 8);
    }
}
