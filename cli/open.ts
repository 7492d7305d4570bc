import { join } from "node:path";
import type pg from "pg";
import { replaceBrandNames } from "@/lib/contract/brand";
import type { LiveSettingName } from "@/lib/contract/setting-names";
import { openSecrets, type Secrets } from "@/lib/crypto/secrets";
import { connectDatabase, type Database } from "@/lib/db/client";
import { ownsLedgerTables } from "@/lib/db/open";
import { PrimaryClient } from "@/lib/db/primary-client";
import { createLedger, type OpenLedger } from "@/lib/ledger/ledger";
import { brandNamesOf } from "@/lib/live-settings/brand-texts";
import { withLive } from "@/lib/live-settings/effective";
import { type LiveValues, readEffectiveSettings } from "@/lib/live-settings/live-settings";
import type { Settings } from "@/lib/settings/settings";
import { openMigratedPool } from "./open-pool";

/** The installation, as commands use it. */
export interface OpenInstallation {
  /** Includes the settings that operators changed in the database. */
  readonly settings: Settings;
  readonly live: LiveValues;
  readonly environment: NodeJS.ProcessEnv;
  readonly database: Database;
  readonly pool: pg.Pool;
  readonly ledger: OpenLedger;
  /** The installation's secrets, created if there are none yet. */
  secrets(): Secrets;
  /** Runs `work` on a connection without a statement timeout. `open` opens another one, which `work` ends. */
  patiently<T>(work: (client: pg.Client, open: () => Promise<pg.Client>) => Promise<T>): Promise<T>;
  /** The same as the role that owns the tables. Rejects when DATABASE_OWNER_URL is needed for it. */
  asOwner<T>(work: (owner: pg.Client) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new PrimaryClient({ connectionString: url, keepAlive: true });
  // The next query rejects as well; without a listener a lost connection would end the process.
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function connected<T>(
  url: string,
  work: (client: pg.Client, open: () => Promise<pg.Client>) => Promise<T>,
): Promise<T> {
  const client = await connect(url);
  return work(client, () => connect(url)).finally(() => client.end());
}

/** What operators changed in the database. */
export async function storedValues(
  pool: pg.Pool,
  environment: NodeJS.ProcessEnv,
): Promise<LiveValues> {
  const effective = await readEffectiveSettings(pool, environment);
  const value = (name: LiveSettingName) =>
    effective.find((setting) => setting.name === name)?.value ?? "";
  replaceBrandNames(brandNamesOf(value));
  return { value, environment };
}

/** Opens the whole installation on its migrated database. */
export async function openInstallation(
  settings: Settings,
  environment: NodeJS.ProcessEnv,
): Promise<OpenInstallation> {
  const endings: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of endings.splice(0).reverse()) await end();
  };
  try {
    const migrated = await openMigratedPool(settings);
    const { pool, databaseUrl, ownerUrl, dataFolder, close: closePool } = migrated;
    endings.push(closePool);
    const database = connectDatabase(databaseUrl, 2);
    endings.push(() => database.$disconnect());
    const ledger = await createLedger({
      databaseUrl,
      spoolFolder: join(dataFolder, "spool"),
      role: "tool",
    });
    endings.push(() => ledger.close());
    const asOwner: OpenInstallation["asOwner"] = async (work) => {
      if (!(await ownsLedgerTables(ownerUrl)))
        throw new Error(
          "Only the role that owns the tables may do this: set DATABASE_OWNER_URL to its address.",
        );
      return connected(ownerUrl, work);
    };
    const live = await storedValues(pool, environment);
    return {
      settings: withLive(settings, live.value),
      live,
      environment,
      database,
      pool,
      ledger,
      secrets: () => openSecrets(settings),
      patiently: (work) => connected(databaseUrl, work),
      asOwner,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
