/** Prepares the state that each command finds before a test interrupts it. */
import type pg from "pg";
import { createApiKey } from "@/lib/commands/api-keys";
import { createChannel, type NewChannel } from "@/lib/commands/channels";
import { newId, newOperationId } from "@/lib/crypto/ids";
import type { PagesDeps } from "@/lib/pages-api/pages-deps";
import { newUserOf } from "@/testing/pages-api/new-user";
import type { SiteProcess } from "@/testing/pages-api/site-process";
import {
  charged,
  connect,
  holdOf,
  openTestLedger,
  seedAccount,
  taskOf,
} from "../ledger/test-ledger";

export type TestDeps = Pick<PagesDeps, "database" | "pool" | "ledger" | "secrets" | "providers">;

export interface BrokenOffCommand {
  /** The action's name in the audit log. */
  readonly action: string;
  /** Distinguishes two cases of one action. */
  readonly what?: string;
  /** Further actions that it records, before this one. */
  readonly recordsFirst?: readonly string[];
  /**
   * True when only the record is written: the action happened outside of the database, or every
   * server does it by itself.
   */
  readonly isRecordAlone?: boolean;
  /** Prepares the state, and returns the command. */
  prepare(site: SiteProcess): Promise<(deps: TestDeps) => Promise<unknown>>;
}

export const commandOn = <Made>(
  action: string,
  make: (site: SiteProcess) => Promise<Made>,
  run: (deps: TestDeps, made: Made) => Promise<unknown>,
  more: Pick<BrokenOffCommand, "what" | "isRecordAlone"> = {},
): BrokenOffCommand => ({
  ...{ action, ...more },
  async prepare(site) {
    const made = await make(site);
    return (deps) => run(deps, made);
  },
});

/** A command that needs more than one thing made. `what`: tells it from others of its action. */
export const prepared = (
  action: string,
  prepare: BrokenOffCommand["prepare"],
  what?: string,
): BrokenOffCommand => ({ action, prepare, ...(what !== undefined && { what }) });

export const actor = "user_op";
let made = 0;

/** A different number at each call. */
export const nextNumber = () => ++made;

export async function newUser({
  deps,
}: SiteProcess): Promise<{ userId: string; accountId: string }> {
  return newUserOf(deps, `broken${++made}@example.com`, `192.0.2.${made % 250}`);
}

export async function newKey(site: SiteProcess) {
  const { accountId } = await newUser(site);
  const { key } = await createApiKey(site.deps, actor, {
    accountId,
    name: "one",
    hourlySpendMax: 9n,
    budget: null,
  });
  return { id: key.id, accountId };
}

export const newChannel = (): NewChannel => ({
  name: `channel ${++made}`,
  protocol: "openai",
  baseUrl: "http://127.0.0.1:1/v1",
  apiKey: "upstream-canary",
  models: { RelayV1: "theirs" },
});
export const storedChannel = ({ deps }: SiteProcess) => createChannel(deps, actor, newChannel());

/** Runs `work` with the ledger of a server and an account that has points. */
async function onServer<T>(
  { databaseUrl }: SiteProcess,
  work: (
    ledger: Awaited<ReturnType<typeof openTestLedger>>,
    account: Awaited<ReturnType<typeof seedAccount>>,
    client: pg.Client,
  ) => Promise<T>,
): Promise<T> {
  const [ledger, client] = [await openTestLedger(databaseUrl), await connect(databaseUrl)];
  try {
    return await work(ledger, await seedAccount(client, ledger, 10_000_000n), client);
  } finally {
    await ledger.close();
    await client.end();
  }
}

export const newCharge = (site: SiteProcess) =>
  onServer(site, async (ledger, account) => {
    const { operationId } = await charged(ledger, account, 1_000_000n, { apiKeyId: null });
    return operationId;
  });

export const newTask = (site: SiteProcess) =>
  onServer(site, async (ledger, account) => {
    const taskId = newId("task");
    const hold = holdOf(account, 2_000_000n, { family: "video", operationId: newOperationId() });
    await ledger.openTask(hold, taskOf({ taskId }));
    return taskId;
  });

export async function newPayment(site: SiteProcess): Promise<string> {
  const [id, { accountId }] = [newId("payment"), await newUser(site)];
  const data = {
    id,
    accountId,
    packageId: "pkg_1",
    packageName: "P",
    points: 1n,
    amount: 1n,
    currency: "eur",
    attention: "look",
  };
  await site.deps.database.payment.create({ data });
  return id;
}

export async function newDeadNode({ deps }: SiteProcess): Promise<string> {
  const id = `node_${++made}`;
  await deps.pool.query(
    "insert into node (id, store_id, lease_until) values ($1, 'elsewhere', now() - interval '1 hour')",
    [id],
  );
  return id;
}

export async function newSession(
  site: SiteProcess,
): Promise<{ sessionId: string; userId: string }> {
  const [sessionId, { userId }] = [`session_${++made}`, await newUser(site)];
  const start = {
    sessionVersion: 1,
    expiresAt: new Date(Date.now() + 60_000),
    address: null,
    userAgent: null,
  };
  await site.deps.sessions.begin({ ...start, sessionId, userId });
  return { sessionId, userId };
}
