/** Reads the body of a request to the pages' API. */
import { ROW_BODY_BYTES_MAX } from "../contract/limits";
import { RelayError } from "../failures/relay-error";

/** Rejects with `unsupported_media_type` for a body that is not JSON, and with `body_too_large`. */
export async function readBody(
  request: Request,
  bytesMax: number = ROW_BODY_BYTES_MAX,
): Promise<Uint8Array> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? ""))
    throw new RelayError("unsupported_media_type");
  const parts: Uint8Array[] = [];
  let total = 0;
  for await (const part of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    total += part.byteLength;
    if (total > bytesMax)
      throw new RelayError("body_too_large", {
        message: `The body is larger than ${bytesMax} bytes.`,
        fault: { name: "body_bytes", max: bytesMax },
      });
    parts.push(part);
  }
  return Buffer.concat(parts);
}
