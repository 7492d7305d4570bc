/** A database of release 0.1.0, which pg_dump made: the last with the migrations of before. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { APPLICATION_ROLE } from "@/lib/db/embedded";
import { applyMigrations } from "@/lib/db/migrate";
import { createTestDatabase, ownerUrlOf } from "./test-database";

export interface ReleaseBefore {
  /** For the product's role. */
  readonly url: string;
  readonly ownerUrl: string;
  /** Brings it to this release; returns the names of the migrations that it then has. */
  upgrade(): Promise<string[]>;
}

export async function openReleaseBefore(): Promise<ReleaseBefore> {
  const url = await createTestDatabase("template1");
  const ownerUrl = ownerUrlOf(url);
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  const dump = gunzipSync(readFileSync(join(import.meta.dirname, "release-0.1.0.sql.gz")));
  await owner.query(dump.toString());
  await owner.end();
  const upgrade = () =>
    applyMigrations(ownerUrl, join(import.meta.dirname, "../.."), {
      applicationRole: APPLICATION_ROLE,
    });
  return { url, ownerUrl, upgrade };
}
