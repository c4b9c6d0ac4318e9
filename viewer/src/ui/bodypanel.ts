// The selected body: what it is, its state now in full precision, its contacts, and its motion over time.

import { getJson } from "../net/api";
import type { Body, BodyState, Columns, Contact } from "../net/types";
import type { Desk, Panel } from "./desk";
import { button, el, setText, short } from "./dom";
import { Fetcher } from "./fetcher";
import { JointList } from "./jointlist";
import { Plot } from "./plot";

const POINTS = 600;
/** Contacts count as "now" for this many samples. */
const CONTACT_SAMPLES = 2;

const QUANTITIES: [keyof BodyState, string, string, string[]][] = [
  ["position_m", "position", "m", ["x", "y", "z"]],
  ["velocity_m_s", "velocity", "m/s", ["x", "y", "z"]],
  ["angular_velocity_rad_s", "ang. velocity", "rad/s", ["x", "y", "z"]],
  ["orientation_xyzw", "orientation", "", ["x", "y", "z", "w"]],
];

export class BodyPanel implements Panel {
  readonly root = el("div", { class: "bodypanel" });
  private empty = el("p", { class: "muted hintline", text: "Click a body in the view or in the list to see its numbers." });
  private head = el("div", { class: "bodyhead" });
  private facts = el("dl", { class: "facts" });
  private state = el("div", { class: "state" });
  private sampleTime = el("span", { class: "muted" });
  private contacts = el("div", { class: "contacts" });
  private cells = new Map<string, HTMLElement>();
  private plots: Plot[];
  private full = el("div");
  private stateFetcher = new Fetcher(120);
  private seriesFetcher = new Fetcher(1200);
  private seriesKey = "";
  private joints: JointList;

  constructor(private readonly desk: Desk) {
    const spec = (title: string, unit: string, color: string): Plot =>
      new Plot({ title, unit, height: 104, lines: [{ label: title, color }], onSeek: (t) => desk.seek(t) },
        () => `${desk.run.meta.name}-${desk.selected?.name ?? ""}`);
    this.plots = [spec("height", "m", "#339af0"), spec("speed", "m/s", "#37b24d"),
      spec("energy", "J", "#f59f00"), spec("angular speed", "rad/s", "#ae7bdf")];
    this.buildState();
    this.joints = new JointList(desk);
    this.full.append(this.head, this.facts, el("header", { class: "sub" }, el("h3", { text: "State" }), this.sampleTime), this.state,
      el("header", { class: "sub" }, el("h3", { text: "Contacts now" })), this.contacts, this.joints.root, ...this.plots.map((plot) => plot.root));
    this.root.append(this.empty, this.full);
    desk.selectionChanged.on(() => this.describe());
    desk.runChanged.on(() => this.describe());
    this.describe();
  }

  refresh(): void {
    const body = this.desk.selected;
    if (!body || this.root.hidden) return;
    const { run, player } = this.desk;
    const time = player.time;
    for (const plot of this.plots) plot.setNow(time);
    this.joints.refresh();
    this.stateFetcher.want(() => this.askState(body, time));
    const key = `${run.meta.run} ${body.number} ${run.spanEnd}`;
    if (key === this.seriesKey) return;
    this.seriesFetcher.want(async () => {
      const series = await getJson<Columns>(`${run.path}/series?body=${body.number}&points=${POINTS}`);
      this.seriesKey = key;
      if (this.desk.selected?.number === body.number) this.draw(series);
    });
  }

  private buildState(): void {
    for (const [key, name, unit, axes] of QUANTITIES) {
      axes.forEach((axis, i) => {
        const cell = el("output", { "data-quantity": key, "data-axis": String(i), label: `${name} ${axis}` });
        this.cells.set(`${key}${i}`, cell);
        this.state.append(el("span", { class: "muted", text: i === 0 ? name : "" }), el("span", { class: "muted", text: axis }), cell,
          el("span", { class: "muted", text: unit }));
      });
    }
    for (const [key, name] of [["kinetic_J", "kinetic"], ["potential_J", "potential"]] as const) {
      const cell = el("output", { "data-quantity": key, label: `${name} energy` });
      this.cells.set(key, cell);
      this.state.append(el("span", { class: "muted", text: `${name} energy` }), el("span"), cell, el("span", { class: "muted", text: "J" }));
    }
  }

  private describe(): void {
    const body = this.desk.selected;
    this.empty.hidden = body !== null;
    this.full.hidden = body === null;
    this.seriesKey = "";
    if (!body) return;
    const swatch = el("span", { class: "swatch" });
    const [r, g, b] = body.color.map((part) => Math.round(part * 255));
    swatch.style.backgroundColor = `rgb(${r} ${g} ${b})`;
    this.head.replaceChildren(swatch, el("h2", { text: body.name, "data-role": "body-name" }), el("span", { class: "badge", text: body.is_sensor ? `${body.role} sensor` : body.role }),
      el("span", { class: "gap" }), button("×", "select nothing", () => this.desk.select(null), "tiny"));
    this.facts.replaceChildren(...this.factRows(body));
    this.joints.describe();
    this.refresh();
  }

  private factRows(body: Body): HTMLElement[] {
    const material = this.desk.run.meta.materials.find((material) => material.number === body.material);
    const facts: [string, string][] = [["shape", body.shape], ["material", material?.name ?? "—"],
      ["mass", body.mass_kg === null ? "—" : `${short(body.mass_kg, 6)} kg`],
      ["moments", body.moments_kg_m2 ? `${body.moments_kg_m2.map((moment) => short(moment)).join("  ")} kg·m²` : "—"]];
    if (body.since_s > 0) facts.push(["since", `${short(body.since_s, 6)} s`]);
    return facts.flatMap(([name, value]) => [el("dt", { text: name }), el("dd", { text: value })]);
  }

  private async askState(body: Body, time: number): Promise<void> {
    const { run } = this.desk;
    const span = CONTACT_SAMPLES / (run.meta.rate_hz > 0 ? run.meta.rate_hz : 60);
    const index = run.pose.index(body.number);
    if (index >= 0 && !run.pose.present[index]) return this.clear();
    const [state, contacts] = await Promise.all([
      getJson<BodyState>(`${run.path}/state?at=${time}&body=${body.number}`),
      getJson<Contact[]>(`${run.path}/contacts?from=${time - span}&to=${time}&body=${body.number}&most=100`),
    ]);
    if (this.desk.selected?.number !== body.number) return;
    this.fill(state);
    this.listContacts(contacts.filter((contact) => contact.a === body.number || contact.b === body.number), body, span);
  }

  private clear(): void {
    for (const cell of this.cells.values()) setText(cell, "—");
    setText(this.sampleTime, "it is not there at this time");
    this.contacts.replaceChildren();
  }

  private fill(state: BodyState): void {
    for (const [key, , , axes] of QUANTITIES) {
      const values = state[key] as number[];
      axes.forEach((_axis, i) => setText(this.cells.get(`${key}${i}`)!, String(values[i])));
    }
    setText(this.cells.get("kinetic_J")!, String(state.kinetic_J));
    setText(this.cells.get("potential_J")!, String(state.potential_J));
    setText(this.sampleTime, `at ${short(state.time_s, 9)} s`);
  }

  // Several blows of one pair within the window are one line: their sum is what the force comes from.
  private listContacts(contacts: Contact[], body: Body, span: number): void {
    const sums = new Map<number, { sum: [number, number, number]; count: number }>();
    for (const contact of contacts) {
      const other = contact.a === body.number ? contact.b : contact.a;
      const sign = contact.a === body.number ? 1 : -1;
      const entry = sums.get(other) ?? { sum: [0, 0, 0], count: 0 };
      contact.impulse_N_s.forEach((part, i) => (entry.sum[i] = entry.sum[i]! + sign * part));
      entry.count += 1;
      sums.set(other, entry);
    }
    const rows = [...sums].map(([other, { sum, count }]) => {
      const size = Math.hypot(...sum);
      const row = el("button", { class: "contactrow", label: `select ${this.desk.run.nameOf(other)}`, click: () => this.desk.select(other) },
        el("span", { class: "name", text: this.desk.run.nameOf(other) }), el("span", { class: "number", text: `${short(size)} N·s` }),
        el("span", { class: "number", text: `${short(size / span)} N` }), el("span", { class: "muted", text: `${count}×` }));
      return row;
    });
    this.contacts.replaceChildren(...(rows.length > 0 ? rows : [el("p", { class: "muted", text: `none in the last ${short(1000 * span, 3)} ms` })]));
  }

  private draw(series: Columns): void {
    const time = series.time_s ?? [];
    const up = this.desk.run.meta.up;
    const { x_m: x = [], y_m: y = [], z_m: z = [] } = series;
    const size = (a = "", b = "", c = ""): number[] => time.map((_t, i) => Math.hypot(series[a]?.[i] ?? 0, series[b]?.[i] ?? 0, series[c]?.[i] ?? 0));
    const columns = [
      time.map((_t, i) => up[0] * x[i]! + up[1] * y[i]! + up[2] * z[i]!),
      size("vx_m_s", "vy_m_s", "vz_m_s"),
      time.map((_t, i) => (series.kinetic_J?.[i] ?? 0) + (series.potential_J?.[i] ?? 0)),
      size("wx_rad_s", "wy_rad_s", "wz_rad_s"),
    ];
    this.plots.forEach((plot, i) => plot.setData(time, [columns[i]!]));
  }
}
