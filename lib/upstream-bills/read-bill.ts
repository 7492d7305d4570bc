/** Reads a bill: a table of calls (CSV), or what the usage interfaces of OpenAI and Anthropic answer. Pure. */
import { parse } from "csv-parse/sync";
import type { BillFormat } from "../contract/bill-words";
import { invalidValue } from "../failures/relay-error";
import { isRecord } from "../values/records";
import {
  AMOUNT_DIGITS,
  amountOf,
  assertSameCurrency,
  countOf,
  isDay,
  LocalTimes,
  timeOf,
} from "./bill-fields";
import type { BillLine } from "./bill-line";
import { assertText } from "./bill-text";

export interface Bill {
  readonly lines: readonly BillLine[];
  /** The step in which amounts are written, in millionths; 1 where there are none. */
  readonly step: bigint;
}

const DAY_MS = 24 * 3_600_000;
/** A bill of a large channel and month comes in parts. */
export const BILL_BYTES_MAX = 256 * 1024 * 1024;

/** What makers of bills call a column, in lower case, with `_` for what is no letter. */
const columns = {
  ref: [
    "request_id",
    "response_id",
    "call_id",
    "task_id",
    "upstream_id",
    "operation_id",
    "id",
    "请求id",
  ],
  at: [
    "time",
    "at",
    "timestamp",
    "created_at",
    "created",
    "date",
    "start_time",
    "时间",
    "请求时间",
  ],
  model: ["model", "model_name", "model_id", "模型", "模型名称"],
  input: ["input_tokens", "prompt_tokens", "输入tokens", "输入token数"],
  cached: [
    "cached_tokens",
    "cached_input_tokens",
    "cache_read_input_tokens",
    "input_cached_tokens",
  ],
  cacheWrite: ["cache_write_tokens", "cache_creation_input_tokens"],
  output: ["output_tokens", "completion_tokens", "输出tokens", "输出token数"],
  reasoning: ["reasoning_tokens"],
  images: ["images", "image_count"],
  seconds: ["seconds", "duration_seconds"],
  requests: ["requests", "num_model_requests", "request_count", "调用次数"],
  amount: [
    "amount",
    "cost",
    "charge",
    "price",
    "fee",
    "total",
    "charged_points",
    "金额",
    "费用",
    "应付金额",
  ],
  currency: ["currency", "币种", "货币"],
} as const;
type Column = keyof typeof columns;

const nameOf = (header: string) =>
  header
    .trim()
    .toLowerCase()
    .replace(/[\s\-./()（）]+/g, "_")
    .replace(/^_|_$/g, "");

/** Which column of the file is which; `given` names some of them, as `amount=net_cost`. */
function placesOf(
  headers: readonly string[],
  given: Readonly<Partial<Record<string, string>>>,
): Readonly<Partial<Record<Column, number>>> {
  const names = headers.map(nameOf);
  const found: Partial<Record<Column, number>> = {};
  for (const [column, known] of Object.entries(columns)) {
    const wanted = given[column];
    const place =
      wanted === undefined
        ? (known as readonly string[]).map((name) => names.indexOf(name)).find((at) => at >= 0)
        : names.indexOf(nameOf(wanted));
    if (wanted !== undefined && place === -1)
      throw invalidValue(
        "columns",
        `The bill has no column ${wanted}: it has ${headers.join(", ")}.`,
      );
    if (place !== undefined) found[column as Column] = place;
  }
  for (const needed of ["at", "model"] as const)
    if (found[needed] === undefined)
      throw invalidValue(
        "columns",
        `The bill has no column for \`${needed}\`: name it. It has ${headers.join(", ")}.`,
      );
  return found;
}

/** What is counted of a call. */
const counted: readonly Column[] = [
  "input",
  "cached",
  "cacheWrite",
  "output",
  "reasoning",
  "images",
  "seconds",
];

/** The id under which another relay answered: that of its operation. */
const answerId = (operation: string) => `chatcmpl-${operation.replaceAll("-", "")}`;

export interface BillReading {
  /** Names of columns, as `amount=net_cost`. */
  readonly columns?: Readonly<Partial<Record<string, string>>> | undefined;
  /** Three capital letters: lines of another one are refused. */
  readonly currency?: string | undefined;
  /** Of times that name none. */
  readonly zone?: string | undefined;
}

function readCsv(
  text: string,
  { columns: given = {}, currency, zone = "UTC" }: BillReading,
  isRelay: boolean,
): Bill {
  const records = readRecords(text);
  const [headers = []] = records;
  const places = placesOf(headers, isRelay ? { ref: "operation_id", ...given } : given);
  const times = new LocalTimes(zone);
  let digits = 0;
  const lines = records.slice(1).map((record, at): BillLine => {
    const line = at + 2;
    const field = (column: Column) => record[places[column] ?? -1] ?? "";
    const told = (column: Column) =>
      places[column] === undefined ? undefined : countOf(field(column), line);
    const ref = field("ref");
    const priced =
      places.amount === undefined || field("amount") === ""
        ? null
        : amountOf(field("amount"), line, currency);
    assertSameCurrency(field("currency"), line, currency);
    digits = Math.max(digits, priced?.digits ?? 0);
    const parts = {
      cachedInputTokens: told("cached"),
      cacheWriteTokens: told("cacheWrite"),
      reasoningTokens: told("reasoning"),
      images: told("images"),
      seconds: told("seconds"),
    };
    return {
      ref: ref === "" ? null : isRelay ? answerId(ref) : ref,
      at: timeOf(field("at"), line, times),
      ...(isDay(field("at")) && { spanMs: DAY_MS }),
      model: field("model"),
      requests: told("requests") ?? 1,
      usage: {
        inputTokens: told("input") ?? 0,
        outputTokens: told("output") ?? 0,
        ...Object.fromEntries(Object.entries(parts).filter(([, count]) => count !== undefined)),
      },
      ...(counted.every((column) => field(column) === "") && { isUntold: true as const }),
      amount: priced?.amount ?? null,
    };
  });
  return { lines, step: 10n ** BigInt(Math.max(0, AMOUNT_DIGITS - digits)) };
}

/** What stands between the names of the columns: a comma, or as other programs write tables. */
function delimiterOf(text: string): string {
  const [names = ""] = /^[^\n]{0,10000}/.exec(text) ?? [];
  const count = (mark: string) => names.split(mark).length;
  return [",", ";", "\t"].reduce((most, mark) => (count(mark) > count(most) ? mark : most));
}

function readRecords(text: string): string[][] {
  try {
    return parse(text, {
      delimiter: delimiterOf(text),
      bom: true,
      skipEmptyLines: true,
      relaxColumnCount: true,
      trim: true,
    });
  } catch (error) {
    throw invalidValue(
      "file",
      `The bill is no CSV: ${error instanceof Error ? error.message : error}.`,
    );
  }
}

const number = (value: unknown): number => (typeof value === "number" ? value : 0);
const records = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : []);

/** The pages of an answer, or several answers in a list. */
function bucketsOf(text: string): Record<string, unknown>[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidValue(
      "file",
      `The bill is no JSON: ${error instanceof Error ? error.message : error}.`,
    );
  }
  const pages = Array.isArray(value) ? value : [value];
  return pages.flatMap((page) => {
    if (isRecord(page) && Array.isArray(page.data)) return records(page.data);
    throw invalidValue("file", "The bill is no answer of a usage interface: it has no `data`.");
  });
}

/** Throws where sums of several models came as one, or costs in place of tokens. */
function modelOf(result: Record<string, unknown>): string {
  if (typeof result.model === "string" && result.model !== "") return result.model;
  throw invalidValue("file", "The usage names no models: ask for it grouped by model.");
}

interface Bucket {
  readonly at: number;
  readonly spanMs?: number;
}

/** `GET /v1/organization/usage/completions`, in buckets of a minute, an hour or a day, by model. */
function openAiLine(bucket: Bucket, result: Record<string, unknown>): BillLine {
  return {
    ref: null,
    ...bucket,
    model: modelOf(result),
    requests: number(result.num_model_requests),
    usage: {
      inputTokens: number(result.input_tokens),
      outputTokens: number(result.output_tokens),
      cachedInputTokens: number(result.input_cached_tokens),
    },
    amount: null,
  };
}

/** `GET /v1/organizations/usage_report/messages`, in such buckets, by model. */
function anthropicLine(bucket: Bucket, result: Record<string, unknown>): BillLine {
  const creation = isRecord(result.cache_creation) ? result.cache_creation : {};
  const cacheWriteTokens =
    number(creation.ephemeral_5m_input_tokens) + number(creation.ephemeral_1h_input_tokens);
  const cachedInputTokens = number(result.cache_read_input_tokens);
  return {
    ref: null,
    ...bucket,
    model: modelOf(result),
    requests: number(result.requests),
    usage: {
      inputTokens: number(result.uncached_input_tokens) + cachedInputTokens + cacheWriteTokens,
      outputTokens: number(result.output_tokens),
      cachedInputTokens,
      cacheWriteTokens,
    },
    amount: null,
  };
}

/** Throws `invalid_value` with what cannot be read and where. */
export function readBill(text: string, format: BillFormat, reading: BillReading = {}): Bill {
  assertText(text);
  if (format === "csv" || format === "relay") return readCsv(text, reading, format === "relay");
  const times = new LocalTimes("UTC");
  const lines = bucketsOf(text).flatMap((bucket) => {
    const start = bucket.start_time ?? bucket.starting_at;
    const at = timeOf(String(start ?? ""), 1, times);
    const end = bucket.end_time ?? bucket.ending_at ?? null;
    const spanMs = end === null ? 0 : timeOf(String(end), 1, times) - at;
    const lineOf = format === "openai" ? openAiLine : anthropicLine;
    const named = { at, ...(spanMs > 0 && { spanMs }) };
    return records(bucket.results).map((result) => lineOf(named, result));
  });
  return { lines, step: 1n };
}
