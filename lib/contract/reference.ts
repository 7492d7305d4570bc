/**
 * The API as its reference shows it: an entry per endpoint with its fields as flat lists, and its
 * failures by status.
 */
import { z } from "zod";
import { type FailureCode, failures } from "../failures/failure-table";
import { keysOf } from "../values/records";
import { parametersOf } from "./api-document";
import { chatChunk } from "./chat";
import { passedChatFields } from "./chat-passed";
import type { EndpointRow } from "./endpoint";
import { failureCodesOf } from "./endpoint-failures";
import { type EndpointName, endpoints } from "./endpoints";
import { messagesEvent } from "./messages";
import { type Field, fieldsOf, type Schema, withFields } from "./reference-fields";
import { responsesEvent } from "./response-events";

export interface ReferenceEntry {
  readonly name: EndpointName;
  readonly group: EndpointRow["group"];
  readonly method: EndpointRow["method"];
  readonly path: string;
  readonly summary: string;
  readonly needsKey: boolean;
  /** What a management key needs to call it; null where none may. */
  readonly scope: NonNullable<EndpointRow["scope"]> | null;
  /** Whether a signed-in page may call it with its session. */
  readonly takesSession: boolean;
  readonly isSold: boolean;
  /** 0 when it takes no body. */
  readonly bodyMebibytesMax: number;
  /** The parameters of the path, the query and the headers. */
  readonly parameters: readonly Field[];
  readonly query: readonly Field[];
  readonly headers: readonly Field[];
  readonly body: readonly Field[];
  readonly answer: readonly Field[];
  /** One event of a streamed answer. */
  readonly event: readonly Field[];
  readonly failures: readonly { readonly status: number; readonly codes: readonly FailureCode[] }[];
}

/** One event of the stream of an endpoint that has one. */
const streamEvents: Readonly<Record<string, z.ZodType>> = {
  createChatCompletion: chatChunk,
  createMessage: messagesEvent,
  createResponse: responsesEvent,
};

const MEBIBYTE = 1024 * 1024;

const readSchema = (schema: z.ZodType, io: "input" | "output") =>
  z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Schema;

const readFields = (schema: z.ZodType | null | undefined, io: "input" | "output"): Field[] =>
  schema ? fieldsOf(readSchema(schema, io)) : [];

const passed: readonly [path: string, schema: Schema][] = Object.entries(passedChatFields).map(
  ([path, { or, ...schema }]) => {
    const { description, ...one } = schema;
    return [path, or === undefined ? schema : { description, anyOf: [one, { type: or }] }];
  },
);

function bodyOf(row: EndpointRow): Field[] {
  const fields = readFields(row.request, "input");
  return row.name === "createChatCompletion" ? withFields(fields, passed) : fields;
}

function parameterFields(row: EndpointRow, place: "path" | "query" | "header"): Field[] {
  const named = parametersOf(row).filter((parameter) => parameter.in === place);
  return fieldsOf({
    properties: Object.fromEntries(
      named.map(({ name, description, schema }) => [
        name,
        description === undefined ? schema : { ...schema, description },
      ]),
    ),
    required: named.filter(({ required }) => required).map(({ name }) => name),
  });
}

function failuresOf(row: EndpointRow): ReferenceEntry["failures"] {
  const codes = failureCodesOf(row);
  const statuses = [...new Set(codes.map((code) => failures[code].status))].sort((a, b) => a - b);
  return statuses.map((status) => ({
    status,
    codes: codes.filter((code) => failures[code].status === status),
  }));
}

function readEntry(name: EndpointName): ReferenceEntry {
  const row: EndpointRow = endpoints[name];
  return {
    name,
    group: row.group,
    method: row.method,
    path: row.path,
    summary: row.summary,
    needsKey: !row.admits.includes("anyone"),
    scope: row.scope ?? null,
    takesSession: row.admits.includes("session"),
    isSold: row.billing === "generation",
    bodyMebibytesMax: Math.max(row.bodyBytesMax, row.form?.bodyBytesMax ?? 0) / MEBIBYTE,
    parameters: parameterFields(row, "path"),
    query: parameterFields(row, "query"),
    headers: parameterFields(row, "header"),
    body: bodyOf(row),
    answer: readFields(row.response, "output"),
    event: readFields(streamEvents[row.name], "output"),
    failures: failuresOf(row),
  };
}

/** Reading a schema takes some milliseconds, so it is done once. */
const entries = new Map<EndpointName, ReferenceEntry>();

export function referenceEntry(name: EndpointName): ReferenceEntry {
  const known = entries.get(name);
  if (known) return known;
  const entry = readEntry(name);
  entries.set(name, entry);
  return entry;
}

/** Every endpoint, in the table's order. */
export const apiReference = (): ReferenceEntry[] => keysOf(endpoints).map(referenceEntry);
