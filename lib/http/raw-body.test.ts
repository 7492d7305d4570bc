/**
 * Tests that request bodies are read alike however they are split, and bounded in shape and memory.
 */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { base64, incomingOf, receive, rewritten } from "@/testing/http/received-body";
import type { EndpointRow } from "../contract/endpoint";
import { endpoints } from "../contract/endpoints";
import { isRelayError } from "../failures/relay-error";
import { JSON_OBJECT_MEMBERS_MAX, JSON_VALUES_MAX } from "../json/json-shape";
import { parseStrictJson } from "../json/strict-json";
import { type BodyMemory, createBodyMemory } from "../limits/body-memory";
import type { Incoming } from "./exchange";
import { receiveBody } from "./raw-body";

const MEBIBYTE = 1024 * 1024;
const media = endpoints.createImage;
const chat = endpoints.createChatCompletion;
const png = "data:image/png;base64,";

async function codeOf(
  text: string | Buffer,
  row: EndpointRow = media,
  partBytes = 65_536,
): Promise<string> {
  const memory = createBodyMemory();
  try {
    await receive(Buffer.from(text as string), partBytes, row, memory);
    return "accepted";
  } catch (error) {
    expect(memory.bytes).toBe(0);
    return isRelayError(error) ? error.code : String(error);
  }
}

test("a body has the same value and hash in whatever parts it arrives", async () => {
  const image = `${png}${base64(30_000, 1)}`;
  const escaped = image.replaceAll("/", "\\/");
  const texts = fc.oneof(
    fc
      .jsonValue({ maxDepth: 6 })
      .map((value) => JSON.stringify({ value, image, images: [image, image] })),
    fc.constant(
      `{"a":"${escaped}","b":["\\"${png}\\\\","data:image\\\\","data:image/png;base64,ab","data","${image}\\n"],"${png}${base64(9000)}":1}`,
    ),
  );
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 40_000 }), async (text, partBytes) => {
      fc.pre(!text.includes("__proto__"));
      const received = await receive(
        Buffer.from(text),
        text.length > 400 * partBytes ? 1009 : partBytes,
      );
      expect(await rewritten(received)).toBe(JSON.stringify(JSON.parse(text)));
      expect(received.rawBody.sha256()).toEqual(createHash("sha256").update(text).digest());
    }),
    { numRuns: 150 },
  );
});

test("quotes and backslashes inside a long string never end it", async () => {
  const pieces = [
    "\\",
    '"',
    "\\".repeat(33),
    '"'.repeat(3),
    "a".repeat(31),
    "a".repeat(70),
    `${png}${base64(9000)}`,
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...pieces), { maxLength: 30 }),
      fc.integer({ min: 1, max: 200 }),
      async (parts, partBytes) => {
        const text = JSON.stringify({ prompt: `x${parts.join("")}` });
        const received = await receive(
          Buffer.from(text),
          text.length > 400 * partBytes ? 1009 : partBytes,
        );
        expect(received.rawBody.images).toBeUndefined();
        expect(await rewritten(received)).toBe(text);
      },
    ),
    { numRuns: 300 },
  );
});

test("32 MiB of images leave a small body, which is written upstream with the original images", async () => {
  const image = png + base64(12 * MEBIBYTE, 2);
  const text = JSON.stringify({
    model: "super-relay-img",
    prompt: "a fox",
    image: [image, `${png}${base64(11 * MEBIBYTE)}`],
  });
  const received = await receive(Buffer.from(text), 65_536);
  expect(JSON.stringify(received.value).length).toBeLessThan(400);
  expect((await rewritten(received)) === text).toBe(true);
});

test("a body cannot refer to an image of its own choice, nor to one that was released", async () => {
  const { rawBody: sent, value } = await receive(
    Buffer.from(JSON.stringify({ image: png + base64(30_000) })),
    1000,
  );
  sent.releaseImages();
  expect(() => sent.images).not.toThrow();
  expect(JSON.stringify({ ...sent, value })).not.toContain(base64(3000));
});

const repeated = (item: string, count: number) =>
  Array.from({ length: count }, () => item).join(",");
const names = (count: number) => Array.from({ length: count }, (_, at) => `"n${at}":1`).join(",");

test.each([
  ["values in an array", `{"zz":[${repeated("1", JSON_VALUES_MAX)}]}`, "body_too_large"],
  ["empty objects", `[${repeated("{}", JSON_VALUES_MAX / 2)}]`, "body_too_large"],
  ["members of one object", `{"zz":{${names(JSON_OBJECT_MEMBERS_MAX + 1)}}}`, "body_too_large"],
  ["strings without anything between them", `[${'""'.repeat(60_000)}]`, "body_too_large"],
  ["text beside the images", `{"zz":"${"a".repeat(MEBIBYTE)}"}`, "body_too_large"],
  ["text as a name", `{"${png}${"a".repeat(MEBIBYTE)}":1}`, "body_too_large"],
  ["spaces", `{}${" ".repeat(MEBIBYTE)}`, "body_too_large"],
  [
    "an image that is none after two mebibytes",
    `{"image":"${png}${"a".repeat(2 * MEBIBYTE)}!"}`,
    "invalid_value",
  ],
  [
    "an image with three equals signs",
    `{"image":"${png}${"a".repeat(2 * MEBIBYTE)}==="}`,
    "invalid_value",
  ],
  ["an image without an end", `{"image":"${png}${"a".repeat(2 * MEBIBYTE)}`, "invalid_json"],
  ["65 levels", `${"[".repeat(65)}${" ".repeat(20_000)}`, "invalid_json"],
  ["a name twice, far apart", `{"model":1,"a":"${" ".repeat(20_000)}","model":2}`, "invalid_json"],
  [
    "a name twice, around an image",
    `{"image":"${png}${base64(20_000)}","image":1}`,
    "invalid_json",
  ],
  [
    "bytes that are no UTF-8",
    Buffer.concat([Buffer.from(`{"a":"${" ".repeat(20_000)}`), Buffer.from([0xff, 0x22, 0x7d])]),
    "invalid_json",
  ],
])("%s are refused", async (_, text, code) => {
  for (const partBytes of [65_536, 20_001]) expect(await codeOf(text, media, partBytes)).toBe(code);
});

test("the same bounds accept the longest conversation", async () => {
  const message = '{"role":"user","content":[{"type":"text","text":"hi"}]}';
  expect(await codeOf(`{"model":"relay-v1","messages":[${repeated(message, 4096)}]}`, chat)).toBe(
    "accepted",
  );
  expect(await codeOf(`{"zz":"${"a".repeat(chat.textBytesMax - 9)}"}`, chat)).toBe("accepted");
  expect(await codeOf(`{"zz":{${names(JSON_OBJECT_MEMBERS_MAX)}}}`)).toBe("accepted");
});

test("bodies scanned in parts and bodies parsed at once are refused for the same reasons", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      async (text, partBytes) => {
        const whole = (() => {
          try {
            return parseStrictJson(Buffer.from(`{"a":"${text}"}`));
          } catch {
            return "refused";
          }
        })();
        const inParts = await receive(Buffer.from(`{"a":"${text}"}`), partBytes).then(
          ({ value }) => value,
          () => "refused",
        );
        expect(inParts).toEqual(whole);
      },
    ),
    { numRuns: 500 },
  );
});

/** An upload that stops when `held` pauses it, and continues when told. */
function upload(memory: BodyMemory, accountId: string, mebibytes: number) {
  let finish = () => {};
  const gate = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const head = Buffer.from(`{"image":"${png}`);
  const incoming = incomingOf(async (_limit, take) => {
    await take(head);
    for (let at = 0; at < mebibytes; at++) await take(Buffer.alloc(MEBIBYTE, "a"));
    await gate;
    await take(Buffer.from('"}'));
  });
  const announced: Incoming = { ...incoming, header: () => String(mebibytes * MEBIBYTE + 100) };
  const body = receiveBody(media, announced, memory, accountId);
  body.catch(() => {});
  return { finish, body };
}

const settled = (pending: Promise<unknown>) =>
  pending.then(
    () => "read",
    (error: { code?: string }) => error.code ?? "failed",
  );
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("slow uploads never exceed the memory budget: the rest waits or is refused with a time to retry, and accounts share", async () => {
  const memory = createBodyMemory({
    totalBytes: 16 * MEBIBYTE,
    accountBytes: 11 * MEBIBYTE,
    waitMs: 150,
  });
  const mine = Array.from({ length: 25 }, () => upload(memory, "a", 4));
  await pause(60);
  expect(memory.bytes).toBeLessThanOrEqual(11 * MEBIBYTE);
  const other = upload(memory, "b", 4);
  await pause(60);
  expect(memory.bytes).toBeLessThanOrEqual(16 * MEBIBYTE);
  other.finish();
  expect(await settled(other.body)).toBe("read");
  for (const { finish } of mine.slice(0, 2)) finish();
  const ends = await Promise.all(mine.slice(2).map(({ body }) => settled(body)));
  expect(new Set(ends)).toEqual(new Set(["key_rate_limited"]));
  await expect(mine[24]?.body).rejects.toMatchObject({ retryAfterSeconds: 2 });
  for (const { body } of [...mine.slice(0, 2), other]) (await body).rawBody.release();
  expect(memory.bytes).toBe(0);
});

test("a waiting body gets memory when it is freed, and a sent body holds only its text", async () => {
  const memory = createBodyMemory({
    totalBytes: 5 * MEBIBYTE,
    accountBytes: 100 * MEBIBYTE,
    waitMs: 5_000,
  });
  const first = upload(memory, "a", 4);
  const second = upload(memory, "b", 4);
  first.finish();
  second.finish();
  const { rawBody: sent } = await first.body;
  expect(memory.bytes).toBeGreaterThan(4 * MEBIBYTE);
  sent.releaseImages();
  const later = await second.body;
  expect(memory.bytes).toBeLessThan(5 * MEBIBYTE);
  later.rawBody.releaseImages();
  expect(memory.bytes).toBeLessThan(2000);
  sent.release();
  later.rawBody.release();
  expect(memory.bytes).toBe(0);
});
