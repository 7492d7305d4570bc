import type pg from "pg";
import { replaceCatalogue } from "@/lib/catalog/models";
import { openDatabase } from "@/lib/db/open";
import { openPool } from "@/lib/db/pool";
import { readCatalogue } from "@/lib/model-book/read-models";
import { seedPrices } from "@/lib/price-book/set-price";
import { openDataFolder } from "@/lib/process/data-folder";
import type { Settings } from "@/lib/settings/settings";
import { projectFolder } from "./project-folder";

export interface MigratedPool {
  readonly pool: pg.Pool;
  readonly databaseUrl: string;
  /** For the role that owns the tables. */
  readonly ownerUrl: string;
  /** The folder for everything outside of the database. */
  readonly dataFolder: string;
  close(): Promise<void>;
}

/**
 * Opens the server's database, whether or not the server is running: that of DATABASE_URL, else the
 * embedded one, migrated.
 */
export async function openMigratedPool(settings: Settings): Promise<MigratedPool> {
  const { path: dataFolder } = openDataFolder(settings.RELAY_DATA_DIR);
  const server = await openDatabase(settings, projectFolder);
  const { url: databaseUrl, ownerUrl, close: leave } = server;
  const pool = openPool(databaseUrl, 2);
  const close = async () => {
    await pool.end();
    await leave();
  };
  try {
    await seedPrices(pool);
    replaceCatalogue(await readCatalogue(pool));
    return { pool, databaseUrl, ownerUrl, dataFolder, close };
  } catch (error) {
    await close();
    throw error;
  }
}
