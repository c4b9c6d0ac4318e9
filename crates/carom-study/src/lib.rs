//! What people do with many runs; for now, the table of reference cases behind `carom validate`.
