// The page begins here: who are we, what is asked for, and what is shown.

import "./style.css";
import "./panels.css";
import { ApiError, endRun, getJson, postJson, takeToken } from "./net/api";
import { readLink, writeLink, type Link } from "./data/link";
import type { Hello, Problem } from "./net/types";
import { el, throttled } from "./ui/dom";
import { gallery } from "./ui/gallery";
import { problemsPanel } from "./ui/problems";
import { startTheme } from "./ui/theme";
import { complain, toast } from "./ui/toast";
import { Workspace } from "./ui/workspace";
import { offerTestHandle } from "./testhandle";

/** The address is written at most twice a second; browsers refuse more. */
const LINK_MS = 500;
const REOPEN_MS = 1000;
/** How often a file with mistakes is looked at again. */
const RETRY_MS = 1500;
const STRANGER = "the token is not this server's: open the address that it printed";

class App {
  space: Workspace | null = null;
  status = "starting";
  private host = document.getElementById("app")!;
  private hello: Hello | null = null;
  /** What the address says of the run that is shown, as the browser and as this page writes it. */
  private shownHash = "";
  private writtenHash = "";
  private visit = 0;
  private retry = 0;
  private noteLink = throttled(LINK_MS, () => this.writeAddress());

  async start(): Promise<void> {
    window.addEventListener("hashchange", () => void this.go());
    window.addEventListener("beforeunload", (event) => {
      // What was done by hand is worth a question.
      if (this.space?.panes.some((pane) => pane.run.isTouched)) event.preventDefault();
    });
    window.addEventListener("pagehide", (event) => {
      if (!event.persisted) for (const pane of this.space?.panes ?? []) endRun(pane.run.meta.run);
    });
    try {
      this.hello = await getJson<Hello>("/api/hello");
    } catch (error) {
      return this.fail(error);
    }
    if (location.hash === "" && this.hello.open) {
      const { open } = this.hello;
      const hash = "scene" in open ? `#/scene/${encodeURIComponent(open.scene)}` : "#/recording";
      history.replaceState(null, "", hash);
    }
    await this.go();
  }

  private async go(): Promise<void> {
    if (location.hash === this.shownHash && this.space) return;
    const visit = ++this.visit;
    const link = readLink(location.hash);
    this.space?.close();
    this.space = null;
    window.clearInterval(this.retry);
    try {
      if (link.page === "gallery") await this.showGallery(visit);
      else await this.showRun(link, visit);
    } catch (error) {
      if (visit !== this.visit) return;
      this.fail(error);
      if (link.page === "scene" && link.name === "file") this.waitForMending(visit);
    }
  }

  // A file with mistakes has no run that could tell of its mending.
  private waitForMending(visit: number): void {
    this.retry = window.setInterval(async () => {
      try {
        const { run } = await postJson<{ run: string }>("/api/runs", { scene: "file" });
        endRun(run);
      } catch (error) {
        if (visit === this.visit && error instanceof ApiError && error.status > 0) this.fail(error);
        return;
      }
      if (visit === this.visit) void this.go();
    }, RETRY_MS);
  }

  private async showGallery(visit: number): Promise<void> {
    const page = await gallery(this.hello?.version ?? "", this.hello?.open ?? null);
    if (visit !== this.visit) return;
    document.title = "Carom";
    this.host.replaceChildren(page);
    this.status = "gallery";
  }

  private async showRun(link: Link, visit: number): Promise<void> {
    this.status = "opening";
    this.host.replaceChildren(el("p", { class: "waiting", text: `opening ${link.name || "the recording"} …` }));
    const space = new Workspace(this.host, link, {
      onLinkChanged: () => this.noteLink(),
      onRunGone: (status) => this.onGone(space, status),
    });
    this.space = space;
    [this.shownHash, this.writtenHash] = [location.hash, ""];
    try {
      await space.load(link);
    } catch (error) {
      space.close();
      if (this.space === space) this.space = null;
      throw error;
    }
    if (visit === this.visit) this.status = "open";
    else space.close();
  }

  // The server is back but has forgotten the run: the address knows how to make it again.
  private onGone(space: Workspace, status: number): void {
    if (space !== this.space) return;
    if (status === 401) {
      this.status = "stranger";
      toast(STRANGER, null, "error");
      space.showProblems(STRANGER, [], "");
      return;
    }
    // Both runs of a split view go at once; one opening brings both back.
    if (this.status === "reopening") return;
    this.status = "reopening";
    for (const pane of space.panes) pane.run.isGone = true;
    const camera = space.panes[0]?.stage.place() ?? space.link.camera;
    const link = { ...space.link, camera, time: space.player.time, selected: space.selected?.name ?? null };
    const again = (): void => {
      if (space !== this.space) return;
      space.load(link).then(
        () => {
          this.status = "open";
          toast("the server is back: the run was opened anew");
        },
        (error: unknown) => {
          if (error instanceof ApiError && error.status === 0) window.setTimeout(again, REOPEN_MS);
          else {
            this.status = "failed";
            space.showError(error);
          }
        },
      );
    };
    again();
  }

  private writeAddress(): void {
    const { space } = this;
    if (!space?.isReady || !space.panes[0]) return;
    const { link, player } = space;
    link.time = player.time > player.start ? player.time : null;
    link.camera = space.panes[0].stage.place();
    const hash = writeLink(link);
    // An address that is not ours was written by somebody who goes elsewhere, and must not be lost before it is opened.
    if (hash === this.writtenHash || location.hash !== this.shownHash) return;
    history.replaceState(null, "", hash);
    [this.writtenHash, this.shownHash] = [hash, location.hash];
  }

  private fail(error: unknown): void {
    const status = error instanceof ApiError ? error.status : -1;
    this.status = status === 401 ? "stranger" : "failed";
    const problems: Problem[] = error instanceof ApiError ? error.problems : [];
    const text = error instanceof ApiError ? error.text || (error.hint ?? "") : "";
    const title = status === 401 ? STRANGER : error instanceof Error ? error.message : String(error);
    const back = el("a", { class: "button", text: "All scenes" });
    back.href = "#/";
    this.host.replaceChildren(el("div", { class: "failed" }, problemsPanel(title, problems, text, null), status === 401 ? null : back));
  }
}

window.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  complain(event.reason);
});
takeToken();
startTheme();
const app = new App();
offerTestHandle(app);
void app.start();
