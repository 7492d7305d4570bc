/** Finds out whether a pooler gives each transaction, or statement, another connection to the server. */
import { randomUUID } from "node:crypto";
import { onlyRow } from "./only-row";
import { PrimaryClient } from "./primary-client";

/** A pooler makes up the number that it gives to its clients. */
export type NumberedClient = PrimaryClient & { readonly processID?: number | null };

async function processOf(client: PrimaryClient): Promise<number> {
  return onlyRow(await client.query<{ pid: number }>("select pg_backend_pid() as pid")).pid;
}

/**
 * Whether the connections of a pooler keep theirs to the server. Two clients take turns: where a
 * transaction of the second one gets the first one's server, or the first one another server because of
 * it, they do not.
 */
async function keepsSessions(first: NumberedClient, url: string): Promise<boolean> {
  const [name, value] = ["relay.session", randomUUID()];
  const before = await processOf(first);
  if (before === first.processID) return true;
  await first.query(`select set_config('${name}', '${value}', false)`);
  const second = new PrimaryClient({ connectionString: url, connectionTimeoutMillis: 5000 });
  try {
    await second.connect();
    await second.query("begin");
    const other = await processOf(second);
    const after = onlyRow(
      await first.query<{ pid: number; value: string }>(
        `select pg_backend_pid() as pid, current_setting('${name}', true) as value`,
      ),
    );
    await second.query("rollback");
    return other !== before && after.pid === before && after.value === value;
  } finally {
    await second.end().catch(() => {});
  }
}

const REASON =
  "a connection pooler in transaction or statement mode is in between: set pool_mode=session for this database, or use the server's own address";

/** Throws unless the connections to `url` keep their sessions. */
export async function assertSessions(first: NumberedClient, url: string): Promise<void> {
  const keeps = await keepsSessions(first, url).catch((error: unknown) => {
    if (/statement pooling|prepared statement/i.test(String(error))) return false;
    throw error;
  });
  if (!keeps) throw new Error(REASON);
}
