import { RelayError } from "../failures/relay-error";

export function bodyTooLarge(limitBytes: number): RelayError {
  return new RelayError("body_too_large", {
    message: `The request body is larger than the limit of ${limitBytes} bytes.`,
    fault: { name: "body_bytes", max: limitBytes },
  });
}
