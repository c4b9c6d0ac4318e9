// What time is shown. A recording is played by a clock of the page. A live run is played by the server as long as the
// page follows its front; who scrubs back leaves the front and plays what has been by the page's clock.

import { getJson } from "../net/api";
import type { RunEvent } from "../net/types";
import type { Run } from "./run";
import { Signal } from "./signal";

export const SLOWEST = 0.01;
export const FASTEST = 100;
/** How long to wait for the state that a finished action leads to. */
const STATE_MS = 2000;
/** Two runs that take longer than this to where they are sent are not sent as far the next time [s]. */
const LONGEST_LEG = 0.1;
/** Two runs are not sent on more often than this, whatever the screen's rate: the server takes 200 orders a second [s]. */
const SHORTEST_LEG = 0.012;
/** How far two runs are sent at first [s]. */
const FIRST_LEG = 0.01;

export class Player {
  time = 0;
  speed = 1;
  isReverse = false;
  isLooping = false;
  isPlaying = false;
  isFollowing: boolean;
  isLoading = false;
  /** Two live runs are led on together. */
  private isPacing = false;
  /** They are being stopped at one time. */
  private isHalting = false;
  /** Where they are sent, how far at most, and for how long and how many pictures they have been on the way [s, s, s, −]. */
  private leg = { target: 0, reach: FIRST_LEG, waited: 0, ticks: 0 };
  /** Kinds of events that stepping stops at; null means all but micro-collisions. */
  eventKinds: string | null = null;
  /** Bodies that an event must have a part of to be stepped to and counted, by name: none, one or two. */
  eventBodies: string[] = [];

  readonly changed = new Signal();
  private isStale = true;
  private undo: (() => void)[] = [];

  constructor(readonly runs: Run[]) {
    this.isFollowing = this.lead.isLive;
    this.time = this.lead.spanStart;
    for (const run of runs) this.listen(run);
  }

  get lead(): Run {
    return this.runs[0]!;
  }

  get start(): number {
    return this.lead.spanStart;
  }

  get end(): number {
    return Math.max(...this.runs.map((run) => run.spanEnd));
  }

  /** Whether time goes on, by whichever clock. */
  get isMoving(): boolean {
    return this.isFollowing ? this.isPacing || (this.runs.length === 1 && this.lead.isRunning) : this.isPlaying;
  }

  /** Where the scale of time ends: a live run has its scene before it [s]. */
  get horizon(): number {
    return this.lead.isLive ? Math.max(this.end, this.lead.meta.until_s ?? 0) : this.end;
  }

  close(): void {
    for (const stop of this.undo) stop();
  }

  /** Brings the poses up to date; true if the picture changes. */
  tick(seconds: number): boolean {
    if (!this.isFollowing && this.isPlaying) this.run(seconds);
    const isNew = this.isStale && (this.isFollowing ? this.showFront() : this.showPast());
    // What both have come to is shown before they are sent on.
    if (this.isFollowing && this.isPacing) this.pace(seconds);
    return isNew;
  }

  markStale(): void {
    this.isStale = true;
  }

  async toggle(): Promise<void> {
    if (this.isFollowing && !this.isReverse && this.lead.status?.end && !this.isMoving) {
      // It is over: what has been is played again.
      await this.seek(this.start);
      this.isPlaying = true;
    } else if (this.isFollowing && !this.isReverse && this.runs.length > 1) {
      if (this.isPacing) await this.halt();
      else this.setOff();
    } else if (this.isFollowing && !this.isReverse) {
      await this.everywhere(this.lead.isRunning ? "pause" : "play");
    } else if (this.isFollowing) {
      await this.everywhere("pause");
      this.leaveFront();
      this.isPlaying = true;
    } else {
      this.isPlaying = !this.isPlaying;
      if (this.isPlaying) this.wrapAtEnds();
      else this.stand();
    }
    this.changed.tell();
  }

  /** Lets live runs go on beyond the end of their scene. */
  async runBeyond(): Promise<void> {
    this.goLive();
    await this.everywhere("play");
    if (this.runs.length < 2) return;
    // The order has moved the end; from there on the two are led.
    await this.halt();
    await this.settled(() => this.runs.every((run) => !run.status?.end));
    this.setOff();
    this.changed.tell();
  }

  private setOff(): void {
    [this.isPacing, this.leg] = [true, { target: 0, reach: FIRST_LEG, waited: 0, ticks: 0 }];
  }

  setSpeed(speed: number): void {
    this.speed = Math.min(FASTEST, Math.max(SLOWEST, speed));
    for (const run of this.runs) run.samples.setSpeed(this.speed);
    if (this.lead.isLive) for (const run of this.runs) run.send("speed", { speed: this.speed }).catch(() => undefined);
    this.changed.tell();
  }

  /** Shows a time; resolves when its state is in the poses. */
  async seek(time: number): Promise<void> {
    if (this.lead.isLive && time > this.lead.spanEnd) return this.runOn(time);
    // Who looks back does not want the run to go on meanwhile.
    if (this.isFollowing && this.isMoving) await this.halt();
    if (this.isFollowing) this.leaveFront();
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.isStale = true;
    this.changed.tell();
    await Promise.all(this.runs.map((run) => run.samples.loadExact(Math.min(this.time, run.spanEnd))));
    this.isStale = true;
  }

  /** Whoever stops at a time sees the state at that very time. */
  private stand(): void {
    if (this.isFollowing || this.isPlaying) return;
    const time = this.time;
    const exact = this.runs.map((run) => run.samples.loadExact(Math.min(time, run.spanEnd)));
    Promise.all(exact).then(() => (this.isStale = this.isStale || time === this.time), () => undefined);
  }

  goLive(): void {
    if (!this.lead.isLive) return;
    this.isFollowing = true;
    this.isPlaying = false;
    this.isStale = true;
    this.changed.tell();
  }

  async stepFrame(direction: 1 | -1): Promise<void> {
    this.isPlaying = false;
    if (this.isFollowing && this.isMoving) await this.halt();
    const next = await this.lead.samples.neighbour(this.time, direction);
    if (next !== null && next <= this.lead.spanEnd && next >= this.start) return this.seek(next);
    if (direction > 0 && this.lead.isLive) return this.runOn(this.time + 1 / this.lead.meta.rate_hz);
  }

  async stepEvent(direction: 1 | -1): Promise<void> {
    this.isPlaying = false;
    if (this.isFollowing && this.isMoving) await this.halt();
    const kind = this.eventKinds === null ? "" : `&kind=${this.eventKinds}`;
    const where = direction > 0 ? `from=${this.time}` : `to=${this.time}&back=1`;
    const path = `${this.lead.path}/events?${where}&limit=1${kind}${bodyQuery(this.lead, this.eventBodies)}`;
    const event = (await getJson<{ events: RunEvent[] }>(path)).events[0];
    if (event) return this.seek(event.time_s);
    if (direction > 0 && this.lead.isLive) return this.stepServer();
  }

  private listen(run: Run): void {
    this.undo.push(run.frameCame.on(() => this.isFollowing && (this.isStale = true)));
    this.undo.push(run.bodiesChanged.on(() => (this.isStale = true)));
    this.undo.push(run.statusChanged.on(() => this.changed.tell()));
  }

  /** Stops the runs, both at one time. */
  private async halt(): Promise<void> {
    this.isPacing = false;
    this.isHalting = true;
    try {
      await this.everywhere("pause");
      await this.evenOut();
    } finally {
      this.isHalting = false;
      this.isStale = true;
    }
    this.changed.tell();
  }

  // Two runs are in step because neither is told to go on before both have come to where they were sent, and because they are
  // shown when both are there and not on their way. Who is slow is sent a shorter way the next time, so that there is
  // something to see.
  private pace(seconds: number): void {
    const { leg, runs } = this;
    leg.waited += seconds;
    leg.ticks += 1;
    if (runs.some((run) => run.status?.end)) {
      this.halt().catch(() => undefined);
      return;
    }
    if (leg.waited < SHORTEST_LEG || !runs.every((run) => isAt(run, leg.target))) return;
    if (leg.waited > LONGEST_LEG && leg.ticks > 1) leg.reach /= 2;
    else leg.reach = Math.min(2 * leg.reach, FASTEST);
    const from = Math.max(...runs.map((run) => run.newest?.time ?? 0));
    leg.target = from + Math.min(leg.waited * this.speed, leg.reach);
    [leg.waited, leg.ticks] = [0, 0];
    this.everywhere("run_to", { time_s: leg.target }).catch(() => (this.isPacing = false));
  }

  // Both runs go as fast as they can to one time, so that they are compared at the same instant.
  private async runOn(time: number): Promise<void> {
    await this.everywhere("run_to", { time_s: time });
    this.goLive();
    await this.newestAt(time);
  }

  private async stepServer(): Promise<void> {
    const before = this.lead.newest?.time ?? -1;
    const kinds = this.eventKinds === null ? null : this.eventKinds.split(",");
    await this.lead.send("step", { kinds, bodies: this.eventBodies });
    this.goLive();
    await this.settled(() => (this.lead.newest?.time ?? -1) > before);
    await this.evenOut();
  }

  private async evenOut(): Promise<void> {
    if (this.runs.length < 2) return;
    const latest = Math.max(...this.runs.map((run) => run.newest?.time ?? 0));
    const behind = this.runs.filter((run) => (run.newest?.time ?? 0) < latest);
    await Promise.all(behind.map((run) => run.send("run_to", { time_s: latest })));
    await this.newestAt(latest);
  }

  private newestAt(time: number): Promise<void> {
    return this.settled(() => this.runs.every((run) => isAt(run, time)));
  }

  private async settled(isThere: () => boolean): Promise<void> {
    const limit = performance.now() + STATE_MS;
    while (!isThere() && performance.now() < limit) await new Promise((resolve) => setTimeout(resolve, 8));
    this.isStale = true;
  }

  private async everywhere(action: string, values: Record<string, unknown> = {}): Promise<void> {
    await Promise.all(this.runs.map((run) => run.send(action, values)));
  }

  private leaveFront(): void {
    this.isFollowing = false;
    this.isStale = true;
  }

  private wrapAtEnds(): void {
    if (!this.isReverse && this.time >= this.end && !this.lead.isLive) this.time = this.start;
    if (this.isReverse && this.time <= this.start) this.time = this.end;
  }

  private run(seconds: number): void {
    if (this.isLoading) return;
    this.time += seconds * this.speed * (this.isReverse ? -1 : 1);
    this.isStale = true;
    if (this.time >= this.start && this.time <= this.end) return;
    const isAtEnd = this.time > this.end;
    this.time = isAtEnd ? this.end : this.start;
    if (this.isLooping) this.time = isAtEnd ? this.start : this.end;
    else if (isAtEnd && this.lead.isLive) this.goLive();
    else this.isPlaying = false;
    this.stand();
    this.changed.tell();
  }

  private showFront(): boolean {
    let isShown = false;
    const isEven = this.runs.every((run) => run.newest?.time === this.lead.newest?.time);
    if ((this.isPacing || this.isHalting) && this.runs.length > 1 && !isEven) return false;
    for (const run of this.runs) {
      // Until the socket has brought a state, the last sample stands in for it.
      if (!run.newest) run.samples.load(run.spanEnd).catch(() => undefined);
      isShown = run.showNewest() || run.show(run.spanEnd) || isShown;
    }
    if (!isShown) return false;
    this.time = this.lead.pose.time;
    this.isStale = false;
    return true;
  }

  private showPast(): boolean {
    let isShown = true;
    for (const run of this.runs) {
      const time = Math.min(this.time, run.spanEnd);
      if (!run.show(time)) {
        isShown = false;
        run.samples.load(time).catch(() => undefined);
      } else if (this.isPlaying) run.samples.prefetch(time, this.isReverse ? -1 : 1);
    }
    this.isLoading = !isShown;
    this.isStale = !isShown;
    return isShown;
  }
}

/** Whether a live run has come to a time. */
function isAt(run: Run, time: number): boolean {
  return (run.newest?.time ?? -1) >= time - 1e-9 * Math.max(1, time);
}

/** The part of a question that names bodies; a name that is nobody's finds nothing. */
export function bodyQuery(run: Run, names: string[]): string {
  return names.map((name, i) => `&${"ab"[i]}=${run.named(name)?.number ?? 0xffffffff}`).join("");
}
