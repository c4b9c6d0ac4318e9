// Where the energy is and where it went: a stack of what is there and what was lost, below the line of what came in.

import { getJson } from "../net/api";
import type { Columns } from "../net/types";
import type { Desk, Panel } from "./desk";
import { el, setText, short } from "./dom";
import { Fetcher } from "./fetcher";
import { Plot, type Line } from "./plot";

const LAYERS: [string, string, string][] = [
  ["kinetic_J", "kinetic", "#339af0"],
  ["potential_J", "potential", "#37b24d"],
  ["restitution_loss_J", "lost in blows", "#f03e3e"],
  ["friction_loss_J", "lost to friction", "#f59f00"],
];
const ALL = ["kinetic_J", "potential_J", "work_J", "restitution_loss_J", "friction_loss_J", "boost_J", "projection_J", "integration_J", "initial_J", "residual_J"];

export class LedgerPanel implements Panel {
  readonly root = el("div", { class: "ledger" });
  private plot: Plot;
  private rest: Plot;
  private now = el("dl", { class: "facts" });
  private cells = new Map<string, HTMLElement>();
  private ledger: Columns = {};
  private key = "";
  private fetcher = new Fetcher(1500);

  constructor(private readonly desk: Desk) {
    // Upper layers first: each fills down to the one below it.
    const lines: Line[] = LAYERS.map(([, label, color], i) => ({ label, color, band: i === 0 ? "zero" : i }));
    lines.push({ label: "brought in", color: "#868e96", dash: [6, 4] });
    const onSeek = (time: number): void => desk.seek(time);
    const name = (): string => desk.run.meta.name;
    this.plot = new Plot({ title: "energy ledger", unit: "J", height: 240, lines, onSeek }, name);
    this.rest = new Plot({ title: "residual of the balance", unit: "J", height: 110, lines: [{ label: "residual", color: "#ae7bdf" }], onSeek }, name);
    for (const key of ALL) {
      const cell = el("dd", { class: "number", "data-ledger": key });
      this.cells.set(key, cell);
      this.now.append(el("dt", { text: key.replace("_J", "").replaceAll("_", " ") }), cell);
    }
    this.root.append(this.plot.root, el("p", { class: "muted hintline", text: "Potential energy counts from its lowest value in the run." }),
      el("header", { class: "sub" }, el("h3", { text: "Now" })), this.now, this.rest.root);
    desk.runChanged.on(() => {
      this.key = "";
      this.refresh();
    });
  }

  refresh(): void {
    if (this.root.hidden) return;
    const { run, player } = this.desk;
    this.plot.setNow(player.time);
    this.rest.setNow(player.time);
    this.showNow(player.time);
    const key = `${run.meta.run} ${run.spanEnd}`;
    if (key === this.key) return;
    this.fetcher.want(async () => {
      this.ledger = await getJson<Columns>(`${run.path}/ledger?points=500`);
      this.key = key;
      this.draw();
      this.showNow(this.desk.player.time);
    });
  }

  private draw(): void {
    const time = this.ledger.time_s ?? [];
    const lowest = (this.ledger.potential_J ?? []).reduce((least, value) => Math.min(least, value), Infinity);
    const base = Number.isFinite(lowest) ? lowest : 0;
    let below = time.map(() => 0);
    const stack = LAYERS.map(([key]) => {
      const shift = key === "potential_J" ? base : 0;
      below = below.map((sum, i) => sum + Math.max(0, (this.ledger[key]?.[i] ?? 0) - shift));
      return below;
    });
    const into = time.map((_t, i) => this.at("initial_J", i) + this.at("work_J", i) + this.at("boost_J", i) - base);
    this.plot.setData(time, [...stack, into], { names: ALL, columns: ALL.map((key) => this.ledger[key] ?? []) });
    this.rest.setData(time, [this.ledger.residual_J ?? []]);
  }

  private at(key: string, index: number): number {
    return this.ledger[key]?.[index] ?? 0;
  }

  private showNow(now: number): void {
    const time = this.ledger.time_s ?? [];
    let index = time.findIndex((t) => t > now) - 1;
    if (index < -1) index = time.length - 1;
    for (const [key, cell] of this.cells) setText(cell, index < 0 && time.length === 0 ? "—" : `${short(this.ledger[key]?.[Math.max(0, index)], 6)} J`);
  }
}
