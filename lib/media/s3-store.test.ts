/** Tests the S3 driver against a small store that verifies every signature with code of its own. */
import { createHash, createHmac } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { BlobMissing } from "./blob-store";
import { openS3Store, type S3Store } from "./s3-store";

const secret = "store-secret";
const objects = new Map<string, Buffer>();
const seen: string[] = [];
let answerBefore: ((count: number) => number | null) | null = null;
let server: Server;
let folder = "";
let store: S3Store;

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, data: string) =>
  createHmac("sha256", key).update(data).digest();

function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const { authorization = "", ...headers } = request.headers;
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=id\/(\d{8})\/here-1\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/;
  const [, day, signedHeaders, signature] = pattern.exec(authorization) ?? [];
  if (
    day === undefined ||
    signedHeaders === undefined ||
    headers["x-amz-content-sha256"] !== sha256(body)
  )
    return false;
  const lines = signedHeaders.split(";").map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [
    request.method,
    request.url,
    "",
    lines.join(""),
    signedHeaders,
    sha256(body),
  ].join("\n");
  const scope = `${day}/here-1/s3/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, sha256(canonical)].join("\n");
  const key = ["here-1", "s3", "aws4_request"].reduce(hmac, hmac(`AWS4${secret}`, day));
  return (
    ["host", "x-amz-date", "x-amz-content-sha256"].every((name) =>
      signedHeaders.split(";").includes(name),
    ) && hmac(key, toSign).toString("hex") === signature
  );
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    seen.push(`${request.method} ${request.url}`);
    const early = answerBefore?.(seen.length);
    if (early) return void response.writeHead(early).end();
    if (!isSigned(request, body)) return void response.writeHead(403).end();
    const name = request.url ?? "";
    const object = objects.get(name);
    if (request.method === "PUT") {
      if (request.headers["content-length"] === undefined)
        return void response.writeHead(411).end();
      objects.set(name, body);
      response.end();
    } else if (request.method === "DELETE") {
      objects.delete(name);
      response.writeHead(204).end();
    } else if (!object) response.writeHead(404).end("<Error/>");
    else {
      const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") as unknown as [
        string,
        string,
        string,
      ];
      response.writeHead(206).end(object.subarray(Number(start), Number(end) + 1));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  folder = mkdtempSync(join(tmpdir(), "relay-s3-"));
  store = await openS3Store(settings(secret), folder);
});
const settings = (secretAccessKey: string) => ({
  endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  bucket: "results",
  region: "here-1",
  accessKeyId: "id",
  secretAccessKey,
});
afterAll(async () => {
  await store.close();
  server.close().closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  objects.clear();
  seen.length = 0;
  answerBefore = null;
});

const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7) % 256));
async function* pieces(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 70_000) yield bytes.subarray(at, at + 70_000);
}
async function read(start: number, end: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of await store.read("media_a.mp4", start, end)) parts.push(part);
  return Buffer.concat(parts);
}

test("a written file is complete, can be read in part, and is gone once removed", async () => {
  await store.write("media_a.mp4", pieces());
  expect(objects.get("/results/media_a.mp4")?.equals(bytes)).toBe(true);
  expect((await read(0, bytes.length)).equals(bytes)).toBe(true);
  expect((await read(100, 105)).equals(bytes.subarray(100, 105))).toBe(true);
  await store.remove("media_a.mp4");
  await store.remove("media_a.mp4");
  await expect(read(0, 1)).rejects.toBeInstanceOf(BlobMissing);
  expect(readdirSync(folder)).toEqual([]);
});

test("a short failure of the store is retried", async () => {
  answerBefore = (count) => (count < 3 ? 503 : null);
  await store.write("media_a.mp4", pieces());
  expect(objects.get("/results/media_a.mp4")?.equals(bytes)).toBe(true);
  expect(seen).toHaveLength(3);
});

test("a refusal is final at once, and nothing is left behind", async () => {
  const stranger = await openS3Store(settings("another"), folder);
  await expect(stranger.write("media_a.mp4", pieces())).rejects.toThrow("403");
  expect([seen.length, objects.size, readdirSync(folder)]).toEqual([1, 0, []]);
  await stranger.close();
});

test("a source that breaks off stores nothing", async () => {
  const broken = async function* () {
    yield bytes;
    throw new Error("broken off");
  };
  await expect(store.write("media_a.mp4", broken())).rejects.toThrow("broken off");
  expect([seen, readdirSync(folder)]).toEqual([[], []]);
});
