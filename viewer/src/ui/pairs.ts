// Statistics for each pair of bodies that touched, the force between the chosen two over time, and the contact that was
// clicked.

import { getJson } from "../net/api";
import type { Columns, Contact, Pair } from "../net/types";
import type { Desk, Panel } from "./desk";
import { button, download, el, fileName, short } from "./dom";
import { Fetcher } from "./fetcher";
import { Plot } from "./plot";

const MOST_ROWS = 200;
const HEADS: [string, string][] = [["pair", ""], ["blows", "collisions"], ["micro", "micro-collisions"], ["Σ N·s", "normal impulse in all"],
  ["work J", "work of friction and of the normal impulses"]];

export class PairsPanel implements Panel {
  readonly root = el("div", { class: "pairs" });
  private body = el("tbody");
  private note = el("p", { class: "muted hintline" });
  private plot: Plot;
  private title = el("h3");
  private contact = el("section", { label: "contact" });
  private pairs: Pair[] = [];
  private chosen: string | null = null;
  private key = "";
  private fetcher = new Fetcher(1500);
  private forceFetcher = new Fetcher(800);

  constructor(private readonly desk: Desk) {
    this.plot = new Plot({ title: "force", unit: "N", height: 150, lines: [{ label: "normal", color: "#f03e3e" }, { label: "friction", color: "#f59f00" }],
      onSeek: (t) => desk.seek(t) }, () => `${desk.run.meta.name}-${this.chosen ?? "pair"}`);
    const head = el("tr", {}, ...HEADS.map(([text, title]) => el("th", { text, title })));
    this.plot.root.hidden = true;
    this.root.append(el("header", { class: "sub" }, el("h3", { text: "Pairs" }), el("span", { class: "gap" }),
      button("CSV", "save the pairs as CSV", () => this.save(), "tiny")), el("div", { class: "tablebox" }, el("table", {}, el("thead", {}, head), this.body)),
      this.note, this.contact, this.title, this.plot.root);
    this.contact.hidden = true;
    desk.runChanged.on(() => this.forget());
    desk.contactChanged.on(() => this.showContact(desk.contact));
  }

  refresh(): void {
    if (this.root.hidden) return;
    this.plot.setNow(this.desk.player.time);
    const { run } = this.desk;
    const key = `${run.meta.run} ${run.spanEnd}`;
    if (key === this.key) return;
    this.fetcher.want(async () => {
      this.pairs = await getJson<Pair[]>(`${run.path}/pairs`);
      this.key = key;
      this.draw();
      this.askForce();
    });
  }

  // What one blow did: how hard it pushed along the normal and across it, and how much of the friction cone that is.
  private showContact(contact: Contact | null): void {
    this.contact.hidden = contact === null;
    if (!contact) return;
    const { run } = this.desk;
    const { impulse_N_s: impulse, normal, point_m: point, friction } = contact;
    const along = impulse[0] * normal[0] + impulse[1] * normal[1] + impulse[2] * normal[2];
    const across = Math.hypot(...impulse.map((part, i) => part - along * normal[i]!));
    const share = friction > 0 && along > 0 ? `${short((100 * across) / (friction * along), 3)} % of the cone (μ ${short(friction, 3)})` : "no friction";
    const list = (values: number[], unit: string): string => `${values.map((value) => short(value, 5)).join("  ")}${unit}`;
    const facts: [string, string][] = [["kind", contact.kind === "micro" ? "micro-collision" : "collision"], ["time", `${short(contact.time_s, 9)} s`],
      ["point", list(point, " m")], ["normal", list(normal, "")], ["impulse", list(impulse, " N·s")],
      ["along the normal", `${short(along)} N·s`], ["across", `${short(across)} N·s, ${share}`]];
    this.contact.replaceChildren(el("header", { class: "sub" }, el("h3", { text: "Contact" }),
      el("span", { class: "muted", text: `${run.nameOf(contact.a)} · ${run.nameOf(contact.b)}` })),
      el("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [el("dt", { text: name }), el("dd", { text: value })])));
    this.choose(keyOf(contact));
  }

  private forget(): void {
    this.key = "";
    this.refresh();
  }

  private draw(): void {
    const { run } = this.desk;
    const rows = this.pairs.slice(0, MOST_ROWS).map((pair) => {
      const key = keyOf(pair);
      const name = `${run.nameOf(pair.a)} · ${run.nameOf(pair.b)}`;
      const choose = el("button", { class: "link", text: name, title: name, click: () => this.choose(key) });
      const work = pair.friction_work_J + pair.normal_work_J;
      const row = el("tr", {}, el("td", {}, choose), ...[pair.collisions, pair.micro, pair.normal_impulse_N_s, work].map((value) =>
        el("td", { class: "number", text: short(value, value === Math.trunc(value) ? 6 : 2) })));
      row.setAttribute("aria-selected", String(key === this.chosen));
      return row;
    });
    this.body.replaceChildren(...rows);
    this.note.textContent = this.pairs.length === 0 ? "Nothing has touched yet."
      : this.pairs.length > MOST_ROWS ? `The ${MOST_ROWS} with the largest impulses of ${this.pairs.length}.` : "Choose a pair to see its force over time.";
  }

  private choose(key: string): void {
    this.chosen = key;
    this.draw();
    this.askForce();
  }

  private askForce(): void {
    const pair = this.pairs.find((pair) => keyOf(pair) === this.chosen);
    this.plot.root.hidden = !pair;
    this.title.textContent = pair ? `${this.desk.run.nameOf(pair.a)} · ${this.desk.run.nameOf(pair.b)}` : "";
    if (!pair) return;
    const { run } = this.desk;
    this.forceFetcher.want(async () => {
      const force = await getJson<Columns>(`${run.path}/force?a=${pair.a}&b=${pair.b}&points=500`);
      this.plot.setData(force.time_s ?? [], [force.normal_N ?? [], force.friction_N ?? []]);
    });
  }

  private save(): void {
    const { run } = this.desk;
    const names = ["first_s", "last_s", "collisions", "micro", "normal_impulse_N_s", "largest_N_s", "friction_work_J", "normal_work_J"] as const;
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    const rows = this.pairs.map((pair) => [quoted(run.nameOf(pair.a)), quoted(run.nameOf(pair.b)), ...names.map((name) => pair[name])].join(","));
    download(`${fileName(run.meta.name, "pairs")}.csv`, new Blob([["a,b", ...names].join(","), "\n", rows.join("\n"), "\n"], { type: "text/csv" }));
  }
}

/** The same whichever body comes first. */
function keyOf({ a, b }: { a: number; b: number }): string {
  return a < b ? `${a}-${b}` : `${b}-${a}`;
}
