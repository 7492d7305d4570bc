/** Charges the memory of a body while it arrives, in steps, so that not every part has to ask. */
import type { BodyShare } from "../limits/body-memory";

const CHARGE_BYTES = 256 * 1024;

export class BodyCharge {
  #received = 0;
  #charged = 0;

  /** `weight`: how many bytes of memory a byte of the body takes. */
  constructor(
    readonly share: BodyShare,
    readonly weight: number,
  ) {}

  /** Charges `bytes` more; a promise when there is no room yet. */
  add(bytes: number): Promise<void> | undefined {
    this.#received += bytes;
    if (this.#received <= this.#charged) return undefined;
    const step = Math.ceil((this.#received - this.#charged) / CHARGE_BYTES) * CHARGE_BYTES;
    this.#charged += step;
    return this.share.charge(step * this.weight);
  }

  /** The body is complete and will not grow; it takes `further` bytes of memory more. */
  complete(further = 0): void {
    this.share.complete(this.#received * this.weight + further);
  }
}
