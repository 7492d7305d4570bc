/** The files that public pages show as examples, from a folder of the operator. */
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { isRelayError } from "../failures/relay-error";
import { byteRangeOf } from "../http/byte-range";
import { streamOf } from "../http/fetch-lane";
import { findExample } from "../queries/examples";
import { SANDBOX_EXAMPLES } from "../settings/settings";
import { pagesDeps } from "./pages-deps";

/** Below the project's folder unless the setting is an absolute path. */
export const examplesFolder = (): string =>
  resolve(/* turbopackIgnore: true */ pagesDeps().settings.RELAY_EXAMPLES_DIR);

/** Whether the folder is the one that comes with the product. */
export const areSandboxExamples = (): boolean =>
  pagesDeps().settings.RELAY_EXAMPLES_DIR === SANDBOX_EXAMPLES;

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

/** `/examples/{alias}/{file}`: the whole file or a range of it. */
export async function answerExample(request: Request, props: FileProps): Promise<Response> {
  try {
    return await answer(request, props);
  } catch (error) {
    if (isRelayError(error) && error.code === "range_not_satisfiable")
      return new Response(null, { status: 416, headers: error.headers });
    throw error;
  }
}
