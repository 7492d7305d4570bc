import type pg from "pg";
import { openDataFolder } from "@/lib/data-folder";
import { openDatabase } from "@/lib/db/open";
import { openPool } from "@/lib/db/pool";
import { seedPrices } from "@/lib/price-book/set-price";
import type { Settings } from "@/lib/settings";
import { projectFolder } from "./project-folder";

export interface MigratedPool {
  readonly pool: pg.Pool;
  readonly databaseUrl: string;
  /** Where the installation keeps what is not in its database. */
  readonly dataFolder: string;
  close(): Promise<void>;
}

/**
 * Opens the database the server uses, whether or not it runs: the one of DATABASE_URL, else the
 * embedded one, migrated.
 */
export async function openMigratedPool(settings: Settings): Promise<MigratedPool> {
  const { path: dataFolder } = openDataFolder(settings.RELAY_DATA_DIR);
  const { url: databaseUrl, close: leave } = await openDatabase(settings, projectFolder);
  const pool = openPool(databaseUrl, 2);
  const close = async () => {
    await pool.end();
    await leave();
  };
  try {
    await seedPrices(pool);
    return { pool, databaseUrl, dataFolder, close };
  } catch (error) {
    await close();
    throw error;
  }
}
