/** One process at a time writes archives, or drops what is in them. */
import type pg from "pg";
import { RelayError } from "../failures/relay-error";

const ARCHIVE_LOCK = 7_340_215;

/** Rejects with `service_busy` while another process is at it. */
export async function asOnlyArchive<T>(
  client: Pick<pg.ClientBase, "query">,
  work: () => Promise<T>,
): Promise<T> {
  const { rows } = await client.query<{ ok: boolean }>("select pg_try_advisory_lock($1) as ok", [
    ARCHIVE_LOCK,
  ]);
  if (!rows[0]?.ok)
    throw new RelayError("service_busy", {
      message: "Another process is archiving.",
      retryAfterSeconds: 10,
    });
  try {
    return await work();
  } finally {
    await client.query("select pg_advisory_unlock($1)", [ARCHIVE_LOCK]).catch(() => {});
  }
}
