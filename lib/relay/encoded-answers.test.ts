/** Answers that an upstream, or a CDN before it, encodes although `identity` was asked for. */
import type { Transform } from "node:stream";
import * as zlib from "node:zlib";
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflate,
  createDeflateRaw,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
} from "node:zlib";
import { describe, expect, test } from "vitest";
import { inTurn } from "@/testing/extent/extent";
import { pngOf } from "@/testing/media/files";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { charged, lost, pairs, textSituations } from "@/testing/relay/text-situations";
import { type Script, streamType } from "@/testing/upstream/test-upstream";

const { setup, newEnds, use, sender } = await textSituations();
const images = await scriptedRelay((upstream) => ({
  channels: [upstream.channel({ protocol: "ark", models: { "super-relay-img": "theirs" } })],
}));

interface Coding {
  readonly name: string;
  encode(content: string | Buffer): Buffer;
  open(): Transform;
}
const flush = { flush: constants.Z_SYNC_FLUSH };
const codings: readonly Coding[] = [
  { name: "gzip", encode: (content) => gzipSync(content), open: () => createGzip(flush) },
  { name: "x-gzip", encode: (content) => gzipSync(content), open: () => createGzip(flush) },
  { name: "deflate", encode: (content) => deflateSync(content), open: () => createDeflate(flush) },
  {
    name: "deflate",
    encode: (content) => deflateRawSync(content),
    open: () => createDeflateRaw(flush),
  },
  {
    name: "br",
    encode: (content) => brotliCompressSync(content),
    open: () => createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  },
];
const each = pairs.flatMap(({ form, wire, pair }, place) =>
  inTurn(place, codings).map((coding) => ({ form, wire, coding, what: `${coding.name}, ${pair}` })),
);

describe.each(each)("$what", ({ form, wire, coding }) => {
  use(wire);
  const encoded = { ...streamType, "content-encoding": coding.name };

  test("a whole answer, and what asked for it", async () => {
    setup.script = (response) =>
      void response
        .writeHead(200, { "content-type": "application/json", "content-encoding": coding.name })
        .end(coding.encode(wire.whole("content", [100, 20])));
    const answer = await sender(form)();
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("content");
    expect(setup.upstream.seen.at(-1)?.headers["accept-encoding"]).toBe("identity");
    expect(await newEnds()).toMatchObject([charged]);
  });

  test("a stream reaches the client piece by piece, and its end is the usual one", async () => {
    let finish = () => {};
    setup.script = (response) => {
      const encoder = coding.open();
      encoder.pipe(response.writeHead(200, encoded));
      encoder.write(wire.text);
      finish = () => encoder.end([wire.finish, wire.usage, wire.done].join(""));
    };
    const body = JSON.stringify(form.body({ stream: true }));
    const { body: answer } = await setup.relay.fetch(form.path, { body });
    const decoder = new TextDecoder();
    let text = "";
    for await (const piece of answer ?? []) {
      text += decoder.decode(piece, { stream: true });
      if (text.includes("content")) finish();
    }
    expect(text).toMatch(form.last);
    expect(await newEnds()).toMatchObject([charged]);
  });

  test("a stream that is cut: charged if its usage had come, else a loss", async () => {
    const cutAfter = (sent: string): Script => {
      return (response) => {
        const encoder = coding.open();
        encoder.on("data", (piece) => response.write(piece));
        response.writeHead(200, encoded);
        encoder.write(sent, () => setTimeout(() => response.destroy(), 20));
      };
    };
    setup.script = cutAfter([wire.text, wire.finish, wire.usage].join(""));
    expect((await sender(form)({ stream: true })).text).toMatch(form.last);
    setup.script = cutAfter(wire.text);
    expect((await sender(form)({ stream: true })).text).toContain("upstream_failed");
    expect(await newEnds()).toMatchObject([charged, lost]);
  });

  test("a refusal is read, and the log of what cannot be read names the encoding", async () => {
    setup.script = (response) =>
      void response
        .writeHead(400, { "content-encoding": coding.name })
        .end(coding.encode('{"error":{"code":"x","param":"top_p"}}'));
    expect((await sender(form)()).text).toContain("top_p");
    setup.script = (response) =>
      void response
        .writeHead(200, { "content-type": "application/json", "content-encoding": coding.name })
        .end(coding.encode("<html>"));
    expect((await sender(form)()).status).toBe(502);
    expect(setup.relay.logged.at(-1)).toContain(`encoded as ${coding.name}`);
  });
});

test.each(codings)("an image's answer and its file, $name", async ({ name, encode }) => {
  images.script = (response, { path }) => {
    response.writeHead(200, { "content-encoding": name });
    if (path.startsWith("/results/")) return void response.end(encode(pngOf(2048, 2048)));
    const url = `http://${response.req.headers.host}/results/1.png`;
    response.end(encode(JSON.stringify({ model: "m", created: 1, data: [{ url }] })));
  };
  const body = JSON.stringify({ model: "super-relay-img", prompt: "A fox" });
  const answer = await images.relay.send("/v1/images/generations", { body });
  expect(answer.status, answer.text).toBe(200);
});

/** One frame of zstd with one block that is not compressed; for texts of 256 to 65,791 bytes. */
function zstdFrame(text: string): Buffer {
  const content = Buffer.from(text);
  const head = Buffer.from("28b52ffd600000000000", "hex");
  head.writeUInt16LE(content.length - 256, 5);
  head.writeUIntLE(content.length * 8 + 1, 7, 3);
  return Buffer.concat([head, content]);
}

test("zstd is decoded where Node can, and else named in the log of the failure", async () => {
  const [pair] = pairs.filter(({ wire }) => wire.protocol === "openai");
  if (pair === undefined) throw new Error("no such wire");
  setup.relay.setting.channels = [setup.upstream.channel()];
  setup.script = (response) =>
    void response
      .writeHead(200, { "content-type": "application/json", "content-encoding": "zstd" })
      .end(zstdFrame(pair.wire.whole("content".repeat(50), [100, 20])));
  const answer = await sender(pair.form)();
  const canDecode = "createZstdDecompress" in zlib;
  expect(answer.status).toBe(canDecode ? 200 : 502);
  expect(setup.relay.logged.join().includes("encoded as zstd")).toBe(!canDecode);
});
