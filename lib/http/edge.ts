/** What differs between APIs at the edge of a request: the credential, the headers, the errors. */
import type { RelayError } from "../failures/relay-error";
import type { Incoming } from "./exchange";
import { failureText } from "./failure-answer";

export interface Edge {
  /** The value of the `Authorization` header, or what stands for it. */
  authorization(incoming: Incoming): string | undefined;
  /** Adds the API's own names for the request's id and its limits to the headers of an answer. */
  addHeaders?(headers: Record<string, string>): void;
  /** The JSON text of an error body. */
  failureText(error: RelayError, requestId: string): string;
}

export const ownEdge: Edge = {
  authorization: (incoming) => incoming.header("authorization"),
  failureText: (error) => failureText(error),
};
