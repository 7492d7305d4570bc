/** The edge of `/mcp`: errors are messages of JSON-RPC. */

import { failures } from "../../failures/failure-table";
import { type Edge, ownEdge } from "../../http/edge";

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;
/** The range that JSON-RPC leaves to servers. */
const REFUSED = -32_000;

export const mcpEdge: Edge = {
  ...ownEdge,
  failureText({ code, message }) {
    const { status } = failures[code];
    const number =
      code === "invalid_json"
        ? PARSE_ERROR
        : status === 400
          ? INVALID_REQUEST
          : status >= 500
            ? INTERNAL_ERROR
            : REFUSED;
    return JSON.stringify({
      jsonrpc: "2.0",
      error: { code: number, message, data: { code } },
      id: null,
    });
  },
};
