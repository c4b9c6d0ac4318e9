// Panels behind each other with a row of tabs, by the usual keys.

import { el } from "./dom";
import type { Panel } from "./desk";

export class Tabs {
  readonly root = el("div", { class: "tabs" });
  private bar = el("div", { class: "tabbar" });
  private body = el("div", { class: "tabbody" });
  private tabs: { name: string; button: HTMLButtonElement; panel: Panel }[] = [];
  current = "";

  constructor(label: string) {
    this.bar.setAttribute("role", "tablist");
    this.bar.setAttribute("aria-label", label);
    this.bar.addEventListener("keydown", (event) => this.key(event));
    this.root.append(this.bar, this.body);
  }

  add(name: string, panel: Panel): void {
    const tab = el("button", { text: name, click: () => this.show(name) });
    tab.type = "button";
    tab.setAttribute("role", "tab");
    tab.id = `tab-${name}`;
    panel.root.setAttribute("role", "tabpanel");
    // Who scrolls by keys must be able to get here.
    panel.root.tabIndex = 0;
    panel.root.setAttribute("aria-labelledby", tab.id);
    panel.root.hidden = true;
    this.bar.append(tab);
    this.body.append(panel.root);
    this.tabs.push({ name, button: tab, panel });
    if (this.tabs.length === 1) this.show(name);
  }

  show(name: string): void {
    this.current = name;
    for (const tab of this.tabs) {
      const isShown = tab.name === name;
      tab.button.setAttribute("aria-selected", String(isShown));
      tab.button.tabIndex = isShown ? 0 : -1;
      tab.panel.root.hidden = !isShown;
    }
    this.refresh();
  }

  setEnabled(name: string, isEnabled: boolean): void {
    const tab = this.tabs.find((tab) => tab.name === name);
    if (!tab) return;
    tab.button.hidden = !isEnabled;
    if (!isEnabled && this.current === name) this.show(this.tabs[0]!.name);
  }

  refresh(): void {
    this.tabs.find((tab) => tab.name === this.current)?.panel.refresh();
  }

  private key(event: KeyboardEvent): void {
    const shift = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (shift === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const shown = this.tabs.filter((tab) => !tab.button.hidden);
    const at = shown.findIndex((tab) => tab.name === this.current);
    const next = shown[(at + shift + shown.length) % shown.length]!;
    this.show(next.name);
    next.button.focus();
  }
}
