// Small helpers to build the page. Text always goes in as text: names from scene files are never read as HTML.

type Child = Node | string | null | undefined | false;

interface Props {
  class?: string;
  text?: string;
  title?: string;
  label?: string;
  click?: (event: MouseEvent) => void;
  [attribute: `data-${string}`]: string;
}

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K, props: Props = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  const { class: kind, text, title, label, click, ...others } = props;
  if (kind) made.className = kind;
  if (text !== undefined) made.textContent = text;
  if (title) made.title = title;
  if (label) made.setAttribute("aria-label", label);
  if (click) made.addEventListener("click", click as EventListener);
  for (const [name, value] of Object.entries(others)) if (value !== undefined) made.setAttribute(name, String(value));
  for (const child of children) if (child) made.append(child);
  return made;
}

export function button(text: string, label: string, click: () => void, kind = ""): HTMLButtonElement {
  const made = el("button", { text, title: label, label, class: kind });
  made.addEventListener("click", (event) => {
    // After a click of the mouse the space bar plays and pauses again.
    if (event.detail > 0) made.blur();
    click();
  });
  made.type = "button";
  return made;
}

export function setPressed(made: HTMLElement, isOn: boolean): void {
  made.setAttribute("aria-pressed", String(isOn));
}

/** Puts a text in only if it differs, so that selections and screen readers are left alone. */
export function setText(made: HTMLElement, text: string): void {
  if (made.textContent !== text) made.textContent = text;
}

/** A number for reading: four digits, never a long tail. */
export function short(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined) return "—";
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e5 || size < 1e-3 ? value.toExponential(digits - 1) : String(Number(value.toPrecision(digits)));
  return text.replace("-", "−");
}

/** Calls at most once in a while, and always once more after the last call. */
export function throttled(wait: number, call: () => void): () => void {
  let last = -Infinity;
  let timer = 0;
  return () => {
    const now = performance.now();
    if (timer !== 0) return;
    if (now - last >= wait) {
      last = now;
      call();
      return;
    }
    timer = window.setTimeout(() => {
      timer = 0;
      last = performance.now();
      call();
    }, wait - (now - last));
  };
}

export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = el("a");
  link.href = address;
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function downloadCanvas(name: string, canvas: HTMLCanvasElement): void {
  canvas.toBlob((content) => content && download(name, content), "image/png");
}

/** Letters that every file system takes. */
export function fileName(...parts: string[]): string {
  return parts.map((part) => part.replace(/[^\p{L}\p{N}._-]+/gu, "_").slice(0, 40)).join("-");
}
