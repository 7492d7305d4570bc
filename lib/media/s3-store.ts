/** Result files in a bucket of an S3-compatible store. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { AwsV4Signer } from "aws4fetch";
import { Agent, type Dispatcher } from "undici";
import { upstreamConnector } from "../net/connect-upstream";
import { pause } from "../timing/pause";
import { BlobMissing, type BlobStore } from "./blob-store";
import { newDraft, openDraftFolder } from "./drafts";

export interface S3Settings {
  /** Without a trailing slash; the bucket is named in the path. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const TRIES = 3;
const TRY_AGAIN_MS = 300;
/** A file may take this long as long as its bytes move. */
const TIMEOUT_MS = 300_000;
/** A store that is silent for so long in a call is tried again, and then has failed: an order waits for it. */
const SILENT_MS = 15_000;
const EMPTY_SHA256 = createHash("sha256").digest("hex");

interface Call {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly headers?: Record<string, string>;
  readonly sha256?: string;
  readonly body?: () => Readable;
}

interface Draft {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * S3 wants an object's length and hash before its first byte, so the file is first written to disk
 * here.
 */
async function writeDraft(folder: string, bytes: AsyncIterable<Uint8Array>): Promise<Draft> {
  const path = newDraft(folder);
  const sha256 = createHash("sha256");
  let total = 0;
  const file = await open(path, "wx", 0o600);
  try {
    for await (const part of bytes) {
      sha256.update(part);
      total += part.byteLength;
      await file.writeFile(part);
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return { path, sha256: sha256.digest("hex"), bytes: total };
}

/** A body whose connection is released even if nobody starts to read it. */
function letGo(body: Dispatcher.ResponseData["body"]): AsyncIterable<Uint8Array> {
  const parts: AsyncIterable<Uint8Array> = body;
  const inner = parts[Symbol.asyncIterator]();
  const end = async () => {
    body.on("error", () => {}).destroy();
    return { done: true as const, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next: () => inner.next(), return: end }) };
}

/** A store that refuses a file may close the connection before it has read it, and then tells no status. */
const untaken = (cause: unknown) =>
  new Error(`the media store took no file: ${cause}. \`relay doctor\` asks it with a small one`, {
    cause,
  });

interface S3Store extends BlobStore {
  close(): Promise<void>;
}

/** The signed request of a call. */
async function signed(
  settings: S3Settings,
  name: string,
  call: Call,
): Promise<Dispatcher.RequestOptions> {
  const { accessKeyId, secretAccessKey, region } = settings;
  const url = `${settings.endpoint}/${settings.bucket}/${name}`;
  const headers = { ...call.headers, "x-amz-content-sha256": call.sha256 ?? EMPTY_SHA256 };
  const signer = new AwsV4Signer({
    url,
    method: call.method,
    headers,
    accessKeyId,
    secretAccessKey,
    region,
    service: "s3",
    allHeaders: true,
  });
  const request = await signer.sign();
  const sent = Object.fromEntries(request.headers);
  delete sent.host;
  return {
    origin: request.url.origin,
    path: request.url.pathname,
    method: call.method,
    headers: sent,
    body: call.body?.() ?? null,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  };
}

/**
 * `draftFolder` is created if it is missing. Calls that fail for the store's own reasons are tried
 * three times.
 */
export async function openS3Store(
  settings: S3Settings,
  draftFolder: string,
  silentMs = SILENT_MS,
): Promise<S3Store> {
  await openDraftFolder(draftFolder);
  const agent = new Agent({
    connect: upstreamConnector({ timeout: 10_000 }),
    headersTimeout: silentMs,
    bodyTimeout: silentMs,
  });
  const send = async (name: string, call: Call) =>
    agent.request(await signed(settings, name, call));

  async function ask(
    name: string,
    call: Call,
    accepted: readonly number[],
  ): Promise<Dispatcher.ResponseData> {
    for (let attempt = 1; ; attempt++) {
      const answer = await send(name, call).catch((error: unknown) => {
        if (attempt < TRIES) return null;
        throw call.body === undefined ? error : untaken(error);
      });
      if (answer && accepted.includes(answer.statusCode)) return answer;
      if (answer) {
        await answer.body.dump();
        const mayPass = answer.statusCode >= 500 || answer.statusCode === 429;
        if (!mayPass || attempt === TRIES)
          throw new Error(`the media store answered ${answer.statusCode} to ${call.method}`);
      }
      await pause(TRY_AGAIN_MS * attempt);
    }
  }

  return {
    async write(name, bytes) {
      const { path, sha256, bytes: length } = await writeDraft(draftFolder, bytes);
      try {
        const headers = { "content-length": String(length) };
        const answer = await ask(
          name,
          { method: "PUT", headers, sha256, body: () => createReadStream(path) },
          [200, 201, 204],
        );
        await answer.body.dump();
      } finally {
        await rm(path, { force: true });
      }
    },
    async read(name, start, end) {
      const answer = await ask(
        name,
        { method: "GET", headers: { range: `bytes=${start}-${end - 1}` } },
        [206, 404],
      );
      if (answer.statusCode === 206) return letGo(answer.body);
      await answer.body.dump();
      throw new BlobMissing(name);
    },
    async remove(name) {
      const answer = await ask(name, { method: "DELETE" }, [200, 202, 204, 404]);
      await answer.body.dump();
    },
    close: () => agent.destroy(),
  };
}
