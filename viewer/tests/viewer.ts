// What all tests of the page share: a server of their own, the page's handle, and pictures to look at.

import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test as base, type ConsoleMessage, type Page } from "@playwright/test";
import type { TestHandle } from "../src/testhandle";

declare global {
  interface Window {
    carom: TestHandle;
  }
}

const CAROM = process.env.CAROM ?? join(import.meta.dirname, "../../target/debug/carom");
const PICTURES = join(import.meta.dirname, "../../target/viewer/pictures");
/** How long a server may take to print its address [ms]. */
const START_MS = 20_000;

/** Runs the command to its end and returns what it printed. */
export function carom(...words: string[]): string {
  return execFileSync(CAROM, words, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
}

export class Server {
  private constructor(
    private readonly child: ChildProcess,
    readonly address: string,
  ) {}

  static async start(...words: string[]): Promise<Server> {
    const child = spawn(CAROM, ["view", "--no-open", ...words], { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    const address = await new Promise<string>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`no address: ${said}`)), START_MS);
      const hear = (text: Buffer): void => {
        said += String(text);
        const found = /http:\/\/\S+/.exec(said);
        if (found) {
          clearTimeout(late);
          resolve(found[0]);
        }
      };
      child.stdout!.on("data", hear);
      child.stderr!.on("data", hear);
      child.on("exit", (status) => reject(new Error(`carom view ended with ${status}: ${said}`)));
    });
    return new Server(child, address);
  }

  get origin(): string {
    return new URL(this.address).origin;
  }

  get token(): string {
    return new URL(this.address).searchParams.get("token")!;
  }

  /** The address of a scene, by its place in the page. */
  at(hash: string): string {
    return `${this.address}${hash}`;
  }

  async json<T>(path: string): Promise<T> {
    const answer = await fetch(this.origin + path, { headers: { Authorization: `Bearer ${this.token}` } });
    expect(answer.status, path).toBe(200);
    return (await answer.json()) as T;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.removeAllListeners("exit");
    this.child.once("exit", () => undefined);
    this.child.kill("SIGKILL");
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 1000))]);
  }
}

interface Own {
  /** Starts a server that ends with the test. */
  serve: (...words: string[]) => Promise<Server>;
  /** A folder that goes with the test. */
  folder: string;
  /** Everything that the console was told and should not have been. */
  complaints: string[];
}

export const test = base.extend<Own>({
  serve: async ({}, use) => {
    const servers: Server[] = [];
    await use(async (...words) => {
      const server = await Server.start(...words);
      servers.push(server);
      return server;
    });
    for (const server of servers) await server.stop();
  },
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), "carom-page-"));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
  complaints: async ({ page }, use) => {
    const complaints: string[] = [];
    page.on("console", (message: ConsoleMessage) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    await use(complaints);
    // Software drawing is remarked on by the browser itself.
    expect(complaints.filter((text) => !/GL Driver Message|swiftshader|software WebGL|GPU stall/i.test(text))).toEqual([]);
  },
});

export { expect };

/** Resolves when the page has drawn a run. */
export async function drawn(page: Page): Promise<void> {
  await page.waitForFunction(() => window.carom?.ready, undefined, { timeout: 60_000 });
}

export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await drawn(page);
}

export function time(page: Page): Promise<number> {
  return page.evaluate(() => window.carom.time);
}

export async function seek(page: Page, to: number): Promise<void> {
  await page.evaluate((to) => window.carom.seek(to), to);
}

export async function place(page: Page, name: string, view = 0): Promise<[number, number, number]> {
  const found = await page.evaluate(([name, view]) => window.carom.drawn(name as string, view as number), [name, view] as const);
  expect(found, `${name} is drawn`).not.toBeNull();
  return found!.position as [number, number, number];
}

/** How high a body is drawn; none while it is not. */
export async function height(page: Page, name: string, view = 0): Promise<number | undefined> {
  return page.evaluate(([name, view]) => window.carom.drawn(name as string, view as number)?.position[2], [name, view] as const);
}

/** A picture of the page, kept to be looked at. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

/** Share of the pixels of a view that differ from its most common colour, which is the background. */
export async function filled(page: Page, view = 0): Promise<number> {
  const shot = await page.locator("canvas.scene").nth(view).screenshot();
  return page.evaluate(async (png) => {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const pen = new OffscreenCanvas(image.width, image.height).getContext("2d")!;
    pen.drawImage(image, 0, 0);
    const colors = new Uint32Array(pen.getImageData(0, 0, image.width, image.height).data.buffer);
    const counts = new Map<number, number>();
    for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
    const background = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
    const part = (color: number, shift: number): number => (color >>> shift) & 255;
    const differs = (color: number): boolean => [0, 8, 16].some((shift) => Math.abs(part(color, shift) - part(background, shift)) > 10);
    return colors.reduce((sum, color) => sum + (differs(color) ? 1 : 0), 0) / colors.length;
  }, shot.toString("base64"));
}

/** Where a body is in the window [px]. */
export async function onScreen(page: Page, name: string, view = 0): Promise<{ x: number; y: number }> {
  const found = await page.evaluate(([name, view]) => window.carom.onScreen(name as string, view as number), [name, view] as const);
  expect(found, `${name} is in the view`).not.toBeNull();
  return found!;
}
