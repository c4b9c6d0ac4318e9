// Sliders for the joints of a live run: what a motor gives or, where a controller drives it, what that aims at.

import type { Run } from "../data/run";
import { getJson } from "../net/api";
import type { Freedom, Joint, JointRow, JointStates } from "../net/types";
import type { Desk } from "./desk";
import { el, setText, short } from "./dom";
import { Fetcher } from "./fetcher";
import { numberField } from "./field";
import { complain } from "./toast";

/** Joints that get sliders at most; a list of hundreds helps nobody. */
const MOST = 60;
const EVERY_MS = 200;

interface Row {
  joint: Joint;
  freedom: number;
  isTarget: boolean;
  field: HTMLElement;
  now: HTMLElement;
}

export class JointsBox {
  readonly root = el("section", { label: "joints" });
  private rows: Row[] = [];
  private states: JointStates | null = null;
  private fetcher = new Fetcher(EVERY_MS);
  private run: Run | null = null;

  constructor(private readonly desk: Desk) {
    desk.timeDrawn.on(() => this.refresh());
    desk.optionsChanged.on(() => this.run === desk.run && this.build());
  }

  /** Begins with a run; the box is empty where it has no joints. */
  show(run: Run): void {
    this.run = run;
    this.rows = [];
    this.root.replaceChildren();
    this.root.hidden = run.joints.length === 0;
    if (run.joints.length > 0) this.ask(run, () => this.build());
  }

  refresh(): void {
    const { run } = this;
    if (!run || run !== this.desk.run || this.rows.length === 0 || this.root.offsetParent === null) return;
    this.ask(run, () => this.update());
  }

  private ask(run: Run, then: () => void): void {
    this.fetcher.want(async () => {
      const states = await getJson<JointStates>(`${run.path}/joint_states`);
      if (run !== this.run) return;
      this.states = states;
      then();
    });
  }

  private build(): void {
    const { run } = this;
    if (!run) return;
    const moving = run.joints.filter((joint) => joint.freedoms.length > 0);
    this.root.hidden = moving.length === 0;
    const focused = this.root.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.key : undefined;
    this.rows = [];
    const parts: HTMLElement[] = [el("header", { class: "sub" }, el("h3", { text: "Joints" }), el("span", { class: "muted", text: "at once" }))];
    parts.push(...this.switches(run));
    for (const joint of moving.slice(0, MOST)) joint.freedoms.forEach((freedom, place) => parts.push(this.fieldOf(run, joint, freedom, place)));
    if (moving.length > MOST) parts.push(el("p", { class: "muted", text: `and ${moving.length - MOST} more` }));
    this.root.replaceChildren(...parts);
    if (focused) this.root.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
    this.update();
  }

  private fieldOf(run: Run, joint: Joint, freedom: Freedom, place: number): HTMLElement {
    const isTarget = freedom.control?.is_enabled ?? false;
    const [min, max] = isTarget ? targetRange(freedom) : forceRange(run, joint, freedom);
    const many = joint.freedoms.length > 1 ? ` ${place + 1}` : "";
    const force = freedom.unit === "rad" ? "N·m" : "N";
    const unit = isTarget ? `${freedom.unit}${freedom.control?.is_rate ? "/s" : ""}` : force;
    const row = this.stateOf(joint, place);
    const value = (isTarget ? row?.target : row?.force) ?? 0;
    const what = isTarget ? "target" : "motor";
    const onChange = (given: number): void => this.give(run, joint, place, isTarget, given);
    const field = numberField({ key: `joint-${joint.name}-${place}`, name: `${joint.name}${many}`, label: `${joint.name}${many} ${what}`, value, min, max, unit,
      about: `${joint.kind} joint: ${isTarget ? "what its controller aims at" : "what its motor gives"}`, isQuick: true, onChange });
    const now = el("output", { class: "muted jointnow", label: `${joint.name}${many} now`, "data-joint": `${joint.name}-${place}` });
    field.classList.add("joint");
    field.append(now);
    this.rows.push({ joint, freedom: place, isTarget, field, now });
    return field;
  }

  /** One for each controller; those that are off leave their motors to the sliders. */
  private switches(run: Run): HTMLElement[] {
    const driven = new Map<number, Joint[]>();
    for (const joint of run.joints) {
      const numbers = joint.freedoms.flatMap((freedom) => (freedom.control ? [freedom.control.controller] : []));
      for (const number of new Set(numbers)) driven.set(number, [...(driven.get(number) ?? []), joint]);
    }
    return [...driven].map(([number, joints]) => {
      const first = joints[0]!;
      const whose = joints.length === 1 ? first.name : `${joints.length} joints`;
      const box = el("input", { label: `controller of ${whose}`, "data-key": `control-${number}` });
      box.type = "checkbox";
      box.checked = first.freedoms.some((freedom) => freedom.control?.controller === number && freedom.control.is_enabled);
      box.addEventListener("change", () => {
        run.act("enable", { joint: first.number, is_on: box.checked }).then(() => run.askJoints()).catch(complain);
      });
      return el("label", { class: "controlled", title: joints.map((joint) => joint.name).join(", ") }, box, `controller of ${whose}`);
    });
  }

  private give(run: Run, joint: Joint, place: number, isTarget: boolean, value: number): void {
    if (isTarget) {
      run.act("target", { joint: joint.number, freedom: place, target: value }).catch(complain);
      return;
    }
    const force = joint.freedoms.map((_freedom, i) => (i === place ? value : (this.stateOf(joint, i)?.force ?? 0)));
    const row = this.stateOf(joint, place);
    if (row) row.force = value;
    run.act("drive", { joint: joint.number, force }).catch(complain);
  }

  private stateOf(joint: Joint, freedom: number): JointRow | undefined {
    return this.states?.rows.filter((row) => row.joint === joint.number)[freedom];
  }

  private update(): void {
    for (const { joint, freedom, isTarget, field, now } of this.rows) {
      const state = this.stateOf(joint, freedom);
      setText(now, state ? `${short(state.position, 3)} ${joint.freedoms[freedom]!.unit}` : "");
      const value = (isTarget ? state?.target : state?.force) ?? null;
      // Who holds the slider knows better.
      if (value === null || field.contains(document.activeElement)) continue;
      for (const input of field.querySelectorAll("input")) {
        if (Number(input.value) !== value) input.value = String(Number(value.toPrecision(6)));
      }
    }
  }
}

function targetRange({ unit, lower, upper, control, speed }: Freedom): [number, number] {
  if (control?.is_rate) return [-(speed ?? 10), speed ?? 10];
  const reach = unit === "rad" ? Math.PI : 1;
  return [lower ?? Math.min(-reach, (upper ?? 0) - reach), upper ?? Math.max(reach, (lower ?? 0) + reach)];
}

/** What the motor can give or, where nobody says, twice what it takes to hold the weight of all that it carries. */
function forceRange(run: Run, joint: Joint, { unit, effort }: Freedom): [number, number] {
  if (effort !== null && effort > 0) return [-effort, effort];
  const gravity = Math.max(1, Math.hypot(...run.meta.gravity_m_s2));
  const carried = carriedBy(run, joint, new Set());
  const most = 2 * gravity * (unit === "rad" ? carried.moment : carried.mass);
  const round = Number(Math.max(most, 1e-6).toPrecision(1));
  return [-round, round];
}

/** Mass of all that a joint carries, and the sum of masses times the length of the way to them. */
function carriedBy(run: Run, joint: Joint, seen: Set<number>): { mass: number; moment: number } {
  if (seen.has(joint.number)) return { mass: 0, moment: 0 };
  seen.add(joint.number);
  const own = run.body(joint.child)?.mass_kg ?? 0;
  const arm = Math.hypot(...joint.child_from_link.position_m);
  const sum = { mass: own, moment: own * Math.max(arm, 1e-3) };
  for (const next of run.joints) {
    if (next.parent !== joint.child) continue;
    const more = carriedBy(run, next, seen);
    const reach = arm + Math.hypot(...next.parent_from_joint.position_m);
    sum.mass += more.mass;
    sum.moment += more.moment + more.mass * reach;
  }
  return sum;
}
