/** The file of a part: a head, a line for each request, and an end, packed. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { packedLines, packedLinesWith } from "../json/packed-lines";
import type { ArchivePart, NextPart } from "../ledger/archive/archive-register";
import { BlobMissing, type BlobStore } from "../media/blob-store";
import { isRecord } from "../values/records";

const FORMAT = "relay-archive-1";

/** A file is not what was noted of it. Its message says how. */
export class DamagedArchive extends Error {}

/** The store did not give all of a file. It says nothing about the file. */
export class UnreadArchive extends Error {}

const RANGE_BYTES = 4 * 1024 * 1024;

export async function writePart(
  blobs: BlobStore,
  { number, starts, below, file }: NextPart,
  lines: AsyncIterable<readonly string[]>,
): Promise<{ bytes: number; sha256: Buffer }> {
  const sha256 = createHash("sha256");
  let bytes = 0;
  async function* text() {
    let requests = 0;
    yield `${JSON.stringify({ format: FORMAT, part: number, starts, below })}\n`;
    for await (const some of lines) {
      requests += some.length;
      yield `${some.join("\n")}\n`;
    }
    yield `${JSON.stringify({ end: true, requests })}\n`;
  }
  async function* counted(packed: AsyncIterable<Uint8Array>) {
    for await (const part of packed) {
      sha256.update(part);
      bytes += part.byteLength;
      yield part;
    }
  }
  await pipeline(Readable.from(text()), createGzip(), (packed: AsyncIterable<Uint8Array>) =>
    blobs.write(file, counted(packed)),
  );
  return { bytes, sha256: sha256.digest() };
}

type Stored = Pick<ArchivePart, "file" | "bytes" | "sha256">;

/**
 * The bytes of a file, a range at a time: the database may need minutes for what is in a file, and no
 * store keeps a connection open for so long. Rejects with `UnreadArchive` when the store fails.
 */
async function* bytesOf(
  blobs: BlobStore,
  { file, bytes }: Stored,
  rangeBytes: number,
): AsyncGenerator<Uint8Array> {
  try {
    for (let at = 0; at < bytes; at += rangeBytes)
      yield* await blobs.read(file, at, Math.min(at + rangeBytes, bytes));
  } catch (error) {
    if (error instanceof BlobMissing) throw error;
    throw new UnreadArchive(
      `${file} cannot be read: ${error instanceof Error ? error.message : error}`,
      { cause: error },
    );
  }
}

/** Rejects with `DamagedArchive` when a byte of the file is another one. */
async function checkBytes(blobs: BlobStore, part: Stored, rangeBytes: number): Promise<void> {
  const found = createHash("sha256");
  for await (const bytes of bytesOf(blobs, part, rangeBytes)) found.update(bytes);
  if (!found.digest().equals(part.sha256))
    throw new DamagedArchive(`${part.file} is not as it was written: its SHA-256 is another one`);
}

function parsed(line: string): Record<string, unknown> {
  const value: unknown = JSON.parse(line);
  return isRecord(value) ? value : {};
}

/** The lines of a part. Nothing is read as text before its SHA-256 is the noted one. */
export async function* linesOfPart(
  blobs: BlobStore,
  part: Stored & Pick<ArchivePart, "requests">,
  rangeBytes = RANGE_BYTES,
): AsyncGenerator<string> {
  await checkBytes(blobs, part, rangeBytes);
  let [count, isEnded] = [-1, false];
  for await (const line of packedLines(bytesOf(blobs, part, rangeBytes))) {
    if (isEnded) throw new DamagedArchive(`${part.file} has lines after its end`);
    if (count === -1) {
      if (parsed(line).format !== FORMAT)
        throw new DamagedArchive(`${part.file} is no archive of this release`);
    } else if (count === part.requests) {
      if (parsed(line).end !== true) throw new DamagedArchive(`${part.file} has too many requests`);
      isEnded = true;
    } else yield line;
    count++;
  }
  if (!isEnded) throw new DamagedArchive(`${part.file} has no end`);
}

/** The lines of a part with a text, once its SHA-256 is the noted one. */
export async function* linesWith(
  blobs: BlobStore,
  part: Stored,
  text: string,
): AsyncGenerator<string> {
  await checkBytes(blobs, part, RANGE_BYTES);
  yield* packedLinesWith(bytesOf(blobs, part, RANGE_BYTES), text);
}
