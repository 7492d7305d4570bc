/** Random holds, ends and what happens between them, each asked of the ledger and of the reference. */
import type pg from "pg";
import { expect } from "vitest";
import { newOperationId } from "@/lib/crypto/ids";
import { giveAnswers } from "@/lib/ledger/core/batch-answer";
import { batchStatement } from "@/lib/ledger/core/batch-statement";
import { endItem, holdItem, type Item } from "@/lib/ledger/core/item";
import { RecentVerbs } from "@/lib/ledger/core/recent-verbs";
import { holdRow, releaseRow, settleRow } from "@/lib/ledger/core/rows";
import type { TaskOpening } from "@/lib/ledger/core/task-verbs";
import type { EndResult, HoldRequest, HoldResult } from "@/lib/ledger/core/verbs";
import type { OpenLedger } from "@/lib/ledger/ledger";
import { type Random, seeded } from "@/testing/extent/random";
import { holdOf, releaseOf, settleOf, taskOf } from "../test-ledger";
import { plainHold, told } from "./answers";
import { type Account, type End, type Known, type Order, Reference } from "./reference";
import { expectRows } from "./rows";
import { makeAccounts, setLimit } from "./world";

export interface Stage {
  readonly owner: pg.ClientBase;
  /** Sends batches as the writer's connection does. */
  readonly writer: pg.ClientBase;
  readonly ledger: OpenLedger;
  readonly priceVersionId: string;
}

interface Asked extends Order {
  readonly amount: bigint;
  readonly minimum: bigint;
}

const STEPS = 14;
const limitKinds = ["lifetime", "day", "week", "month", "running", "tokens"] as const;
const memberKinds = ["day", "week", "month"] as const;
const someOf = <T>(random: Random, list: readonly T[]): T =>
  random.pick(list.map((one) => [one, 1] as const));

class Schedule {
  readonly #stage: Stage;
  readonly #random: Random;
  readonly #accounts: readonly Account[];
  readonly #tasks = new Map<string, TaskOpening>();
  readonly reference = new Reference();

  constructor(stage: Stage, random: Random, accounts: readonly Account[]) {
    this.#stage = stage;
    this.#random = random;
    this.#accounts = accounts;
  }

  step(): Promise<void> {
    return this.#random.pick<() => Promise<void>>([
      [() => this.#batch(), 10],
      [() => this.#openTask(), 2],
      [() => this.#endTask(), 2],
      [() => this.#credit(), 1],
      [() => this.#refund(), 1.5],
      [() => this.limit(), 1],
      [() => this.#suspend(), 0.4],
      [() => this.count(), 0.4],
      [() => this.#foreign(), 0.6],
    ])();
  }

  #known(isWanted: (known: Known) => boolean = () => true): Known | undefined {
    const all = [...this.reference.requests.values()].filter(isWanted);
    const open = all.filter(({ end }) => end === null);
    const from = open.length > 0 && this.#random.next() < 0.8 ? open : all;
    return from[this.#random.between(0, from.length - 1)];
  }

  async #order(isTask: boolean): Promise<Asked> {
    const amount = BigInt(someOf(this.#random, [0, 1, 10, 40, 300]));
    const terms = { amount, minimum: amount && BigInt(this.#random.between(1, Number(amount))) };
    const again =
      this.#random.next() < 0.1 ? this.#known((one) => !isTask || one.isTask) : undefined;
    if (again) return { ...again, ...terms };
    const account = someOf(this.#random, this.#accounts);
    const key = this.#random.next() < 0.25 ? null : someOf(this.#random, account.keys);
    const someone = someOf(this.#random, [null, ...account.members.keys()]);
    const order = { id: newOperationId(), account, key, user: key ? key.maker : someone, isTask };
    if (!key && someone !== null)
      await this.#stage.owner.query(
        "insert into playground_operation (operation_id, account_id, user_id) values ($1, $2, $3)",
        [order.id, account.id, someone],
      );
    return { ...order, ...terms };
  }

  #holdOf({ id, account, key, amount, minimum }: Asked): HoldRequest {
    const { priceVersionId } = this.#stage;
    const named = { accountId: account.id, apiKeyId: key?.id ?? "", priceVersionId };
    return holdOf(named, amount, {
      operationId: id,
      apiKeyId: key?.id ?? null,
      source: key ? "api" : "playground",
      holdAmountMin: minimum,
      // Of one model all orders are of one family; tasks are not of text.
      family: "video",
    });
  }

  #end(id: string, of: Account): End {
    const isSettle = this.#random.next() < 0.7;
    const account = this.#random.next() < 0.08 ? someOf(this.#random, this.#accounts) : of;
    const isLost = this.#random.next() < 0.1;
    const input = isSettle ? someOf(this.#random, [0, 1, 5, 40, 1000]) : 0;
    const output = isSettle ? this.#random.between(0, 3) : 0;
    return {
      ...{ id, account, isSettle },
      due: BigInt(input + 2 * output),
      tokens: [input, output],
      cause: isLost ? "usage_missing" : null,
      estimate: BigInt(isLost ? this.#random.between(0, 99) : 0),
    };
  }

  /** The verb of an end, as a value that either writer takes. */
  #verb({ id, account, isSettle, due, tokens, cause, estimate }: End) {
    const hold = this.#holdOf({
      ...{ id, account, key: null, user: null, isTask: false },
      ...{ amount: 0n, minimum: 0n },
    });
    const loss =
      cause === null
        ? null
        : ({ cause: "usage_missing", estimateAmount: estimate, detail: null } as const);
    const [inputTokens, outputTokens] = tokens;
    return isSettle
      ? {
          settle: {
            ...settleOf(hold, due),
            usage: { inputTokens, outputTokens, reported: {} },
            loss,
          },
        }
      : { release: { ...releaseOf(hold), loss } };
  }

  async #send(items: readonly Item[]): Promise<void> {
    const { writer, ledger } = this.#stage;
    const { values, ...statement } = batchStatement(ledger.nodeId, items);
    const query = { ...statement, values: [...values, 1], rowMode: "array" as const };
    const { rows } = await writer.query<[string, number]>(query);
    expect(giveAnswers(items, rows[0]?.[0] ?? "", new RecentVerbs())).toEqual([]);
  }

  async #batch(): Promise<void> {
    const way = someOf(this.#random, ["holds", "ends", "both"]);
    const ids = new Set<string>();
    const fresh = <T extends { id: string }>(one: T): T[] => {
      const isFresh = !ids.has(one.id);
      ids.add(one.id);
      return isFresh ? [one] : [];
    };
    const many = () => Array.from({ length: this.#random.between(1, 5) }, (_, n) => n);
    const ends = (way === "holds" ? [] : many()).flatMap(() => {
      const known = this.#random.next() < 0.05 ? undefined : this.#known();
      const account = known?.account ?? someOf(this.#random, this.#accounts);
      return fresh(this.#end(known?.id ?? newOperationId(), account));
    });
    const orders: Asked[] = [];
    for (const _ of way === "ends" ? [] : many()) orders.push(...fresh(await this.#order(false)));
    const answers: (EndResult | null)[] = [];
    const holds: HoldResult[] = [];
    const reject = (error: unknown) => expect.fail(String(error));
    const expectedEnds = ends.map((end) => this.reference.end(end, false));
    const granted = orders.map((order) => {
      const isKnown = this.reference.requests.has(order.id);
      const answer = this.reference.hold(order, order.amount, order.minimum);
      const isRepeat = isKnown || !("amount" in answer);
      return { answer, order, isRepeat, rooms: isRepeat ? undefined : this.reference.rooms(order) };
    });
    await this.#send([
      ...ends.map((end) => {
        const { settle, release } = this.#verb(end);
        const row = settle ? settleRow(settle) : releaseRow(release);
        return endItem(row, { resolve: (result) => answers.push(result), reject });
      }),
      ...orders.map((order) =>
        holdItem(holdRow(this.#holdOf(order)), { resolve: (one) => holds.push(one), reject }),
      ),
    ]);
    expect(answers).toEqual(expectedEnds);
    expect(holds.map(plainHold)).toEqual(granted.map(({ answer }) => answer));
    for (const [n, { order, isRepeat, rooms }] of granted.entries()) {
      const got = holds[n];
      // Those of a batch that is simply paid are told what is left after all of it.
      const after = isRepeat ? undefined : this.reference.rooms(order);
      expect([rooms, after]).toContainEqual(got?.result === "held" ? got.rooms : undefined);
    }
  }

  async #openTask(): Promise<void> {
    const order = await this.#order(true);
    const task = this.#tasks.get(order.id) ?? taskOf();
    this.#tasks.set(order.id, task);
    const expected = this.reference.hold(order, order.amount, order.minimum);
    const got = await this.#stage.ledger.openTask(this.#holdOf(order), task);
    expect(plainHold(got)).toEqual(expected);
  }

  /** Also several times, in one way and in the other. */
  async #endTask(): Promise<void> {
    const { ledger } = this.#stage;
    const known = this.#known(({ isTask }) => isTask || this.#random.next() < 0.1);
    for (let times = this.#random.between(1, 4); known && times > 0; times--) {
      const end = this.#end(known.id, known.account);
      const { settle, release } = this.#verb(end);
      const done = settle
        ? ledger.settleTask(settle, { mediaId: "media_1", outputTokens: 3, facts: {} })
        : ledger.releaseTask(release, { status: "failed", errorCode: "upstream_failed" });
      const expected = this.reference.end(end, true) ?? { result: "internal_error" };
      expect(await told(done)).toEqual(expected);
    }
  }

  async #credit(): Promise<void> {
    const account = someOf(this.#random, this.#accounts);
    const kind = someOf(this.#random, ["topup", "adjust_down"] as const);
    const amount = BigInt(this.#random.between(1, 200));
    const ref = `${account.id}:${this.#random.between(0, 2)}`;
    const why = { reason: "test", actor: "cli" };
    const done = this.#stage.ledger.credit({ accountId: account.id, kind, ref, amount, ...why });
    expect(await told(done)).toEqual(
      this.reference.credit(account, `${kind} ${ref}`, kind === "adjust_down", amount),
    );
  }

  /** Also several times, until nothing is left of the charge. */
  async #refund(): Promise<void> {
    const known = this.#known(({ end }) => end?.outcome === "settled" || this.#random.next() < 0.1);
    const most = Number(known?.end?.amount ?? 0n) + 1;
    for (let times = this.#random.between(1, 4); known && times > 0; times--) {
      const amount = this.#random.next() < 0.2 ? null : BigInt(this.#random.between(1, most));
      const ref = `${this.#accounts[0]?.id}:${this.#random.between(0, 9)}`;
      const why = { reason: "test", actor: "cli" };
      const done = this.#stage.ledger.refund({ operationId: known.id, ref, amount, ...why });
      const expected = this.reference.refund(known.id, `refund ${ref}`, amount);
      expect(await told(done)).toEqual(expected);
    }
  }

  async limit(): Promise<void> {
    const account = someOf(this.#random, this.#accounts);
    const key = this.#random.next() < 0.7 ? someOf(this.#random, account.keys) : null;
    const user = someOf(this.#random, [...account.members.keys()]);
    const kind = someOf(this.#random, key ? limitKinds : memberKinds);
    const budget =
      kind === "running"
        ? this.#random.between(0, 4)
        : someOf(this.#random, [0, 10, 80, 200, 5000]);
    const isLifted = this.#random.next() < 0.2;
    const limit = { account, key, user, kind, budget: isLifted ? null : BigInt(budget) };
    await setLimit(this.#stage.owner, this.reference, limit);
  }

  async #suspend(): Promise<void> {
    const account = someOf(this.#random, this.#accounts);
    account.isActive = !account.isActive;
    const status = account.isActive ? "active" : "suspended";
    await this.#stage.owner.query("update account set status = $1 where id = $2", [
      status,
      account.id,
    ]);
  }

  /** As the follower does: what ended is in no sum until then. */
  async count(): Promise<void> {
    await this.#stage.owner.query("select usage_count_waiting(10000)");
  }

  /** A hold with the id of another account's is refused, and so is all that comes with it. */
  async #foreign(): Promise<void> {
    const known = this.#known();
    const account = this.#accounts.find((other) => other !== known?.account);
    if (!known || !account) return;
    const terms = { account, key: null, user: null, isTask: false, amount: 1n, minimum: 1n };
    const beside = this.#random.next() < 0.5 ? [{ ...terms, id: newOperationId() }] : [];
    const items = [...beside, { ...terms, id: known.id }].map((order) =>
      holdItem(holdRow(this.#holdOf(order)), { resolve: () => {}, reject: () => {} }),
    );
    await expect(this.#send(items)).rejects.toMatchObject({ constraint: "request_of_one_account" });
  }
}

/** Plays the schedule of this seed, and compares each answer and, at its end, every row. */
export async function playSchedule(stage: Stage, seed: number): Promise<void> {
  const random = seeded(seed);
  const credits = [1, 2, 3].map(() => BigInt(someOf(random, [50, 500, 100_000])));
  const accounts = await makeAccounts(stage.owner, credits);
  const schedule = new Schedule(stage, random, accounts);
  for (let limits = someOf(random, [0, 0, 2, 5]); limits > 0; limits--) await schedule.limit();
  for (let step = 0; step < STEPS; step++) await schedule.step();
  await expectRows(stage.owner, schedule.reference, accounts);
  await schedule.count();
}
