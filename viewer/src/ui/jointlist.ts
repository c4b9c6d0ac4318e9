// The joints of the selected body: where they are, how fast, between which stops, what drives them, and all of it over time.

import { getJson } from "../net/api";
import type { Columns, Freedom, Joint, JointRow, JointStates } from "../net/types";
import type { Desk } from "./desk";
import { el, setPressed, setText, short } from "./dom";
import { Fetcher } from "./fetcher";
import { Plot } from "./plot";

const POINTS = 600;
const COLORS = ["#e64980", "#339af0", "#37b24d"];

interface Row {
  joint: Joint;
  freedom: number;
  cells: Record<"position" | "rate" | "force" | "target", HTMLElement>;
}

export class JointList {
  readonly root = el("section", { label: "joints of this body" });
  private rows: Row[] = [];
  private chosen: Joint | null = null;
  private plots: { quantity: string; plot: Plot }[] = [];
  private plotBox = el("div");
  private stateFetcher = new Fetcher(150);
  private seriesFetcher = new Fetcher(1200);
  private seriesKey = "";

  constructor(private readonly desk: Desk) {}

  /** Joints of the body that is selected now. */
  describe(): void {
    const { run, selected } = this.desk;
    const own = run.joints.filter((joint) => selected !== null && (joint.child === selected.number || joint.parent === selected.number));
    this.root.hidden = own.length === 0;
    this.rows = [];
    this.seriesKey = "";
    if (own.length === 0) {
      this.root.replaceChildren();
      return;
    }
    const list = own.map((joint) => this.block(joint));
    this.root.replaceChildren(el("header", { class: "sub" }, el("h3", { text: "Joints" })), ...list, this.plotBox);
    // The joint that carries the body is what people ask for first.
    this.choose(own.find((joint) => joint.number === this.chosen?.number) ?? own.find((joint) => joint.child === selected?.number) ?? own[0]!);
  }

  refresh(): void {
    if (this.root.hidden || this.rows.length + this.plots.length === 0) return;
    const { run, player } = this.desk;
    const { time } = player;
    for (const { plot } of this.plots) plot.setNow(time);
    this.stateFetcher.want(async () => this.fill(await getJson<JointStates>(`${run.path}/joint_states?at=${time}`)));
    const { chosen } = this;
    const key = `${run.meta.run} ${chosen?.number} ${run.spanEnd}`;
    if (!chosen || key === this.seriesKey) return;
    this.seriesFetcher.want(async () => {
      const series = await getJson<Columns>(`${run.path}/joint_series?joint=${chosen.number}&points=${POINTS}`);
      this.seriesKey = key;
      if (this.chosen === chosen) this.draw(series);
    });
  }

  private block(joint: Joint): HTMLElement {
    const { run } = this.desk;
    const ends = `${joint.parent_name ?? "world"} → ${run.nameOf(joint.child)}`;
    const head = el("button", { class: "jointhead", label: `plot the joint ${joint.name}`, "data-joint": joint.name, click: () => this.choose(joint) },
      el("span", { class: "name", text: joint.name }), el("span", { class: "badge", text: joint.kind }));
    head.type = "button";
    const table = el("dl", { class: "facts joint" }, el("dt", { text: "between" }), el("dd", { text: ends }));
    joint.freedoms.forEach((freedom, place) => table.append(...this.freedomRows(joint, freedom, place)));
    return el("div", { class: "jointblock" }, head, table);
  }

  private freedomRows(joint: Joint, freedom: Freedom, place: number): HTMLElement[] {
    const many = joint.freedoms.length > 1 ? ` ${place + 1}` : "";
    const cell = (quantity: string): HTMLElement => el("output", { class: "number", label: `${joint.name}${many} ${quantity}`, "data-joint": `${joint.name}-${place}`, "data-quantity": quantity });
    const cells = { position: cell("position"), rate: cell("rate"), force: cell("force"), target: cell("target") };
    this.rows.push({ joint, freedom: place, cells });
    const force = freedom.unit === "rad" ? "N·m" : "N";
    const named = (name: string, value: HTMLElement, unit: string): HTMLElement[] => [el("dt", { text: `${name}${many}` }), el("dd", { class: "number" }, value, ` ${unit}`)];
    const parts = [...named("coordinate", cells.position, freedom.unit), ...named("rate", cells.rate, `${freedom.unit}/s`), ...named("motor", cells.force, force)];
    if (freedom.control) parts.push(...named("target", cells.target, freedom.control.is_rate ? `${freedom.unit}/s` : freedom.unit));
    if (freedom.lower !== null || freedom.upper !== null) {
      parts.push(el("dt", { text: `stops${many}` }), el("dd", { class: "number", text: `${short(freedom.lower ?? -Infinity)} … ${short(freedom.upper ?? Infinity)} ${freedom.unit}` }));
    }
    return parts;
  }

  private choose(joint: Joint): void {
    for (const head of this.root.querySelectorAll<HTMLElement>(".jointhead")) setPressed(head, head.dataset.joint === joint.name);
    this.seriesKey = "";
    this.chosen = joint;
    const unit = joint.freedoms[0]?.unit ?? "rad";
    const lines = (dash: boolean): { label: string; color: string; dash?: number[] }[] => joint.freedoms.flatMap((freedom, i) => {
      const color = COLORS[i % COLORS.length]!;
      const label = joint.freedoms.length > 1 ? `${i + 1}` : "coordinate";
      return dash && freedom.control ? [{ label, color }, { label: `${label} target`, color, dash: [4, 4] }] : [{ label, color }];
    });
    const make = (title: string, quantity: string, unit: string): { quantity: string; plot: Plot } => ({
      quantity,
      plot: new Plot({ title: `${joint.name}: ${title}`, unit, height: 104, lines: lines(quantity === "position"), onSeek: (time) => this.desk.seek(time) },
        () => `${this.desk.run.meta.name}-${joint.name}`),
    });
    const force = unit === "rad" ? "N·m" : "N";
    this.plots = joint.freedoms.length === 0 ? [] : [make("coordinate", "position", unit), make("rate", "rate", `${unit}/s`), make("motor", "force", force)];
    this.plotBox.replaceChildren(...this.plots.map(({ plot }) => plot.root));
    this.refresh();
  }

  private fill(states: JointStates): void {
    const own = new Map<number, JointRow[]>();
    for (const row of states.rows) own.set(row.joint, [...(own.get(row.joint) ?? []), row]);
    for (const { joint, freedom, cells } of this.rows) {
      const row = own.get(joint.number)?.[freedom];
      for (const quantity of ["position", "rate", "force", "target"] as const) setText(cells[quantity], row ? short(row[quantity], 7) : "—");
    }
  }

  private draw(series: Columns): void {
    const { chosen } = this;
    if (!chosen) return;
    for (const { quantity, plot } of this.plots) {
      const columns = chosen.freedoms.flatMap((freedom, i) => {
        const column = series[`${quantity}${i}`] ?? [];
        return quantity === "position" && freedom.control ? [column, series[`target${i}`] ?? []] : [column];
      });
      plot.setData(series.time_s ?? [], columns);
    }
  }
}
