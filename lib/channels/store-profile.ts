import type pg from "pg";
import type { ChannelProfile } from "../contract/channel-profile";
import type { ChannelRow } from "./channel-registry";

const store = `
update channel set profile = coalesce(profile, '{}') || $6::jsonb, profiled_at = now()
 where id = $1 and archived_at is null and protocol = $2 and base_url = $3
   and credential_nonce is not distinct from $4 and models = $5::jsonb`;

/**
 * Stores what was found out about the channel as it was read before the test. What could not be found
 * out this time stays as it was. False when nothing was found out, or when the channel was changed
 * since: what was found out is then not of this channel.
 */
export async function storeProfile(
  client: pg.ClientBase,
  { id, protocol, base_url, credential_nonce, models }: ChannelRow,
  found: ChannelProfile | null,
): Promise<boolean> {
  const text = JSON.stringify(found ?? {});
  if (text === "{}") return false;
  const row = [id, protocol, base_url, credential_nonce, JSON.stringify(models)];
  const { rowCount } = await client.query(store, [...row, text]);
  return rowCount === 1;
}
