// What stands around the views: the bar on top, the panels to both sides, the playback bar, and the keys.

import { shareable } from "../net/api";
import { writeLink } from "../data/link";
import { BodyList } from "./bodylist";
import { BodyPanel } from "./bodypanel";
import { ChecksPanel } from "./checks";
import { button, downloadCanvas, el, fileName, setPressed, setText, throttled } from "./dom";
import { EventsPanel } from "./events";
import { helpDialog } from "./help";
import { listenToKeys } from "./keys";
import { LedgerPanel } from "./ledger";
import { LivePanel } from "./livepanel";
import { PairsPanel } from "./pairs";
import { PlayBar } from "./playbar";
import { Tabs } from "./tabs";
import { toggleTheme } from "./theme";
import { complain, toast } from "./toast";
import { toolbar } from "./toolbar";
import type { Workspace } from "./workspace";

export class Frame {
  readonly refreshPanels: () => void;
  private root = el("div", { class: "workspace" });
  private title = el("h1");
  private about = el("span", { class: "muted about" });
  private kind = el("span", { class: "badge" });
  private connection = el("span", { class: "connection", label: "connection" });
  private views = el("div", { class: "views" });
  private split: HTMLButtonElement;
  private help = helpDialog();
  private left = new Tabs("scene");
  private right = new Tabs("numbers");
  private bodies: BodyList;
  private bar: PlayBar;
  private stopKeys: () => void;

  constructor(
    host: HTMLElement,
    private readonly space: Workspace,
  ) {
    this.bodies = new BodyList(space);
    this.bar = new PlayBar(space);
    this.left.add("Bodies", this.bodies);
    this.left.add("Live", new LivePanel(space, {
      restart: () => space.reload(), push: () => space.togglePush(), grab: () => space.toggleGrab(), throwBody: (wish) => space.throwBody(wish),
      putBody: (wish) => space.putBody(wish), size: () => space.panes[0]?.stage.radius ?? 1,
    }));
    this.right.add("Body", new BodyPanel(space));
    this.right.add("Pairs", new PairsPanel(space));
    this.right.add("Energy", new LedgerPanel(space));
    this.right.add("Events", new EventsPanel(space));
    this.right.add("Checks", new ChecksPanel(space));
    this.split = button("Split", "two runs of this scene side by side", () => space.toggleSplit());
    this.root.append(this.header(), el("aside", { class: "left", label: "scene" }, this.left.root),
      el("main", { class: "middle" }, toolbar(space), this.views), el("aside", { class: "right", label: "numbers" }, this.right.root), this.bar.root, this.help);
    host.replaceChildren(this.root);
    this.refreshPanels = throttled(60, () => this.right.refresh());
    this.stopKeys = listenToKeys(this.shortcuts());
    space.runChanged.on(() => this.describe());
  }

  close(): void {
    this.stopKeys();
    this.root.remove();
  }

  setPanes(panes: HTMLElement[]): void {
    this.views.replaceChildren(...panes);
    this.views.classList.toggle("two", panes.length > 1);
  }

  refreshBar(): void {
    this.bar.refresh();
  }

  showBody(): void {
    if (this.right.current !== "Body") this.right.show("Body");
  }

  showPairs(): void {
    if (this.right.current !== "Pairs") this.right.show("Pairs");
  }

  setConnection(attempt: number): void {
    this.connection.hidden = attempt === 0;
    setText(this.connection, attempt === 0 ? "" : `connection lost, trying again (${attempt})`);
    if (attempt === 0) this.bar.refresh();
  }

  private describe(): void {
    const { run, link } = this.space;
    const name = run.meta.title || run.meta.name;
    setText(this.title, name);
    document.title = `${name} · Carom`;
    setText(this.about, run.meta.description);
    this.about.title = run.meta.description;
    setText(this.kind, run.meta.kind);
    this.kind.className = `badge ${run.meta.kind}`;
    this.left.setEnabled("Live", run.isLive);
    this.split.hidden = !run.isLive;
    setPressed(this.split, link.split !== null);
    this.left.refresh();
    this.right.refresh();
    this.bar.refresh();
  }

  private header(): HTMLElement {
    const home = el("a", { class: "brand", text: "Carom", title: "all scenes" });
    home.href = "#/";
    this.connection.hidden = true;
    this.connection.setAttribute("role", "status");
    return el("header", { class: "top" }, home, this.title, this.kind, this.about, el("span", { class: "gap" }), this.connection, this.split,
      button("Copy link", "copy a link to this scene, time, camera and selection", () => this.copyLink()),
      button("PNG", "save the view as a picture", () => this.savePicture()),
      button("◐", "dark or light", toggleTheme, "icon"), button("?", "keyboard shortcuts (?)", () => this.help.showModal(), "icon"));
  }

  private copyLink(): void {
    const address = shareable(writeLink(this.space.link));
    const told = (): void => toast("copy this link", address);
    // Browsers lend the clipboard to pages of this machine and to encrypted ones only.
    if (!navigator.clipboard) return told();
    navigator.clipboard.writeText(address).then(() => toast("link copied"), told);
  }

  private savePicture(): void {
    this.space.panes.forEach((pane, index) => {
      const { run, stage } = pane;
      const name = fileName(run.meta.name, `${run.pose.time.toFixed(4)}s${index > 0 ? "-B" : ""}`);
      stage.snapshot((canvas) => downloadCanvas(`${name}.png`, canvas));
    });
  }

  private shortcuts(): Record<string, () => void> {
    const { space } = this;
    const act = (action: () => Promise<void>) => (): void => void action().catch(complain);
    const flip = (name: keyof Workspace["options"]) => (): void => space.setOption(name, !space.options[name]);
    const event = (step: 1 | -1) => act(() => space.player.stepEvent(step));
    const faster = (): void => space.player.setSpeed(space.player.speed * 10 ** 0.25);
    const slower = (): void => space.player.setSpeed(space.player.speed / 10 ** 0.25);
    return {
      space: act(() => space.player.toggle()),
      arrowleft: act(() => space.player.stepFrame(-1)), arrowright: act(() => space.player.stepFrame(1)),
      "shift+arrowleft": event(-1), "shift+arrowright": event(1), ",": event(-1), ".": event(1),
      "+": faster, "=": faster, "-": slower,
      r: () => this.bar.toggleReverse(), o: () => this.bar.toggleLoop(), l: () => space.player.goLive(),
      home: () => space.home(), f: () => space.follow(), p: () => space.togglePush(), h: () => space.toggleGrab(), escape: () => space.escape(),
      t: flip("trails"), v: flip("velocity"), c: flip("contacts"), n: flip("near"), j: flip("joints"), s: flip("sensors"), w: flip("wireframe"), g: flip("ghost"),
      "/": () => {
        this.left.show("Bodies");
        this.bodies.focusSearch();
      },
      "?": () => this.help.showModal(),
    };
  }
}
