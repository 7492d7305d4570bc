/**
 * The row of an ordered image: written when its points are held, completed when its file is stored.
 */
import type pg from "pg";
import type { ImageLayer } from "../contract/image-layer";
import type { ImageSettings } from "../upstream/media-provider";
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
  /** Absent for a size in pixels. */
  readonly sizeName?: string;
  /** The most images; absent for one. */
  readonly count?: number;
  /** The time of day of the order; absent where its price does not depend on it. */
  readonly time?: string;
  /** Absent where nothing but the size and the quality was chosen. */
  readonly settings?: ImageSettings;
  readonly pictures: readonly StoredImage[];
}

/** One of several ordered images: its stored file, or why it is missing. */
export type ImageItem =
  | { readonly media: string; readonly layer?: ImageLayer }
  | { readonly error: string };

export interface ImageOrdered {
  readonly operationId: string;
  readonly spec: ImageSpec;
}

/** The images of an order once they are stored: at least one is. */
export interface ImageNote {
  readonly items: readonly ImageItem[];
  readonly expiresAt: Date;
}

/** The first file, and what is stored of all where several were ordered. */
export function storedItems(items: readonly ImageItem[]): {
  /** Empty when there is none. */
  readonly mediaId: string;
  readonly items: readonly ImageItem[] | null;
} {
  const [first] = items.flatMap((item) => ("media" in item ? [item.media] : []));
  return { mediaId: first ?? "", items: items.length > 1 ? items : null };
}

/**
 * Writes the row of a request that holds points; with `result` once its files are stored. Safe to
 * repeat.
 */
export async function noteImage(
  pool: pg.Pool,
  { operationId, spec }: ImageOrdered,
  result: ImageNote | null,
): Promise<void> {
  const { mediaId, items } = storedItems(result?.items ?? []);
  await pool.query(
    `insert into image_result (id, operation_id, account_id, model, spec, created_at, media_id, result_expires_at, items)
     select request_id, id, account_id, model, $2, created_at, $3, $4, $5 from request_known where id = $1
     on conflict (operation_id) do update set media_id = excluded.media_id, result_expires_at = excluded.result_expires_at,
         items = excluded.items
       where excluded.media_id is not null`,
    [
      operationId,
      JSON.stringify(spec),
      mediaId || null,
      result?.expiresAt ?? null,
      items && JSON.stringify(items),
    ],
  );
}

/**
 * The images of a row of `image_result`, in their order: each one's file, or why it is missing. A file that is not
 * complete, or removed, is null.
 */
export const itemsOf = (
  row: string,
) => `(select jsonb_agg(case when e.item ? 'error' then jsonb_build_object('error', e.item ->> 'error')
      else jsonb_build_object('file', m.id || '.' || m.extension, 'bytes', m.bytes, 'width', m.width, 'height', m.height, 'layer', e.item -> 'layer') end order by e.at)
    from jsonb_array_elements(coalesce(${row}.items, jsonb_build_array(jsonb_build_object('media', ${row}.media_id)))) with ordinality e(item, at)
      left join media m on m.id = e.item ->> 'media' and m.stored_at is not null and m.deleted_at is null)`;

interface PaidFile {
  readonly file: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  readonly layer: ImageLayer | null;
}

/** Images that were charged and whose files exist. */
export interface PaidImages {
  readonly items: readonly (PaidFile | { readonly error: string })[];
  readonly expiresAt: Date;
  readonly settledAt: Date;
  readonly model: string;
  /** Micropoints. */
  readonly amount: bigint;
}

type PaidRow = Omit<PaidImages, "amount" | "items"> & {
  readonly amount: string;
  readonly items: readonly (
    | { readonly [Name in keyof PaidFile]: PaidFile[Name] | null }
    | { readonly error: string }
  )[];
};

const isWhole = (item: PaidRow["items"][number]): item is PaidFile | { readonly error: string } =>
  "error" in item || item.file !== null;

/** Null when one of the files is no longer stored. */
export async function findPaidImages(
  pool: pg.Pool,
  operationId: string,
): Promise<PaidImages | null> {
  const { rows } = await pool.query<PaidRow>(
    `select ${itemsOf("i")} as items, i.result_expires_at as "expiresAt", r.ended_at as "settledAt", r.amount, r.model
       from image_result i join request r on r.id = i.operation_id and r.outcome = 'settled'
      where i.operation_id = $1 and i.media_id is not null`,
    [operationId],
  );
  const [row] = rows;
  const items = row?.items.filter(isWhole);
  if (!row || items?.length !== row.items.length) return null;
  return { ...row, items, amount: BigInt(row.amount) };
}
