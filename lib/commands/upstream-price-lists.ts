/** Where upstreams' price lists are read, and taking over what they ask. */
import { recordAction } from "../accounts/actions";
import { channelRow } from "../channels/stored-channels";
import type { PriceListFormat } from "../contract/price-list-words";
import { storedRates } from "../contract/rates";
import { inTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import { digestOfRates } from "../price-book/listed-rates";
import { otherRates } from "../price-book/stored-price";
import type { CommandDeps } from "./command-deps";
import { noteUpstreamRates } from "./upstream-bills";

type Deps = Pick<CommandDeps, "pool">;

const refused = (param: string, message: string) =>
  new RelayError("invalid_value", { param, message });

/** The form of an address: http or https, without a user. */
function assertAddress(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === "") return;
  throw refused(
    "address",
    `address is ${JSON.stringify(address.slice(0, 60))}: send an http or https address without a user, such as https://example.com/prices.json.`,
  );
}

export interface PriceListSetting {
  readonly channelId: string;
  /** Null: no list is read, and what was read is forgotten. */
  readonly format: PriceListFormat | null;
  /** Null: where the channel's base URL has it. */
  readonly address: string | null;
  readonly currency: string;
}

/** Sets where a channel's price list is read; it is read soon. Rejects with `not_found`, `invalid_value`. */
export async function setPriceList(
  { pool }: Deps,
  actor: string,
  { channelId, format, address, currency }: PriceListSetting,
): Promise<void> {
  if (address !== null) assertAddress(address);
  await inTransaction(pool, async (client) => {
    await channelRow(client, channelId, "for share");
    await client.query("delete from upstream_price_list where channel_id = $1", [channelId]);
    if (format !== null)
      await client.query(
        "insert into upstream_price_list (channel_id, format, address, currency, set_by) values ($1, $2, $3, $4, $5)",
        [channelId, format, address, currency, actor],
      );
    const detail = format === null ? {} : { kind: format, address, currency };
    await recordAction(client, actor, "upstream.price_list", channelId, { detail });
  });
}

export interface AcceptedRates {
  readonly channelId: string;
  readonly model: string;
  /** Of the rates that were seen; absent for whatever was read last. */
  readonly digest?: string | undefined;
}

/**
 * Notes what the list asks for a model as the upstream's rates from now on. Rejects with `not_found`, and
 * with `changed_meanwhile` where the list asks something else than was seen.
 */
export async function acceptListedRates(
  deps: Deps,
  actor: string,
  { channelId, model, digest }: AcceptedRates,
): Promise<void> {
  const { rows } = await deps.pool.query<{ rates: unknown; currency: string }>(
    `select r.rates, l.currency from upstream_listed_rate r join upstream_price_list l using (channel_id)
      where r.channel_id = $1 and r.model = $2`,
    [channelId, model],
  );
  const [found] = rows;
  if (found === undefined)
    throw new RelayError("not_found", {
      message: `The price list of channel ${channelId} has no rates for ${model}.`,
    });
  const stored = storedRates.parse(found.rates);
  if (digest !== undefined && digest !== digestOfRates(stored))
    throw new RelayError("changed_meanwhile");
  await noteUpstreamRates(deps, actor, {
    channelId,
    model,
    currency: found.currency,
    rates: otherRates(stored),
    effectiveAt: new Date(),
  });
}
