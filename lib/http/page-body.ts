/** Reads the body of a request to the pages' API. */
import { RelayError } from "../failures/relay-error";

const BODY_BYTES_MAX = 64 * 1024;

/** Rejects with `unsupported_media_type` for a body that is not JSON, and with `body_too_large`. */
export async function readBody(request: Request): Promise<Uint8Array> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? ""))
    throw new RelayError("unsupported_media_type");
  const parts: Uint8Array[] = [];
  let total = 0;
  for await (const part of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    total += part.byteLength;
    if (total > BODY_BYTES_MAX)
      throw new RelayError("body_too_large", {
        message: `The body is larger than ${BODY_BYTES_MAX} bytes.`,
        fault: { name: "body_bytes", max: BODY_BYTES_MAX },
      });
    parts.push(part);
  }
  return Buffer.concat(parts);
}
