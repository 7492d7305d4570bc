/** What is left of our own accounts at upstreams. Read-only. */
import type { z } from "zod";
import type { upstreamEndpoints } from "../contract/operator-upstream";
import type { Reader } from "../db/pool";
import { formatPoints } from "../money/points";
import type { Stored } from "./stored";

type Balances = z.input<(typeof upstreamEndpoints)["listUpstreamBalances"]["answer"]>["balances"];

type Row = Stored<
  Omit<Balances[number], "balance" | "credential">,
  never,
  "readAt" | "lowSince"
> & { readonly credential: string; readonly amount: string | null };

/** A credential that the channel has no more is read no more, and shown for two days. */
const rowsShown = `
select b.channel_id as "channelId", c.name as channel, b.credential, b.amount::text, b.currency, b.read_at as "readAt", b.failed,
       a.alarm_below::text as "alarmBelow", b.low_since as "lowSince"
  from upstream_balance b join channel c on c.id = b.channel_id and c.archived_at is null
  left join upstream_balance a on a.channel_id = b.channel_id and a.credential = ''
 where b.next_at > now() - interval '2 days'
   and (b.credential <> '' or b.read_at is not null or b.failed is not null or b.alarm_below is not null)
 order by c.name, b.credential limit 2000`;

const money = (millionths: string | null) =>
  millionths === null ? null : formatPoints(BigInt(millionths));

/** By channel and credential. */
export async function listUpstreamBalances(pool: Reader): Promise<Balances> {
  const { rows } = await pool.query<Row>(rowsShown);
  return rows.map(({ credential, amount, readAt, alarmBelow, lowSince, ...row }) => ({
    ...row,
    credential: credential || null,
    balance: money(amount),
    alarmBelow: money(alarmBelow),
    readAt: readAt?.toISOString() ?? null,
    lowSince: lowSince?.toISOString() ?? null,
  }));
}
