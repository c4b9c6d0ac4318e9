// The keyboard. Keys belong to the field that has the focus first; what it leaves is a shortcut.

export type Shortcuts = Record<string, () => void>;

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && target.type !== "range" && target.type !== "checkbox";
}

function nameOf(event: KeyboardEvent): string {
  const key = event.key === " " ? "space" : event.key.toLowerCase();
  return event.shiftKey && key.startsWith("arrow") ? `shift+${key}` : key;
}

export function listenToKeys(shortcuts: Shortcuts): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const name = nameOf(event);
    // A dialog that was just closed may keep the focus until the next picture; its keys are nobody's.
    const target = event.target instanceof HTMLElement && event.target.closest("dialog:not([open])") ? null : event.target;
    if (isTyping(target) || document.querySelector("dialog[open]")) return;
    // A slider keeps its own keys, and a button is pressed by the space bar.
    const isPressed = "button, a, input[type=checkbox]";
    if (target instanceof HTMLInputElement && (event.key.startsWith("Arrow") || event.key === "Home")) return;
    if (name === "space" && target instanceof HTMLElement && target.closest(isPressed)) return;
    const action = shortcuts[name];
    if (!action) return;
    event.preventDefault();
    action();
  };
  window.addEventListener("keydown", onKey);
  return () => window.removeEventListener("keydown", onKey);
}
