import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { startS3Server } from "@/testing/media/s3-server";
import { newFolder } from "@/testing/unit/new-folder";
import { opened } from "@/testing/unit/opened";
import type { BlobStore } from "../media/blob-store";
import { openS3Store } from "../media/s3-store";
import { pause } from "../timing/pause";
import { linesOfPart, writePart } from "./part-file";

const next = { number: 1, starts: "a", below: "b", file: "archive_x.gz" };
const LINES = 1000;
const BATCHES = 12;
/** As many lines as are read from the database at once, which cannot be packed. */
const batch = () =>
  Array.from({ length: LINES }, () => JSON.stringify({ noise: randomBytes(700).toString("hex") }));

const folder = newFolder("part");
const server = await opened(startS3Server());
const bucket = await opened(openS3Store(server.settings, folder));

test("while the store takes nothing, no more than a few batches are read from the database", async () => {
  let given = 0;
  async function* lines() {
    for (; given < BATCHES; given++) yield batch();
  }
  let [taken, goOn] = [0, () => {}];
  const waiting = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const slow: Pick<BlobStore, "write"> = {
    async write(_name, bytes) {
      for await (const part of bytes) {
        taken += part.byteLength;
        if (taken === part.byteLength) await waiting;
      }
    },
  };
  const written = writePart({ ...bucket, ...slow }, next, lines());
  await expect.poll(() => taken, { timeout: 20_000 }).toBeGreaterThan(0);
  await pause(extent(300, 1000));
  expect(given).toBeLessThanOrEqual(4);
  goOn();
  const { bytes } = await written;
  expect([given, taken]).toEqual([BATCHES, bytes]);
});

test("while the next line is not taken, the store is asked for the next ranges at most", async () => {
  const texts = Array.from({ length: 5 }, batch);
  async function* lines() {
    yield* texts;
  }
  const { bytes, sha256 } = await writePart(bucket, next, lines());
  const rangeBytes = 200_000;
  const part = { ...next, bytes, sha256, requests: 5 * LINES };
  const ranges = Math.ceil(bytes / rangeBytes);
  expect(ranges).toBeGreaterThan(10);
  server.seen.length = 0;
  const found = createHash("sha256");
  let read = 0;
  for await (const line of linesOfPart(bucket, part, rangeBytes)) {
    if (read++ === 0) {
      await pause(500);
      // Once for its hash, then the first ranges for its lines.
      expect(server.seen.length).toBeLessThanOrEqual(ranges + 3);
    }
    found.update(line);
  }
  const wanted = createHash("sha256");
  for (const line of texts.flat()) wanted.update(line);
  expect([read, found.digest("hex")]).toEqual([5 * LINES, wanted.digest("hex")]);
  expect(server.seen).toHaveLength(2 * ranges);
  expect(server.seen[ranges]).toBe(`GET /results/archive_x.gz bytes=0-${rangeBytes - 1}`);
});

test("a connection that breaks off in the middle fails the reading, and is not taken for the end", async () => {
  async function* lines() {
    yield batch();
  }
  const { bytes, sha256 } = await writePart(bucket, next, lines());
  const part = { ...next, bytes, sha256, requests: LINES };
  let read = 0;
  const reading = async () => {
    for await (const _ of linesOfPart(bucket, part, 100_000))
      if (read++ === 0) server.behaviour.breakAfter = 30_000;
  };
  await expect(reading()).rejects.toThrow(/^archive_x.gz cannot be read: /);
  server.repair();
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(LINES);
});
