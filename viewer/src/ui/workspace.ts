// The page of a scene or a recording: one or two runs, their views, the panels around them, and the loop that draws.

import * as three from "three";
import type { Choice, Link } from "../data/link";
import { Player } from "../data/player";
import { Run } from "../data/run";
import { Signal } from "../data/signal";
import { getJson } from "../net/api";
import type { Body, Contact, Near, Problem } from "../net/types";
import { quality } from "../stage/quality";
import type { Options } from "../stage/stage";
import type { Desk } from "./desk";
import type { NewBody } from "./livepanel";
import { Frame } from "./frame";
import { Fetcher } from "./fetcher";
import { Pane } from "./pane";
import { problemsPanel } from "./problems";
import { DEFAULT_OPTIONS } from "./toolbar";
import { themeChanged } from "./theme";
import { complain, toast } from "./toast";

/** A wall-clock step longer than this is a tab that slept, not time that went by [s]. */
const LONGEST_STEP = 0.25;
/** However long a picture took, the next one is not put off for longer [ms]: the first of a run takes its shaders' time, too. */
const LONGEST_PAUSE = 300;
/** How often a body that is put somewhere is raised by half its size until it fits. */
const MOST_LIFTS = 24;

export interface WorkspaceEvents {
  onLinkChanged(): void;
  onRunGone(status: number): void;
}

export class Workspace implements Desk {
  player!: Player;
  selected: Body | null = null;
  options: Options = { ...DEFAULT_OPTIONS };
  /** The contact that was clicked, until something else is. */
  contact: Contact | null = null;
  readonly selectionChanged = new Signal();
  readonly contactChanged = new Signal();
  readonly runChanged = new Signal();
  readonly optionsChanged = new Signal();
  readonly timeDrawn = new Signal();
  isReady = false;
  panes: Pane[] = [];
  private active = 0;
  private frame: Frame | null = null;
  private problems: HTMLElement | null = null;
  private lastWall = 0;
  private pause = quality().pause;
  private request = 0;
  private nearFetcher = new Fetcher(150);
  private undo: (() => void)[] = [];
  private isPushing = false;
  private isGrabbing = false;
  private isClosed = false;
  private loading: Promise<void> | null = null;
  private wishes = 0;

  constructor(
    private readonly host: HTMLElement,
    public link: Link,
    private readonly events: WorkspaceEvents,
  ) {}

  get run(): Run {
    return this.panes[this.active]?.run ?? this.player.lead;
  }

  /** Opens the runs of the link and puts them in the place of those shown now. Throws what the server answered. */
  async load(link: Link, isPlaying = false): Promise<void> {
    // The latest wish wins: what is asked for meanwhile is opened afterwards, and what this opens is then not shown.
    const wish = ++this.wishes;
    this.link = { ...link };
    while (this.loading) await this.loading.catch(() => undefined);
    if (wish !== this.wishes || this.isClosed) return;
    this.loading = this.open(link, isPlaying, wish);
    try {
      await this.loading;
    } finally {
      this.loading = null;
    }
  }

  private async open(link: Link, isPlaying: boolean, wish: number): Promise<void> {
    const runs = await openRuns(link);
    if (this.isClosed || wish !== this.wishes) for (const run of runs) run.close();
    else await this.replace(runs, link, isPlaying);
  }

  close(): void {
    this.isClosed = true;
    cancelAnimationFrame(this.request);
    this.frame?.close();
    this.dropRuns();
    for (const stop of this.undo) stop();
  }

  selectContact(contact: Contact | null): void {
    this.contact = contact;
    this.panes.forEach((pane, index) => pane.stage.choose(index === this.active ? contact : null));
    this.contactChanged.tell();
    if (contact) this.frame?.showPairs();
  }

  /** `isShown`: its numbers come to the front. */
  select(number: number | null, isShown = true): void {
    if (this.contact) this.selectContact(null);
    this.selected = this.run.body(number) ?? null;
    for (const pane of this.panes) {
      const twin = pane.run === this.run ? this.selected : this.selected && pane.run.named(this.selected.name);
      pane.stage.select(twin ? pane.run.bodies.indexOf(twin) : -1);
    }
    this.link.selected = this.selected?.name ?? null;
    this.selectionChanged.tell();
    if (this.selected && isShown) this.frame?.showBody();
    this.events.onLinkChanged();
  }

  seek(time: number): void {
    this.player.isPlaying = false;
    this.player.seek(time).catch(complain);
  }

  /** Resolves when the state has been drawn that is asked for now. */
  async drawn(): Promise<void> {
    this.player.markStale();
    await new Promise<void>((resolve) => {
      const stop = this.timeDrawn.on(() => {
        stop();
        resolve();
      });
    });
  }

  setOption(name: keyof Options, isOn: boolean): void {
    this.options = { ...this.options, [name]: isOn };
    for (const pane of this.panes) pane.stage.setOptions(this.options);
    if (name === "near" && !isOn) for (const pane of this.panes) pane.stage.setNear(null);
    else this.askNear();
    this.optionsChanged.tell();
  }

  choice(): Choice {
    const { set, law, seed } = this.active === 1 && this.link.split ? this.link.split : this.link;
    return { set, law, seed };
  }

  setChoice(choice: Choice): void {
    const link = this.active === 1 && this.link.split ? { ...this.link, split: choice } : { ...this.link, ...choice };
    this.reload(link);
  }

  /** Opens the scene anew, from the beginning, with the camera where somebody has put it. */
  reload(link: Link = this.link): void {
    const isPlaying = this.player.isFollowing && this.player.lead.isRunning;
    const stage = this.panes[0]?.stage;
    const camera = stage && (stage.isPlaced || link.split) ? stage.place() : null;
    this.load({ ...link, time: null, camera, selected: this.selected?.name ?? null }, isPlaying).catch((error) => this.showError(error));
  }

  toggleSplit(): void {
    if (this.link.page !== "scene") return;
    const split = this.link.split ? null : { set: { ...this.link.set }, law: this.link.law, seed: this.link.seed };
    this.active = 0;
    const time = this.player.time;
    const camera = this.panes[0]?.stage.place() ?? null;
    const link = { ...this.link, split, camera, time: time > 0 ? time : null, selected: this.selected?.name ?? null };
    this.load(link).then(() => split && this.setActive(1)).catch((error) => this.showError(error));
  }

  follow(number?: number): void {
    const body = number === undefined ? this.selected : this.run.body(number);
    if (!body) return;
    this.panes.forEach((pane) => {
      const twin = pane.run.named(body.name);
      pane.stage.follow(twin ? pane.run.bodies.indexOf(twin) : -1);
    });
    this.select(body.number);
  }

  home(): void {
    this.panes[0]?.stage.home();
  }

  /** Leaves one thing after the other: push or grab mode, following, the selection. */
  escape(): void {
    if (this.isPushing) this.setPushing(false);
    else if (this.isGrabbing) this.setGrabbing(false);
    else if (this.panes.some((pane) => pane.stage.followed >= 0)) for (const pane of this.panes) pane.stage.followed = -1;
    else this.select(null);
  }

  setPushing(isOn: boolean): void {
    if (isOn && !this.run.isLive) return toast("a recording cannot be pushed", "open the scene itself to play with it");
    this.isPushing = isOn;
    if (isOn && this.isGrabbing) this.setGrabbing(false);
    // A push acts now, so what is aimed at is what is there now.
    if (isOn) this.player.goLive();
    for (const pane of this.panes) pane.setPushing(isOn);
    if (isOn) toast("drag from a body to push it", "shift: at the point touched · esc leaves");
  }

  togglePush(): void {
    this.setPushing(!this.isPushing);
  }

  setGrabbing(isOn: boolean): void {
    if (isOn && !this.run.isLive) return toast("a recording cannot be pulled at", "open the scene itself to play with it");
    this.isGrabbing = isOn;
    if (isOn && this.isPushing) this.setPushing(false);
    if (isOn) this.player.goLive();
    for (const pane of this.panes) pane.setGrabbing(isOn);
    if (isOn) toast("drag a body or a link: a spring pulls it to the mouse", "esc leaves · with ctrl in any mode");
  }

  toggleGrab(): void {
    this.setGrabbing(!this.isGrabbing);
  }

  /** Hands pull at the bodies of both runs of a split view. */
  private async pull(run: Run, action: string, number: number, values: Record<string, unknown>): Promise<void> {
    const name = run.nameOf(number);
    await Promise.all(this.player.runs.map((each) => {
      const body = each.named(name);
      return body ? each.act(action, { body: body.number, ...values }) : undefined;
    }));
  }

  /** Throws a body from the camera to where it looks. */
  throwBody(wish: NewBody): void {
    const { stage } = this.panes[this.active]!;
    const forward = stage.camera.getWorldDirection(new three.Vector3());
    const place = stage.camera.position.clone().addScaledVector(forward, Math.min(stage.radius, stage.distance) * 0.5);
    this.add(wish, place, forward.multiplyScalar(wish.speed), 0).catch(complain);
  }

  /** Puts a body at rest on what lies in the middle of the view, raised until it fits. */
  putBody(wish: NewBody): void {
    const { stage } = this.panes[this.active]!;
    const bounds = stage.canvas.getBoundingClientRect();
    const hit = stage.pick(bounds.left + bounds.width / 2, bounds.top + bounds.height / 2);
    const place = (hit?.point ?? stage.controls.target).clone().addScaledVector(stage.up, 0.6 * wish.size);
    this.add(wish, place, new three.Vector3(), MOST_LIFTS).catch(complain);
  }

  private async add(wish: NewBody, place: three.Vector3, velocity: three.Vector3, lifts: number): Promise<void> {
    const { stage } = this.panes[this.active]!;
    this.player.goLive();
    const one = (run: Run): Promise<void> => {
      const free = run.bodies.find((body) => body.role === "free");
      return run.act("add", {
        shape: shapeOf(wish), density: wish.density, position_m: place.toArray(), velocity_m_s: velocity.toArray(),
        angular_velocity_rad_s: [0, 0, 0], material: free?.material ?? run.meta.materials[0]?.number ?? null,
      });
    };
    for (const run of this.player.runs) {
      for (let lift = 0; ; lift++) {
        try {
          await one(run);
          break;
        } catch (error) {
          if (lift >= lifts || !(error instanceof Error && error.message.includes("overlap"))) throw error;
          place.addScaledVector(stage.up, 0.5 * wish.size);
        }
      }
    }
  }

  showProblems(title: string, problems: Problem[], text: string): void {
    this.problems?.remove();
    this.problems = problemsPanel(title, problems, text, () => this.hideProblems());
    this.host.append(this.problems);
  }

  showError(error: unknown): void {
    const said = error as { problems?: Problem[]; text?: string; message?: string };
    if (said.problems && (said.problems.length > 0 || said.text)) this.showProblems(said.message ?? "the scene has errors", said.problems, said.text ?? "");
    else complain(error);
  }

  setActive(index: number): void {
    if (index === this.active || !this.panes[index]) return;
    const name = this.selected?.name;
    this.active = index;
    this.tagPanes();
    this.selected = name === undefined ? null : (this.run.named(name) ?? null);
    this.runChanged.tell();
    this.selectionChanged.tell();
  }

  private hideProblems(): void {
    this.problems?.remove();
    this.problems = null;
  }

  private async replace(runs: Run[], link: Link, isPlaying: boolean): Promise<void> {
    const old = this.player as Player | undefined;
    this.isReady = false;
    this.dropRuns();
    this.hideProblems();
    // A copy: the address goes on with the time shown while `link` still says where to go.
    this.link = { ...link };
    this.player = new Player(runs);
    if (old) Object.assign(this.player, { isReverse: old.isReverse, isLooping: old.isLooping, eventKinds: old.eventKinds, eventBodies: old.eventBodies });
    this.active = Math.min(this.active, runs.length - 1);
    this.selected = null;
    this.contact = null;
    this.panes = runs.map((run, index) => this.makePane(run, index));
    this.player.changed.on(() => this.frame?.refreshBar());
    if (!this.frame) this.setUp();
    this.frame!.setPanes(this.panes.map((pane) => pane.root));
    this.placeCamera(link);
    await Promise.all(this.panes.map((pane) => pane.stage.build()));
    // What came while the shapes were fetched has been taken but not drawn.
    this.player.markStale();
    this.tagPanes();
    this.runChanged.tell();
    this.restore(link, old?.speed ?? 1, isPlaying);
  }

  private restore(link: Link, speed: number, isPlaying: boolean): void {
    const body = link.selected === null ? undefined : this.run.named(link.selected);
    this.select(body?.number ?? null, false);
    this.whenConnected(() => {
      if (speed !== 1) this.player.setSpeed(speed);
      if (link.time !== null && link.time > this.player.start) this.player.seek(link.time).catch(complain);
      else if (isPlaying) this.player.toggle().catch(complain);
    });
  }

  // Actions go by the socket, which opens a moment after the run.
  private whenConnected(act: () => void): void {
    if (!this.player.lead.isLive) return act();
    let waits = this.player.runs.length;
    for (const run of this.player.runs) {
      const stop = run.connectionChanged.on((attempt) => {
        if (attempt > 0) return;
        stop();
        waits -= 1;
        if (waits === 0) act();
      });
      if (run.isConnected) {
        stop();
        waits -= 1;
      }
    }
    if (waits === 0) act();
  }

  private makePane(run: Run, index: number): Pane {
    const pane = new Pane(run, this.options, {
      onPick: (number) => this.select(number),
      onContact: (contact) => this.selectContact(contact),
      onFollow: (number) => this.follow(number),
      onActive: () => this.setActive(index),
      onPush: (number, impulse, point) => this.push(run, number, impulse, point),
      onHand: (action, number, values) => this.pull(run, action, number, values),
      isFront: () => this.player.isFollowing,
    });
    pane.stage.moved.on(() => {
      for (const other of this.panes) if (other !== pane && other.stage.followed < 0) other.stage.copyCamera(pane.stage);
      this.events.onLinkChanged();
    });
    this.listen(run, pane);
    return pane;
  }

  private listen(run: Run, pane: Pane): void {
    run.bodiesChanged.on(() => void this.rebuild(run, pane).catch(complain));
    run.contactsCame.on(() => pane.stage.redrawAll());
    run.jointsChanged.on(() => {
      pane.stage.redrawAll();
      this.optionsChanged.tell();
    });
    run.connectionChanged.on((attempt) => this.frame?.setConnection(attempt));
    run.failed.on(({ error, hint }) => toast(error, hint, "error"));
    run.gone.on((status) => this.events.onRunGone(status));
    run.statusChanged.on((status) => {
      this.frame?.refreshPanels();
      // A hand that takes hold or lets go while time stands still is seen all the same.
      if (status.hands.length > 0 || pane.stage.hasHands) pane.stage.redrawAll();
    });
    run.reloaded.on(({ problems, text }) => {
      if (problems.some((problem) => problem.severity === "error")) this.showProblems("the scene's file has errors; the run goes on as it was", problems, text);
      else if (run === this.player.lead) {
        toast("the scene's file changed: opened anew");
        this.reload();
      }
    });
  }

  private async rebuild(run: Run, pane: Pane): Promise<void> {
    await pane.stage.build();
    if (!this.player.runs.includes(run)) return;
    this.player.markStale();
    this.runChanged.tell();
  }

  private push(run: Run, number: number, impulse: three.Vector3, point: three.Vector3 | null): void {
    this.player.goLive();
    const name = run.nameOf(number);
    for (const each of this.player.runs) {
      const body = each.named(name);
      if (body) each.act("push", { body: body.number, impulse_N_s: impulse.toArray(), point_m: point?.toArray() ?? null }).catch(complain);
    }
    this.setPushing(false);
  }

  private placeCamera(link: Link): void {
    if (!link.camera) return;
    for (const { stage } of this.panes) {
      stage.setCamera({ eye_m: link.camera.eye, target_m: link.camera.target, fov_deg: stage.run.meta.camera?.fov_deg ?? null });
      stage.isPlaced = true;
    }
  }

  private tagPanes(): void {
    this.panes.forEach((pane, index) => {
      const choice = index === 1 ? this.link.split : this.link;
      const parts = Object.entries(choice?.set ?? {}).map(([name, value]) => `${name} = ${value}`);
      if (choice?.law) parts.push(choice.law);
      pane.tag.hidden = this.panes.length < 2;
      pane.tag.textContent = `${"AB"[index]}  ${parts.join("  ") || "as the scene says"}`;
      pane.tag.setAttribute("aria-pressed", String(index === this.active));
    });
  }

  private setUp(): void {
    this.frame = new Frame(this.host, this);
    this.undo.push(themeChanged.on(() => this.panes.forEach((pane) => pane.applyTheme())));
    const loop = (wall: number): void => {
      this.request = requestAnimationFrame(loop);
      if (wall - this.lastWall >= this.pause) this.tick(wall);
    };
    this.request = requestAnimationFrame(loop);
  }

  private tick(wall: number): void {
    const seconds = Math.min(LONGEST_STEP, Math.max(0, (wall - this.lastWall) / 1000));
    this.lastWall = wall;
    const isNew = this.player.tick(seconds);
    if (isNew) for (const pane of this.panes) pane.stage.redrawAll();
    const isDrawn = this.render();
    if (!isNew || !isDrawn) return;
    this.isReady = true;
    this.askNear();
    this.frame?.refreshBar();
    this.frame?.refreshPanels();
    this.timeDrawn.tell();
    this.events.onLinkChanged();
  }

  // Software drawing gets half of the time at most; the other half is for clicks and numbers.
  private render(): boolean {
    const begin = performance.now();
    let isDrawn = false;
    for (const pane of this.panes) {
      if (!pane.render()) continue;
      isDrawn = true;
      if (quality().pause > 0) pane.stage.finish();
    }
    if (isDrawn && quality().pause > 0) this.pause = Math.max(quality().pause, Math.min(LONGEST_PAUSE, 2 * (performance.now() - begin)));
    return isDrawn;
  }

  private askNear(): void {
    if (!this.options.near || !this.run.isLive) return;
    const { stage, run } = this.panes[this.active]!;
    if (!this.player.isFollowing) return stage.setNear(null);
    this.nearFetcher.want(async () => {
      const near = await getJson<Near>(`${run.path}/near?at=${this.player.time}`);
      stage.setNear(this.options.near && this.player.isFollowing ? near : null);
    });
  }

  private dropRuns(): void {
    (this.player as Player | undefined)?.close();
    for (const pane of this.panes) {
      pane.close();
      pane.run.close();
    }
    this.panes = [];
  }
}

function shapeOf({ kind, size }: NewBody): Record<string, unknown> {
  if (kind === "ball") return { kind, radius: size / 2 };
  if (kind === "box") return { kind, size: [size, size, size] };
  return { kind, radius: size / 2, length: size };
}

async function openRuns(link: Link): Promise<Run[]> {
  if (link.page === "recording") return [await Run.open({ recording: "file" })];
  const opened = [await Run.open({ scene: link.name, choice: link })];
  if (link.split) opened.push(await Run.open({ scene: link.name, choice: link.split }));
  return opened;
}
