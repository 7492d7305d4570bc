/** What moved here from other relays, and what an account used there. */
import type { ImportView } from "../contract/operator-imports";
import type { Reader } from "../db/pool";

type Kind = "user" | "key" | "group" | "channel" | "model" | "voucher";

interface SourceRow {
  readonly name: string;
  readonly product: string;
  readonly rate: string;
  readonly created_at: Date;
  /** How many rows of each kind moved. */
  readonly moved: Readonly<Partial<Record<Kind, number>>>;
  readonly requests: string | null;
}

const SOURCES_MAX = 100;

export async function listMovedSources(reader: Reader): Promise<ImportView[]> {
  const { rows } = await reader.query<SourceRow & Record<string, unknown>>(
    `select s.name, s.product, s.quota_per_point::text as rate, s.created_at, coalesce(m.moved, '{}') as moved,
            (select sum(requests)::text from import_usage u where u.source = s.name) as requests
       from import_source s
       left join (select source, json_object_agg(kind, n) as moved
                    from (select source, kind, count(*) as n from import_row group by 1, 2) k group by 1) m on m.source = s.name
      order by s.created_at, s.name limit ${SOURCES_MAX}`,
  );
  return rows.map(({ name, product, rate, created_at: createdAt, moved, requests }) => ({
    ...{ name, product, quotaPerPoint: rate, createdAt: createdAt.toISOString() },
    users: moved.user ?? 0,
    keys: moved.key ?? 0,
    groups: moved.group ?? 0,
    channels: moved.channel ?? 0,
    models: moved.model ?? 0,
    vouchers: moved.voucher ?? 0,
    requests: Number(requests ?? 0),
  }));
}

export interface MovedUsage {
  readonly source: string;
  readonly day: string;
  readonly model: string;
  readonly apiKeyId: string;
  readonly requests: string;
  readonly inputTokens: string;
  readonly outputTokens: string;
  readonly quota: string;
  /** Of the source, when the account moved. */
  readonly quotaPerPoint: string;
}

const DAYS_MAX = 1000;

/** What the account used before it moved, newest first: at most 1000 lines of a day, model and key. */
export const listMovedUsage = async (reader: Reader, accountId: string): Promise<MovedUsage[]> =>
  (
    await reader.query<MovedUsage & Record<string, unknown>>(
      `select u.source, u.day::text as day, u.model, u.api_key_id as "apiKeyId", u.requests::text, u.input_tokens::text as "inputTokens",
              u.output_tokens::text as "outputTokens", u.quota::text, s.quota_per_point::text as "quotaPerPoint"
         from import_usage u join import_source s on s.name = u.source
        where u.account_id = $1 order by u.day desc, u.model, u.api_key_id, u.source limit ${DAYS_MAX}`,
      [accountId],
    )
  ).rows;
