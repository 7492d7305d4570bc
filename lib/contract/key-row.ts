/** What a row of the API has from the row of the pages whose use case it serves to keys. */
import type { EndpointRow } from "./endpoint";
import type { PageEndpoint } from "./page-endpoint";
import { file, pdfFile } from "./service-answers";

const BODY_BYTES_MAX = 64 * 1024;

type FromPage = Pick<
  EndpointRow,
  | "name"
  | "method"
  | "path"
  | "parameter"
  | "bodyBytesMax"
  | "storesText"
  | "isOncePerKey"
  | "request"
  | "query"
  | "response"
> & { readonly status?: 201 };

export function keyRow(name: string, path: string, row: PageEndpoint): FromPage {
  const { method, status, body, query, answer } = row;
  return {
    name,
    method,
    path,
    ...(path.includes("{id}") && { parameter: `The id of one of the ${path.split("/")[3]}` }),
    ...(body ? { bodyBytesMax: BODY_BYTES_MAX, storesText: true } : { bodyBytesMax: 0 }),
    ...(method !== "GET" && { isOncePerKey: true }),
    request: body ?? null,
    ...(status && { status }),
    ...(query && { query }),
    response: answer === "csv" ? file : answer === "pdf" ? pdfFile : answer,
  };
}

/** The type of the file that a row answers with; null where it answers with JSON. */
export const fileTypeOf = ({ response }: EndpointRow): "text/csv" | "application/pdf" | null =>
  response === file ? "text/csv" : response === pdfFile ? "application/pdf" : null;
