/** What an import found, took over, had taken over before, and left, with the reasons. */
import type { Micropoints } from "../money/points";

export const kinds = [
  "models",
  "channels",
  "groups",
  "users",
  "subscriptions",
  "keys",
  "vouchers",
  "logs",
] as const;
export type Kind = (typeof kinds)[number];

/** Of one reason; more are only counted. */
const EXAMPLES_MAX = 1000;

export interface Counts {
  found: number;
  taken: number;
  /** Taken over by an earlier run. */
  known: number;
  left: number;
  /** Of what is taken: balances, what is left of subscriptions, what vouchers are worth, what the log charged. */
  quota: bigint;
  points: Micropoints;
}

export interface Remark {
  readonly kind: Kind;
  /** What is not taken over, or differs, and why. */
  readonly reason: string;
  count: number;
  /** As the source names them. */
  readonly examples: string[];
}

const none = (): Counts => ({ found: 0, taken: 0, known: 0, left: 0, quota: 0n, points: 0n });

export class ImportReport {
  readonly counts: Readonly<Record<Kind, Counts>> = {
    models: none(),
    channels: none(),
    groups: none(),
    users: none(),
    subscriptions: none(),
    keys: none(),
    vouchers: none(),
    logs: none(),
  };
  readonly #remarks = new Map<string, Remark>();
  readonly #progress: (line: string) => void;

  constructor(progress: (line: string) => void = () => {}) {
    this.#progress = progress;
  }

  get remarks(): readonly Remark[] {
    return [...this.#remarks.values()];
  }

  /** Says something of what is taken over all the same. */
  remark(kind: Kind, what: string, reason: string): void {
    const key = `${kind} ${reason}`;
    const remark = this.#remarks.get(key) ?? { kind, reason, count: 0, examples: [] };
    remark.count++;
    if (remark.examples.length < EXAMPLES_MAX) remark.examples.push(what);
    this.#remarks.set(key, remark);
  }

  /** Says why something is not taken over. */
  leave(kind: Kind, what: string, reason: string): void {
    this.counts[kind].left++;
    this.remark(kind, what, reason);
  }

  took(kind: Kind, amounts: { quota?: bigint; points?: Micropoints; count?: number } = {}): void {
    const counts = this.counts[kind];
    counts.taken += amounts.count ?? 1;
    counts.quota += amounts.quota ?? 0n;
    counts.points += amounts.points ?? 0n;
  }

  progress(kind: Kind): void {
    const { found, taken, left } = this.counts[kind];
    this.#progress(`${kind}: ${found} read, ${taken} taken over, ${left} left`);
  }
}
