/**
 * An unsuccessful response. `code` is the failure's name; `requestId` is what a user quotes to
 * support.
 */
export class RequestError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly param: string | null = null,
    readonly requestId: string | null = null,
    readonly retryAfterSeconds: number | null = null,
    /** The other members of the error body: the fault, and numbers such as `required_points`. */
    readonly facts: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = "RequestError";
  }
}
