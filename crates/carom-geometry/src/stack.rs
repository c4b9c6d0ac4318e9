//! What a walk through a balanced tree still has to look at, without an allocation.

/// A stack for walks through one or two trees that split evenly: trees of as many items as a `u32` can name are at most 32
/// deep, and every level leaves one item waiting beside the one that is opened.
pub(crate) struct Stack<T> {
    items: [T; ROOM],
    len: usize,
}

const ROOM: usize = 2 * 32 + 2;

impl<T: Copy> Stack<T> {
    pub(crate) fn of(first: T) -> Self {
        Self { items: [first; ROOM], len: 1 }
    }

    /// The second is popped first.
    pub(crate) fn push_both(&mut self, items: [T; 2]) {
        self.items[self.len..self.len + 2].copy_from_slice(&items);
        self.len += 2;
    }

    pub(crate) fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        Some(self.items[self.len])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The deepest walk: at each of 64 levels one half is opened and the other waits.
    #[test]
    fn a_walk_through_two_trees_of_32_levels_has_room() {
        let mut stack = Stack::of(0);
        for level in 1..=64 {
            assert_eq!(stack.pop(), Some(level - 1));
            stack.push_both([-level, level]);
        }
        assert_eq!(stack.pop(), Some(64));
        for level in (1..=64).rev() {
            assert_eq!(stack.pop(), Some(-level));
        }
        assert_eq!(stack.pop(), None);
    }
}
