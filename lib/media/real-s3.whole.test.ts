/** The store over a real S3 server: files, ranges, refusals, silence. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { missing, startStore } from "@/testing/neighbours/neighbours";
import { newFolder } from "@/testing/unit/new-folder";
import { readSettings } from "../settings/settings";
import { BlobMissing } from "./blob-store";
import { s3Of } from "./open-media";
import { openS3Store, type S3Settings } from "./s3-store";

const bytes = Buffer.alloc(9 * 1024 * 1024, "relay");
async function* pieces(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 300_000) yield bytes.subarray(at, at + 300_000);
}
async function* small(): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, 100);
}
async function* broken(): AsyncGenerator<Uint8Array> {
  yield bytes;
  throw new Error("broken off");
}

test("a real S3 server takes files, gives ranges, and refuses and fails as the one of the tests does", async ({
  skip,
}) => {
  const reason = missing.store();
  skip(reason !== undefined, reason);
  const folder = newFolder("real-s3");
  const { settings, running } = await startStore(join(folder, "store"));
  onTestFinished(() => running.stop());
  const s3 = s3Of(readSettings({ ...settings }));
  if (s3 === null) throw new Error("the settings name no store");
  const drafts = join(folder, "drafts");
  const open = async (more: Partial<S3Settings> = {}, silentMs?: number) => {
    const store = await openS3Store({ ...s3, ...more }, drafts, silentMs);
    onTestFinished(() => store.close());
    return store;
  };
  const store = await open();
  const read = async (name: string, start: number, end: number) => {
    const parts: Uint8Array[] = [];
    for await (const part of await store.read(name, start, end)) parts.push(part);
    return Buffer.concat(parts);
  };
  const name = "media_a.mp4";
  await store.write(name, pieces());
  expect((await read(name, 0, bytes.length)).equals(bytes)).toBe(true);
  expect((await read(name, 7, 12)).equals(bytes.subarray(7, 12))).toBe(true);
  expect((await read(name, bytes.length - 1, bytes.length)).length).toBe(1);
  // Once more over the old one, and a source that breaks off.
  await store.write(name, pieces());
  await expect(store.write("media_b.mp4", broken())).rejects.toThrow("broken off");
  await store.write("media_empty.mp4", (async function* () {})());
  await store.remove(name);
  await store.remove(name);
  for (const gone of [name, "media_b.mp4"])
    await expect(read(gone, 0, 1)).rejects.toBeInstanceOf(BlobMissing);
  for (const wrong of [{ secretAccessKey: "another" }, { bucket: "none" }]) {
    const refused = await open(wrong);
    await expect(refused.write(name, small())).rejects.toThrow(/answered 40[34]/);
    await expect(refused.write(name, pieces())).rejects.toThrow(/answered 40[34]|relay doctor/);
  }
  const patient = await open({}, 300);
  running.signal("SIGSTOP");
  await expect(patient.write(name, pieces())).rejects.toThrow(/Timeout/);
  running.signal("SIGCONT");
  await store.write(name, pieces());
  expect(readdirSync(drafts)).toEqual([]);
}, 120_000);
