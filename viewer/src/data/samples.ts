// The samples of a run, fetched in blocks around the time that is looked at. Only the blocks used last are kept, so a
// long recording never has to fit into memory.

import { getBytes } from "../net/api";
import { readBlocks, ROW, type Frame } from "./blocks";

const CACHE_BYTES = 200e6;
/** A block holds about this many samples, fewer if they are large. */
const SAMPLES_A_BLOCK = 64;
const FEWEST_A_BLOCK = 4;
const BLOCK_BYTES = 6e6;
const RETRY_MS = 1000;

interface Block {
  frames: Frame[];
  bytes: number;
  /** End of the run when the block was fetched: what came later is not in it. */
  knownUntil: number;
}

export interface Around {
  before: Frame;
  after: Frame | null;
}

export class Samples {
  private blocks = new Map<number, Block>();
  private asked = new Map<number, Promise<void>>();
  private bytes = 0;
  private readonly blockSpan: number;
  private readonly samplesABlock: number;

  constructor(
    private readonly run: string,
    rate: number,
    bodies: number,
    private readonly spanEnd: () => number,
  ) {
    const frameBytes = 16 + bodies * 4 * (1 + ROW);
    this.samplesABlock = Math.min(SAMPLES_A_BLOCK, Math.max(FEWEST_A_BLOCK, Math.round(BLOCK_BYTES / frameBytes)));
    this.blockSpan = this.samplesABlock / (rate > 0 ? rate : 60);
  }

  /** The samples around a time if they are here already; it fills `into` and allocates nothing. */
  at(time: number, into: Around): boolean {
    const key = this.keyOf(time);
    const block = this.blocks.get(key);
    if (!block || !this.covers(block, key, time) || block.frames.length === 0) return false;
    this.blocks.delete(key);
    this.blocks.set(key, block);
    const index = Math.max(0, lastAtOrBefore(block.frames, time));
    into.before = block.frames[index]!;
    into.after = block.frames[index + 1] ?? null;
    return true;
  }

  /** Fetches what is needed to show a time, unless it is here or on its way. */
  load(time: number): Promise<void> {
    const key = this.keyOf(time);
    const block = this.blocks.get(key);
    if (block && this.covers(block, key, time)) return Promise.resolve();
    let asked = this.asked.get(key);
    if (!asked) {
      asked = this.fetch(key);
      // A block that could not be had is not asked for again with every picture.
      asked.then(
        () => this.asked.delete(key),
        () => window.setTimeout(() => this.asked.delete(key), RETRY_MS),
      );
      this.asked.set(key, asked);
    }
    return asked;
  }

  /** Fetches the block that playback reaches next. */
  prefetch(time: number, direction: number): void {
    const next = time + direction * this.blockSpan;
    if (next >= 0 && next - this.blockSpan < this.spanEnd()) this.load(next).catch(() => undefined);
  }

  /** Time of the nearest sample after (direction 1) or before (−1) a time. */
  async neighbour(time: number, direction: 1 | -1): Promise<number | null> {
    // A hair off the present sample, or a rounded time would find itself again.
    const hair = 1e-9 * Math.max(1, Math.abs(time));
    await this.load(time);
    const frames = this.blocks.get(this.keyOf(time))?.frames ?? [];
    if (direction > 0) return frames.find((frame) => frame.time > time + hair)?.time ?? null;
    const index = lastAtOrBefore(frames, time - hair);
    return index >= 0 && frames[index]!.time < time - hair ? frames[index]!.time : null;
  }

  forget(): void {
    this.blocks.clear();
    this.bytes = 0;
  }

  private keyOf(time: number): number {
    return Math.floor(time / this.blockSpan + 1e-9);
  }

  private covers(block: Block, key: number, time: number): boolean {
    const isWhole = block.knownUntil > (key + 1) * this.blockSpan;
    return isWhole || time <= block.knownUntil;
  }

  private async fetch(key: number): Promise<void> {
    const knownUntil = this.spanEnd();
    const from = key * this.blockSpan;
    // Samples can lie closer than the rate says where the run was stopped by hand: twice as many are let through.
    const most = 2 * this.samplesABlock + 2;
    const query = `from=${from}&to=${from + this.blockSpan}&most=${most}`;
    const bytes = await getBytes(`/api/runs/${encodeURIComponent(this.run)}/samples?${query}`);
    const old = this.blocks.get(key);
    if (old) this.bytes -= old.bytes;
    this.blocks.delete(key);
    this.blocks.set(key, { frames: readBlocks(bytes), bytes: bytes.byteLength, knownUntil });
    this.bytes += bytes.byteLength;
    this.dropOldest();
  }

  private dropOldest(): void {
    for (const [key, block] of this.blocks) {
      if (this.bytes <= CACHE_BYTES || this.blocks.size <= 2) return;
      this.blocks.delete(key);
      this.bytes -= block.bytes;
    }
  }
}

/** Index of the last frame at or before a time, −1 if all are later. */
export function lastAtOrBefore(frames: Frame[], time: number): number {
  let low = 0;
  let high = frames.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (frames[middle]!.time <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
