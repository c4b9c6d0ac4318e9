// Asks for what a panel shows: one request at a time, the latest wish wins, and not too often.

import { ApiError } from "../net/api";
import { complain } from "./toast";

export class Fetcher {
  private isBusy = false;
  private next: (() => Promise<void>) | null = null;
  private last = -Infinity;
  private timer = 0;

  /** `wait` is the shortest time between two requests [ms]. */
  constructor(private readonly wait: number) {}

  want(ask: () => Promise<void>): void {
    this.next = ask;
    this.go();
  }

  private go(): void {
    if (this.isBusy || this.timer !== 0 || !this.next) return;
    const rest = this.last + this.wait - performance.now();
    if (rest > 0) {
      this.timer = window.setTimeout(() => {
        this.timer = 0;
        this.go();
      }, rest);
      return;
    }
    const ask = this.next;
    this.next = null;
    this.isBusy = true;
    this.last = performance.now();
    ask()
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        this.isBusy = false;
        this.go();
      });
  }

  // A server that is away, or a run that has just been replaced, is told of elsewhere.
  private fail(error: unknown): void {
    const status = error instanceof ApiError ? error.status : -1;
    if (status !== 0 && status !== 404 && status !== 401) complain(error);
  }
}
