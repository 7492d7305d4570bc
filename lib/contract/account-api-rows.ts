/** The rows of `/v1/account`, from those of the pages of an account. */
import { type AccountRowName, accountApi } from "./account-api";
import type { EndpointRow } from "./endpoint";
import { keyRow } from "./key-row";
import type { PageEndpoint } from "./page-endpoint";
import { pageEndpoints } from "./page-endpoints";
import { apiDocument } from "./service-answers";

/** A row that does what a page does, and that only management keys may call. */
export type AccountApiRow = EndpointRow & {
  readonly admits: readonly ["managementKey"];
  /** 200 when absent. */
  readonly status?: 201;
};

export const isAccountRowName = (name: string): name is AccountRowName =>
  Object.hasOwn(accountApi, name);

const own = {
  group: "ofAccount",
  admits: ["managementKey"],
  billing: "free",
  rate: "request",
} as const;

/** The row by which a key does what the page's row does; null where another row or none does. */
export function accountApiRow(name: AccountRowName): AccountApiRow | null {
  const entry = accountApi[name];
  if (!("scope" in entry)) return null;
  const page: PageEndpoint = pageEndpoints[name];
  const path = page.path.replace(/^\/api\/(account\b)?\/?/, "/v1/account/").replace(/\/$/, "");
  return { ...own, ...entry, ...keyRow(`account.${name}`, path, page) };
}

export const accountDocumentRow: AccountApiRow = {
  ...own,
  name: "account.getDocument",
  method: "GET",
  path: "/v1/account/openapi.json",
  summary: "Get this API as an OpenAPI 3.1 document",
  bodyBytesMax: 0,
  request: null,
  response: apiDocument,
};

/** Every row of `/v1/account`. */
export const accountApiRows: readonly AccountApiRow[] = [
  ...Object.keys(accountApi)
    .filter(isAccountRowName)
    .map(accountApiRow)
    .filter((row) => row !== null),
  accountDocumentRow,
];
