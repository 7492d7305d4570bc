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
import { changesForOne, lend } from "@/testing/db/lent";

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

interface Connected extends Pick<PagesDeps, "historyReaders" | "pool" | "database"> {
  close(): Promise<unknown>;
}

function connect(databaseUrl: string, connections = 4): Connected {
  const pool = openPool(databaseUrl, 8);
  const historyReaders = openHistoryReaders(databaseUrl, pool);
  const database = connectDatabase(databaseUrl, connections);
  const close = async () => {
    await Promise.all([historyReaders.close(), database.$disconnect()]);
    await pool.end();
  };
  return { pool, historyReaders, database, close };
}

/** What a process keeps open to its database. */
async function connectSite(databaseUrl: string) {
  const connected = connect(databaseUrl);
  await seedPrices(connected.pool);
  const spoolFolder = mkdtempSync(join(tmpdir(), "relay-site-spool-"));
  const changes = await openChanges(databaseUrl);
  const ledger = await createLedger({ databaseUrl, spoolFolder, role: "tool" });
  const signInQueue = openSignInQueue(databaseUrl);
  return {
    ...{ connected, databaseUrl, changes, ledger, signInQueue },
    async close() {
      await Promise.all([changes.close(), ledger.close(), signInQueue.close()]);
      await connected.close();
      rmSync(spoolFolder, { recursive: true, force: true });
    },
  };
}

/** On an empty database, unless the URL of another is given. */
export async function startSiteProcess(givenUrl?: string): Promise<SiteProcess> {
  const lent = givenUrl === undefined ? await lend("a site", connectSite) : undefined;
  const site = lent?.part ?? (await connectSite(givenUrl as string));
  const { databaseUrl, ledger } = site;
  const changes = changesForOne(site.changes);
  const folder = mkdtempSync(join(tmpdir(), "relay-site-"));
  const { pool, historyReaders, database } = site.connected;
  const others: Connected[] = [];
  const providers = createProviders();
  // Tests create many accounts of one mail domain.
  const environment = { RELAY_WELCOME_PER_ADDRESS: "none", RELAY_WELCOME_PER_DOMAIN: "none" };
  const live = await createLiveSettings({ pool, changes, environment });
  const deps: PagesDeps = {
    settings: withLive(readSettings(environment), live.value),
    live,
    databaseUrl,
    secrets: fixedSecrets("a secret of at least thirty-two characters"),
    ...{ pool, historyReaders, database },
    ledger,
    priceBook: await createPriceBook({ pool, changes }),
    providers,
    servedBy: () => "sandbox",
    ...keepStatus(pool),
    sessions: createSessionStore(database),
    archive: openArchivedRequests(pool, await openFolderStore(join(folder, "media"))),
    pageLimiter: createPageLimiter(),
    outbox: openOutbox(() => {}),
    signInQueue: site.signInQueue,
    reportProblem() {},
  };
  return {
    deps,
    databaseUrl,
    unreachable: connectDatabase("postgresql://127.0.0.1:1/none", 1),
    async readOnly() {
      const readOnly = "set default_transaction_read_only = on";
      const own = connect(databaseUrl, 1);
      others.push(own);
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
      await Promise.all([...others, providers, changes].map((part) => part.close()));
      rmSync(folder, { recursive: true, force: true });
      await (lent ? lent.giveBack() : site.close());
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
