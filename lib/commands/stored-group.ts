import type pg from "pg";
import type { AuditFields } from "../accounts/actions";
import { formatMultiplier, formatOwnMultiplier } from "../accounts/multipliers";
import { RelayError } from "../failures/relay-error";
import type { GroupTerms } from "./group-input";

const select = `
  select g.name, g.multiplier_ppm as "multiplierPpm", g.models,
    coalesce((select json_agg(json_build_object('model', m.model, 'multiplierPpm', m.multiplier_ppm) order by m.model)
                from account_group_multiplier m where m.group_id = g.id), '[]') as "modelMultipliers"
  from account_group g where g.id = $1`;

/** The group, locked until the transaction ends. Rejects with `not_found`. */
export async function lockGroup(
  client: pg.ClientBase,
  id: string,
  mode: "update" | "key share" = "update",
): Promise<GroupTerms> {
  await client.query(`select from account_group where id = $1 for ${mode}`, [id]);
  // A statement of its own: what another transaction committed while this one waited is seen.
  const { rows } = await client.query<GroupTerms>(select, [id]);
  if (rows[0] === undefined)
    throw new RelayError("not_found", { message: `There is no group ${id.slice(0, 80)}.` });
  return rows[0];
}

/** Sets the multipliers by model in place of those that the group has. */
export async function storeModelMultipliers(
  client: pg.ClientBase,
  id: string,
  { modelMultipliers }: Pick<GroupTerms, "modelMultipliers">,
): Promise<void> {
  await client.query("delete from account_group_multiplier where group_id = $1", [id]);
  if (modelMultipliers.length === 0) return;
  await client.query(
    "insert into account_group_multiplier (group_id, model, multiplier_ppm) select $1, * from unnest($2::text[], $3::integer[])",
    [
      id,
      modelMultipliers.map(({ model }) => model),
      modelMultipliers.map(({ multiplierPpm }) => multiplierPpm),
    ],
  );
}

/** The terms as the audit log keeps them. */
export const toldGroup = (terms: GroupTerms): AuditFields => ({
  name: terms.name,
  multiplier: formatOwnMultiplier(terms.multiplierPpm),
  models: [...terms.models],
  modelMultipliers: Object.fromEntries(
    terms.modelMultipliers.map((each) => [each.model, formatMultiplier(each.multiplierPpm)]),
  ),
});
