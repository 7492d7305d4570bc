/** The rows of a relay that never was, as its product would have written them. */
import { createHash } from "node:crypto";
import { hashSync } from "bcryptjs";
import type { Product } from "@/lib/import/book";
import { seeded } from "@/testing/extent/random";

export type Value = string | number | boolean | null;
export type Row = Readonly<Record<string, Value>>;
type ColumnType = "id" | "int" | "text" | "bool" | "time" | "json";

export interface GeneratedTable {
  readonly columns: Readonly<Record<string, ColumnType>>;
  rows(): Iterable<Row>;
}

export interface Size {
  readonly users: number;
  readonly keys: number;
  readonly logs: number;
  /** Of the keys, those that the log names; absent for all. */
  readonly loggedKeys?: number;
}

export const PASSWORD = "their-password";
/** The models of its channels, with the ratios of model and answers. */
export const ratiosOf: Readonly<Record<string, readonly [number, number]>> = {
  "gpt-4o": [1.25, 4],
  "gpt-4o-mini": [0.075, 4],
  "deepseek-chat": [0.135, 4],
  "claude-sonnet-4": [1.5, 5],
};
const models = Object.keys(ratiosOf);
export const groupRatios: Readonly<Record<string, number>> = { default: 1, vip: 0.8, free: 0 };
const STARTED = 1_750_000_000;

/** 48 letters and digits, as both products make them. */
export const keyText = (id: number): string =>
  createHash("sha512").update(`key ${id}`).digest("hex").slice(0, 48);
export const voucherText = (id: number): string =>
  createHash("md5").update(`voucher ${id}`).digest("hex");

const passwordHash = hashSync(PASSWORD, 4);

function* userRows(count: number, product: Product): Generator<Row> {
  const { between, pick } = seeded(1);
  for (let id = 1; id <= count; id++) {
    yield {
      id,
      username: `user${id}`,
      password: id % 97 === 3 ? "not a hash" : passwordHash,
      display_name: id % 5 === 0 ? `O'Neil "the ${id}"\\` : `用户 ${id}`,
      role: id === 1 ? 100 : 1,
      status: id % 50 === 7 ? 2 : 1,
      email: id % 11 === 0 ? "" : `User${id}@Example.com`,
      quota: id % 40 === 9 ? -between(1, 900) : between(0, 90_000_000),
      group: id % 60 === 5 ? "free" : pick([["default", 3] as const, ["vip", 1] as const]),
      ...(product === "new-api" && {
        created_at: STARTED + id,
        deleted_at: id % 70 === 13 ? "2026-01-02 03:04:05+00" : null,
      }),
    };
  }
}

function* keyRows({ keys, users }: Size, product: Product): Generator<Row> {
  const { between } = seeded(2);
  for (let id = 1; id <= keys; id++) {
    const isUnlimited = id % 3 !== 0;
    yield {
      id,
      user_id: 1 + (id % users),
      key: keyText(id),
      status: id % 80 === 11 ? 2 : 1,
      name: `key ${id}`,
      created_time: STARTED + id,
      accessed_time: STARTED + id,
      expired_time: id % 90 === 17 ? STARTED : -1,
      remain_quota: isUnlimited ? 0 : between(0, 5_000_000),
      unlimited_quota: isUnlimited,
      ...(product === "new-api"
        ? {
            model_limits_enabled: id % 10 === 4,
            model_limits: id % 10 === 4 ? "gpt-4o,dall-e-3" : "",
            allow_ips: id % 100 === 41 ? "192.0.2.0/24\n2001:db8::1" : "",
            group: "",
            deleted_at: null,
          }
        : {
            models: id % 10 === 4 ? "gpt-4o" : null,
            subnet: id % 100 === 41 ? "192.0.2.0/24" : "",
          }),
    };
  }
}

const mapping = JSON.stringify({ "gpt-4o": "gpt-4o-2026" });

function* channelRows(product: Product): Generator<Row> {
  const deepseek = product === "new-api" ? 43 : 36;
  const common = { status: 1, weight: 0, priority: 0, model_mapping: "" };
  const both = "default,vip,free";
  yield {
    ...{ ...common, id: 1, type: 1, key: "up-1", name: "main", base_url: "", group: both },
    ...{
      models: "gpt-4o,GPT-4o,gpt-4o-mini,dall-e-3",
      model_mapping: mapping,
      priority: 5,
      weight: 3,
    },
  };
  yield {
    ...{ ...common, id: 2, type: deepseek, key: "up-2\nup-3", name: "main", base_url: "" },
    ...{ group: both, models: "deepseek-chat" },
  };
  yield {
    ...{ ...common, id: 3, type: 14, key: "up-4", name: "claude", status: 2 },
    ...{ base_url: "https://claude.example.com/", group: "vip", models: "claude-sonnet-4" },
  };
  yield {
    ...{ ...common, id: 4, type: 3, key: "up-5", name: "azure", base_url: "https://a.example.com" },
    ...{ group: both, models: "gpt-4o" },
  };
}

function* voucherRows(product: Product): Generator<Row> {
  for (let id = 1; id <= 20; id++)
    yield {
      id,
      key: voucherText(id),
      status: id % 4 === 0 ? 3 : 1,
      name: "Spring",
      quota: id % 2 === 0 ? 500_000 : 250_001,
      ...(product === "new-api" && { expired_time: id % 5 === 0 ? STARTED : 0, deleted_at: null }),
    };
}

function* logRows(
  { logs, keys, users, loggedKeys = keys }: Size,
  product: Product,
): Generator<Row> {
  const { between } = seeded(3);
  for (let id = 1; id <= logs; id++) {
    const token = 1 + (id % loggedKeys);
    const model = models[id % models.length] ?? "";
    const [ratio = 1, completion = 1] = ratiosOf[model] ?? [];
    const group = id % 4 === 0 ? 0.8 : 1;
    const [input, output] = [between(1, 4000), between(1, 900)];
    const isCharge = id % 25 !== 0;
    const other = { model_ratio: ratio, completion_ratio: completion, group_ratio: group };
    yield {
      id,
      user_id: 1 + (token % users),
      created_at: STARTED + id * 7,
      type: isCharge ? 2 : 1,
      content:
        product === "one-api"
          ? `倍率：${ratio.toFixed(2)} × ${group.toFixed(2)} × ${completion.toFixed(2)}`
          : "",
      token_name: `key ${token}`,
      model_name: isCharge ? model : "",
      quota: isCharge ? Math.ceil((input + output * completion) * ratio * group) : 0,
      prompt_tokens: input,
      completion_tokens: output,
      ...(product === "new-api" && {
        token_id: token,
        other: JSON.stringify({ ...other, model_price: -1, cache_tokens: 0, cache_ratio: 1 }),
      }),
    };
  }
}

function* optionRows(): Generator<Row> {
  const values = Object.entries(ratiosOf);
  const one = (at: 0 | 1) =>
    JSON.stringify(Object.fromEntries(values.map(([name, of]) => [name, of[at]])));
  yield { key: "ModelRatio", value: one(0) };
  yield { key: "CompletionRatio", value: one(1) };
  yield { key: "GroupRatio", value: JSON.stringify(groupRatios) };
  yield { key: "QuotaPerUnit", value: "500000" };
}

const typeOf = (name: string, value: Value): ColumnType => {
  if (name === "id") return "id";
  if (name === "deleted_at") return "time";
  if (typeof value === "number") return "int";
  return typeof value === "boolean" ? "bool" : "text";
};

function tableOf(rows: () => Iterable<Row>): GeneratedTable {
  const [first = {}] = rows();
  const columns = Object.fromEntries(
    Object.entries(first).map(([name, value]) => [name, typeOf(name, value)]),
  );
  return { columns, rows };
}

export type GeneratedSource = Readonly<Record<string, GeneratedTable>>;

/** The same rows for the same size and product. */
export const generateSource = (product: Product, size: Size): GeneratedSource => ({
  options: tableOf(optionRows),
  users: tableOf(() => userRows(size.users, product)),
  tokens: tableOf(() => keyRows(size, product)),
  channels: tableOf(() => channelRows(product)),
  redemptions: tableOf(() => voucherRows(product)),
  logs: tableOf(() => logRows(size, product)),
});
