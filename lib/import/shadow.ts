/** Compares what the log of a source charged with what we would have, line by line. */
import type pg from "pg";
import {
  type AccountTerms,
  groupColumn,
  groupOf,
  ownColumns,
  type StoredTerms,
  termsOf,
} from "../accounts/account-terms";
import { findModel } from "../catalog/models";
import type { Micropoints } from "../money/points";
import { readPresentPrices } from "../price-book/price-schedule";
import { type Price, priceOf } from "../pricing/price";
import { atTime } from "../pricing/price-at";
import { findSource, readMoved, type SourceName } from "./book";
import { pointsOfQuota } from "./rate";
import { isCharge, loggedRatios } from "./ratios";
import { causeOf, type ShadowCause } from "./shadow-cause";
import { shadowUsage } from "./shadow-usage";
import { moment, type Source, type SourceRow, text, whole } from "./sources/source";

export interface ShadowLine {
  readonly id: string;
  readonly at: Date;
  readonly user: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly quota: bigint;
  /** What was charged there. */
  readonly theirs: Micropoints;
  /** What would have been here; null where it would have been refused. */
  readonly ours: Micropoints | null;
  readonly cause: ShadowCause;
}

export interface ShadowSum {
  lines: number;
  theirs: Micropoints;
  /** Of the lines that would not have been refused. */
  ours: Micropoints;
}

export interface Shadow {
  readonly total: ShadowSum;
  readonly byCause: Map<ShadowCause, ShadowSum>;
  readonly byModel: Map<string, ShadowSum>;
}

/** What is charged here, by the prices and terms of now. */
interface Ours {
  readonly users: ReadonlyMap<string, string>;
  readonly models: ReadonlyMap<string, string>;
  readonly prices: ReadonlyMap<string, Price>;
  readonly terms: Map<string, AccountTerms>;
}

async function readOurs(client: pg.ClientBase, source: string): Promise<Ours> {
  const prices = await readPresentPrices(client);
  return {
    users: await readMoved(client, source, "user"),
    models: await readMoved(client, source, "model"),
    prices: new Map(prices.map(({ model, price }) => [model, price])),
    terms: new Map(),
  };
}

async function readMissingTerms(client: pg.ClientBase, { terms }: Ours, ids: ReadonlySet<string>) {
  const missing = [...ids].filter((id) => !terms.has(id));
  if (missing.length === 0) return;
  const { rows } = await client.query<StoredTerms & { id: string }>(
    `select a.id, ${ownColumns}, ${groupColumn} as group_terms from account a where a.id = any($1)`,
    [missing],
  );
  for (const row of rows)
    terms.set(row.id, termsOf(row, row.group_terms === null ? null : groupOf(row.group_terms)));
}

function compare(row: SourceRow, ours: Ours, quotaPerPoint: bigint): ShadowLine {
  const [user, model, quota] = [text(row, "user_id"), text(row, "model_name"), whole(row, "quota")];
  const at = moment(row, "created_at") ?? new Date(0);
  const usage = atTime(shadowUsage(row), at.getTime());
  const line = {
    id: text(row, "id"),
    at,
    ...{ user, model, quota, theirs: pointsOfQuota(quota, quotaPerPoint) },
    ...{ inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
  };
  const id = ours.models.get(model) ?? findModel(model)?.id;
  const terms = ours.terms.get(ours.users.get(user) ?? "");
  const price = id === undefined ? undefined : ours.prices.get(id);
  if (terms === undefined) return { ...line, ours: null, cause: "no such user" };
  if (id === undefined || !terms.sees(id)) return { ...line, ours: null, cause: "no such model" };
  if (price === undefined) return { ...line, ours: null, cause: "no price" };
  const ppm = terms.multiplierPpm(id);
  const amount = priceOf(usage, price, ppm);
  const said = loggedRatios(row);
  const charge = { theirs: line.theirs, ours: amount, price, ppm, usage, said, quotaPerPoint };
  return { ...line, ours: amount, cause: causeOf(charge) };
}

function add(sum: ShadowSum, { theirs, ours }: ShadowLine): void {
  sum.lines++;
  sum.theirs += theirs;
  sum.ours += ours ?? 0n;
}

const none = (): ShadowSum => ({ lines: 0, theirs: 0n, ours: 0n });

function sumIn<Key>(sums: Map<Key, ShadowSum>, key: Key): ShadowSum {
  const sum = sums.get(key) ?? none();
  sums.set(key, sum);
  return sum;
}

export interface ShadowRequest {
  readonly client: pg.ClientBase;
  readonly source: SourceName;
  readonly from: Source;
  readonly since: Date | null;
  readonly until: Date | null;
  /** Gets the lines in batches, in their order. */
  onLines(lines: readonly ShadowLine[]): Promise<void> | void;
}

/** Writes nothing. Rejects with `invalid_value` for a source at another rate than its import had. */
export async function shadow(request: ShadowRequest): Promise<Shadow> {
  const { client, source, from, since, until, onLines } = request;
  await findSource(client, source);
  const ours = await readOurs(client, source.name);
  const found: Shadow = { total: none(), byCause: new Map(), byModel: new Map() };
  for await (const rows of from.rows("logs")) {
    const wanted = rows.filter((row) => {
      const at = moment(row, "created_at") ?? new Date(0);
      return isCharge(row) && (since === null || at >= since) && (until === null || at < until);
    });
    const users = wanted.flatMap((row) => ours.users.get(text(row, "user_id")) ?? []);
    await readMissingTerms(client, ours, new Set(users));
    const lines = wanted.map((row) => compare(row, ours, source.quotaPerPoint));
    for (const line of lines) {
      add(found.total, line);
      add(sumIn(found.byCause, line.cause), line);
      add(sumIn(found.byModel, line.model), line);
    }
    if (lines.length > 0) await onLines(lines);
  }
  return found;
}
