import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import type { LiveSettingName } from "@/lib/contract/states";
import { openDataFolder } from "@/lib/data-folder";
import { connectDatabase, type Database } from "@/lib/db/client";
import { openDatabase } from "@/lib/db/open";
import { openPool } from "@/lib/db/pool";
import { createLedger, type OpenLedger } from "@/lib/ledger/ledger";
import { withLive } from "@/lib/live-settings/effective";
import { readEffectiveSettings } from "@/lib/live-settings/live-settings";
import { seedPrices } from "@/lib/price-book/set-price";
import { openSecrets, type Secrets } from "@/lib/secrets";
import type { Settings } from "@/lib/settings";

/** The installation as a command works on it. */
export interface Opened {
  /** With what operators set in the database. */
  readonly settings: Settings;
  readonly database: Database;
  readonly pool: pg.Pool;
  readonly ledger: OpenLedger;
  /** The installation's secrets; made when there is none yet. */
  secrets(): Secrets;
  /** Runs `work` on a connection without a time limit. */
  patiently<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Both `cli/main.ts` and its bundle lie one folder below it. */
export const projectFolder = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Opens the database the server uses, whether or not it runs: the one of DATABASE_URL, else the embedded one, migrated. */
export async function openInstallation(settings: Settings): Promise<Opened> {
  const endings: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of endings.splice(0).reverse()) await end();
  };
  try {
    const data = openDataFolder(settings.RELAY_DATA_DIR);
    const { url: databaseUrl, close: leave } = await openDatabase(settings, projectFolder);
    endings.push(leave);
    const pool = openPool(databaseUrl, 2);
    endings.push(() => pool.end());
    await seedPrices(pool);
    const database = connectDatabase(databaseUrl, 2);
    endings.push(() => database.$disconnect());
    const ledger = await createLedger({ databaseUrl, spoolFolder: join(data.path, "spool"), role: "tool" });
    endings.push(() => ledger.close());
    const patiently: Opened["patiently"] = async (work) => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      return work(client).finally(() => client.end());
    };
    const effective = await readEffectiveSettings(pool, process.env);
    const present = (name: LiveSettingName) => effective.find((setting) => setting.name === name)?.value ?? "";
    return {
      settings: withLive(settings, present),
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
