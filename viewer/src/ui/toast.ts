// Short notices in a corner: what the server could not do, and what was done.

import { ApiError } from "../net/api";
import { el } from "./dom";

const STAY_MS = 7000;
const MOST = 4;

export function toast(text: string, hint: string | null = null, kind: "error" | "note" = "note"): void {
  const holder = document.getElementById("toasts");
  if (!holder) return;
  const last = holder.lastElementChild as HTMLElement | null;
  if (last?.dataset.text === text) last.remove();
  const notice = el("div", { class: `toast ${kind}`, "data-text": text }, el("strong", { text }));
  if (hint) notice.append(el("span", { text: hint }));
  const close = el("button", { text: "×", label: "close this notice", click: () => notice.remove() });
  notice.append(close);
  holder.append(notice);
  while (holder.children.length > MOST) holder.firstElementChild?.remove();
  window.setTimeout(() => notice.remove(), kind === "error" ? 2 * STAY_MS : STAY_MS);
}

/** Tells of an error, whatever it is. */
export function complain(error: unknown): void {
  if (error instanceof ApiError) return toast(error.message, error.hint, "error");
  // Not the server's word but a mistake of the page: whoever looks for it finds where it was made.
  console.error(error);
  toast(error instanceof Error ? error.message : String(error), null, "error");
}
