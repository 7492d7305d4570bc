/** Commands that offer a model to customers, and take it away again. */
import type pg from "pg";
import { recordAction } from "../accounts/actions";
import { hasRetired, type Model } from "../catalog/models";
import { REASON_LENGTH_MAX } from "../contract/limits";
import { inTransaction } from "../db/transaction";
import { invalidValue } from "../failures/relay-error";
import { readModelRows } from "../model-book/read-models";
import { lockModels, setState } from "../model-book/write-models";
import { type ModelRow, modelOf } from "../model-file/model-of";
import type { CommandDeps } from "./command-deps";
import { assertMaySell } from "./model-wants";
import { modelRow } from "./models";

type Deps = Pick<CommandDeps, "pool">;
/** `anyway`: why it may be sold without a channel or a test. */
type Offer = { readonly id: string; readonly anyway: string | null };

/** A model whose date has passed has retired, though its row says that it is retiring. */
const stateOf = (row: ModelRow): ModelRow["state"] =>
  hasRetired(modelOf(row)) ? "retired" : row.state;

function assertState(row: ModelRow, allowed: readonly string[], instead: string): void {
  const { id } = row;
  const state = stateOf(row);
  if (allowed.includes(state)) return;
  throw invalidValue("state", `${id} is ${state}: it must be ${allowed.join(" or ")}. ${instead}`);
}

function assertReason(anyway: string | null): void {
  if (anyway === null || (anyway.trim() !== "" && anyway.length <= REASON_LENGTH_MAX)) return;
  const message = `anyway has ${anyway.length} characters: it must have 1 to ${REASON_LENGTH_MAX}.`;
  throw invalidValue("anyway", message);
}

/** The state of one model as the others left it, and after `work` as it is. */
const inTurn = (
  pool: pg.Pool,
  id: string,
  work: (client: pg.ClientBase, row: ModelRow) => Promise<void>,
) =>
  inTransaction(pool, async (client) => {
    await lockModels(client);
    const row = await modelRow(client, id);
    await work(client, row);
    return modelOf(await modelRow(client, row.id));
  });

function sell(
  { pool }: Deps,
  actor: string,
  { id, anyway }: Offer,
  [from, instead, action]: readonly [readonly string[], string, "model.offer" | "model.restore"],
): Promise<Model> {
  assertReason(anyway);
  return inTurn(pool, id, async (client, row) => {
    assertState(row, from, instead);
    await assertMaySell(client, modelOf(row), anyway);
    await setState(client, row.id, { state: "offered", retiresAt: null, replacedBy: null });
    const reason = anyway === null ? {} : { reason: anyway };
    const detail = { before: stateOf(row), after: "offered", ...reason };
    await recordAction(client, actor, action, row.id, { detail });
  });
}

/** Offers a draft. Rejects with `model_not_found`, or `invalid_value` naming what it lacks. */
export const offerModel = (deps: Deps, actor: string, offer: Offer): Promise<Model> =>
  sell(deps, actor, offer, [["draft"], "Restore a model that retired.", "model.offer"]);

/** Offers a model again that retires or has retired. Rejects as `offerModel` does. */
export const restoreModel = (deps: Deps, actor: string, offer: Offer): Promise<Model> =>
  sell(deps, actor, offer, [["retiring", "retired"], "Offer a draft.", "model.restore"]);

async function replacement(client: pg.ClientBase, row: ModelRow, named: string): Promise<string> {
  const [found] = await readModelRows(client, named);
  if (found === undefined)
    throw invalidValue(
      "replaced_by",
      `replaced_by is ${named.slice(0, 100)}: there is no such model.`,
    );
  const { id } = found;
  const state = stateOf(found);
  if (id === row.id) throw invalidValue("replaced_by", `replaced_by is ${id}: name another model.`);
  if (state !== "offered")
    throw invalidValue(
      "replaced_by",
      `replaced_by is ${id}, which is ${state}: name an offered model.`,
    );
  return id;
}

/**
 * Ends a model now, or at a date until which it is served with a warning. Again for another date.
 * Rejects with `model_not_found` or `invalid_value`.
 */
export async function retireModel(
  { pool }: Deps,
  actor: string,
  { id, on, replacedBy }: { id: string; on: Date | null; replacedBy: string | null },
): Promise<Model> {
  if (on !== null && on.getTime() <= Date.now())
    throw invalidValue(
      "on",
      `on is ${on.toISOString()}: it must be in the future. Omit it for now.`,
    );
  return inTurn(pool, id, async (client, row) => {
    assertState(row, ["offered", "retiring"], "Only what is offered can retire.");
    const successor = replacedBy === null ? null : await replacement(client, row, replacedBy);
    const state = on === null ? "retired" : "retiring";
    await setState(client, row.id, { state, retiresAt: on, replacedBy: successor });
    const ends = { retiresAt: on?.toISOString() ?? null, replacedBy: successor };
    const detail = { before: stateOf(row), after: state, ...ends };
    await recordAction(client, actor, "model.retire", row.id, { detail });
  });
}
