import { RelayError } from "../failures/relay-error";

/** A `body_too_large` error that names the limit. */
export function bodyTooLarge(limitBytes: number): RelayError {
  return new RelayError("body_too_large", {
    message: `The request body is larger than the limit of ${limitBytes} bytes.`,
    fault: { name: "body_bytes", max: limitBytes },
  });
}
