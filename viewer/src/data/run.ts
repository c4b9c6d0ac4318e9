// One run on the server: what it is, its bodies, what is known of its motion, and its socket.

import { endRun, getJson, postJson } from "../net/api";
import { RunSocket } from "../net/socket";
import type { Body, Joint, Problem, RunMeta, Say, Status } from "../net/types";
import { readBlocks, type Frame } from "./blocks";
import { Contacts } from "./contacts";
import type { Choice } from "./link";
import { Pose } from "./pose";
import { Samples, type Around } from "./samples";
import { Signal } from "./signal";

export type Opening = { scene: string; choice: Choice } | { recording: string };

/** Contacts are fetched in stretches of this many samples. */
const SAMPLES_A_CONTACT_CHUNK = 8;

export class Run {
  readonly pose = new Pose();
  readonly samples: Samples;
  readonly contacts: Contacts;
  bodies: Body[] = [];
  joints: Joint[] = [];
  newest: Frame | null = null;
  /** The server has forgotten this run; its name may belong to another one by now. */
  isGone = false;
  /** Somebody has acted on it since it was saved. */
  isTouched = false;
  status: Status | null = null;

  readonly bodiesChanged = new Signal();
  readonly jointsChanged = new Signal();
  readonly statusChanged = new Signal<Status>();
  readonly frameCame = new Signal<Frame>();
  readonly contactsCame = new Signal();
  readonly connectionChanged = new Signal<number>();
  readonly reloaded = new Signal<{ problems: Problem[]; text: string }>();
  readonly gone = new Signal<number>();
  readonly failed = new Signal<{ error: string; hint: string | null }>();

  private socket: RunSocket | null = null;
  private byNumber = new Map<number, Body>();
  private byName = new Map<string, Body>();
  private around: Around = { before: { time: 0, numbers: new Uint32Array(), rows: new Float32Array() }, after: null };
  private isAskingBodies = false;

  private constructor(
    readonly meta: RunMeta,
    bodies: Body[],
    readonly opening: Opening,
  ) {
    const end = (): number => this.spanEnd;
    this.samples = new Samples(meta.run, meta.rate_hz, bodies.length, end);
    const chunk = SAMPLES_A_CONTACT_CHUNK / (meta.rate_hz > 0 ? meta.rate_hz : 60);
    this.contacts = new Contacts(meta.run, chunk, end, (body) => isPushed(this.body(body)), () => this.contactsCame.tell());
    this.setBodies(bodies);
  }

  static async open(opening: Opening): Promise<Run> {
    const body =
      "scene" in opening
        ? { scene: opening.scene, set: opening.choice.set, law: opening.choice.law, seed: opening.choice.seed ?? undefined }
        : opening;
    const { run } = await postJson<{ run: string }>("/api/runs", body);
    const path = `/api/runs/${encodeURIComponent(run)}`;
    const [meta, bodies, joints] = await Promise.all([getJson<RunMeta>(path), getJson<Body[]>(`${path}/bodies`), getJson<Joint[]>(`${path}/joints`)]);
    const opened = new Run(meta, bodies, opening);
    opened.joints = joints;
    opened.connect();
    return opened;
  }

  get path(): string {
    return `/api/runs/${encodeURIComponent(this.meta.run)}`;
  }

  get isLive(): boolean {
    return this.meta.kind === "live";
  }

  get spanStart(): number {
    return this.meta.span_s[0];
  }

  get spanEnd(): number {
    return this.meta.span_s[1];
  }

  get isConnected(): boolean {
    return this.socket?.isOpen ?? false;
  }

  get isRunning(): boolean {
    return this.status?.is_running ?? false;
  }

  body(number: number | null): Body | undefined {
    return number === null ? undefined : this.byNumber.get(number);
  }

  named(name: string): Body | undefined {
    return this.byName.get(name);
  }

  nameOf(number: number | null): string {
    return number === null ? "—" : (this.byNumber.get(number)?.name ?? `#${number}`);
  }

  send(action: string, values: Record<string, unknown> = {}): Promise<void> {
    return this.socket?.send(action, values) ?? Promise.reject(new Error("the run is closed"));
  }

  /** Does something to the run that a recording would have to carry. */
  async act(action: string, values: Record<string, unknown>): Promise<void> {
    await this.send(action, values);
    this.isTouched = true;
  }

  /** Puts the state at a time into the pose, if its samples are here. */
  show(time: number): boolean {
    const exact = this.samples.exactAt(time);
    if (!exact && !this.samples.at(time, this.around)) return false;
    const { before, after } = this.around;
    const isKnown = exact ? this.pose.take(exact) : after ? this.pose.blend(before, after, time) : this.pose.take(before);
    this.pose.time = time;
    if (!isKnown) void this.askBodies();
    return true;
  }

  /** Puts the newest state into the pose. */
  showNewest(): boolean {
    if (!this.newest) return false;
    if (!this.pose.take(this.newest)) void this.askBodies();
    return true;
  }

  close(): void {
    this.socket?.close();
    this.socket = null;
    if (!this.isGone) endRun(this.meta.run);
  }

  private connect(): void {
    this.socket = new RunSocket(this.meta.run, {
      onBlock: (bytes) => this.takeBlock(bytes),
      onSay: (said) => this.hear(said),
      onConnection: (attempt) => this.connectionChanged.tell(attempt),
      onGone: (status) => this.gone.tell(status),
    });
  }

  private takeBlock(bytes: ArrayBuffer): void {
    const frame = readBlocks(bytes).at(-1);
    if (!frame) return;
    this.newest = frame;
    this.meta.span_s[1] = Math.max(this.meta.span_s[1], frame.time);
    this.frameCame.tell(frame);
  }

  private hear(said: Say): void {
    if (said.say === "status") {
      this.status = said;
      this.meta.span_s = [said.span_s[0], Math.max(said.span_s[1], this.meta.span_s[1])];
      this.statusChanged.tell(said);
    } else if (said.say === "bodies") void this.askBodies();
    else if (said.say === "reload") this.reloaded.tell(said);
    else if (said.say === "error") this.failed.tell(said);
  }

  /** Asks anew for the joints and for what drives them. */
  async askJoints(): Promise<void> {
    this.joints = await getJson<Joint[]>(`${this.path}/joints`);
    this.jointsChanged.tell();
  }

  private async askBodies(): Promise<void> {
    if (this.isAskingBodies) return;
    this.isAskingBodies = true;
    try {
      this.setBodies(await getJson<Body[]>(`${this.path}/bodies`));
      this.bodiesChanged.tell();
      await this.askJoints();
    } catch {
      // The next state that names an unknown body asks again.
    } finally {
      // A server that never learns of a body must not be asked with every frame.
      window.setTimeout(() => (this.isAskingBodies = false), 500);
    }
  }

  private setBodies(bodies: Body[]): void {
    this.bodies = bodies;
    this.byNumber = new Map(bodies.map((body) => [body.number, body]));
    this.byName = new Map(bodies.map((body) => [body.name, body]));
    this.pose.setBodies(bodies.map((body) => body.number));
    if (this.newest) this.pose.take(this.newest);
  }
}

/** Whether a body moves by forces, not by a law. */
export function isPushed(body: Body | undefined): boolean {
  return body?.role === "free" || body?.role === "linked";
}
