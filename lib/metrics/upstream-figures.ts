/** What is left at upstreams, as metrics of the whole installation. */
import type { Reading } from "./registry";

export interface BalanceFigure {
  readonly channel: string;
  readonly credential: string;
  readonly currency: string;
  readonly millionths: number;
  readonly is_low: boolean;
}

/** SQL: the balances that are known, as one value. */
export const balanceFigures = `(select coalesce(json_agg(f), '[]') from (
    select c.name as channel, b.credential, b.currency, b.amount as millionths, b.low_since is not null as is_low
      from upstream_balance b join channel c on c.id = b.channel_id
     where b.amount is not null and c.archived_at is null and b.next_at > now() - interval '2 days'
     order by c.name, b.credential limit 1000) f)`;

const readings = (
  balances: readonly BalanceFigure[],
  value: (balance: BalanceFigure) => number,
): Reading[] =>
  balances.map((balance) => {
    const { channel, credential, currency } = balance;
    return { labels: { channel, credential, currency }, value: value(balance) };
  });

interface Balances {
  readonly balances: readonly BalanceFigure[];
}

export function addBalanceGauges(
  gauge: (name: string, help: string, read: (from: Balances) => Reading[]) => void,
): void {
  gauge(
    "relay_upstream_balance",
    "What is left of our own account at a channel's upstream, in its currency.",
    ({ balances }) => readings(balances, ({ millionths }) => millionths / 1e6),
  );
  gauge(
    "relay_upstream_balance_low",
    "1 while that is below the amount that an operator set.",
    ({ balances }) => readings(balances, ({ is_low }) => Number(is_low)),
  );
}
