/**
 * The API document as a page shows it: an entry per endpoint, its fields as a flat list, its
 * failures by status.
 */
import { z } from "zod";
import { type FailureCode, failures } from "../failures";
import { failureCodesOf } from "./api-document";
import type { EndpointRow } from "./endpoint";
import { endpoints } from "./endpoints";
import { examples } from "./examples";

export interface Field {
  /** The path, such as `messages[].role`. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string | null;
}

export interface ReferenceEntry {
  readonly name: string;
  readonly method: EndpointRow["method"];
  readonly path: string;
  readonly summary: string;
  readonly needsKey: boolean;
  readonly query: readonly Field[];
  readonly body: readonly Field[];
  readonly answer: readonly Field[];
  readonly failures: readonly { readonly status: number; readonly codes: readonly FailureCode[] }[];
  readonly samples: readonly { readonly name: string; readonly code: string }[];
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

const DEPTH_MAX = 3;
const branchesOf = ({ anyOf, oneOf }: Schema): readonly Schema[] => [
  ...(anyOf ?? []),
  ...(oneOf ?? []),
];

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const branches = branchesOf(schema);
  if (branches.length > 0) return [...new Set(branches.map(typeOf))].join(" | ");
  if (schema.type === "array") return schema.items ? `array of ${typeOf(schema.items)}` : "array";
  return schema.type === undefined ? "any" : [schema.type].flat().join(" | ");
}

/** The members of an object and their own members, as a flat list. */
function fieldsOf(schema: Schema, before = "", depth = 1): Field[] {
  const fields: Field[] = [];
  for (const [key, member] of Object.entries(schema.properties ?? {})) {
    const name = `${before}${key}`;
    fields.push({
      name,
      type: typeOf(member),
      isRequired: schema.required?.includes(key) ?? false,
      description: member.description ?? null,
    });
    if (depth === DEPTH_MAX) continue;
    for (const branch of [member, ...branchesOf(member)]) {
      fields.push(...fieldsOf(branch, `${name}.`, depth + 1));
      for (const item of branch.items ? [branch.items, ...branchesOf(branch.items)] : [])
        fields.push(...fieldsOf(item, `${name}[].`, depth + 1));
    }
  }
  return fields.filter(({ name }, at) => fields.findIndex((other) => other.name === name) === at);
}

const readFields = (schema: z.ZodType | null | undefined, io: "input" | "output"): Field[] =>
  schema ? fieldsOf(z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Schema) : [];

function samplesOf(row: EndpointRow, origin: string): ReferenceEntry["samples"] {
  const key = row.admits.includes("apiKey")
    ? ` \\\n  -H "Authorization: Bearer $RELAY_API_KEY"`
    : "";
  const call = `curl "${origin}${row.path}"`;
  if (row.method !== "POST")
    return [
      { name: "curl", code: `${call}${row.method === "GET" ? "" : ` -X ${row.method}`}${key}` },
    ];
  return (examples[row.path] ?? []).map(({ summary, body }) => {
    const text = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
    return {
      name: summary,
      code: `${call}${key} \\\n  -H "Content-Type: application/json" \\\n  -d '${text}'`,
    };
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

function readEntry(row: EndpointRow, origin: string): ReferenceEntry {
  return {
    name: row.name,
    method: row.method,
    path: row.path,
    summary: row.summary,
    needsKey: row.admits.includes("apiKey"),
    query: readFields(row.query, "input"),
    body: readFields(row.request, "input"),
    answer: readFields(row.response, "output"),
    failures: failuresOf(row),
    samples: samplesOf(row, origin),
  };
}

/** Reading all schemas takes 10 ms, so the last result is kept: a server has one origin. */
let last: { readonly origin: string; readonly entries: readonly ReferenceEntry[] } | undefined;

/** Every endpoint below `/v1`. `origin` is the address in the samples. */
export function apiReference(origin: string): readonly ReferenceEntry[] {
  if (last?.origin === origin) return last.entries;
  const rows: EndpointRow[] = Object.values(endpoints);
  const entries = rows
    .filter(({ path }) => path.startsWith("/v1/"))
    .map((row) => readEntry(row, origin));
  last = { origin, entries };
  return entries;
}
