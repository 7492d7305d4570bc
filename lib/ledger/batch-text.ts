/**
 * Serializes the items of a batch to the JSON that `ledger_apply` reads, and parses its short text
 * answers.
 */
import { MICROPOINTS_MAX, type Micropoints } from "../points";
import type { EndResult, HoldRequest, Loss, Outcome, ReleaseRequest, SettleRequest } from "./verbs";

/**
 * Text from upstreams and clients: replaces what `jsonb` cannot store and cuts the rest to
 * `length`.
 */
function plainText(text: string, length: number): string {
  const cut = text.length > length ? text.slice(0, length) : text;
  return /[\p{Cc}\p{Cs}]/u.test(cut) ? cut.replaceAll(/[\p{Cc}\p{Cs}]/gu, " ") : cut;
}

const textOrNull = (text: string | null, length: number): string =>
  text === null ? "null" : JSON.stringify(plainText(text, length));

function amountText(name: string, amount: Micropoints): string {
  if (amount < 0n || amount > MICROPOINTS_MAX)
    throw new RangeError(
      `${name} is ${amount}; it must be from 0 to ${MICROPOINTS_MAX} micropoints`,
    );
  return amount.toString();
}

function wholeText(name: string, value: number): string {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`${name} is ${value}; it must be a whole number from 0 on`);
  return String(value);
}

/**
 * A duration is a measurement that nothing depends on, so one beyond the column's range is cut to
 * it.
 */
const millisText = (value: number): string =>
  String(Math.max(0, Math.min(2_147_483_647, Math.round(value) || 0)));

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

/** A hold without its opening `{"i":n,`. Throws `RangeError` for amounts outside their bounds. */
export function holdText(request: HoldRequest): string {
  const hold = amountText("holdAmount", request.holdAmount);
  if (request.holdAmountMin > request.holdAmount)
    throw new RangeError("holdAmountMin is above holdAmount");
  if (request.holdAmountMin < 1n && request.holdAmount > 0n)
    throw new RangeError("holdAmountMin would let an empty wallet hold nothing");
  const sha = request.requestSha256;
  return (
    `"id":"${request.operationId}","account":${JSON.stringify(request.accountId)},"key":${textOrNull(request.apiKeyId, 100)},` +
    `"source":"${request.source}","request":${textOrNull(request.requestId, 100)},"family":"${request.family}",${request.dialect ? `"dialect":"${request.dialect}",` : ""}` +
    `"model":${textOrNull(request.model, 80)},"price":${request.priceVersionId},"ppm":${request.multiplierPpm},` +
    `"quote":${amountText("quoteAmount", request.quoteAmount)},"amount":${hold},"least":${amountText("holdAmountMin", request.holdAmountMin)},` +
    `"sha":"${Buffer.from(sha.buffer, sha.byteOffset, sha.byteLength).toString("hex")}",` +
    `"seconds":${wholeText("deadlineSeconds", request.deadlineSeconds)}}`
  );
}

const outcomeText = (outcome: Outcome): string =>
  `"channel":${textOrNull(outcome.channelId, 100)},"upstream":${textOrNull(outcome.upstreamRef, 128)},"stream":${outcome.isStream},` +
  `"abandoned":${outcome.isAbandoned},"duration":${millisText(outcome.durationMs)},` +
  `"first":${outcome.firstByteMs === null ? "null" : millisText(outcome.firstByteMs)}}`;

const reasonText = (reason: string | null | undefined): string =>
  reason ? `"reason":${textOrNull(reason, 200)},` : "";

const lossText = (loss: Loss | null | undefined): string =>
  loss
    ? `"cause":"${loss.cause}","estimate":${amountText("estimateAmount", loss.estimateAmount)},"detail":${usageText(loss.detail)},`
    : "";

/**
 * A settlement without its opening `{"i":n,`. Throws `RangeError` for figures outside their bounds.
 */
export function settleText(
  request: SettleRequest,
  report: string = usageText(request.usage.reported),
): string {
  const usage = chargedText(report, request.usage.quantities);
  return (
    `"id":"${request.operationId}","account":${JSON.stringify(request.accountId)},"settled":true,` +
    `"amount":${amountText("amount", request.amount)},"input":${wholeText("inputTokens", request.usage.inputTokens)},` +
    `"output":${wholeText("outputTokens", request.usage.outputTokens)},"usage":${usage},${reasonText(request.reason)}${lossText(request.loss)}${outcomeText(request.outcome)}`
  );
}

/** A release without its opening `{"i":n,`. */
export function releaseText(request: ReleaseRequest): string {
  return (
    `"id":"${request.operationId}","account":${JSON.stringify(request.accountId)},"settled":false,"amount":0,` +
    `"reason":${textOrNull(request.reason || "unknown", 200)},${lossText(request.loss)}${outcomeText(request.outcome)}`
  );
}

/** Parses the answer to one settlement or release; null when there is no such operation. */
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
