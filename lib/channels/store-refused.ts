import type pg from "pg";
import type { Refused } from "../contract/channel-profile";
import type { Channel } from "../upstream/provider";

/** Members of the profile, and of what it says of the model. */
const store = `
update channel set profile = coalesce(profile, '{}') || $5::jsonb
    || jsonb_build_object('reads', coalesce(profile -> 'reads', '{}')
      || jsonb_build_object($2::text, coalesce(profile -> 'reads' -> $2, '{}') || $6::jsonb))
    || case when $7::jsonb = '{}' then '{}'
         else jsonb_build_object('caps', coalesce(profile -> 'caps', '{}') || $7::jsonb) end
 where id = $1 and archived_at is null and protocol = $3 and base_url = $4
   and not (coalesce(profile, '{}') @> $5::jsonb
     and coalesce(profile -> 'reads' -> $2, '{}') @> $6::jsonb
     and coalesce(profile -> 'caps', '{}') @> $7::jsonb)`;

/**
 * Stores what a channel's upstream refused of a request for a model, unless that is known. All processes
 * learn it as they learn of any change of a channel.
 */
export async function storeRefused(
  pool: Pick<pg.Pool, "query">,
  { id, protocol, baseUrl }: Channel,
  model: string,
  { unread, cap }: Refused,
): Promise<void> {
  // Where streams have no options, they are made from whole answers, which carry usage.
  const parts = unread.includes("stream_options") ? { streamUsage: false } : {};
  const reads = unread.filter((name) => name !== "stream_options").map((name) => [name, false]);
  const values = [parts, Object.fromEntries(reads), cap === null ? {} : { [model]: cap }];
  const texts = values.map((value) => JSON.stringify(value));
  await pool.query(store, [id, model, protocol, baseUrl, ...texts]);
}
