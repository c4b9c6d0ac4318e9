// The samples of a run, fetched in blocks around the time that is looked at. Only the blocks used last are kept, so a
// long recording never has to fit into memory. Who plays slowly gets samples that lie closer, and who stands still gets
// the state at that very time: both are worked out by the server from what happened, not drawn as a curve through two
// samples, which would go through the floor where a ball bounces.

import { getBytes } from "../net/api";
import { readBlocks, ROW, type Frame } from "./blocks";

const CACHE_BYTES = 200e6;
/** A block holds about this many samples, fewer if they are large. */
const SAMPLES_A_BLOCK = 64;
const FEWEST_A_BLOCK = 4;
const BLOCK_BYTES = 6e6;
const RETRY_MS = 1000;
/** Each level of fineness has this many times the samples of the one before. */
const FINER = 4;
const FINEST = 4;
/** Pictures a second for which slow playback has a sample each. */
const PICTURES = 30;

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
  private blocks = new Map<string, Block>();
  private asked = new Map<string, Promise<void>>();
  private bytes = 0;
  private level = 0;
  private exact: Frame | null = null;
  private readonly rate: number;
  private readonly samplesABlock: number;

  constructor(
    private readonly run: string,
    rate: number,
    bodies: number,
    private readonly spanEnd: () => number,
  ) {
    const frameBytes = 16 + bodies * 4 * (1 + ROW);
    this.samplesABlock = Math.min(SAMPLES_A_BLOCK, Math.max(FEWEST_A_BLOCK, Math.round(BLOCK_BYTES / frameBytes)));
    this.rate = rate > 0 ? rate : 60;
  }

  /** How fast time goes by: the slower, the closer the samples. */
  setSpeed(speed: number): void {
    const wanted = Math.log(PICTURES / (speed * this.rate)) / Math.log(FINER);
    this.level = Math.min(FINEST, Math.max(0, Math.ceil(wanted)));
  }

  /** The state at exactly a time, if it has been fetched last. */
  exactAt(time: number): Frame | null {
    return this.exact?.time === time ? this.exact : null;
  }

  /** Fetches the state at exactly a time. */
  async loadExact(time: number): Promise<void> {
    if (this.exactAt(time)) return;
    const frame = readBlocks(await getBytes(`${this.path}?at=${time}`)).at(-1);
    if (frame) this.exact = { ...frame, time };
  }

  /** The samples around a time if they are here already; it fills `into` and allocates nothing but a name. */
  at(time: number, into: Around): boolean {
    const [name, key] = this.keyOf(time);
    const block = this.blocks.get(name);
    if (!block || !this.covers(block, key, time) || block.frames.length === 0) return false;
    this.blocks.delete(name);
    this.blocks.set(name, block);
    const index = Math.max(0, lastAtOrBefore(block.frames, time));
    into.before = block.frames[index]!;
    into.after = block.frames[index + 1] ?? null;
    return true;
  }

  /** Fetches what is needed to show a time, unless it is here or on its way. */
  load(time: number): Promise<void> {
    const [name, key] = this.keyOf(time);
    const block = this.blocks.get(name);
    if (block && this.covers(block, key, time)) return Promise.resolve();
    let asked = this.asked.get(name);
    if (!asked) {
      asked = this.fetch(name, key);
      // A block that could not be had is not asked for again with every picture.
      asked.then(
        () => this.asked.delete(name),
        () => window.setTimeout(() => this.asked.delete(name), RETRY_MS),
      );
      this.asked.set(name, asked);
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
    // A step is from one recorded sample to the next, however slowly the run is played.
    const level = this.level;
    this.level = 0;
    const [name] = this.keyOf(time);
    const loaded = this.load(time);
    this.level = level;
    await loaded;
    const frames = this.blocks.get(name)?.frames ?? [];
    if (direction > 0) return frames.find((frame) => frame.time > time + hair)?.time ?? null;
    const index = lastAtOrBefore(frames, time - hair);
    return index >= 0 && frames[index]!.time < time - hair ? frames[index]!.time : null;
  }

  private get path(): string {
    return `/api/runs/${encodeURIComponent(this.run)}/samples`;
  }

  /** Time between two samples of the present level [s]. */
  private get spacing(): number {
    return 1 / (this.rate * FINER ** this.level);
  }

  private get blockSpan(): number {
    return this.samplesABlock * this.spacing;
  }

  private keyOf(time: number): [name: string, key: number] {
    const key = Math.floor(time / this.blockSpan + 1e-9);
    return [`${this.level}/${key}`, key];
  }

  private covers(block: Block, key: number, time: number): boolean {
    const isWhole = block.knownUntil > (key + 1) * this.blockSpan;
    return isWhole || time <= block.knownUntil;
  }

  private async fetch(name: string, key: number): Promise<void> {
    const knownUntil = this.spanEnd();
    const from = key * this.blockSpan;
    // Samples can lie closer than the rate says where the run was stopped by hand: twice as many are let through.
    const how = this.level === 0 ? `most=${2 * this.samplesABlock + 2}` : `every=${this.spacing}`;
    const to = this.level === 0 ? from + this.blockSpan : Math.min(from + this.blockSpan, knownUntil);
    const bytes = await getBytes(`${this.path}?from=${from}&to=${to}&${how}`);
    const old = this.blocks.get(name);
    if (old) this.bytes -= old.bytes;
    this.blocks.delete(name);
    this.blocks.set(name, { frames: readBlocks(bytes), bytes: bytes.byteLength, knownUntil });
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
