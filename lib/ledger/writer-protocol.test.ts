/**
 * Every message between the ledger and the database is lost, late or doubled once, for every verb.
 * The caller never learns what is not so, nothing is lost, and nothing is done twice.
 */
import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import {
  connect,
  holdOf,
  openTestLedger,
  releaseOf,
  type SeededAccount,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { newId } from "../ids";
import { auditLedger } from "./audit";
import type { OpenLedger } from "./ledger";

let url: string;
let client: pg.Client;
let direct: OpenLedger;
let proxy: DatabaseProxy;
let ledger: OpenLedger;
let account: SeededAccount;
/** Ends what a fault still does. */
let heal = async () => {};

beforeAll(async () => {
  url = await createTestDatabase();
  client = await connect(url);
  direct = await openTestLedger(url);
});
afterAll(async () => {
  await direct?.close();
  await client?.end();
});
beforeEach(async () => {
  proxy = await DatabaseProxy.start(url);
  const timings = {
    batchPatienceMs: 300,
    holdPatienceMs: 1500,
    holdPatienceInFlightMs: 1500,
    endPatienceMs: 1500,
    heartbeatMs: 300,
  };
  ledger = await openTestLedger(proxy.url, { timings });
  account = await seedAccount(client, direct, 1000n);
  // Creates the prepared statements before any request is doubled.
  const warm = holdOf(account, 1n);
  await ledger.openHold(warm);
  await ledger.release(releaseOf(warm));
  await ledger.balance(account.accountId);
  heal = async () => {};
});
afterEach(async () => {
  await heal();
  await ledger.close(500);
  await proxy.stop();
});

interface Wallet {
  readonly available: bigint;
  readonly held: bigint;
}
interface Prepared {
  run(): Promise<{ readonly result: string }>;
}
interface Verb {
  readonly name: string;
  /** Its statement in a request. */
  readonly mark: string;
  prepare(): Promise<Prepared>;
  readonly done: Wallet;
  readonly undone: Wallet;
  /** The batch writer carries it; the others have a statement, or a transaction, of their own. */
  readonly by: "writer" | "statement" | "transaction";
}

const whole = { available: 1000n, held: 0n };
const held = { available: 900n, held: 100n };
const paid = { available: 970n, held: 0n };

const opened = async () => {
  const hold = holdOf(account, 100n);
  await direct.openHold(hold);
  return hold;
};
const taskOf = () => ({
  taskId: newId("task"),
  modelNamed: "super-relay",
  spec: {},
  imageUrls: [],
  callbackUrl: null,
  leaseOwner: "test",
  leaseSeconds: 60,
});
const openedTask = async () => {
  const hold = holdOf(account, 100n, { family: "video" });
  await direct.openTask(hold, taskOf());
  return hold;
};
const creditOf = (ref: string) => ({
  accountId: account.accountId,
  kind: "topup" as const,
  ref,
  amount: 50n,
  reason: "test",
  actor: "system",
});

const verbs: readonly Verb[] = [
  {
    name: "a hold",
    mark: "ledger_apply",
    by: "writer",
    prepare: async () => {
      const hold = holdOf(account, 100n);
      return { run: () => ledger.openHold(hold) };
    },
    done: held,
    undone: whole,
  },
  {
    name: "a settlement",
    mark: "ledger_apply",
    by: "writer",
    prepare: async () => {
      const hold = await opened();
      return { run: () => ledger.settle(settleOf(hold, 30n)) };
    },
    done: paid,
    undone: held,
  },
  {
    name: "a release",
    mark: "ledger_apply",
    by: "writer",
    prepare: async () => {
      const hold = await opened();
      return { run: () => ledger.release(releaseOf(hold)) };
    },
    done: whole,
    undone: held,
  },
  {
    name: "a task's hold",
    mark: "ledger_open_task",
    by: "statement",
    prepare: async () => {
      const hold = holdOf(account, 100n, { family: "video" });
      const task = taskOf();
      return { run: () => ledger.openTask(hold, task) };
    },
    done: held,
    undone: whole,
  },
  {
    name: "a task's settlement",
    mark: "ledger_end_task",
    by: "statement",
    prepare: async () => {
      const hold = await openedTask();
      const end = { mediaId: "media_1", outputTokens: 3, facts: {} };
      return { run: () => ledger.settleTask(settleOf(hold, 30n), end) };
    },
    done: paid,
    undone: held,
  },
  {
    name: "a task's release",
    mark: "ledger_end_task",
    by: "statement",
    prepare: async () => {
      const hold = await openedTask();
      const end = { status: "failed", errorCode: "upstream_failed" } as const;
      return { run: () => ledger.releaseTask(releaseOf(hold), end) };
    },
    done: whole,
    undone: held,
  },
  {
    name: "a credit",
    mark: "ledger_credit",
    by: "statement",
    prepare: async () => {
      const request = creditOf(crypto.randomUUID());
      return { run: () => ledger.credit(request) };
    },
    done: { available: 1050n, held: 0n },
    undone: whole,
  },
  {
    name: "a credit with its record",
    mark: "ledger_credit",
    by: "transaction",
    prepare: async () => {
      const request = creditOf(crypto.randomUUID());
      const record = async (transaction: pg.ClientBase) => void (await transaction.query("select"));
      return { run: () => ledger.credit(request, record) };
    },
    done: { available: 1050n, held: 0n },
    undone: whole,
  },
  {
    name: "a refund",
    mark: "ledger_refund",
    by: "statement",
    prepare: async () => {
      const hold = await opened();
      await direct.settle(settleOf(hold, 30n));
      const ref = crypto.randomUUID();
      const request = {
        operationId: hold.operationId,
        amount: 10n,
        reason: "test",
        actor: "system",
      };
      return { run: () => ledger.refund({ ...request, ref }) };
    },
    done: { available: 980n, held: 0n },
    undone: paid,
  },
];

/** Watches for the verb's request and for its answer, each once. */
function watchFor({ mark }: Verb) {
  // A prepared statement is sent by its name; the request carries the account.
  const isRequest = (bytes: Buffer) =>
    bytes.includes(mark) && (mark !== "ledger_apply" || bytes.includes(account.accountId));
  let requests = 0;
  let answers = 0;
  let isSent = false;
  return {
    firstRequest: (bytes: Buffer) => isRequest(bytes) && ++requests === 1,
    note: (bytes: Buffer) => {
      isSent ||= isRequest(bytes);
      return false;
    },
    firstAnswer: (bytes: Buffer) => isSent && bytes.includes("SELECT 1") && ++answers === 1,
    hits: () => requests + answers,
  };
}
type Watch = ReturnType<typeof watchFor>;

/** Locks the wallet, waits until the verb waits for it, ends its connection, and unlocks. */
async function terminateInTheMiddle(): Promise<void> {
  const blocker = await connect(url);
  await blocker.query("begin");
  await blocker.query("select from wallet where account_id = $1 for update", [account.accountId]);
  const terminating = (async () => {
    let ended = 0;
    while (ended === 0) {
      const { rowCount } = await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
           and application_name = 'relay-ledger' and wait_event_type = 'Lock'`,
      );
      ended = rowCount ?? 0;
    }
    await blocker.query("rollback");
    await blocker.end();
  })();
  heal = () => terminating;
}

function later(): { readonly when: Promise<void>; readonly go: () => void } {
  let go = () => {};
  const when = new Promise<void>((resolve) => {
    go = resolve;
  });
  return { when, go };
}

const faults: Readonly<Record<string, (watch: Watch) => void | Promise<void>>> = {
  "whose request is lost with its connection": ({ firstRequest }) => {
    proxy.cutsRequest = firstRequest;
  },
  "whose request is lost on a connection that stays": ({ firstRequest }) => {
    proxy.dropsRequest = firstRequest;
  },
  "whose request arrives after it was sent again": ({ firstRequest }) => {
    const { when, go } = later();
    proxy.delaysRequest = (bytes) => (firstRequest(bytes) ? when : null);
    heal = async () => go();
  },
  "whose request arrives twice": ({ firstRequest }) => {
    proxy.doublesRequest = firstRequest;
  },
  "whose transaction is ended before its commit": terminateInTheMiddle,
  "whose answer is lost with its connection": ({ note, firstAnswer }) => {
    proxy.cutsRequest = note;
    proxy.cutsAnswer = firstAnswer;
  },
  "whose answer is lost on a connection that stays": ({ note, firstAnswer }) => {
    proxy.cutsRequest = note;
    proxy.dropsAnswer = firstAnswer;
  },
  "whose answer arrives late": ({ note, firstAnswer }) => {
    proxy.cutsRequest = note;
    proxy.delaysAnswer = (bytes) =>
      firstAnswer(bytes) ? new Promise((resolve) => setTimeout(resolve, 150)) : null;
  },
  "whose answer arrives after it was sent again": ({ note, firstAnswer }) => {
    const { when, go } = later();
    proxy.cutsRequest = note;
    proxy.delaysAnswer = (bytes) => (firstAnswer(bytes) ? when : null);
    heal = async () => go();
  },
  "whose answer arrives twice at once": ({ note, firstAnswer }) => {
    proxy.cutsRequest = note;
    proxy.repeatsAnswer = (bytes) => (firstAnswer(bytes) ? "at once" : null);
  },
  "whose answer arrives again instead of the next": ({ note, firstAnswer }) => {
    proxy.cutsRequest = note;
    proxy.repeatsAnswer = (bytes) => (firstAnswer(bytes) ? "before the next" : null);
  },
};

const balance = () => direct.balance(account.accountId);
const calm = () =>
  Object.assign(proxy, {
    cutsRequest: () => false,
    cutsAnswer: () => false,
    dropsRequest: () => false,
    dropsAnswer: () => false,
    doublesRequest: () => false,
    delaysRequest: () => null,
    delaysAnswer: () => null,
    repeatsAnswer: () => null,
  });

/** What a caller may be told: the truth, or that the outcome is not known. */
async function expectOnce(verb: Verb, { run }: Prepared): Promise<void> {
  const told = await run().then(
    ({ result }) => result,
    (error: { code?: string }) => String(error.code),
  );
  expect(["held", "done", "spooled", "database_unavailable"]).toContain(told);
  calm();
  await heal();
  const isHold = verb.mark === "ledger_open_task" || verb.name === "a hold";
  if (isHold && told === "database_unavailable") {
    await expect.poll(balance, { timeout: 8000 }).toEqual(verb.undone);
    return;
  }
  if (told === "database_unavailable")
    expect([verb.undone, verb.done]).toContainEqual(await balance());
  else await expect.poll(balance, { timeout: 8000 }).toEqual(verb.done);
  if (isHold) return;
  const again = await run().then(({ result }) => result);
  expect(["done", "already"]).toContain(again);
  expect(await balance()).toEqual(verb.done);
}

const cases = verbs.flatMap((verb) =>
  Object.entries(faults).map(([fault, inject]) => ({
    title: `${verb.name} ${fault}`,
    verb,
    inject,
  })),
);

test.each(cases)(
  "$title is done once, or its caller knows of no answer",
  async ({ verb, inject }) => {
    const prepared = await verb.prepare();
    const watch = watchFor(verb);
    await inject(watch);
    await expectOnce(verb, prepared);
    expect(watch.hits() > 0 || inject === terminateInTheMiddle).toBe(true);
    // A doubled answer would be taken for this one's.
    const next = holdOf(account, 7n);
    expect(await ledger.openHold(next)).toMatchObject({ result: "held", amount: 7n });
    expect(await ledger.settle(settleOf(next, 3n))).toEqual({
      result: "done",
      outcome: "settled",
      amount: 3n,
    });
    expect((await auditLedger(client)).checks.filter(({ ok }) => !ok)).toEqual([]);
  },
);

const transactions = verbs.filter(({ by }) => by === "transaction");
test.each(transactions)("$name whose commit is lost, or its answer, is done once", async (verb) => {
  for (const what of ["commit", "answer"] as const) {
    account = await seedAccount(client, direct, 1000n);
    const prepared = await verb.prepare();
    let isOpen = false;
    let hits = 0;
    proxy.cutsRequest = (bytes) => {
      isOpen ||= bytes.includes(verb.mark);
      return what === "commit" && isOpen && bytes.includes("commit") && ++hits === 1;
    };
    proxy.cutsAnswer = (bytes) =>
      what === "answer" && isOpen && bytes.includes("COMMIT") && ++hits === 1;
    await expectOnce(verb, prepared);
    expect(hits).toBeGreaterThan(0);
  }
});

test("a process that freezes between a credit and its commit does not keep the wallet locked", async () => {
  let isOpen = false;
  proxy.stallsAt = (bytes) => {
    isOpen ||= bytes.includes("ledger_credit");
    return isOpen && bytes.includes("commit");
  };
  const record = async (transaction: pg.ClientBase) => void (await transaction.query("select"));
  const crediting = ledger.credit(creditOf(crypto.randomUUID()), record).catch(() => null);
  await expect.poll(() => isOpen, { timeout: 5000 }).toBe(true);
  const opens = () =>
    direct.openHold(holdOf(account, 1n)).then(
      ({ result }) => result,
      (error: { code?: string }) => error.code,
    );
  await expect.poll(opens, { timeout: 25_000, interval: 500 }).toBe("held");
  proxy.stallsAt = () => false;
  proxy.thaw();
  await crediting;
}, 60_000);
