// What the scene's author expects, and what came out.

import { getJson } from "../net/api";
import type { Expectation, Expectations } from "../net/types";
import type { Desk, Panel } from "./desk";
import { el, short } from "./dom";
import { Fetcher } from "./fetcher";

export class ChecksPanel implements Panel {
  readonly root = el("div", { class: "checks" });
  private list = el("ul");
  private note = el("p", { class: "muted hintline" });
  private fetcher = new Fetcher(2000);
  private key = "";

  constructor(private readonly desk: Desk) {
    this.root.append(el("header", { class: "sub" }, el("h3", { text: "Expectations" })), this.note, this.list);
    desk.runChanged.on(() => {
      this.key = "";
      this.refresh();
    });
  }

  refresh(): void {
    if (this.root.hidden) return;
    const { run } = this.desk;
    const key = `${run.meta.run} ${run.status?.end} ${run.spanEnd}`;
    if (key === this.key) return;
    this.fetcher.want(async () => {
      const answer = await getJson<Expectations>(`${run.path}/expectations`);
      this.key = key;
      this.draw(answer);
    });
  }

  private draw({ is_measured, expectations }: Expectations): void {
    this.list.replaceChildren(...expectations.map(row));
    const waits = expectations.some((one) => one.pass === null);
    this.note.textContent = expectations.length === 0 ? "This scene states no expectations."
      : !waits && is_measured ? ""
      : this.desk.run.isLive ? "Measured when the run is complete." : "Not measured in this recording: it ended early, or somebody acted on it.";
  }
}

function value(given: number | string | null): string {
  const isNumber = typeof given === "number" || (given !== null && given.trim() !== "" && Number.isFinite(Number(given)));
  return isNumber ? short(Number(given), 6) : (given ?? "—");
}

/** A bound has none of its own, and of an exact number nothing is told either. */
function margin(one: Expectation): string {
  return Number(one.tolerance) > 0 && !/^at |to/.test(String(one.expected)) ? ` ± ${value(one.tolerance)}` : "";
}

function row(one: Expectation): HTMLElement {
  const verdict = one.pass === null ? "not yet" : one.pass ? "pass" : "fail";
  return el("li", { class: verdict.replace(" ", "-"), "data-verdict": verdict }, el("span", { class: "verdict", text: verdict }), el("strong", { text: one.what }),
    el("span", { class: "number", text: `expected ${value(one.expected)}${margin(one)}   got ${value(one.got)}` }),
    one.source ? el("span", { class: "muted", text: one.source }) : null);
}
