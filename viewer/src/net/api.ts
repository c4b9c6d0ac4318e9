// Requests to the server. The token comes with the page's address, is kept for pages of this server only and taken out
// of the visible address, so that nobody passes it on by copying that.

import type { Problem } from "./types";

const TOKEN_KEY = "carom.token";

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly hint: string | null,
    readonly problems: Problem[],
    readonly text: string,
  ) {
    super(message);
  }
}

let token = "";

export function takeToken(): void {
  const address = new URL(location.href);
  const given = address.searchParams.get("token");
  if (given !== null) {
    sessionStorage.setItem(TOKEN_KEY, given);
    // Another tab of the same server finds it here.
    localStorage.setItem(TOKEN_KEY, given);
    address.searchParams.delete("token");
    history.replaceState(null, "", address);
  }
  token = sessionStorage.getItem(TOKEN_KEY) ?? localStorage.getItem(TOKEN_KEY) ?? "";
}

/** The address for an image, a download or a socket, which cannot carry a header. */
export function withToken(path: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}token=${encodeURIComponent(token)}`;
}

/** The page's own address with the token, for "copy link". */
export function shareable(hash: string): string {
  return `${location.origin}${location.pathname}?token=${encodeURIComponent(token)}${hash}`;
}

async function refusal(answer: Response): Promise<ApiError> {
  let said: { error?: string; hint?: string | null; problems?: Problem[]; text?: string } = {};
  try {
    said = await answer.json();
  } catch {
    // An answer that is no JSON has nothing more to tell than its status.
  }
  const what = said.error ?? `the server answered ${answer.status}`;
  return new ApiError(answer.status, what, said.hint ?? null, said.problems ?? [], said.text ?? "");
}

/** Ends what is still asked of a run when the run itself is ended; one that was ended is asked no more. */
const runs = new Map<string, AbortController>();

function signalOf(path: string): AbortSignal | undefined {
  const run = /^\/api\/runs\/([^/?]+)/.exec(path)?.[1];
  if (run === undefined) return undefined;
  let control = runs.get(run);
  if (!control) runs.set(run, (control = new AbortController()));
  return control.signal;
}

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const signal = init.method === "DELETE" ? undefined : signalOf(path);
  let answer: Response;
  try {
    answer = await fetch(path, { ...init, signal, headers: { ...init.headers, Authorization: `Bearer ${token}` } });
  } catch {
    if (signal?.aborted) throw new ApiError(404, "the run was ended", null, [], "");
    throw new ApiError(0, "the server cannot be reached", null, [], "");
  }
  if (!answer.ok) throw await refusal(answer);
  return answer;
}

// JSON has no infinities; the server writes them as words.
const WORDS: Record<string, number> = { inf: Infinity, "-inf": -Infinity, nan: NaN };

function revive(key: string, value: unknown): unknown {
  const isNamed = key === "name" || key === "title" || key === "text" || key === "message" || key === "what";
  return typeof value === "string" && !isNamed && value in WORDS ? WORDS[value] : value;
}

/** Reads an answer; where the run was ended meanwhile, that is the error. */
async function read<T>(path: string, init: RequestInit, take: (answer: Response) => Promise<T>): Promise<T> {
  const answer = await request(path, init);
  try {
    return await take(answer);
  } catch (error) {
    if (signalOf(path)?.aborted) throw new ApiError(404, "the run was ended", null, [], "");
    throw error;
  }
}

export async function getJson<T>(path: string): Promise<T> {
  return JSON.parse(await read(path, {}, (answer) => answer.text()), revive) as T;
}

export async function getBytes(path: string): Promise<ArrayBuffer> {
  // A server that was started anew gives old names to new runs: what the browser kept would be another run's.
  return read(path, { cache: "no-store" }, (answer) => answer.arrayBuffer());
}

export async function postJson<T>(path: string, body: unknown): Promise<T> {
  const init = { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  return JSON.parse(await (await request(path, init)).text(), revive) as T;
}

/** Ends a run; that it is gone already is no news to anybody. */
export function endRun(run: string): void {
  const path = `/api/runs/${encodeURIComponent(run)}`;
  signalOf(path);
  runs.get(encodeURIComponent(run))?.abort();
  request(path, { method: "DELETE", keepalive: true }).catch(() => undefined);
}
