/**
 * Exact sliding windows: the times of admitted requests, in a ring buffer that grows up to the
 * limit.
 */

const FIRST_CAPACITY = 16;

export class SlidingWindow {
  #moments = new Float64Array(FIRST_CAPACITY);
  #first = 0;
  #count = 0;
  readonly #windowMs: number;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  #forget(now: number): void {
    const edge = now - this.#windowMs;
    while (this.#count > 0 && (this.#moments[this.#first] as number) <= edge) {
      this.#first = (this.#first + 1) % this.#moments.length;
      this.#count--;
    }
  }

  /**
   * The number of requests in the window that ends at `now` (milliseconds of a monotonic clock).
   */
  count(now: number): number {
    this.#forget(now);
    return this.#count;
  }

  /** Counts one request at `now`. The caller has checked the limit. */
  add(now: number): void {
    if (this.#count === this.#moments.length) {
      const larger = new Float64Array(this.#moments.length * 2);
      for (let index = 0; index < this.#count; index++)
        larger[index] = this.#moments[(this.#first + index) % this.#moments.length] as number;
      this.#moments = larger;
      this.#first = 0;
    }
    this.#moments[(this.#first + this.#count) % this.#moments.length] = now;
    this.#count++;
  }

  /** Uncounts the newest request. */
  removeNewest(): void {
    if (this.#count > 0) this.#count--;
  }

  /**
   * Milliseconds from `now` until fewer than `limit` requests are in the window; 0 when that is
   * already so.
   */
  untilBelow(limit: number, now: number): number {
    if (this.count(now) < limit) return 0;
    const index = (this.#first + this.#count - limit) % this.#moments.length;
    return (this.#moments[index] as number) + this.#windowMs - now;
  }

  /** Milliseconds from `now` until the oldest request leaves the window; 0 when it is empty. */
  untilOldestLeaves(now: number): number {
    return this.count(now) === 0 ? 0 : (this.#moments[this.#first] as number) + this.#windowMs - now;
  }
}
