/** Tells in the log every few seconds how far the upgrade is, and how long it will take. */
import { log } from "../../process/log";

const TELL_MS = 5000;

export class Progress {
  readonly #startedAt = performance.now();
  #toldAt = this.#startedAt;
  #done = 0;

  /** `before`: what was done by a process that was stopped. */
  constructor(
    private readonly what: string,
    private readonly total: number,
    private readonly before = 0,
  ) {}

  add(done: number): void {
    this.#done += done;
    const now = performance.now();
    if (now - this.#toldAt < TELL_MS) return;
    this.#toldAt = now;
    const seconds = (now - this.#startedAt) / 1000;
    const rate = this.#done / seconds;
    const all = this.before + this.#done;
    const left = Math.max(this.total - all, 0) / rate;
    const how = `${Math.round(rate)} a second, about ${Math.ceil(left / 60)} min left`;
    log.info(`upgrade: ${this.what} ${all} of ${this.total} requests, ${how}`);
  }

  end(): void {
    const seconds = (performance.now() - this.#startedAt) / 1000;
    log.info(`upgrade: ${this.what} ${this.#done} requests in ${seconds.toFixed(1)} s`);
  }
}
