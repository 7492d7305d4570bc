/** The price lists of upstreams, and where they ask something else than is noted. Read-only. */
import type { z } from "zod";
import type { upstreamEndpoints } from "../contract/operator-upstream";
import { type StoredRate, storedRates } from "../contract/rates";
import type { Reader } from "../db/pool";
import { formatPoints } from "../money/points";
import { digestOfRates, isSameRates } from "../price-book/listed-rates";
import type { Stored } from "./stored";

type Answer = z.input<(typeof upstreamEndpoints)["listUpstreamPriceLists"]["answer"]>;

type ListRow = Stored<Answer["lists"][number], never, "readAt">;

const lists = `
select l.channel_id as "channelId", c.name as channel, l.format, l.address, l.currency, l.read_at as "readAt", l.failed
  from upstream_price_list l join channel c on c.id = l.channel_id and c.archived_at is null
 order by c.name, c.id limit 1000`;

type ListedRow = Omit<
  Stored<Answer["differences"][number], never, "since">,
  "asked" | "noted" | "digest"
> & {
  readonly asked: unknown;
  readonly noted: unknown;
};

/** `noted`: the newest rates in the list's currency; null for none. */
const listed = `
select r.channel_id as "channelId", c.name as channel, r.model, l.currency, r.rates as asked, r.since,
       (select n.rates from upstream_rate n
         where n.channel_id = r.channel_id and n.model = r.model and n.currency = l.currency and n.effective_at <= now()
         order by n.effective_at desc limit 1) as noted
  from upstream_listed_rate r join upstream_price_list l using (channel_id)
  join channel c on c.id = r.channel_id and c.archived_at is null
 order by c.name, r.model limit 5000`;

const shown = (rates: readonly StoredRate[]) =>
  rates.map(({ amount, ...rate }) => ({ ...rate, points: formatPoints(BigInt(amount)) }));

/** The lists, and each model whose list asks something else than is noted. */
export async function listUpstreamPriceLists(pool: Reader): Promise<Answer> {
  const [known, rows] = await Promise.all([
    pool.query<ListRow>(lists),
    pool.query<ListedRow>(listed),
  ]);
  const differences = rows.rows.flatMap(({ asked, noted, since, ...row }) => {
    const [now, before] = [
      storedRates.parse(asked),
      noted === null ? null : storedRates.parse(noted),
    ];
    if (before !== null && isSameRates(now, before)) return [];
    const rates = { asked: shown(now), noted: before && shown(before) };
    return [{ ...row, ...rates, digest: digestOfRates(now), since: since.toISOString() }];
  });
  return {
    lists: known.rows.map(({ readAt, ...list }) => ({
      ...list,
      readAt: readAt?.toISOString() ?? null,
    })),
    differences,
  };
}
