import type pg from "pg";
import { holdOf, type SeededAccount } from "./test-ledger";

export interface Made {
  readonly model?: string;
  readonly family?: "text" | "video" | "image";
  readonly apiKeyId?: string | null;
  readonly ms?: number;
  readonly firstMs?: number | null;
}

/** Writes a request that was settled at a given time. */
export async function settleAt(
  client: pg.Client,
  account: SeededAccount,
  at: string,
  amount: number,
  made: Made = {},
): Promise<void> {
  const { operationId } = holdOf(account, 1n);
  const { model = "test-model", family = "text", apiKeyId = account.apiKeyId } = made;
  await client.query(
    `with ended as (
       insert into request (id, account_id, api_key_id, source, request_id, family, model, price_version_id, multiplier_ppm, quote_amount, hold_amount,
                            request_sha256, created_at, deadline, outcome, amount, input_tokens, output_tokens, usage, duration_ms, first_byte_ms, is_stream, ended_at)
       values ($1, $2, $3, 'api', 'req_old', $4, $5, $6, 1000000, $7, $7, $8, $9, $9::timestamptz + interval '1 hour', 'settled', $7, $7, 2, '{}', $10, $11::int, $11 is not null, $9) returning id, account_id)
     insert into usage_waiting (operation_id, account_id) select id, account_id from ended`,
    [
      operationId,
      account.accountId,
      apiKeyId,
      family,
      model,
      account.priceVersionId,
      amount,
      Buffer.alloc(32),
      at,
      made.ms ?? 5,
      made.firstMs ?? null,
    ],
  );
}
