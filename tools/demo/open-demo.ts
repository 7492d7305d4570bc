/** The parts of the product that write the demo, on a database of the demo's own. */
import { join } from "node:path";
import pg from "pg";
import { openSecrets, type Secrets } from "@/lib/crypto/secrets";
import { connectDatabase, type Database } from "@/lib/db/client";
import { openDatabase } from "@/lib/db/open";
import { createLedger, type OpenLedger } from "@/lib/ledger/ledger";
import type { MediaStore } from "@/lib/media/media-store";
import { openMedia } from "@/lib/media/open-media";
import { log } from "@/lib/process/log";
import { readSettings, type Settings } from "@/lib/settings/settings";
import { type PastClock, startPastClock } from "./clock";
import { HISTORY_DAYS } from "./times";

/** The ledger's lease is renewed by time, which passes in leaps here. */
const LEASE_SECONDS = (HISTORY_DAYS + 30) * 86_400;
const NEVER_MS = 2 ** 31 - 1;
const PATIENCE_MS = 60_000;
/** No client is waiting, so the time limits are long enough for a busy machine. */
const patient = {
  holdPatienceMs: PATIENCE_MS,
  holdPatienceInFlightMs: PATIENCE_MS,
  endPatienceMs: PATIENCE_MS,
  batchPatienceMs: PATIENCE_MS,
};

export interface OpenDemo {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly settings: Settings;
  readonly clock: PastClock;
  readonly pool: pg.Pool;
  readonly database: Database;
  readonly ledger: OpenLedger;
  readonly secrets: Secrets;
  readonly media: MediaStore;
  /** Of the role that owns the database, with the clock's time. */
  readonly owner: pg.Client;
  /** Ends everything, and returns the database to the real time. */
  close(): Promise<void>;
}

/**
 * The settings of a demo. The environment and `.env` are not read: they may name the database of
 * customers.
 */
export const demoSettings = (folder: string): Settings => readSettings({ RELAY_DATA_DIR: folder });

/**
 * While the history is written, no commit has to survive a crash: the demo would be written anew.
 * Waiting for the disk would take most of the time.
 */
async function setDurable(owner: pg.Client, isDurable: boolean): Promise<void> {
  await owner.query(isDurable ? "alter system reset fsync" : "alter system set fsync = off");
  await owner.query("select pg_reload_conf()");
  if (isDurable) await owner.query("checkpoint");
}

/** Opens the demo's database, new and empty, with its clock at `time`. */
export async function openDemo(
  folder: string,
  projectFolder: string,
  time: number,
): Promise<OpenDemo> {
  const settings = demoSettings(folder);
  const endings: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of endings.splice(0).reverse()) await end();
  };
  try {
    const {
      url,
      ownerUrl,
      applicationRole,
      close: leave,
    } = await openDatabase(settings, projectFolder);
    endings.push(leave);
    if (applicationRole === undefined) throw new Error("the demo's database has no owner");
    const owner = new pg.Client({ connectionString: ownerUrl });
    await owner.connect();
    endings.push(() => owner.end());
    await setDurable(owner, false);
    endings.push(() => setDurable(owner, true));
    const clock = await startPastClock(owner, applicationRole, time, projectFolder);
    endings.push(clock.stop);
    const pool = new pg.Pool({ connectionString: url, max: 4 });
    endings.push(() => pool.end());
    const database = connectDatabase(url, 2);
    endings.push(() => database.$disconnect());
    const ledger = await createLedger({
      databaseUrl: url,
      spoolFolder: join(folder, "spool"),
      timings: { leaseSeconds: LEASE_SECONDS, heartbeatMs: NEVER_MS, ...patient },
      log: (event, detail) => log.warn({ event, detail }, "ledger"),
    });
    endings.push(() => ledger.close());
    const secrets = openSecrets(settings);
    const reportProblem = (err: unknown) => log.warn({ err }, "the demo's results");
    const { publicUrl } = settings;
    const stored = { pool, secrets, publicUrl, dataFolder: folder, s3: null, reportProblem };
    const results = await openMedia(stored);
    endings.push(results.close);
    const { media } = results;
    const parts = { clock, owner, pool, database, ledger, secrets, media };
    return { folder, databaseUrl: url, settings, ...parts, close };
  } catch (error) {
    await close();
    throw error;
  }
}
