/**
 * Brings a database of release 0.1.0 to this one, whose ledger has a row for each request in place
 * of two or three. All of this folder goes with the release after next.
 *
 * Nothing else writes from its beginning to its end. The old tables stay until the new ones were
 * compared with them, so until then the way back is the release before.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { log } from "../../process/log";
import { RELEASE_BEFORE } from "../baseline";
import { transact } from "../transaction";
import { statementsOf } from "./baseline-text";
import { begin, goBack, openAgain } from "./begin";
import { differences } from "./compare";
import { copyEnded, copyOpen, finishSums } from "./copy";

/** Drops what is old, and makes what a new database has. */
async function finish(client: pg.ClientBase, projectFolder: string): Promise<void> {
  await openAgain(client);
  const file = join(projectFolder, `lib/db/upgrade/release-${RELEASE_BEFORE}.sql`);
  await client.query(readFileSync(file, "utf8"));
  for (const statement of statementsOf(projectFolder, "create view ", "create type "))
    await client.query(statement);
}

export interface UpgradeOptions {
  /** Notes the migrations, in the last commit. */
  note(): Promise<void>;
  /** Requests that are copied in a transaction. */
  readonly piece?: number | undefined;
}

/** Under the lock of migrations, as the role that owns the tables. */
export async function upgrade(
  client: pg.ClientBase,
  projectFolder: string,
  { note, piece }: UpgradeOptions,
): Promise<void> {
  await client.query("set statement_timeout = 0");
  await begin(client, projectFolder);
  await finishSums(client);
  await copyEnded(client, piece);
  await copyOpen(client);
  const found = await differences(client);
  if (found.length > 0) {
    await goBack(client);
    throw new Error(
      `The copied ledger is not the one that was there, so the database is as before, and release ${RELEASE_BEFORE} can be started again: ${found.join("; ")}.`,
    );
  }
  await transact(client, async () => {
    await finish(client, projectFolder);
    await note();
  });
  log.info("upgrade: the database is of this release");
}
