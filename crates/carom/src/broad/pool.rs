//! Many short lists in one piece of memory.
//!
//! Lists live in blocks whose capacities are powers of two; a list that outgrows its block moves to one twice
//! as large, and blocks given back wait, by capacity, for the next taker. Once as many blocks of each capacity
//! exist as were ever needed at one time, nothing is allocated any more.

/// A list in a [`Pool`]: the handle through which the pool reads and changes it. A copy of it goes stale when
/// the list is changed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct List {
    start: usize,
    len: u32,
    /// The capacity is 2^(class + 1), and 0 in class 0.
    class: u8,
}

/// Lists have up to 2³² − 1 items.
const CLASSES: usize = 33;

/// Free blocks for which there is room from the first one on.
const LEAST_ROOM: usize = 256;

/// Blocks of one capacity.
#[derive(Clone, Debug, Default)]
struct Class {
    /// Starts of blocks that no list has; there is room for all that were made.
    free: Vec<usize>,
    made: usize,
}

/// The memory of lists of `T`.
#[derive(Clone, Debug)]
pub(super) struct Pool<T> {
    items: Vec<T>,
    classes: Vec<Class>,
}

impl List {
    pub(super) const EMPTY: Self = Self { start: 0, len: 0, class: 0 };

    pub(super) const fn len(&self) -> usize {
        self.len as usize
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    const fn capacity(&self) -> usize {
        if self.class == 0 { 0 } else { 2 << self.class }
    }
}

impl<T: Copy + Default> Pool<T> {
    pub(super) fn new() -> Self {
        Self { items: Vec::new(), classes: vec![Class::default(); CLASSES] }
    }

    pub(super) fn items(&self, list: &List) -> &[T] {
        &self.items[list.start..list.start + list.len()]
    }

    pub(super) fn items_mut(&mut self, list: &List) -> &mut [T] {
        &mut self.items[list.start..list.start + list.len()]
    }

    /// Appends an item.
    pub(super) fn push(&mut self, list: &mut List, item: T) {
        if list.len() == list.capacity() {
            self.grow(list);
        }
        self.items[list.start + list.len()] = item;
        list.len += 1;
    }

    /// Takes an item out and puts the last one in its place; a list that becomes empty gives its block back.
    pub(super) fn swap_remove(&mut self, list: &mut List, index: usize) {
        let items = self.items_mut(list);
        items[index] = items[items.len() - 1];
        list.len -= 1;
        if list.is_empty() {
            self.give_back(list);
            *list = List::EMPTY;
        }
    }

    fn grow(&mut self, list: &mut List) {
        let class = list.class + 1;
        let start = self.block(class);
        self.items.copy_within(list.start..list.start + list.len(), start);
        self.give_back(list);
        *list = List { start, len: list.len, class };
    }

    fn give_back(&mut self, list: &List) {
        if list.class != 0 {
            self.classes[usize::from(list.class)].free.push(list.start);
        }
    }

    fn block(&mut self, class: u8) -> usize {
        let blocks = &mut self.classes[usize::from(class)];
        if let Some(start) = blocks.free.pop() {
            return start;
        }
        blocks.made += 1;
        if blocks.free.capacity() < blocks.made {
            blocks.free.reserve(LEAST_ROOM.max(2 * blocks.made));
        }
        let start = self.items.len();
        self.items.resize(start + (2 << class), T::default());
        start
    }

    /// Number of blocks that lists have.
    #[cfg(test)]
    pub(super) fn blocks_in_use(&self) -> usize {
        self.classes.iter().map(|class| class.made - class.free.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_of_lists_behaves_like_lists_and_gives_all_blocks_back() {
        let mut pool = Pool::new();
        let mut lists = [List::EMPTY; 7];
        let mut expected: [Vec<u64>; 7] = std::array::from_fn(|_| Vec::new());
        let mut random = 1_u64;
        let mut next = move || {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            random >> 33
        };
        for round in 0..20_000 {
            let which = next() as usize % lists.len();
            let shrinking = round > 10_000;
            if next() % 5 < if shrinking { 3 } else { 2 } && !expected[which].is_empty() {
                let index = next() as usize % expected[which].len();
                pool.swap_remove(&mut lists[which], index);
                expected[which].swap_remove(index);
            } else if !shrinking || next() % 4 == 0 {
                pool.push(&mut lists[which], round);
                expected[which].push(round);
            }
            assert_eq!(pool.items(&lists[which]), expected[which]);
        }
        for (list, expected) in lists.iter_mut().zip(&expected) {
            assert_eq!(pool.items(list), expected);
            while !list.is_empty() {
                pool.swap_remove(list, 0);
            }
        }
        assert_eq!(pool.blocks_in_use(), 0);
    }
}
