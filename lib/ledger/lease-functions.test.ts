/** Tests the SQL functions of points leases against the model that checked the protocol. */
import fc from "fast-check";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { type EndFacts, LeaseModel } from "@/testing/ledger/lease-model";
import {
  connect,
  holdOf,
  openTestLedger,
  releaseOf,
  type SeededAccount,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { auditLedger } from "./audit";
import { releaseText, settleText } from "./batch-text";
import type { LeaseAct } from "./lease-acts";
import { actText, memoryText, wholeText, writtenText } from "./lease-text";
import type { OpenLedger } from "./ledger";
import type { HoldRequest } from "./verbs";

let client: pg.Client;
let ledger: OpenLedger;
beforeAll(async () => {
  const url = await createTestDatabase();
  client = await connect(url);
  // Nothing here depends on the disk.
  await client.query("set synchronous_commit = off");
  ledger = await openTestLedger(url);
});
afterAll(async () => {
  await ledger?.close();
  await client?.end();
});

const failingChecks = async () => (await auditLedger(client)).checks.filter(({ ok }) => !ok);
const list = (texts: readonly string[]) =>
  texts.length === 0 ? null : `[${texts.map((text, i) => `{"i":${i},${text}`).join(",")}]`;

interface Batch {
  readonly ends?: string[];
  readonly wholes?: string[];
  readonly written?: string[];
  readonly acts?: string[];
}

/** Sends one batch as the process `node`; answers its five parts. */
async function apply(node: string, account: SeededAccount, batch: Batch): Promise<string[]> {
  const { ends = [], wholes = [], written = [], acts = [] } = batch;
  const { rows } = await client.query<{ answer: string }>(
    "select ledger_apply_leased($1, $2, $3, null, $4, $5, $6) as answer",
    [node, [account.accountId], list(ends), list(wholes), list(written), list(acts)],
  );
  return (rows[0]?.answer ?? "").split(";");
}

async function startNode(): Promise<string> {
  const node = `node_${crypto.randomUUID()}`;
  await client.query("insert into node (id, store_id, lease_until) values ($1, 's', $2)", [
    node,
    new Date(Date.now() + 3_600_000),
  ]);
  return node;
}

const takeOf = (account: SeededAccount, number: number, amount: bigint, isFirst: boolean) => ({
  account: account.accountId,
  number,
  kind: "take" as const,
  amount,
  rest: 0n,
  isFirst,
});
const endOf = (hold: HoldRequest, amount: bigint | null) =>
  amount === null ? releaseText(releaseOf(hold)) : settleText(settleOf(hold, amount));
const wholeOf = (hold: HoldRequest, node: string, amount: bigint | null) =>
  wholeText(memoryText(hold, node), 5, endOf(hold, amount));

const walletOf = async ({ accountId }: SeededAccount) => {
  const { rows } = await client.query<Record<"debits" | "pending" | "leased", string>>(
    "select debits_posted as debits, debits_pending as pending, leased from wallet where account_id = $1",
    [accountId],
  );
  return {
    debits: BigInt(rows[0]?.debits ?? 0),
    pending: BigInt(rows[0]?.pending ?? 0),
    leased: BigInt(rows[0]?.leased ?? 0),
  };
};

type Kind = "take" | "give" | "close" | "whole" | "write" | "end" | "recall" | "remove" | "repeat";
const kinds: Kind[] = ["take", "give", "close", "whole", "whole", "whole", "write", "end"];
const step = fc.record({
  kind: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...kinds) },
    { weight: 2, arbitrary: fc.constantFrom<Kind>("recall", "remove", "repeat") },
  ),
  at: fc.nat(1),
  amount: fc.bigInt({ min: 1n, max: 60n }),
  of: fc.nat(9),
  isFirst: fc.boolean(),
  isSettle: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** One account, two processes, and the same in the model. */
class Pair {
  readonly model = new LeaseModel();
  readonly holds: { readonly hold: HoldRequest; readonly facts: EndFacts }[] = [];
  acts = 0;
  last: { node: string; act: LeaseAct } | null = null;

  constructor(
    readonly account: SeededAccount,
    readonly nodes: string[],
  ) {
    this.model.wallet(account.accountId).credits = 400n;
    for (const node of nodes) this.model.nodes.set(node, { isLive: true });
  }

  async play(one: Step): Promise<void> {
    const { kind, at, amount, isFirst } = one;
    const node = this.nodes[at] as string;
    const { accountId } = this.account;
    if (kind === "recall") {
      const { rows } = await client.query("select ledger_recall($1) = 0 as none", [accountId]);
      expect(rows[0].none).toBe(this.model.recall(accountId, 10_000));
      // The model's clock does not move, so both forget it.
      await client.query(
        "update wallet set leases_from = null, version = version + 1 where account_id = $1",
        [accountId],
      );
      this.model.wallet(accountId).leasesFrom = 0;
    } else if (kind === "remove") {
      await client.query("delete from node where id = $1", [node]);
      this.model.removeNode(node);
      await client.query("insert into node values ($1, 's', now(), now() + interval '1 hour')", [
        node,
      ]);
      this.model.nodes.set(node, { isLive: true });
    } else if (kind === "repeat") {
      if (this.last) await this.#act(this.last.node, this.last.act);
    } else if (kind === "take" || kind === "give" || kind === "close") {
      const act = {
        ...takeOf(this.account, ++this.acts, amount, kind === "take" && isFirst),
        kind,
      };
      const has = this.model.leaseOf(accountId, node)?.amount ?? 0n;
      if (kind === "give") await this.#act(node, { ...act, amount: amount > has ? has : amount });
      else await this.#act(node, act);
    } else await this.#hold(node, one);
  }

  async #act(node: string, act: LeaseAct): Promise<void> {
    const { granted, isGone } = this.model.act(node, act);
    const [, , , , answer] = await apply(node, this.account, { acts: [actText(act)] });
    const done = act.kind === "take" ? `t${granted}` : "g";
    expect(answer).toBe(isGone ? "l" : done);
    this.last = { node, act };
  }

  /** A hold of this process, or one that is known. */
  #pick(node: string, { of, amount }: Step): { hold: HoldRequest; facts: EndFacts } {
    const known = this.holds[of];
    if (known) return known;
    const hold = holdOf(this.account, amount);
    const { operationId: id, accountId: account } = hold;
    const key = this.account.apiKeyId;
    const facts = { id, account, node, key, hold: amount, isSettle: false, amount: 0n };
    const fresh = { hold, facts };
    this.holds.unshift(fresh);
    return fresh;
  }

  async #hold(node: string, one: Step): Promise<void> {
    const { hold, facts } = this.#pick(node, one);
    const amount = one.isSettle ? one.amount : null;
    const ending = { ...facts, isSettle: one.isSettle, amount: amount ?? 0n };
    if (one.kind === "write") {
      const text = writtenText(memoryText(hold, facts.node), 5);
      const [, , , answer] = await apply(node, this.account, { written: [text] });
      expect(answer).toBe(this.model.write(facts) ? "w" : "n");
    } else if (one.kind === "end") {
      const [answer = ""] = await apply(node, this.account, { ends: [endOf(hold, amount)] });
      const how = this.model.end(ending);
      expect({ d: "done", s: "before", r: "before", a: "absent" }[answer[0] ?? ""]).toBe(how);
    } else {
      const [, , answer = ""] = await apply(node, this.account, {
        wholes: [wholeOf(hold, facts.node, amount)],
      });
      const { how, charged } = this.model.whole(ending);
      const told = {
        l: "leased",
        e: "elsewhere",
        x: "elsewhere",
        o: "opened",
        s: "before",
        r: "before",
      };
      expect([told[answer[0] as "l"], answer.slice(1)]).toEqual([how, String(charged)]);
    }
  }

  async expectSame(): Promise<void> {
    const { debits, pending, leased } = this.model.wallet(this.account.accountId);
    expect(await walletOf(this.account)).toEqual({ debits, pending, leased });
    const { rows } = await client.query<{ node: string; amount: string; act: string }>(
      "select node_id as node, amount, act from points_lease where account_id = $1",
      [this.account.accountId],
    );
    const leases = rows.map(({ node, amount, act }) => [node, BigInt(amount), Number(act)]);
    const expected = this.nodes.flatMap((node) => {
      const lease = this.model.leaseOf(this.account.accountId, node);
      return lease ? [[node, lease.amount, lease.act]] : [];
    });
    expect(leases.sort()).toEqual(expected.sort());
  }
}

test("the functions do to wallets, leases and operations what the model does, and the audit is clean", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const account = await seedAccount(client, ledger, 400n);
      const pair = new Pair(account, [await startNode(), await startNode()]);
      for (const one of steps) {
        await pair.play(one);
        await pair.expectSame();
      }
      for (const node of pair.nodes) {
        await client.query("delete from node where id = $1", [node]);
        pair.model.removeNode(node);
      }
      await pair.expectSame();
    }),
    { numRuns: 40 },
  );
  expect(await failingChecks()).toEqual([]);
}, 120_000);
