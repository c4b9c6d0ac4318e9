// Dark and light: as the system says, until the person chooses.

import { Signal } from "../data/signal";

const KEY = "carom.theme";
const system = matchMedia("(prefers-color-scheme: dark)");

export const themeChanged = new Signal();

export function isDark(): boolean {
  const chosen = localStorage.getItem(KEY);
  return chosen === null ? system.matches : chosen === "dark";
}

function apply(): void {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  themeChanged.tell();
}

export function toggleTheme(): void {
  localStorage.setItem(KEY, isDark() ? "light" : "dark");
  apply();
}

/** A colour of the style sheet. */
export function cssColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function startTheme(): void {
  system.addEventListener("change", apply);
  apply();
}
