/** Random events of one account with lots, each a transaction of the ledger and a step of the reference. */
import type pg from "pg";
import { newOperationId } from "@/lib/crypto/ids";
import { creditLot, expireLots } from "@/lib/ledger/core/lots";
import { holdRow, settleRow } from "@/lib/ledger/core/rows";
import type { Random } from "@/testing/extent/random";
import { holdOf, type SeededAccount, settleOf } from "../test-ledger";
import { type LotReference, NOW } from "./reference";

/** An answer in one word, given by the ledger within the transaction, and by the reference. */
export interface Event {
  ask(client: pg.ClientBase): Promise<string>;
  expect(reference: LotReference): string;
}

/** Of a place in the order of ends, as a time. */
const timeOf = (place: number): Date =>
  new Date(Date.UTC(place < NOW ? 2020 : 2100, 0, 1) + (place % NOW) * 60_000);

const parameters = (count: number) => Array.from({ length: count }, (_, n) => `$${n + 1}`).join();
async function answerOf(
  client: pg.ClientBase,
  name: string,
  values: readonly unknown[],
): Promise<string> {
  const { rows } = await client.query<{ answer: string }>(
    `select ${name}(${parameters(values.length)}) as answer`,
    [...values],
  );
  const answer = rows[0]?.answer ?? "";
  const words = new Map([
    ["i", "insufficient"],
    ["x", "exceeds"],
    ["n", "exceeds"],
    ["s", "ended"],
    ["r", "ended"],
    ["a", "ended"],
  ]);
  return words.get(answer.slice(0, 1)) ?? "done";
}

/** Chooses events of one account. Several connections share it. */
export class Events {
  readonly #account: SeededAccount;
  readonly #random: Random;
  readonly #node: string;
  /** Holds that were asked for, whether or not they were granted. */
  readonly #asked: { readonly id: string; readonly amount: bigint }[] = [];
  #refs = 0;

  constructor(account: SeededAccount, random: Random, node: string) {
    this.#account = account;
    this.#random = random;
    this.#node = node;
  }

  next(): Event {
    const weights = [
      [() => this.#hold(), 8],
      [() => this.#end(), 8],
      [() => this.#give(), 3],
      [() => this.#credit("topup"), 1],
      [() => this.#credit("adjust_down"), 1],
      [() => this.#refund(), 1],
      [() => this.#expire(), 3],
      [() => this.#renew(), 2],
    ] as const;
    return this.#random.pick<() => Event>(weights)();
  }

  #amount = (max: number) => BigInt(this.#random.between(1, max));
  #source = () => (this.#random.next() < 0.5 ? "acp_a" : "acp_b");
  #end_ = (isOver: boolean) => this.#random.between(0, 5) + (isOver ? 0 : 2 * NOW);
  #ref = () => `${this.#account.accountId}:${++this.#refs}`;

  #giving(source: string, amount: bigint, end: number) {
    const ref = `${source}:${this.#ref()}`;
    const { accountId } = this.#account;
    const lot = { accountId, kind: "plan", ref, amount, reason: "test", actor: "system" } as const;
    return (client: pg.ClientBase) => creditLot(client, { ...lot, endsAt: timeOf(end) });
  }

  #give(): Event {
    const [source, amount] = [this.#source(), this.#amount(60)];
    const end = this.#end_(this.#random.next() < 0.3);
    const give = this.#giving(source, amount, end);
    return {
      ask: async (client) => ((await give(client)) ? "done" : "already"),
      expect: (reference) => reference.give(source, amount, end),
    };
  }

  #credit(kind: "topup" | "adjust_down"): Event {
    const [ref, amount] = [this.#ref(), this.#amount(40)];
    const values = [this.#account.accountId, kind, ref, amount, "test", "system"];
    return {
      ask: (client) => answerOf(client, "ledger_credit", values),
      expect: (reference) => (kind === "topup" ? reference.credit(amount) : reference.take(amount)),
    };
  }

  #hold(): Event {
    const amount = this.#amount(30);
    const id = newOperationId();
    const row = holdRow(holdOf(this.#account, amount, { operationId: id }));
    this.#asked.push({ id, amount });
    return {
      ask: (client) => answerOf(client, "ledger_hold_one", [this.#node, ...row]),
      expect: (reference) => reference.hold(id, amount),
    };
  }

  #known = () => this.#asked[this.#random.between(0, this.#asked.length - 1)];

  #end(): Event {
    const hold = this.#known();
    if (hold === undefined) return this.#hold();
    const amount = BigInt(this.#random.between(0, Number(hold.amount)));
    const order = holdOf(this.#account, hold.amount, { operationId: hold.id });
    return {
      ask: (client) => answerOf(client, "ledger_end_one", settleRow(settleOf(order, amount))),
      expect: (reference) => reference.end(hold.id, amount),
    };
  }

  #refund(): Event {
    const hold = this.#known();
    if (hold === undefined) return this.#hold();
    const amount = this.#amount(8);
    const values = [hold.id, this.#ref(), amount, "test", "system"];
    return {
      ask: (client) => answerOf(client, "ledger_refund", values),
      expect: (reference) => reference.refund(hold.id, amount),
    };
  }

  #expire(): Event {
    const { accountId } = this.#account;
    return {
      ask: async (client) => String(await expireLots(client, accountId, timeOf(NOW))),
      expect: (reference) => reference.expire(null, 0n, null),
    };
  }

  /** What a plan does at the end of a period, when it changes and when it is cancelled. */
  #renew(): Event {
    const { accountId } = this.#account;
    const [source, amount, end] = [this.#source(), this.#amount(60), this.#end_(false)];
    const share = this.#random.pick([
      [0, 2],
      [1_000_000, 1],
      [this.#random.between(1, 999_999), 2],
    ]);
    const isCarried = share > 0;
    const give = this.#random.next() < 0.8 ? this.#giving(source, amount, end) : null;
    const carriedTo = isCarried ? timeOf(end) : null;
    return {
      async ask(client) {
        const taken = await expireLots(client, accountId, { source, share, carriedTo });
        if (give) await give(client);
        return String(taken);
      },
      expect(reference) {
        const taken = reference.expire(source, BigInt(share), isCarried ? end : null);
        if (give) reference.give(source, amount, end);
        return taken;
      },
    };
  }
}
