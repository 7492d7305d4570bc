import { onlyRow } from "../../db/only-row";
import { PrimaryClient } from "../../db/primary-client";
import type { Statement } from "./batch-statement";

// Index look-ups only: a plan made while the tables were small must not become a sequential scan
// when they have grown.
export const sessionSettings = `set statement_timeout = 5000; set lock_timeout = 2000;
  set idle_in_transaction_session_timeout = 10000; set plan_cache_mode = force_generic_plan; set jit = off;
  set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off`;
/** `query_timeout` is missing in the library's types of a query. */
const settingsQuery = { text: sessionSettings, query_timeout: 2000 };

/**
 * Plans are made anew after this long. One that was made while the partition of the month was
 * empty takes any index for as good as another, and reads all of the wrong one for each id until
 * statistics are gathered.
 */
export const PLANS_KEPT_MS = 5000;

/** Batches are numbered up to this, and then anew. */
const BATCH_NUMBERS = 2 ** 31;

/** How long closing a connection waits for the server. */
const DISCONNECT_MS = 1000;

/**
 * Waits for `ended`, at most `DISCONNECT_MS`. Leaves no timer behind that would keep the process
 * alive.
 */
export async function waitForDisconnect(ended: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, DISCONNECT_MS);
  });
  await Promise.race([ended, timeout]).finally(() => clearTimeout(timer));
}

/** One connection of the writer. It reconnects by itself. */
export interface WriterConnection {
  readonly isUp: boolean;
  readonly isBusy: boolean;
  /**
   * Runs one batch. Rejects with the server's error, or with any other error when the outcome is
   * unknown.
   */
  send(statement: Statement): Promise<string>;
  /** When the server last answered, by `performance.now()`. */
  readonly answeredAt: number;
  /** Asks the server for nothing. */
  pulse(): Promise<void>;
  /** Drops the connection, so that a batch in flight rejects, and reconnects. */
  reset(): void;
  close(): Promise<void>;
}

/** A connection that comes back by itself. */
interface KeptConnection {
  /** Null while it is down. */
  readonly client: PrimaryClient | null;
  drop(): void;
  close(): Promise<void>;
}

const newClient = (connectionString: string) =>
  new PrimaryClient({
    connectionString,
    connectionTimeoutMillis: 2000,
    keepAlive: true,
    application_name: "relay-ledger",
  });

/** Keeps one connection to `databaseUrl` open, and calls `onChange` whenever it goes up or down. */
function keepConnection(databaseUrl: string, onChange: () => void): KeptConnection {
  let client: PrimaryClient | null = null;
  let isClosed = false;
  let failures = 0;
  let retry: NodeJS.Timeout | undefined;
  let connecting: PrimaryClient | null = null;

  const lost = (which: PrimaryClient) => {
    if (client !== which) return;
    client = null;
    onChange();
    reconnect();
  };
  const reconnect = () => {
    if (isClosed || retry || connecting) return;
    retry = setTimeout(connect, failures === 0 ? 0 : Math.min(50 * 2 ** failures, 1000));
  };
  const connect = async () => {
    retry = undefined;
    const next = newClient(databaseUrl);
    connecting = next;
    next.on("error", () => lost(next));
    next.on("end", () => lost(next));
    try {
      await next.connect();
      await next.query(settingsQuery);
      connecting = null;
      if (isClosed) return void next.end().catch(() => {});
      failures = 0;
      client = next;
      onChange();
    } catch {
      connecting = null;
      failures++;
      next.drop("it could not be opened");
      reconnect();
    }
  };
  // It never rejects: after a failure it tries again.
  void connect();

  return {
    get client() {
      return client;
    },
    drop() {
      const current = client;
      if (!current) return;
      current.drop("it gave no answer");
      lost(current);
    },
    async close() {
      isClosed = true;
      clearTimeout(retry);
      const current = client;
      client = null;
      connecting?.drop("the ledger is closing");
      if (!current) return;
      await waitForDisconnect(current.end().catch(() => {}));
      current.drop("the ledger is closing");
    },
  };
}

/** Opens a connection for batches; `onChange` is called whenever it goes up or down. */
export function openWriterConnection(databaseUrl: string, onChange: () => void): WriterConnection {
  const connection = keepConnection(databaseUrl, onChange);
  let isBusy = false;
  let sent = 0;
  let plannedAt = performance.now();
  let answeredAt = plannedAt;
  return {
    get answeredAt() {
      return answeredAt;
    },
    async pulse() {
      isBusy = true;
      await connection.client?.query("select").finally(() => {
        isBusy = false;
        answeredAt = performance.now();
      });
    },
    get isUp() {
      return connection.client !== null;
    },
    get isBusy() {
      return isBusy;
    },
    async send({ name, text, values }) {
      const { client } = connection;
      if (!client) throw new Error("not connected");
      isBusy = true;
      sent = (sent + 1) % BATCH_NUMBERS;
      const number = sent;
      try {
        const now = performance.now();
        if (now - plannedAt > PLANS_KEPT_MS) {
          plannedAt = now;
          await client.query("discard plans");
        }
        const query = { name, text, values: [...values, number], rowMode: "array" as const };
        const [answer, answered] = onlyRow(await client.query<[string, number]>(query));
        answeredAt = performance.now();
        if (answered === number) return answer;
        connection.drop();
        throw new Error("the database answered another batch");
      } finally {
        isBusy = false;
      }
    },
    reset: connection.drop,
    close: connection.close,
  };
}
