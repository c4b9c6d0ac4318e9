//! The judge itself: it must accuse where there is something to accuse.
