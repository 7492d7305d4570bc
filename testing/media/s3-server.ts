/** A small S3 store for tests. It verifies every signature with code of its own. */
import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { pause } from "@/lib/timing/pause";
import { listen } from "../stage/listen";

const secret = "store-secret";
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

/** What a test may make the store do wrong. */
interface Behaviour {
  /** By the count of requests; a status that is answered instead, or null. */
  answerBefore: ((count: number, method: string) => number | null) | null;
  /** How many bytes of an object are sent before the connection breaks; null: all. */
  breakAfter: number | null;
  /** The wait before each piece of an object. */
  pieceMs: number;
  /** Takes requests and answers none. */
  isFrozen: boolean;
}

const PIECE_BYTES = 16_384;
const asItShould: Behaviour = { answerBefore: null, breakAfter: null, pieceMs: 0, isFrozen: false };

async function send(response: ServerResponse, object: Buffer, behaviour: Behaviour) {
  const until = behaviour.breakAfter ?? object.length;
  response.writeHead(206, { "content-length": object.length });
  for (let at = 0; at < Math.min(until, object.length); at += PIECE_BYTES) {
    if (behaviour.pieceMs > 0) await pause(behaviour.pieceMs);
    response.write(object.subarray(at, Math.min(at + PIECE_BYTES, until)));
  }
  if (until < object.length) response.destroy();
  else response.end();
}

/** `objects` by their path; `seen` has every request in a line. */
export async function startS3Server() {
  const objects = new Map<string, Buffer>();
  const seen: string[] = [];
  const behaviour = { ...asItShould };
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { method = "", url: name = "" } = request;
    const range = request.headers.range;
    seen.push(`${method} ${name}${range === undefined ? "" : ` ${range}`}`);
    const early = behaviour.answerBefore?.(seen.length, method);
    if (early) return void response.writeHead(early).end();
    if (behaviour.isFrozen) return;
    if (!isSigned(request, body)) return void response.writeHead(403).end();
    const object = objects.get(name);
    if (method === "PUT") {
      if (request.headers["content-length"] === undefined)
        return void response.writeHead(411).end();
      objects.set(name, body);
      response.end();
    } else if (method === "DELETE") {
      objects.delete(name);
      response.writeHead(204).end();
    } else if (!object) response.writeHead(404).end("<Error/>");
    else {
      const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
      await send(response, object.subarray(Number(start), Number(end) + 1), behaviour);
    }
  });
  const { origin: endpoint, close } = await listen(server);
  return {
    objects,
    seen,
    behaviour,
    settings: {
      endpoint,
      bucket: "results",
      region: "here-1",
      accessKeyId: "id",
      secretAccessKey: secret,
    },
    /** It behaves as it should again. */
    repair: () => void Object.assign(behaviour, asItShould),
    close: () => void close(),
  };
}
