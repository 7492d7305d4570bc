/** The groups of accounts. Read-only. */
import type { z } from "zod";
import { formatMultiplier, formatOwnMultiplier } from "../accounts/multipliers";
import type { groupView } from "../contract/operator-groups";
import type { Reader } from "../db/pool";
import { RelayError } from "../failures/relay-error";
import type { QueryDeps } from "./query-deps";

export type GroupView = z.input<typeof groupView>;

interface Row {
  readonly id: string;
  readonly name: string;
  readonly ppm: number | null;
  readonly models: string[];
  readonly multipliers: { model: string; ppm: number }[] | null;
  readonly members: number;
}

const text = `select g.id, g.name, g.multiplier_ppm as ppm, g.models,
    (select json_agg(json_build_object('model', m.model, 'ppm', m.multiplier_ppm) order by m.model)
       from account_group_multiplier m where m.group_id = g.id) as multipliers,
    (select count(*)::integer from account a where a.group_id = g.id) as members
  from account_group g order by lower(g.name)`;

/** All of them, by name. */
export async function listGroups({ pool }: { pool: Reader }): Promise<GroupView[]> {
  const { rows } = await pool.query<Row>(text);
  return rows.map(({ ppm, multipliers, ...group }) => ({
    ...group,
    multiplier: formatOwnMultiplier(ppm),
    modelMultipliers: (multipliers ?? []).map((each) => ({
      model: each.model,
      multiplier: formatMultiplier(each.ppm),
    })),
  }));
}

/** The group of a name, in whatever case, or of an id. Rejects with `not_found`. */
export async function findGroup(deps: Pick<QueryDeps, "pool">, named: string): Promise<GroupView> {
  const groups = await listGroups(deps);
  const wanted = named.trim().toLowerCase();
  const found = groups.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted);
  if (found !== undefined) return found;
  const names = groups.map(({ name }) => name).join(", ") || "none";
  const message = `There is no group ${JSON.stringify(named.slice(0, 80))}. There are: ${names}.`;
  throw new RelayError("not_found", { message });
}
