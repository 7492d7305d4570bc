/** What one process of a test relay is connected to. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { type Changes, openChanges } from "@/lib/db/changes";
import { connectDatabase, type Database } from "@/lib/db/client";
import { openPool } from "@/lib/db/pool";
import { createLedger, type LedgerOptions, type OpenLedger } from "@/lib/ledger/ledger";
import { changesForOne, type Lent, lend } from "../db/lent";
import { createTestDatabase } from "../db/test-database";
import { type Seeded, seed } from "./seed";

export interface Connections {
  readonly seeded: Seeded;
  readonly ledger: OpenLedger;
  readonly pool: pg.Pool;
  readonly database: Database;
  readonly changes: Changes;
  /** Closes them, or leaves them to the next relay. */
  close(): Promise<unknown>;
}

export interface ConnectionOptions {
  /** Maps the database's address to the one the relay connects to, such as a proxy's. */
  readonly through?: (databaseUrl: string) => Promise<string>;
  readonly ledgerTimings?: LedgerOptions["timings"];
}

async function connectTo(
  seeded: Seeded,
  { through, ledgerTimings: timings }: ConnectionOptions = {},
): Promise<Connections> {
  const url = through ? await through(seeded.url) : seeded.url;
  const spoolFolder = mkdtempSync(join(tmpdir(), "relay-spool-"));
  const ledger = await createLedger({ databaseUrl: url, spoolFolder, timings });
  const pool = openPool(url, 4);
  const database = connectDatabase(url, 2);
  const changes = await openChanges(url);
  return {
    ...{ seeded, ledger, pool, database, changes },
    async close() {
      await Promise.all([ledger.close(), changes.close()]);
      await Promise.all([pool.end(), database.$disconnect()]);
      rmSync(spoolFolder, { recursive: true, force: true });
    },
  };
}

/** By the address of their database. */
const lent = new Map<string, Lent<Connections>>();

/** Connections to the database of `beside`. That one is closed afterwards, not lent again. */
export function openConnectionsBeside(
  beside: Seeded,
  options: ConnectionOptions,
): Promise<Connections> {
  const its = lent.get(beside.url);
  if (its) its.isSpoiled = true;
  return connectTo(beside, options);
}

/** Connections to an empty database. `isOwn`: to a new one, which is dropped at the end of the file. */
export async function openConnections(
  options: ConnectionOptions,
  isOwn: boolean,
): Promise<Connections> {
  if (isOwn || options.through || options.ledgerTimings)
    return connectTo(await seed(await createTestDatabase()), options);
  const one = await lend("a relay", async (url) => connectTo(await seed(url)));
  const { url } = one.part.seeded;
  lent.set(url, one);
  const changes = changesForOne(one.part.changes);
  return {
    ...one.part,
    changes,
    async close() {
      await changes.close();
      lent.delete(url);
      await one.giveBack();
    },
  };
}
