/**
 * Rows of files that were stored during a database outage. They are kept on disk until the database
 * has them, also after a restart.
 */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { isOutage } from "../db/database-errors";

interface MediaRow {
  readonly id: string;
  readonly accountId: string;
  readonly kind: string;
  readonly extension: string;
  readonly contentType: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly bytes: number;
  /** ISO 8601. */
  readonly expiresAt: string;
}

export interface UnwrittenRows {
  /** Keeps the row of a complete file; when it resolves, the row is on disk. */
  keep(row: MediaRow): Promise<void>;
  /** Writes the kept rows to the database; returns how many. Rejects while the database is away. */
  write(): Promise<number>;
}

const suffix = ".row.json";

/** Processes may share the folder: writing a row twice does no harm. */
export function openUnwrittenRows(pool: pg.Pool, folder: string): UnwrittenRows {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    async keep(row) {
      const path = join(folder, row.id + suffix);
      const part = await open(`${path}.part`, "wx", 0o600);
      try {
        await part.writeFile(JSON.stringify(row));
        await part.sync();
      } finally {
        await part.close();
      }
      await rename(`${path}.part`, path);
      const own = await open(folder, "r");
      await own.sync().finally(() => own.close());
    },
    async write() {
      const names = readdirSync(folder).filter((name) => name.endsWith(suffix));
      for (const name of names) {
        const path = join(folder, name);
        await pool.query(
          `insert into media (id, account_id, kind, extension, content_type, width, height, bytes, stored_at, expires_at)
           select r."id", r."accountId", r."kind", r."extension", r."contentType", r."width", r."height", r."bytes", now(), r."expiresAt"
             from json_to_record($1) as r("id" text, "accountId" text, "kind" text, "extension" text, "contentType" text, "width" integer,
                                          "height" integer, "bytes" bigint, "expiresAt" timestamptz)
           on conflict (id) do update set bytes = excluded.bytes, stored_at = now() where media.stored_at is null`,
          [readFileSync(path, "utf8")],
        );
        await rm(path, { force: true });
      }
      return names.length;
    },
  };
}

/**
 * True when the statement ran; false when the database gave no answer. Throws what the database
 * refused.
 */
export async function reachedDatabase(query: Promise<unknown>): Promise<boolean> {
  try {
    await query;
    return true;
  } catch (error) {
    if (isOutage(error)) return false;
    throw error;
  }
}
