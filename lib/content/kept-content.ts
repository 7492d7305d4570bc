/** What was kept of a request: read and removed by whoever may read its result. */
import type pg from "pg";
import { unseal } from "../crypto/seal";
import type { Secrets } from "../crypto/secrets";
import { type OrderReader, readableBy, readerValues } from "../db/order-readers";
import { fittingKey } from "../stored-responses/account-key";
import { boundTo, type ContentPart } from "./content-keeper";

export interface KeptContent {
  /** Null where there was none, or where it was too long. */
  readonly input: string | null;
  readonly output: string | null;
  readonly expiresAt: Date;
}

interface NamedContent {
  readonly operationId: string;
  readonly accountId: string;
  /** Null for whoever may read every result of the account. */
  readonly reader: OrderReader | null;
}

interface SealedRow {
  readonly input: Buffer | null;
  readonly output: Buffer | null;
  readonly expiresAt: Date;
  readonly key: Buffer;
}

const order = {
  accountId: "c.account_id",
  apiKeyId: "c.api_key_id",
  userId: "c.user_id",
  model: "c.model",
} as const;

/** `$1`: the request, `$2`: the account, then who reads. */
function conditionOf({ operationId, accountId, reader }: NamedContent) {
  const own = reader === null ? "" : ` and ${readableBy(order, 3)}`;
  return {
    sql: `c.operation_id = $1 and c.account_id = $2 and c.expires_at > now()${own}`,
    values: [operationId, accountId, ...(reader === null ? [] : readerValues(reader))],
  };
}

/** Null where nothing is kept, or where it cannot be decrypted. */
export async function findContent(
  { pool, secrets }: { readonly pool: pg.Pool; readonly secrets: Secrets },
  named: NamedContent,
): Promise<KeptContent | null> {
  const { sql, values } = conditionOf(named);
  const { rows } = await pool.query<SealedRow>(
    `select c.input, c.output, c.expires_at as "expiresAt", a.sealed_key as key
       from request_content c join response_account a using (account_id) where ${sql}`,
    values,
  );
  const [row] = rows;
  if (row === undefined) return null;
  const key = fittingKey(secrets, named.accountId, row.key);
  if (key === null) return null;
  const read = (part: ContentPart) => {
    const sealed = row[part];
    return sealed && unseal(key, boundTo(named.operationId, part), sealed);
  };
  try {
    return { input: read("input"), output: read("output"), expiresAt: row.expiresAt };
  } catch {
    return null;
  }
}

/** Returns whether there was one. */
export async function removeContent(pool: pg.Pool, named: NamedContent): Promise<boolean> {
  const { sql, values } = conditionOf(named);
  const { rowCount } = await pool.query(`delete from request_content c where ${sql}`, values);
  return (rowCount ?? 0) > 0;
}
