import { join } from "node:path";
import pg from "pg";
import type { LiveSettingName } from "@/lib/contract/states";
import { connectDatabase, type Database } from "@/lib/db/client";
import { createLedger, type OpenLedger } from "@/lib/ledger/ledger";
import { withLive } from "@/lib/live-settings/effective";
import { readEffectiveSettings } from "@/lib/live-settings/live-settings";
import { openSecrets, type Secrets } from "@/lib/secrets";
import type { Settings } from "@/lib/settings";
import { openMigratedPool } from "./open-pool";

/** The installation, as commands use it. */
export interface OpenInstallation {
  /** Includes the settings that operators changed in the database. */
  readonly settings: Settings;
  readonly environment: NodeJS.ProcessEnv;
  readonly database: Database;
  readonly pool: pg.Pool;
  readonly ledger: OpenLedger;
  /** The installation's secrets, created if there are none yet. */
  secrets(): Secrets;
  /** Runs `work` on a connection without a statement timeout. `open` opens another one, which `work` ends. */
  patiently<T>(work: (client: pg.Client, open: () => Promise<pg.Client>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
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
    const { pool, databaseUrl, dataFolder, close: closePool } = await openMigratedPool(settings);
    endings.push(closePool);
    const database = connectDatabase(databaseUrl, 2);
    endings.push(() => database.$disconnect());
    const ledger = await createLedger({
      databaseUrl,
      spoolFolder: join(dataFolder, "spool"),
      role: "tool",
    });
    endings.push(() => ledger.close());
    const open = async () => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      return client;
    };
    const patiently: OpenInstallation["patiently"] = async (work) => {
      const client = await open();
      return work(client, open).finally(() => client.end());
    };
    const effective = await readEffectiveSettings(pool, environment);
    const present = (name: LiveSettingName) =>
      effective.find((setting) => setting.name === name)?.value ?? "";
    return {
      settings: withLive(settings, present),
      environment,
      database,
      pool,
      ledger,
      secrets: () => openSecrets(settings),
      patiently,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
