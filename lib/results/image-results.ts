/**
 * The row of an ordered image: written when its points are held, completed when its file is stored.
 */
import type pg from "pg";
import type { StoredImage } from "./kept-settings";

export interface ImageSpec {
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
  /** The ratio that the request named; null when it named a size. */
  readonly ratio: string | null;
  readonly seed: number | null;
  /** Absent for a model without qualities. */
  readonly quality?: string;
  readonly pictures: readonly StoredImage[];
}

export interface ImageOrdered {
  readonly operationId: string;
  readonly spec: ImageSpec;
}

/**
 * Writes the row of a request that holds points; with `result` once the file is stored. Safe to
 * repeat.
 */
export async function noteImage(
  pool: pg.Pool,
  { operationId, spec }: ImageOrdered,
  result: { readonly mediaId: string; readonly expiresAt: Date } | null,
): Promise<void> {
  await pool.query(
    `insert into image_result (id, operation_id, account_id, model, spec, created_at, media_id, result_expires_at)
     select request_id, id, account_id, model, $2, created_at, $3, $4 from request_known where id = $1
     on conflict (operation_id) do update set media_id = excluded.media_id, result_expires_at = excluded.result_expires_at
       where excluded.media_id is not null`,
    [operationId, JSON.stringify(spec), result?.mediaId ?? null, result?.expiresAt ?? null],
  );
}

/** An image that was charged and whose file exists. */
export interface PaidImage {
  readonly file: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  readonly expiresAt: Date;
  readonly settledAt: Date;
  /** Micropoints. */
  readonly amount: bigint;
}

export async function findPaidImage(pool: pg.Pool, operationId: string): Promise<PaidImage | null> {
  const { rows } = await pool.query<Omit<PaidImage, "amount"> & { amount: string }>(
    `select m.id || '.' || m.extension as file, m.bytes::float8 as bytes, m.width, m.height, i.result_expires_at as "expiresAt",
            r.ended_at as "settledAt", r.amount
       from image_result i join media m on m.id = i.media_id and m.stored_at is not null and m.deleted_at is null
       join request r on r.id = i.operation_id and r.outcome = 'settled' where i.operation_id = $1`,
    [operationId],
  );
  const row = rows[0];
  return row ? { ...row, amount: BigInt(row.amount) } : null;
}
