/** The dependencies of the site on a database of their own, for tests. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openOutbox } from "@/lib/accounts/outbox";
import { createSessionStore } from "@/lib/accounts/session-store";
import { openSignInQueue } from "@/lib/accounts/sign-in-queue";
import { openArchivedRequests } from "@/lib/archive/archived-requests";
import { fixedSecrets } from "@/lib/crypto/secrets";
import { openChanges } from "@/lib/db/changes";
import { connectDatabase, type Database } from "@/lib/db/client";
import { openHistoryReaders } from "@/lib/db/history-readers";
import { openPool } from "@/lib/db/pool";
import type { Ledger } from "@/lib/ledger/core/verbs";
import { createLedger } from "@/lib/ledger/ledger";
import { createPageLimiter } from "@/lib/limits/page-limiter";
import { withLive } from "@/lib/live-settings/effective";
import { createLiveSettings } from "@/lib/live-settings/live-settings";
import { openFolderStore } from "@/lib/media/folder-store";
import type { PagesDeps } from "@/lib/pages-api/pages-deps";
import { createPriceBook } from "@/lib/price-book/price-book";
import { seedPrices } from "@/lib/price-book/set-price";
import { keepStatus } from "@/lib/queries/status";
import { readSettings } from "@/lib/settings/settings";
import { createProviders } from "@/lib/upstream/wiring/create-providers";
import { createTestDatabase } from "@/testing/db/test-database";

export interface SiteProcess {
  readonly deps: PagesDeps;
  readonly databaseUrl: string;
  /** A database that cannot be reached. */
  readonly unreachable: Database;
  /** The same over connections that became read-only: from the beginning they would be refused. */
  readOnly(): Promise<PagesDeps>;
  /** Every row of every table. */
  dump(): Promise<unknown>;
  close(): Promise<void>;
}

/** On a new database, unless the URL of another is given. */
export async function startSiteProcess(databaseUrl?: string): Promise<SiteProcess> {
  const url = databaseUrl ?? (await createTestDatabase());
  const folder = mkdtempSync(join(tmpdir(), "relay-site-"));
  const endings: (() => Promise<unknown>)[] = [
    async () => rmSync(folder, { recursive: true, force: true }),
  ];
  const open = <T>(part: T, end: (part: T) => Promise<unknown> | undefined): T => {
    endings.unshift(async () => end(part));
    return part;
  };
  const connect = (address: string, connections = 4) => {
    const pool = open(openPool(address, 8), (part) => part.end());
    const historyReaders = open(openHistoryReaders(address, pool), (readers) => readers.close());
    const database = open(connectDatabase(address, connections), (part) => part.$disconnect());
    return { pool, historyReaders, database };
  };
  const { historyReaders, pool, database } = connect(url);
  await seedPrices(pool);
  const changes = open(await openChanges(url), (part) => part.close());
  const ledger = open(
    await createLedger({ databaseUrl: url, spoolFolder: folder, role: "tool" }),
    (part) => part.close(),
  );
  // Tests create many accounts of one mail domain.
  const environment = { RELAY_WELCOME_PER_ADDRESS: "none", RELAY_WELCOME_PER_DOMAIN: "none" };
  const live = await createLiveSettings({ pool, changes, environment });
  const deps: PagesDeps = {
    settings: withLive(readSettings(environment), live.value),
    live,
    databaseUrl: url,
    secrets: fixedSecrets("a secret of at least thirty-two characters"),
    ...{ pool, historyReaders, database },
    ledger,
    priceBook: await createPriceBook({ pool, changes }),
    providers: open(createProviders(), (providers) => providers.close()),
    servedBy: () => "sandbox",
    ...keepStatus(pool),
    sessions: createSessionStore(database),
    archive: openArchivedRequests(pool, await openFolderStore(join(folder, "media"))),
    pageLimiter: createPageLimiter(),
    outbox: openOutbox(() => {}),
    signInQueue: open(openSignInQueue(url), (queue) => queue.close()),
    reportProblem() {},
  };
  return {
    deps,
    databaseUrl: url,
    unreachable: connectDatabase("postgresql://127.0.0.1:1/none", 1),
    async readOnly() {
      const readOnly = "set default_transaction_read_only = on";
      const own = connect(url, 1);
      own.pool.on("connect", (client) => void client.query(readOnly));
      await own.database.$executeRawUnsafe(readOnly);
      return { ...deps, ...own, sessions: createSessionStore(own.database) };
    },
    async dump() {
      const { rows } = await pool.query<{ name: string }>(
        "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition",
      );
      return Promise.all(
        rows.map(
          async ({ name }) => (await pool.query(`select to_jsonb(t) from "${name}" t`)).rows,
        ),
      );
    },
    async close() {
      for (const end of endings) await end();
    },
  };
}

/** A ledger with some functions replaced. */
export function ledgerWith<Whole extends Ledger>(ledger: Whole, verbs: Partial<Ledger>): Whole {
  return new Proxy(ledger, {
    get(target, name) {
      const verb = verbs[name as keyof Ledger] ?? Reflect.get(target, name);
      return typeof verb === "function" ? verb.bind(target) : verb;
    },
  });
}
