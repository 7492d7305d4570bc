import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { productIn } from "@/server/sources.mjs";
import { settingsSchema } from "../settings/settings";
import * as cards from "../topup/card-answers";
import * as facts from "../topup/payment-facts";
import { checkoutSession } from "../topup/stripe";
import { FIRST_FAULT } from "./bounds";
import { chatChunk } from "./chat";
import type { EndpointRow } from "./endpoint";
import { endpoints } from "./endpoints";
import { failureBody, failureReason } from "./failure-body";
import { itemError } from "./image";
import { imageEvent } from "./image-events";
import { messagesEvent, messagesFailure } from "./messages";
import { allowedValues } from "./neutral";
import type { PageEndpoints } from "./page-endpoint";
import { pageEndpoints } from "./page-endpoints";
import { responsesEvent } from "./response-events";

const project = join(import.meta.dirname, "../..");
const rows: EndpointRow[] = Object.values(endpoints);
/** Schemas of `/v1` answers in the API document: shown to readers, never used to parse. */
const documented = new Set<unknown>([
  ...rows.map(({ response }) => response),
  chatChunk,
  failureBody,
  imageEvent,
  failureReason,
  itemError,
  messagesEvent,
  messagesFailure,
  responsesEvent,
]);

async function contractSchemas(): Promise<[name: string, schema: z.ZodType][]> {
  const found: [string, z.ZodType][] = [];
  for (const { path } of productIn(project, ["lib/contract"])) {
    const module: Record<string, unknown> = await import(join(project, path));
    for (const [name, value] of Object.entries(module))
      if (value instanceof z.ZodType && !documented.has(value))
        found.push([`${path} ${name}`, value]);
  }
  return found;
}

/** The schemas of the pages' API; most of them are exported by their row alone. */
function pageSchemas(): [name: string, schema: z.ZodType][] {
  const table: PageEndpoints = pageEndpoints;
  return Object.entries(table).flatMap(([name, { body, query, answer }]) =>
    Object.entries({ body, query, answer }).flatMap(([part, schema]): [string, z.ZodType][] =>
      schema instanceof z.ZodType ? [[`${name} ${part}`, schema]] : [],
    ),
  );
}

async function everySchema(): Promise<[name: string, schema: z.ZodType][]> {
  return [
    ...(await contractSchemas()),
    ...pageSchemas(),
    ...rows.flatMap(({ name, request, query }): [string, z.ZodType][] => [
      ...(request ? [[`${name} body`, request] as [string, z.ZodType]] : []),
      ...(query ? [[`${name} query`, query] as [string, z.ZodType]] : []),
    ]),
    ["settings", settingsSchema],
    ["stripe checkoutSession", checkoutSession],
    ...[...Object.entries(facts), ...Object.entries(cards)].flatMap(
      ([name, value]): [string, z.ZodType][] =>
        value instanceof z.ZodType ? [[`stripe ${name}`, value]] : [],
    ),
  ];
}

/** Formats with a fixed length. */
const fixedFormats = new Set(["date", "uuid"]);
/** Parsed by another schema of the same module, depending on the event's type. */
const opaque = new Set(["stripe event.data.object"]);
const unbounded = new Set([
  "record",
  "map",
  "set",
  "any",
  "file",
  "tuple",
  "template_literal",
  "lazy",
  "promise",
  "function",
]);

type Definition = z.core.$ZodTypeDef & {
  format?: string;
  innerType?: z.ZodType;
  options?: z.ZodType[];
  in?: z.ZodType;
  out?: z.ZodType;
  left?: z.ZodType;
  right?: z.ZodType;
  element?: z.ZodType;
  catchall?: z.ZodType;
  shape?: Record<string, z.ZodType>;
};

/** How many elements a schema reads of an array that is one longer than allowed. */
function elementsRead(schema: z.ZodType, length: number): number {
  let read = 0;
  const long = new Proxy([], {
    get(target, name) {
      if (name === "length") return length;
      if (typeof name === "string" && /^\d+$/.test(name)) read++;
      return Reflect.get(target, name);
    },
  });
  expect(schema.safeParse(long).success).toBe(false);
  return read;
}

function faultsOfObject(schema: z.ZodType, path: string, { catchall }: Definition): string[] {
  if (catchall === undefined || catchall._zod.def.type === "never") return [];
  const most = schema.meta()?.maxProperties as number | undefined;
  if (most === undefined) return [`${path} takes any number of members`];
  const members = Object.fromEntries(
    Array.from({ length: most + 1 }, (_, at) => [`member${at}`, "x"]),
  );
  const payload: z.core.ParsePayload<never> = { value: members as never, issues: [] };
  // None of these checks is asynchronous.
  for (const check of schema._zod.def.checks ?? []) void check._zod.check(payload);
  const told = payload.issues.map(({ message }) => message);
  return told.includes(`it must have at most ${most} members`)
    ? []
    : [`${path} is not held to ${most} members`];
}

function maximumOf(schema: z.ZodType): number | undefined {
  const maxima = (schema._zod.def.checks ?? []).map(
    (check) => check._zod.def as { check: string; maximum?: number; length?: number },
  );
  const found = maxima.flatMap(({ check, maximum, length }) =>
    check === "max_length"
      ? [maximum as number]
      : check === "length_equals"
        ? [length as number]
        : [],
  );
  return found.length === 0 ? undefined : Math.min(...found);
}

const yearZero: Record<string, string> = { date: "0000-01-01", datetime: "0000-01-01T00:00:00Z" };

function ownFaults(schema: z.ZodType, path: string, definition: Definition): string[] {
  const maximum = maximumOf(schema);
  switch (definition.type) {
    case "string":
      if (schema.safeParse(yearZero[definition.format ?? ""]).success)
        return [`${path} takes a year that PostgreSQL does not know`];
      return maximum !== undefined || fixedFormats.has(definition.format ?? "")
        ? []
        : [`${path} is a string of any length`];
    case "array":
      if (maximum === undefined) return [`${path} is an array of any length`];
      return elementsRead(schema, maximum + 1) === 0
        ? []
        : [`${path} reads elements of an array that is too long`];
    case "object":
      return faultsOfObject(schema, path, definition);
    case "unknown":
      return opaque.has(path) ? [] : [`${path} is anything`];
    default:
      return unbounded.has(definition.type) ? [`${path} is a ${definition.type}`] : [];
  }
}

function faults(schema: z.ZodType, path: string): string[] {
  if (allowedValues.has(schema)) return [];
  const definition = schema._zod.def as Definition;
  const {
    innerType,
    options = [],
    in: before,
    out: after,
    left,
    right,
    element,
    catchall,
    shape = {},
  } = definition;
  const isOpen = catchall?._zod.def.type === "unknown" || catchall?._zod.def.type === "never";
  const inner = [
    innerType,
    ...options,
    before,
    after,
    left,
    right,
    isOpen ? undefined : catchall,
  ].filter((each) => each !== undefined);
  return [
    ...ownFaults(schema, path, definition),
    ...inner.flatMap((each) => faults(each, path)),
    ...(element ? faults(element, `${path}[]`) : []),
    ...Object.entries(shape).flatMap(([name, member]) => faults(member, `${path}.${name}`)),
  ];
}

test("every string, array and open object of every schema has a maximum, and an array that is too long is not parsed", async () => {
  const schemas = await everySchema();
  expect(schemas.length).toBeGreaterThan(200);
  expect([...new Set(schemas.flatMap(([name, schema]) => faults(schema, name)))].sort()).toEqual(
    [],
  );
});

test("the walk finds schemas without a maximum", () => {
  const loose = z.object({
    text: z.string().optional(),
    list: z.array(z.union([z.string().max(3), z.object({ deep: z.string() })])).max(3),
    rows: z.array(z.int()),
    open: z.looseObject({}),
    names: z.record(z.string(), z.string()),
    when: z.iso.datetime().regex(/^[1-9]/),
    day: z.iso.date(),
    thing: z.unknown(),
  });
  expect(faults(loose, "it").map((fault) => fault.split(" ")[0])).toEqual([
    "it.text",
    "it.list[].deep",
    "it.rows",
    "it.open",
    "it.names",
    "it.when",
    "it.day",
    "it.thing",
  ]);
});

test("schemas are defined in the contract and in the files that the walk names, nowhere else", () => {
  const made = productIn(project, ["lib", "server", "app", "cli", "components"])
    .filter(({ text }) => /\bz\s*\.\s*(?!core\b)[a-z]\w*\s*[.(]/.test(text))
    .map(({ path }) => path);
  // `lib/docs` has code as text.
  expect(made.filter((path) => !/^lib\/(contract|client|docs)\//.test(path)).sort()).toEqual([
    "lib/settings/settings.ts",
    "lib/topup/card-answers.ts",
    "lib/topup/payment-facts.ts",
    "lib/topup/stripe.ts",
  ]);
});

test("parsing stops at the first error: of a list of wrong items one is read", () => {
  let read = 0;
  const wrong = new Proxy(Array(64).fill(1), {
    get(target, name) {
      if (typeof name === "string" && /^\d+$/.test(name)) read++;
      return Reflect.get(target, name);
    },
  });
  const parsed = endpoints.createVideo.request.safeParse(
    { model: "super-relay-2", prompt: "x", reference_images: wrong },
    FIRST_FAULT,
  );
  expect(parsed.error?.issues).toHaveLength(1);
  expect(read).toBe(1);
});
