//! What a broad phase has done.

/// Counts of work since a broad phase was made; they tell costs and decide nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Boxes put in place, replaced or removed.
    pub updates: u64,
    /// Updates among them that put the same box in place again: they write nothing and visit nothing.
    pub still: u64,
    /// Labels put into cells and taken out of them.
    pub cells_written: u64,
    /// Cells looked into for other boxes.
    pub cells_visited: u64,
    /// Labels looked at in those cells.
    pub labels_seen: u64,
    /// Exchanges of neighbouring ends in sorted lists.
    pub exchanges: u64,
    /// Boxes compared with an updated one.
    pub tests: u64,
    /// Pairs that entered or left the table.
    pub changes: u64,
}
