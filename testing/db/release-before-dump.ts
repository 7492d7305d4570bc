/** A database of release 0.1.0, which pg_dump made: the last with the migrations of before. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type pg from "pg";

// Bundles lie as deep in the project as this file does.
const testing = join(import.meta.dirname, "../../testing");

/** Writes the requests of the temporary table `made_request` to such a database. */
export const writeRequestsBefore = readFileSync(
  join(testing, "upgrade/write-requests.sql"),
  "utf8",
);

/** Fills an empty database, as the role that owns the tables. */
export async function loadReleaseBefore(owner: pg.ClientBase): Promise<void> {
  await owner.query(gunzipSync(readFileSync(join(testing, "db/release-0.1.0.sql.gz"))).toString());
  // Its process was killed long ago. The dump leaves no schema to look in.
  await owner.query(
    "set search_path to default; update node set lease_until = now() where lease_until > now()",
  );
}
