/** What an account with lots has, in plain memory: every point that is spent leaves its lot at once. */

export interface Lot {
  readonly source: string;
  readonly number: number;
  left: bigint;
  /** A place in the order of ends. */
  end: number;
}

/** Ends before this have passed, later ones have not; what ends now comes between. */
export const NOW = 1_000_000;

const least = (one: bigint, other: bigint) => (one < other ? one : other);
const inOrder = (one: Lot, other: Lot) => one.end - other.end || one.number - other.number;

export class LotReference {
  readonly lots: Lot[] = [];
  readonly expiries: string[] = [];
  readonly holds = new Map<string, bigint>();
  readonly #refunded = new Map<string, bigint>();
  credits = 0n;
  debits = 0n;
  #calls = 0;

  get pending(): bigint {
    return [...this.holds.values()].reduce((sum, hold) => sum + hold, 0n);
  }
  get available(): bigint {
    return this.credits - this.debits - this.pending;
  }
  get #used(): Lot[] {
    return this.lots.filter(({ left }) => left > 0n).sort(inOrder);
  }

  credit(amount: bigint): string {
    this.credits += amount;
    return "done";
  }

  take(amount: bigint): string {
    if (this.available < amount) return "insufficient";
    this.#spend(amount);
    return "done";
  }

  give(source: string, amount: bigint, end: number): string {
    this.credits += amount;
    this.lots.push({ source, number: this.lots.length, left: amount, end });
    return "done";
  }

  hold(id: string, amount: bigint): string {
    if (this.available < amount) return "insufficient";
    this.holds.set(id, amount);
    return "done";
  }

  end(id: string, amount: bigint): string {
    if (!this.holds.delete(id)) return "ended";
    this.#spend(amount);
    this.#refunded.set(id, amount);
    return "done";
  }

  refund(id: string, amount: bigint): string {
    const left = this.#refunded.get(id) ?? 0n;
    if (amount > left) return "exceeds";
    this.#refunded.set(id, left - amount);
    this.credits += amount;
    return "done";
  }

  #spend(amount: bigint): void {
    this.debits += amount;
    let left = amount;
    for (const lot of this.#used) {
      const taken = least(left, lot.left);
      lot.left -= taken;
      left -= taken;
    }
  }

  /** Points of what has ended; with a source, of its lots, of which a share goes on until `end`. */
  expire(source: string | null, share: bigint, end: number | null): string {
    const now = NOW + ++this.#calls;
    let pending = this.pending;
    let total = 0n;
    for (const lot of this.#used) {
      const held = least(pending, lot.left);
      pending -= held;
      if (source === null ? lot.end > now : lot.source !== source) continue;
      const free = lot.left - held;
      const taken = free - (free * share) / 1_000_000n;
      lot.left -= taken;
      lot.end = end ?? Math.min(lot.end, now);
      if (taken === 0n) continue;
      total += taken;
      this.expiries.push(`${lot.number} ${taken}`);
    }
    this.debits += total;
    return String(total);
  }

  /** Each lot with something left: what is left and what of it is held, in the order of use. */
  left(): string[] {
    let pending = this.pending;
    return this.#used.map(({ number, left }) => {
      const held = least(pending, left);
      pending -= held;
      return `${number} ${left} ${held}`;
    });
  }
}
