/** Tells the caches of this process which rows changed, in whatever process the change was made. */
import { PrimaryClient } from "./primary-client";

/** `id` is null when anything in the table may have changed. */
type ChangeListener = (id: string | null) => void;

export interface Changes {
  /**
   * Calls `listener` for each changed row of `table`, and every 3 s with null. Returns the function
   * that unsubscribes.
   */
  subscribe(table: string, listener: ChangeListener): () => void;
  close(): Promise<void>;
}

/**
 * Listens on one connection. A lost connection is reopened, and the periodic call covers what was
 * missed meanwhile.
 */
export async function openChanges(databaseUrl: string, tickMs = 3000): Promise<Changes> {
  const listeners = new Map<string, Set<ChangeListener>>();
  let client: PrimaryClient | null = null;
  let isClosed = false;
  let connecting: Promise<void> | null = null;

  function tell(table: string, id: string | null): void {
    for (const listener of listeners.get(table) ?? []) listener(id);
  }

  function drop(broken: PrimaryClient): void {
    broken.end().catch(() => {});
    if (client === broken && !isClosed) void reconnect();
    if (client === broken) client = null;
  }

  async function connect(): Promise<void> {
    const next = new PrimaryClient({
      connectionString: databaseUrl,
      keepAlive: true,
      connectionTimeoutMillis: 1000,
      query_timeout: 2000,
    });
    next.on("error", () => drop(next));
    next.on("end", () => drop(next));
    next.on("notification", ({ payload = "" }) => {
      const [table = "", id = ""] = payload.split(":");
      tell(table, id === "" ? null : id);
    });
    try {
      await next.connect();
      await next.query("listen relay_change");
      if (isClosed) drop(next);
      else client = next;
    } catch {
      drop(next);
    }
  }

  function reconnect(): Promise<void> {
    connecting ??= connect().finally(() => {
      connecting = null;
    });
    return connecting;
  }

  const timer = setInterval(() => {
    const current = client;
    if (current === null) void reconnect();
    else current.query("select 1").catch(() => drop(current));
    for (const table of listeners.keys()) tell(table, null);
  }, tickMs);
  timer.unref();
  await reconnect();

  return {
    subscribe(table, listener) {
      const set = listeners.get(table) ?? new Set();
      listeners.set(table, set.add(listener));
      return () => set.delete(listener);
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      listeners.clear();
      await connecting;
      await client?.end().catch(() => {});
    },
  };
}
