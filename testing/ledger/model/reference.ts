/**
 * The ledger as it is meant, in plain memory: requests come one after the other, and nothing is
 * lost, repeated or at once.
 */
import type { KeyLimitKind } from "@/lib/ledger/core/key-limits";

export type LimitKind = KeyLimitKind | "lifetime";

export interface Limit {
  readonly kind: LimitKind;
  budget: bigint;
  spent: bigint;
  held: bigint;
  /** A window counts what is opened from then on. */
  readonly since: number;
}

export type Limits = Map<LimitKind, Limit>;

export interface Key {
  readonly id: string;
  readonly maker: string;
  readonly limits: Limits;
}

export interface Account {
  readonly id: string;
  readonly keys: readonly Key[];
  /** By user. */
  readonly members: ReadonlyMap<string, Limits>;
  isActive: boolean;
  credits: bigint;
  debits: bigint;
  pending: bigint;
  open: number;
}

export interface Order {
  readonly id: string;
  readonly account: Account;
  readonly key: Key | null;
  /** Who ordered it, if anyone is known. */
  readonly user: string | null;
  readonly isTask: boolean;
}

export interface Known extends Order {
  readonly hold: bigint;
  readonly openedAt: number;
  end: { readonly outcome: "settled" | "released"; readonly amount: bigint } | null;
  tokens: readonly [input: number, output: number];
  refunded: bigint;
  /** What the operator lost by it, as cause and estimate. */
  readonly losses: string[];
}

export interface End {
  readonly id: string;
  readonly account: Account;
  readonly isSettle: boolean;
  readonly due: bigint;
  readonly tokens: readonly [input: number, output: number];
  readonly cause: string | null;
  readonly estimate: bigint;
}

const least = (one: bigint, other: bigint) => (one < other ? one : other);
const roomOf = ({ budget, spent, held }: Limit) => budget - spent - held;

/** The order in which limits are asked; those of the key come before those of its member. */
const kinds = ["lifetime", "month", "week", "day", "running", "tokens"] as const;
const inOrder = (limits: Limits | undefined) => kinds.flatMap((kind) => limits?.get(kind) ?? []);

interface Asked {
  readonly limit: Limit;
  readonly isMember: boolean;
}

function limitsOf({ account, key, user }: Order): Asked[] {
  const ofKey = inOrder(key?.limits).map((limit) => ({ limit, isMember: false }));
  const member = inOrder(user === null ? undefined : account.members.get(user));
  return [...ofKey, ...member.map((limit) => ({ limit, isMember: true }))];
}

const counts = ({ kind, since }: Limit, { openedAt }: Known): boolean =>
  ["lifetime", "running", "tokens"].includes(kind) || openedAt >= since;

/** Why a limit refuses, or the most that it lets through. */
function judge({ limit, isMember }: Asked, minimum: bigint, amount: bigint): object | bigint {
  const { kind, budget } = limit;
  const room = roomOf(limit);
  if (kind === "running" || kind === "tokens") {
    if (room >= 1n) return amount;
    return { result: kind === "running" ? "key_running" : "key_tokens", max: Number(budget) };
  }
  if (room >= minimum) return least(amount, room);
  return {
    result: isMember ? "member_budget_exhausted" : "key_budget_exhausted",
    remaining: room > 0n ? room : 0n,
    period: kind === "lifetime" ? null : kind,
  };
}

export class Reference {
  readonly requests = new Map<string, Known>();
  readonly #entries = new Map<string, { readonly of: string; readonly amount: bigint }>();
  #clock = 0;

  hold(order: Order, amount: bigint, minimum: bigint): object {
    const known = this.requests.get(order.id);
    if (known) return { result: "held", amount: known.hold };
    const { account } = order;
    if (!account.isActive) return { result: "account_suspended" };
    const limits = limitsOf(order);
    let granted = amount;
    for (const asked of limits) {
      const verdict = judge(asked, minimum, granted);
      if (typeof verdict === "object") return verdict;
      granted = verdict;
    }
    const available = account.credits - account.debits - account.pending;
    if (available < minimum) return { result: "insufficient", available, held: account.pending };
    granted = least(granted, available);
    account.pending += granted;
    account.open++;
    for (const { limit } of limits)
      if (limit.kind === "running") limit.held++;
      else if (limit.kind !== "tokens") limit.held += granted;
    this.requests.set(order.id, {
      ...order,
      hold: granted,
      openedAt: ++this.#clock,
      end: null,
      tokens: [0, 0],
      refunded: 0n,
      losses: [],
    });
    return { result: "held", amount: granted };
  }

  /** What a hold says about the room of its limits; nothing without one besides a lifetime's. */
  rooms(order: Order): { kind: string; left: bigint }[] | undefined {
    const limits = limitsOf(order);
    if (limits.every(({ limit }) => limit.kind === "lifetime")) return undefined;
    return limits.map(({ limit, isMember }) => ({
      kind: isMember ? `member_${limit.kind}` : limit.kind,
      left: roomOf(limit),
    }));
  }

  /** Null where the account has no such request. */
  end(end: End, isTaskEnd: boolean): object | null {
    const known = this.requests.get(end.id);
    if (known?.account !== end.account || (isTaskEnd && !known.isTask)) return null;
    if (known.end) {
      const isLate = isTaskEnd && end.isSettle && known.end.outcome === "released";
      if (isLate && !known.losses.some((loss) => loss.startsWith("late_success")))
        known.losses.push(`late_success ${end.due}`);
      return { result: "already", ...known.end };
    }
    if (known.isTask !== isTaskEnd) return null;
    return { result: "done", ...this.#close(known, end) };
  }

  #close(known: Known, { isSettle, due, tokens, cause, estimate }: End): object {
    const { account, hold, losses } = known;
    const amount = least(due, hold);
    const done = { outcome: isSettle ? "settled" : "released", amount } as const;
    known.end = done;
    if (isSettle) known.tokens = tokens;
    account.pending -= hold;
    account.debits += amount;
    account.open--;
    for (const { limit } of limitsOf(known)) {
      if (!counts(limit, known)) continue;
      if (limit.kind === "running") limit.held--;
      else if (limit.kind === "tokens") limit.spent += BigInt(known.tokens[0] + known.tokens[1]);
      else {
        limit.held -= hold;
        limit.spent += amount;
      }
    }
    if (cause !== null) losses.push(`${cause} ${estimate}`);
    if (due > amount) losses.push(`usage_over_hold ${due - amount}`);
    return done;
  }

  /** Adds points, or takes them away. */
  credit(account: Account, ref: string, takes: boolean, amount: bigint): object {
    const before = this.#entries.get(ref);
    if (before) return { result: "already", amount: before.amount };
    const available = account.credits - account.debits - account.pending;
    if (takes && available < amount) return { result: "insufficient", available };
    if (takes) account.debits += amount;
    else account.credits += amount;
    this.#entries.set(ref, { of: account.id, amount });
    return { result: "done", amount };
  }

  /** `amount` null: what is left of the charge. */
  refund(id: string, ref: string, amount: bigint | null): object {
    const known = this.requests.get(id);
    if (known?.end?.outcome !== "settled") return { result: "not_found" };
    const before = this.#entries.get(ref);
    if (before)
      return before.of === id
        ? { result: "already", amount: before.amount }
        : { result: "already_exists" };
    const left = known.end.amount - known.refunded;
    const asked = amount ?? left;
    if (asked < 1n || asked > left) return { result: "exceeds", left };
    known.refunded += asked;
    known.account.credits += asked;
    this.#entries.set(ref, { of: id, amount: asked });
    return { result: "done", amount: asked };
  }

  /** Sets a limit of a key, or of a member where there is no key; null lifts it. */
  limit(limits: Limits, kind: LimitKind, budget: bigint | null, key: Key | null): void {
    const before = limits.get(kind);
    if (budget === null) limits.delete(kind);
    else if (before) before.budget = budget;
    else {
      const own = [...this.requests.values()].filter((known) => known.key === key && key !== null);
      const open = own.filter(({ end }) => end === null);
      const isLifetime = kind === "lifetime";
      const sum = (amounts: readonly bigint[]) => amounts.reduce((one, other) => one + other, 0n);
      limits.set(kind, {
        kind,
        budget,
        since: this.#clock + 1,
        spent: isLifetime ? sum(own.map(({ end }) => end?.amount ?? 0n)) : 0n,
        held: isLifetime
          ? sum(open.map(({ hold }) => hold))
          : BigInt(kind === "running" ? open.length : 0),
      });
    }
  }
}
