// All built-in scenes, with a picture and a line each.

import { getJson, withToken } from "../net/api";
import type { Hello, SceneCard } from "../net/types";
import { button, el } from "./dom";
import { toggleTheme } from "./theme";

export async function gallery(version: string, open: Hello["open"]): Promise<HTMLElement> {
  const scenes = await getJson<SceneCard[]>("/api/scenes");
  const cards = el("div", { class: "cards" });
  for (const scene of scenes) cards.append(card(scene));
  const search = el("input", { label: "search the scenes" });
  search.type = "search";
  search.placeholder = "Search scenes";
  const none = el("p", { class: "muted", text: "No scene has these words." });
  none.hidden = true;
  search.addEventListener("input", () => {
    none.hidden = filter(cards, search.value.trim().toLowerCase()) > 0;
  });
  return el(
    "div",
    { class: "gallery" },
    el("header", { class: "top" }, el("span", { class: "brand", text: "Carom" }), el("span", { class: "muted", text: version }),
      back(open), el("span", { class: "gap" }), search, button("◐", "dark or light", toggleTheme, "icon")),
    el("main", {}, el("h1", { text: "Scenes" }),
      el("p", { class: "muted", text: `${scenes.length} scenes run live on this machine. Choose one to watch, question and push.` }), cards, none),
  );
}

/** Leads to what the command named. */
function back(open: Hello["open"]): HTMLElement | null {
  if (!open) return null;
  const isFile = "recording" in open || open.scene === "file";
  const made = el("a", { class: "button", text: isFile ? "Back to the file" : `Back to ${"scene" in open ? open.scene : ""}` });
  made.href = "scene" in open ? `#/scene/${encodeURIComponent(open.scene)}` : "#/recording";
  return made;
}

function card(scene: SceneCard): HTMLElement {
  const picture = el("div", { class: "picture" });
  const image = el("img");
  image.alt = "";
  image.loading = "lazy";
  image.width = 320;
  image.height = 180;
  image.addEventListener("error", () => image.remove());
  image.src = withToken(scene.thumbnail);
  picture.append(image);
  const made = el("a", { class: "card", "data-scene": scene.name }, picture, el("h2", { text: scene.title || scene.name }),
    el("p", { text: scene.description }), el("code", { text: scene.name }));
  made.href = `#/scene/${encodeURIComponent(scene.name)}`;
  return made;
}

function filter(cards: HTMLElement, words: string): number {
  let shown = 0;
  for (const made of cards.children as HTMLCollectionOf<HTMLElement>) {
    made.hidden = !(made.textContent ?? "").toLowerCase().includes(words);
    if (!made.hidden) shown += 1;
  }
  return shown;
}
