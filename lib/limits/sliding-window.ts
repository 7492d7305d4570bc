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

  /** When the request was counted that has `place` others of the window before it. */
  #momentAt(place: number): number {
    return this.#moments[(this.#first + place) % this.#moments.length] ?? 0;
  }

  #forget(now: number): void {
    const edge = now - this.#windowMs;
    while (this.#count > 0 && this.#momentAt(0) <= edge) {
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
      for (let place = 0; place < this.#count; place++) larger[place] = this.#momentAt(place);
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
    return this.#momentAt(this.#count - limit) + this.#windowMs - now;
  }

  /** Milliseconds from `now` until the oldest request leaves the window; 0 when it is empty. */
  untilOldestLeaves(now: number): number {
    return this.count(now) === 0 ? 0 : this.#momentAt(0) + this.#windowMs - now;
  }
}
