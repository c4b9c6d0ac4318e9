// The state that is drawn: one row a body in the order of the body list. Between two samples positions follow the cubic
// that has the samples' velocities, orientations the shortest arc; at a sample exactly the sample is taken.

import { ROW, type Frame } from "./blocks";

export class Pose {
  time = 0;
  rows = new Float32Array(0);
  present = new Uint8Array(0);
  private indexOf = new Map<number, number>();
  private spot = new Int32Array(0);

  /** Makes room for the bodies with these numbers. */
  setBodies(numbers: number[]): void {
    const rows = new Float32Array(numbers.length * ROW);
    rows.set(this.rows.subarray(0, Math.min(this.rows.length, rows.length)));
    const present = new Uint8Array(numbers.length);
    present.set(this.present.subarray(0, Math.min(this.present.length, present.length)));
    this.rows = rows;
    this.present = present;
    this.spot = new Int32Array(numbers.length);
    this.indexOf = new Map(numbers.map((number, index) => [number, index]));
  }

  index(number: number): number {
    return this.indexOf.get(number) ?? -1;
  }

  /** Takes one frame as it is; false if it names a body that is not in the list. */
  take(frame: Frame): boolean {
    let isKnown = true;
    this.present.fill(0);
    for (let i = 0; i < frame.numbers.length; i++) {
      const index = this.indexOf.get(frame.numbers[i]!);
      if (index === undefined) {
        isKnown = false;
        continue;
      }
      this.present[index] = 1;
      copyRow(frame.rows, i * ROW, this.rows, index * ROW);
    }
    this.time = frame.time;
    return isKnown;
  }

  /** Takes the state at `time` between two frames. */
  blend(before: Frame, after: Frame, time: number): boolean {
    const isKnown = this.take(before);
    const span = after.time - before.time;
    const share = (time - before.time) / span;
    if (!(span > 0) || share <= 0) return isKnown;
    this.noteSpots(before);
    for (let i = 0; i < after.numbers.length; i++) {
      const index = this.indexOf.get(after.numbers[i]!);
      if (index === undefined || this.present[index] === 0) continue;
      const from = this.spot[index]! * ROW;
      hermite(before.rows, from, after.rows, i * ROW, share, span, this.rows, index * ROW);
      slerp(before.rows, from + 3, after.rows, i * ROW + 3, share, this.rows, index * ROW + 3);
    }
    this.time = time;
    return isKnown;
  }

  private noteSpots(frame: Frame): void {
    for (let i = 0; i < frame.numbers.length; i++) {
      const index = this.indexOf.get(frame.numbers[i]!);
      if (index !== undefined) this.spot[index] = i;
    }
  }
}

function copyRow(from: Float32Array, at: number, to: Float32Array, into: number): void {
  for (let k = 0; k < ROW; k++) to[into + k] = from[at + k]!;
}

// Position by the cubic through both places with both velocities; velocities in a straight line.
function hermite(
  a: Float32Array, i: number, b: Float32Array, j: number, s: number, span: number, out: Float32Array, o: number,
): void {
  const s2 = s * s;
  const s3 = s2 * s;
  for (let k = 0; k < 3; k++) {
    const place = (2 * s3 - 3 * s2 + 1) * a[i + k]! + (3 * s2 - 2 * s3) * b[j + k]!;
    out[o + k] = place + span * ((s3 - 2 * s2 + s) * a[i + 7 + k]! + (s3 - s2) * b[j + 7 + k]!);
  }
  for (let k = 7; k < ROW; k++) out[o + k] = (1 - s) * a[i + k]! + s * b[j + k]!;
}

function slerp(a: Float32Array, i: number, b: Float32Array, j: number, s: number, out: Float32Array, o: number): void {
  let dot = 0;
  for (let k = 0; k < 4; k++) dot += a[i + k]! * b[j + k]!;
  // q and −q are one orientation: the near one gives the shortest arc.
  const sign = dot < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  const sine = Math.sin(angle);
  // Below this angle the arc and its chord cannot be told apart in f32.
  const isChord = sine < 1e-4;
  const first = isChord ? 1 - s : Math.sin((1 - s) * angle) / sine;
  const second = sign * (isChord ? s : Math.sin(s * angle) / sine);
  for (let k = 0; k < 4; k++) out[o + k] = first * a[i + k]! + second * b[j + k]!;
}
