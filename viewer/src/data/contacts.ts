// Contacts in short stretches of time, kept for a while, so that playback shows them without waiting.

import { getJson } from "../net/api";
import type { Contact, Vec3 } from "../net/types";

const CHUNKS_KEPT = 96;
const MOST_A_CHUNK = 400;
/** The last stretch of a run that goes on is asked for again this often. */
const REFRESH_MS = 160;

interface Chunk {
  contacts: Contact[];
  knownUntil: number;
  askedAt: number;
}

export class Contacts {
  private chunks = new Map<number, Chunk>();
  private asked = new Set<number>();

  constructor(
    private readonly run: string,
    private readonly chunkSpan: number,
    private readonly spanEnd: () => number,
    private readonly isFree: (body: number) => boolean,
    private readonly onArrival: () => void,
  ) {}

  /** Puts the contacts of (from, to] that are known into `out`, and asks for the others. */
  within(from: number, to: number, out: Contact[]): void {
    out.length = 0;
    const last = Math.floor(to / this.chunkSpan);
    for (let key = Math.max(0, Math.floor(from / this.chunkSpan)); key <= last; key++) {
      this.need(key, to);
      for (const contact of this.chunks.get(key)?.contacts ?? []) {
        if (contact.time_s > from && contact.time_s <= to) out.push(contact);
      }
    }
  }

  /** Asks for the stretch that playback reaches next. */
  prefetch(time: number, direction: number): void {
    const next = Math.floor(time / this.chunkSpan) + direction;
    if (next >= 0 && next * this.chunkSpan <= this.spanEnd()) this.need(next, time);
  }

  private need(key: number, time: number): void {
    const chunk = this.chunks.get(key);
    const isWhole = chunk && chunk.knownUntil >= (key + 1) * this.chunkSpan;
    if (isWhole || (chunk && time <= chunk.knownUntil)) return;
    if (this.asked.has(key) || (chunk && performance.now() - chunk.askedAt < REFRESH_MS)) return;
    this.asked.add(key);
    void this.fetch(key).finally(() => this.asked.delete(key));
  }

  private async fetch(key: number): Promise<void> {
    const knownUntil = this.spanEnd();
    const query = `from=${key * this.chunkSpan}&to=${(key + 1) * this.chunkSpan}&most=${MOST_A_CHUNK}`;
    try {
      const contacts = await getJson<Contact[]>(`/api/runs/${encodeURIComponent(this.run)}/contacts?${query}`);
      for (const contact of contacts) if (!this.isFree(contact.a) && this.isFree(contact.b)) turn(contact);
      this.chunks.set(key, { contacts, knownUntil, askedAt: performance.now() });
    } catch {
      // Asked again with the next picture; a lost connection is told of elsewhere.
      this.chunks.set(key, { contacts: [], knownUntil: -1, askedAt: performance.now() + 1000 });
    }
    const oldest = this.chunks.keys().next().value;
    if (this.chunks.size > CHUNKS_KEPT && oldest !== undefined) this.chunks.delete(oldest);
    this.onArrival();
  }
}

/** Seen from the other body: what is shown is the push on the one that moves, not that on the floor. */
function turn(contact: Contact): void {
  [contact.a, contact.b] = [contact.b, contact.a];
  contact.normal = contact.normal.map((part) => -part) as Vec3;
  contact.impulse_N_s = contact.impulse_N_s.map((part) => -part) as Vec3;
}
