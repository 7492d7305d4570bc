/**
 * Holds and ends as rows of values, in the order in which the ledger's functions take them, and ends
 * as records of the spool.
 */
import { MICROPOINTS_MAX, type Micropoints } from "../../money/points";
import type { EndResult, HoldRequest, Loss, Outcome, ReleaseRequest, SettleRequest } from "./verbs";

/** Whole numbers beyond 2^53 come as text. */
export type Value = string | number | boolean | null;
export type Row = readonly Value[];

/**
 * Text from upstreams and clients: replaces what PostgreSQL cannot store and cuts the rest to
 * `length`.
 */
function plainText(text: string, length: number): string {
  const cut = text.length > length ? text.slice(0, length) : text;
  return /[\p{Cc}\p{Cs}]/u.test(cut) ? cut.replaceAll(/[\p{Cc}\p{Cs}]/gu, " ") : cut;
}

const textOrNull = (text: string | null, length: number): string | null =>
  text === null ? null : plainText(text, length);

function amountText(name: string, amount: Micropoints): string {
  if (amount < 0n || amount > MICROPOINTS_MAX)
    throw new RangeError(
      `${name} is ${amount}; it must be from 0 to ${MICROPOINTS_MAX} micropoints`,
    );
  return amount.toString();
}

function whole(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`${name} is ${value}; it must be a whole number from 0 on`);
  return value;
}

/**
 * A duration is a measurement that nothing depends on, so one beyond the column's range is cut to
 * it.
 */
const millis = (value: number): number =>
  Math.max(0, Math.min(2_147_483_647, Math.round(value) || 0));

const usageLengthMax = 4000;

/**
 * The upstream's usage object as JSON that PostgreSQL accepts, whatever it contains. An oversized
 * one is left out.
 */
function usageText(reported: unknown): string {
  const text = JSON.stringify(reported ?? {}) ?? "{}";
  if (text.length > usageLengthMax) return `{"left_out":"usage of ${text.length} characters"}`;
  return /\\u0000|\\ud[89a-f]/i.test(text)
    ? '{"left_out":"usage with characters that cannot be stored"}'
    : text;
}

/** `report` with what was charged, which it cannot replace: of two members the last one counts. */
function chargedText(report: string, quantities: SettleRequest["usage"]["quantities"]): string {
  if (quantities === undefined) return report;
  const charged = `"quantities":${JSON.stringify(quantities)}}`;
  if (!report.startsWith("{")) return `{"report":${report},${charged}`;
  return report === "{}" ? `{${charged}` : `${report.slice(0, -1)},${charged}`;
}

/** Throws `RangeError` for amounts outside their bounds. */
export function holdRow(request: HoldRequest): Row {
  const hold = amountText("holdAmount", request.holdAmount);
  if (request.holdAmountMin > request.holdAmount)
    throw new RangeError("holdAmountMin is above holdAmount");
  if (request.holdAmountMin < 1n && request.holdAmount > 0n)
    throw new RangeError("holdAmountMin would let an empty wallet hold nothing");
  const sha = request.requestSha256;
  return [
    request.operationId,
    request.accountId,
    textOrNull(request.apiKeyId, 100),
    request.source,
    plainText(request.requestId, 100),
    request.family,
    request.dialect ?? null,
    plainText(request.model, 80),
    request.priceVersionId,
    request.modelVersionId ?? null,
    request.multiplierPpm,
    amountText("quoteAmount", request.quoteAmount),
    hold,
    amountText("holdAmountMin", request.holdAmountMin),
    `\\x${Buffer.from(sha.buffer, sha.byteOffset, sha.byteLength).toString("hex")}`,
    whole("deadlineSeconds", request.deadlineSeconds),
    request.tags ? JSON.stringify(request.tags) : null,
  ];
}

/** The columns of an end, by their names in the spool. */
const endNames = [
  "id",
  "account",
  "settled",
  "amount",
  "input",
  "output",
  "usage",
  "reason",
  "channel",
  "upstream",
  "stream",
  "abandoned",
  "duration",
  "first",
  "cause",
  "estimate",
  "detail",
] as const;
const [usageAt, upstreamAt] = [endNames.indexOf("usage"), endNames.indexOf("upstream")];
/** Their text is JSON. */
const isJson = (name: string) => name === "usage" || name === "detail";

const outcomeValues = (outcome: Outcome): Row => [
  textOrNull(outcome.channelId, 100),
  textOrNull(outcome.upstreamRef, 128),
  outcome.isStream,
  outcome.isAbandoned,
  millis(outcome.durationMs),
  outcome.firstByteMs === null ? null : millis(outcome.firstByteMs),
];

const lossValues = (loss: Loss | null | undefined): Row =>
  loss
    ? [loss.cause, amountText("estimateAmount", loss.estimateAmount), usageText(loss.detail)]
    : [null, null, null];

/** Throws `RangeError` for figures outside their bounds. */
export const settleRow = (request: SettleRequest): Row => [
  request.operationId,
  request.accountId,
  true,
  amountText("amount", request.amount),
  whole("inputTokens", request.usage.inputTokens),
  whole("outputTokens", request.usage.outputTokens),
  chargedText(usageText(request.usage.reported), request.usage.quantities),
  request.reason ? plainText(request.reason, 200) : null,
  ...outcomeValues(request.outcome),
  ...lossValues(request.loss),
];

export const releaseRow = (request: ReleaseRequest): Row => [
  request.operationId,
  request.accountId,
  false,
  0,
  null,
  null,
  null,
  plainText(request.reason || "unknown", 200),
  ...outcomeValues(request.outcome),
  ...lossValues(request.loss),
];

/**
 * The same end without any text of an upstream, for when the database refuses it as it is. What was
 * charged by unit stays.
 */
export function bareEnd(row: Row): Row {
  const bare = [...row];
  bare[upstreamAt] = null;
  if (row[usageAt] !== null) bare[usageAt] = bareUsage(row[usageAt]);
  return bare;
}

function bareUsage(usage: Value | undefined): string {
  const report: { quantities?: object } | null = JSON.parse(String(usage));
  return report?.quantities ? JSON.stringify({ quantities: report.quantities }) : "{}";
}

/** An end as the spool keeps it. */
export const spoolRecord = (row: Row): string =>
  JSON.stringify(
    Object.fromEntries(
      endNames.flatMap((name, n) => {
        const value = row[n] ?? null;
        if (value === null) return [];
        return [[name, isJson(name) ? JSON.parse(String(value)) : value]];
      }),
    ),
  );

/** Throws for a record that is no end. */
export function readRecord(record: string): Row {
  const facts: Readonly<Record<string, unknown>> | null = JSON.parse(record);
  if (facts === null) throw new Error("a record of the spool is null");
  return endNames.map((name) => {
    const value = facts[name] ?? null;
    if (isJson(name)) return value === null ? null : JSON.stringify(value);
    if (isValue(value)) return value;
    throw new Error(`${name} in the spool is no value`);
  });
}

const isValue = (value: unknown): value is Value =>
  value === null || ["string", "number", "boolean"].includes(typeof value);

/** Parses the answer to one settlement or release; null when there is no such request. */
export function readEndAnswer(answer: string, isSettle: boolean): EndResult | null {
  switch (answer[0]) {
    case "d":
      return {
        result: "done",
        outcome: isSettle ? "settled" : "released",
        amount: BigInt(answer.slice(1)),
      };
    case "s":
      return { result: "already", outcome: "settled", amount: BigInt(answer.slice(1)) };
    case "r":
      return { result: "already", outcome: "released", amount: 0n };
    default:
      return null;
  }
}
