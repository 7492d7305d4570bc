/** Finds out what a connection pooler in between does to sessions: ours are to be like the server's own. */
import { randomUUID } from "node:crypto";
import { onlyRow } from "./only-row";
import { PrimaryClient } from "./primary-client";

/** A pooler makes up the number that it gives to its clients. */
export type NumberedClient = PrimaryClient & { readonly processID?: number | null };

interface Session {
  readonly pid: number;
  /** What was set in this session of the server, by whichever client. */
  readonly value: string | null;
}

const NAME = "relay.session";
const sessionOf = async (client: PrimaryClient): Promise<Session> =>
  onlyRow(
    await client.query<Session>(
      `select pg_backend_pid() as pid, nullif(current_setting('${NAME}', true), '') as value`,
    ),
  );
const mark = (client: PrimaryClient, value: string) =>
  client.query(`select set_config('${NAME}', '${value}', false)`);

async function withClient<Result>(
  url: string,
  work: (client: PrimaryClient) => Promise<Result>,
): Promise<Result> {
  const client = new PrimaryClient({ connectionString: url, connectionTimeoutMillis: 5000 });
  try {
    await client.connect().catch((error: unknown) => {
      throw /gave no answer|timeout/.test(String(error)) ? new Error(ONE_ONLY) : error;
    });
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

const ONE_ONLY =
  "a connection pooler is in between that gives one session of the server only: raise its default_pool_size";
const NOT_KEPT =
  "a connection pooler in transaction or statement mode is in between: set pool_mode=session for this database, or use the server's own address";
const NOT_RESET =
  "a connection pooler in between leaves settings and locks of a session to the next one: set server_reset_query=DISCARD ALL";

/**
 * Two clients take turns: where a transaction of the second one gets the first one's server, or the first
 * one another server because of it, sessions are not kept. Returns the second one's session, which it left
 * a mark in.
 */
async function secondSession(first: PrimaryClient, before: Session, url: string): Promise<Session> {
  const value = randomUUID();
  await mark(first, value);
  return withClient(url, async (second) => {
    await second.query("begin");
    const other = await sessionOf(second);
    const after = await sessionOf(first);
    await second.query("rollback");
    if (other.pid === before.pid || after.pid !== before.pid || after.value !== value)
      throw new Error(NOT_KEPT);
    await mark(second, value);
    return other;
  });
}

/** Throws unless the connections to `url` keep their sessions, and begin with what the server has set. */
export async function assertSessions(first: NumberedClient, url: string): Promise<void> {
  const before = await sessionOf(first);
  if (before.pid === first.processID) return;
  try {
    const left = await secondSession(first, before, url);
    // A pooler gives the session that became free last.
    const next = await withClient(url, sessionOf);
    if (next.pid === left.pid && next.value !== null) throw new Error(NOT_RESET);
  } catch (error) {
    const isOfMode = /statement pooling|prepared statement/i.test(String(error));
    throw isOfMode ? new Error(NOT_KEPT) : error;
  }
}
