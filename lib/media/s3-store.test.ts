import { readdirSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { startS3Server } from "@/testing/media/s3-server";
import { newFolder } from "@/testing/unit/new-folder";
import { opened } from "@/testing/unit/opened";
import { BlobMissing } from "./blob-store";
import { openS3Store } from "./s3-store";

const server = await opened(startS3Server());
const folder = newFolder("s3");
const store = await opened(openS3Store(server.settings, folder));
beforeEach(() => {
  server.objects.clear();
  server.seen.length = 0;
  server.repair();
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
  expect(server.objects.get("/results/media_a.mp4")?.equals(bytes)).toBe(true);
  expect((await read(0, bytes.length)).equals(bytes)).toBe(true);
  expect((await read(100, 105)).equals(bytes.subarray(100, 105))).toBe(true);
  await store.remove("media_a.mp4");
  await store.remove("media_a.mp4");
  await expect(read(0, 1)).rejects.toBeInstanceOf(BlobMissing);
  expect(readdirSync(folder)).toEqual([]);
});

test("a short failure of the store is retried", async () => {
  server.behaviour.answerBefore = (count) => (count < 3 ? 503 : null);
  await store.write("media_a.mp4", pieces());
  expect(server.objects.get("/results/media_a.mp4")?.equals(bytes)).toBe(true);
  expect(server.seen).toHaveLength(3);
});

test("a refusal is final at once, and nothing is left behind", async () => {
  const stranger = await openS3Store({ ...server.settings, secretAccessKey: "another" }, folder);
  await expect(stranger.write("media_a.mp4", pieces())).rejects.toThrow("403");
  expect([server.seen.length, server.objects.size, readdirSync(folder)]).toEqual([1, 0, []]);
  await stranger.close();
});

test("a source that breaks off stores nothing", async () => {
  const broken = async function* () {
    yield bytes;
    throw new Error("broken off");
  };
  await expect(store.write("media_a.mp4", broken())).rejects.toThrow("broken off");
  expect([server.seen, readdirSync(folder)]).toEqual([[], []]);
});

test("a store that takes calls and answers none has failed after its patience, and nothing is left behind", async () => {
  const patient = await openS3Store(server.settings, folder, 200);
  server.behaviour.isFrozen = true;
  await expect(patient.write("media_a.mp4", pieces())).rejects.toThrow(/Timeout/);
  await expect(patient.read("media_a.mp4", 0, 1)).rejects.toThrow(/Timeout/);
  expect(readdirSync(folder)).toEqual([]);
  await patient.close();
});
