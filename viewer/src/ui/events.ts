// The events around the time shown, by kind and pair. Choosing one goes there.

import { getJson } from "../net/api";
import type { RunEvent } from "../net/types";
import { bodyQuery } from "../data/player";
import type { Desk, Panel } from "./desk";
import { button, download, el, fileName, setPressed, short } from "./dom";
import { Fetcher } from "./fetcher";

const EACH_WAY = 40;
const KINDS = ["collision", "micro", "touch", "impulse", "added", "removed", "gravity", "material", "carried", "released", "parted", "entered", "left", "joined", "unjoined", "tied", "untied", "broken", "stop", "rested", "lifted", "stuck", "slipped", "taut", "slack", "law", "tick"];

export class EventsPanel implements Panel {
  readonly root = el("div", { class: "events" });
  private list = el("ol", { label: "events around now" });
  private first = el("input", { label: "one body of the pair" });
  private second = el("input", { label: "the other body of the pair" });
  private names = el("datalist");
  private kinds = new Set<string>();
  private chips = new Map<string, HTMLElement>();
  private events: RunEvent[] = [];
  private fetcher = new Fetcher(250);
  private key = "";

  constructor(private readonly desk: Desk) {
    const chips = el("div", { class: "chips", label: "kinds of events" });
    for (const kind of KINDS) {
      const chip = button(kind, `only events of the kind ${kind}`, () => this.toggle(kind), "chip");
      setPressed(chip, false);
      this.chips.set(kind, chip);
      chips.append(chip);
    }
    this.names.id = "body-names";
    for (const input of [this.first, this.second]) {
      input.type = "search";
      input.setAttribute("list", this.names.id);
      input.addEventListener("change", () => this.choose());
    }
    this.first.placeholder = "body a";
    this.second.placeholder = "body b";
    this.root.append(el("header", { class: "sub" }, el("h3", { text: "Events" }), el("span", { class: "gap" }),
      button("CSV", "save the events shown as CSV", () => this.save(), "tiny")), chips,
      el("div", { class: "pairrow" }, this.first, this.second), this.names, this.list);
    desk.runChanged.on(() => this.again());
  }

  refresh(): void {
    if (this.root.hidden) return;
    const { run, player } = this.desk;
    const time = player.time;
    const key = `${run.meta.run} ${time} ${run.spanEnd}`;
    if (key === this.key) return;
    this.fetcher.want(async () => {
      const filter = (this.kinds.size === 0 ? "" : `&kind=${[...this.kinds].join(",")}`) + bodyQuery(run, player.eventBodies);
      const past = getJson<{ events: RunEvent[] }>(`${run.path}/events?to=${time}&back=1&limit=${EACH_WAY}${filter}`);
      // Exclusive ends: the event at exactly this time is in neither, so the second begins a hair earlier.
      const from = time - Math.max(1e-12, Math.abs(time) * 1e-15);
      const next = getJson<{ events: RunEvent[] }>(`${run.path}/events?from=${from}&limit=${EACH_WAY}${filter}`);
      const [before, after] = await Promise.all([past, next]);
      this.events = merge(before.events, after.events);
      this.key = key;
      this.draw(time);
    });
  }

  private toggle(kind: string): void {
    if (!this.kinds.delete(kind)) this.kinds.add(kind);
    setPressed(this.chips.get(kind)!, this.kinds.has(kind));
    this.desk.player.eventKinds = this.kinds.size === 0 ? null : [...this.kinds].join(",");
    this.again();
  }

  // What is listed is also what steps go to and what the timeline counts.
  private choose(): void {
    this.desk.player.eventBodies = [this.first, this.second].map((input) => input.value.trim()).filter((name) => name !== "");
    this.desk.player.changed.tell();
    this.again();
  }

  private again(): void {
    this.key = "";
    const { bodies } = this.desk.run;
    // A list of thousands helps nobody and takes long to make.
    this.names.replaceChildren(...bodies.slice(0, 500).map((body) => Object.assign(document.createElement("option"), { value: body.name })));
    this.refresh();
  }

  private draw(now: number): void {
    let isPast = true;
    const rows: HTMLElement[] = [];
    for (const event of this.events) {
      if (isPast && event.time_s > now) {
        isPast = false;
        rows.push(el("li", { class: "now", text: `now ${short(now, 8)} s` }));
      }
      const go = el("button", { label: `go to ${event.text} at ${event.time_s} s`, click: () => this.desk.seek(event.time_s) },
        el("span", { class: "number", text: event.time_s.toFixed(6) }), el("span", { class: `kind ${event.kind}`, text: event.kind }),
        el("span", { class: "name", text: this.about(event), title: event.text }),
        el("span", { class: "number", text: event.impulse_N_s === null ? "" : `${short(event.impulse_N_s, 3)}` }));
      rows.push(el("li", { class: event.time_s === now ? "here" : "" }, go));
    }
    if (isPast) rows.push(el("li", { class: "now", text: `now ${short(now, 8)} s` }));
    this.list.replaceChildren(...rows);
    const mark = this.list.querySelector<HTMLElement>(".now");
    if (mark) this.list.scrollTop = mark.offsetTop - this.list.clientHeight / 2;
  }

  private about(event: RunEvent): string {
    const names = [event.a, event.b].filter((body) => body !== null).map((body) => this.desk.run.nameOf(body));
    return names.length > 0 ? names.join(" · ") : event.text;
  }

  private save(): void {
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    const { run } = this.desk;
    const rows = this.events.map((event) => [event.time_s, event.kind, quoted(run.nameOf(event.a)), quoted(run.nameOf(event.b)), event.impulse_N_s ?? "", quoted(event.text)].join(","));
    download(`${fileName(run.meta.name, "events")}.csv`, new Blob(["time_s,kind,a,b,impulse_N_s,text\n", rows.join("\n"), "\n"], { type: "text/csv" }));
  }
}

function merge(before: RunEvent[], after: RunEvent[]): RunEvent[] {
  const last = before.at(-1)?.time_s ?? -Infinity;
  return [...before, ...after.filter((event) => event.time_s > last)];
}
