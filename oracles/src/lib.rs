//! Answers to compare Carom with, from sources that share no code with it.
