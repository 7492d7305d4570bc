/** The rows of `/v1/admin`, from those of the operators' pages. */
import type { EndpointRow } from "./endpoint";
import { keyRow } from "./key-row";
import { type OperatorRowName, operatorApi } from "./operator-api";
import type { PageEndpoint } from "./page-endpoint";
import { pageEndpoints } from "./page-endpoints";
import { apiDocument } from "./service-answers";

/** A row that only operator keys may call. */
export type OperatorApiRow = EndpointRow & {
  readonly admits: readonly ["operatorKey"];
  /** 200 when absent. */
  readonly status?: 201;
};

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
  const page: PageEndpoint = pageEndpoints[name];
  const path = page.path.replace("/api/", "/v1/");
  return { ...own, ...entry, ...keyRow(`operator.${name}`, path, page) };
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

/** Every row of `/v1/admin`. */
export const operatorApiRows: readonly OperatorApiRow[] = [
  ...Object.keys(operatorApi)
    .filter(isOperatorRowName)
    .map(operatorApiRow)
    .filter((row) => row !== null),
  operatorDocumentRow,
];
