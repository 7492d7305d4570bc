/** The prices of a source: from its settings, and from what its log says was charged. */
import { membersIn } from "../values/json-in";
import { isRecord } from "../values/records";
import { scaled } from "./rate";
import { type Source, type SourceRow, text } from "./sources/source";

/** Ratios times 10¹², by model or by group. */
type RatioTable = ReadonlyMap<string, bigint>;

/** What a line of the log says that its model cost. */
export interface LoggedRatios {
  readonly model: bigint | null;
  readonly completion: bigint | null;
  readonly cache: bigint | null;
  readonly cacheWrite: bigint | null;
  /** Per call, in the source's currency. */
  readonly price: bigint | null;
  readonly group: bigint | null;
  /** False where the line has two decimals of each. */
  readonly isExact: boolean;
}

export interface Ratios {
  readonly model: RatioTable;
  readonly completion: RatioTable;
  readonly cache: RatioTable;
  readonly cacheWrite: RatioTable;
  /** Per call, in the source's currency. */
  readonly price: RatioTable;
  readonly group: RatioTable;
  /** One of the source's currency as quota. */
  readonly quotaPerUnit: bigint;
  /** Those that are priced by a formula of the source, which may be empty. */
  readonly formulas: ReadonlyMap<string, string>;
}

function ratioTable(json: string): RatioTable {
  return new Map(
    Object.entries(membersIn(json)).flatMap(([name, value]) => {
      const ratio = scaled(value);
      return ratio === null ? [] : [[name, ratio]];
    }),
  );
}

const QUOTA_PER_UNIT = 500_000n;

/** What a group pays in a group, which wins where it is its own. */
function groupTable(json: string, ofPairs: string): RatioTable {
  const own = Object.entries(membersIn(ofPairs)).flatMap(([name, inGroups]) => {
    const ratio = isRecord(inGroups) ? scaled(inGroups[name]) : null;
    return ratio === null ? [] : [[name, ratio] as const];
  });
  return new Map([...ratioTable(json), ...own]);
}

export async function readRatios(from: Source): Promise<Ratios> {
  const options = new Map<string, string>();
  if (await from.has("options"))
    for await (const rows of from.rows("options"))
      for (const row of rows) options.set(text(row, "key"), text(row, "value"));
  const table = (name: string) => ratioTable(options.get(name) ?? "");
  const unit = options.get("QuotaPerUnit") ?? "";
  const modes = membersIn(options.get("billing_setting.billing_mode") ?? "");
  const formulas = membersIn(options.get("billing_setting.billing_expr") ?? "");
  return {
    model: table("ModelRatio"),
    completion: table("CompletionRatio"),
    cache: table("CacheRatio"),
    cacheWrite: table("CreateCacheRatio"),
    price: table("ModelPrice"),
    group: groupTable(options.get("GroupRatio") ?? "", options.get("GroupGroupRatio") ?? ""),
    quotaPerUnit: /^\d{1,12}$/.test(unit) ? BigInt(unit) : QUOTA_PER_UNIT,
    formulas: new Map(
      Object.keys(modes)
        .filter((name) => modes[name] !== "ratio")
        .map((name) => [name, String(formulas[name] ?? "")]),
    ),
  };
}

/** What one-api writes: the ratios of model, group and completion, with two decimals. */
const written = /倍率[:：]\s*([\d.]+) × ([\d.]+) × ([\d.]+)/;

/** What a line says beside its columns; nothing where it says none. */
export const saidIn = (row: SourceRow): Record<string, unknown> => membersIn(text(row, "other"));

/** Null where the line does not say it. */
export function loggedRatios(row: SourceRow): LoggedRatios | null {
  if (text(row, "other").startsWith("{")) {
    const said = saidIn(row);
    // Its ratios are not what was charged.
    if (typeof said.billing_mode === "string" && said.billing_mode !== "ratio") return null;
    const model = scaled(said.model_ratio);
    const price = scaled(said.model_price);
    if (model === null && price === null) return null;
    return {
      model,
      completion: scaled(said.completion_ratio),
      cache: scaled(said.cache_ratio),
      cacheWrite: scaled(said.cache_creation_ratio),
      price,
      group: scaled(said.user_group_ratio) ?? scaled(said.group_ratio),
      isExact: true,
    };
  }
  const found = written.exec(text(row, "content"));
  if (found === null) return null;
  const [, model, group, completion] = found.map(scaled);
  const unsaid = { cache: null, cacheWrite: null, price: null, isExact: false };
  return {
    model: model ?? null,
    group: group ?? null,
    completion: completion ?? null,
    ...unsaid,
  };
}

/** What is charged in the log, by its type. */
export const isCharge = (row: SourceRow): boolean => text(row, "type") === "2";
export const isGivenBack = (row: SourceRow): boolean => text(row, "type") === "6";

/** The newest line of each of the models. */
export async function newestLogged(
  from: Source,
  models: ReadonlySet<string>,
): Promise<Map<string, LoggedRatios>> {
  const newest = new Map<string, LoggedRatios>();
  if (models.size === 0 || !(await from.has("logs"))) return newest;
  for await (const rows of from.rows("logs")) {
    for (const row of rows) {
      const model = text(row, "model_name");
      if (!isCharge(row) || !models.has(model)) continue;
      const said = loggedRatios(row);
      if (said !== null) newest.set(model, said);
    }
  }
  return newest;
}
