/** The picture behind one of our links, for a result that carries it. */
import { isStream } from "../../http/exchange";
import type { Ask } from "./ask";

/** Of the encoded file; a larger one is only linked. */
const PICTURE_BYTES_MAX = 1024 * 1024;
const MEDIA_PATH = "/v1/media/";

export interface Picture {
  readonly type: "image";
  readonly data: string;
  readonly mimeType: string;
}

/** Null when it is too large, or cannot be read now: the link stays valid. */
export async function pictureAt(link: string, ask: Ask): Promise<Picture | null> {
  const { pathname, search } = new URL(link);
  const path = pathname.slice(pathname.indexOf(MEDIA_PATH));
  const { status, headers, body } = await ask({ method: "GET", path, query: search.slice(1) });
  if (!isStream(body)) return null;
  if (status !== 200 || Number(headers["content-length"]) > PICTURE_BYTES_MAX) {
    await body[Symbol.asyncIterator]().return?.();
    return null;
  }
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(Buffer.from(part));
  const data = Buffer.concat(parts).toString("base64");
  return { type: "image", data, mimeType: headers["content-type"] ?? "image/png" };
}
