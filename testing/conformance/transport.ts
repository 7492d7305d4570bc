/** How answers travel: silence, encodings, and requests with large pictures. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { pause } from "@/lib/timing/pause";
import { type Script, streamType } from "../upstream/test-upstream";
import { textWires } from "../upstream/text-wires";
import type { Situation } from "./situation";

const counts = [100, 20] as const;
const says = { text: "content", calls: [], end: "stop", error: null };

/** The usual answers of each protocol, sent by `send`. */
const upstreamOf = (
  send: (body: string, headers: Record<string, string>) => Script,
): Situation["upstream"] =>
  Object.fromEntries(
    textWires(...counts).map(({ protocol, text, finish, usage, done, whole }) => [
      protocol,
      {
        plain: send(whole("content", counts), { "content-type": "application/json" }),
        stream: send([text, finish, usage, done].join(""), streamType),
      },
    ]),
  );

const usual = upstreamOf(
  (body, headers) => (response) => void response.writeHead(200, headers).end(body),
);

const encodedBy = (coding: string, encode: (body: string) => Buffer): Situation["upstream"] =>
  upstreamOf(
    (body, headers) => (response) =>
      void response.writeHead(200, { ...headers, "content-encoding": coding }).end(encode(body)),
  );

/** Long enough for some keep-alives of the table's relay; nothing depends on their coming. */
const QUIET_MS = 1800;

/** A stream that says only that the upstream works, and then the answer. */
const working = upstreamOf((body, headers) => async (response) => {
  response.writeHead(200, headers);
  if (headers === streamType) {
    response.write(": PROCESSING\n\n");
    await pause(QUIET_MS);
  }
  response.end(body);
});

const failing: Script = async (response) => {
  await pause(QUIET_MS);
  response.writeHead(500).end("{}");
};

const PICTURE = Buffer.alloc(5 * 1024 * 1024, "fox").toString("base64");
const url = `data:image/png;base64,${PICTURE}`;
const say = (...content: object[]) => [{ role: "user", content }];
const source = { type: "base64", media_type: "image/png", data: PICTURE };

function assertPicture(seen: Parameters<NonNullable<Situation["check"]>>[0]): void {
  if (seen.at(-1)?.text.includes(PICTURE) !== true) throw new Error("the picture did not come");
}

const got502 = "502: it was taken for a broken answer";

export const transport: readonly Situation[] = [
  {
    sent: "comments while it thinks, and then an answer",
    thread: "maximhq/bifrost#5010",
    got: "no byte for as long, so that proxies ended the connection",
    right: "200 and a keep-alive after 10 to 15 seconds, and again, and then the answer",
    upstream: working,
    reads: says,
  },
  {
    sent: "nothing for a while, and then 500",
    thread: "BerriAI/litellm#34821",
    got: "the error after the client had gone",
    right: "an error event after the keep-alives; nothing is charged",
    upstream: { openai: { stream: failing }, anthropic: { stream: failing } },
    reads: { text: "", calls: [], end: "error", error: {} },
    ends: "free",
  },
  {
    sent: "an answer in gzip that was not requested",
    thread: "langgenius/dify#9275",
    got: got502,
    right: "the answer",
    upstream: encodedBy("gzip", gzipSync),
    reads: says,
  },
  {
    sent: "an answer in Brotli that was not requested",
    thread: "agentgateway/agentgateway#3040",
    got: got502,
    right: "the answer",
    upstream: encodedBy("br", brotliCompressSync),
    reads: says,
  },
  {
    sent: "an answer in deflate, with its head",
    got: got502,
    right: "the answer",
    upstream: encodedBy("deflate", deflateSync),
    reads: says,
  },
  {
    sent: "an answer in deflate, without its head",
    got: got502,
    right: "the answer",
    upstream: encodedBy("deflate", deflateRawSync),
    reads: says,
  },
  {
    sent: "an answer to a picture of 5 MiB",
    thread: "mnfst/llm-gateway#2126",
    got: "413: the bound of the text was that of the whole body",
    right: "the picture arrives, within a bound of its own",
    upstream: usual,
    asks: {
      chat: { messages: say({ type: "image_url", image_url: { url } }) },
      messages: { messages: say({ type: "image", source }) },
      responses: { input: say({ type: "input_image", image_url: url }) },
    },
    reads: says,
    check: assertPicture,
  },
];
