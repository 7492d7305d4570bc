/** What an edit of a model is based on, so that two operators do not overwrite each other. */

import type { Reader } from "../db/pool";
import { RelayError } from "../failures/relay-error";
import type { SetPriceVersion } from "./price-schedule";

interface Versioned {
  readonly id: string;
  readonly version: number;
}

/** What identifies the prices in force. */
type PresentPrices = readonly Pick<SetPriceVersion, "id" | "model">[];

/** Changes with everything that a model's file has: its version, and the price in force. */
export function revisionOf({ id, version }: Versioned, prices: PresentPrices): string {
  const price = prices.find(({ model }) => model === id);
  return `${version}-${price?.id ?? "none"}`;
}

interface LastChange {
  readonly by: string;
  readonly at: Date;
}

/** The person or the key that changed it last, as operators call it. */
const lastChange = `
  select coalesce(u.email, k.name, a.actor) as by, a.at from operator_action a
    left join "user" u on u.id = a.actor left join operator_key k on k.id = a.actor
   where a.subject = $1 and a.action in ('model.create', 'model.change', 'price.set', 'price.withdraw')
   order by a.at desc, a.seq desc limit 1`;

/** Rejects with `changed_meanwhile`, naming who changed it and when, unless it is as it was read. */
export async function assertUnchanged(
  queries: Reader,
  row: Versioned,
  prices: PresentPrices,
  revision: string | undefined,
): Promise<void> {
  if (revision === undefined) return;
  const present = revisionOf(row, prices);
  if (present === revision) return;
  const [last] = (await queries.query<LastChange>(lastChange, [row.id])).rows;
  const by = last?.by ?? "the installation";
  const at = (last?.at ?? new Date()).toISOString();
  throw new RelayError("changed_meanwhile", {
    param: "revision",
    message: `${row.id} is at revision ${present}, not ${revision}: ${by} changed it at ${at}. Read it again, and repeat your change.`,
    fields: { revision: present, changed_by: by, changed_at: at },
    fault: { name: "changed_meanwhile", by, at: Date.parse(at) },
  });
}
