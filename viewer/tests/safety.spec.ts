// Who has no business here is kept out.

import { request } from "node:http";
import { expect, picture, test } from "./viewer";

/** The status of an answer to a request as a stranger makes it; browsers and fetch would not let these headers through. */
function status(origin: string, path: string, headers: Record<string, string>): Promise<number> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on("error", reject);
    asked.end();
  });
}

test("a wrong token shows how to come in, and nothing else", async ({ page, serve }) => {
  const server = await serve("coins");
  await page.goto(`${server.origin}/?token=wrong`);
  await expect(page.getByRole("alert")).toContainText("open the address that it printed");
  await expect(page.locator("canvas")).toHaveCount(0);
  await picture(page, "stranger");
});

test("other origins, other names, other paths and missing tokens are refused", async ({ serve }) => {
  const { origin, token } = await serve("coins");
  const bearer = { Authorization: `Bearer ${token}` };
  expect(await status(origin, "/api/scenes", bearer)).toBe(200);
  expect(await status(origin, "/api/scenes", {})).toBe(401);
  expect(await status(origin, "/api/scenes", { ...bearer, Origin: "http://elsewhere.example" })).toBe(403);
  expect(await status(origin, "/api/scenes", { ...bearer, Host: "elsewhere.example" })).toBe(403);
  for (const path of ["/../Cargo.toml", "/%2e%2e/%2e%2e/Cargo.toml", "/assets/../../Cargo.toml", "/api/scenes/..%2f..%2fCargo/picture"]) {
    expect(await status(origin, path, bearer), path).toBe(404);
  }
  const upgrade = { Upgrade: "websocket", Connection: "Upgrade", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13" };
  expect(await status(origin, "/api/runs/r1/live", upgrade)).toBe(401);
  expect(await status(origin, `/api/runs/r1/live?token=${token}`, { ...upgrade, Origin: "http://elsewhere.example" })).toBe(403);
});

test("a page from elsewhere cannot reach in", async ({ page, serve }) => {
  const server = await serve("coins");
  const other = await serve("coins");
  await page.goto(other.address);
  const seen = await page.evaluate(async ([origin, token]) => {
    const socket = await new Promise<string>((resolve) => {
      const made = new WebSocket(`${origin!.replace("http", "ws")}/api/runs/r1/live?token=${token}`);
      made.onopen = () => resolve("open");
      made.onerror = () => resolve("refused");
    });
    const asked = await fetch(`${origin}/api/scenes?token=${token}`).then((it) => String(it.status), () => "refused");
    return [socket, asked];
  }, [server.origin, server.token]);
  expect(seen).toEqual(["refused", "refused"]);
});
