/** Tests the signed addresses of results as a client uses them. */

import { expect, test } from "vitest";
import { pngOf } from "@/testing/media/files";
import { openTestRelay } from "@/testing/relay/test-relay";
import { opened } from "@/testing/unit/opened";
import { fixedSecrets } from "../crypto/secrets";
import { isRelayError } from "../failures/relay-error";
import type { Incoming } from "../http/exchange";
import { noBody } from "../http/raw-body";
import { createGetMedia } from "./get-media";
import { createMediaLinks } from "./media-link";

const bytes = pngOf(512, 640, 600_000);
const links = createMediaLinks(fixedSecrets("s".repeat(32)), "http://relay.test");
const inAnHour = new Date(Date.now() + 3_600_000);
const relay = await opened(openTestRelay({ channels: [] }));
const kept = await relay.media.keep("image", bytes, relay.accountId);

const pathOf = (link: string) => link.slice("http://relay.test".length);
const path = (file = kept.file, until = inAnHour) => pathOf(links.link(file, until));
const get = (target: string, headers: Record<string, string> = {}, method = "GET") =>
  relay.fetch(target, { method, headers: { authorization: "", ...headers } });

test("a link serves the file to anyone, with headers that prevent scripts and other content types", async () => {
  const answer = await get(path());
  expect(answer.status).toBe(200);
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  const headers = Object.fromEntries(answer.headers);
  expect(headers).toMatchObject({
    "content-type": "image/png",
    "content-length": String(bytes.length),
    "accept-ranges": "bytes",
    "x-content-type-options": "nosniff",
  });
  expect(headers["content-security-policy"]).toMatch(/^default-src 'none';.* sandbox$/);
  expect(headers["content-disposition"]).toMatch(/^inline/);
});

test("the same file and expiry give the same link every time", () => {
  expect(path()).toBe(path());
  expect(path()).not.toBe(path(kept.file, new Date(inAnHour.getTime() + 1000)));
});

test.each([
  ["bytes=0-0", 0, 1],
  ["bytes=10-19", 10, 20],
  ["bytes=599000-", 599_000, bytes.length],
  ["bytes=-5", bytes.length - 5, bytes.length],
  ["bytes=-9999999", 0, bytes.length],
  ["bytes=100-99999999", 100, bytes.length],
  ["bytes=300000-400000", 300_000, 400_001],
])("the range %s returns exactly those bytes", async (range, start, end) => {
  const answer = await get(path(), { range });
  expect(answer.status).toBe(206);
  expect(answer.headers.get("content-range")).toBe(`bytes ${start}-${end - 1}/${bytes.length}`);
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(start, end))).toBe(true);
});

test.each(["bytes=5-2", "bytes=-", "bytes=0-1,5-6", "items=0-1", "bytes=a-b", "0-1"])(
  "anything but a single range (%s) gets the whole file",
  async (range) => {
    const answer = await get(path(), { range });
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, bytes.length]);
  },
);

test.each([`bytes=${bytes.length}-`, "bytes=99999999-", "bytes=-0"])(
  "the range %s is outside the file: 416 with the length",
  async (range) => {
    const answer = await get(path(), { range });
    expect([answer.status, answer.headers.get("content-range")]).toEqual([
      416,
      `bytes */${bytes.length}`,
    ]);
  },
);

test("a range of another version of the file gets the whole file", async () => {
  const etag = (await get(path())).headers.get("etag") as string;
  expect((await get(path(), { range: "bytes=0-1", "if-range": etag })).status).toBe(206);
  expect((await get(path(), { range: "bytes=0-1", "if-range": '"other"' })).status).toBe(200);
});

test("HEAD returns the length and no body", async () => {
  const answer = await get(path(), {}, "HEAD");
  expect([answer.status, answer.headers.get("content-length"), await answer.text()]).toEqual([
    200,
    String(bytes.length),
    "",
  ]);
});

test("a link with any part changed opens no file", async () => {
  const other = await relay.media.keep("image", bytes, relay.accountId);
  const good = path();
  const [, expires, signature] = /expires=(\d+)&signature=(.+)$/.exec(good) as unknown as [
    string,
    string,
    string,
  ];
  const bad = [
    good.replace(kept.file, other.file),
    good.replace(".png", ".mp4"),
    good.replace(expires, String(Number(expires) + 1)),
    good.replace(expires, `0${expires}`),
    good.replace(expires, `${expires}.0`),
    good.replace(signature, signature.slice(0, -1)),
    good.replace(signature, signature.toUpperCase()),
    good.replace(signature, "A".repeat(43)),
    good.replace(signature, ""),
    good.split("?")[0] as string,
    `${good.split("?")[0] as string}?expires=${expires}`,
    pathOf(
      createMediaLinks(fixedSecrets("t".repeat(32)), "http://relay.test").link(kept.file, inAnHour),
    ),
    "/v1/media/..%2f..%2fsecret?expires=1&signature=x",
  ];
  for (const one of bad) {
    const answer = await relay.send(one);
    expect([answer.status, answer.json.error?.code], one).toEqual([403, "media_link_invalid"]);
  }
  // The last character of a signature has two unused bits. A second spelling of it must not be
  // accepted.
  const last = signature.at(-1) as string;
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const spelling = letters[letters.indexOf(last) ^ 1] as string;
  expect((await get(good.replace(/.$/, spelling))).status).toBe(403);
});

const incoming = (query: string): Incoming => ({
  method: "GET",
  path: "",
  query,
  header: () => undefined,
  receive: async () => {},
  onGone: () => {},
});

test.each([
  [-1000, "valid"],
  [-1, "valid"],
  [0, "expired"],
  [1000, "expired"],
])("%d ms from its expiry, a link is %s", async (offset, expected) => {
  const expiresAt = new Date(1_800_000_000_000);
  const query = links.link(kept.file, expiresAt).split("?")[1] as string;
  const clock = () => new Date(expiresAt.getTime() + offset);
  const endpoint = createGetMedia({ media: relay.media, links, clock });
  const call = {
    incoming: incoming(query),
    requestId: "r",
    headers: {},
    parameter: kept.file,
    rawBody: noBody,
    body: undefined,
    tags: null,
  };
  const outcome = await endpoint(call).then(
    ({ status }) => status,
    (error: unknown) => (isRelayError(error) ? error.code : error),
  );
  expect(outcome).toBe(expected === "valid" ? 200 : "media_link_expired");
});

test("an expired link gets 410 with the error body, and must not be retried", async () => {
  const answer = await relay.send(path(kept.file, new Date(Date.now() - 1000)));
  expect([answer.status, answer.json.error?.code, answer.headers.get("x-should-retry")]).toEqual([
    410,
    "media_link_expired",
    "false",
  ]);
});

test("during a secret rotation an older link opens its file; once the previous secret is forgotten it does not", () => {
  const [next, previous] = ["t".repeat(32), "s".repeat(32)];
  const expiresAt = new Date(Date.now() + 60_000);
  const { search } = new URL(links.link("media_a.png", expiresAt));
  const worth = (...secrets: [string, ...string[]]) =>
    createMediaLinks(fixedSecrets(...secrets), "http://relay.test").check(
      "media_a.png",
      search.slice(1),
      new Date(),
    );
  expect([worth(next, previous), worth(next)]).toEqual(["valid", "forged"]);
});
