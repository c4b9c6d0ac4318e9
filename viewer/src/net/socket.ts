// The live socket of one run: it comes back by itself, and every action gets an answer or an error.

import { ApiError, getJson, withToken } from "./api";
import type { RunMeta, Say } from "./types";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5000;
/** An action that gets no answer in this time is given up. */
const ANSWER_MS = 120_000;

export interface SocketEvents {
  onBlock(bytes: ArrayBuffer): void;
  onSay(said: Say): void;
  /** `attempt` is 0 when the socket is open. */
  onConnection(attempt: number): void;
  /** The server is there, but it knows the run or the token no more. */
  onGone(status: number): void;
}

export class RunSocket {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private timer = 0;
  private isClosed = false;
  private nextId = 1;
  private waiting = new Map<number, { resolve: () => void; reject: (error: Error) => void; timer: number }>();

  constructor(
    private readonly run: string,
    private readonly events: SocketEvents,
  ) {
    this.open();
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Sends an action and waits for the server's answer to it. */
  send(action: string, values: Record<string, unknown> = {}): Promise<void> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const { socket } = this;
      const isOpening = socket?.readyState === WebSocket.CONNECTING;
      if (!socket || (socket.readyState !== WebSocket.OPEN && !isOpening)) {
        reject(new ApiError(0, "the server cannot be reached", null, [], ""));
        return;
      }
      const timer = window.setTimeout(() => this.answer(id, new Error(`no answer to ${action}`)), ANSWER_MS);
      this.waiting.set(id, { resolve, reject, timer });
      const text = JSON.stringify({ do: action, id, ...values });
      // Who is quicker than the connection is heard all the same.
      if (isOpening) socket.addEventListener("open", () => socket.send(text), { once: true });
      else socket.send(text);
    });
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.socket?.close();
    this.dropWaiting();
  }

  private open(): void {
    const address = new URL(withToken(`/api/runs/${encodeURIComponent(this.run)}/live`), location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.attempt = 0;
      this.events.onConnection(0);
    };
    socket.onmessage = (message) => this.receive(message.data);
    socket.onclose = () => this.retryLater();
    this.socket = socket;
  }

  private receive(data: unknown): void {
    if (this.isClosed) return;
    if (data instanceof ArrayBuffer) {
      this.events.onBlock(data);
      return;
    }
    const said = JSON.parse(String(data)) as Say;
    if (said.say === "done") this.answer(said.id, null);
    else if (said.say === "error" && said.id !== null && this.waiting.has(said.id)) {
      this.answer(said.id, new ApiError(400, said.error, said.hint, [], ""));
    } else this.events.onSay(said);
  }

  private answer(id: number, error: Error | null): void {
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    this.waiting.delete(id);
    clearTimeout(waiting.timer);
    if (error) waiting.reject(error);
    else waiting.resolve();
  }

  private dropWaiting(): void {
    for (const id of [...this.waiting.keys()]) this.answer(id, new ApiError(0, "the connection was lost", null, [], ""));
  }

  private retryLater(): void {
    if (this.isClosed) return;
    this.dropWaiting();
    const wait = Math.min(FIRST_WAIT_MS * 2 ** this.attempt, LONGEST_WAIT_MS);
    this.attempt += 1;
    this.events.onConnection(this.attempt);
    this.timer = window.setTimeout(() => void this.retry(), wait);
  }

  // Asking over HTTP first tells a server that is down from one that has forgotten the run.
  private async retry(): Promise<void> {
    try {
      await getJson<RunMeta>(`/api/runs/${encodeURIComponent(this.run)}`);
    } catch (error) {
      if (this.isClosed) return;
      const status = error instanceof ApiError ? error.status : 0;
      if (status === 404 || status === 401) this.events.onGone(status);
      else this.retryLater();
      return;
    }
    if (!this.isClosed) this.open();
  }
}
