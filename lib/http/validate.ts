/**
 * Checks a parsed body against its schema, and words the first fault: the field, what was sent,
 * what is allowed.
 */
import type { z } from "zod";
import { FIRST_FAULT } from "../contract/bounds";
import { type BodyOf, type EndpointRow, schemaOf } from "../contract/endpoint";
import { type FailureCode, failures } from "../failures/failure-table";
import { invalidValue, RelayError } from "../failures/relay-error";
import type { Fault, FaultName } from "../failures/value-faults";
import { isKeyOf, isObject } from "../values/records";

type Issue = z.core.$ZodIssue;

function pathText(path: readonly PropertyKey[]): string {
  let text = "";
  for (const step of path)
    text +=
      typeof step === "number" ? `[${step}]` : text === "" ? String(step) : `.${String(step)}`;
  return text.slice(0, 200);
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value = body;
  for (const step of path) value = isObject(value) ? value[step] : undefined;
  return value;
}

function shown(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/**
 * A branch that accepted the value's type but not its size or form is nearer than one of another
 * type.
 */
function nearness({ path, code }: Issue): number {
  return path.length > 0 ? path.length : code === "too_big" || code === "too_small" ? 0.5 : 0;
}

/** Of a union's branches, the issue that got deepest: the branch that the caller meant. */
function deepest(issue: Issue): { issue: Issue; path: PropertyKey[] } {
  let path = [...issue.path];
  let current = issue;
  while (current.code === "invalid_union" && current.errors.length > 0) {
    let best: Issue | undefined;
    for (const branch of current.errors) {
      const first = branch[0];
      if (first && (!best || nearness(first) > nearness(best))) best = first;
    }
    if (!best || nearness(best) === 0) break;
    path = [...path, ...best.path];
    current = best;
  }
  return { issue: current, path };
}

const KEYS_NAMED_MAX = 5;

function namedKeys(keys: readonly string[]): string {
  const named = keys.slice(0, KEYS_NAMED_MAX).map((key) => `\`${key.slice(0, 60)}\``);
  const more = keys.length - named.length;
  return `unknown parameter${keys.length > 1 ? "s" : ""} ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const article = (noun: string) => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`);

interface Expectation {
  readonly code: FailureCode;
  readonly text: string;
  readonly fault?: Fault;
}

const sizeFaults: Record<"small" | "large", Record<"text" | "list" | "number", FaultName>> = {
  small: { text: "too_short", list: "too_few", number: "too_small" },
  large: { text: "too_long", list: "too_many", number: "too_large" },
};

/** What was sent and the bound it misses. */
function sizeFault(
  { text, list, number }: (typeof sizeFaults)["small"],
  origin: string,
  bound: number | bigint,
  value: unknown,
): Fault {
  const allowed = { bound: Number(bound) };
  if (origin === "string") return { name: text, sent: String(value).length, ...allowed };
  if (origin === "array")
    return { name: list, sent: Array.isArray(value) ? value.length : 0, ...allowed };
  return { name: number, sent: Number(value), ...allowed };
}

const OPTIONS_NAMED_MAX = 12;

function expectation(issue: Issue, value: unknown): Expectation {
  switch (issue.code) {
    case "invalid_type": {
      const expected = issue.expected === "int" ? "integer" : issue.expected;
      return {
        code: "invalid_value",
        text: `it must be ${article(expected)}`,
        fault: { name: "wrong_type", expected },
      };
    }
    case "invalid_value": {
      const options = issue.values.slice(0, OPTIONS_NAMED_MAX).map(String).join(", ");
      return {
        code: "invalid_value",
        text: `it must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map((value) => JSON.stringify(value)).join(", ")}`,
        fault: { name: "not_an_option", options },
      };
    }
    case "too_small":
      return {
        code: "invalid_value",
        text: `it must ${sizeText("at least", issue.minimum, issue.origin)}`,
        fault: sizeFault(sizeFaults.small, issue.origin, issue.minimum, value),
      };
    case "too_big":
      return {
        code: "invalid_value",
        text: `it must ${sizeText("at most", issue.maximum, issue.origin)}`,
        fault: sizeFault(sizeFaults.large, issue.origin, issue.maximum, value),
      };
    case "unrecognized_keys":
      return {
        code: "unknown_parameter",
        text: namedKeys(issue.keys),
        fault: {
          name: "unknown_fields",
          fields: issue.keys
            .slice(0, KEYS_NAMED_MAX)
            .map((key) => key.slice(0, 60))
            .join(", "),
        },
      };
    case "invalid_union":
      // The schema's own error says what is allowed.
      return {
        code: issue.discriminator === undefined ? "invalid_value" : "unsupported_value",
        text: issue.message,
      };
    case "custom": {
      const code: unknown = issue.params?.code;
      return {
        code: typeof code === "string" && isKeyOf(failures, code) ? code : "invalid_value",
        text: issue.message,
      };
    }
    case "invalid_format":
      return {
        code: "invalid_value",
        // Zod's own texts begin with "Invalid".
        text: issue.message.startsWith("Invalid") ? "this value is not allowed" : issue.message,
      };
    default:
      return { code: "invalid_value", text: "this value is not allowed" };
  }
}

const units: Readonly<Record<string, string>> = { array: "item", string: "character" };

/** A bound of a number's value, or of the length of a list or a text. */
function sizeText(relation: string, bound: number | bigint, origin: string): string {
  const unit = units[origin];
  if (unit === undefined) return `be ${relation} ${bound}`;
  return `have ${relation} ${bound} ${unit}${Number(bound) === 1 ? "" : "s"}`;
}

/** The path of the first text or name in `value` that contains a NUL; null when there is none. */
function pathOfNul(value: unknown): PropertyKey[] | null {
  if (typeof value === "string") return value.includes("\0") ? [] : null;
  if (!isObject(value)) return null;
  for (const name of Object.keys(value)) {
    if (name.includes("\0")) return [];
    const path = pathOfNul(value[name]);
    if (path !== null) return [Array.isArray(value) ? Number(name) : name, ...path];
  }
  return null;
}

/** Throws `invalid_value` for a text or name that contains a NUL, which PostgreSQL cannot store. */
export function refuseNul(value: unknown): void {
  const path = pathOfNul(value);
  if (path === null) return;
  const param = pathText(path);
  throw new RelayError("invalid_value", {
    message: `${param === "" ? "The request" : `\`${param}\``} contains a NUL character, which cannot be stored.`,
    fault: { name: "unstorable" },
    param: param || null,
  });
}

/**
 * Throws `missing_required_parameter`, `invalid_value`, `unsupported_value`, … for the first fault
 * of `body`.
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): asserts body is z.infer<Schema> {
  const parsed = schema.safeParse(body, FIRST_FAULT);
  if (parsed.success) return;
  const [first] = parsed.error.issues;
  if (first === undefined) throw parsed.error;
  const { issue, path } = deepest(first);
  const param = pathText(path);
  const value = valueAt(body, path);
  if (param === "" && issue.code === "invalid_type") {
    throw new RelayError("invalid_value", {
      message: `The body must be a JSON object, not ${shown(body)}.`,
    });
  }
  const { code, text, fault } = expectation(issue, value);
  if (value === undefined && issue.code !== "unrecognized_keys") {
    throw new RelayError("missing_required_parameter", {
      message: `\`${param}\` is missing: ${text}.`,
      param,
      fault: { name: "missing" },
    });
  }
  const message =
    issue.code === "unrecognized_keys"
      ? `The request has the ${text}.`
      : param === ""
        ? `The request is invalid: ${text}.`
        : `\`${param}\` is ${shown(value)}: ${text}.`;
  throw new RelayError(code, { message, param: param || null, fault });
}

/** Throws what a row's schema refuses of a body, and texts that it could not store. */
export function validateBody<Row extends EndpointRow>(
  row: Row,
  body: unknown,
): asserts body is BodyOf<Row> {
  if (row.storesText) refuseNul(body);
  const schema: z.ZodType | null = schemaOf(row, body);
  if (schema !== null) validate(schema, body);
}

/**
 * A query's parameters as they were sent, checked like the members of a body. A repeated parameter
 * is refused.
 */
export function queryTexts(schema: z.ZodObject, query: string): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    if (Object.hasOwn(given, name))
      throw invalidValue(name.slice(0, 60), `\`${name.slice(0, 60)}\` must be given only once.`);
    given[name] = value;
  }
  refuseNul(given);
  validate(schema, given);
  return given;
}

/** A query's parameters, checked, with what the schema makes of them. */
export const validateQuery = <Schema extends z.ZodObject>(
  schema: Schema,
  query: string,
): z.infer<Schema> => schema.parse(queryTexts(schema, query));
