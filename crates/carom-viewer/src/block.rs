//! States as the page reads them: little endian, one block for each time.
//!
//! `u32` 1, `u32` n, `f64` time, n `u32` numbers of bodies, and for each 13 `f32`: position, orientation (x, y, z, w),
//! velocity, angular velocity. Single precision is enough to draw; who wants all digits asks for them.

use carom_record::Sample;

/// What a block begins with.
const KIND: u32 = 1;

/// Appends the block of a sample.
pub(crate) fn append(sample: &Sample, bytes: &mut Vec<u8>) {
    bytes.reserve(16 + 56 * sample.states.len());
    bytes.extend(KIND.to_le_bytes());
    bytes.extend((sample.states.len() as u32).to_le_bytes());
    bytes.extend(sample.time.to_le_bytes());
    for (number, _) in &sample.states {
        bytes.extend(number.to_le_bytes());
    }
    for (_, state) in &sample.states {
        let parts = [state.position, state.velocity, state.angular_velocity];
        let [position, velocity, spin] = parts.map(|part| part.to_array());
        let turn = state.orientation.to_array();
        for number in position.iter().chain(&turn).chain(&velocity).chain(&spin) {
            bytes.extend((*number as f32).to_le_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use carom::BodyState;
    use carom_geometry::Pose;

    use super::*;

    #[test]
    fn a_block_has_the_length_and_the_places_that_the_page_reads() {
        let states = vec![(3, BodyState::at_rest(Pose::IDENTITY)); 2];
        let mut bytes = Vec::new();
        append(&Sample { time: 0.5, states }, &mut bytes);
        assert_eq!(bytes.len(), 16 + 2 * 56);
        assert_eq!(bytes[..8], [1, 0, 0, 0, 2, 0, 0, 0]);
        assert_eq!(bytes[8..16], 0.5_f64.to_le_bytes());
        assert_eq!(bytes[16..24], [3, 0, 0, 0, 3, 0, 0, 0]);
        // The last number of the first orientation is 1.
        assert_eq!(bytes[24 + 4 * 6..24 + 4 * 7], 1.0_f32.to_le_bytes());
    }
}
