// All bodies with a search box. Only the rows in sight exist, so ten thousand bodies scroll like ten.

import type { Body } from "../net/types";
import type { Desk, Panel } from "./desk";
import { el, setText } from "./dom";

const ROW_PX = 24;

export class BodyList implements Panel {
  readonly root = el("div", { class: "bodylist" });
  private search = el("input", { label: "search bodies by name" });
  private scroller = el("div", { class: "scroller", label: "bodies" });
  private filler = el("div", { class: "filler" });
  private count = el("span", { class: "muted count" });
  private found: Body[] = [];

  constructor(private readonly desk: Desk) {
    this.search.type = "search";
    this.search.placeholder = "Search bodies  (/)";
    this.search.addEventListener("input", () => this.filter());
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && this.found[0]) this.desk.select(this.found[0].number);
    });
    this.scroller.tabIndex = 0;
    this.scroller.setAttribute("role", "listbox");
    this.scroller.append(this.filler);
    this.scroller.addEventListener("scroll", () => this.draw());
    this.scroller.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.scroller);
    this.root.append(el("div", { class: "searchrow" }, this.search, this.count), this.scroller);
    desk.runChanged.on(() => this.filter());
    desk.selectionChanged.on(() => this.reveal());
  }

  focusSearch(): void {
    this.search.focus();
    this.search.select();
  }

  refresh(): void {
    this.filter();
  }

  private filter(): void {
    const words = this.search.value.trim().toLowerCase();
    const { bodies } = this.desk.run;
    this.found = words === "" ? bodies : bodies.filter((body) => body.name.toLowerCase().includes(words));
    this.filler.style.height = `${this.found.length * ROW_PX}px`;
    setText(this.count, this.found.length === bodies.length ? `${bodies.length}` : `${this.found.length}/${bodies.length}`);
    this.draw();
  }

  private draw(): void {
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW_PX) - 4);
    const last = Math.min(this.found.length, first + Math.ceil(this.scroller.clientHeight / ROW_PX) + 8);
    const rows: HTMLElement[] = [];
    for (let i = first; i < last; i++) rows.push(this.row(this.found[i]!, i));
    this.filler.replaceChildren(...rows);
  }

  private row(body: Body, index: number): HTMLElement {
    const swatch = el("span", { class: "swatch" });
    const [r, g, b] = body.color.map((part) => Math.round(part * 255));
    swatch.style.backgroundColor = `rgb(${r} ${g} ${b})`;
    const row = el("div", { class: "row", title: body.name, "data-body": body.name, click: () => this.desk.select(body.number) },
      swatch, el("span", { class: "name", text: body.name }), el("span", { class: "muted", text: body.is_sensor ? "sensor" : body.role === "free" ? body.shape : body.role }));
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", String(body.number === this.desk.selected?.number));
    row.style.top = `${index * ROW_PX}px`;
    return row;
  }

  private reveal(): void {
    const index = this.found.findIndex((body) => body.number === this.desk.selected?.number);
    const { scrollTop, clientHeight } = this.scroller;
    const top = index * ROW_PX;
    if (index >= 0 && (top < scrollTop || top + ROW_PX > scrollTop + clientHeight)) {
      this.scroller.scrollTop = top - clientHeight / 2;
    }
    this.draw();
  }

  private key(event: KeyboardEvent): void {
    const shift = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (shift === 0 || this.found.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const at = this.found.findIndex((body) => body.number === this.desk.selected?.number);
    const next = this.found[Math.min(this.found.length - 1, Math.max(0, at + shift))]!;
    this.desk.select(next.number);
  }
}
