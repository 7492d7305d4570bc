import { createReadStream } from "node:fs";
import { examplesFolder } from "@/app/_server/examples";
import { isRelayError } from "@/lib/errors";
import { findExample } from "@/lib/examples/examples";
import { byteRangeOf } from "@/lib/http/byte-range";
import { streamOf } from "@/lib/http/fetch-lane";

export const dynamic = "force-dynamic";

interface FileProps {
  params: Promise<{ model: string; file: string }>;
}

async function answer(request: Request, { params }: FileProps): Promise<Response> {
  const { model, file } = await params;
  const found = await findExample(examplesFolder(), model, file);
  if (found === null) return new Response("Not found.\n", { status: 404 });
  const etag = `"${found.bytes.toString(36)}-${found.changedAt.getTime().toString(36)}"`;
  const headers = new Headers({
    "content-type": found.contentType,
    "accept-ranges": "bytes",
    "cache-control": "public, max-age=3600",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    etag,
  });
  if (request.headers.get("if-none-match") === etag)
    return new Response(null, { status: 304, headers });
  const asked = request.headers.get("if-range") ?? etag;
  const range =
    asked === etag ? byteRangeOf(request.headers.get("range") ?? "", found.bytes) : null;
  const { start, end } = range ?? { start: 0, end: found.bytes };
  headers.set("content-length", String(end - start));
  if (range) headers.set("content-range", `bytes ${start}-${end - 1}/${found.bytes}`);
  const status = range ? 206 : 200;
  if (request.method === "HEAD" || start === end) return new Response(null, { status, headers });
  const body = streamOf(createReadStream(found.path, { start, end: end - 1 }));
  return new Response(body, { status, headers });
}

/** A file of the folder of examples, whole or a range of it. */
export async function GET(request: Request, props: FileProps): Promise<Response> {
  try {
    return await answer(request, props);
  } catch (error) {
    if (isRelayError(error) && error.code === "range_not_satisfiable")
      return new Response(null, { status: 416, headers: error.headers });
    throw error;
  }
}
export { GET as HEAD };
