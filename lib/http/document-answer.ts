/** A public document: encoded and compressed once, with an ETag. */
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Outgoing } from "./exchange";
import { JSON_TYPE } from "./failure-answer";
import type { Call } from "./serve";

const compress = promisify(gzip);

interface Written {
  readonly text: string;
  readonly bytes: Buffer;
  readonly compressed: Promise<Buffer>;
  readonly etag: string;
}

function write(text: string): Written {
  const bytes = Buffer.from(text);
  const etag = `"${hash("sha256", bytes, "base64url").slice(0, 22)}"`;
  return { text, bytes, compressed: compress(bytes), etag };
}

/** The parts of a header that is a list, each without its parameters and the mark of a weak tag. */
const partsOf = (header: string | undefined): string[] =>
  (header ?? "").split(",").map((part) => (part.split(";")[0] ?? "").trim().replace(/^W\//, ""));

/** Answers with the JSON text that `read` returns. It is encoded again when it has changed. */
export function documentAnswer(read: () => string) {
  let written: Written | null = null;
  return async ({ headers, incoming }: Pick<Call, "headers" | "incoming">): Promise<Outgoing> => {
    const text = read();
    if (written?.text !== text) written = write(text);
    const { bytes, compressed, etag } = written;
    // Weak, since the compressed bytes have the same one.
    Object.assign(headers, { etag: `W/${etag}`, vary: "accept-encoding" });
    if (partsOf(incoming.header("if-none-match")).includes(etag))
      return { status: 304, headers, body: null };
    headers["content-type"] = JSON_TYPE;
    const isCompressed = partsOf(incoming.header("accept-encoding")).includes("gzip");
    if (isCompressed) headers["content-encoding"] = "gzip";
    return { status: 200, headers, body: isCompressed ? await compressed : bytes };
  };
}
