import type { EndpointRow } from "../contract/endpoint";
import { RelayError } from "../failures/relay-error";

/** The decoded parameter in a path; empty for a row without one. Throws `route_not_found`. */
export function pathParameter(row: EndpointRow, path: string): string {
  const open = row.path.indexOf("{");
  if (open === -1) return "";
  try {
    const afterIt = row.path.length - row.path.indexOf("}") - 1;
    const parameter = decodeURIComponent(path.slice(open, path.length - afterIt));
    if (!parameter.includes("\0")) return parameter;
  } catch {}
  throw new RelayError("route_not_found");
}
