/** What moved here from other relays, and what an account used there. */
import type { Reader } from "../db/pool";

export interface MovedSource {
  readonly name: string;
  readonly product: string;
  readonly quotaPerPoint: string;
  readonly createdAt: Date;
  /** How many rows of each kind moved. */
  readonly moved: Readonly<Record<string, number>>;
  readonly requests: string;
  /** As the source counts it. */
  readonly quota: string;
}

const sources = `
  select s.name, s.product, s.quota_per_point as "quotaPerPoint", s.created_at as "createdAt",
    coalesce((select json_object_agg(kind, n) from (select kind, count(*) n from import_row r where r.source = s.name group by 1) k), '{}') as moved,
    coalesce(u.requests, 0)::text as requests, coalesce(u.quota, 0)::text as quota
  from import_source s
  left join (select source, sum(requests) as requests, sum(quota) as quota from import_usage group by 1) u on u.source = s.name
  order by s.created_at, s.name limit 100`;

export const listMovedSources = async (reader: Reader): Promise<MovedSource[]> =>
  (await reader.query<MovedSource & Record<string, unknown>>(sources)).rows;

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
