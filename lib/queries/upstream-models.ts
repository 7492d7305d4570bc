import { channelOf } from "../channels/channel-registry";
import { readListed } from "../channels/listed-models";
import { channelRow } from "../channels/stored-channels";
import { RelayError } from "../failures/relay-error";
import type { Providers } from "../upstream/providers";
import type { QueryDeps } from "./query-deps";

/** Rejects with `not_found`, and with `upstream_failed` when the upstream gives no list. */
export async function listUpstreamModels(
  {
    pool,
    secrets,
    providers,
  }: Pick<QueryDeps, "pool" | "secrets"> & { readonly providers: Providers },
  channelId: string,
) {
  const row = await channelRow(pool, channelId);
  const entries = await providers.listModels(channelOf(row, secrets));
  if (entries !== null) return readListed(entries);
  const message = `The upstream of ${row.name} gives no list of its models: make them from files.`;
  throw new RelayError("upstream_failed", { message });
}
