/** The rows of `/v1/admin`, from those of the operators' pages. */
import type { EndpointRow } from "./endpoint";
import { type OperatorRowName, operatorApi } from "./operator-api";
import type { PageEndpoint } from "./page-endpoint";
import { pageEndpoints } from "./page-endpoints";
import { apiDocument, file, pdfFile } from "./service-answers";

/** A row that only operator keys may call. */
export type OperatorApiRow = EndpointRow & {
  readonly admits: readonly ["operatorKey"];
  /** 200 when absent. */
  readonly status?: 201;
};

const BODY_BYTES_MAX = 64 * 1024;
const PAGES = "/api/admin/";

export const isOperatorRowName = (name: string): name is OperatorRowName =>
  Object.hasOwn(operatorApi, name);

const own = {
  group: "operators",
  admits: ["operatorKey"],
  billing: "free",
  rate: "request",
} as const;

/** The row by which a key does what the page's row does; null where no key may. */
export function operatorApiRow(name: OperatorRowName): OperatorApiRow | null {
  const entry = operatorApi[name];
  if ("leftOut" in entry) return null;
  const { method, path, status, body, query, answer }: PageEndpoint = pageEndpoints[name];
  const below = path.slice(PAGES.length);
  return {
    ...own,
    ...entry,
    name: `operator.${name}`,
    method,
    path: `/v1/admin/${below}`,
    ...(path.includes("{id}") && { parameter: `The id of one of the ${below.split("/")[0]}` }),
    ...(body ? { bodyBytesMax: BODY_BYTES_MAX, storesText: true } : { bodyBytesMax: 0 }),
    request: body ?? null,
    ...(status && { status }),
    ...(query && { query }),
    response: answer === "csv" ? file : answer === "pdf" ? pdfFile : answer,
  };
}

export const operatorDocumentRow: OperatorApiRow = {
  ...own,
  name: "operator.getDocument",
  method: "GET",
  path: "/v1/admin/openapi.json",
  summary: "Get this API as an OpenAPI 3.1 document",
  bodyBytesMax: 0,
  request: null,
  response: apiDocument,
};

/** The type of the file that a row answers with; null where it answers with JSON. */
export const fileTypeOf = ({ response }: EndpointRow): "text/csv" | "application/pdf" | null =>
  response === file ? "text/csv" : response === pdfFile ? "application/pdf" : null;

/** Every row of `/v1/admin`. */
export const operatorApiRows: readonly OperatorApiRow[] = [
  ...Object.keys(operatorApi)
    .filter(isOperatorRowName)
    .map(operatorApiRow)
    .filter((row) => row !== null),
  operatorDocumentRow,
];
