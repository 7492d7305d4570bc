import type { EndpointRow } from "../contract/endpoint";
import { isOutage } from "../db/database-errors";
import { isRelayError, RelayError } from "../errors";
import type { UseCase } from "../http/serve";
import { namedAsInBody } from "./param-names";

/** Rejects with the names of the body's own fields, and with `database_unavailable`. */
export function answering<Row extends EndpointRow>(run: UseCase<Row>): UseCase<Row> {
  return async (call) => {
    try {
      return await run(call);
    } catch (error) {
      if (isRelayError(error)) throw namedAsInBody(error);
      throw isOutage(error) ? new RelayError("database_unavailable", { cause: error }) : error;
    }
  };
}
