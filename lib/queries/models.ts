/** Models as operators see them: in every state, with what they lack. */
import { hasRetired, type Model } from "../catalog/models";
import { type ModelChannel, readModelChannels } from "../channels/model-channels";
import type { modelEndpoints } from "../contract/operator-models";
import type { PageQueryOf, PageResultOf } from "../contract/page-endpoint";
import { RelayError } from "../failures/relay-error";
import { readModelRows } from "../model-book/read-models";
import { type ModelRow, modelOf } from "../model-file/model-of";
import { revisionOf } from "../price-book/model-revision";
import { readPriceNeeds } from "../price-book/price-needs";
import { readPresentPrices } from "../price-book/price-schedule";
import { ratesText } from "../pricing/rate-text";
import { isRecord } from "../values/records";
import type { QueryDeps } from "./query-deps";

type Deps = Pick<QueryDeps, "pool">;
type Table = typeof modelEndpoints;
type RowView = PageResultOf<Table["listCatalogue"]>["models"][number];

const PAGE = 50;

async function rowNamed({ pool }: Deps, name: string): Promise<ModelRow> {
  const [row] = await readModelRows(pool, name);
  if (row) return row;
  const message = `There is no model ${JSON.stringify(name.slice(0, 100))}.`;
  throw new RelayError("model_not_found", { param: "id", message });
}

/** A model's file, for the command line. Rejects with `model_not_found`. */
export async function modelFileOf(deps: Deps, named: string) {
  const { id, family, aliases, names, spec } = await rowNamed(deps, named);
  const prices = await readPresentPrices(deps.pool);
  const price = prices.find(({ model }) => model === id)?.price;
  const rates = price && { rates: ratesText(family, price) };
  return { id, family, aliases, names, spec, ...rates };
}

const stateOf = (model: Model) => (hasRetired(model) ? "retired" : model.state);

/** What the rows of a list have in common, read once. */
async function readFacts({ pool }: Deps) {
  const [prices, { rows }] = await Promise.all([
    readPresentPrices(pool),
    pool.query<{ model: string; count: number }>(
      `select model, count(*)::int as count from channel, jsonb_object_keys(models) as model
        where is_enabled and archived_at is null group by model`,
    ),
  ]);
  return {
    versions: prices,
    prices: new Map(prices.map(({ model, price }) => [model, price])),
    channels: new Map(rows.map(({ model, count }) => [model, count])),
  };
}

function viewOf(
  row: ModelRow,
  { prices, channels }: Awaited<ReturnType<typeof readFacts>>,
): RowView {
  const { id, family, aliases, version } = row;
  const price = prices.get(id);
  return {
    id,
    aliases: [...aliases],
    family,
    state: stateOf(modelOf(row)),
    retiresAt: row.retires_at?.toISOString() ?? null,
    replacedBy: row.replaced_by,
    isBuiltIn: row.is_built_in,
    version,
    rates: price === undefined ? [] : ratesText(family, price),
    channels: channels.get(id) ?? 0,
  };
}

/** The models that match, in the order in which they were made, one page of them. */
export async function listCatalogue(
  deps: Deps,
  { q = "", family, state, page: wanted = 1 }: PageQueryOf<Table["listCatalogue"]>,
): Promise<PageResultOf<Table["listCatalogue"]>> {
  const words = q.toLowerCase().split(/\s+/);
  const found = (await readModelRows(deps.pool)).filter((row) => {
    const names = [row.id, ...row.aliases].join(" ").toLowerCase();
    return (
      (family === undefined || row.family === family) &&
      (state === undefined || stateOf(modelOf(row)) === state) &&
      words.every((word) => names.includes(word))
    );
  });
  const pages = Math.max(1, Math.ceil(found.length / PAGE));
  const page = Math.min(wanted, pages);
  const facts = await readFacts(deps);
  const models = found.slice((page - 1) * PAGE, page * PAGE).map((row) => viewOf(row, facts));
  return { models, count: found.length, page, pages };
}

/** Some models by their ids, in this order. */
export async function listModelsOf(deps: Deps, ids: readonly string[]): Promise<RowView[]> {
  const [rows, facts] = await Promise.all([readModelRows(deps.pool), readFacts(deps)]);
  return ids.flatMap((id) => rows.filter((row) => row.id === id).map((row) => viewOf(row, facts)));
}

const mappingView = ({ id, name, state, upstreamModel, testedAt, testWorked }: ModelChannel) => ({
  channel: id,
  name,
  state,
  upstreamModel,
  test: testedAt === null ? null : { at: testedAt.toISOString(), worked: testWorked },
});

/** A model with what it lacks, its channels and its open orders. Rejects with `model_not_found`. */
export async function showModelDetail(
  deps: Deps,
  named: string,
): Promise<PageResultOf<Table["showModel"]>> {
  const { pool } = deps;
  const row = await rowNamed(deps, named);
  const model = modelOf(row);
  const [facts, { hasPrice, missing }, channels, open] = await Promise.all([
    readFacts(deps),
    readPriceNeeds(pool, model),
    readModelChannels(pool, model.id),
    pool.query<{ count: number }>(
      "select count(*)::int as count from open_request where model = $1",
      [model.id],
    ),
  ]);
  const active = channels.filter(({ state }) => state === "active");
  return {
    model: viewOf(row, facts),
    revision: revisionOf(row, facts.versions),
    names: model.names,
    spec: isRecord(row.spec) ? row.spec : {},
    needs: {
      hasPrice,
      gaps: [...(missing?.gaps ?? [])],
      isMapped: active.length > 0,
      isTested: active.some(({ testWorked }) => testWorked),
    },
    mappings: channels.map(mappingView),
    openOrders: open.rows[0]?.count ?? 0,
  };
}
