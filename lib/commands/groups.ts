/** Commands about groups of accounts, for requests from then on: what runs keeps its multiplier. */
import type pg from "pg";
import { recordAction } from "../accounts/actions";
import { GROUPS_MAX } from "../contract/limits";
import { newId } from "../crypto/ids";
import { isCountLimit, isUniqueViolation } from "../db/database-errors";
import { inTransaction } from "../db/transaction";
import { invalidValue, RelayError } from "../failures/relay-error";
import { type OptionalMembers, withoutUndefined } from "../values/records";
import type { CommandDeps } from "./command-deps";
import { type GroupTerms, groupTermsOf } from "./group-input";
import { lockGroup, storeModelMultipliers, toldGroup } from "./stored-group";

type Deps = Pick<CommandDeps, "pool">;

function refusal(error: unknown, name: string): unknown {
  if (isUniqueViolation(error)) {
    const message = `There is a group called ${JSON.stringify(name)}.`;
    return new RelayError("already_exists", { param: "name", message });
  }
  if (!isCountLimit(error)) return error;
  const message = `There are ${GROUPS_MAX} groups, and at most ${GROUPS_MAX} are allowed.`;
  return invalidValue("name", message);
}

/**
 * `claim` writes in the same transaction. Rejects with `invalid_value`, `model_not_found`,
 * `already_exists`.
 */
export async function createGroup(
  { pool }: Deps,
  actor: string,
  input: GroupTerms,
  claim?: (client: pg.ClientBase, id: string) => Promise<void>,
): Promise<{ id: string }> {
  const id = newId("group");
  const terms = groupTermsOf(input);
  await inTransaction(pool, async (client) => {
    await client.query(
      "insert into account_group (id, name, multiplier_ppm, models, created_by) values ($1, $2, $3, $4, $5)",
      [id, terms.name, terms.multiplierPpm, terms.models, actor],
    );
    await storeModelMultipliers(client, id, terms);
    await claim?.(client, id);
    const after = toldGroup(terms);
    await recordAction(client, actor, "group.create", id, { after });
  }).catch((error: unknown) => Promise.reject(refusal(error, terms.name)));
  return { id };
}

/**
 * Changes what is given; a list replaces the one before. Rejects with `not_found`,
 * `invalid_value`, `model_not_found`, `already_exists`.
 */
export async function changeGroup(
  { pool }: Deps,
  actor: string,
  { id, ...input }: OptionalMembers<GroupTerms> & { id: string },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const before = await lockGroup(client, id);
    const terms = groupTermsOf({ ...before, ...withoutUndefined(input) });
    const [told, after] = [toldGroup(before), toldGroup(terms)];
    if (JSON.stringify(told) === JSON.stringify(after)) return;
    await client.query(
      "update account_group set name = $2, multiplier_ppm = $3, models = $4 where id = $1",
      [id, terms.name, terms.multiplierPpm, terms.models],
    );
    await storeModelMultipliers(client, id, terms);
    await recordAction(client, actor, "group.change", id, { before: told, after });
  }).catch((error: unknown) => Promise.reject(refusal(error, input.name ?? "")));
}

async function assertNoPlan(client: pg.ClientBase, id: string, name: string): Promise<void> {
  const { rows } = await client.query<{ plan: string }>(
    "select name as plan from plan where group_id = $1 order by name limit 1",
    [id],
  );
  if (rows[0] === undefined) return;
  const message = `The group ${JSON.stringify(name)} is that of the plan ${JSON.stringify(rows[0].plan)}: change the plan first.`;
  throw invalidValue("id", message);
}

/** Rejects with `not_found`, and with `invalid_value` while the group has accounts or a plan. */
export function deleteGroup({ pool }: Deps, actor: string, { id }: { id: string }): Promise<void> {
  return inTransaction(pool, async (client) => {
    // Who joins locks the group too, so the count cannot grow.
    const before = await lockGroup(client, id);
    const { rows } = await client.query<{ members: number }>(
      "select count(*)::integer as members from account where group_id = $1",
      [id],
    );
    const members = rows[0]?.members ?? 0;
    await assertNoPlan(client, id, before.name);
    if (members > 0) {
      const message = `The group ${JSON.stringify(before.name)} has ${members} accounts: take them out of it first.`;
      throw invalidValue("id", message);
    }
    await client.query("delete from account_group where id = $1", [id]);
    const told = toldGroup(before);
    await recordAction(client, actor, "group.delete", id, { before: told });
  });
}
