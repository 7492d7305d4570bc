/** A database of release 0.1.0 with everything that an installation of many months has. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeRequestsBefore } from "@/testing/db/release-before-dump";
import { openReleaseBefore, type ReleaseBefore } from "../db/release-before";
import { connect } from "../ledger/test-ledger";

const history = readFileSync(join(import.meta.dirname, "history.sql"), "utf8");

export async function openHistoryBefore(): Promise<ReleaseBefore> {
  const release = await openReleaseBefore();
  const owner = await connect(release.ownerUrl);
  await owner.query(history.replaceAll("{write}", () => writeRequestsBefore));
  await owner.end();
  return release;
}
