/** Commands that make models and change what they are. */
import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import { type AuditFields, recordAction } from "../accounts/actions";
import { assertScopeOf } from "../accounts/actor-rules";
import type { Model } from "../catalog/models";
import { type ModelFile, modelSpecs } from "../contract/model-file";
import { inTransaction } from "../db/transaction";
import { invalidValue, RelayError } from "../failures/relay-error";
import { readModelRows } from "../model-book/read-models";
import {
  insertModel,
  insertVersion,
  lockModels,
  type ModelParts,
} from "../model-book/write-models";
import { type ModelRow, modelOf } from "../model-file/model-of";
import { readModelFile } from "../model-file/read-model-file";
import { assertUnchanged } from "../price-book/model-revision";
import { readPresentPrices } from "../price-book/price-schedule";
import type { PriceVersion } from "../price-book/price-version";
import { addPriceVersion } from "../price-book/set-price";
import { cleanPrice } from "../price-book/wanted-price";
import { ratesOf } from "../pricing/rate";
import { rateLine } from "../pricing/rate-line";
import { ratesOfText } from "../pricing/rate-text";
import type { CommandDeps } from "./command-deps";
import { assertStillPriced } from "./model-wants";

type Deps = Pick<CommandDeps, "pool">;

/** The row of a model under its newest version. Rejects with `model_not_found`. */
export async function modelRow(queries: pg.ClientBase, name: string): Promise<ModelRow> {
  const [row] = await readModelRows(queries, name);
  if (row) return row;
  const message = `There is no model ${JSON.stringify(name.slice(0, 100))}.`;
  throw new RelayError("model_not_found", { param: "id", message });
}

/** Sets the whole price. Rejects with what is wrong with a rate. */
async function setRates(
  client: pg.ClientBase,
  actor: string,
  model: Model,
  given: NonNullable<ModelFile["rates"]>,
): Promise<void> {
  const rates = ratesOfText(given);
  const price = cleanPrice(model, { model: model.id, rates }, null);
  await addPriceVersion(client, { model: model.id, price, effectiveAt: null, createdBy: actor });
}

/** Rates are prices, also in the file of a model. */
const assertMayPrice = (client: pg.ClientBase, actor: string) =>
  assertScopeOf(client, actor, "prices:write", "A model's price");

/** A model with its rates in force; no rates for a model without a price. */
function told(row: ModelRow, prices: readonly PriceVersion[]): AuditFields {
  const present = prices.find(({ model }) => model === row.id);
  const rates = present && ratesOf(modelOf(row).family, present.price);
  return {
    version: row.version,
    aliases: [...row.aliases],
    ...(row.names !== null && { names: JSON.stringify(row.names) }),
    spec: JSON.stringify(row.spec),
    ...(rates && { rates: rates.map(rateLine) }),
  };
}

/** Makes a draft and its record. The caller has called `lockModels`. */
export async function makeDraft(
  client: pg.ClientBase,
  actor: string,
  file: ModelFile,
): Promise<Model> {
  const { id, family, aliases = [], names = null, spec, rates } = file;
  await insertModel(client, file, actor);
  await insertVersion(client, { id, aliases, names, spec }, actor);
  const row = await modelRow(client, id);
  const model = modelOf(row);
  if (rates) await setRates(client, actor, model, rates);
  const after = told(row, await readPresentPrices(client));
  if (after.rates !== undefined) await assertMayPrice(client, actor);
  const detail = { family };
  await recordAction(client, actor, "model.create", id, { detail, after });
  return model;
}

/** Makes a draft, which only operators know. Rejects with what is wrong with the file. */
export async function createModel({ pool }: Deps, actor: string, content: unknown): Promise<Model> {
  const file = readModelFile(content);
  return inTransaction(pool, async (client) => {
    await lockModels(client);
    return makeDraft(client, actor, file);
  });
}

function assertSame(id: string, row: ModelRow, file: ModelFile): void {
  if (file.id !== row.id)
    throw invalidValue(
      "id",
      `id is ${file.id}: ${id} is ${row.id}, and keeps it. Make another model.`,
    );
  if (file.family !== row.family)
    throw invalidValue(
      "family",
      `family is ${file.family}: ${row.id} is ${row.family}, and stays so.`,
    );
}

const hasChanged = (row: ModelRow, { aliases, names, spec }: ModelParts): boolean =>
  !isDeepStrictEqual(
    [aliases, names, spec],
    [row.aliases, row.names, modelSpecs[row.family].parse(row.spec)],
  );

interface ModelEdit {
  readonly id: string;
  /** The file, which is checked here. */
  readonly content: unknown;
  /** What the edit is based on; absent to change whatever is there. */
  readonly revision?: string | undefined;
}

/**
 * Makes a new version, under which new orders run; what is open ends under its own. What the file
 * leaves out of aliases, names and rates stays. Rejects with `model_not_found`, `changed_meanwhile`,
 * or with what is wrong with the file.
 */
export async function changeModel(
  { pool }: Deps,
  actor: string,
  { id, content, revision }: ModelEdit,
): Promise<Model> {
  const file = readModelFile(content);
  return inTransaction(pool, async (client) => {
    await lockModels(client);
    const row = await modelRow(client, id);
    assertSame(id, row, file);
    const prices = await readPresentPrices(client);
    await assertUnchanged(client, row, prices, revision);
    const before = told(row, prices);
    const { aliases = [...row.aliases], spec, rates } = file;
    const names = file.names === undefined ? modelOf(row).names : file.names;
    const parts = { id: row.id, aliases, names, spec };
    if (hasChanged(row, parts)) await insertVersion(client, parts, actor);
    const changed = await modelRow(client, row.id);
    const model = modelOf(changed);
    if (rates) await setRates(client, actor, model, rates);
    await assertStillPriced(client, model);
    const after = told(changed, await readPresentPrices(client));
    if (!isDeepStrictEqual(before.rates, after.rates)) await assertMayPrice(client, actor);
    if (isDeepStrictEqual(before, after))
      throw invalidValue("model", `${row.id} is already as the file has it.`);
    await recordAction(client, actor, "model.change", row.id, { before, after });
    return model;
  });
}
