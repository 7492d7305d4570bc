/** What a failure is called: by its fault, its numbers, or its code at the place it happened. */
import { valueFaultNames } from "../failures/value-faults";
import { isObject } from "../values/records";
import { shortPoints } from "./points-display";
import { RequestError } from "./request-error";
import { exactTime } from "./times";

/** Where a request was made: what the same refusal is called depends on it. */
export type FailureContext =
  | "page"
  | "filter"
  | "chat"
  | "studio"
  | "cancel"
  | "voucher"
  | "purchase"
  | "key"
  | "operator";

/** `isAtField`: the text stands at the field that it is about, and need not name it. */
export type FailureText = (error: unknown, isAtField?: boolean) => string;

type Values = Record<string, string | number>;
/** The texts of failures in one language. */
export type Say = ((key: string, values?: Values) => string) & { has(key: string): boolean };

/** Failures whose message names the parameter, what was sent and what is allowed. */
const wrongInputs = new Set([
  "invalid_value",
  "unsupported_value",
  "missing_required_parameter",
  "unknown_parameter",
  "already_exists",
]);

/** Operators also read which of the things they named is not there. */
const wrongNames = new Set([
  "not_found",
  "model_not_found",
  "model_retired",
  "insufficient_points",
]);

const WAIT_SECONDS_MIN = 10;
const SECONDS_MAX = 90;

function isValue(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

/** What exactly is wrong, with its names and numbers. */
function faultText({ facts: { fault } }: RequestError, say: Say, locale: string): string | null {
  if (!isObject(fault) || typeof fault.name !== "string") return null;
  const key = `faults.${fault.name}`;
  if (!say.has(key)) return null;
  const values: Values = {};
  for (const [name, value] of Object.entries(fault)) if (isValue(value)) values[name] = value;
  // A moment, in milliseconds.
  if (typeof values.at === "number")
    values.at = exactTime(new Date(values.at).toISOString(), locale);
  return say(key, values);
}

/** How many points are needed, there, and missing. */
function pointsText({ code, facts }: RequestError, say: Say, locale: string): string | null {
  const needed = facts.required_points;
  const there = facts.available_points ?? facts.remaining_points;
  const held = facts.held_points ?? 0;
  const key = `points.${code}`;
  if (!say.has(key)) return null;
  if (typeof needed !== "number" || typeof there !== "number" || typeof held !== "number")
    return null;
  const text = (points: number) => shortPoints(points.toFixed(6));
  const { period, renews_at: renewsAt } = facts;
  const renews = typeof renewsAt === "number" ? new Date(renewsAt * 1000).toISOString() : null;
  return say(key, {
    period: typeof period === "string" ? period : "",
    renews: renews === null ? "" : exactTime(renews, locale),
    needed: text(needed),
    there: text(there),
    held: text(held),
    missing: text(Math.max(0, needed - there)),
  });
}

function waitText({ retryAfterSeconds: seconds, status }: RequestError, say: Say): string | null {
  if (seconds === null || (status !== 429 && seconds < WAIT_SECONDS_MIN)) return null;
  return seconds <= SECONDS_MAX
    ? say("waitSeconds", { seconds: Math.ceil(seconds) })
    : say("wait", { minutes: Math.ceil(seconds / 60) });
}

const isAboutValue = ({ facts: { fault } }: RequestError) =>
  isObject(fault) && valueFaultNames.some((name) => name === fault.name);

/** The text with the field's label before it: `messages[0].content` is one of the messages. */
function aboutField({ param }: RequestError, text: string, isAtField: boolean, say: Say): string {
  if (param === null || isAtField) return text;
  const label = `fields.${/^\w*/.exec(param)}`;
  return say("about", { field: say.has(label) ? say(label) : param, text });
}

/**
 * The text for a failure, in the language of `say`, for the place where it happened. The server's
 * own English message is shown to readers of English only, and only where it says what is allowed.
 */
export function createFailureText(say: Say, locale: string, context: FailureContext): FailureText {
  const textOf = (error: RequestError, isAtField: boolean): string => {
    const { code, message } = error;
    const exact = faultText(error, say, locale);
    if (exact !== null)
      return isAboutValue(error) ? aboutField(error, exact, isAtField, say) : exact;
    const points = pointsText(error, say, locale);
    if (points !== null) return points;
    const [here, anywhere] = [`in.${context}.${code}`, `codes.${code}`];
    if (say.has(here)) return say(here);
    const isSaid = wrongInputs.has(code) || (context === "operator" && wrongNames.has(code));
    if (!isSaid) return say.has(anywhere) ? say(anywhere) : say("refused");
    return locale === "en" ? message : aboutField(error, say(anywhere), isAtField, say);
  };
  return (error, isAtField = false) => {
    if (!(error instanceof RequestError)) return say("unknown");
    const [text, wait] = [textOf(error, isAtField), waitText(error, say)];
    return wait === null ? text : say("andWait", { text, wait });
  };
}
