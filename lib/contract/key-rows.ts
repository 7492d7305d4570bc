/** The rows of `/v1/admin` and `/v1/account`, by which keys call the use cases of the pages' rows. */
import { z } from "zod";
import { keysOf } from "../values/records";
import type { EndpointRow } from "./endpoint";
import { ROW_BODY_BYTES_MAX } from "./limits";
import type { PageEndpoint } from "./page-endpoint";
import { type PageName, pageEndpoints } from "./page-endpoints";
import { rowSummaries, type ServedName } from "./row-summaries";
import { apiDocument, file, pdfFile } from "./service-answers";
import { wireAnswer, wireQuery, wireSchema } from "./wire";

/** A row that only the keys of one kind may call. */
export type KeyRow = EndpointRow & {
  readonly admits: readonly ["operatorKey"] | readonly ["managementKey"];
};

const free = { billing: "free", rate: "request" } as const;
const kinds = {
  operator: { ...free, group: "operators", admits: ["operatorKey"] },
  user: { ...free, group: "ofAccount", admits: ["managementKey"] },
} as const;

const servedNames = keysOf(rowSummaries);
export const isServedName = (name: string): name is ServedName => Object.hasOwn(rowSummaries, name);

function pathOf({ who, path }: PageEndpoint): string {
  if (who === "operator") return path.replace("/api/", "/v1/");
  return path.replace(/^\/api\/(account\b)?\/?/, "/v1/account/").replace(/\/$/, "");
}

function rowOf(name: ServedName): KeyRow {
  const row: PageEndpoint = pageEndpoints[name];
  const { method, status, body, query, answer, scope } = row;
  const path = pathOf(row);
  return {
    ...kinds[pageEndpoints[name].who],
    name: `${row.who === "operator" ? "operator" : "account"}.${name}`,
    summary: rowSummaries[name],
    ...(scope && { scope }),
    method,
    path,
    ...(path.includes("{id}") && { parameter: `The id of one of the ${path.split("/")[3]}` }),
    ...(body
      ? { bodyBytesMax: row.bodyBytesMax ?? ROW_BODY_BYTES_MAX, storesText: true }
      : { bodyBytesMax: 0 }),
    ...(method !== "GET" && { isOncePerKey: true }),
    request: body ? wireSchema(body) : null,
    ...(status && { status }),
    ...((query || method === "GET") && { query: wireQuery(query ?? z.object({})) }),
    response: answer === "csv" ? file : answer === "pdf" ? pdfFile : wireAnswer(answer),
  };
}

const served = servedNames.map((name) => ({ name, row: rowOf(name) }));

/** The row by which a key does what the page's row does; null where another row or none does. */
export const keyRow = (name: PageName): KeyRow | null =>
  served.find((each) => each.name === name)?.row ?? null;

const document = {
  method: "GET",
  summary: "Get this API as an OpenAPI 3.1 document",
  bodyBytesMax: 0,
  request: null,
  response: apiDocument,
} as const;
export const operatorDocumentRow: KeyRow = {
  ...kinds.operator,
  ...document,
  name: "operator.getDocument",
  path: "/v1/admin/openapi.json",
};
export const accountDocumentRow: KeyRow = {
  ...kinds.user,
  ...document,
  name: "account.getDocument",
  path: "/v1/account/openapi.json",
};

const rowsOf = (group: KeyRow["group"]) =>
  served.map(({ row }) => row).filter((row) => row.group === group);
/** Every row of `/v1/admin`. */
export const operatorApiRows: readonly KeyRow[] = [...rowsOf("operators"), operatorDocumentRow];
/** Every row of `/v1/account`. */
export const accountApiRows: readonly KeyRow[] = [...rowsOf("ofAccount"), accountDocumentRow];

/** The type of the file that a row answers with; null where it answers with JSON. */
export const fileTypeOf = ({ response }: EndpointRow): "text/csv" | "application/pdf" | null =>
  response === file ? "text/csv" : response === pdfFile ? "application/pdf" : null;
