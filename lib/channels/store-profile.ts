import type pg from "pg";
import type { ChannelProfile } from "../contract/channel-profile";
import type { ChannelRow } from "./channel-registry";

const store = `
update channel set profiled_at = now(), profile = (coalesce(profile, '{}') #- array['caps', $7]) || $6::jsonb
    || jsonb_build_object('reads', coalesce(profile -> 'reads', '{}')
      || jsonb_build_object($7::text, coalesce(profile -> 'reads' -> $7, '{}') || $8::jsonb))
 where id = $1 and archived_at is null and protocol = $2 and base_url = $3
   and credential_nonce is not distinct from $4 and models = $5::jsonb`;

/**
 * Stores what was found out about the channel as it was read before the test. What could not be found
 * out this time stays as it was; a cap that its upstream took is forgotten. False when nothing was found out, or when the channel was changed
 * since: what was found out is then not of this channel.
 */
export async function storeProfile(
  client: pg.ClientBase,
  { id, protocol, base_url, credential_nonce, models }: ChannelRow,
  found: ChannelProfile | null,
  model: string,
): Promise<boolean> {
  const { reads = {}, ...parts } = found ?? {};
  const texts = [JSON.stringify(parts), model, JSON.stringify(reads[model] ?? {})];
  if (texts[0] === "{}") return false;
  const row = [id, protocol, base_url, credential_nonce, JSON.stringify(models)];
  const { rowCount } = await client.query(store, [...row, ...texts]);
  return rowCount === 1;
}
