import { expect, test } from "vitest";
import { failures } from "../failures/failure-table";
import { apiDocument } from "./api-document";
import type { EndpointRow } from "./endpoint";
import { endpoints } from "./endpoints";
import { examples } from "./examples";

type Json = Record<string, unknown>;
interface Operation {
  operationId: string;
  summary: string;
  security?: unknown[];
  parameters?: { name: string; in: string; required: boolean; schema: Json }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json; examples?: Json }> };
  responses: Record<
    string,
    { description: string; headers?: Json; content: Record<string, { schema: Json }> }
  >;
}
const document = JSON.parse(JSON.stringify(apiDocument())) as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Json; securitySchemes: Json };
};
const rows: EndpointRow[] = Object.values(endpoints);
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

test("every endpoint is in the document, and nothing else is", () => {
  expect(document.openapi).toMatch(/^3\.1\.\d$/);
  expect(
    operations
      .map(({ path, method, operation }) => `${method} ${path} ${operation.operationId}`)
      .sort(),
  ).toEqual(rows.map(({ path, method, name }) => `${method.toLowerCase()} ${path} ${name}`).sort());
});

/** What a row says of its keys, where it is not what the whole document says. */
function securityOf({ admits, dialect, scope }: EndpointRow) {
  if (admits.includes("anyone")) return [];
  if (dialect === "messages") return [{ apiKey: [] }, { apiKeyHeader: [] }];
  if (scope === undefined) return undefined;
  return [...(admits.includes("apiKey") ? [{ apiKey: [] }] : []), { managementKey: [scope] }];
}

test.each(rows)("$name documents its key, body, query and parameters as in the table", (row) => {
  const operation = document.paths[row.path]?.[row.method.toLowerCase()] as Operation;
  expect(operation.security).toEqual(securityOf(row));
  expect(operation.requestBody !== undefined).toBe(row.request !== null);
  const named = (place: string) =>
    (operation.parameters ?? [])
      .filter((parameter) => parameter.in === place)
      .map(({ name }) => name);
  expect(named("path")).toEqual([...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  expect(named("query")).toEqual(Object.keys(row.query?.shape ?? {}));
  const isOnce =
    row.billing === "generation" || ["createApiKey", "createInvitation"].includes(row.name);
  const headers = [
    ...(isOnce ? ["Idempotency-Key"] : []),
    ...(row.billing === "generation" ? ["x-relay-tags"] : []),
    ...(row.accepted ? ["Prefer"] : []),
  ];
  expect(named("header")).toEqual(headers);
  expect(operation.responses["202"] !== undefined).toBe(row.accepted !== undefined);
  const sold = ["idempotent-replayed", "idempotent-joined", "x-relay-model-retires"];
  const answer = operation.responses["200"];
  expect(Object.keys(answer?.headers ?? {})).toEqual(row.billing === "generation" ? sold : []);
});

test("every documented failure has a status and code of the failure table", () => {
  for (const { operation } of operations) {
    for (const [status, { description }] of Object.entries(operation.responses)) {
      if (status === "200") continue;
      for (const [, code] of description.matchAll(/^`(\w+)`:/gm))
        expect(failures[code as keyof typeof failures].status).toBe(Number(status));
    }
  }
});

/** Visits every value under a member named `schema`, and everything inside it. */
function inspect(value: unknown, visit: (value: Json) => void): void {
  if (typeof value !== "object" || value === null) return;
  visit(value as Json);
  for (const inner of Object.values(value)) inspect(inner, visit);
}

test("the document keeps OpenAPI 3.1's rules: unique ids, resolvable references, JSON Schema 2020-12 types", () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const types = ["null", "boolean", "object", "array", "number", "string", "integer"];
  const schemas: unknown[] = [document.components.schemas];
  for (const { operation } of operations) {
    expect(operation.summary).not.toBe("");
    schemas.push(operation.parameters?.map(({ schema }) => schema));
    for (const media of Object.values(operation.requestBody?.content ?? {}))
      schemas.push(media.schema);
    for (const { description, content } of Object.values(operation.responses)) {
      expect(description).not.toBe("");
      for (const media of Object.values(content)) schemas.push(media.schema);
    }
  }
  inspect(schemas, (schema) => {
    expect(schema).not.toHaveProperty("nullable");
    if (typeof schema.type === "string") expect(types).toContain(schema.type);
    if (typeof schema.$ref === "string") {
      const target = schema.$ref
        .slice(2)
        .split("/")
        .reduce<unknown>((at, step) => (at as Json | undefined)?.[step], document);
      expect(target, schema.$ref).toBeDefined();
    }
  });
});

test("every POST has examples, and each passes its request schema", () => {
  const withBody = rows.filter((row) => row.method === "POST" && row.request !== null);
  for (const row of withBody) {
    expect(examples()[row.path]?.length, row.path).toBeGreaterThan(0);
    for (const { body } of examples()[row.path] ?? [])
      expect(row.request?.safeParse(body).success, row.path).toBe(true);
  }
});
