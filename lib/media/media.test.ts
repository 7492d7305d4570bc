/**
 * Tests results from an upstream's address to our link, with real files, a real database and real
 * HTTP.
 */

import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { mp4Of, pngOf } from "@/testing/media/files";
import { listen } from "@/testing/stage/listen";
import { newFolder } from "@/testing/unit/new-folder";
import { opened } from "@/testing/unit/opened";
import { fixedSecrets } from "../crypto/secrets";
import { openPool } from "../db/pool";
import { createGuardedAgent } from "../net/guarded-agent";
import { createResultFetcher, fetchBounds } from "./fetch-result";
import { openFolderStore } from "./folder-store";
import { createMediaLinks } from "./media-link";
import { createMediaStore } from "./media-store";
import { openUnwrittenRows } from "./unwritten-rows";
import { watchedStore } from "./watched-store";

let otherConnections = 0;
let script: (
  response: ServerResponse,
  path: string,
  headers: NodeJS.Dict<string | string[]>,
) => void;

const channel = () => ({ baseUrl: `${server.origin}/api/v3` });
const files = () => readdirSync(folder);
const rows = async () =>
  (await pool.query<{ stored: boolean }>("select stored_at is not null as stored from media")).rows;

const folder = newFolder("media");
const url = await createTestDatabase();
const pool = await opened(openPool(url, 2));
/** The owner may delete rows, which the product cannot. */
const owner = await opened(openPool(ownerUrlOf(url), 1));
await pool.query("insert into account (id) values ('acct_a')");
const server = await opened(
  listen(createServer((request, response) => script(response, request.url ?? "", request.headers))),
);
const counted = createServer((_, response) => response.end(mp4Of()));
const other = await opened(listen(counted.on("connection", () => otherConnections++)));
const fetcher = await opened(
  createResultFetcher(
    createGuardedAgent((_, done) => done(null, [{ address: "127.0.0.1", family: 4 }])),
  ),
);
const links = createMediaLinks(fixedSecrets("s".repeat(32)), "http://relay.test");
const media = createMediaStore({
  pool,
  blobs: watchedStore(await openFolderStore(folder), () => {}),
  fetcher,
  links,
  unwritten: openUnwrittenRows(pool, `${folder}-rows`),
});
beforeEach(async () => {
  otherConnections = 0;
  await owner.query("delete from media");
  for (const file of files()) rmSync(join(folder, file));
});

async function bytesOf(file: string, start: number, end: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of await media.read(file, start, end)) parts.push(part);
  return Buffer.concat(parts);
}
const copyError = (path = "/r", kind: "video" | "image" = "video") =>
  media
    .copy(kind, channel(), path.startsWith("http") ? path : `${server.origin}${path}`, "acct_a")
    .then(
      () => null,
      (error: Error) => error,
    );

test("a result from the channel's own origin is copied byte for byte, readable by nobody else", async () => {
  const bytes = mp4Of(700_000);
  script = (response) => response.end(bytes);
  const kept = await media.copy("video", channel(), `${server.origin}/r?token=a%2Fb`, "acct_a");
  expect(kept).toMatchObject({ bytes: bytes.length, size: null, file: `${kept.mediaId}.mp4` });
  expect(await bytesOf(kept.file, 0, bytes.length)).toEqual(bytes);
  expect(await bytesOf(kept.file, 300_000, 300_010)).toEqual(bytes.subarray(300_000, 300_010));
  expect(statSync(join(folder, kept.file)).mode & 0o777).toBe(0o600);
  expect(await media.find(kept.file)).toEqual({
    bytes: bytes.length,
    contentType: "video/mp4",
    isRemoved: false,
  });
});

test("an image is stored with the size in its bytes", async () => {
  expect((await media.keep("image", pngOf(1024, 768), "acct_a")).size).toEqual({
    width: 1024,
    height: 768,
  });
});

test("no credential is sent, and a redirect within the origin is followed", async () => {
  let seen: NodeJS.Dict<string | string[]> = {};
  script = (response, path, headers) => {
    seen = headers;
    if (path === "/r") response.writeHead(302, { location: "/next" }).end();
    else response.end(mp4Of());
  };
  expect(await copyError()).toBe(null);
  expect(Object.keys(seen)).not.toContain("authorization");
});

test("a credential goes to the channel's own address only, and a refusal of it may pass", async () => {
  const seen: unknown[] = [];
  script = (response, path, { authorization }) => {
    seen.push([path, authorization]);
    if (path === "/r") response.writeHead(302, { location: "/next" }).end();
    else response.end(mp4Of());
  };
  const copy = (url: string, bearer: string | null = "secret") =>
    media.copyResult({ ...channel(), bearer }, url, "acct_a");
  await copy(`${server.origin}/r`);
  await copy(`${server.origin}/own`);
  await copy(`${server.origin}/open`, null);
  const asked = ["/r", "/next", "/own", "/open"];
  const sent = ["Bearer secret", undefined, "Bearer secret", undefined];
  expect(seen).toEqual(asked.map((path, at) => [path, sent[at]]));
  script = (response) => response.writeHead(401).end();
  await expect(copy(`${server.origin}/r`)).rejects.toMatchObject({ isFinal: false });
  await expect(copy(`${server.origin}/r`, null)).rejects.toMatchObject({ isFinal: true });
});

test.each([
  ["another port of this machine", () => other.origin],
  ["a name that leads inside", () => `http://inside.example:${other.port}/`],
  ["a mapped address", () => `http://[::ffff:127.0.0.1]:${other.port}/`],
])("%s is not fetched, directly or by a redirect", async (_, target) => {
  script = (response) => response.writeHead(302, { location: target() }).end();
  for (const address of ["/r", target()])
    expect(await copyError(address)).toMatchObject({ isFinal: true });
  expect(otherConnections).toBe(0);
  expect(files()).toEqual([]);
});

test.each([
  "file:///etc/passwd",
  "ftp://a.example/",
  "data:video/mp4;base64,AAAA",
  "//a",
  "http://user:pass@a.example/",
  "gopher://a/",
])("%s is refused as a result's address, also in a redirect", async (address) => {
  if (address.includes(":"))
    expect(
      await media.copy("video", channel(), address, "acct_a").catch((error) => error),
    ).toMatchObject({ isFinal: true });
  script = (response) =>
    response.writeHead(302, { location: address.startsWith("//") ? "http://" : address }).end();
  expect(await copyError()).toMatchObject({ isFinal: true });
});

test("at most three redirects are followed", async () => {
  let hops = 0;
  script = (response) => {
    hops++;
    response.writeHead(307, { location: `/${hops}` }).end();
  };
  expect(await copyError()).toMatchObject({ isFinal: true });
  expect(hops).toBe(4);
});

test.each([
  [403, true],
  [404, true],
  [429, false],
  [500, false],
  [503, false],
])("a status of %d ends the download (permanently: %s)", async (status, isFinal) => {
  script = (response) => response.writeHead(status).end("nothing");
  expect(await copyError()).toMatchObject({ isFinal });
});

test("an interrupted download leaves no file and can be retried", async () => {
  script = (response) => {
    response.writeHead(200, { "content-length": 1_000_000 });
    response.write(mp4Of(300_000));
    setTimeout(() => response.destroy(), 20);
  };
  expect(await copyError()).toMatchObject({ isFinal: false });
  expect(files()).toEqual([]);
  expect((await rows()).filter(({ stored }) => stored)).toEqual([]);
});

test.each([
  ["a page", Buffer.from("<!doctype html>".repeat(20))],
  ["an image", pngOf(1024, 1024)],
  ["nothing", Buffer.alloc(0)],
  ["a few bytes", Buffer.from("ftyp")],
])("%s instead of a video is refused and leaves no file", async (_, bytes) => {
  script = (response) => response.writeHead(200, { "content-type": "video/mp4" }).end(bytes);
  expect(await copyError()).toMatchObject({ isFinal: true });
  expect(files()).toEqual([]);
});

test("a result larger than allowed is abandoned, with or without a declared length", async () => {
  for (const headers of [
    { "content-length": String(fetchBounds.image.bytesMax + 1) },
    { "transfer-encoding": "chunked" },
  ]) {
    script = (response) => {
      response.writeHead(200, headers);
      const part = pngOf(512, 512, 1024 * 1024);
      const write = () => {
        while (!response.destroyed && response.write(part)) {}
      };
      response.on("drain", write);
      write();
    };
    expect(await copyError("/r", "image")).toMatchObject({ isFinal: true });
    expect(files()).toEqual([]);
  }
});

test("a result that takes too long is abandoned", async () => {
  script = (response) => void response.writeHead(200).write(mp4Of());
  const stream = await fetcher.fetch(channel(), `${server.origin}/r`, {
    bytesMax: 1e9,
    totalMs: 300,
  });
  const read = (async () => {
    for await (const _ of stream);
  })();
  await expect(read).rejects.toMatchObject({ isFinal: false });
});

test("an expired file is removed, its row stays, and a second run finds nothing", async () => {
  const kept = await media.keep("image", pngOf(512, 512), "acct_a");
  const fresh = await media.keep("image", pngOf(512, 512), "acct_a");
  expect(await media.removeExpired()).toBe(0);
  await pool.query("update media set expires_at = now() where id = $1", [kept.mediaId]);
  expect(await media.removeExpired()).toBe(1);
  expect(files()).toEqual([fresh.file]);
  expect(await media.find(kept.file)).toMatchObject({ isRemoved: true });
  expect(await media.removeExpired()).toBe(0);
});

test("incomplete files of a killed process are removed, and files being written are not", async () => {
  const names = [".draft-old", ".draft-new"];
  for (const name of names) writeFileSync(join(folder, name), "half");
  const twoHoursAgo = Date.now() / 1000 - 7200;
  utimesSync(join(folder, ".draft-old"), twoHoursAgo, twoHoursAgo);
  await openFolderStore(folder);
  expect(files()).toEqual([".draft-new"]);
});
